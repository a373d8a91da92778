type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array | Int8Array;

/** A copy of another length; what is new is zero. */
export function lengthened<A extends Numbers>(list: A, length: number): A {
  const longer = new (list.constructor as new (count: number) => A)(length);
  longer.set(list);
  return longer;
}

/** A copy with twice the room: lists grow by it. */
export const doubled = (list: Int32Array): Int32Array<ArrayBuffer> =>
  lengthened(list as Int32Array<ArrayBuffer>, 2 * list.length);
