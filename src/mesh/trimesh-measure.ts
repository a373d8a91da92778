/** Figures of triangle meshes: enclosed volume, area, bounds, Euler characteristic. Cost: O(triangles). */
import type { Box } from '../core/types.ts';
import type { TriMesh } from './trimesh.ts';

/** Enclosed volume in m^3, positive for outward orientation. Summed about vertex 0, so that distance from the origin costs no digits. */
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
    const ax = position[a] - ox;
    const ay = position[a + 1] - oy;
    const az = position[a + 2] - oz;
    const bx = position[b] - ox;
    const by = position[b + 1] - oy;
    const bz = position[b + 2] - oz;
    const cx = position[c] - ox;
    const cy = position[c + 1] - oy;
    const cz = position[c + 2] - oz;
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
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
    const ux = position[b] - position[a];
    const uy = position[b + 1] - position[a + 1];
    const uz = position[b + 2] - position[a + 2];
    const vx = position[c] - position[a];
    const vy = position[c + 1] - position[a + 1];
    const vz = position[c + 2] - position[a + 2];
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    sum += Math.sqrt(x * x + y * y + z * z);
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
