/** Figures of triangle meshes: enclosed volume, area, bounds, Euler characteristic. Cost: O(triangles). */
import type { Box } from '../core/types.ts';
import { sumTriangles } from '../geometry/triangles.ts';
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
  return sumTriangles(mesh, (a, b, c) => computeTriple(position, a, b, c, ox, oy, oz)) / 6;
}

/** Surface area, m^2. */
export function measureArea(mesh: TriMesh): number {
  return sumTriangles(mesh, (a, b, c) => computeDoubleArea(mesh.position, a, b, c)) / 2;
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
