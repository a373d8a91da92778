/**
 * Gauss-Seidel sweeps, residuals and transfers between levels in single precision: the inside of a multigrid
 * cycle (src/linalg/multigrid), which is limited by memory traffic. Byte offsets: starts, columns and ids
 * Int32; r and z of `demote` and `promoteDot` Float64; all others Float32. A matrix comes as its strict
 * triangles and the inverse of its diagonal. Every operation rounds to single precision, in the order
 * written, so that the plain forms can give the same bits.
 */
import { subtractRow, subtractRowBackwards } from './row';

/** First sweep from x = 0: x = (L + D)^-1 w */
export function relaxFromZero(
  begin: i32,
  end: i32,
  lowerStart: usize,
  lowerColumn: usize,
  lowerValue: usize,
  inverse: usize,
  w: usize,
  x: usize,
): void {
  let from = <usize>load<i32>(lowerStart + ((<usize>begin) << 2));
  for (let i = begin; i < end; i++) {
    const at = (<usize>i) << 2;
    const to = <usize>load<i32>(lowerStart + at, 4);
    const s = subtractRow(
      load<f32>(w + at),
      lowerColumn + (from << 2),
      lowerColumn + (to << 2),
      lowerValue + (from << 2),
      x,
    );
    store<f32>(x + at, s * load<f32>(inverse + at));
    from = to;
  }
}

/** x = D^-1 (w - L x - U x), row by row in ascending order, in place */
export function relaxForward(
  begin: i32,
  end: i32,
  lowerStart: usize,
  lowerColumn: usize,
  lowerValue: usize,
  upperStart: usize,
  upperColumn: usize,
  upperValue: usize,
  inverse: usize,
  w: usize,
  x: usize,
): void {
  for (let i = begin; i < end; i++) {
    const at = (<usize>i) << 2;
    let from = (<usize>load<i32>(upperStart + at)) << 2;
    let to = (<usize>load<i32>(upperStart + at, 4)) << 2;
    let s = subtractRow(load<f32>(w + at), upperColumn + from, upperColumn + to, upperValue + from, x);
    from = (<usize>load<i32>(lowerStart + at)) << 2;
    to = (<usize>load<i32>(lowerStart + at, 4)) << 2;
    s = subtractRow(s, lowerColumn + from, lowerColumn + to, lowerValue + from, x);
    store<f32>(x + at, s * load<f32>(inverse + at));
  }
}

/** The same in descending order: the transpose of a forward sweep */
export function relaxBackward(
  begin: i32,
  end: i32,
  lowerStart: usize,
  lowerColumn: usize,
  lowerValue: usize,
  upperStart: usize,
  upperColumn: usize,
  upperValue: usize,
  inverse: usize,
  w: usize,
  x: usize,
): void {
  for (let i = end - 1; i >= begin; i--) {
    const at = (<usize>i) << 2;
    let from = (<usize>load<i32>(lowerStart + at)) << 2;
    let to = (<usize>load<i32>(lowerStart + at, 4)) << 2;
    let s = subtractRow(load<f32>(w + at), lowerColumn + from, lowerColumn + to, lowerValue + from, x);
    from = (<usize>load<i32>(upperStart + at)) << 2;
    to = (<usize>load<i32>(upperStart + at, 4)) << 2;
    s = subtractRowBackwards(s, upperColumn + from, upperColumn + to, upperValue + from, x);
    store<f32>(x + at, s * load<f32>(inverse + at));
  }
}

/** out = -U x: what a first forward sweep leaves of its right-hand side */
export function residualUpper(
  begin: i32,
  end: i32,
  upperStart: usize,
  upperColumn: usize,
  upperValue: usize,
  x: usize,
  out: usize,
): void {
  let from = <usize>load<i32>(upperStart + ((<usize>begin) << 2));
  for (let i = begin; i < end; i++) {
    const at = (<usize>i) << 2;
    const to = <usize>load<i32>(upperStart + at, 4);
    const s = subtractRow(0, upperColumn + (from << 2), upperColumn + (to << 2), upperValue + (from << 2), x);
    store<f32>(out + at, s);
    from = to;
  }
}

/** out = w - L x - U x - D x */
export function residualSplit(
  begin: i32,
  end: i32,
  lowerStart: usize,
  lowerColumn: usize,
  lowerValue: usize,
  upperStart: usize,
  upperColumn: usize,
  upperValue: usize,
  inverse: usize,
  w: usize,
  x: usize,
  out: usize,
): void {
  for (let i = begin; i < end; i++) {
    const at = (<usize>i) << 2;
    let from = (<usize>load<i32>(lowerStart + at)) << 2;
    let to = (<usize>load<i32>(lowerStart + at, 4)) << 2;
    let s = subtractRow(load<f32>(w + at), lowerColumn + from, lowerColumn + to, lowerValue + from, x);
    from = (<usize>load<i32>(upperStart + at)) << 2;
    to = (<usize>load<i32>(upperStart + at, 4)) << 2;
    s = subtractRow(s, upperColumn + from, upperColumn + to, upperValue + from, x);
    store<f32>(out + at, s - load<f32>(x + at) / load<f32>(inverse + at));
  }
}

/** out = scale times the sum of x over each row's columns: restriction where all weights are equal */
export function gatherSum(
  begin: i32,
  end: i32,
  start: usize,
  column: usize,
  scale: f64,
  x: usize,
  out: usize,
): void {
  const factor = <f32>scale;
  let c = column + ((<usize>load<i32>(start + ((<usize>begin) << 2))) << 2);
  for (let i = begin; i < end; i++) {
    const last = column + ((<usize>load<i32>(start + ((<usize>i) << 2), 4)) << 2);
    // Two sums, by turns, so that an addition need not wait for the one before.
    let even: f32 = 0;
    let odd: f32 = 0;
    while (c + 4 < last) {
      even += load<f32>(x + ((<usize>load<u32>(c)) << 2));
      odd += load<f32>(x + ((<usize>load<u32>(c, 4)) << 2));
      c += 8;
    }
    if (c < last) {
      even += load<f32>(x + ((<usize>load<u32>(c)) << 2));
      c += 4;
    }
    store<f32>(out + ((<usize>i) << 2), factor * (even + odd));
  }
}

/** x += scale times the sum of the row's three values: its transpose where every row has three columns */
export function addThree(begin: i32, end: i32, column: usize, scale: f64, coarse: usize, x: usize): void {
  const factor = <f32>scale;
  let c = column + <usize>begin * 12;
  for (let i = begin; i < end; i++, c += 12) {
    const a = load<f32>(coarse + ((<usize>load<u32>(c)) << 2));
    const b = load<f32>(coarse + ((<usize>load<u32>(c, 4)) << 2));
    const d = load<f32>(coarse + ((<usize>load<u32>(c, 8)) << 2));
    const at = x + ((<usize>i) << 2);
    store<f32>(at, load<f32>(at) + factor * (a + b + d));
  }
}

/** y = A x in single precision */
export function spmvSingle(
  begin: i32,
  end: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  x: usize,
  y: usize,
): void {
  let c = column + ((<usize>load<i32>(rowStart + ((<usize>begin) << 2))) << 2);
  let v = value + (c - column);
  for (let i = begin; i < end; i++) {
    const last = column + ((<usize>load<i32>(rowStart + ((<usize>i) << 2), 4)) << 2);
    let s: f32 = 0;
    while (c < last) {
      s += load<f32>(v) * load<f32>(x + ((<usize>load<u32>(c)) << 2));
      c += 4;
      v += 4;
    }
    store<f32>(y + ((<usize>i) << 2), s);
  }
}

/** y += A x in single precision */
export function spmvSingleAdd(
  begin: i32,
  end: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  x: usize,
  y: usize,
): void {
  let c = column + ((<usize>load<i32>(rowStart + ((<usize>begin) << 2))) << 2);
  let v = value + (c - column);
  for (let i = begin; i < end; i++) {
    const last = column + ((<usize>load<i32>(rowStart + ((<usize>i) << 2), 4)) << 2);
    let s: f32 = 0;
    while (c < last) {
      s += load<f32>(v) * load<f32>(x + ((<usize>load<u32>(c)) << 2));
      c += 4;
      v += 4;
    }
    const at = y + ((<usize>i) << 2);
    store<f32>(at, load<f32>(at) + s);
  }
}

/** w = r in single precision */
export function demote(begin: i32, end: i32, r: usize, w: usize): void {
  for (let i = begin; i < end; i++) store<f32>(w + ((<usize>i) << 2), <f32>load<f64>(r + ((<usize>i) << 3)));
}

/** z = x in double precision; returns r . z, added up in two lanes */
export function promoteDot(begin: i32, end: i32, x: usize, r: usize, z: usize): f64 {
  let even: f64 = 0;
  let odd: f64 = 0;
  let i = begin;
  for (; i + 1 < end; i += 2) {
    const at = (<usize>i) << 3;
    const a = <f64>load<f32>(x + (at >> 1));
    const b = <f64>load<f32>(x + (at >> 1), 4);
    store<f64>(z + at, a);
    store<f64>(z + at, b, 8);
    even += a * load<f64>(r + at);
    odd += b * load<f64>(r + at, 8);
  }
  let sum = even + odd;
  if (i < end) {
    const at = (<usize>i) << 3;
    const a = <f64>load<f32>(x + (at >> 1));
    store<f64>(z + at, a);
    sum += a * load<f64>(r + at);
  }
  return sum;
}
