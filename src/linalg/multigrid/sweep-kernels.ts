/**
 * Sweeps, residuals and transfers of multigrid in single precision: the loops of kernels/single.ts. A matrix
 * for sweeps is its strict triangles in compressed rows and the inverse of its diagonal. Every operation
 * rounds to single precision, in the order written.
 */
import { defineKernel } from '../../core/kernels.ts';
import type { Values } from '../../core/records.ts';

const { fround } = Math;

/** The strict triangles of a matrix for sweeps, and the inverse of its diagonal. */
const lowerColumns = { lowerStart: 'i32', lowerColumn: 'i32', lowerValue: 'f32' } as const;
const upperColumns = { upperStart: 'i32', upperColumn: 'i32', upperValue: 'f32' } as const;
/** A matrix for sweeps. */
export const splitColumns = { ...lowerColumns, ...upperColumns, inverse: 'f32' } as const;

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

/** s less row i of the strict lower triangle, or of the upper one, times x. */
const subtractLower = (s: number, i: number, m: Values<typeof lowerColumns>, x: Float32Array): number =>
  subtractRow(s, m.lowerStart[i], m.lowerStart[i + 1], m.lowerValue, m.lowerColumn, x);
const subtractUpper = (s: number, i: number, m: Values<typeof upperColumns>, x: Float32Array): number =>
  subtractRow(s, m.upperStart[i], m.upperStart[i + 1], m.upperValue, m.upperColumn, x);

/** x = (L + D)^-1 w */
export const relaxFromZero = defineKernel(
  'relaxFromZero',
  { ...lowerColumns, inverse: 'f32', w: 'f32', x: 'f32' },
  (begin, end, m) => {
    const { inverse, w, x } = m;
    for (let i = begin; i < end; i++) x[i] = fround(subtractLower(w[i], i, m, x) * inverse[i]);
  },
);

/** x = D^-1 (w - L x - U x) in place, rows ascending */
export const relaxForward = defineKernel(
  'relaxForward',
  { ...splitColumns, w: 'f32', x: 'f32' },
  (begin, end, m) => {
    const { inverse, w, x } = m;
    for (let i = begin; i < end; i++)
      x[i] = fround(subtractLower(subtractUpper(w[i], i, m, x), i, m, x) * inverse[i]);
  },
);

/** x = D^-1 (w - L x - U x) in place, rows descending */
export const relaxBackward = defineKernel(
  'relaxBackward',
  { ...splitColumns, w: 'f32', x: 'f32' },
  (begin, end, m) => {
    const { upperStart, upperColumn, upperValue, inverse, w, x } = m;
    for (let i = end - 1; i >= begin; i--) {
      let s = subtractLower(w[i], i, m, x);
      for (let j = upperStart[i + 1] - 1; j >= upperStart[i]; j--)
        s = fround(s - fround(upperValue[j] * x[upperColumn[j]]));
      x[i] = fround(s * inverse[i]);
    }
  },
);

/** out = -U x */
export const residualUpper = defineKernel(
  'residualUpper',
  { ...upperColumns, x: 'f32', out: 'f32' },
  (begin, end, m) => {
    for (let i = begin; i < end; i++) m.out[i] = subtractUpper(0, i, m, m.x);
  },
);

/** out = w - (L + D + U) x */
export const residualSplit = defineKernel(
  'residualSplit',
  { ...splitColumns, w: 'f32', x: 'f32', out: 'f32' },
  (begin, end, m) => {
    const { inverse, w, x, out } = m;
    for (let i = begin; i < end; i++)
      out[i] = fround(subtractUpper(subtractLower(w[i], i, m, x), i, m, x) - fround(x[i] / inverse[i]));
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

const productColumns = { rowStart: 'i32', column: 'i32', value: 'f32', x: 'f32', y: 'f32' } as const;

/** Row i of A x. */
function sumRow(i: number, { rowStart, column, value, x }: Values<typeof productColumns>): number {
  let s = 0;
  for (let j = rowStart[i]; j < rowStart[i + 1]; j++) s = fround(s + fround(value[j] * x[column[j]]));
  return s;
}

/** y = A x in single precision */
export const spmvSingle = defineKernel('spmvSingle', productColumns, (begin, end, m) => {
  for (let i = begin; i < end; i++) m.y[i] = sumRow(i, m);
});

/** y += A x in single precision */
export const spmvSingleAdd = defineKernel('spmvSingleAdd', productColumns, (begin, end, m) => {
  for (let i = begin; i < end; i++) m.y[i] = fround(m.y[i] + sumRow(i, m));
});

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
