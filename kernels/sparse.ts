/**
 * Products with a compressed-row matrix over the rows [begin, end), and substitution with its triangles.
 * Byte offsets: rowStart, column, order Int32; all others Float64.
 *
 * A row adds up in the order of its entries, one by one. Beyond the caches the product is limited by memory
 * traffic (12 bytes per entry), where f64x2 lanes gain nothing but a second stream of rows gains a fifth
 * (bench/linalg/kernels.ts).
 */
import { sumRow } from './row';

/** Rows whose results stay in the first-level cache until they are read again. */
const NEAR_ROWS: i32 = 512;

/**
 * y = A x. The two halves of the range go side by side: beyond the cache the product waits for memory, and
 * two streams of entries are fetched faster than one.
 */
export function spmv(
  begin: i32,
  end: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  x: usize,
  y: usize,
): void {
  const half = (end - begin) >> 1;
  const middle = begin + half;
  let from = <usize>load<i32>(rowStart + ((<usize>begin) << 2));
  let from2 = <usize>load<i32>(rowStart + ((<usize>middle) << 2));
  for (let i = begin; i < middle; i++) {
    const to = <usize>load<i32>(rowStart + ((<usize>i) << 2), 4);
    store<f64>(
      y + ((<usize>i) << 3),
      sumRow(column + (from << 2), column + (to << 2), value + (from << 3), x),
    );
    from = to;
    const j = i + half;
    const to2 = <usize>load<i32>(rowStart + ((<usize>j) << 2), 4);
    store<f64>(
      y + ((<usize>j) << 3),
      sumRow(column + (from2 << 2), column + (to2 << 2), value + (from2 << 3), x),
    );
    from2 = to2;
  }
  for (let i = middle + half; i < end; i++) {
    const to = <usize>load<i32>(rowStart + ((<usize>i) << 2), 4);
    store<f64>(
      y + ((<usize>i) << 3),
      sumRow(column + (from2 << 2), column + (to << 2), value + (from2 << 3), x),
    );
    from2 = to;
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
  let dot: f64 = 0;
  for (let first = begin; first < end; first += NEAR_ROWS) {
    const last = min(first + NEAR_ROWS, end);
    spmv(first, last, rowStart, column, value, x, y);
    for (let i = first; i < last; i++)
      dot += load<f64>(x + ((<usize>i) << 3)) * load<f64>(y + ((<usize>i) << 3));
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
  let square: f64 = 0;
  for (let first = begin; first < end; first += NEAR_ROWS) {
    const last = min(first + NEAR_ROWS, end);
    spmv(first, last, rowStart, column, value, x, r);
    for (let i = first; i < last; i++) {
      const at = r + ((<usize>i) << 3);
      const residual = load<f64>(b + ((<usize>i) << 3)) - load<f64>(at);
      store<f64>(at, residual);
      square += residual * residual;
    }
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

/**
 * Backward substitution with unit upper rows: w = L^-T (w / D), z the same in r's numbering; returns r . z.
 */
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
