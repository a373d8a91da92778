/**
 * Pairs of triangles near each other, for the Galerkin sums of src/integrals/panels/near-pairs.ts: who is
 * near whom, the mean of 1/r over both triangles less 1/r of their middles, and the product of that matrix
 * with strengths. Triangles stand in the order of the cells of a grid; a place is a number in that order. A
 * row of the matrix lists the places near one place: first those that do not touch it, in [start, touch),
 * then those that share a corner with it, in [touch, stop).
 *
 * Byte offsets: cellStart, corner (four per place, the last NONE), start, touch, stop, list, needed, sorted
 * Int32; ball (columns x, y, z, radius of `stride`), record (16 per place: three quadrature points less the
 * middle, the middle in two parts that add up, 0), value Float32; all others Float64. Near pairs run in
 * single precision, four at a time, from differences of middles that lose nothing; touching ones in double
 * precision, two at a time.
 *
 * Between points (not in the exact integrals) r is sqrt(distance^2 + softening), as in the sums that the
 * values correct: faces folded onto each other have middles in one place.
 */
import { atan2Lanes, logLanes } from './lane-functions';

/** Bytes of a record, of the corners of a triangle, of a padded strength. */
const RECORD: usize = 64;
const TRIANGLE: usize = 72;
const STRENGTH: usize = 32;

/** How far x lies outside of cell i. */
function gap(x: f64, i: i32, size: f64): f64 {
  return max(0, max(<f64>i * size - x, x - (<f64>i + 1) * size));
}

/**
 * Rows of the places [begin, end), one after the other in list from `first` on; none is written at or beyond
 * `limit`, and needed tells how long the list would be. frame: cell size, cells along x, y, z, greatest
 * radius.
 */
export function findNearFaces(
  begin: i32,
  end: i32,
  first: i32,
  limit: i32,
  stride: i32,
  frame: usize,
  cellStart: usize,
  ball: usize,
  corner: usize,
  start: usize,
  touch: usize,
  stop: usize,
  list: usize,
  needed: usize,
): void {
  const column = (<usize>stride) << 2;
  const size = load<f64>(frame);
  const nx = <i32>load<f64>(frame, 8);
  const ny = <i32>load<f64>(frame, 16);
  const nz = <i32>load<f64>(frame, 24);
  const widest = load<f64>(frame, 32);
  const closeness = f32x4.splat(CLOSE);
  let next = first;
  let total: i32 = 0;
  for (let m = begin; m < end; m++) {
    const own = ball + ((<usize>m) << 2);
    const x = <f64>load<f32>(own);
    const y = <f64>load<f32>(own + column);
    const z = <f64>load<f32>(own + 2 * column);
    const reach = <f64>load<f32>(own + 3 * column) + widest;
    const lastI = min(nx - 1, <i32>floor((x + reach) / size));
    const firstJ = max(0, <i32>floor((y - reach) / size));
    const lastJ = min(ny - 1, <i32>floor((y + reach) / size));
    const firstK = max(0, <i32>floor((z - reach) / size));
    const lastK = min(nz - 1, <i32>floor((z + reach) / size));
    const ownX = v128.load32_splat(own);
    const ownY = v128.load32_splat(own + column);
    const ownZ = v128.load32_splat(own + 2 * column);
    const ownRadius = v128.load32_splat(own + 3 * column);
    const ids = corner + ((<usize>m) << 4);
    // Touching places pile up at the end of the list until the row is complete.
    let back = limit;
    store<i32>(start + ((<usize>m) << 2), next);
    for (let i = max(0, <i32>floor((x - reach) / size)); i <= lastI; i++) {
      const gapX = gap(x, i, size);
      for (let j = firstJ; j <= lastJ; j++) {
        const gapY = gap(y, j, size);
        if (gapX * gapX + gapY * gapY > reach * reach) continue;
        const row = cellStart + ((<usize>((i * ny + j) * nz)) << 2);
        const last = load<i32>(row + ((<usize>lastK) << 2), 4);
        for (let n = load<i32>(row + ((<usize>firstK) << 2)); n < last; n += 4) {
          const at = ball + ((<usize>n) << 2);
          const dx = f32x4.sub(ownX, v128.load(at));
          const dy = f32x4.sub(ownY, v128.load(at + column));
          const dz = f32x4.sub(ownZ, v128.load(at + 2 * column));
          const most = f32x4.add(ownRadius, v128.load(at + 3 * column));
          const xy = f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy));
          const apart = f32x4.add(xy, f32x4.mul(dz, dz));
          const square = f32x4.mul(most, most);
          let mask = i32x4.bitmask(f32x4.lt(apart, square));
          if (last - n < 4) mask &= (1 << (last - n)) - 1;
          if (<u32>(m - n) < 4) mask &= ~(1 << (m - n));
          if (!mask) continue;
          total += popcnt(mask);
          const close = i32x4.bitmask(f32x4.lt(apart, f32x4.mul(closeness, square)));
          for (; mask; mask &= mask - 1) {
            if (next >= back) break;
            const lane = ctz(mask);
            const g = n + lane;
            const isTouching = (close >> lane) & 1 && areTouching(ids, corner + ((<usize>g) << 4));
            const to = isTouching ? --back : next++;
            store<i32>(list + ((<usize>to) << 2), g);
          }
        }
      }
    }
    store<i32>(touch + ((<usize>m) << 2), next);
    reverse(list, back, limit);
    for (let e = back; e < limit; e++) next = append(list, next, load<i32>(list + ((<usize>e) << 2)));
    store<i32>(stop + ((<usize>m) << 2), next);
  }
  store<i32>(needed, total);
}

/**
 * Touching faces lie within the sum of their reaches, and balls are at least this many times wider, squared,
 * by which few that do not touch are asked.
 */
const CLOSE: f32 = 0.5;

function append(list: usize, at: i32, g: i32): i32 {
  store<i32>(list + ((<usize>at) << 2), g);
  return at + 1;
}

/**
 * In its place: a row may fill the list to the last entry, and what is moved must not be written over before
 * it is read.
 */
function reverse(list: usize, from: i32, to: i32): void {
  for (let a = from, b = to - 1; a < b; a++, b--) {
    const first = load<i32>(list + ((<usize>a) << 2));
    store<i32>(list + ((<usize>a) << 2), load<i32>(list + ((<usize>b) << 2)));
    store<i32>(list + ((<usize>b) << 2), first);
  }
}

function areTouching(a: usize, b: usize): bool {
  const ids = v128.load(b);
  const first = i32x4.eq(ids, i32x4.splat(load<i32>(a)));
  const second = i32x4.eq(ids, i32x4.splat(load<i32>(a, 4)));
  const third = i32x4.eq(ids, i32x4.splat(load<i32>(a, 8)));
  return v128.any_true(v128.or(v128.or(first, second), third));
}

function distance(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128, soft: v128): v128 {
  const x = f32x4.sub(ax, bx);
  const y = f32x4.sub(ay, by);
  const z = f32x4.sub(az, bz);
  const square = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
  return f32x4.sqrt(f32x4.add(square, soft));
}

/** First or second half of two rows, by turns. */
function zipLow(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}
function zipHigh(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}

/**
 * Values of the pairs in [start, touch) of the rows [begin, end): three points by three points, less the
 * middles.
 */
export function computeNearValues(
  begin: i32,
  end: i32,
  start: usize,
  touch: usize,
  list: usize,
  record: usize,
  value: usize,
  softening: f64,
): void {
  const one = f32x4.splat(1);
  const soft = f32x4.splat(<f32>softening);
  for (let m = begin; m < end; m++) {
    const last = load<i32>(touch + ((<usize>m) << 2));
    const own = record + <usize>m * RECORD;
    for (let e = load<i32>(start + ((<usize>m) << 2)); e < last; e += 4) {
      const entry = list + ((<usize>e) << 2);
      const size = min(4, last - e);
      const r0 = record + <usize>load<i32>(entry) * RECORD;
      const r1 = size > 1 ? record + <usize>load<i32>(entry, 4) * RECORD : r0;
      const r2 = size > 2 ? record + <usize>load<i32>(entry, 8) * RECORD : r0;
      const r3 = size > 3 ? record + <usize>load<i32>(entry, 12) * RECORD : r0;
      // The middles' difference: columns 9 to 14 of the records.
      let a = zipLow(v128.load(r0, 32), v128.load(r2, 32));
      let b = zipLow(v128.load(r1, 32), v128.load(r3, 32));
      let c = zipHigh(v128.load(r0, 32), v128.load(r2, 32));
      let d = zipHigh(v128.load(r1, 32), v128.load(r3, 32));
      let gz2 = zipLow(a, b);
      let dx = f32x4.sub(zipHigh(a, b), v128.load32_splat(own, 36));
      let dy = f32x4.sub(zipLow(c, d), v128.load32_splat(own, 40));
      let dz = f32x4.sub(zipHigh(c, d), v128.load32_splat(own, 44));
      a = zipLow(v128.load(r0, 48), v128.load(r2, 48));
      b = zipLow(v128.load(r1, 48), v128.load(r3, 48));
      c = zipHigh(v128.load(r0, 48), v128.load(r2, 48));
      d = zipHigh(v128.load(r1, 48), v128.load(r3, 48));
      dx = f32x4.add(dx, f32x4.sub(zipLow(a, b), v128.load32_splat(own, 48)));
      dy = f32x4.add(dy, f32x4.sub(zipHigh(a, b), v128.load32_splat(own, 52)));
      dz = f32x4.add(dz, f32x4.sub(zipLow(c, d), v128.load32_splat(own, 56)));
      const zero = f32x4.splat(0);
      const middles = f32x4.div(one, distance(dx, dy, dz, zero, zero, zero, soft));
      a = zipLow(v128.load(r0), v128.load(r2));
      b = zipLow(v128.load(r1), v128.load(r3));
      c = zipHigh(v128.load(r0), v128.load(r2));
      d = zipHigh(v128.load(r1), v128.load(r3));
      const gx0 = f32x4.add(dx, zipLow(a, b));
      const gy0 = f32x4.add(dy, zipHigh(a, b));
      const gz0 = f32x4.add(dz, zipLow(c, d));
      const gx1 = f32x4.add(dx, zipHigh(c, d));
      a = zipLow(v128.load(r0, 16), v128.load(r2, 16));
      b = zipLow(v128.load(r1, 16), v128.load(r3, 16));
      c = zipHigh(v128.load(r0, 16), v128.load(r2, 16));
      d = zipHigh(v128.load(r1, 16), v128.load(r3, 16));
      const gy1 = f32x4.add(dy, zipLow(a, b));
      const gz1 = f32x4.add(dz, zipHigh(a, b));
      const gx2 = f32x4.add(dx, zipLow(c, d));
      const gy2 = f32x4.add(dy, zipHigh(c, d));
      gz2 = f32x4.add(dz, gz2);
      let sum = zero;
      for (let i: usize = 0; i < 36; i += 12) {
        const x = v128.load32_splat(own + i);
        const y = v128.load32_splat(own + i, 4);
        const z = v128.load32_splat(own + i, 8);
        // Three inverse roots with one division.
        const p = distance(gx0, gy0, gz0, x, y, z, soft);
        const q = distance(gx1, gy1, gz1, x, y, z, soft);
        const r = distance(gx2, gy2, gz2, x, y, z, soft);
        const qr = f32x4.mul(q, r);
        const above = f32x4.add(qr, f32x4.mul(p, f32x4.add(q, r)));
        sum = f32x4.add(sum, f32x4.div(above, f32x4.mul(p, qr)));
      }
      const result = f32x4.sub(f32x4.mul(sum, f32x4.splat(<f32>(1.0 / 9.0))), middles);
      const out = value + ((<usize>e) << 2);
      if (size === 4) v128.store(out, result);
      else {
        store<f32>(out, f32x4.extract_lane(result, 0));
        if (size > 1) store<f32>(out, f32x4.extract_lane(result, 1), 4);
        if (size > 2) store<f32>(out, f32x4.extract_lane(result, 2), 8);
      }
    }
  }
}

/** Relative distance from an edge's line at which its logarithm, times the distance, is nothing. */
const ON_LINE: f64 = 1e-12;

/**
 * Numbers of a triangle made ready: unit normal (3), each edge's unit vector across it in the plane (9), edge
 * lengths (3), twice the area.
 */
function prepare(t: usize, out: usize): void {
  const ux = load<f64>(t, 24) - load<f64>(t);
  const uy = load<f64>(t, 32) - load<f64>(t, 8);
  const uz = load<f64>(t, 40) - load<f64>(t, 16);
  const wx = load<f64>(t, 48) - load<f64>(t);
  const wy = load<f64>(t, 56) - load<f64>(t, 8);
  const wz = load<f64>(t, 64) - load<f64>(t, 16);
  const x = uy * wz - uz * wy;
  const y = uz * wx - ux * wz;
  const z = ux * wy - uy * wx;
  const double = sqrt(x * x + y * y + z * z);
  const nx = x / double;
  const ny = y / double;
  const nz = z / double;
  store<f64>(out, nx);
  store<f64>(out, ny, 8);
  store<f64>(out, nz, 16);
  for (let i: usize = 0; i < 3; i++) {
    const a = t + 24 * i;
    const b = i === 2 ? t : a + 24;
    const ex = load<f64>(b) - load<f64>(a);
    const ey = load<f64>(b, 8) - load<f64>(a, 8);
    const ez = load<f64>(b, 16) - load<f64>(a, 16);
    const length = sqrt(ex * ex + ey * ey + ez * ez);
    store<f64>(out + 24 * i, (ey * nz - ez * ny) / length, 24);
    store<f64>(out + 24 * i, (ez * nx - ex * nz) / length, 32);
    store<f64>(out + 24 * i, (ex * ny - ey * nx) / length, 40);
    store<f64>(out + 8 * i, length, 96);
  }
  store<f64>(out, double, 120);
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, bx), f64x2.mul(ay, by)), f64x2.mul(az, bz));
}

/**
 * Share of an edge: distance p from it in the plane times the logarithm along it, with the distances of its
 * ends.
 */
function edgePart(p: v128, from: v128, to: v128, length: v128): v128 {
  const sum = f64x2.add(from, to);
  const ratio = f64x2.div(f64x2.add(sum, length), f64x2.sub(sum, length));
  const isOff = f64x2.gt(f64x2.abs(p), f64x2.mul(f64x2.splat(ON_LINE), length));
  return v128.and(f64x2.mul(p, logLanes(ratio)), isOff);
}

/**
 * Integral of 1/r over the triangle at `t`, made ready at `ready`, seen from two points at once (Wilton et
 * al. 1984).
 */
function potential(t: usize, ready: usize, x: v128, y: v128, z: v128): v128 {
  const ax = f64x2.sub(v128.load64_splat(t), x);
  const ay = f64x2.sub(v128.load64_splat(t, 8), y);
  const az = f64x2.sub(v128.load64_splat(t, 16), z);
  const bx = f64x2.sub(v128.load64_splat(t, 24), x);
  const by = f64x2.sub(v128.load64_splat(t, 32), y);
  const bz = f64x2.sub(v128.load64_splat(t, 40), z);
  const cx = f64x2.sub(v128.load64_splat(t, 48), x);
  const cy = f64x2.sub(v128.load64_splat(t, 56), y);
  const cz = f64x2.sub(v128.load64_splat(t, 64), z);
  const ra = f64x2.sqrt(dot(ax, ay, az, ax, ay, az));
  const rb = f64x2.sqrt(dot(bx, by, bz, bx, by, bz));
  const rc = f64x2.sqrt(dot(cx, cy, cz, cx, cy, cz));
  const p = dot(ax, ay, az, splat(ready, 3), splat(ready, 4), splat(ready, 5));
  const q = dot(bx, by, bz, splat(ready, 6), splat(ready, 7), splat(ready, 8));
  const r = dot(cx, cy, cz, splat(ready, 9), splat(ready, 10), splat(ready, 11));
  const edges = f64x2.add(
    f64x2.add(edgePart(p, ra, rb, splat(ready, 12)), edgePart(q, rb, rc, splat(ready, 13))),
    edgePart(r, rc, ra, splat(ready, 14)),
  );
  // The arctangents of the three edges add up to the solid angle (Van Oosterom and Strackee 1983).
  const height = dot(ax, ay, az, splat(ready, 0), splat(ready, 1), splat(ready, 2));
  const ab = f64x2.mul(dot(ax, ay, az, bx, by, bz), rc);
  const bc = f64x2.mul(dot(bx, by, bz, cx, cy, cz), ra);
  const ca = f64x2.mul(dot(cx, cy, cz, ax, ay, az), rb);
  const below = f64x2.add(f64x2.add(f64x2.mul(f64x2.mul(ra, rb), rc), ab), f64x2.add(bc, ca));
  const angle = atan2Lanes(f64x2.mul(splat(ready, 15), height), below);
  return f64x2.sub(edges, f64x2.mul(f64x2.add(height, height), angle));
}

function splat(at: usize, i: usize): v128 {
  return v128.load64_splat(at + (i << 3));
}

function pair(a: usize, b: usize, i: usize): v128 {
  return v128.load64_lane(b + (i << 3), v128.load64_zero(a + (i << 3)), 1);
}

/**
 * Values of the touching pairs (m, g) with g after m, of the rows [begin, end): the triangle of m integrated
 * exactly from the three points of g, less the middles. triangle (places x 9): corners; point (places x 9):
 * the points of the rule; scratch: 16.
 */
export function computeTouchingValues(
  begin: i32,
  end: i32,
  touch: usize,
  stop: usize,
  list: usize,
  triangle: usize,
  point: usize,
  value: usize,
  scratch: usize,
  softening: f64,
): void {
  const third = f64x2.splat(1.0 / 3.0);
  const soft = f64x2.splat(softening);
  for (let m = begin; m < end; m++) {
    const last = load<i32>(stop + ((<usize>m) << 2));
    const own = triangle + <usize>m * TRIANGLE;
    const t = point + <usize>m * TRIANGLE;
    let isReady = false;
    let first: i32 = -1;
    for (let e = load<i32>(touch + ((<usize>m) << 2)); e < last || first >= 0; e++) {
      // Entries before m are filled by mirrorTouchingValues; an odd one out goes with itself.
      if (e < last && load<i32>(list + ((<usize>e) << 2)) < m) continue;
      if (e < last && first < 0) {
        first = e;
        continue;
      }
      const second = e < last ? e : first;
      if (!isReady) prepare(own, scratch);
      isReady = true;
      const a = point + <usize>load<i32>(list + ((<usize>first) << 2)) * TRIANGLE;
      const b = point + <usize>load<i32>(list + ((<usize>second) << 2)) * TRIANGLE;
      const x0 = pair(a, b, 0);
      const y0 = pair(a, b, 1);
      const z0 = pair(a, b, 2);
      const x1 = pair(a, b, 3);
      const y1 = pair(a, b, 4);
      const z1 = pair(a, b, 5);
      const x2 = pair(a, b, 6);
      const y2 = pair(a, b, 7);
      const z2 = pair(a, b, 8);
      const sum = f64x2.add(
        f64x2.add(potential(own, scratch, x0, y0, z0), potential(own, scratch, x1, y1, z1)),
        potential(own, scratch, x2, y2, z2),
      );
      const mean = f64x2.div(sum, f64x2.mul(f64x2.splat(1.5), splat(scratch, 15)));
      const dx = f64x2.mul(third, f64x2.sub(f64x2.add(f64x2.add(x0, x1), x2), total(t, 0)));
      const dy = f64x2.mul(third, f64x2.sub(f64x2.add(f64x2.add(y0, y1), y2), total(t, 1)));
      const dz = f64x2.mul(third, f64x2.sub(f64x2.add(f64x2.add(z0, z1), z2), total(t, 2)));
      const middles = f64x2.div(f64x2.splat(1), f64x2.sqrt(f64x2.add(dot(dx, dy, dz, dx, dy, dz), soft)));
      const result = f64x2.sub(mean, middles);
      store<f32>(value + ((<usize>first) << 2), <f32>f64x2.extract_lane(result, 0));
      store<f32>(value + ((<usize>second) << 2), <f32>f64x2.extract_lane(result, 1));
      first = -1;
    }
  }
}

/** Sum of a coordinate of the three points of a triangle, in both lanes. */
function total(t: usize, k: usize): v128 {
  return f64x2.add(f64x2.add(splat(t, k), splat(t, k + 3)), splat(t, k + 6));
}

/** Values of the touching pairs (m, g) with g before m: those of (g, m). */
export function mirrorTouchingValues(
  begin: i32,
  end: i32,
  touch: usize,
  stop: usize,
  list: usize,
  value: usize,
): void {
  for (let m = begin; m < end; m++) {
    const last = load<i32>(stop + ((<usize>m) << 2));
    for (let e = load<i32>(touch + ((<usize>m) << 2)); e < last; e++) {
      const g = load<i32>(list + ((<usize>e) << 2));
      if (g > m) continue;
      let from = load<i32>(touch + ((<usize>g) << 2));
      while (load<i32>(list + ((<usize>from) << 2)) !== m) from++;
      store<f32>(value + ((<usize>e) << 2), load<f32>(value + ((<usize>from) << 2)));
    }
  }
}

/**
 * out(sorted[m]) (x 3) += factor (self(m) s(m) + sum over the row of value s) for the places [begin, end).
 * strength: four numbers per place, the last 0.
 */
export function addNearSums(
  begin: i32,
  end: i32,
  factor: f64,
  start: usize,
  stop: usize,
  list: usize,
  value: usize,
  self: usize,
  strength: usize,
  sorted: usize,
  out: usize,
): void {
  for (let m = begin; m < end; m++) {
    const own = strength + <usize>m * STRENGTH;
    const diagonal = v128.load64_splat(self + ((<usize>m) << 3));
    let xy = f64x2.mul(diagonal, v128.load(own));
    let z = f64x2.mul(diagonal, v128.load(own, 16));
    const last = load<i32>(stop + ((<usize>m) << 2));
    for (let e = load<i32>(start + ((<usize>m) << 2)); e < last; e++) {
      const weight = f64x2.splat(<f64>load<f32>(value + ((<usize>e) << 2)));
      const other = strength + <usize>load<i32>(list + ((<usize>e) << 2)) * STRENGTH;
      xy = f64x2.add(xy, f64x2.mul(weight, v128.load(other)));
      z = f64x2.add(z, f64x2.mul(weight, v128.load(other, 16)));
    }
    const to = out + <usize>load<i32>(sorted + ((<usize>m) << 2)) * 24;
    v128.store(to, f64x2.add(v128.load(to), f64x2.mul(f64x2.splat(factor), xy)));
    store<f64>(to, load<f64>(to, 16) + factor * f64x2.extract_lane(z, 0), 16);
  }
}
