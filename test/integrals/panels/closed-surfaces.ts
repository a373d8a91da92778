/** Closed surfaces for layer potentials: spheres, ellipsoids, cubes, and a solid with reflex edges. */
import type { PanelSurface } from '../../../src/integrals/panels/surface-points.ts';
import { buildSphere } from '../sphere.ts';

export type Place = readonly [number, number, number];

/** Half axes 1.2, 0.8, 0.6. */
export function buildEllipsoid(splits: number): PanelSurface {
  const { position, triangle } = buildSphere(splits);
  return { position: position.map((x, n) => x * [1.2, 0.8, 0.6][n % 3]), triangle };
}

/** Faces of unit cells of a set, each as n x n squares of two triangles; the size of a cell is `edge`. */
export function buildCells(cells: readonly Place[], n: number, edge: number): PanelSurface {
  const position: number[] = [];
  const triangle: number[] = [];
  const ids = new Map<string, number>();
  const vertex = (p: readonly number[]): number => {
    const key = p.join();
    let v = ids.get(key);
    if (v === undefined) {
      v = position.length / 3;
      ids.set(key, v);
      position.push(...p.map((x) => (x * edge) / n));
    }
    return v;
  };
  const isFull = (c: readonly number[]) => cells.some((d) => d.every((x, k) => x === c[k]));
  for (const cell of cells)
    for (let k = 0; k < 3; k++)
      for (const side of [0, 1]) {
        if (isFull(cell.map((x, i) => (i === k ? x + 2 * side - 1 : x)))) continue;
        const [u, w] = side === 1 ? [(k + 1) % 3, (k + 2) % 3] : [(k + 2) % 3, (k + 1) % 3];
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++) {
            const at = (a: number, b: number) => {
              const p = [0, 0, 0];
              p[k] = n * (cell[k] + side);
              p[u] = n * cell[u] + i + a;
              p[w] = n * cell[w] + j + b;
              return vertex(p);
            };
            // Diagonals alternate, so that no direction is preferred.
            if ((i + j) % 2 === 0) triangle.push(at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1));
            else triangle.push(at(0, 0), at(1, 0), at(0, 1), at(1, 0), at(1, 1), at(0, 1));
          }
      }
  return { position: Float64Array.from(position), triangle: Int32Array.from(triangle) };
}

export const buildCube = (n: number): PanelSurface => buildCells([[0, 0, 0]], n, 1);

/** Three cells in an L: a vertex of each kind, reflex edges among them. */
export const buildCorner = (n: number): PanelSurface =>
  buildCells(
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ],
    n,
    0.5,
  );
