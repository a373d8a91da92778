/** Typed arrays as bytes, and bytes joined: what the binary writers share. */

/**
 * The bytes of a typed array in memory order, which is little-endian on every machine that runs JavaScript
 * engines today.
 */
export function toBytes(values: ArrayBufferView): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

/** Nine digits: what a float32 needs to read back the same. */
export function showFloat(x: number): string {
  if (Number.isInteger(x)) return String(x);
  return String(Number(Math.fround(x).toPrecision(9)));
}
