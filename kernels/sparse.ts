/**
 * Products with a compressed-row matrix over the rows [begin, end). Byte offsets: rowStart, column Int32; value, x, y Float64.
 *
 * A row adds up in the order of its entries, one by one. The rows are limited by memory traffic (12 bytes per entry), so f64x2
 * lanes were no faster where the matrix exceeds the cache (bench/kernels.ts); neighbouring rows overlap in the processor.
 */

function rowProduct(from: i32, to: i32, column: usize, value: usize, x: usize): f64 {
  let c = column + ((<usize>from) << 2);
  let v = value + ((<usize>from) << 3);
  const last = column + ((<usize>to) << 2);
  let sum: f64 = 0;
  while (c + 12 < last) {
    sum += load<f64>(v) * load<f64>(x + ((<usize>load<u32>(c)) << 3));
    sum += load<f64>(v, 8) * load<f64>(x + ((<usize>load<u32>(c, 4)) << 3));
    sum += load<f64>(v, 16) * load<f64>(x + ((<usize>load<u32>(c, 8)) << 3));
    sum += load<f64>(v, 24) * load<f64>(x + ((<usize>load<u32>(c, 12)) << 3));
    c += 16;
    v += 32;
  }
  while (c < last) {
    sum += load<f64>(v) * load<f64>(x + ((<usize>load<u32>(c)) << 3));
    c += 4;
    v += 8;
  }
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

/** y = A x; returns x . y over these rows */
export function spmvDot(
  begin: i32,
  end: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  x: usize,
  y: usize,
): f64 {
  let from = load<i32>(rowStart + ((<usize>begin) << 2));
  let dot: f64 = 0;
  for (let i = begin; i < end; i++) {
    const to = load<i32>(rowStart + ((<usize>i) << 2), 4);
    const sum = rowProduct(from, to, column, value, x);
    store<f64>(y + ((<usize>i) << 3), sum);
    dot += load<f64>(x + ((<usize>i) << 3)) * sum;
    from = to;
  }
  return dot;
}

/** r = b - A x; returns r . r over these rows */
export function spmvResidual(
  begin: i32,
  end: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  x: usize,
  b: usize,
  r: usize,
): f64 {
  let from = load<i32>(rowStart + ((<usize>begin) << 2));
  let square: f64 = 0;
  for (let i = begin; i < end; i++) {
    const to = load<i32>(rowStart + ((<usize>i) << 2), 4);
    const residual = load<f64>(b + ((<usize>i) << 3)) - rowProduct(from, to, column, value, x);
    store<f64>(r + ((<usize>i) << 3), residual);
    square += residual * residual;
    from = to;
  }
  return square;
}

/** Forward substitution with unit lower rows: w = L^-1 r, where unknown order[k] of r is number k of w. */
export function solveLower(
  begin: i32,
  end: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  order: usize,
  r: usize,
  w: usize,
): void {
  const from = load<i32>(rowStart + ((<usize>begin) << 2));
  let c = column + ((<usize>from) << 2);
  let v = value + ((<usize>from) << 3);
  for (let k = begin; k < end; k++) {
    const last = column + ((<usize>load<i32>(rowStart + ((<usize>k) << 2), 4)) << 2);
    let sum = load<f64>(r + ((<usize>load<u32>(order + ((<usize>k) << 2))) << 3));
    while (c < last) {
      sum -= load<f64>(v) * load<f64>(w + ((<usize>load<u32>(c)) << 3));
      c += 4;
      v += 8;
    }
    store<f64>(w + ((<usize>k) << 3), sum);
  }
}

/** Backward substitution with unit upper rows: w = L^-T (w / D), z the same in r's numbering; returns r . z. */
export function solveUpper(
  begin: i32,
  end: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  order: usize,
  inversePivot: usize,
  r: usize,
  w: usize,
  z: usize,
): f64 {
  const from = load<i32>(rowStart + ((<usize>end) << 2));
  let c = column + ((<usize>from) << 2);
  let v = value + ((<usize>from) << 3);
  let dot: f64 = 0;
  for (let k = end - 1; k >= begin; k--) {
    const first = column + ((<usize>load<i32>(rowStart + ((<usize>k) << 2))) << 2);
    const at = w + ((<usize>k) << 3);
    let sum = load<f64>(at) * load<f64>(inversePivot + ((<usize>k) << 3));
    while (c > first) {
      c -= 4;
      v -= 8;
      sum -= load<f64>(v) * load<f64>(w + ((<usize>load<u32>(c)) << 3));
    }
    store<f64>(at, sum);
    const unknown = (<usize>load<u32>(order + ((<usize>k) << 2))) << 3;
    store<f64>(z + unknown, sum);
    dot += load<f64>(r + unknown) * sum;
  }
  return dot;
}
