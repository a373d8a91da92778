/**
 * Products with a compressed-row matrix over the rows [begin, end). Byte offsets: rowStart, column Int32; value, x, y Float64.
 *
 * A row adds up in two f64x2 accumulators over blocks of four entries (partials p0 p1 | p2 p3), a remaining pair goes to
 * p0 p1, then (p0+p2) + (p1+p3), then a remaining single entry.
 */

function rowProduct(from: i32, to: i32, column: usize, value: usize, x: usize): f64 {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let c = column + ((<usize>from) << 2);
  let v = value + ((<usize>from) << 3);
  let j = from;
  for (; j + 3 < to; j += 4, c += 16, v += 32) {
    const a = f64x2(
      load<f64>(x + ((<usize>load<u32>(c)) << 3)),
      load<f64>(x + ((<usize>load<u32>(c, 4)) << 3)),
    );
    const b = f64x2(
      load<f64>(x + ((<usize>load<u32>(c, 8)) << 3)),
      load<f64>(x + ((<usize>load<u32>(c, 12)) << 3)),
    );
    s0 = f64x2.add(s0, f64x2.mul(v128.load(v), a));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(v, 16), b));
  }
  if (j + 1 < to) {
    const a = f64x2(
      load<f64>(x + ((<usize>load<u32>(c)) << 3)),
      load<f64>(x + ((<usize>load<u32>(c, 4)) << 3)),
    );
    s0 = f64x2.add(s0, f64x2.mul(v128.load(v), a));
    j += 2;
    c += 8;
    v += 16;
  }
  const s = f64x2.add(s0, s1);
  let sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  if (j < to) sum += load<f64>(v) * load<f64>(x + ((<usize>load<u32>(c)) << 3));
  return sum;
}

/** y = A x */
export function spmv(
  begin: i32,
  end: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  x: usize,
  y: usize,
): void {
  let from = load<i32>(rowStart + ((<usize>begin) << 2));
  for (let i = begin; i < end; i++) {
    const to = load<i32>(rowStart + ((<usize>i) << 2), 4);
    store<f64>(y + ((<usize>i) << 3), rowProduct(from, to, column, value, x));
    from = to;
  }
}
