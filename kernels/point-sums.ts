/**
 * Direct sums of the regularised Laplace kernels over point sources (src/integrals): with d = x - y and
 * rho = sqrt(|d|^2 + delta^2)
 *   sumCharges    sum q / rho              sumChargeGradients   -sum q d / rho^3
 *   sumVortices   sum s x d / rho^3        sumDipoles            sum m . d / rho^3
 *   sumVectorCharges   sum s / rho
 * Each adds its sum to `out` for the targets [begin, end), over the sources of the ranges [rangeBegin, rangeEnd).
 *
 * source: blocks of two points, x x y y z z and the strength's components likewise, so that a block fills whole vectors; a
 * range is a pair (first block, end block) of Int32. target, out: columns of `stride` doubles. softening = delta^2.
 * A source at rho = 0 adds nothing. Lane 0 adds the first point of every block, lane 1 the second; their sum goes to `out`.
 */

/** Bytes of a block: two points with one, or with three, components of strength. */
const SCALAR_BLOCK: usize = 64;
const VECTOR_BLOCK: usize = 96;

function splat(p: usize): v128 {
  return v128.load64_splat(p);
}

function addLanes(out: usize, v: v128): void {
  store<f64>(out, load<f64>(out) + (f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1)));
}

/** 1 / rho^3, and 0 where rho is 0. */
function inverseCube(square: v128): v128 {
  const cube = f64x2.mul(square, f64x2.sqrt(square));
  return v128.and(f64x2.div(f64x2.splat(1), cube), f64x2.gt(cube, f64x2.splat(0)));
}

export function sumCharges(
  begin: i32,
  end: i32,
  rangeBegin: i32,
  rangeEnd: i32,
  range: usize,
  source: usize,
  stride: i32,
  target: usize,
  softening: f64,
  out: usize,
): void {
  const column = (<usize>stride) << 3;
  const soft = f64x2.splat(softening);
  const zero = f64x2.splat(0);
  for (let t = begin; t < end; t++) {
    const at = target + ((<usize>t) << 3);
    const x = splat(at);
    const y = splat(at + column);
    const z = splat(at + 2 * column);
    let sum = zero;
    for (let r = rangeBegin; r < rangeEnd; r++) {
      const pair = range + ((<usize>r) << 3);
      const last = source + <usize>load<i32>(pair, 4) * SCALAR_BLOCK;
      for (let s = source + <usize>load<i32>(pair) * SCALAR_BLOCK; s < last; s += SCALAR_BLOCK) {
        const dx = f64x2.sub(x, v128.load(s));
        const dy = f64x2.sub(y, v128.load(s, 16));
        const dz = f64x2.sub(z, v128.load(s, 32));
        const xy = f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy));
        const square = f64x2.add(xy, f64x2.add(f64x2.mul(dz, dz), soft));
        const term = f64x2.div(v128.load(s, 48), f64x2.sqrt(square));
        sum = f64x2.add(sum, v128.and(term, f64x2.gt(square, zero)));
      }
    }
    addLanes(out + ((<usize>t) << 3), sum);
  }
}

export function sumChargeGradients(
  begin: i32,
  end: i32,
  rangeBegin: i32,
  rangeEnd: i32,
  range: usize,
  source: usize,
  stride: i32,
  target: usize,
  softening: f64,
  out: usize,
): void {
  const column = (<usize>stride) << 3;
  const soft = f64x2.splat(softening);
  for (let t = begin; t < end; t++) {
    const at = target + ((<usize>t) << 3);
    const x = splat(at);
    const y = splat(at + column);
    const z = splat(at + 2 * column);
    let sumX = f64x2.splat(0);
    let sumY = sumX;
    let sumZ = sumX;
    for (let r = rangeBegin; r < rangeEnd; r++) {
      const pair = range + ((<usize>r) << 3);
      const last = source + <usize>load<i32>(pair, 4) * SCALAR_BLOCK;
      for (let s = source + <usize>load<i32>(pair) * SCALAR_BLOCK; s < last; s += SCALAR_BLOCK) {
        const dx = f64x2.sub(x, v128.load(s));
        const dy = f64x2.sub(y, v128.load(s, 16));
        const dz = f64x2.sub(z, v128.load(s, 32));
        const xy = f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy));
        const square = f64x2.add(xy, f64x2.add(f64x2.mul(dz, dz), soft));
        const w = f64x2.mul(inverseCube(square), v128.load(s, 48));
        sumX = f64x2.sub(sumX, f64x2.mul(w, dx));
        sumY = f64x2.sub(sumY, f64x2.mul(w, dy));
        sumZ = f64x2.sub(sumZ, f64x2.mul(w, dz));
      }
    }
    const o = out + ((<usize>t) << 3);
    addLanes(o, sumX);
    addLanes(o + column, sumY);
    addLanes(o + 2 * column, sumZ);
  }
}

export function sumVortices(
  begin: i32,
  end: i32,
  rangeBegin: i32,
  rangeEnd: i32,
  range: usize,
  source: usize,
  stride: i32,
  target: usize,
  softening: f64,
  out: usize,
): void {
  const column = (<usize>stride) << 3;
  const soft = f64x2.splat(softening);
  for (let t = begin; t < end; t++) {
    const at = target + ((<usize>t) << 3);
    const x = splat(at);
    const y = splat(at + column);
    const z = splat(at + 2 * column);
    let sumX = f64x2.splat(0);
    let sumY = sumX;
    let sumZ = sumX;
    for (let r = rangeBegin; r < rangeEnd; r++) {
      const pair = range + ((<usize>r) << 3);
      const last = source + <usize>load<i32>(pair, 4) * VECTOR_BLOCK;
      for (let s = source + <usize>load<i32>(pair) * VECTOR_BLOCK; s < last; s += VECTOR_BLOCK) {
        const dx = f64x2.sub(x, v128.load(s));
        const dy = f64x2.sub(y, v128.load(s, 16));
        const dz = f64x2.sub(z, v128.load(s, 32));
        const xy = f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy));
        const square = f64x2.add(xy, f64x2.add(f64x2.mul(dz, dz), soft));
        const w = inverseCube(square);
        const sx = v128.load(s, 48);
        const sy = v128.load(s, 64);
        const sz = v128.load(s, 80);
        sumX = f64x2.add(sumX, f64x2.mul(w, f64x2.sub(f64x2.mul(sy, dz), f64x2.mul(sz, dy))));
        sumY = f64x2.add(sumY, f64x2.mul(w, f64x2.sub(f64x2.mul(sz, dx), f64x2.mul(sx, dz))));
        sumZ = f64x2.add(sumZ, f64x2.mul(w, f64x2.sub(f64x2.mul(sx, dy), f64x2.mul(sy, dx))));
      }
    }
    const o = out + ((<usize>t) << 3);
    addLanes(o, sumX);
    addLanes(o + column, sumY);
    addLanes(o + 2 * column, sumZ);
  }
}

export function sumDipoles(
  begin: i32,
  end: i32,
  rangeBegin: i32,
  rangeEnd: i32,
  range: usize,
  source: usize,
  stride: i32,
  target: usize,
  softening: f64,
  out: usize,
): void {
  const column = (<usize>stride) << 3;
  const soft = f64x2.splat(softening);
  for (let t = begin; t < end; t++) {
    const at = target + ((<usize>t) << 3);
    const x = splat(at);
    const y = splat(at + column);
    const z = splat(at + 2 * column);
    let sum = f64x2.splat(0);
    for (let r = rangeBegin; r < rangeEnd; r++) {
      const pair = range + ((<usize>r) << 3);
      const last = source + <usize>load<i32>(pair, 4) * VECTOR_BLOCK;
      for (let s = source + <usize>load<i32>(pair) * VECTOR_BLOCK; s < last; s += VECTOR_BLOCK) {
        const dx = f64x2.sub(x, v128.load(s));
        const dy = f64x2.sub(y, v128.load(s, 16));
        const dz = f64x2.sub(z, v128.load(s, 32));
        const xy = f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy));
        const square = f64x2.add(xy, f64x2.add(f64x2.mul(dz, dz), soft));
        const along = f64x2.add(f64x2.mul(v128.load(s, 48), dx), f64x2.mul(v128.load(s, 64), dy));
        const product = f64x2.add(along, f64x2.mul(v128.load(s, 80), dz));
        sum = f64x2.add(sum, f64x2.mul(inverseCube(square), product));
      }
    }
    addLanes(out + ((<usize>t) << 3), sum);
  }
}

export function sumVectorCharges(
  begin: i32,
  end: i32,
  rangeBegin: i32,
  rangeEnd: i32,
  range: usize,
  source: usize,
  stride: i32,
  target: usize,
  softening: f64,
  out: usize,
): void {
  const column = (<usize>stride) << 3;
  const soft = f64x2.splat(softening);
  const zero = f64x2.splat(0);
  for (let t = begin; t < end; t++) {
    const at = target + ((<usize>t) << 3);
    const x = splat(at);
    const y = splat(at + column);
    const z = splat(at + 2 * column);
    let sumX = zero;
    let sumY = zero;
    let sumZ = zero;
    for (let r = rangeBegin; r < rangeEnd; r++) {
      const pair = range + ((<usize>r) << 3);
      const last = source + <usize>load<i32>(pair, 4) * VECTOR_BLOCK;
      for (let s = source + <usize>load<i32>(pair) * VECTOR_BLOCK; s < last; s += VECTOR_BLOCK) {
        const dx = f64x2.sub(x, v128.load(s));
        const dy = f64x2.sub(y, v128.load(s, 16));
        const dz = f64x2.sub(z, v128.load(s, 32));
        const xy = f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy));
        const square = f64x2.add(xy, f64x2.add(f64x2.mul(dz, dz), soft));
        const inverse = f64x2.div(f64x2.splat(1), f64x2.sqrt(square));
        const w = v128.and(inverse, f64x2.gt(square, zero));
        sumX = f64x2.add(sumX, f64x2.mul(w, v128.load(s, 48)));
        sumY = f64x2.add(sumY, f64x2.mul(w, v128.load(s, 64)));
        sumZ = f64x2.add(sumZ, f64x2.mul(w, v128.load(s, 80)));
      }
    }
    const o = out + ((<usize>t) << 3);
    addLanes(o, sumX);
    addLanes(o + column, sumY);
    addLanes(o + 2 * column, sumZ);
  }
}
