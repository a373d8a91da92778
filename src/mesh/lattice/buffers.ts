/** Typed arrays that grow by doubling, for outputs whose size is known only at the end. */
import { lengthened } from '../../core/doubled.ts';
import type { HeapScope } from '../../core/heap.ts';

type Growing = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** The array itself where it has the room, else a longer one. */
export const withRoom = <A extends Growing>(array: A, needed: number): A =>
  needed <= array.length ? array : lengthened(array, Math.max(needed, 2 * array.length));

/** Fills an array of its scope, or a copy. */
const finish = <A extends Float64Array | Int32Array | Uint8Array>(array: A, length: number, out?: A): A => {
  if (!out) return array.slice(0, length) as A;
  out.set(array.subarray(0, length));
  return out;
};

export const finishI32 = (array: Int32Array, length: number, scope?: HeapScope): Int32Array =>
  finish(array, length, scope?.i32(length));
export const finishF64 = (array: Float64Array, length: number, scope?: HeapScope): Float64Array =>
  finish(array, length, scope?.f64(length));
export const finishU8 = (array: Uint8Array, length: number, scope?: HeapScope): Uint8Array =>
  finish(array, length, scope?.u8(length));
