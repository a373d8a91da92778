/** Model matrices for benchmarks and tests: Poisson's equation in a unit cube on grids and on tetrahedra. */

import type { HeapScope } from '../../src/core/heap.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import { NONE } from '../../src/core/types.ts';
import type { CsrMatrix } from '../../src/linalg/csr.ts';
import { assemble, buildCsr } from '../../src/linalg/csr-build.ts';
import { listPermutations } from '../shared/permutations.ts';

/**
 * The 7-point Laplacian on n^3 cell centres (h = 1/n, scaled by h^2), value zero half a cell beyond every
 * wall.
 */
export function buildGridPoisson(threads: Threads, scope: HeapScope, n: number): CsrMatrix {
  const id = (x: number, y: number, z: number) => x + n * (y + n * z);
  // 3 n^2 (n - 1) inner faces and 6 n^2 on the walls, as elements of two cells
  const faceCount = 3 * n * n * (n + 1);
  const unknown = scope.i32(2 * faceCount);
  const weight = scope.f64(4 * faceCount);
  let f = 0;
  for (let axis = 0; axis < 3; axis++) {
    for (let s = 0; s <= n; s++) {
      for (let v = 0; v < n; v++) {
        for (let u = 0; u < n; u++, f++) {
          const at = (w: number) => (axis === 0 ? id(w, u, v) : axis === 1 ? id(u, w, v) : id(u, v, w));
          unknown[2 * f] = s > 0 ? at(s - 1) : NONE;
          unknown[2 * f + 1] = s < n ? at(s) : NONE;
          const w = s > 0 && s < n ? 1 : 2; // half the distance to the wall
          weight.set([w, -w, -w, w], 4 * f);
        }
      }
    }
  }
  const { matrix, assembly } = buildCsr(threads, scope, n ** 3, unknown, 2);
  assemble(threads, assembly, weight, matrix);
  return matrix;
}

/** The unit cube as n^3 cubes of six tetrahedra each (Kuhn), vertices numbered along x, then y, then z. */
export function buildKuhnTets(n: number): { vertexCount: number; tet: Int32Array; position: Float64Array } {
  const m = n + 1;
  const position = new Float64Array(3 * m ** 3);
  for (let v = 0; v < m ** 3; v++)
    position.set([(v % m) / n, (Math.floor(v / m) % m) / n, Math.floor(v / (m * m)) / n], 3 * v);
  const tet = new Int32Array(24 * n ** 3);
  const step = [1, m, m * m];
  const paths = listPermutations([0, 1, 2]);
  let at = 0;
  for (let z = 0; z < n; z++)
    for (let y = 0; y < n; y++)
      for (let x = 0; x < n; x++)
        for (const [a, b] of paths) {
          const first = x + m * (y + m * z);
          tet.set([first, first + step[a], first + step[a] + step[b], first + 1 + m + m * m], at);
          at += 4;
        }
  return { vertexCount: m ** 3, tet, position };
}

/**
 * Unknown of each face of the tets (local face i opposite vertex i), numbered by first appearance; NONE on
 * the wall z = 1.
 */
function numberFaces(n: number, tet: Int32Array): { faceCount: number; tetToFace: Int32Array } {
  const m = n + 1;
  // In a Kuhn mesh a face is its lowest vertex and the two steps (0..7 as bits) to the others.
  const bit = (d: number) => (d % m) + 2 * (Math.floor(d / m) % m) + 4 * Math.floor(d / (m * m));
  const number = new Int32Array(64 * m ** 3).fill(-2);
  const tetToFace = new Int32Array(tet.length);
  let faceCount = 0;
  for (let t = 0; t < tet.length; t += 4) {
    for (let i = 0; i < 4; i++) {
      const corners = [];
      for (let j = 0; j < 4; j++) if (j !== i) corners.push(tet[t + j]);
      const [a, b, c] = corners; // ascending: a Kuhn tet lists its vertices so
      const key = 64 * a + 8 * bit(b - a) + bit(c - a);
      if (number[key] === -2) number[key] = a >= m * m * n ? NONE : faceCount++;
      tetToFace[t + i] = number[key];
    }
  }
  return { faceCount, tetToFace };
}

/** Volume times products of the gradients of the barycentric coordinates, per tet 4 x 4. */
function computeStiffness(tet: Int32Array, position: Float64Array, factor: number, out: Float64Array): void {
  const g = new Float64Array(12);
  for (let t = 0; t < tet.length / 4; t++) {
    const p = (i: number, axis: number) => position[3 * tet[4 * t + i] + axis];
    const e = [1, 2, 3].map((i) => [0, 1, 2].map((axis) => p(i, axis) - p(0, axis)));
    const cross = (u: number[], v: number[]) => [
      u[1] * v[2] - u[2] * v[1],
      u[2] * v[0] - u[0] * v[2],
      u[0] * v[1] - u[1] * v[0],
    ];
    const normals = [cross(e[1], e[2]), cross(e[2], e[0]), cross(e[0], e[1])];
    const det = e[0][0] * normals[0][0] + e[0][1] * normals[0][1] + e[0][2] * normals[0][2];
    for (let axis = 0; axis < 3; axis++) {
      for (let i = 1; i < 4; i++) g[3 * i + axis] = normals[i - 1][axis] / det;
      g[axis] = -g[3 + axis] - g[6 + axis] - g[9 + axis];
    }
    for (let i = 0; i < 4; i++)
      for (let j = 0; j < 4; j++) {
        const product = g[3 * i] * g[3 * j] + g[3 * i + 1] * g[3 * j + 1] + g[3 * i + 2] * g[3 * j + 2];
        out[16 * t + 4 * i + j] = (factor * Math.abs(det) * product) / 6;
      }
  }
}

/** Face-based Crouzeix-Raviart Laplacian: rows of up to 7 entries, 12 n^3 unknowns. */
export function buildFaceLaplacian(threads: Threads, scope: HeapScope, n: number): CsrMatrix {
  const { tet, position } = buildKuhnTets(n);
  const { faceCount, tetToFace } = numberFaces(n, tet);
  const unknown = scope.i32(tet.length);
  unknown.set(tetToFace);
  const stiffness = scope.f64(4 * tet.length);
  computeStiffness(tet, position, 9, stiffness);
  const { matrix, assembly } = buildCsr(threads, scope, faceCount, unknown, 4);
  assemble(threads, assembly, stiffness, matrix);
  return matrix;
}

/**
 * Vertex-based linear Laplacian: rows of up to 15 entries, (n + 1)^2 n unknowns; value zero on the wall z =
 * 1.
 */
export function buildVertexLaplacian(threads: Threads, scope: HeapScope, n: number): CsrMatrix {
  const { tet, position } = buildKuhnTets(n);
  const rowCount = (n + 1) ** 2 * n;
  const unknown = scope.i32(tet.length);
  for (let i = 0; i < tet.length; i++) unknown[i] = tet[i] < rowCount ? tet[i] : NONE;
  const stiffness = scope.f64(4 * tet.length);
  computeStiffness(tet, position, 1, stiffness);
  const { matrix, assembly } = buildCsr(threads, scope, rowCount, unknown, 4);
  assemble(threads, assembly, stiffness, matrix);
  return matrix;
}
