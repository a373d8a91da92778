/**
 * Products with sparse matrices in compressed rows, for the rows [begin, end): the loops of
 * kernels/sparse.ts.
 */
import { defineKernel } from '../core/kernels.ts';
import { rowColumns } from './matrix-columns.ts';

/** y = A x for the rows [begin, end) */
export const spmv = defineKernel(
  'spmv',
  { ...rowColumns, x: 'f64', y: 'f64' },
  (begin, end, { rowStart, column, value, x, y }) => {
    for (let i = begin; i < end; i++) {
      const to = rowStart[i + 1];
      let sum = 0;
      for (let j = rowStart[i]; j < to; j++) sum += value[j] * x[column[j]];
      y[i] = sum;
    }
  },
);

/** y = A x; returns x . y over these rows */
export const spmvDot = defineKernel(
  'spmvDot',
  { ...rowColumns, x: 'f64', y: 'f64' },
  (begin, end, { rowStart, column, value, x, y }) => {
    let dot = 0;
    for (let i = begin; i < end; i++) {
      const to = rowStart[i + 1];
      let sum = 0;
      for (let j = rowStart[i]; j < to; j++) sum += value[j] * x[column[j]];
      y[i] = sum;
      dot += x[i] * sum;
    }
    return dot;
  },
);

/** r = b - A x; returns r . r over these rows */
export const spmvResidual = defineKernel(
  'spmvResidual',
  { ...rowColumns, x: 'f64', b: 'f64', r: 'f64' },
  (begin, end, { rowStart, column, value, x, b, r }) => {
    let square = 0;
    for (let i = begin; i < end; i++) {
      const to = rowStart[i + 1];
      let sum = 0;
      for (let j = rowStart[i]; j < to; j++) sum += value[j] * x[column[j]];
      const residual = b[i] - sum;
      r[i] = residual;
      square += residual * residual;
    }
    return square;
  },
);
