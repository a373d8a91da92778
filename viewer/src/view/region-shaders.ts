/** Shaders of labelled surfaces: materials, and the curves where sheets meet. */
import { PLACE_VERTEX, SLICE } from './slice.ts';

// invariant: the pass that marks the caps must find the very depths that the first pass wrote.
export const MATERIAL_VERTEX = /* glsl */ `
invariant gl_Position;
attribute vec2 sides;
varying vec3 vView;
varying vec3 vNormalView;
varying vec3 vWorld;
flat varying vec2 vSides;
void main() {
${PLACE_VERTEX}  vSides = sides;
  gl_Position = projectionMatrix * view;
}
`;

/**
 * Each side of a face shows the region behind it as seen from there. Air, and regions that are switched off,
 * have no colour: the inside of the last wall before them shows the region on this side, darker. Where a
 * plane slices regions, what lies behind it decides: the first face that a ray meets beyond the plane has on
 * its near side the region through which the ray came, which is the region at the plane. So a cap needs no
 * geometry.
 */
export const MATERIAL_FRAGMENT = /* glsl */ `
${SLICE}
varying vec3 vView;
varying vec3 vNormalView;
varying vec3 vWorld;
flat varying vec2 vSides;
uniform sampler2D regionColors;
uniform bool flatShading;
uniform bool capped;
uniform bool capOnly;
uniform vec3 sliceView;
uniform vec3 sunView;
uniform vec3 upView;
vec4 regionColor(float id) { int i = int(id + 0.5); return texelFetch(regionColors, ivec2(i & 255, i >> 8), 0); }
void main() {
  if (isSlicedAway(vWorld)) discard;
  vec4 near = regionColor(gl_FrontFacing ? vSides.x : vSides.y);
  vec4 behind = regionColor(gl_FrontFacing ? vSides.y : vSides.x);
  if (near.a + behind.a == 0.0) discard;
  bool cap = capped && near.a > 0.0;
  if (capOnly && !cap) discard;
  vec3 n = flatShading ? normalize(cross(dFdx(vView), dFdy(vView))) : normalize(vNormalView);
  vec3 v = normalize(-vView);
  if (dot(n, v) < 0.0) n = -n;
  if (cap) n = sliceView;
  vec3 paint = cap ? near.rgb : behind.a > 0.0 ? behind.rgb : 0.62 * near.rgb;
  float key = clamp(dot(n, sunView), 0.0, 1.0);
  float sky = dot(n, upView) * 0.5 + 0.5;
  // A little light from the eye keeps walls that face away from the sun apart from one another.
  float fill = clamp(dot(n, v), 0.0, 1.0);
  float light = cap ? 0.96 : 0.4 + 0.22 * sky + 0.34 * key + 0.16 * fill;
  vec3 c = paint * light;
  if (!cap) c += vec3(0.10) * pow(clamp(dot(n, normalize(v + sunView)), 0.0, 1.0), 40.0);
  gl_FragColor = vec4(c, 1.0);
  #include <colorspace_fragment>
}
`;

/**
 * A quad for each segment, as wide as it should be on screen, with round ends; a junction is a segment of no
 * length.
 */
export const CURVE_VERTEX = /* glsl */ `
attribute vec3 first;
attribute vec3 second;
attribute float width;
// Radii of the line by which it comes forward; enough for sheets seen under 15 degrees.
const float PULL = 4.0;
varying vec2 vPixel;
varying float vLength;
varying float vRadius;
varying vec3 vWorld;
uniform vec2 resolution;
uniform float pixelRatio;
uniform float pull;
void main() {
  vec4 a = viewMatrix * vec4(first, 1.0);
  vec4 b = viewMatrix * vec4(second, 1.0);
  float radius = 0.5 * width * pixelRatio;
  // Towards the eye, along the ray: by some widths of the line, so that the sheets beside it do not bury its edge.
  float metresPerPixel = 2.0 / (projectionMatrix[1][1] * resolution.y);
  a.xyz *= 1.0 - metresPerPixel * radius * PULL - pull / max(-a.z, pull * 4.0);
  b.xyz *= 1.0 - metresPerPixel * radius * PULL - pull / max(-b.z, pull * 4.0);
  vec4 clipA = projectionMatrix * a;
  vec4 clipB = projectionMatrix * b;
  if (clipA.w <= 0.0 || clipB.w <= 0.0) {
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    return;
  }
  vec2 pixelA = 0.5 * resolution * clipA.xy / clipA.w;
  vec2 pixelB = 0.5 * resolution * clipB.xy / clipB.w;
  vec2 along = pixelB - pixelA;
  float span = length(along);
  along = span > 1e-4 ? along / span : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  float reach = radius + 1.0;
  bool atEnd = position.x > 0.5;
  vec2 offset = (atEnd ? reach : -reach) * along + position.y * reach * across;
  vPixel = vec2((atEnd ? span : 0.0) + (atEnd ? reach : -reach), position.y * reach);
  vLength = span;
  vRadius = radius;
  vWorld = atEnd ? second : first;
  vec4 clip = atEnd ? clipB : clipA;
  clip.xy += offset * 2.0 / resolution * clip.w;
  gl_Position = clip;
}
`;

export const CURVE_FRAGMENT = /* glsl */ `
${SLICE}
varying vec2 vPixel;
varying float vLength;
varying float vRadius;
varying vec3 vWorld;
uniform vec3 curveColor;
uniform float curveAlpha;
uniform bool onSlice;
void main() {
  if (!onSlice && isSlicedAway(vWorld)) discard;
  float d = length(vec2(vPixel.x - clamp(vPixel.x, 0.0, vLength), vPixel.y));
  float cover = 1.0 - smoothstep(vRadius - 0.5, vRadius + 0.5, d);
  if (cover <= 0.0) discard;
  gl_FragColor = vec4(curveColor, curveAlpha * cover);
  #include <colorspace_fragment>
}
`;
