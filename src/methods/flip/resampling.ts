/**
 * Particles split and merged to what the cells of a new mesh should hold ([ando-2013] 4, line 8), and put in
 * the order of its tets.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import { radiusOfVolume } from '../../particles/particles.ts';
import { resample } from '../../particles/resample.ts';
import { type FlipMesh, type Located, locateParticles } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { FlipState } from './state.ts';
import { RADIUS_OF_CELL } from './transfer.ts';

/** A new particle nearer to the surface than this, radii, is made tangent to it. */
const TANGENT = 1.25;
/** Rounds of splitting and merging: each halves or doubles. */
const ROUNDS = 3;
/** Particles this deep, radii, are laid along the surface when they are split. */
const NEAR_SURFACE = 3;

export type ParticleArrays = Pick<
  FlipState,
  'position' | 'velocity' | 'rate' | 'volume' | 'depth' | 'size' | 'kind' | 'affine'
>;

export function allocateParticles(count: number, isAffine: boolean, scope: HeapScope): ParticleArrays {
  return {
    position: scope.f64(3 * count),
    velocity: scope.f64(3 * count),
    rate: scope.f64(3 * count),
    volume: scope.f64(count),
    depth: scope.f64(count),
    size: scope.f64(count),
    kind: scope.u8(count),
    affine: scope.f64(isAffine ? 9 * count : 0),
  };
}

/** Columns, and numbers per particle. */
const COLUMNS = [
  ['position', 3],
  ['velocity', 3],
  ['rate', 3],
  ['volume', 1],
  ['depth', 1],
  ['size', 1],
  ['kind', 1],
  ['affine', 9],
] as const;

/** The particles in another order, or some of them. */
export function pickParticles(from: ParticleArrays, order: Int32Array, scope: HeapScope): ParticleArrays {
  const out = allocateParticles(order.length, from.affine.length > 0, scope);
  for (const [name, stride] of COLUMNS) {
    const source = from[name];
    const target = out[name];
    if (source.length === 0) continue;
    for (let n = 0; n < order.length; n++)
      for (let a = 0; a < stride; a++) target[stride * n + a] = source[stride * order[n] + a];
  }
  return out;
}

export interface Resampling {
  readonly particles: ParticleArrays;
  readonly splits: number;
  readonly merges: number;
}

/** `normal` (particles x 3): out of the liquid, at particles near the surface. */
export function resampleParticles(
  model: FlipModel,
  mesh: FlipMesh,
  particles: ParticleArrays,
  normal: Float64Array,
  fixed: Uint8Array,
  scope: HeapScope,
  scratch: HeapScope,
): Resampling {
  let current = particles;
  let normals = normal;
  let held = fixed;
  let splits = 0;
  let merges = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { tet } = locateParticles(model, mesh, current.position, scratch);
    const count = current.volume.length;
    const wished = scratch.f64(count);
    for (let p = 0; p < count; p++)
      wished[p] =
        tet[p] === NONE || held[p] === 1
          ? current.volume[p]
          : wantedVolume(mesh, mesh.values.tetLevel[tet[p]]);
    const result = resample(current, { volume: wished, normal: normals }, scratch, scratch);
    if (result.splits + result.merges === 0) break;
    splits += result.splits;
    merges += result.merges;
    [current, normals, held] = carryOver(current, normals, held, result, scratch);
  }
  const { tet } = locateParticles(model, mesh, current.position, scratch);
  return {
    particles: pickParticles(current, orderByTet(tet, mesh.background.tetCount), scope),
    splits,
    merges,
  };
}

const wantedVolume = ({ values }: FlipMesh, level: number): number =>
  (2 * RADIUS_OF_CELL * values.size * 2 ** level) ** 3;

/**
 * The other columns of new particles: those of what they were made of, by volume; near the surface they are
 * made tangent to it.
 */
function carryOver(
  from: ParticleArrays,
  normal: Float64Array,
  held: Uint8Array,
  { particles, origin }: ReturnType<typeof resample>,
  scope: HeapScope,
): [ParticleArrays, Float64Array, Uint8Array] {
  const count = particles.volume.length;
  const out: ParticleArrays = {
    ...allocateParticles(count, from.affine.length > 0, scope),
    position: particles.position,
    velocity: particles.velocity,
    volume: particles.volume,
  };
  const outNormal = scope.f64(3 * count);
  const outHeld = scope.u8(count);
  for (let n = 0; n < count; n++) {
    const p = origin[2 * n];
    const q = origin[2 * n + 1];
    const share = q === NONE ? 1 : from.volume[p] / (from.volume[p] + from.volume[q]);
    const mix = (source: ArrayLike<number>, stride: number, target: Float64Array) => {
      for (let a = 0; a < stride; a++)
        target[stride * n + a] =
          q === NONE
            ? source[stride * p + a]
            : share * source[stride * p + a] + (1 - share) * source[stride * q + a];
    };
    mix(from.rate, 3, out.rate);
    mix(from.depth, 1, out.depth);
    mix(from.size, 1, out.size);
    if (from.affine.length > 0) mix(from.affine, 9, out.affine);
    mix(normal, 3, outNormal);
    out.kind[n] = q === NONE ? from.kind[p] : 0;
    outHeld[n] = held[p];
    const isNew = out.volume[n] !== from.volume[p];
    const r = radiusOfVolume(out.volume[n]);
    if (!isNew || out.depth[n] >= TANGENT * r) continue;
    for (let a = 0; a < 3; a++) out.position[3 * n + a] += (out.depth[n] - r) * outNormal[3 * n + a];
    out.depth[n] = r;
  }
  return [out, outNormal, outHeld];
}

/** Tets follow each other in Z-order of their leaves, and so will particles. */
function orderByTet(tet: Int32Array, tetCount: number): Int32Array {
  const start = new Int32Array(tetCount + 2);
  for (let p = 0; p < tet.length; p++) start[tet[p] + 2]++;
  for (let t = 0; t <= tetCount; t++) start[t + 1] += start[t];
  const order = new Int32Array(tet.length);
  for (let p = 0; p < tet.length; p++) order[start[tet[p] + 1]++] = p;
  return order;
}

/**
 * Normals out of the liquid at particles near the surface, zeros elsewhere: of the level set in their tets.
 */
export function findNormals(
  mesh: FlipMesh,
  { tet }: Located,
  level: Float64Array,
  depth: Float64Array,
  volume: Float64Array,
  out: Float64Array,
): void {
  const { node, tet: corner } = mesh.values;
  const element = new PressureElement();
  const { gradient: g } = element;
  for (let p = 0; p < depth.length; p++) {
    if (tet[p] === NONE || depth[p] > NEAR_SURFACE * radiusOfVolume(volume[p])) continue;
    element.setGradients(node, corner, tet[p]);
    let square = 0;
    for (let a = 0; a < 3; a++) {
      let sum = 0;
      for (let i = 0; i < 4; i++) sum -= g[3 * i + a] * level[corner[4 * tet[p] + i]];
      out[3 * p + a] = sum;
      square += sum * sum;
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let a = 0; a < 3; a++) out[3 * p + a] *= scale;
  }
}
