/** Shaders of soap films: a mirror that is almost all hole, tinted by interference (film-table.ts), in a photographer's studio. */
import { SLICE } from './slice.ts';

/**
 * The studio that films mirror, in world space with z up: dark walls, a bright ceiling, windows with bars on two sides and a long lamp. Bright
 * things are many times brighter than the picture behind the film, as they are for a real bubble, which mirrors a few per cent.
 */
const STUDIO = /* glsl */ `
uniform float studioLight;
float pane(vec2 p, vec2 centre, vec2 size) {
  vec2 d = abs(p - centre) / size;
  return smoothstep(1.04, 0.96, d.x) * smoothstep(1.04, 0.96, d.y);
}
float window(vec3 d, vec3 toward, vec2 size) {
  float facing = dot(d, toward);
  if (facing <= 0.05) return 0.0;
  vec3 right = normalize(cross(toward, vec3(0.0, 0.0, 1.0)));
  vec3 up = cross(right, toward);
  vec2 p = vec2(dot(d, right), dot(d, up)) / facing;
  float bars = smoothstep(0.018, 0.035, abs(p.x)) * smoothstep(0.018, 0.035, abs(p.y));
  return pane(p, vec2(0.0), size) * bars;
}
vec3 studioColor(vec3 d) {
  float h = d.z;
  vec3 wall = mix(vec3(0.6, 0.64, 0.74), vec3(1.3, 1.42, 1.65), smoothstep(-0.2, 0.9, h));
  vec3 c = h < 0.0 ? mix(wall, vec3(0.3, 0.32, 0.37), smoothstep(0.0, -0.5, h)) : wall;
  // Broad and soft overhead, so that whole flanks of a bubble show their colours.
  c += vec3(2.6, 2.75, 3.0) * smoothstep(0.55, 0.95, h);
  c += vec3(9.0, 8.7, 8.2) * window(d, normalize(vec3(0.78, -0.55, 0.42)), vec2(0.42, 0.5));
  c += vec3(7.4, 7.7, 8.3) * window(d, normalize(vec3(-0.72, -0.62, 0.3)), vec2(0.3, 0.45));
  c += vec3(5.6, 5.8, 6.2) * window(d, normalize(vec3(-0.2, 0.95, 0.35)), vec2(0.6, 0.4));
  return c * studioLight;
}
`;

/** Thickness from a field on vertices, or falling with height as films drain. */
export const FILM_VERTEX = /* glsl */ `
attribute float thickness;
centroid varying vec3 vView;
centroid varying vec3 vNormalView;
centroid varying vec3 vWorld;
centroid varying float vThickness;
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  vView = view.xyz;
  vWorld = position;
  vNormalView = normalMatrix * normal;
  vThickness = thickness;
  gl_Position = projectionMatrix * view;
}
`;

export const FILM_FRAGMENT = /* glsl */ `
${STUDIO}
${SLICE}
centroid varying vec3 vView;
centroid varying vec3 vNormalView;
centroid varying vec3 vWorld;
centroid varying float vThickness;
uniform sampler2D filmTable;
uniform float maxThickness;
uniform bool flatShading;
uniform mat3 viewToWorld;
const vec2 TABLE_SIZE = vec2(512.0, 64.0);
vec3 filmReflectance(float thickness, float cosine) {
  vec2 at = vec2(clamp(thickness / maxThickness, 0.0, 1.0), cosine);
  return texture2D(filmTable, (at * (TABLE_SIZE - 1.0) + 0.5) / TABLE_SIZE).rgb;
}
void main() {
  if (isSlicedAway(vWorld)) discard;
  vec3 n = flatShading ? normalize(cross(dFdx(vView), dFdy(vView))) : normalize(vNormalView);
  vec3 v = normalize(-vView);
  if (!flatShading && !gl_FrontFacing) n = -n;
  // A smoothed normal may lean away from the eye at a rim: bend it back, as far as the rim.
  float lean = dot(n, v);
  n = normalize(n + v * max(0.0, 0.02 - lean));
  float cosine = clamp(dot(n, v), 0.0, 1.0);
  vec3 reflectance = filmReflectance(vThickness, cosine);
  vec3 mirrored = studioColor(viewToWorld * reflect(-v, n));
  float opacity = clamp(dot(reflectance, vec3(0.2126, 0.7152, 0.0722)), 0.0, 1.0);
  gl_FragColor = vec4(max(reflectance * mirrored, 0.0), opacity);
}
`;

/** The finished picture; what is brighter than a screen can show is bent below white instead of cut. */
export const FILM_COPY_FRAGMENT = /* glsl */ `
varying vec2 vUv;
uniform sampler2D backdrop;
uniform float knee;
vec3 bend(vec3 c) { return min(c, knee) + (1.0 - knee) * (1.0 - exp(-max(c - knee, 0.0) / (1.0 - knee))); }
void main() {
  vec3 c = texture2D(backdrop, vUv).rgb;
  // Mostly by the brightest channel, which keeps the colour; a little by each for itself, which lets lamps turn white.
  float brightest = max(c.r, max(c.g, c.b));
  vec3 kept = c * (bend(vec3(brightest)) / max(brightest, 1e-4));
  c = mix(bend(c), kept, 0.7);
  gl_FragColor = vec4(c, 1.0);
  #include <colorspace_fragment>
}
`;
