/**
 * The vectors a Krylov method works in: where they are allocated and how their sums are formed. Two kinds:
 *     threaded     on the heap, on all threads, sums in the lanes and chunks of vector.ts
 *     sequential   plain arrays on the caller, every sum entry by entry: for systems of a few unknowns
 * The order of a sum is part of a result's bits, so a solver states its space and keeps it.
 */
import type { HeapScope } from '../core/heap.ts';
import type { Threads } from '../core/threads/task.ts';
import * as threaded from './vector.ts';

export interface VectorSpace {
  /** A new vector of n zeros. */
  create(n: number): Float64Array;
  fill(value: number, outX: Float64Array): void;
  copy(x: Float64Array, out: Float64Array): void;
  /** x *= a */
  scale(a: number, outX: Float64Array): void;
  /** y += a x */
  addScaled(a: number, x: Float64Array, outY: Float64Array): void;
  /** y = x + a y */
  scaleAndAdd(x: Float64Array, a: number, outY: Float64Array): void;
  /** out = a x + b y; out may be x or y */
  combine(a: number, x: Float64Array, b: number, y: Float64Array, out: Float64Array): void;
  dot(x: Float64Array, y: Float64Array): number;
  /** x += a p and r -= a q; returns r . r */
  descend(a: number, p: Float64Array, q: Float64Array, outX: Float64Array, outR: Float64Array): number;
}

/** Vectors of `scope` on all threads. */
export function createThreadedSpace(threads: Threads, scope: HeapScope): VectorSpace {
  return {
    create: (n) => scope.f64(n),
    fill: (value, x) => threaded.fill(threads, value, x),
    copy: (x, out) => threaded.copy(threads, x, out),
    scale: (a, x) => threaded.scale(threads, a, x),
    addScaled: (a, x, y) => threaded.addScaled(threads, a, x, y),
    scaleAndAdd: (x, a, y) => threaded.scaleAndAdd(threads, x, a, y),
    combine: (a, x, b, y, out) => threaded.combine(threads, a, x, b, y, out),
    dot: (x, y) => threaded.computeDot(threads, x, y),
    descend: (a, p, q, x, r) => threaded.descend(threads, a, p, q, x, r),
  };
}

/** Plain arrays on the caller. */
export const sequentialSpace: VectorSpace = {
  create: (n) => new Float64Array(n),
  fill: (value, x) => {
    x.fill(value);
  },
  copy: (x, out) => out.set(x),
  scale: (a, x) => {
    for (let i = 0; i < x.length; i++) x[i] *= a;
  },
  addScaled: (a, x, y) => {
    for (let i = 0; i < x.length; i++) y[i] += a * x[i];
  },
  scaleAndAdd: (x, a, y) => {
    for (let i = 0; i < x.length; i++) y[i] = x[i] + a * y[i];
  },
  combine: (a, x, b, y, out) => {
    for (let i = 0; i < x.length; i++) out[i] = a * x[i] + b * y[i];
  },
  dot: (x, y) => {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
    return sum;
  },
  descend: (a, p, q, x, r) => {
    let sum = 0;
    for (let i = 0; i < x.length; i++) {
      x[i] += a * p[i];
      r[i] -= a * q[i];
      sum += r[i] * r[i];
    }
    return sum;
  },
};
