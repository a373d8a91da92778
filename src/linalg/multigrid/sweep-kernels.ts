/**
 * Sweeps, residuals and transfers of multigrid in single precision: the loops of kernels/single.ts. A matrix for sweeps is its strict triangles in compressed rows
 * and the inverse of its diagonal. Every operation rounds to single precision, in the order written.
 */
import { defineKernel } from '../../core/kernels.ts';

const { fround } = Math;

/** A matrix for sweeps. */
export const splitColumns = {
  lowerStart: 'i32',
  lowerColumn: 'i32',
  lowerValue: 'f32',
  upperStart: 'i32',
  upperColumn: 'i32',
  upperValue: 'f32',
  inverse: 'f32',
} as const;

/** s less the products of the entries [from, to) with x, one by one. */
function subtractRow(
  s: number,
  from: number,
  to: number,
  value: Float32Array,
  column: Int32Array,
  x: Float32Array,
): number {
  let left = s;
  for (let j = from; j < to; j++) left = fround(left - fround(value[j] * x[column[j]]));
  return left;
}

/** x = (L + D)^-1 w */
export const relaxFromZero = defineKernel(
  'relaxFromZero',
  { lowerStart: 'i32', lowerColumn: 'i32', lowerValue: 'f32', inverse: 'f32', w: 'f32', x: 'f32' },
  (begin, end, { lowerStart, lowerColumn, lowerValue, inverse, w, x }) => {
    for (let i = begin; i < end; i++) {
      let s = w[i];
      s = subtractRow(s, lowerStart[i], lowerStart[i + 1], lowerValue, lowerColumn, x);
      x[i] = fround(s * inverse[i]);
    }
  },
);

/** x = D^-1 (w - L x - U x) in place, rows ascending */
export const relaxForward = defineKernel(
  'relaxForward',
  { ...splitColumns, w: 'f32', x: 'f32' },
  (
    begin,
    end,
    { lowerStart, lowerColumn, lowerValue, upperStart, upperColumn, upperValue, inverse, w, x },
  ) => {
    for (let i = begin; i < end; i++) {
      let s = w[i];
      s = subtractRow(s, upperStart[i], upperStart[i + 1], upperValue, upperColumn, x);
      s = subtractRow(s, lowerStart[i], lowerStart[i + 1], lowerValue, lowerColumn, x);
      x[i] = fround(s * inverse[i]);
    }
  },
);

/** x = D^-1 (w - L x - U x) in place, rows descending */
export const relaxBackward = defineKernel(
  'relaxBackward',
  { ...splitColumns, w: 'f32', x: 'f32' },
  (
    begin,
    end,
    { lowerStart, lowerColumn, lowerValue, upperStart, upperColumn, upperValue, inverse, w, x },
  ) => {
    for (let i = end - 1; i >= begin; i--) {
      let s = w[i];
      s = subtractRow(s, lowerStart[i], lowerStart[i + 1], lowerValue, lowerColumn, x);
      const upperFrom = upperStart[i];
      for (let j = upperStart[i + 1] - 1; j >= upperFrom; j--)
        s = fround(s - fround(upperValue[j] * x[upperColumn[j]]));
      x[i] = fround(s * inverse[i]);
    }
  },
);

/** out = -U x */
export const residualUpper = defineKernel(
  'residualUpper',
  { upperStart: 'i32', upperColumn: 'i32', upperValue: 'f32', x: 'f32', out: 'f32' },
  (begin, end, { upperStart, upperColumn, upperValue, x, out }) => {
    for (let i = begin; i < end; i++) {
      let s = 0;
      s = subtractRow(s, upperStart[i], upperStart[i + 1], upperValue, upperColumn, x);
      out[i] = s;
    }
  },
);

/** out = w - (L + D + U) x */
export const residualSplit = defineKernel(
  'residualSplit',
  { ...splitColumns, w: 'f32', x: 'f32', out: 'f32' },
  (
    begin,
    end,
    { lowerStart, lowerColumn, lowerValue, upperStart, upperColumn, upperValue, inverse, w, x, out },
  ) => {
    for (let i = begin; i < end; i++) {
      let s = w[i];
      s = subtractRow(s, lowerStart[i], lowerStart[i + 1], lowerValue, lowerColumn, x);
      s = subtractRow(s, upperStart[i], upperStart[i + 1], upperValue, upperColumn, x);
      out[i] = fround(s - fround(x[i] / inverse[i]));
    }
  },
);

/** out = scale times the sum of x over each row's columns */
export const gatherSum = defineKernel(
  'gatherSum',
  { start: 'i32', column: 'i32', scale: 'number', x: 'f32', out: 'f32' },
  (begin, end, { start, column, scale, x, out }) => {
    const factor = fround(scale);
    for (let i = begin; i < end; i++) {
      let even = 0;
      let odd = 0;
      const to = start[i + 1];
      let j = start[i];
      for (; j + 1 < to; j += 2) {
        even = fround(even + x[column[j]]);
        odd = fround(odd + x[column[j + 1]]);
      }
      if (j < to) even = fround(even + x[column[j]]);
      out[i] = fround(factor * fround(even + odd));
    }
  },
);

/** x += scale times the sum of the row's three coarse values */
export const addThree = defineKernel(
  'addThree',
  { column: 'i32', scale: 'number', coarse: 'f32', x: 'f32' },
  (begin, end, { column, scale, coarse, x }) => {
    const factor = fround(scale);
    for (let i = begin; i < end; i++) {
      const pair = fround(coarse[column[3 * i]] + coarse[column[3 * i + 1]]);
      x[i] = fround(x[i] + fround(factor * fround(pair + coarse[column[3 * i + 2]])));
    }
  },
);

/** y = A x in single precision */
export const spmvSingle = defineKernel(
  'spmvSingle',
  { rowStart: 'i32', column: 'i32', value: 'f32', x: 'f32', y: 'f32' },
  (begin, end, { rowStart, column, value, x, y }) => {
    for (let i = begin; i < end; i++) {
      let s = 0;
      const to = rowStart[i + 1];
      for (let j = rowStart[i]; j < to; j++) s = fround(s + fround(value[j] * x[column[j]]));
      y[i] = s;
    }
  },
);

/** y += A x in single precision */
export const spmvSingleAdd = defineKernel(
  'spmvSingleAdd',
  { rowStart: 'i32', column: 'i32', value: 'f32', x: 'f32', y: 'f32' },
  (begin, end, { rowStart, column, value, x, y }) => {
    for (let i = begin; i < end; i++) {
      let s = 0;
      const to = rowStart[i + 1];
      for (let j = rowStart[i]; j < to; j++) s = fround(s + fround(value[j] * x[column[j]]));
      y[i] = fround(y[i] + s);
    }
  },
);

/** w = r in single precision */
export const demote = defineKernel('demote', { r: 'f64', w: 'f32' }, (begin, end, { r, w }) => {
  for (let i = begin; i < end; i++) w[i] = r[i];
});

/** z = x in double precision; returns r . z */
export const promoteDot = defineKernel(
  'promoteDot',
  { x: 'f32', r: 'f64', z: 'f64' },
  (begin, end, { x, r, z }) => {
    let even = 0;
    let odd = 0;
    let i = begin;
    for (; i + 1 < end; i += 2) {
      z[i] = x[i];
      z[i + 1] = x[i + 1];
      even += z[i] * r[i];
      odd += z[i + 1] * r[i + 1];
    }
    let sum = even + odd;
    if (i < end) {
      z[i] = x[i];
      sum += z[i] * r[i];
    }
    return sum;
  },
);
