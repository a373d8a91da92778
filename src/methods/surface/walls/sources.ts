/** Liquid that comes through nozzles, and liquid that is gone through open sides of the domain. */
import type { Seconds } from '../../../core/types.ts';
import { findBodies, LIQUID } from '../liquid/body.ts';
import type { SurfaceModel } from '../model.ts';
import type { SurfaceState } from '../state.ts';

/**
 * Owes to the body at each nozzle what it gives in the step: the motion that keeps volumes then brings it.
 * Returns the sum, m^3.
 */
export function emit(
  { nozzles }: SurfaceModel,
  { tracker: { mesh }, walls, time }: SurfaceState,
  dt: Seconds,
): number {
  let sum = 0;
  for (const { wall, volumeBetween } of nozzles) {
    const volume = volumeBetween(time, time + dt);
    if (volume === 0 || !walls) continue;
    for (let f = 0; f < mesh.faceFill; f++) {
      if (!mesh.isFace(f) || walls.wallOfFace(f) !== wall) continue;
      const half = mesh.label[2 * f + 1] === LIQUID ? 2 * f + 1 : 2 * f;
      mesh.setDebt(half, mesh.debt[half] - volume);
      sum += volume;
      break;
    }
  }
  return sum;
}

/** Takes away bodies that have wholly left through open sides; returns how many. */
export function removeLeft({ openSides, domain }: SurfaceModel, { tracker: { mesh } }: SurfaceState): number {
  if (openSides.length === 0) return 0;
  const { faces } = findBodies(mesh);
  let removed = 0;
  for (const list of faces) {
    const isGone = openSides.some((side) => {
      const axis = side >> 1;
      const isHigh = side % 2 === 1;
      const place = (isHigh ? domain.max : domain.min)[axis];
      return list.every((f) => {
        for (let c = 3 * f; c < 3 * f + 3; c++) {
          const x = mesh.position[3 * mesh.face[c] + axis];
          if (isHigh ? x < place : x > place) return false;
        }
        return true;
      });
    });
    if (!isGone) continue;
    const vertices = new Set<number>();
    for (const f of list) {
      for (let c = 3 * f; c < 3 * f + 3; c++) vertices.add(mesh.face[c]);
      mesh.removeFace(f);
    }
    for (const v of vertices) mesh.removeIsolatedVertex(v);
    removed++;
  }
  return removed;
}
