/**
 * Particles as little balls: a point each, shaded in the pixels it covers, so that a hundred thousand cost
 * little.
 */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Points,
  ShaderMaterial,
  SRGBColorSpace,
  Vector2,
  Vector3,
} from 'three';
import type { ParticleData } from '../data/types.ts';
import type { Backdrop } from './backdrop.ts';
import type { ColorMap } from './colormap.ts';

/** pixels: smaller ones would come and go */
const LEAST_SIZE = 1.5;

const VERTEX = /* glsl */ `
attribute float radius;
attribute vec3 tint;
uniform vec2 resolution;
varying vec3 vTint;
void main() {
  vec4 centre = modelViewMatrix * vec4(position, 1.0);
  vTint = tint;
  gl_Position = projectionMatrix * centre;
  gl_PointSize = max(${LEAST_SIZE.toFixed(1)}, radius * projectionMatrix[1][1] * resolution.y / gl_Position.w);
}`;

// A ball in the eye's space: its normal over the point's square, light from the sun and the sky.
const FRAGMENT = /* glsl */ `
uniform vec3 sunDirection;
varying vec3 vTint;
void main() {
  vec2 at = 2.0 * gl_PointCoord - 1.0;
  float beyond = dot(at, at);
  if (beyond > 1.0) discard;
  vec3 normal = vec3(at.x, -at.y, sqrt(1.0 - beyond));
  float light = 0.45 + 0.55 * max(0.0, dot(normal, sunDirection));
  gl_FragColor = vec4(vTint * light, 1.0);
  #include <colorspace_fragment>
}`;

export class Particles {
  readonly points: Points<BufferGeometry, ShaderMaterial>;

  constructor(backdrop: Backdrop) {
    const uniforms = { resolution: { value: new Vector2() }, sunDirection: { value: new Vector3() } };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms });
    this.points = new Points(new BufferGeometry(), material);
    this.points.frustumCulled = false;
    this.points.visible = false;
    this.points.onBeforeRender = (renderer, _, camera) => {
      renderer.getDrawingBufferSize(uniforms.resolution.value);
      uniforms.sunDirection.value.copy(backdrop.sunDirection).transformDirection(camera.matrixWorldInverse);
    };
    backdrop.scene.add(this.points);
  }

  get count(): number {
    return this.points.visible ? this.points.geometry.getAttribute('position').count : 0;
  }

  /** Null draws none. `tint`: a colour of each, or one for all. */
  set(particles: ParticleData | null, tint: Color | Float32Array): void {
    this.points.visible = particles !== null && particles.radius.length > 0;
    if (!particles || !this.points.visible) return;
    this.points.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(particles.position, 3));
    geometry.setAttribute('radius', new BufferAttribute(particles.radius, 1));
    const colors = tint instanceof Color ? repeat(tint, particles.radius.length) : tint;
    geometry.setAttribute('tint', new BufferAttribute(colors, 3));
    this.points.geometry = geometry;
  }
}

/** The field that tells liquid, spray, foam and bubbles apart (src/particles/whitewater.ts). */
export const KIND = 'kind';
/** By kind: liquid, spray, foam, bubble. */
const KIND_COLORS = ['#2f86c8', '#ffffff', '#e9e2cf', '#8fe3e8'].map((color) => new Color(color));

/** (values x 3) a colour for each kind; beyond the known ones they begin again. */
export function tintKinds(kinds: Float32Array): Float32Array {
  const out = new Float32Array(3 * kinds.length);
  for (let n = 0; n < kinds.length; n++)
    KIND_COLORS[Math.abs(Math.round(kinds[n])) % KIND_COLORS.length].toArray(out, 3 * n);
  return out;
}

/** Those that are wanted, with their fields. */
export function pickParticles(all: ParticleData, isWanted: (n: number) => boolean): ParticleData {
  const kept = Array.from({ length: all.radius.length }, (_, n) => n).filter(isWanted);
  const pick = (values: Float32Array, stride: number) => {
    const out = new Float32Array(stride * kept.length);
    for (let to = 0; to < kept.length; to++)
      out.set(values.subarray(stride * kept[to], stride * kept[to] + stride), stride * to);
    return out;
  };
  return {
    position: pick(all.position, 3),
    radius: pick(all.radius, 1),
    fields: all.fields.map((field) => ({ ...field, values: pick(field.values, field.components) })),
  };
}

/** (values x 3) linear colours of a map, by values over a range. */
export function computeTint(
  { bytes }: ColorMap,
  values: Float32Array,
  [min, max]: readonly [number, number],
): Float32Array {
  const last = bytes.length / 4 - 1;
  const out = new Float32Array(3 * values.length);
  const color = new Color();
  for (let i = 0; i < values.length; i++) {
    const share = Math.min(1, Math.max(0, (values[i] - min) / (max - min || 1)));
    const at = 4 * Math.round(share * last);
    color.setRGB(bytes[at] / 255, bytes[at + 1] / 255, bytes[at + 2] / 255, SRGBColorSpace);
    color.toArray(out, 3 * i);
  }
  return out;
}

function repeat({ r, g, b }: Color, count: number): Float32Array {
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) out.set([r, g, b], 3 * i);
  return out;
}
