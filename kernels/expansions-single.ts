/**
 * Translations of moments in single precision with four lanes: with the near sums (point-sums.ts) they take
 * most of a multipole evaluation. Lengths are measured per interaction (by rho), so that no power of a length
 * leaves the range of single precision. Arrays as in expansions.ts.
 */

function countOf(order: i32): usize {
  return <usize>(((order + 1) * (order + 2) * (order + 3)) / 6);
}

/**
 * M2L as translateMoments, four entries of far at a time at the order of the first. moment: Float32,
 * coefficients of degree m over unit(source cell)^m. Within an interaction lengths are in units of rho; sums
 * over the list keep to the list's least rho. scratch: (n + 1 + 2 components n + 5) vectors.
 */
export function translateMomentsSingle(
  begin: i32,
  end: i32,
  target: i32,
  components: i32,
  order: i32,
  firstRow: i32,
  softening: f64,
  far: usize,
  centre: usize,
  unit: usize,
  sums: usize,
  recur: usize,
  constants: usize,
  moment: usize,
  local: usize,
  scratch: usize,
): void {
  if (begin >= end) return;
  const n = countOf(order);
  const c = <usize>components;
  const derivative = scratch;
  const pairs = scratch + ((n + 1) << 4);
  const lanes = pairs + ((n * c) << 4);
  const place = lanes + ((n * c) << 4); // x, y, z, unit / rho, least / rho
  for (let k: usize = 0; k < n * c; k++) v128.store(lanes + (k << 4), f32x4.splat(0));
  v128.store(derivative + (n << 4), f32x4.splat(0));
  const t = centre + <usize>target * 24;
  const least = findLeast(begin, end, softening, far, centre, t);
  for (let e = begin; e < end; e += 4) {
    const entry = far + ((<usize>e) << 3);
    const q = load<i32>(entry, 4);
    const size = min(4, end - e);
    for (let lane = 0; lane < 4; lane++) {
      const s = <usize>load<i32>(entry + ((<usize>(lane < size ? lane : 0)) << 3));
      const a = centre + s * 24;
      const x = load<f64>(t) - load<f64>(a);
      const y = load<f64>(t, 8) - load<f64>(a, 8);
      const z = load<f64>(t, 16) - load<f64>(a, 16);
      const inverse = 1 / sqrt(x * x + y * y + (z * z + softening));
      const out = place + ((<usize>lane) << 2);
      store<f32>(out, <f32>(x * inverse));
      store<f32>(out, <f32>(y * inverse), 16);
      store<f32>(out, <f32>(z * inverse), 32);
      store<f32>(out, <f32>(load<f64>(unit + (s << 3)) * inverse), 48);
      // A lane without an entry adds nothing.
      store<f32>(out, lane < size ? <f32>(least * inverse) : 0, 64);
    }
    fillDerivatives(q, recur, constants, place, derivative);
    const stride = n * c * 4;
    const m0 = moment + <usize>load<i32>(entry) * stride;
    const m1 = size > 1 ? moment + <usize>load<i32>(entry, 8) * stride : m0;
    const m2 = size > 2 ? moment + <usize>load<i32>(entry, 16) * stride : m0;
    const m3 = size > 3 ? moment + <usize>load<i32>(entry, 24) * stride : m0;
    for (let i: usize = 0; i < c; i++) {
      const shift = (i * n) << 2;
      interleave(
        q,
        m0 + shift,
        m1 + shift,
        m2 + shift,
        m3 + shift,
        v128.load(place, 48),
        c << 4,
        pairs + (i << 4),
      );
    }
    if (c === 1) contractScalar(q, order, firstRow, v128.load(place, 64), sums, derivative, pairs, lanes);
    else contractVector(q, order, firstRow, v128.load(place, 64), sums, derivative, pairs, lanes);
  }
  addLocal(order, c, n, least, lanes, local + <usize>target * n * c * 8);
}

/** Least rho of the entries. */
function findLeast(begin: i32, end: i32, softening: f64, far: usize, centre: usize, t: usize): f64 {
  let least: f64 = Infinity;
  for (let e = begin; e < end; e++) {
    const a = centre + <usize>load<i32>(far + ((<usize>e) << 3)) * 24;
    const x = load<f64>(t) - load<f64>(a);
    const y = load<f64>(t, 8) - load<f64>(a, 8);
    const z = load<f64>(t, 16) - load<f64>(a, 16);
    const square = x * x + y * y + (z * z + softening);
    if (square < least) least = square;
  }
  return sqrt(least);
}

/** local += sums of the lanes, whose coefficients of degree m are in units of least^-(m + 1). */
function addLocal(order: i32, c: usize, n: usize, least: f64, lanes: usize, local: usize): void {
  const inverse = 1 / least;
  let factor: f64 = 1;
  let k: usize = 0;
  for (let degree = 0; degree <= order; degree++) {
    factor *= inverse;
    for (const next = countOf(degree); k < next; k++) {
      for (let i: usize = 0; i < c; i++) {
        const v = v128.load(lanes + ((k * c + i) << 4));
        const even = <f64>f32x4.extract_lane(v, 0) + <f64>f32x4.extract_lane(v, 1);
        const odd = <f64>f32x4.extract_lane(v, 2) + <f64>f32x4.extract_lane(v, 3);
        const to = local + ((i * n + k) << 3);
        store<f64>(to, load<f64>(to) + (even + odd) * factor);
      }
    }
  }
}

/** Lanes of four cells' moments of degree <= q, times ratio^degree, `step` bytes apart. */
function interleave(
  q: i32,
  m0: usize,
  m1: usize,
  m2: usize,
  m3: usize,
  ratio: v128,
  step: usize,
  out: usize,
): void {
  let factor = f32x4.splat(1);
  let k: usize = 0;
  for (let degree = 0; degree <= q; degree++) {
    for (const next = countOf(degree) << 2; k < next; k += 4) {
      let v = v128.load32_zero(m0 + k);
      v = v128.load32_lane(m1 + k, v, 1);
      v = v128.load32_lane(m2 + k, v, 2);
      v = v128.load32_lane(m3 + k, v, 3);
      v128.store(out, f32x4.mul(v, factor));
      out += step;
    }
    factor = f32x4.mul(factor, ratio);
  }
}

/** The recurrence of expansions.ts at rho = 1. */
function fillDerivatives(q: i32, recur: usize, constants: usize, place: usize, derivative: usize): void {
  const x = v128.load(place);
  const y = v128.load(place, 16);
  const z = v128.load(place, 32);
  v128.store(derivative, f32x4.splat(1));
  let k: usize = 1;
  let r = recur + 24;
  for (let degree = 1; degree <= q; degree++) {
    const m = <f64>degree;
    const near = f32x4.splat(<f32>((1 - 2 * m) / m));
    const wide = f32x4.splat(<f32>((1 - m) / m));
    for (const next = countOf(degree); k < next; k++) {
      const px = f32x4.mul(x, v128.load(derivative + ((<usize>load<i32>(r)) << 3)));
      const py = f32x4.mul(y, v128.load(derivative + ((<usize>load<i32>(r, 4)) << 3)));
      const pz = f32x4.mul(z, v128.load(derivative + ((<usize>load<i32>(r, 8)) << 3)));
      const qx = v128.load(derivative + ((<usize>load<i32>(r, 12)) << 3));
      const qy = v128.load(derivative + ((<usize>load<i32>(r, 16)) << 3));
      const qz = v128.load(derivative + ((<usize>load<i32>(r, 20)) << 3));
      const one = f32x4.mul(near, f32x4.add(f32x4.add(px, py), pz));
      const two = f32x4.mul(wide, f32x4.add(f32x4.add(qx, qy), qz));
      v128.store(derivative + (k << 4), f32x4.add(one, two));
      r += 24;
    }
  }
  for (let i: usize = 4; i < k; i++) {
    const at = derivative + (i << 4);
    v128.store(at, f32x4.mul(v128.load(at), f32x4.splat(<f32>load<f64>(constants + (i << 3)))));
  }
}

/**
 * Two rows at a time where there are two: their six sums do not wait for each other, and they share the
 * moments.
 */
function contractVector(
  q: i32,
  order: i32,
  firstRow: i32,
  ratio: v128,
  sums: usize,
  derivative: usize,
  pairs: usize,
  lanes: usize,
): void {
  let row = sums;
  let k: usize = 0;
  let factor = ratio;
  for (let degree = 0; degree <= q; degree++) {
    const length = countOf(q - degree) << 2;
    const skip = countOf(order - degree) << 2;
    const next = countOf(degree);
    if (<i32>k < firstRow) {
      row += skip * (next - k);
      k = next;
    }
    for (; k + 1 < next; k += 2) {
      contractRows(row, length, skip, factor, derivative, pairs, lanes + k * 48);
      row += 2 * skip;
    }
    for (; k < next; k++) {
      contractRow(row, length, factor, derivative, pairs, lanes + k * 48);
      row += skip;
    }
    factor = f32x4.mul(factor, ratio);
  }
}

function contractRow(row: usize, length: usize, factor: v128, derivative: usize, m: usize, out: usize): void {
  let sx = f32x4.splat(0);
  let sy = sx;
  let sz = sx;
  const last = row + length;
  for (; row < last; row += 4) {
    const d = v128.load(derivative + ((<usize>load<u32>(row)) << 3));
    sx = f32x4.add(sx, f32x4.mul(d, v128.load(m)));
    sy = f32x4.add(sy, f32x4.mul(d, v128.load(m, 16)));
    sz = f32x4.add(sz, f32x4.mul(d, v128.load(m, 32)));
    m += 48;
  }
  v128.store(out, f32x4.add(v128.load(out), f32x4.mul(sx, factor)));
  v128.store(out, f32x4.add(v128.load(out, 16), f32x4.mul(sy, factor)), 16);
  v128.store(out, f32x4.add(v128.load(out, 32), f32x4.mul(sz, factor)), 32);
}

function contractRows(
  row: usize,
  length: usize,
  skip: usize,
  factor: v128,
  derivative: usize,
  m: usize,
  out: usize,
): void {
  let ax = f32x4.splat(0);
  let ay = ax;
  let az = ax;
  let bx = ax;
  let by = ax;
  let bz = ax;
  const last = row + length;
  for (; row < last; row += 4) {
    const a = v128.load(derivative + ((<usize>load<u32>(row)) << 3));
    const b = v128.load(derivative + ((<usize>load<u32>(row + skip)) << 3));
    const x = v128.load(m);
    const y = v128.load(m, 16);
    const z = v128.load(m, 32);
    ax = f32x4.add(ax, f32x4.mul(a, x));
    bx = f32x4.add(bx, f32x4.mul(b, x));
    ay = f32x4.add(ay, f32x4.mul(a, y));
    by = f32x4.add(by, f32x4.mul(b, y));
    az = f32x4.add(az, f32x4.mul(a, z));
    bz = f32x4.add(bz, f32x4.mul(b, z));
    m += 48;
  }
  v128.store(out, f32x4.add(v128.load(out), f32x4.mul(ax, factor)));
  v128.store(out, f32x4.add(v128.load(out, 16), f32x4.mul(ay, factor)), 16);
  v128.store(out, f32x4.add(v128.load(out, 32), f32x4.mul(az, factor)), 32);
  v128.store(out, f32x4.add(v128.load(out, 48), f32x4.mul(bx, factor)), 48);
  v128.store(out, f32x4.add(v128.load(out, 64), f32x4.mul(by, factor)), 64);
  v128.store(out, f32x4.add(v128.load(out, 80), f32x4.mul(bz, factor)), 80);
}

function contractScalar(
  q: i32,
  order: i32,
  firstRow: i32,
  ratio: v128,
  sums: usize,
  derivative: usize,
  pairs: usize,
  lanes: usize,
): void {
  let row = sums;
  let k: usize = 0;
  let factor = ratio;
  for (let degree = 0; degree <= q; degree++) {
    const length = countOf(q - degree) << 2;
    const skip = countOf(order - degree) << 2;
    for (const next = countOf(degree); k < next; k++) {
      if (<i32>k >= firstRow) {
        let m = pairs;
        let sum = f32x4.splat(0);
        const last = row + length;
        for (let at = row; at < last; at += 4) {
          const d = v128.load(derivative + ((<usize>load<u32>(at)) << 3));
          sum = f32x4.add(sum, f32x4.mul(d, v128.load(m)));
          m += 16;
        }
        const out = lanes + (k << 4);
        v128.store(out, f32x4.add(v128.load(out), f32x4.mul(sum, factor)));
      }
      row += skip;
    }
    factor = f32x4.mul(factor, ratio);
  }
}
