/**
 * Direct sums of the regularised Laplace kernels over point sources (src/integrals): with d = x - y and
 * rho = sqrt(|d|^2 + delta^2)
 *   Potential         sum q / rho              Gradient      -sum q d / rho^3
 *   VectorPotential   sum s / rho              BiotSavart     sum s x d / rho^3
 *                                              DoubleLayer    sum m . d / rho^3
 * Each adds its sum to `out` for the targets [begin, end), over the sources of the ranges [rangeBegin,
 * rangeEnd).
 *
 * source: blocks of two Float64 points, or of four Float32 ones, x .. y .. z .. and the strength's components
 * likewise, so that a block fills whole vectors. target, out: columns of `stride` doubles. softening =
 * delta^2. A source at rho = 0 adds nothing. Lane 0 adds the first point of every block, and so on; sums of
 * the lanes go to `out`.
 *
 * Sums are types here, so that the compiler writes a loop of its own for each.
 */
// @inline is AssemblyScript's; a decorated function is not TypeScript, so this file is outside the formatter
// (biome.json).

class Potential {}
class Gradient {}
class BiotSavart {}
class DoubleLayer {}
class VectorPotential {}

/**
 * code: as sumKernelCodes in src/integrals/sum-kernels.ts. range: pairs (first block, end block) of Int32.
 */
export function addPointSums(
  begin: i32,
  end: i32,
  code: i32,
  rangeBegin: i32,
  rangeEnd: i32,
  range: usize,
  source: usize,
  stride: i32,
  target: usize,
  softening: f64,
  out: usize,
): void {
  if (code === 0)
    addSums<f64, Potential>(begin, end, rangeBegin, rangeEnd, range, source, stride, target, 0, softening, out);
  else if (code === 1)
    addSums<f64, Gradient>(begin, end, rangeBegin, rangeEnd, range, source, stride, target, 0, softening, out);
  else if (code === 2)
    addSums<f64, BiotSavart>(begin, end, rangeBegin, rangeEnd, range, source, stride, target, 0, softening, out);
  else if (code === 3)
    addSums<f64, DoubleLayer>(begin, end, rangeBegin, rangeEnd, range, source, stride, target, 0, softening, out);
  else
    addSums<f64, VectorPotential>(begin, end, rangeBegin, rangeEnd, range, source, stride, target, 0, softening, out);
}

/**
 * Potential, VectorPotential, or BiotSavart, for which rho > 0, in single precision. Sources are relative to
 * the centre of their leaf, so that single precision is lost on no offset; a range is a triple (first block,
 * end block, leaf) of Int32. Lanes are added in double precision at the end of the ranges.
 */
export function addPointSumsSingle(
  begin: i32,
  end: i32,
  code: i32,
  rangeBegin: i32,
  rangeEnd: i32,
  range: usize,
  source: usize,
  stride: i32,
  target: usize,
  centre: usize,
  softening: f64,
  out: usize,
): void {
  if (code === 0)
    addSums<f32, Potential>(begin, end, rangeBegin, rangeEnd, range, source, stride, target, centre, softening, out);
  else if (code === 2)
    addSums<f32, BiotSavart>(begin, end, rangeBegin, rangeEnd, range, source, stride, target, centre, softening, out);
  else
    addSums<f32, VectorPotential>(begin, end, rangeBegin, rangeEnd, range, source, stride, target, centre, softening, out);
}

function addSums<T extends number, K>(
  begin: i32,
  end: i32,
  rangeBegin: i32,
  rangeEnd: i32,
  range: usize,
  source: usize,
  stride: i32,
  target: usize,
  centre: usize,
  softening: f64,
  out: usize,
): void {
  const block: usize = is<K, Potential>() || is<K, Gradient>() ? 64 : 96;
  const column = (<usize>stride) << 3;
  const soft = v128.splat<T>(<T>softening);
  for (let t = begin; t < end; t++) {
    const at = target + ((<usize>t) << 3);
    let sumX = v128.splat<T>(<T>0);
    let sumY = sumX;
    let sumZ = sumX;
    for (let r = rangeBegin; r < rangeEnd; r++) {
      const limits = range + <usize>r * (isDouble<T>() ? 8 : 12);
      const leaf = isDouble<T>() ? 0 : centre + <usize>load<i32>(limits, 8) * 24;
      const x = splatPlace<T>(at, leaf);
      const y = splatPlace<T>(at + column, leaf + 8);
      const z = splatPlace<T>(at + 2 * column, leaf + 16);
      const last = source + <usize>load<i32>(limits, 4) * block;
      for (let s = source + <usize>load<i32>(limits) * block; s < last; s += block) {
        const dx = v128.sub<T>(x, v128.load(s));
        const dy = v128.sub<T>(y, v128.load(s, 16));
        const dz = v128.sub<T>(z, v128.load(s, 32));
        const xy = v128.add<T>(v128.mul<T>(dx, dx), v128.mul<T>(dy, dy));
        const square = v128.add<T>(xy, v128.add<T>(v128.mul<T>(dz, dz), soft));
        if (is<K, Potential>()) {
          const q = v128.load(s, 48);
          const term = isDouble<T>()
            ? wherePositive<T>(v128.div<T>(q, v128.sqrt<T>(square)), square)
            : v128.mul<T>(inverseRoot<T>(square), q);
          sumX = v128.add<T>(sumX, term);
        } else if (is<K, Gradient>()) {
          const w = v128.mul<T>(inverseCube<T>(square), v128.load(s, 48));
          sumX = v128.sub<T>(sumX, v128.mul<T>(w, dx));
          sumY = v128.sub<T>(sumY, v128.mul<T>(w, dy));
          sumZ = v128.sub<T>(sumZ, v128.mul<T>(w, dz));
        } else {
          const sx = v128.load(s, 48);
          const sy = v128.load(s, 64);
          const sz = v128.load(s, 80);
          if (is<K, BiotSavart>()) {
            const w = inverseCube<T>(square);
            sumX = v128.add<T>(sumX, v128.mul<T>(w, v128.sub<T>(v128.mul<T>(sy, dz), v128.mul<T>(sz, dy))));
            sumY = v128.add<T>(sumY, v128.mul<T>(w, v128.sub<T>(v128.mul<T>(sz, dx), v128.mul<T>(sx, dz))));
            sumZ = v128.add<T>(sumZ, v128.mul<T>(w, v128.sub<T>(v128.mul<T>(sx, dy), v128.mul<T>(sy, dx))));
          } else if (is<K, DoubleLayer>()) {
            const along = v128.add<T>(v128.mul<T>(sx, dx), v128.mul<T>(sy, dy));
            const product = v128.add<T>(along, v128.mul<T>(sz, dz));
            sumX = v128.add<T>(sumX, v128.mul<T>(inverseCube<T>(square), product));
          } else {
            const w = inverseRoot<T>(square);
            sumX = v128.add<T>(sumX, v128.mul<T>(w, sx));
            sumY = v128.add<T>(sumY, v128.mul<T>(w, sy));
            sumZ = v128.add<T>(sumZ, v128.mul<T>(w, sz));
          }
        }
      }
    }
    const o = out + ((<usize>t) << 3);
    addLanes<T>(o, sumX);
    if (!is<K, Potential>() && !is<K, DoubleLayer>()) {
      addLanes<T>(o + column, sumY);
      addLanes<T>(o + 2 * column, sumZ);
    }
  }
}

@inline
function is<A, B>(): bool {
  return idof<A>() === idof<B>();
}

@inline
function isDouble<T extends number>(): bool {
  return sizeof<T>() === 8;
}

/** A coordinate in all lanes; in single precision relative to the leaf's. */
@inline
function splatPlace<T extends number>(at: usize, leaf: usize): v128 {
  return isDouble<T>() ? v128.load64_splat(at) : v128.splat<T>(<T>(load<f64>(at) - load<f64>(leaf)));
}

@inline
function wherePositive<T extends number>(v: v128, size: v128): v128 {
  return v128.and(v, v128.gt<T>(size, v128.splat<T>(<T>0)));
}

/** 1 / rho, and 0 where rho is 0. */
@inline
function inverseRoot<T extends number>(square: v128): v128 {
  return wherePositive<T>(v128.div<T>(v128.splat<T>(<T>1), v128.sqrt<T>(square)), square);
}

/** 1 / rho^3, and 0 where rho is 0, which is not asked in single precision. */
@inline
function inverseCube<T extends number>(square: v128): v128 {
  const cube = v128.mul<T>(square, v128.sqrt<T>(square));
  const inverse = v128.div<T>(v128.splat<T>(<T>1), cube);
  return isDouble<T>() ? wherePositive<T>(inverse, cube) : inverse;
}

@inline
function addLanes<T extends number>(out: usize, v: v128): void {
  const even = <f64>v128.extract_lane<T>(v, 0) + <f64>v128.extract_lane<T>(v, 1);
  if (isDouble<T>()) {
    store<f64>(out, load<f64>(out) + even);
  } else {
    const odd = <f64>f32x4.extract_lane(v, 2) + <f64>f32x4.extract_lane(v, 3);
    store<f64>(out, load<f64>(out) + (even + odd));
  }
}
