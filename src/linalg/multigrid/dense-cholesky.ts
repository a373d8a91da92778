/**
 * Direct solve of the coarsest system, A_1^-1 of [chentanez-2007] 3.5: dense Cholesky. A pivot that vanishes
 * against its diagonal belongs to a constant that the system leaves free (a closed pool, nothing pinned):
 * that unknown is set to zero, which solves the system wherever it can be solved. n^3 / 6 once, n^2 per
 * solve.
 */
import type { CsrMatrix } from '../csr.ts';

/** A pivot below this part of the row's own diagonal is rounding. */
const NO_PIVOT = 1e-10;

export interface DenseCholesky {
  /** x = A^-1 b; may be in place */
  solve(b: Float32Array, outX: Float32Array): void;
}

export function createDenseCholesky(a: CsrMatrix): DenseCholesky {
  const n = a.rowCount;
  const factor = new Float64Array(n * n);
  const inverse = new Float64Array(n);
  const work = new Float64Array(n);
  for (let i = 0; i < n; i++)
    for (let j = a.rowStart[i]; j < a.rowStart[i + 1]; j++)
      if (a.column[j] <= i) factor[i * n + a.column[j]] = a.value[j];
  for (let i = 0; i < n; i++) {
    const own = factor[i * n + i];
    for (let j = 0; j <= i; j++) {
      let s = factor[i * n + j];
      for (let k = 0; k < j; k++) s -= factor[i * n + k] * factor[j * n + k];
      if (j < i) factor[i * n + j] = s * inverse[j];
      else inverse[i] = s > NO_PIVOT * own ? 1 / Math.sqrt(s) : 0;
    }
  }
  return {
    solve(b, x) {
      for (let i = 0; i < n; i++) {
        let s = b[i];
        for (let k = 0; k < i; k++) s -= factor[i * n + k] * work[k];
        work[i] = s * inverse[i];
      }
      for (let i = n - 1; i >= 0; i--) {
        const s = work[i] * inverse[i];
        work[i] = s;
        for (let k = 0; k < i; k++) work[k] -= factor[i * n + k] * s;
      }
      for (let i = 0; i < n; i++) x[i] = work[i];
    },
  };
}
