/**
 * The skin of particles (src/tracking/skinning): which elements of the hulls of linked balls may be seen, and
 * the value of a skin at points. Plain forms, and what it all means: src/tracking/skinning/stars.ts and
 * src/tracking/skinning/value.ts.
 *
 * Byte offsets: ball, width, near, table, point, bound, value Float64; shape, box Float32; all others Int32.
 * Scratch belongs to the call.
 */

/** Stars of a call: src/tracking/skinning/stars.ts. */
const STARS: i32 = 256;
const LINK: f64 = 2;
const LEAST_SHARE: f64 = 0.5;
const CELL: f64 = 2;
const SECTORS: usize = 8;
const OUTER: f64 = 1.4;

function hashCell(level: i32, i: i32, j: i32, k: i32): i32 {
  let h = (i * 0x9e3779b1) ^ (j * 0x85ebca6b) ^ (k * 0xc2b2ae35) ^ (level * 0x27d4eb2f);
  h = (h ^ (h >>> 15)) * 0x2c1b3c6d;
  return h ^ (h >>> 13);
}

/** How far c lies outside of cell i. */
function gap(c: f64, i: i32, edge: f64): f64 {
  return max(0, max(<f64>i * edge - c, c - (<f64>i + 1) * edge));
}

/**
 * Elements of the stars of balls first + [begin, end), to `out` from a place of the call's own on, at most
 * `room` numbers; size tells how many each star has. needed: the room that the call would have needed, and
 * the links that a ball has where they are more than `most`: then the call ends early.
 */
export function buildStars(
  begin: i32,
  end: i32,
  first: i32,
  room: i32,
  most: i32,
  x: f64,
  y: f64,
  z: f64,
  classes: i32,
  mask: i32,
  ball: usize,
  near: usize,
  slot: usize,
  cell: usize,
  cellStart: usize,
  member: usize,
  width: usize,
  inClass: usize,
  table: usize,
  out: usize,
  size: usize,
  needed: usize,
  scratch: usize,
): void {
  const call = begin / STARS;
  const start = call * room;
  const limit = start + room;
  const words = (most + 31) >> 5;
  const row = (<usize>words) << 2;
  const column = (<usize>most) << 3;
  // found, larger, linked, then w: columns x, y, z and q.
  const found = scratch + <usize>call * (<usize>most * 36 + row * (<usize>most + 1));
  const w = found + ((<usize>most) << 2);
  const larger = w + 4 * column;
  const linked = larger + row;
  let at = start;
  for (let n = begin; n < end; n++) {
    const a = first + n;
    const own = ball + ((<usize>a) << 5);
    const ax = load<f64>(own);
    const ay = load<f64>(own, 8);
    const az = load<f64>(own, 16);
    const ar = load<f64>(own, 24);
    let count: i32 = 0;
    let isHidden = false;
    memory.fill(larger, 0, row);
    for (let level = 0; level < classes; level++) {
      const widest = load<f64>(width + ((<usize>level) << 3));
      if (load<i32>(inClass + ((<usize>level) << 2)) === 0 || widest < LEAST_SHARE * ar) continue;
      const edge = CELL * widest;
      const per = 1 / edge;
      const far = LINK * (ar + widest) * (1 + 1e-9);
      const cx = ax - x;
      const cy = ay - y;
      const cz = az - z;
      const i0 = <i32>floor((cx - far) * per);
      const i1 = <i32>floor((cx + far) * per);
      const j0 = <i32>floor((cy - far) * per);
      const j1 = <i32>floor((cy + far) * per);
      const k0 = <i32>floor((cz - far) * per);
      const k1 = <i32>floor((cz + far) * per);
      const reach = far * far * (1 + 1e-9);
      for (let k = k0; k <= k1; k++) {
        const gz = gap(cz, k, edge);
        for (let j = j0; j <= j1; j++) {
          const gy = gap(cy, j, edge);
          const across = gz * gz + gy * gy;
          if (across > reach) continue;
          for (let i = i0; i <= i1; i++) {
            const gx = gap(cx, i, edge);
            if (across + gx * gx > reach) continue;
            let s = hashCell(level, i, j, k) & mask;
            let c: i32;
            for (;;) {
              c = load<i32>(slot + ((<usize>s) << 2));
              if (c < 0) break;
              const place = cell + ((<usize>c) << 4);
              if (
                load<i32>(place) === level &&
                load<i32>(place, 4) === i &&
                load<i32>(place, 8) === j &&
                load<i32>(place, 12) === k
              )
                break;
              s = (s + 1) & mask;
            }
            if (c < 0) continue;
            const last = load<i32>(cellStart + ((<usize>c) << 2), 4);
            for (let m = load<i32>(cellStart + ((<usize>c) << 2)); m < last; m++) {
              const other = near + ((<usize>m) << 5);
              const br = load<f64>(other, 24);
              if (br < LEAST_SHARE * ar) continue;
              const dx = load<f64>(other) - ax;
              const dy = load<f64>(other, 8) - ay;
              const dz = load<f64>(other, 16) - az;
              const square = dx * dx + dy * dy + dz * dz;
              const farthest = LINK * (ar + br);
              if (!(square < farthest * farthest)) continue;
              const b = load<i32>(member + ((<usize>m) << 2));
              if (b === a) continue;
              const q = br - ar;
              const isLarger = q > 0 || (q === 0 && b > a);
              if (square <= q * q) {
                if (q > 0 || (q === 0 && b < a)) isHidden = true;
                continue;
              }
              if (count < most) {
                store<i32>(found + ((<usize>count) << 2), b);
                const to = w + ((<usize>count) << 3);
                store<f64>(to, dx);
                store<f64>(to + column, dy);
                store<f64>(to + 2 * column, dz);
                store<f64>(to + 3 * column, q);
                if (isLarger) {
                  const word = larger + ((<usize>(count >> 5)) << 2);
                  store<i32>(word, load<i32>(word) | (1 << (count & 31)));
                }
              }
              count++;
            }
          }
        }
      }
    }
    if (count > most) {
      store<i32>(needed + ((<usize>call) << 3), count, 4);
      return;
    }
    store<i32>(size + ((<usize>a) << 2), 0);
    if (isHidden) continue;
    const used = (count + 31) >> 5;
    link(count, ar, w, column, larger, linked, row, used);
    const before = at;
    for (let b = 0; b < count; b++) {
      if (!((load<i32>(larger + ((<usize>(b >> 5)) << 2)) >> (b & 31)) & 1)) continue;
      const partner = load<i32>(found + ((<usize>b) << 2));
      const links = linked + <usize>b * row;
      if (isPairSeen(b, w, column, links, used, table)) at = put(out, at, limit, partner, -1);
      for (let word = b >> 5; word < used; word++) {
        let bits = load<i32>(links + ((<usize>word) << 2)) & load<i32>(larger + ((<usize>word) << 2));
        if (word === b >> 5) bits &= -2 << (b & 31);
        for (; bits; bits &= bits - 1) {
          const c = 32 * word + ctz(bits);
          const sides = findSeenSides(b, c, w, column, links, linked + <usize>c * row, used);
          if (sides === 0) continue;
          const third = load<i32>(found + ((<usize>c) << 2));
          if (sides & 1) at = put(out, at, limit, partner, 2 * third);
          if (sides & 2) at = put(out, at, limit, partner, 2 * third + 1);
        }
      }
    }
    if (at > before || isBallSeen(count, w, column, table)) at = put(out, at, limit, -1, -1);
    store<i32>(size + ((<usize>a) << 2), at - before);
  }
  store<i32>(needed + ((<usize>call) << 3), at - start);
}

function put(out: usize, at: i32, limit: i32, one: i32, two: i32): i32 {
  if (at + 1 < limit) {
    store<i32>(out + ((<usize>at) << 2), one);
    store<i32>(out + ((<usize>at) << 2), two, 4);
  }
  return at + 2;
}

/** Rows of bits: with whom of the balls around each larger one is linked. */
function link(
  count: i32,
  r: f64,
  w: usize,
  column: usize,
  larger: usize,
  linked: usize,
  row: usize,
  used: i32,
): void {
  const twice = f64x2.splat(2 * r);
  const two = f64x2.splat(LINK);
  for (let b = 0; b < count; b++) {
    if (!((load<i32>(larger + ((<usize>(b >> 5)) << 2)) >> (b & 31)) & 1)) continue;
    const own = w + ((<usize>b) << 3);
    const bx = v128.load64_splat(own);
    const by = v128.load64_splat(own + column);
    const bz = v128.load64_splat(own + 2 * column);
    const bq = f64x2.add(twice, v128.load64_splat(own + 3 * column));
    const links = linked + <usize>b * row;
    for (let word = 0; word < used; word++) {
      const last = min(count, 32 * word + 32);
      let bits: i32 = 0;
      for (let c = 32 * word; c < last; c += 2) {
        const other = w + ((<usize>c) << 3);
        const x = f64x2.sub(bx, v128.load(other));
        const y = f64x2.sub(by, v128.load(other + column));
        const z = f64x2.sub(bz, v128.load(other + 2 * column));
        const most = f64x2.mul(two, f64x2.add(bq, v128.load(other + 3 * column)));
        const square = f64x2.add(f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y)), f64x2.mul(z, z));
        bits |= i64x2.bitmask(f64x2.lt(square, f64x2.mul(most, most))) << (c & 31);
      }
      if (last < 32 * word + 32) bits &= (1 << (last & 31)) - 1;
      if (word === b >> 5) bits &= ~(1 << (b & 31));
      store<i32>(links + ((<usize>word) << 2), bits);
    }
  }
}

function findSeenSides(b: i32, c: i32, w: usize, column: usize, ofB: usize, ofC: usize, used: i32): i32 {
  const atB = w + ((<usize>b) << 3);
  const atC = w + ((<usize>c) << 3);
  const px = load<f64>(atB);
  const py = load<f64>(atB + column);
  const pz = load<f64>(atB + 2 * column);
  const dp = load<f64>(atB + 3 * column);
  const qx = load<f64>(atC);
  const qy = load<f64>(atC + column);
  const qz = load<f64>(atC + 2 * column);
  const dq = load<f64>(atC + 3 * column);
  const pp = px * px + py * py + pz * pz;
  const pq = px * qx + py * qy + pz * qz;
  const qq = qx * qx + qy * qy + qz * qz;
  const determinant = pp * qq - pq * pq;
  if (!(determinant > 1e-10 * pp * qq)) return 0;
  const gp = (pq * dq - qq * dp) / determinant;
  const gq = (pq * dp - pp * dq) / determinant;
  const steep = -gp * dp - gq * dq;
  if (!(steep < 1)) return 0;
  const across = sqrt((1 - steep) / determinant);
  const gx = gp * px + gq * qx;
  const gy = gp * py + gq * qy;
  const gz = gp * pz + gq * qz;
  const mx = across * (py * qz - pz * qy);
  const my = across * (pz * qx - px * qz);
  const mz = across * (px * qy - py * qx);
  let seen: i32 = 3;
  for (let word = 0; word < used; word++) {
    let bits = load<i32>(ofB + ((<usize>word) << 2)) & load<i32>(ofC + ((<usize>word) << 2));
    for (; bits; bits &= bits - 1) {
      const at = w + ((<usize>(32 * word + ctz(bits))) << 3);
      const dx = load<f64>(at);
      const dy = load<f64>(at + column);
      const dz = load<f64>(at + 2 * column);
      const along = gx * dx + gy * dy + gz * dz + load<f64>(at + 3 * column);
      const over = mx * dx + my * dy + mz * dz;
      if (along + over > 0) seen &= 2;
      if (along - over > 0) seen &= 1;
      if (seen === 0) return 0;
    }
  }
  return seen;
}

/** base + x cos + y sin of eight directions, as bits: where it is positive. */
function reachBeyond(base: f64, x: f64, y: f64, cos: usize, sin: usize): i32 {
  const b = f64x2.splat(base);
  const u = f64x2.splat(x);
  const v = f64x2.splat(y);
  const zero = f64x2.splat(0);
  let bits: i32 = 0;
  for (let s: usize = 0; s < SECTORS; s += 2) {
    const sum = f64x2.add(
      f64x2.add(b, f64x2.mul(u, v128.load(cos + (s << 3)))),
      f64x2.mul(v, v128.load(sin + (s << 3))),
    );
    bits |= i64x2.bitmask(f64x2.gt(sum, zero)) << (<i32>s);
  }
  return bits;
}

function isPairSeen(b: i32, w: usize, column: usize, links: usize, used: i32, table: usize): bool {
  const own = w + ((<usize>b) << 3);
  const bx = load<f64>(own);
  const by = load<f64>(own + column);
  const bz = load<f64>(own + 2 * column);
  const length = sqrt(bx * bx + by * by + bz * bz);
  const ex = bx / length;
  const ey = by / length;
  const ez = bz / length;
  const slope = load<f64>(own + 3 * column) / length;
  const k = sqrt(1 - slope * slope);
  let ux: f64 = 0;
  let uy = -ez;
  let uz = ey;
  if (abs(ex) > 0.6) {
    ux = ez;
    uy = 0;
    uz = -ex;
  }
  const unit = k / sqrt(ux * ux + uy * uy + uz * uz);
  ux *= unit;
  uy *= unit;
  uz *= unit;
  const vx = ey * uz - ez * uy;
  const vy = ez * ux - ex * uz;
  const vz = ex * uy - ey * ux;
  let free: i32 = 255;
  for (let word = 0; word < used; word++) {
    let bits = load<i32>(links + ((<usize>word) << 2));
    for (; bits; bits &= bits - 1) {
      const at = w + ((<usize>(32 * word + ctz(bits))) << 3);
      const dx = load<f64>(at);
      const dy = load<f64>(at + column);
      const dz = load<f64>(at + 2 * column);
      const base = load<f64>(at + 3 * column) - slope * (ex * dx + ey * dy + ez * dz);
      const x = ux * dx + uy * dy + uz * dz;
      const y = vx * dx + vy * dy + vz * dz;
      const inner = reachBeyond(base, x, y, table, table + (SECTORS << 3));
      const pairs = inner & ((inner >> 1) | (inner << 7)) & free;
      if (!pairs) continue;
      free &= ~(pairs & reachBeyond(base, x, y, table + (SECTORS << 4), table + 3 * (SECTORS << 3)));
      if (!free) return false;
    }
  }
  return true;
}

function isBallSeen(count: i32, w: usize, column: usize, table: usize): bool {
  const direction = table + 4 * (SECTORS << 3);
  const patches = direction + 81 * 8;
  let free: i32 = (1 << 24) - 1;
  for (let b = 0; b < count && free; b++) {
    const at = w + ((<usize>b) << 3);
    const dx = load<f64>(at);
    const dy = load<f64>(at + column);
    const dz = load<f64>(at + 2 * column);
    const q = load<f64>(at + 3 * column);
    let beyond: i32 = 0;
    for (let n = 0; n < 27; n++) {
      const d = direction + <usize>n * 24;
      const along = load<f64>(d) * dx + load<f64>(d, 8) * dy + load<f64>(d, 16) * dz;
      if (min(along, OUTER * along) + q > 0) beyond |= 1 << n;
    }
    for (let n = 0; n < 24; n++) {
      const patch = <i32>load<f64>(patches + ((<usize>n) << 3));
      if ((beyond & patch) === patch) free &= ~(1 << n);
    }
  }
  return free !== 0;
}

/**
 * Points of a call: src/tracking/skinning/value.ts. Bytes of an entry of the stack, and of a call's stack.
 */
const POINTS: i32 = 128;
const ENTRY: usize = 12;
const STACK_BYTES: usize = 80 * 12;
const SAFE: f32 = 0.999999;
const SLACK: f64 = 1e-5;
/** A bound above this: the point is not asked. */
const SKIP: f64 = 1e300;
/** A value is no less than the last one less the way to it, and a little. */
const FOLLOW: f64 = 1.000001;

/** value: the largest over the elements, or bound where that is more; element: which has it, or -1. The search ends with the first element that holds the point.
 * Each starts from the element given, if any. follows: the values have slopes of 1 at most, so each point starts from the last one's answer instead. */
export function findSkinValues(
  begin: i32,
  end: i32,
  x: f64,
  y: f64,
  z: f64,
  follows: i32,
  levels: i32,
  ball: usize,
  owner: usize,
  partner: usize,
  shape: usize,
  levelStart: usize,
  box: usize,
  point: usize,
  bound: usize,
  value: usize,
  element: usize,
  scratch: usize,
): void {
  const stack = scratch + <usize>(begin / POINTS) * STACK_BYTES;
  const zero = f32x4.splat(0);
  const safe = f32x4.splat(SAFE);
  let before: f64 = 0;
  let guess: i32 = -1;
  let lastX: f64 = 0;
  let lastY: f64 = 0;
  let lastZ: f64 = 0;
  for (let n = begin; n < end; n++) {
    let best = load<f64>(bound + ((<usize>n) << 3));
    if (best > SKIP) continue;
    const px = load<f64>(point + <usize>n * 24);
    const py = load<f64>(point + <usize>n * 24, 8);
    const pz = load<f64>(point + <usize>n * 24, 16);
    if (follows && before < 0) {
      const mx = px - lastX;
      const my = py - lastY;
      const mz = pz - lastZ;
      best = max(best, before - sqrt(mx * mx + my * my + mz * mz) * FOLLOW);
    }
    const fx = f32x4.splat(<f32>(px - x));
    const fy = f32x4.splat(<f32>(py - y));
    const fz = f32x4.splat(<f32>(pz - z));
    let which: i32 = -1;
    let limit = <f32>(best * best);
    if (!follows) guess = load<i32>(element + ((<usize>n) << 2));
    if (guess >= 0 && levels > 0 && best < 0) {
      const found = evaluateElement(guess, ball, owner, partner, shape, px, py, pz);
      if (found > best) {
        best = found;
        which = guess;
        limit = <f32>(best * best);
      }
    }
    let top = stack;
    if (levels > 0 && best < 0) {
      store<i32>(top, levels - 1);
      store<i32>(top, 0, 4);
      store<f32>(top, 0, 8);
      top += ENTRY;
    }
    while (top > stack) {
      top -= ENTRY;
      if (!(load<f32>(top, 8) < limit)) continue;
      const level = load<i32>(top);
      const own = load<i32>(top, 4);
      if (level < 0) {
        const found = evaluateElement(own, ball, owner, partner, shape, px, py, pz);
        if (found > best) {
          best = found;
          which = own;
          limit = <f32>(best * best);
          if (best >= 0) break;
        }
        continue;
      }
      const at = box + <usize>(load<i32>(levelStart + ((<usize>level) << 2)) + own) * 96;
      const dx = f32x4.max(zero, f32x4.max(f32x4.sub(v128.load(at), fx), f32x4.sub(fx, v128.load(at, 48))));
      const dy = f32x4.max(
        zero,
        f32x4.max(f32x4.sub(v128.load(at, 16), fy), f32x4.sub(fy, v128.load(at, 64))),
      );
      const dz = f32x4.max(
        zero,
        f32x4.max(f32x4.sub(v128.load(at, 32), fz), f32x4.sub(fz, v128.load(at, 80))),
      );
      const square = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
      const far = f32x4.mul(square, safe);
      const mask = i32x4.bitmask(f32x4.lt(far, f32x4.splat(limit)));
      const from = top;
      if (mask & 1) top = push(from, top, level - 1, 4 * own, f32x4.extract_lane(far, 0));
      if (mask & 2) top = push(from, top, level - 1, 4 * own + 1, f32x4.extract_lane(far, 1));
      if (mask & 4) top = push(from, top, level - 1, 4 * own + 2, f32x4.extract_lane(far, 2));
      if (mask & 8) top = push(from, top, level - 1, 4 * own + 3, f32x4.extract_lane(far, 3));
    }
    store<f64>(value + ((<usize>n) << 3), best);
    store<i32>(element + ((<usize>n) << 2), which);
    before = best;
    guess = which;
    lastX = px;
    lastY = py;
    lastZ = pz;
  }
}

/** Puts an entry among those from `from` on, the nearest last. */
function push(from: usize, top: usize, level: i32, node: i32, far: f32): usize {
  let to = top;
  for (; to > from && load<f32>(to - ENTRY, 8) < far; to -= ENTRY) {
    store<i32>(to, load<i32>(to - ENTRY, 4), 4);
    store<f32>(to, load<f32>(to - ENTRY, 8), 8);
  }
  store<i32>(to, node, 4);
  store<f32>(to, far, 8);
  store<i32>(top, level);
  return top + ENTRY;
}

function evaluateElement(
  e: i32,
  ball: usize,
  owner: usize,
  partner: usize,
  shape: usize,
  x: f64,
  y: f64,
  z: f64,
): f64 {
  const own = load<i32>(owner + ((<usize>e) << 2));
  const kind = own & 3;
  const a = ball + ((<usize>(own >> 2)) << 5);
  const dx = x - load<f64>(a);
  const dy = y - load<f64>(a, 8);
  const dz = z - load<f64>(a, 16);
  const r = load<f64>(a, 24);
  const f = shape + <usize>e * 48;
  if (kind === 2) {
    const s = <f64>load<f32>(f, 16) * dx + <f64>load<f32>(f, 20) * dy + <f64>load<f32>(f, 24) * dz;
    const t = <f64>load<f32>(f, 32) * dx + <f64>load<f32>(f, 36) * dy + <f64>load<f32>(f, 40) * dz;
    if (!(s >= -SLACK && t >= -SLACK && s + t <= 1 + SLACK)) return -Infinity;
    const value = r - (<f64>load<f32>(f) * dx + <f64>load<f32>(f, 4) * dy + <f64>load<f32>(f, 8) * dz);
    const most = (r + s * <f64>load<f32>(f, 28) + t * <f64>load<f32>(f, 44)) * (1 + SLACK);
    return value <= most ? value : -Infinity;
  }
  if (kind === 3) return -sqrt(measureTriangle(e, a, ball, partner, dx, dy, dz));
  const square = dx * dx + dy * dy + dz * dz;
  if (kind === 1) {
    const length = <f64>load<f32>(f, 12);
    const slope = <f64>load<f32>(f, 16);
    const cosine = <f64>load<f32>(f, 20);
    const along = <f64>load<f32>(f) * dx + <f64>load<f32>(f, 4) * dy + <f64>load<f32>(f, 8) * dz;
    const away = sqrt(max(0, square - along * along));
    const t = along * cosine + away * slope;
    const slack = SLACK * length;
    if (!(t >= -slack && t <= length * cosine + slack)) return -Infinity;
    return r + slope * along - away * cosine;
  }
  return r - sqrt(square);
}

function measureTriangle(e: i32, a: usize, ball: usize, partner: usize, dx: f64, dy: f64, dz: f64): f64 {
  const b = ball + ((<usize>load<i32>(partner + ((<usize>e) << 3))) << 5);
  const c = ball + ((<usize>load<i32>(partner + ((<usize>e) << 3), 4)) << 5);
  const px = load<f64>(b) - load<f64>(a);
  const py = load<f64>(b, 8) - load<f64>(a, 8);
  const pz = load<f64>(b, 16) - load<f64>(a, 16);
  const qx = load<f64>(c) - load<f64>(a);
  const qy = load<f64>(c, 8) - load<f64>(a, 8);
  const qz = load<f64>(c, 16) - load<f64>(a, 16);
  const nx = py * qz - pz * qy;
  const ny = pz * qx - px * qz;
  const nz = px * qy - py * qx;
  const nn = nx * nx + ny * ny + nz * nz;
  const s = dx * (qy * nz - qz * ny) + dy * (qz * nx - qx * nz) + dz * (qx * ny - qy * nx);
  const t = dx * (ny * pz - nz * py) + dy * (nz * px - nx * pz) + dz * (nx * py - ny * px);
  if (nn > 0 && s >= 0 && t >= 0 && s + t <= nn) {
    const height = dx * nx + dy * ny + dz * nz;
    return (height * height) / nn;
  }
  const one = measureSegment(dx, dy, dz, px, py, pz);
  const two = measureSegment(dx, dy, dz, qx, qy, qz);
  return min(min(one, two), measureSegment(dx - px, dy - py, dz - pz, qx - px, qy - py, qz - pz));
}

function measureSegment(x: f64, y: f64, z: f64, ex: f64, ey: f64, ez: f64): f64 {
  const square = ex * ex + ey * ey + ez * ez;
  const along = x * ex + y * ey + z * ez;
  const t = square > 0 ? min(1, max(0, along / square)) : 0;
  const dx = x - t * ex;
  const dy = y - t * ey;
  const dz = z - t * ez;
  return dx * dx + dy * dy + dz * dz;
}
