/**
 * The vector primitives every solver is written in, on all threads. Chunks have VECTOR_GRAIN entries whatever
 * the number of threads, and sums add the chunks in order: the same bits on any machine. Long vectors are
 * views on the heap.
 */
import { defineTask, type Threads } from '../core/threads/task.ts';
import * as kernels from './vector-kernels.ts';

/**
 * Entries per chunk: long enough to hide a fork-join of a few microseconds, short enough to stay in the
 * second-level cache.
 */
export const VECTOR_GRAIN = 8192;

const fillTask = defineTask('linalg/fill', kernels.fill);
const copyTask = defineTask('linalg/copy', kernels.copy);
const scaleTask = defineTask('linalg/scale', kernels.scale);
const axpyTask = defineTask('linalg/axpy', kernels.axpy);
const xpayTask = defineTask('linalg/xpay', kernels.xpay);
const axpbyTask = defineTask('linalg/axpby', kernels.axpby);
const multiplyTask = defineTask('linalg/multiply', kernels.multiply);
const dotTask = defineTask('linalg/dot', kernels.dot);
const maxAbsTask = defineTask('linalg/max-abs', kernels.maxAbs);
const descendTask = defineTask('linalg/descend', kernels.descend);

export function fill(threads: Threads, value: number, outX: Float64Array): void {
  threads.run(fillTask, outX.length, VECTOR_GRAIN, { value, x: outX });
}

export function copy(threads: Threads, x: Float64Array, out: Float64Array): void {
  threads.run(copyTask, x.length, VECTOR_GRAIN, { x, out });
}

/** x *= a */
export function scale(threads: Threads, a: number, outX: Float64Array): void {
  threads.run(scaleTask, outX.length, VECTOR_GRAIN, { a, x: outX });
}

/** y += a x */
export function addScaled(threads: Threads, a: number, x: Float64Array, outY: Float64Array): void {
  threads.run(axpyTask, x.length, VECTOR_GRAIN, { a, x, y: outY });
}

/** y = x + a y */
export function scaleAndAdd(threads: Threads, x: Float64Array, a: number, outY: Float64Array): void {
  threads.run(xpayTask, x.length, VECTOR_GRAIN, { x, a, y: outY });
}

/** out = a x + b y; out may be x or y */
export function combine(
  threads: Threads,
  a: number,
  x: Float64Array,
  b: number,
  y: Float64Array,
  out: Float64Array,
): void {
  threads.run(axpbyTask, x.length, VECTOR_GRAIN, { a, x, b, y, out });
}

/** out = x y, entry by entry */
export function multiply(threads: Threads, x: Float64Array, y: Float64Array, out: Float64Array): void {
  threads.run(multiplyTask, x.length, VECTOR_GRAIN, { x, y, out });
}

export function computeDot(threads: Threads, x: Float64Array, y: Float64Array): number {
  return threads.sum(dotTask, x.length, VECTOR_GRAIN, { x, y });
}

export function computeNorm(threads: Threads, x: Float64Array): number {
  return Math.sqrt(computeDot(threads, x, x));
}

/** Largest |x|; 0 for an empty vector, NaN where an entry is NaN */
export function computeMaxAbs(threads: Threads, x: Float64Array): number {
  return x.length === 0 ? 0 : threads.max(maxAbsTask, x.length, VECTOR_GRAIN, { x });
}

/** x += a p and r -= a q in one pass; returns r . r */
export function descend(
  threads: Threads,
  a: number,
  p: Float64Array,
  q: Float64Array,
  outX: Float64Array,
  outR: Float64Array,
): number {
  return threads.sum(descendTask, p.length, VECTOR_GRAIN, { a, p, q, x: outX, r: outR });
}
