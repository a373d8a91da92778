/** Plain dense algebra that the sparse code is measured against. */
import type { CsrMatrix } from '../../src/linalg/csr.ts';

export function toDense(a: CsrMatrix): number[][] {
  const dense = Array.from({ length: a.rowCount }, () => new Array<number>(a.rowCount).fill(0));
  for (let i = 0; i < a.rowCount; i++)
    for (let j = a.rowStart[i]; j < a.rowStart[i + 1]; j++) dense[i][a.column[j]] += a.value[j];
  return dense;
}

/** Gaussian elimination with row exchange. */
export function solveDense(matrix: number[][], b: ArrayLike<number>): number[] {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, b[i]]);
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[best][k])) best = i;
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let k = n - 1; k >= 0; k--) {
    let sum = rows[k][n];
    for (let j = k + 1; j < n; j++) sum -= rows[k][j] * x[j];
    x[k] = sum / rows[k][k];
  }
  return x;
}

export const multiplyDense = (matrix: number[][], x: ArrayLike<number>) =>
  matrix.map((row) => row.reduce((sum, entry, j) => sum + entry * x[j], 0));

export const computeDistance = (x: ArrayLike<number>, y: ArrayLike<number>) => {
  let square = 0;
  for (let i = 0; i < x.length; i++) square += (x[i] - y[i]) ** 2;
  return Math.sqrt(square);
};
