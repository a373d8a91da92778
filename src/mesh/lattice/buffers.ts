/** Typed arrays that grow by doubling, for outputs whose size is known only at the end. */
import type { HeapScope } from '../../core/heap.ts';

export function growI32(array: Int32Array<ArrayBuffer>, needed: number): Int32Array<ArrayBuffer> {
  if (needed <= array.length) return array;
  const grown = new Int32Array(Math.max(needed, 2 * array.length));
  grown.set(array);
  return grown;
}

export function growF64(array: Float64Array<ArrayBuffer>, needed: number): Float64Array<ArrayBuffer> {
  if (needed <= array.length) return array;
  const grown = new Float64Array(Math.max(needed, 2 * array.length));
  grown.set(array);
  return grown;
}

export function growU8(array: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  if (needed <= array.length) return array;
  const grown = new Uint8Array(Math.max(needed, 2 * array.length));
  grown.set(array);
  return grown;
}

export function finishI32(array: Int32Array, length: number, scope?: HeapScope): Int32Array {
  if (!scope) return array.slice(0, length);
  const out = scope.i32(length);
  out.set(array.subarray(0, length));
  return out;
}

export function finishF64(array: Float64Array, length: number, scope?: HeapScope): Float64Array {
  if (!scope) return array.slice(0, length);
  const out = scope.f64(length);
  out.set(array.subarray(0, length));
  return out;
}

export function finishU8(array: Uint8Array, length: number, scope?: HeapScope): Uint8Array {
  if (!scope) return array.slice(0, length);
  const out = scope.u8(length);
  out.set(array.subarray(0, length));
  return out;
}
