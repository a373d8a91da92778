/** Sum of one row's products, entry by entry: the order that defines the result. */
// @inline is AssemblyScript's; a decorated function is not TypeScript, so this file is outside the formatter (biome.json).
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
