/**
 * Vector primitives over [begin, end): the loops of kernels/vector.ts. Sums keep the lanes of the SIMD code
 * as separate partials.
 */
import { defineKernel } from '../core/kernels.ts';

export const fill = defineKernel('fill', { value: 'number', x: 'f64' }, (begin, end, { value, x }) => {
  for (let i = begin; i < end; i++) x[i] = value;
});

export const copy = defineKernel('copy', { x: 'f64', out: 'f64' }, (begin, end, { x, out }) => {
  for (let i = begin; i < end; i++) out[i] = x[i];
});

/** x *= a */
export const scale = defineKernel('scale', { a: 'number', x: 'f64' }, (begin, end, { a, x }) => {
  for (let i = begin; i < end; i++) x[i] = a * x[i];
});

/** y += a x */
export const axpy = defineKernel('axpy', { a: 'number', x: 'f64', y: 'f64' }, (begin, end, { a, x, y }) => {
  for (let i = begin; i < end; i++) y[i] = y[i] + a * x[i];
});

/** y = x + a y */
export const xpay = defineKernel('xpay', { x: 'f64', a: 'number', y: 'f64' }, (begin, end, { x, a, y }) => {
  for (let i = begin; i < end; i++) y[i] = x[i] + a * y[i];
});

/** out = a x + b y */
export const axpby = defineKernel(
  'axpby',
  { a: 'number', x: 'f64', b: 'number', y: 'f64', out: 'f64' },
  (begin, end, { a, x, b, y, out }) => {
    for (let i = begin; i < end; i++) out[i] = a * x[i] + b * y[i];
  },
);

/** out = x y, entry by entry */
export const multiply = defineKernel(
  'multiply',
  { x: 'f64', y: 'f64', out: 'f64' },
  (begin, end, { x, y, out }) => {
    for (let i = begin; i < end; i++) out[i] = x[i] * y[i];
  },
);

/** out = x y, entry by entry; returns x . out */
export const multiplyDot = defineKernel(
  'multiplyDot',
  { x: 'f64', y: 'f64', out: 'f64' },
  (begin, end, { x, y, out }) => {
    let p0 = 0;
    let p1 = 0;
    let i = begin;
    for (; i + 1 < end; i += 2) {
      const product0 = x[i] * y[i];
      const product1 = x[i + 1] * y[i + 1];
      p0 += x[i] * product0;
      p1 += x[i + 1] * product1;
      out[i] = product0;
      out[i + 1] = product1;
    }
    let sum = p0 + p1;
    if (i < end) {
      const product = x[i] * y[i];
      sum += x[i] * product;
      out[i] = product;
    }
    return sum;
  },
);

export const dot = defineKernel('dot', { x: 'f64', y: 'f64' }, (begin, end, { x, y }) => {
  let p0 = 0;
  let p1 = 0;
  let p2 = 0;
  let p3 = 0;
  let p4 = 0;
  let p5 = 0;
  let p6 = 0;
  let p7 = 0;
  let i = begin;
  for (; i + 7 < end; i += 8) {
    p0 += x[i] * y[i];
    p1 += x[i + 1] * y[i + 1];
    p2 += x[i + 2] * y[i + 2];
    p3 += x[i + 3] * y[i + 3];
    p4 += x[i + 4] * y[i + 4];
    p5 += x[i + 5] * y[i + 5];
    p6 += x[i + 6] * y[i + 6];
    p7 += x[i + 7] * y[i + 7];
  }
  let sum = p0 + p4 + (p2 + p6) + (p1 + p5 + (p3 + p7));
  for (; i < end; i++) sum += x[i] * y[i];
  return sum;
});

export const maxAbs = defineKernel('maxAbs', { x: 'f64' }, (begin, end, { x }) => {
  let largest = 0;
  for (let i = begin; i < end; i++) largest = Math.max(largest, Math.abs(x[i]));
  return largest;
});

/** x += a p, r -= a q; returns r . r */
export const descend = defineKernel(
  'descend',
  { a: 'number', p: 'f64', q: 'f64', x: 'f64', r: 'f64' },
  (begin, end, { a, p, q, x, r }) => {
    let p0 = 0;
    let p1 = 0;
    let i = begin;
    for (; i + 1 < end; i += 2) {
      x[i] = x[i] + a * p[i];
      x[i + 1] = x[i + 1] + a * p[i + 1];
      const r0 = r[i] - a * q[i];
      const r1 = r[i + 1] - a * q[i + 1];
      r[i] = r0;
      r[i + 1] = r1;
      p0 += r0 * r0;
      p1 += r1 * r1;
    }
    let sum = p0 + p1;
    if (i < end) {
      x[i] = x[i] + a * p[i];
      r[i] = r[i] - a * q[i];
      sum += r[i] * r[i];
    }
    return sum;
  },
);
