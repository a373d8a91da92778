/**
 * Inside tests that do not rely on the nearest feature: parity of ray crossings (fast, any closed mesh) and
 * the generalised winding number (Jacobson, Kavan and Sorkine-Hornung 2013: O(n), degrades gracefully on
 * meshes with holes).
 */
import { NONE } from '../core/types.ts';
import { computeSolidAngle } from '../math/triangle.ts';
import type { Bvh } from './bvh.ts';
import { type BvhQuery, type BvhStack, type BvhTree, countCrossings } from './bvh-query.ts';
import { sumTriangles, type Triangles } from './triangles.ts';

/**
 * Directions spread over the sphere by the golden angle: no two meshes of practice have faces along all of
 * them.
 */
const RAY_COUNT = 16;
const RAY = Float64Array.from({ length: 3 * RAY_COUNT }, (_, k) => {
  const i = Math.floor(k / 3);
  const z = 1 - (2 * i + 1) / RAY_COUNT;
  const angle = i * Math.PI * (3 - Math.sqrt(5)) + 0.5;
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z][k % 3];
});

/**
 * Parity of the first ray that passes no edge too closely; `otherwise` if all do, which takes a point on the
 * surface.
 */
export function isInsideByRays(
  tree: BvhTree,
  stack: BvhStack,
  x: number,
  y: number,
  z: number,
  otherwise: boolean,
): boolean {
  for (let i = 0; i < 3 * RAY_COUNT; i += 3) {
    const ray = { ox: x, oy: y, oz: z, dx: RAY[i], dy: RAY[i + 1], dz: RAY[i + 2] };
    const crossings = countCrossings(tree, stack, ray);
    if (crossings !== NONE) return (crossings & 1) === 1;
  }
  return otherwise;
}

/** The same for a Bvh. */
export function isInside(bvh: Bvh, query: BvhQuery, x: number, y: number, z: number): boolean {
  return isInsideByRays(bvh, query.stack, x, y, z, false);
}

/**
 * Sum of the triangles' signed solid angles over 4 pi (van Oosterom and Strackee 1983): 1 inside a closed
 * outward-oriented mesh, 0 outside, -1 inside one that is inside out.
 */
export function computeWindingNumber(mesh: Triangles, x: number, y: number, z: number): number {
  const sum = sumTriangles(mesh, (a, b, c) => computeSolidAngle(mesh.position, a, b, c, x, y, z));
  return sum / (4 * Math.PI);
}
