/**
 * Volume kept where it belongs. The velocity field is free of divergence over the tets, but the surface is finer than they are and leaves them here
 * and there: each place gains or loses a little in a step. Given back over the whole piece, that volume would wander, and the splash of a
 * symmetric start would lean. So it is given back where it was lost.
 *
 * The liquid is divided into portions (portions.ts). After the step portion i should hold what it held before, and what the flow carried into it:
 *     m_i = int phi_i dV + sum over tets V_t (phi_i(path's end) - phi_i(centre)).
 * What it lacks, over its free area, is the shift of the surface there. The piece's own shift (shift.ts) then makes the sum exact.
 * Cost: a path for each tet near the surface, and two passes over the triangles.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { Seconds } from '../../../core/types.ts';
import type { TrackedSurface } from '../../../tracking/contouring/surface.ts';
import type { Flow } from '../flow.ts';
import type { LatticeModel } from '../model.ts';
import { advectPoints } from '../surface-stage.ts';
import { Portions } from './portions.ts';

export interface SurfaceMove {
  readonly from: TrackedSurface;
  readonly to: TrackedSurface;
  readonly dt: Seconds;
}

/** (vertices of the new surface) m by which each should be shifted so that the portions hold what the flow brought them, `most` at most. */
export function findLocalShift(
  model: LatticeModel,
  flow: Flow,
  { from, to, dt }: SurfaceMove,
  most: number,
  scratch: HeapScope,
): Float64Array {
  const portions = new Portions(model.domain, model.lattice.size, findBounds(from, to));
  const area = new Float64Array(portions.count);
  portions.addFreeArea(to, area);
  const lack = new Float64Array(portions.count);
  portions.addVolume(from, 1, lack);
  portions.addVolume(to, -1, lack);
  addCarried(model, flow, portions, dt, portions.markAround(area), scratch, lack);
  // At sources the volume is theirs to set.
  for (const { shape } of [...model.emitters, ...model.drains]) portions.clear(shape.bounds, lack);
  for (let n = 0; n < lack.length; n++)
    lack[n] = area[n] > 0 ? Math.max(-most, Math.min(most, lack[n] / area[n])) : 0;
  const out = new Float64Array(to.vertexCount);
  const { position } = to;
  for (let v = 0; v < out.length; v++)
    out[v] = portions.read(position[3 * v], position[3 * v + 1], position[3 * v + 2], lack);
  return out;
}

/** Adds what the flow carries from portion to portion in dt. Tets far from the surface do not matter: nothing is shifted there. */
function addCarried(
  model: LatticeModel,
  flow: Flow,
  portions: Portions,
  dt: Seconds,
  near: Uint8Array,
  scratch: HeapScope,
  out: Float64Array,
): void {
  const { mesh, geometry } = flow;
  const { position, tet, tetCount } = mesh;
  const from = scratch.f64(Math.max(1, 3 * tetCount));
  const volume = scratch.f64(Math.max(1, tetCount));
  let count = 0;
  for (let t = 0; t < tetCount; t++) {
    const a = 3 * tet[4 * t];
    const b = 3 * tet[4 * t + 1];
    const c = 3 * tet[4 * t + 2];
    const d = 3 * tet[4 * t + 3];
    const x = (position[a] + position[b] + position[c] + position[d]) / 4;
    const y = (position[a + 1] + position[b + 1] + position[c + 1] + position[d + 1]) / 4;
    const z = (position[a + 2] + position[b + 2] + position[c + 2] + position[d + 2]) / 4;
    if (!portions.isMarked(x, y, z, near)) continue;
    from[3 * count] = x;
    from[3 * count + 1] = y;
    from[3 * count + 2] = z;
    volume[count++] = geometry.volume[t];
  }
  const to = scratch.f64(Math.max(1, 3 * count));
  advectPoints(model, flow, dt, from, count, to);
  for (let n = 0; n < count; n++) {
    portions.add(to[3 * n], to[3 * n + 1], to[3 * n + 2], volume[n], out);
    portions.add(from[3 * n], from[3 * n + 1], from[3 * n + 2], -volume[n], out);
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
