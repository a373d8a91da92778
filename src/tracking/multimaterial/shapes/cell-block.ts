/** Blocks of cubic cells. Cost: linear in faces. */
import type { LabelledTriangles } from '../build.ts';
import { Soup } from './soup.ts';

/**
 * n x n x n cubes of edge 1/n in the unit cube, each its own material from 1; every square is two triangles,
 * refined `levels` times.
 */
export function buildCellBlock(n: number, levels: number): LabelledTriangles {
  const soup = new Soup();
  const grid = (i: number, j: number, k: number) => (i * (n + 1) + j) * (n + 1) + k;
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) for (let k = 0; k <= n; k++) soup.addVertex(i / n, j / n, k / n);
  }
  const material = (i: number, j: number, k: number) =>
    Math.min(i, j, k) < 0 || Math.max(i, j, k) >= n ? 0 : 1 + (i * n + j) * n + k;
  const addSquare = (a: number, b: number, c: number, d: number, front: number, back: number) => {
    soup.addFace(a, b, c, front, back);
    soup.addFace(a, c, d, front, back);
  };
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      for (let k = 0; k <= n; k++) {
        const here = material(i, j, k);
        const at = (x: number, y: number, z: number) => grid(i + x, j + y, k + z);
        if (j < n && k < n)
          addSquare(at(0, 0, 0), at(0, 1, 0), at(0, 1, 1), at(0, 0, 1), here, material(i - 1, j, k));
        if (i < n && k < n)
          addSquare(at(0, 0, 0), at(0, 0, 1), at(1, 0, 1), at(1, 0, 0), here, material(i, j - 1, k));
        if (i < n && j < n)
          addSquare(at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), here, material(i, j, k - 1));
      }
    }
  }
  for (let level = 0; level < levels; level++) soup.refine(() => {});
  return soup.finish();
}
