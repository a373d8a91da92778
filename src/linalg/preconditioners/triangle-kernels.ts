/**
 * Solves with sparse triangles, for the rows [begin, end): the loops of kernels/sparse.ts.
 */
import { defineKernel } from '../../core/kernels.ts';
import { rowColumns } from '../matrix-columns.ts';

/** w = L^-1 r with unit lower rows; number k of w is unknown order[k] of r */
export const solveLower = defineKernel(
  'solveLower',
  { ...rowColumns, order: 'i32', r: 'f64', w: 'f64' },
  (begin, end, { rowStart, column, value, order, r, w }) => {
    for (let k = begin; k < end; k++) {
      let sum = r[order[k]];
      const to = rowStart[k + 1];
      for (let j = rowStart[k]; j < to; j++) sum -= value[j] * w[column[j]];
      w[k] = sum;
    }
  },
);

/** w = L^-T (w / D) with unit upper rows, and z the same in r's numbering; returns r . z */
export const solveUpper = defineKernel(
  'solveUpper',
  {
    ...rowColumns,
    order: 'i32',
    inversePivot: 'f64',
    r: 'f64',
    w: 'f64',
    z: 'f64',
  },
  (begin, end, { rowStart, column, value, order, inversePivot, r, w, z }) => {
    let dot = 0;
    for (let k = end - 1; k >= begin; k--) {
      let sum = w[k] * inversePivot[k];
      const from = rowStart[k];
      for (let j = rowStart[k + 1] - 1; j >= from; j--) sum -= value[j] * w[column[j]];
      w[k] = sum;
      z[order[k]] = sum;
      dot += r[order[k]] * sum;
    }
    return dot;
  },
);
