/**
 * Volume goes back to where it was lost. The velocity field is free of divergence over the tets, but the surface is finer than they are and leaves them
 * here and there: each place gains or loses a little in a step. Given back evenly over the whole piece, that volume would wander, and the splash
 * of a symmetric start would lean.
 *
 * The liquid is divided into portions (portions.ts). After the step portion i should hold what it held before, and what the flow carried into it:
 *     m_i = int phi_i dV + sum over tets V_t (phi_i(path's end) - phi_i(centre)).
 * A piece that lacks volume takes most of its shift where its portions lack some, one that has too much where they have too much. The
 * size of the shift is still the piece's: portions are measured to some hundredths of a cell, too roughly to be followed by themselves.
 * (Followed so, a blob in free flight was 0.5 % out of round after a few diameters.)
 * Cost: a path for each tet near the surface, and two passes over the triangles.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import type { Pieces } from '../../tracking/contouring/pieces.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';
import { findNozzles } from '../boundary/sources.ts';
import type { LiquidModel } from '../liquid/model.ts';
import { advectPoints } from '../velocity/advect-points.ts';
import type { MeshVelocity } from '../velocity/mesh-velocity.ts';
import { Portions } from './portions.ts';

/** Part of a shift that is spread evenly; how much more or less than their own volume tets may stand for. */
const SPREAD = { even: 0.2, scale: 2 };

export interface SurfaceMove {
  readonly from: TrackedSurface;
  readonly to: TrackedSurface;
  /** Time of `from`. */
  readonly start: Seconds;
  readonly dt: Seconds;
}

/** (vertices of the new surface) the part of its piece's shift that each takes; 1 on the mean over those that lack volume as their piece does. */
export function findShiftWeights(
  model: LiquidModel,
  flow: MeshVelocity,
  { from, to, start, dt }: SurfaceMove,
  { pieces, target }: { readonly pieces: Pieces; readonly target: Float64Array },
  scratch: HeapScope,
): Float64Array {
  const portions = new Portions(model.domain, model.lattice.size, findBounds(from, to));
  const area = new Float64Array(portions.count);
  portions.addFreeArea(to, area);
  const lack = new Float64Array(portions.count);
  portions.addVolume(from, 1, lack);
  const held = lack.slice();
  portions.addVolume(to, -1, lack);
  addCarried(model, flow, portions, { dt, held, near: portions.markAround(area) }, scratch, lack);
  // At sources the volume is theirs to set.
  for (const { shape } of [...findNozzles(model, start), ...model.drains]) portions.clear(shape.bounds, lack);
  for (let n = 0; n < lack.length; n++) lack[n] = area[n] > 0 ? lack[n] / area[n] : 0;
  return weigh(to, pieces, target, (x, y, z) => portions.read(x, y, z, lack));
}

/** Weights by what the places of vertices lack, m, in the direction that their piece is to be shifted. */
function weigh(
  { position, vertexCount }: TrackedSurface,
  { count, vertexPiece, volume }: Pieces,
  target: Float64Array,
  lackAt: (x: number, y: number, z: number) => number,
): Float64Array {
  const weight = new Float64Array(vertexCount);
  const sum = new Float64Array(count);
  const vertices = new Float64Array(count);
  for (let v = 0; v < vertexCount; v++) {
    const p = vertexPiece[v];
    if (p === NONE) continue;
    const sign = Math.sign(target[p] - volume[p]);
    weight[v] = Math.max(0, sign * lackAt(position[3 * v], position[3 * v + 1], position[3 * v + 2]));
    sum[p] += weight[v];
    vertices[p]++;
  }
  for (let v = 0; v < vertexCount; v++) {
    const p = vertexPiece[v];
    const relative = p !== NONE && sum[p] > 0 ? (weight[v] * vertices[p]) / sum[p] : 1;
    weight[v] = SPREAD.even + (1 - SPREAD.even) * relative;
  }
  return weight;
}

/**
 * Adds what the flow carries from portion to portion in dt. A portion's tets stand for what it held: at the surface they leave out some of it, or
 * reach beyond. Tets far from the surface do not matter: nothing is shifted there.
 */
function addCarried(
  model: LiquidModel,
  flow: MeshVelocity,
  portions: Portions,
  { dt, held, near }: { readonly dt: Seconds; readonly held: Float64Array; readonly near: Uint8Array },
  scratch: HeapScope,
  out: Float64Array,
): void {
  const { mesh, geometry } = flow;
  const { position, tet, tetCount } = mesh;
  const from = scratch.f64(Math.max(1, 3 * tetCount));
  const volume = scratch.f64(Math.max(1, tetCount));
  const scale = new Float64Array(portions.count);
  let count = 0;
  for (let t = 0; t < tetCount; t++) {
    const a = 3 * tet[4 * t];
    const b = 3 * tet[4 * t + 1];
    const c = 3 * tet[4 * t + 2];
    const d = 3 * tet[4 * t + 3];
    const x = (position[a] + position[b] + position[c] + position[d]) / 4;
    const y = (position[a + 1] + position[b + 1] + position[c + 1] + position[d + 1]) / 4;
    const z = (position[a + 2] + position[b + 2] + position[c + 2] + position[d + 2]) / 4;
    portions.add(x, y, z, geometry.volume[t], scale);
    if (!portions.isMarked(x, y, z, near)) continue;
    from[3 * count] = x;
    from[3 * count + 1] = y;
    from[3 * count + 2] = z;
    volume[count++] = geometry.volume[t];
  }
  for (let n = 0; n < scale.length; n++)
    scale[n] = scale[n] > 0 ? Math.max(1 / SPREAD.scale, Math.min(SPREAD.scale, held[n] / scale[n])) : 1;
  const to = scratch.f64(Math.max(1, 3 * count));
  advectPoints(model, flow, dt, from, count, to);
  for (let n = 0; n < count; n++) {
    const [x, y, z] = [from[3 * n], from[3 * n + 1], from[3 * n + 2]];
    const carried = volume[n] * portions.read(x, y, z, scale);
    portions.add(to[3 * n], to[3 * n + 1], to[3 * n + 2], carried, out);
    portions.add(x, y, z, -carried, out);
  }
}

/** Bounds of both surfaces, [min x, y, z, max x, y, z] m */
function findBounds(...surfaces: TrackedSurface[]): Float64Array {
  const out = new Float64Array(6).fill(Number.POSITIVE_INFINITY, 0, 3).fill(Number.NEGATIVE_INFINITY, 3);
  for (const { position, vertexCount } of surfaces)
    for (let n = 0; n < 3 * vertexCount; n++) {
      out[n % 3] = Math.min(out[n % 3], position[n]);
      out[3 + (n % 3)] = Math.max(out[3 + (n % 3)], position[n]);
    }
  return out;
}
