/**
 * Shaders of soap films: a mirror that is almost all hole, tinted by interference (film-table.ts), in a
 * photographer's studio.
 */
import { PLACE_VERTEX, SLICE } from './slice.ts';

/**
 * The studio that films mirror, in world space with z up: dark walls, a bright ceiling, windows with bars on
 * two sides and a long lamp. Bright things are many times brighter than the picture behind the film, as they
 * are for a real bubble, which mirrors a few per cent.
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

/** Width of the texture of light in regions (film.ts); even, as a region has two texels. */
export const LIGHT_ROW = 256;

/** What the corners tell the pixels. */
const VARYINGS = /* glsl */ `centroid varying vec3 vView;
centroid varying vec3 vNormalView;
centroid varying vec3 vWorld;
centroid varying float vThickness;
centroid varying vec3 vFoam;
// Pixels along and across a border, from its middle, and half its width; zero on films.
varying vec3 vBorder;
`;

/**
 * Corners of films, and of borders, which are widened to lines here. Thickness comes from a field, or falls
 * with height as films drain.
 */
export const FILM_VERTEX = /* glsl */ `
attribute float thickness;
attribute vec3 foam;
attribute vec3 other;
attribute vec3 border;
${VARYINGS}uniform vec2 resolution;
uniform float pixelRatio;
// A piece ends where it ends, so that no part of a border is drawn twice; a point is as long as it is wide.
void widen(bool atEnd) {
  vec4 there = projectionMatrix * (viewMatrix * vec4(other, 1.0));
  float radius = 0.5 * border.z * pixelRatio;
  float reach = radius + 1.0;
  bool isPoint = position == other;
  vec2 along = vec2(1.0, 0.0);
  if (!isPoint && there.w > 0.0 && gl_Position.w > 0.0) {
    vec2 way = resolution * (there.xy / there.w - gl_Position.xy / gl_Position.w) * (atEnd ? -1.0 : 1.0);
    float span = length(way);
    if (span > 1e-4) along = way / span;
  }
  vBorder = vec3(isPoint ? (atEnd ? reach : -reach) : 0.0, border.y * reach, radius);
  vec2 offset = vBorder.x * along + vBorder.y * vec2(-along.y, along.x);
  gl_Position.xy += offset * 2.0 / resolution * gl_Position.w;
}
void main() {
${PLACE_VERTEX}  vThickness = thickness;
  vFoam = foam;
  vBorder = vec3(0.0);
  gl_Position = projectionMatrix * view;
  if (border.z > 0.0) widen(border.x > 0.5);
}
`;

/**
 * A film adds what it mirrors and hides as much of what is behind. Of the light that it mirrors only a part
 * has found its way through the foam (foam-light.ts); and between its borders it lets pass only a part, the
 * rest being an even glow of what the borders scatter.
 */
export const FILM_FRAGMENT = /* glsl */ `
${STUDIO}
${SLICE}
${VARYINGS}uniform sampler2D filmTable;
uniform float maxThickness;
uniform bool flatShading;
uniform mat3 viewToWorld;
uniform vec3 borderColor;
uniform float borderAlpha;
uniform vec3 glow;
uniform sampler2D foamLight;
const int LIGHT_ROW = ${LIGHT_ROW};
const vec2 TABLE_SIZE = vec2(512.0, 64.0);
vec3 filmReflectance(float thickness, float cosine) {
  vec2 at = vec2(clamp(thickness / maxThickness, 0.0, 1.0), cosine);
  return texture2D(filmTable, (at * (TABLE_SIZE - 1.0) + 0.5) / TABLE_SIZE).rgb;
}
// Shares of light from the positive and the negative ends of the axes that get into a region.
void findLight(float region, out vec3 positive, out vec3 negative) {
  int texel = 2 * int(region + 0.5);
  ivec2 at = ivec2(texel % LIGHT_ROW, texel / LIGHT_ROW);
  positive = texelFetch(foamLight, at, 0).rgb;
  negative = texelFetch(foamLight, at + ivec2(1, 0), 0).rgb;
}
// As much as comes from one direction.
float lightFrom(vec3 d, vec3 positive, vec3 negative) {
  return dot(d * d, mix(negative, positive, step(0.0, d)));
}
// From all sides, half of it from the ceiling.
float lightOn(vec3 positive, vec3 negative) {
  return 0.5 * positive.z + dot(positive + negative, vec3(0.5 / 6.0));
}
vec4 borderShade() {
  float cover = 1.0 - smoothstep(vBorder.z - 0.5, vBorder.z + 0.5, length(vBorder.xy));
  vec3 positive, negative;
  findLight(vFoam.x, positive, negative);
  return vec4(borderColor * lightOn(positive, negative), 1.0) * (borderAlpha * cover);
}
vec4 filmShade() {
  vec3 n = flatShading ? normalize(cross(dFdx(vView), dFdy(vView))) : normalize(vNormalView);
  vec3 v = normalize(-vView);
  if (!flatShading && !gl_FrontFacing) n = -n;
  // A smoothed normal may lean away from the eye at a rim: bend it back, as far as the rim.
  float lean = dot(n, v);
  n = normalize(n + v * max(0.0, 0.02 - lean));
  float cosine = clamp(dot(n, v), 0.0, 1.0);
  vec3 reflectance = filmReflectance(vThickness, cosine);
  vec3 toward = viewToWorld * reflect(-v, n);
  vec3 mirrored = studioColor(toward);
  float mirror = clamp(dot(reflectance, vec3(0.2126, 0.7152, 0.0722)), 0.0, 1.0);
  vec3 positive, negative, positiveBehind, negativeBehind;
  findLight(gl_FrontFacing ? vFoam.x : vFoam.y, positive, negative);
  findLight(gl_FrontFacing ? vFoam.y : vFoam.x, positiveBehind, negativeBehind);
  float arrives = lightFrom(toward, positive, negative);
  float hidden = vFoam.z * (1.0 - mirror);
  vec3 scattered = glow * max(lightOn(positive, negative), lightOn(positiveBehind, negativeBehind));
  return vec4(max(reflectance * mirrored, 0.0) * arrives + scattered * hidden, mirror + hidden);
}
void main() {
  if (isSlicedAway(vWorld)) discard;
  gl_FragColor = vBorder.z > 0.0 ? borderShade() : filmShade();
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
