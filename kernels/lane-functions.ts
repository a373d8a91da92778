/**
 * Logarithm and arctangent of two doubles at once, by series after a reduction of the argument; errors of
 * some 1e-13, in the same operations and order as the plain forms in
 * src/integrals/panels/near-face-kernels.ts. Neither is exported from the module.
 */

const LN2: f64 = Math.LN2;
/** Upper half of the bits of sqrt(1/2). */
const HALF_ROOT: i32 = 0x3fe6a09e;

/** ln x of positive numbers: x = 2^k m with m about 1, ln m = 2 artanh((m - 1) / (m + 1)). */
export function logLanes(x: v128): v128 {
  const upper = i32x4(0, -1, 0, -1);
  const k = i32x4.shr_s(i32x4.sub(x, i32x4.splat(HALF_ROOT)), 20);
  const m = i32x4.sub(x, v128.and(i32x4.shl(k, 20), upper));
  const power = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(k, k, 1, 3, 1, 3));
  const one = f64x2.splat(1);
  const z = f64x2.div(f64x2.sub(m, one), f64x2.add(m, one));
  const w = f64x2.mul(z, z);
  let sum = f64x2.splat(1.0 / 15.0);
  sum = f64x2.add(f64x2.mul(sum, w), f64x2.splat(1.0 / 13.0));
  sum = f64x2.add(f64x2.mul(sum, w), f64x2.splat(1.0 / 11.0));
  sum = f64x2.add(f64x2.mul(sum, w), f64x2.splat(1.0 / 9.0));
  sum = f64x2.add(f64x2.mul(sum, w), f64x2.splat(1.0 / 7.0));
  sum = f64x2.add(f64x2.mul(sum, w), f64x2.splat(1.0 / 5.0));
  sum = f64x2.add(f64x2.mul(sum, w), f64x2.splat(1.0 / 3.0));
  sum = f64x2.add(f64x2.mul(sum, w), one);
  return f64x2.add(f64x2.mul(power, f64x2.splat(LN2)), f64x2.mul(f64x2.add(z, z), sum));
}

const PI: f64 = Math.PI;
/** tan of pi/16, pi/8 and 3 pi/16. */
const TAN_1: f64 = 0.198912367379658;
const TAN_2: f64 = 0.41421356237309503;
const TAN_3: f64 = 0.6681786379192989;

/**
 * Angle of (x, y), both not 0: the octant is folded back to [0, pi/4], and that to within pi/16 of 0, pi/8 or
 * pi/4.
 */
export function atan2Lanes(y: v128, x: v128): v128 {
  const a = f64x2.abs(x);
  const b = f64x2.abs(y);
  const low = f64x2.pmin(a, b);
  const high = f64x2.pmax(a, b);
  const isThird = f64x2.gt(low, f64x2.mul(f64x2.splat(TAN_3), high));
  const isSecond = f64x2.gt(low, f64x2.mul(f64x2.splat(TAN_1), high));
  const c = v128.bitselect(f64x2.splat(1), v128.and(f64x2.splat(TAN_2), isSecond), isThird);
  const base = v128.bitselect(f64x2.splat(PI / 4), v128.and(f64x2.splat(PI / 8), isSecond), isThird);
  const t = f64x2.div(f64x2.sub(low, f64x2.mul(c, high)), f64x2.add(high, f64x2.mul(c, low)));
  const w = f64x2.mul(t, t);
  let sum = f64x2.splat(1.0 / 17.0);
  sum = f64x2.sub(f64x2.splat(1.0 / 15.0), f64x2.mul(sum, w));
  sum = f64x2.sub(f64x2.splat(1.0 / 13.0), f64x2.mul(sum, w));
  sum = f64x2.sub(f64x2.splat(1.0 / 11.0), f64x2.mul(sum, w));
  sum = f64x2.sub(f64x2.splat(1.0 / 9.0), f64x2.mul(sum, w));
  sum = f64x2.sub(f64x2.splat(1.0 / 7.0), f64x2.mul(sum, w));
  sum = f64x2.sub(f64x2.splat(1.0 / 5.0), f64x2.mul(sum, w));
  sum = f64x2.sub(f64x2.splat(1.0 / 3.0), f64x2.mul(sum, w));
  sum = f64x2.sub(f64x2.splat(1), f64x2.mul(sum, w));
  let angle = f64x2.add(base, f64x2.mul(t, sum));
  angle = v128.bitselect(f64x2.sub(f64x2.splat(PI / 2), angle), angle, f64x2.gt(b, a));
  angle = v128.bitselect(f64x2.sub(f64x2.splat(PI), angle), angle, f64x2.lt(x, f64x2.splat(0)));
  return v128.bitselect(f64x2.neg(angle), angle, f64x2.lt(y, f64x2.splat(0)));
}
