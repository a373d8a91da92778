/**
 * Vector primitives over [begin, end). Arguments are byte offsets of Float64 arrays.
 *
 * `dot` runs in four f64x2 accumulators over blocks of eight entries: position i of a block goes to partial
 * i, the eight partials are added as ((p0+p4)+(p2+p6)) and ((p1+p5)+(p3+p7)), lane 0 then lane 1; the tail is
 * added one by one.
 */

export function fill(begin: i32, end: i32, value: f64, x: usize): void {
  for (let i = begin; i < end; i++) store<f64>(x + ((<usize>i) << 3), value);
}

export function copy(begin: i32, end: i32, x: usize, out: usize): void {
  const bytes = (<usize>(end - begin)) << 3;
  const skip = (<usize>begin) << 3;
  memory.copy(out + skip, x + skip, bytes);
}

/** x *= a */
export function scale(begin: i32, end: i32, a: f64, x: usize): void {
  const aa = f64x2.splat(a);
  let p = x + ((<usize>begin) << 3);
  let i = begin;
  for (; i + 1 < end; i += 2, p += 16) v128.store(p, f64x2.mul(aa, v128.load(p)));
  if (i < end) store<f64>(p, a * load<f64>(p));
}

/** y += a x */
export function axpy(begin: i32, end: i32, a: f64, x: usize, y: usize): void {
  const aa = f64x2.splat(a);
  let p = x + ((<usize>begin) << 3);
  let q = y + ((<usize>begin) << 3);
  let i = begin;
  for (; i + 3 < end; i += 4, p += 32, q += 32) {
    v128.store(q, f64x2.add(v128.load(q), f64x2.mul(aa, v128.load(p))));
    v128.store(q, f64x2.add(v128.load(q, 16), f64x2.mul(aa, v128.load(p, 16))), 16);
  }
  for (; i < end; i++, p += 8, q += 8) store<f64>(q, load<f64>(q) + a * load<f64>(p));
}

/** y = x + a y */
export function xpay(begin: i32, end: i32, x: usize, a: f64, y: usize): void {
  const aa = f64x2.splat(a);
  let p = x + ((<usize>begin) << 3);
  let q = y + ((<usize>begin) << 3);
  let i = begin;
  for (; i + 3 < end; i += 4, p += 32, q += 32) {
    v128.store(q, f64x2.add(v128.load(p), f64x2.mul(aa, v128.load(q))));
    v128.store(q, f64x2.add(v128.load(p, 16), f64x2.mul(aa, v128.load(q, 16))), 16);
  }
  for (; i < end; i++, p += 8, q += 8) store<f64>(q, load<f64>(p) + a * load<f64>(q));
}

/** out = a x + b y */
export function axpby(begin: i32, end: i32, a: f64, x: usize, b: f64, y: usize, out: usize): void {
  const aa = f64x2.splat(a);
  const bb = f64x2.splat(b);
  const skip = (<usize>begin) << 3;
  let p = x + skip;
  let q = y + skip;
  let o = out + skip;
  let i = begin;
  for (; i + 1 < end; i += 2, p += 16, q += 16, o += 16) {
    v128.store(o, f64x2.add(f64x2.mul(aa, v128.load(p)), f64x2.mul(bb, v128.load(q))));
  }
  if (i < end) store<f64>(o, a * load<f64>(p) + b * load<f64>(q));
}

/** out = x y, entry by entry */
export function multiply(begin: i32, end: i32, x: usize, y: usize, out: usize): void {
  const skip = (<usize>begin) << 3;
  let p = x + skip;
  let q = y + skip;
  let o = out + skip;
  let i = begin;
  for (; i + 1 < end; i += 2, p += 16, q += 16, o += 16) {
    v128.store(o, f64x2.mul(v128.load(p), v128.load(q)));
  }
  if (i < end) store<f64>(o, load<f64>(p) * load<f64>(q));
}

export function dot(begin: i32, end: i32, x: usize, y: usize): f64 {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  let p = x + ((<usize>begin) << 3);
  let q = y + ((<usize>begin) << 3);
  let i = begin;
  for (; i + 7 < end; i += 8, p += 64, q += 64) {
    s0 = f64x2.add(s0, f64x2.mul(v128.load(p), v128.load(q)));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(p, 16), v128.load(q, 16)));
    s2 = f64x2.add(s2, f64x2.mul(v128.load(p, 32), v128.load(q, 32)));
    s3 = f64x2.add(s3, f64x2.mul(v128.load(p, 48), v128.load(q, 48)));
  }
  const s = f64x2.add(f64x2.add(s0, s2), f64x2.add(s1, s3));
  let sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  for (; i < end; i++, p += 8, q += 8) sum += load<f64>(p) * load<f64>(q);
  return sum;
}

/** Largest |x|; NaN where an entry is NaN. */
export function maxAbs(begin: i32, end: i32, x: usize): f64 {
  let largest = f64x2.splat(0);
  let p = x + ((<usize>begin) << 3);
  let i = begin;
  for (; i + 1 < end; i += 2, p += 16) largest = f64x2.max(largest, f64x2.abs(v128.load(p)));
  let result = max<f64>(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1));
  if (i < end) result = max<f64>(result, abs<f64>(load<f64>(p)));
  return result;
}

/** One pass of a conjugate-gradient update: x += a p, r -= a q; returns r . r, added up in two lanes. */
export function descend(begin: i32, end: i32, a: f64, p: usize, q: usize, x: usize, r: usize): f64 {
  const aa = f64x2.splat(a);
  const skip = (<usize>begin) << 3;
  let pp = p + skip;
  let qq = q + skip;
  let xx = x + skip;
  let rr = r + skip;
  let s = f64x2.splat(0);
  let i = begin;
  for (; i + 1 < end; i += 2, pp += 16, qq += 16, xx += 16, rr += 16) {
    v128.store(xx, f64x2.add(v128.load(xx), f64x2.mul(aa, v128.load(pp))));
    const residual = f64x2.sub(v128.load(rr), f64x2.mul(aa, v128.load(qq)));
    v128.store(rr, residual);
    s = f64x2.add(s, f64x2.mul(residual, residual));
  }
  let sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  if (i < end) {
    store<f64>(xx, load<f64>(xx) + a * load<f64>(pp));
    const residual = load<f64>(rr) - a * load<f64>(qq);
    store<f64>(rr, residual);
    sum += residual * residual;
  }
  return sum;
}

/** out = x y, entry by entry; returns x . out, added up in two lanes */
export function multiplyDot(begin: i32, end: i32, x: usize, y: usize, out: usize): f64 {
  const skip = (<usize>begin) << 3;
  let p = x + skip;
  let q = y + skip;
  let o = out + skip;
  let s = f64x2.splat(0);
  let i = begin;
  for (; i + 1 < end; i += 2, p += 16, q += 16, o += 16) {
    const a = v128.load(p);
    const product = f64x2.mul(a, v128.load(q));
    v128.store(o, product);
    s = f64x2.add(s, f64x2.mul(a, product));
  }
  let sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  if (i < end) {
    const product = load<f64>(p) * load<f64>(q);
    store<f64>(o, product);
    sum += load<f64>(p) * product;
  }
  return sum;
}
