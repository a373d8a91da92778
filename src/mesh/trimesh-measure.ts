/** Figures of triangle meshes: enclosed volume, area, bounds, Euler characteristic. Cost: O(triangles). */
import type { Box } from '../core/types.ts';
import { computeDoubleArea, computeTriple } from '../math/triangle.ts';
import type { TriMesh } from './trimesh.ts';

/**
 * Enclosed volume in m^3, positive for outward orientation. Summed about vertex 0, so that distance from the
 * origin costs no digits.
 */
export function measureVolume(mesh: TriMesh): number {
  const { position, triangle } = mesh;
  if (mesh.triangleCount === 0) return 0;
  const ox = position[3 * triangle[0]];
  const oy = position[3 * triangle[0] + 1];
  const oz = position[3 * triangle[0] + 2];
  let sum = 0;
  for (let h = 0; h < 3 * mesh.triangleCount; h += 3) {
    const a = 3 * triangle[h];
    const b = 3 * triangle[h + 1];
    const c = 3 * triangle[h + 2];
    sum += computeTriple(position, a, b, c, ox, oy, oz);
  }
  return sum / 6;
}

/** Surface area, m^2. */
export function measureArea(mesh: TriMesh): number {
  const { position, triangle } = mesh;
  let sum = 0;
  for (let h = 0; h < 3 * mesh.triangleCount; h += 3) {
    const a = 3 * triangle[h];
    const b = 3 * triangle[h + 1];
    const c = 3 * triangle[h + 2];
    sum += computeDoubleArea(position, a, b, c);
  }
  return sum / 2;
}

/** Smallest box around the vertices; min > max for a mesh without any. */
export function measureBounds(mesh: TriMesh): Box {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let v = 0; v < 3 * mesh.vertexCount; v += 3) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], mesh.position[v + k]);
      max[k] = Math.max(max[k], mesh.position[v + k]);
    }
  }
  return { min, max };
}
