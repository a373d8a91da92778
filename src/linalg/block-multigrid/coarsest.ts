/**
 * Direct solve of the coarsest system: dense Cholesky with diagonal pivoting. Where the largest pivot left is
 * rounding, the rest of the unknowns is free (rigid motions of a body that nothing holds) and set to zero:
 * that solves the system wherever it can be solved, and as an operator it is symmetric. n^3 / 6 once, n^2 per
 * solve.
 */
import type { BlockCsrMatrix } from '../block/block-csr.ts';

/** A pivot below this part of its unknown's own diagonal is rounding. */
const NO_PIVOT = 1e-13;

export interface Coarsest {
  /** Unknowns that the system determines. */
  readonly rank: number;
  /** x = A^-1 w */
  solve(w: Float64Array, outX: Float64Array): void;
}

export function createCoarsest({
  blockSize: b,
  rowCount,
  rowStart,
  column,
  value,
}: BlockCsrMatrix): Coarsest {
  const n = rowCount * b;
  const dense = new Float64Array(n * n);
  for (let i = 0; i < rowCount; i++)
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++)
      for (let s = 0; s < b; s++)
        for (let r = 0; r < b; r++) dense[(i * b + r) * n + column[j] * b + s] = value[(j * b + s) * b + r];
  const order = Int32Array.from({ length: n }, (_, i) => i);
  const own = Float64Array.from({ length: n }, (_, i) => dense[i * (n + 1)]);
  // left[i] is what elimination has left of unknown i's diagonal.
  const left = own.slice();
  const factor = new Float64Array(n * n); // row k is unknown order[k]
  let rank = 0;
  for (; rank < n; rank++) {
    let best = rank;
    for (let k = rank + 1; k < n; k++)
      if (left[order[k]] * own[order[best]] > left[order[best]] * own[order[k]]) best = k;
    const pivot = order[best];
    if (!(left[pivot] > NO_PIVOT * own[pivot])) break;
    order[best] = order[rank];
    order[rank] = pivot;
    if (best !== rank)
      for (let k = 0; k < rank; k++) {
        const held = factor[best * n + k];
        factor[best * n + k] = factor[rank * n + k];
        factor[rank * n + k] = held;
      }
    const root = Math.sqrt(left[pivot]);
    factor[rank * n + rank] = root;
    for (let k = rank + 1; k < n; k++) {
      let sum = dense[order[k] * n + pivot];
      for (let m = 0; m < rank; m++) sum -= factor[k * n + m] * factor[rank * n + m];
      const entry = sum / root;
      factor[k * n + rank] = entry;
      left[order[k]] -= entry * entry;
    }
  }
  const work = new Float64Array(n);
  return {
    rank,
    solve(w, x) {
      for (let k = 0; k < rank; k++) {
        let sum = w[order[k]];
        for (let m = 0; m < k; m++) sum -= factor[k * n + m] * work[m];
        work[k] = sum / factor[k * n + k];
      }
      x.fill(0);
      for (let k = rank - 1; k >= 0; k--) {
        const y = work[k] / factor[k * n + k];
        x[order[k]] = y;
        for (let m = 0; m < k; m++) work[m] -= factor[k * n + m] * y;
      }
    },
  };
}
