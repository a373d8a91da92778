/**
 * The viewer's shaders. Water is drawn in three cheap passes instead of a physically based transmission
 * material: the opaque scene into a texture, the thickness of liquid along each pixel's ray (back faces minus
 * front faces, exact for closed surfaces), then the front faces, which refract the first through the second.
 * Everything else that carries colour uses one "painted" shader with anti-aliased triangle edges.
 */

/** The light around the scene: a horizon gradient with two soft boxes, in world space with z up. */
export const SKY = /* glsl */ `
uniform vec3 skyZenith;
uniform vec3 skyHorizon;
uniform vec3 skyGround;
uniform vec3 sunDirection;
vec3 skyColor(vec3 d) {
  vec3 c = d.z > 0.0 ? mix(skyHorizon, skyZenith, pow(d.z, 0.55)) : mix(skyHorizon, skyGround, min(1.0, pow(-d.z, 0.4) * 1.4));
  // A large soft box overhead and a strip low behind: the shapes a photographer would let glass reflect.
  vec2 box = abs(vec2(dot(d, vec3(0.8, 0.6, 0.0)), dot(d, vec3(-0.6, 0.8, 0.0))) - vec2(0.22, -0.18));
  float overhead = d.z > 0.0 ? smoothstep(0.34, 0.26, box.x) * smoothstep(0.24, 0.17, box.y) : 0.0;
  float strip = smoothstep(0.16, 0.1, abs(d.z - 0.32)) * smoothstep(0.72, 0.86, dot(d, normalize(vec3(0.55, 0.83, 0.12))));
  c += vec3(1.0, 0.98, 0.94) * (0.75 * overhead + 0.45 * strip);
  return c;
}
`;

export const BACKGROUND_VERTEX = /* glsl */ `
varying vec3 vDirection;
uniform mat4 inverseViewProjection;
void main() {
  vec4 far = inverseViewProjection * vec4(position.xy, 1.0, 1.0);
  vDirection = far.xyz / far.w - cameraPosition;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
`;

export const BACKGROUND_FRAGMENT = /* glsl */ `
varying vec3 vDirection;
uniform vec3 backdropLow;
uniform vec3 backdropHigh;
void main() {
  float h = normalize(vDirection).z;
  gl_FragColor = vec4(mix(backdropLow, backdropHigh, smoothstep(-0.1, 0.6, h)), 1.0);
  #include <colorspace_fragment>
}
`;

export const FLOOR_VERTEX = /* glsl */ `
varying vec3 vWorld;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}
`;

/** A grid that fades into the background with distance from the domain. */
export const FLOOR_FRAGMENT = /* glsl */ `
varying vec3 vWorld;
uniform vec3 floorColor;
uniform vec3 gridColor;
uniform vec2 centre;
uniform float radius;
uniform float spacing;
float lines(vec2 p, float width) {
  vec2 w = fwidth(p);
  vec2 d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6);
  vec2 fade = 1.0 - smoothstep(0.2, 0.6, w);
  vec2 l = (1.0 - smoothstep(width - 0.5, width + 0.5, d)) * fade;
  return max(l.x, l.y);
}
void main() {
  vec2 p = (vWorld.xy - centre) / spacing;
  float grid = max(0.45 * lines(p, 0.6), lines(p / 5.0, 0.8));
  float fade = 1.0 - smoothstep(0.25, 1.0, length(vWorld.xy - centre) / radius);
  vec3 c = mix(floorColor, gridColor, grid * 0.55);
  gl_FragColor = vec4(c, fade);
  #include <colorspace_fragment>
}
`;

export const THICKNESS_VERTEX = /* glsl */ `
varying float vDepth;
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  vDepth = -view.z;
  gl_Position = projectionMatrix * view;
}
`;

/** Adds back faces, subtracts front faces, both no farther than the opaque thing behind. */
export const THICKNESS_FRAGMENT = /* glsl */ `
varying float vDepth;
uniform sampler2D backdropDepth;
uniform vec2 invResolution;
uniform vec2 nearFar;
uniform float depthOffset;
float linearDepth(float z) { return nearFar.x * nearFar.y / (nearFar.y - z * (nearFar.y - nearFar.x)); }
void main() {
  float behind = linearDepth(texture2D(backdropDepth, gl_FragCoord.xy * invResolution).r);
  float d = min(vDepth, behind) - depthOffset;
  gl_FragColor = vec4(gl_FrontFacing ? -d : d, gl_FrontFacing ? 0.0 : 1.0, 0.0, 1.0);
}
`;

export const COPY_VERTEX = /* glsl */ `
varying vec2 vUv;
void main() { vUv = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 1.0, 1.0); }
`;

export const COPY_FRAGMENT = /* glsl */ `
varying vec2 vUv;
uniform sampler2D backdrop;
void main() {
  gl_FragColor = vec4(texture2D(backdrop, vUv).rgb, 1.0);
  #include <colorspace_fragment>
}
`;

// centroid: at a rim the middle of a pixel may lie off the triangle, and what is extrapolated there sparkles.
export const WATER_VERTEX = /* glsl */ `
centroid varying vec3 vView;
centroid varying vec3 vNormalView;
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  vView = view.xyz;
  vNormalView = normalMatrix * normal;
  gl_Position = projectionMatrix * view;
}
`;

export const WATER_FRAGMENT = /* glsl */ `
${SKY}
centroid varying vec3 vView;
centroid varying vec3 vNormalView;
uniform sampler2D backdrop;
uniform sampler2D backdropDepth;
uniform sampler2D thicknessMap;
uniform bool flatShading;
uniform vec2 invResolution;
uniform vec2 nearFar;
uniform vec3 absorption;
uniform vec3 bodyColor;
uniform float scatter;
uniform float maxThickness;
uniform mat4 projection;
uniform mat3 viewToWorld;
const float AIR_TO_WATER = 1.0 / 1.333;
// Twice that of real water: a screen has less contrast than the sky.
const float NORMAL_REFLECTANCE = 0.04;
float linearDepth(float z) { return nearFar.x * nearFar.y / (nearFar.y - z * (nearFar.y - nearFar.x)); }
vec2 toScreen(vec3 p) { vec4 c = projection * vec4(p, 1.0); return clamp(c.xy / c.w * 0.5 + 0.5, 0.001, 0.999); }
void main() {
  vec2 uv = gl_FragCoord.xy * invResolution;
  if (-vView.z > linearDepth(texture2D(backdropDepth, uv).r) * 1.00001) discard;
  vec3 n = flatShading ? normalize(cross(dFdx(vView), dFdy(vView))) : normalize(vNormalView);
  vec3 v = normalize(-vView);
  // A smoothed normal may lean away from the eye at a rim, which would turn such pixels into mirrors: bend it back.
  n = normalize(n + v * max(0.0, 0.15 - dot(n, v)));
  float cosine = clamp(dot(n, v), 0.0, 1.0);
  float fresnel = NORMAL_REFLECTANCE + (1.0 - NORMAL_REFLECTANCE) * pow(1.0 - cosine, 5.0);
  float slant = 1.0 / max(0.2, v.z);
  float t = clamp(texture2D(thicknessMap, uv).r * slant, 0.0, maxThickness);
  vec3 ray = refract(-v, n, AIR_TO_WATER);
  vec3 leave = vView + ray * t * 0.65;
  vec2 uv2 = toScreen(leave);
  if (linearDepth(texture2D(backdropDepth, uv2).r) < -vView.z) uv2 = uv;
  // A little tint everywhere keeps thin rims and flat sides visible.
  float t2 = clamp(0.5 * (t + texture2D(thicknessMap, uv2).r * slant), 0.0, maxThickness) + 0.04 * maxThickness;
  vec3 through = texture2D(backdrop, uv2).rgb * exp(-absorption * t2);
  float fill = 1.0 - exp(-scatter * t2);
  vec3 sunView = normalize(transpose(viewToWorld) * sunDirection);
  float lit = 0.62 + 0.38 * clamp(dot(n, sunView) * 0.5 + 0.5, 0.0, 1.0);
  vec3 body = mix(through, bodyColor * lit, fill);
  vec3 mirrored = skyColor(normalize(viewToWorld * reflect(-v, n)));
  float glint = pow(clamp(dot(n, normalize(v + sunView)), 0.0, 1.0), 380.0);
  vec3 c = mix(body, mirrored, fresnel) + vec3(1.0, 0.97, 0.9) * glint * 0.9;
  gl_FragColor = vec4(c, 1.0);
  #include <colorspace_fragment>
}
`;

/**
 * Unindexed triangles: gl_VertexID gives the corner, hence the distance to each edge, without an attribute.
 */
export const PAINT_VERTEX = /* glsl */ `
attribute float value;
varying vec3 vView;
varying vec3 vNormalView;
varying vec3 vCorner;
varying float vValue;
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  vView = view.xyz;
  vNormalView = normalMatrix * normal;
  int corner = gl_VertexID % 3;
  vCorner = vec3(corner == 0, corner == 1, corner == 2);
  vValue = value;
  gl_Position = projectionMatrix * view;
}
`;

export const PAINT_FRAGMENT = /* glsl */ `
varying vec3 vView;
varying vec3 vNormalView;
varying vec3 vCorner;
varying float vValue;
uniform sampler2D colorMap;
uniform bool useMap;
uniform bool flatShading;
uniform vec2 range;
uniform vec3 baseColor;
uniform vec3 edgeColor;
uniform float edgeWidth;
uniform float edgeStrength;
uniform float fillAlpha;
uniform vec3 sunView;
uniform vec3 upView;
void main() {
  vec3 n = flatShading ? normalize(cross(dFdx(vView), dFdy(vView))) : normalize(vNormalView);
  vec3 v = normalize(-vView);
  if (dot(n, v) < 0.0) n = -n;
  float t = (vValue - range.x) / max(range.y - range.x, 1e-30);
  vec3 paint = useMap ? texture2D(colorMap, vec2(clamp(t, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb : baseColor;
  float key = clamp(dot(n, sunView), 0.0, 1.0);
  float sky = dot(n, upView) * 0.5 + 0.5;
  float light = 0.5 + 0.2 * sky + 0.36 * key;
  vec3 c = paint * light;
  c += vec3(0.10) * pow(clamp(dot(n, normalize(v + sunView)), 0.0, 1.0), 40.0);
  float alpha = fillAlpha;
  if (edgeStrength > 0.0) {
    vec3 w = fwidth(vCorner);
    vec3 a = smoothstep(w * (edgeWidth - 0.5), w * (edgeWidth + 0.5), vCorner);
    // Triangles of a few pixels would turn black all over: let their edges thin out.
    float small = smoothstep(0.75, 0.25, max(w.x, max(w.y, w.z)));
    float edge = (1.0 - min(a.x, min(a.y, a.z))) * edgeStrength * small;
    c = mix(c, edgeColor, edge);
    alpha = max(alpha, edge);
  }
  gl_FragColor = vec4(c, alpha);
  #include <colorspace_fragment>
}
`;

/**
 * What is left of the liquid's skin where the cut took the inside away: a rim, seen only at grazing angles.
 */
export const GHOST_FRAGMENT = /* glsl */ `
centroid varying vec3 vView;
centroid varying vec3 vNormalView;
uniform vec3 ghostColor;
uniform float ghostAlpha;
void main() {
  float rim = 1.0 - abs(dot(normalize(vNormalView), normalize(-vView)));
  gl_FragColor = vec4(ghostColor, ghostAlpha * (0.12 + 0.88 * rim * rim * rim));
  #include <colorspace_fragment>
}
`;
