/** Sum of one row's products, entry by entry: the order that defines the result. */
// @inline is AssemblyScript's; a decorated function is not TypeScript, so this file is outside the formatter
// (biome.json).
@inline
export function sumRow(c: usize, last: usize, v: usize, x: usize): f64 {
  let sum: f64 = 0;
  while (c + 12 < last) {
    sum += load<f64>(v) * load<f64>(x + ((<usize>load<u32>(c)) << 3));
    sum += load<f64>(v, 8) * load<f64>(x + ((<usize>load<u32>(c, 4)) << 3));
    sum += load<f64>(v, 16) * load<f64>(x + ((<usize>load<u32>(c, 8)) << 3));
    sum += load<f64>(v, 24) * load<f64>(x + ((<usize>load<u32>(c, 12)) << 3));
    c += 16;
    v += 32;
  }
  // Up to three more, by the bits of what is left: two branches, which rows of few lengths make predictable.
  const rest = last - c;
  if (rest & 8) {
    sum += load<f64>(v) * load<f64>(x + ((<usize>load<u32>(c)) << 3));
    sum += load<f64>(v, 8) * load<f64>(x + ((<usize>load<u32>(c, 4)) << 3));
    c += 8;
    v += 16;
  }
  if (rest & 4) sum += load<f64>(v) * load<f64>(x + ((<usize>load<u32>(c)) << 3));
  return sum;
}

/** s less one row's products in single precision, entry by entry. */
@inline
export function subtractRow(s: f32, c: usize, last: usize, v: usize, x: usize): f32 {
  while (c < last) {
    s -= load<f32>(v) * load<f32>(x + ((<usize>load<u32>(c)) << 2));
    c += 4;
    v += 4;
  }
  return s;
}

/**
 * The same from the last entry to the first: the nearest columns of an upper row come last, so that the row
 * before waits least.
 */
@inline
export function subtractRowBackwards(s: f32, c: usize, last: usize, v: usize, x: usize): f32 {
  v += last - c;
  while (last > c) {
    last -= 4;
    v -= 4;
    s -= load<f32>(v) * load<f32>(x + ((<usize>load<u32>(last)) << 2));
  }
  return s;
}
