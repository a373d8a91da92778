/**
 * Products and sweeps of matrices with dense square blocks: the loops of kernels/block-sparse.ts, which says
 * how blocks lie.
 */
import { defineKernel } from '../../core/kernels.ts';
import { rowColumns } from '../matrix-columns.ts';

/** A matrix of blocks in compressed rows. */
const blockColumns = { size: 'number', ...rowColumns } as const;

/** The same with the entry that holds each row's diagonal. */
const sweepColumns = {
  size: 'number',
  rowStart: 'i32',
  column: 'i32',
  diagonal: 'i32',
  value: 'f64',
} as const;

/**
 * out[at..] += sum over the entries [from, to) of their blocks times x, by entries, then by columns of the
 * block.
 */
function addRow(
  size: number,
  from: number,
  to: number,
  column: Int32Array,
  value: Float64Array,
  x: Float64Array,
  at: number,
  out: Float64Array,
): void {
  for (let j = from; j < to; j++) addBlock(size, size * size * j, value, size * column[j], x, at, out);
}

/** out[at..] += one block times x[p..] */
function addBlock(
  size: number,
  block: number,
  value: Float64Array,
  p: number,
  x: Float64Array,
  at: number,
  out: Float64Array,
): void {
  for (let s = 0; s < size; s++)
    for (let r = 0; r < size; r++) out[at + r] += value[block + s * size + r] * x[p + s];
}

function negate(size: number, at: number, w: Float64Array, out: Float64Array): void {
  for (let r = at; r < at + size; r++) out[r] = -w[r];
}

/** y = A x for the rows [begin, end) */
export const blockProduct = defineKernel(
  'blockProduct',
  { ...blockColumns, x: 'f64', y: 'f64' },
  (begin, end, { size, rowStart, column, value, x, y }) => {
    y.fill(0, begin * size, end * size);
    for (let i = begin; i < end; i++)
      addRow(size, rowStart[i], rowStart[i + 1], column, value, x, i * size, y);
  },
);

/** x = (L + D)^-1 w among the rows [begin, end); r = w - L x */
export const blockSweepDown = defineKernel(
  'blockSweepDown',
  { ...sweepColumns, inverse: 'f64', w: 'f64', x: 'f64', r: 'f64' },
  (begin, end, { size, rowStart, column, diagonal, value, inverse, w, x, r }) => {
    for (let i = begin; i < end; i++) {
      let from = rowStart[i];
      while (column[from] < begin) from++;
      const at = i * size;
      negate(size, at, w, r);
      addRow(size, from, diagonal[i], column, value, x, at, r);
      negate(size, at, r, r);
      x.fill(0, at, at + size);
      addBlock(size, at * size, inverse, at, r, at, x);
    }
  },
);

/** r -= (A - L) x, L being the lower triangle among the rows [begin, end) */
export const blockFinishResidual = defineKernel(
  'blockFinishResidual',
  { ...sweepColumns, x: 'f64', r: 'f64' },
  (begin, end, { size, rowStart, column, diagonal, value, x, r }) => {
    for (let i = begin; i < end; i++) {
      let outer = rowStart[i];
      while (column[outer] < begin) outer++;
      const at = i * size;
      negate(size, at, r, r);
      addRow(size, rowStart[i], outer, column, value, x, at, r);
      addRow(size, diagonal[i], rowStart[i + 1], column, value, x, at, r);
      negate(size, at, r, r);
    }
  },
);

/** x_i += inverse_i (w - A x)_i, rows descending; rows outside [begin, end) from `old`; r is overwritten */
export const blockSweepUp = defineKernel(
  'blockSweepUp',
  { ...sweepColumns, inverse: 'f64', w: 'f64', old: 'f64', x: 'f64', r: 'f64' },
  (begin, end, { size, rowStart, column, diagonal, value, inverse, w, old, x, r }) => {
    for (let i = end - 1; i >= begin; i--) {
      let first = rowStart[i];
      while (column[first] < begin) first++;
      let last = rowStart[i + 1];
      while (column[last - 1] >= end) last--;
      const at = i * size;
      negate(size, at, w, r);
      addRow(size, rowStart[i], first, column, value, old, at, r);
      addRow(size, first, diagonal[i] + 1, column, value, x, at, r);
      addRow(size, last, rowStart[i + 1], column, value, old, at, r);
      for (let j = last - 1; j > diagonal[i]; j--)
        addBlock(size, size * size * j, value, size * column[j], x, at, r);
      negate(size, at, r, r);
      addBlock(size, at * size, inverse, at, r, at, x);
    }
  },
);
