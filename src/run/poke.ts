/**
 * From where a person touched the drawn surface to the face of the surface as it is now. Cost: linear in
 * faces.
 */
import { NONE } from '../core/types.ts';
import { computeClosestOnTriangle } from '../geometry/triangle-distance.ts';
import type { TriMesh } from '../mesh/trimesh.ts';

/** The face nearest to a point; of several at the same distance the first. NONE when there is no face. */
export function findNearestFace(mesh: TriMesh, point: readonly [number, number, number]): number {
  const corner = new Float64Array(9);
  const closest = new Float64Array(3);
  const at = Float64Array.from(point);
  let nearest = NONE;
  let least = Number.POSITIVE_INFINITY;
  for (let f = 0; f < mesh.triangleCount; f++) {
    for (let i = 0; i < 3; i++) {
      const v = 3 * mesh.triangle[3 * f + i];
      for (let k = 0; k < 3; k++) corner[3 * i + k] = mesh.position[v + k];
    }
    const distance = computeClosestOnTriangle(corner, 0, at, closest);
    if (distance < least) {
      least = distance;
      nearest = f;
    }
  }
  return nearest;
}
