/**
 * Thickening in the lattice method's step: particles carried with the flow, and the mesher's offset and
 * seeds.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { Seconds } from '../../../core/types.ts';
import type { ContourUnion } from '../../../flow/contour/advected-contour.ts';
import type { LiquidState } from '../../../flow/liquid/state.ts';
import type { MeshThickening } from '../../../flow/mesh/stuff-liquid.ts';
import { advectPoints } from '../../../flow/velocity/advect-points.ts';
import type { MeshVelocity } from '../../../flow/velocity/mesh-velocity.ts';
import type { SurfaceIndex } from '../../../tracking/contouring/surface-index.ts';
import type { LatticeModel } from '../model.ts';
import { addMeshOffset, createOffsetField, type MeshOffset } from './mesh-offset.ts';
import { seedParticles, uniteWithParticles } from './particle-surface.ts';
import { findMeshOffset, findThinParticles, thickenParticles } from './thickening.ts';

/**
 * The surface around the thin parts of S_t, where the flow takes them in dt (3.4.1, 3.4.3); undefined where
 * thickening is off or nothing is thin.
 */
export function advectThinLiquid(
  model: LatticeModel,
  state: LiquidState,
  flow: MeshVelocity,
  dt: Seconds,
  scratch: HeapScope,
): ContourUnion | undefined {
  const { thickening } = model.options;
  if (!thickening.surface) return undefined;
  const { spacing } = model.contour.walls;
  const thin = findThinParticles(state.derived.surfaceIndex, thickening, spacing, model.threads, scratch);
  if (thin.count === 0) return undefined;
  const position = scratch.f64(3 * thin.count);
  advectPoints(model, flow, dt, thin.position, thin.count, position);
  const deficit = sum(state.pieceTarget) - state.derived.integrals.volume;
  const union = thickenParticles({ ...thin, position }, thickening, spacing, deficit, scratch);
  return {
    seed: (builder) => seedParticles(union, builder),
    unite: (point, count, outValue) => uniteWithParticles(union, model.threads, point, count, outValue),
  };
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/**
 * What makes the mesh enclose the thin parts of a surface (3.4.2); undefined where thickening is off or
 * nothing is thin.
 */
export function thickenMesh(
  model: LatticeModel,
  index: SurfaceIndex,
  scratch: HeapScope,
): MeshThickening | undefined {
  const { thickening } = model.options;
  if (!thickening.mesh) return undefined;
  const offset = findMeshOffset(index, thickening, model.lattice.size, model.threads, scratch);
  if (offset === undefined) return undefined;
  const field = createOffsetField(offset);
  return {
    value: (x, y, z) => field.value(x, y, z),
    addTo: (point, count, outValue) => addMeshOffset(offset, model.threads, point, count, outValue),
    addCells: (outCells) => addOffsetCells(model, offset, outCells),
  };
}

/**
 * Adds the lattice cells around the particles: the thickened surface may lie outside the cells of the surface
 * itself.
 */
function addOffsetCells(model: LatticeModel, { particles }: MeshOffset, outCells: Set<number>): void {
  const { origin, size, cells } = model.lattice;
  const [nx, ny, nz] = cells;
  for (let p = 0; p < particles.count; p++) {
    const i = Math.floor((particles.position[3 * p] - origin[0]) / size);
    const j = Math.floor((particles.position[3 * p + 1] - origin[1]) / size);
    const k = Math.floor((particles.position[3 * p + 2] - origin[2]) / size);
    for (let n = 0; n < 27; n++) {
      const a = i + (n % 3) - 1;
      const b = j + (Math.floor(n / 3) % 3) - 1;
      const c = k + Math.floor(n / 9) - 1;
      if (a >= 0 && b >= 0 && c >= 0 && a < nx && b < ny && c < nz) outCells.add(a + nx * (b + ny * c));
    }
  }
}
