/** Spheres of triangles and the vortex sheets on them. */
import { quarterTriangles } from '../../cases/geometry/quarter-triangles.ts';
import { SOLIDS } from '../../src/geometry/solids.ts';

/** Octahedron split n times: 4^n 8 triangles, 4^n 4 + 2 vertices on the sphere of that radius. */
export function buildSphere(splits: number, radius = 1): { position: Float64Array; triangle: Int32Array } {
  const { corner, face } = SOLIDS.octahedron;
  const position: number[][] = corner.map((point) => [...point]);
  let triangles: readonly (readonly number[])[] = face;
  for (let s = 0; s < splits; s++) {
    triangles = quarterTriangles(triangles, (a, b) => {
      const sum = position[a].map((x, i) => x + position[b][i]);
      const length = Math.hypot(...sum);
      return position.push(sum.map((x) => x / length)) - 1;
    });
  }
  return {
    position: Float64Array.from(position.flat(), (x) => x * radius),
    triangle: Int32Array.from(triangles.flat()),
  };
}

/**
 * gamma times area of the triangles, gamma = n x grad Gamma: half the sum of Gamma times the opposite edge,
 * reversed.
 */
export function computeStrength(
  position: ArrayLike<number>,
  triangle: ArrayLike<number>,
  circulation: ArrayLike<number>,
): Float64Array {
  const strength = new Float64Array(triangle.length);
  for (let t = 0; t < triangle.length; t += 3) {
    for (let c = 0; c < 3; c++) {
      const [v, next, last] = [triangle[t + c], triangle[t + ((c + 1) % 3)], triangle[t + ((c + 2) % 3)]];
      for (let a = 0; a < 3; a++) {
        // grad of the hat function is n x (edge from next to last) / (2 area), and n x (n x e) = -e.
        strength[t + a] -= 0.5 * circulation[v] * (position[3 * last + a] - position[3 * next + a]);
      }
    }
  }
  return strength;
}
