/**
 * Pairs of primitives in linear motion that are surely apart, dropped from a list
 * (src/geometry/collision/apart.ts says how, src/geometry/collision/separation.ts why it is certain). Byte
 * offsets: records Int32, x0 and x1 Float64 (vertices x 3) m.
 *
 * The two lanes are the start and the end of the motion: a difference at both is one vector. What belongs to
 * both, such as a direction, stands in both lanes.
 */

const RECORD: usize = 32;
const POINT: usize = 24;
const FIRST_EDGES: i32 = 6;
/** 2^-49, 2^-960 and 1 + 2^-50: as in the plain form. */
const DIRECTION_ERROR: f64 = 1.7763568394002505e-15;
const UNDERFLOW: f64 = 1.0261342003245941e-289;
const LENGTH_UP: f64 = 1.0000000000000009;

function at(x0: usize, x1: usize, v: i32, axis: usize): v128 {
  const o = POINT * <usize>v + (axis << 3);
  return v128.load_lane<f64>(x1 + o, v128.load_zero<f64>(x0 + o), 1);
}

function swap(a: v128): v128 {
  return v128.shuffle<f64>(a, a, 1, 0);
}

/** Start plus end, in both lanes. */
function total(a: v128): v128 {
  return f64x2.add(a, swap(a));
}

/** By how far the box of the first reaches beyond the least of the second, and the other way round. */
function reachOver(highA: v128, lowA: v128, highB: v128, lowB: v128): v128 {
  const high = f64x2.pmax(v128.shuffle<f64>(highA, highB, 0, 2), v128.shuffle<f64>(highA, highB, 1, 3));
  const low = f64x2.pmin(v128.shuffle<f64>(lowB, lowA, 0, 2), v128.shuffle<f64>(lowB, lowA, 1, 3));
  return f64x2.sub(high, low);
}

function widen(reach: v128): v128 {
  const most = f64x2.pmax(reach, swap(reach));
  return f64x2.add(f64x2.mul(f64x2.splat(DIRECTION_ERROR), most), f64x2.splat(UNDERFLOW));
}

function dot(nx: v128, ny: v128, nz: v128, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(nx, x), f64x2.mul(ny, y)), f64x2.mul(nz, z));
}

/** What dots must exceed at the start and at the end. */
function computeLeast(nx: v128, ny: v128, nz: v128, rx: v128, ry: v128, rz: v128, near: v128): v128 {
  const error = f64x2.add(
    dot(f64x2.abs(nx), f64x2.abs(ny), f64x2.abs(nz), rx, ry, rz),
    f64x2.splat(UNDERFLOW),
  );
  return f64x2.add(error, f64x2.mul(near, f64x2.sqrt(dot(nx, ny, nz, nx, ny, nz))));
}

function parts(low: v128, high: v128, least: v128): bool {
  return i64x2.all_true(f64x2.gt(low, least)) | i64x2.all_true(f64x2.lt(high, f64x2.neg(least)));
}

function areEdgesApart(x0: usize, x1: usize, a: i32, b: i32, c: i32, d: i32, near: v128, apart: v128): bool {
  const ax = at(x0, x1, a, 0);
  const ay = at(x0, x1, a, 1);
  const az = at(x0, x1, a, 2);
  const bx = at(x0, x1, b, 0);
  const by = at(x0, x1, b, 1);
  const bz = at(x0, x1, b, 2);
  const cx = at(x0, x1, c, 0);
  const cy = at(x0, x1, c, 1);
  const cz = at(x0, x1, c, 2);
  const dx = at(x0, x1, d, 0);
  const dy = at(x0, x1, d, 1);
  const dz = at(x0, x1, d, 2);
  const overX = reachOver(f64x2.pmax(ax, bx), f64x2.pmin(ax, bx), f64x2.pmax(cx, dx), f64x2.pmin(cx, dx));
  const overY = reachOver(f64x2.pmax(ay, by), f64x2.pmin(ay, by), f64x2.pmax(cy, dy), f64x2.pmin(cy, dy));
  const overZ = reachOver(f64x2.pmax(az, bz), f64x2.pmin(az, bz), f64x2.pmax(cz, dz), f64x2.pmin(cz, dz));
  if (v128.any_true(f64x2.lt(f64x2.pmin(f64x2.pmin(overX, overY), overZ), apart))) return true;
  const rx = widen(overX);
  const ry = widen(overY);
  const rz = widen(overZ);

  const acx = f64x2.sub(ax, cx);
  const acy = f64x2.sub(ay, cy);
  const acz = f64x2.sub(az, cz);
  const adx = f64x2.sub(ax, dx);
  const ady = f64x2.sub(ay, dy);
  const adz = f64x2.sub(az, dz);
  const bcx = f64x2.sub(bx, cx);
  const bcy = f64x2.sub(by, cy);
  const bcz = f64x2.sub(bz, cz);
  const bdx = f64x2.sub(bx, dx);
  const bdy = f64x2.sub(by, dy);
  const bdz = f64x2.sub(bz, dz);
  let nx = total(f64x2.add(acx, bdx));
  let ny = total(f64x2.add(acy, bdy));
  let nz = total(f64x2.add(acz, bdz));
  for (let attempt: i32 = 0; ; attempt++) {
    const ac = dot(nx, ny, nz, acx, acy, acz);
    const ad = dot(nx, ny, nz, adx, ady, adz);
    const bc = dot(nx, ny, nz, bcx, bcy, bcz);
    const bd = dot(nx, ny, nz, bdx, bdy, bdz);
    const low = f64x2.pmin(f64x2.pmin(ac, ad), f64x2.pmin(bc, bd));
    const high = f64x2.pmax(f64x2.pmax(ac, ad), f64x2.pmax(bc, bd));
    if (parts(low, high, computeLeast(nx, ny, nz, rx, ry, rz, near))) return true;
    if (attempt === 1) break;
    const ux = total(f64x2.sub(bcx, acx));
    const uy = total(f64x2.sub(bcy, acy));
    const uz = total(f64x2.sub(bcz, acz));
    const wx = total(f64x2.sub(adx, acx));
    const wy = total(f64x2.sub(ady, acy));
    const wz = total(f64x2.sub(adz, acz));
    nx = f64x2.sub(f64x2.mul(uy, wz), f64x2.mul(uz, wy));
    ny = f64x2.sub(f64x2.mul(uz, wx), f64x2.mul(ux, wz));
    nz = f64x2.sub(f64x2.mul(ux, wy), f64x2.mul(uy, wx));
  }
  return false;
}

function isVertexApart(x0: usize, x1: usize, v: i32, a: i32, b: i32, c: i32, near: v128, apart: v128): bool {
  const vx = at(x0, x1, v, 0);
  const vy = at(x0, x1, v, 1);
  const vz = at(x0, x1, v, 2);
  const ax = at(x0, x1, a, 0);
  const ay = at(x0, x1, a, 1);
  const az = at(x0, x1, a, 2);
  const bx = at(x0, x1, b, 0);
  const by = at(x0, x1, b, 1);
  const bz = at(x0, x1, b, 2);
  const cx = at(x0, x1, c, 0);
  const cy = at(x0, x1, c, 1);
  const cz = at(x0, x1, c, 2);
  const overX = reachOver(vx, vx, f64x2.pmax(f64x2.pmax(ax, bx), cx), f64x2.pmin(f64x2.pmin(ax, bx), cx));
  const overY = reachOver(vy, vy, f64x2.pmax(f64x2.pmax(ay, by), cy), f64x2.pmin(f64x2.pmin(ay, by), cy));
  const overZ = reachOver(vz, vz, f64x2.pmax(f64x2.pmax(az, bz), cz), f64x2.pmin(f64x2.pmin(az, bz), cz));
  if (v128.any_true(f64x2.lt(f64x2.pmin(f64x2.pmin(overX, overY), overZ), apart))) return true;
  const rx = widen(overX);
  const ry = widen(overY);
  const rz = widen(overZ);

  const pax = f64x2.sub(vx, ax);
  const pay = f64x2.sub(vy, ay);
  const paz = f64x2.sub(vz, az);
  const pbx = f64x2.sub(vx, bx);
  const pby = f64x2.sub(vy, by);
  const pbz = f64x2.sub(vz, bz);
  const pcx = f64x2.sub(vx, cx);
  const pcy = f64x2.sub(vy, cy);
  const pcz = f64x2.sub(vz, cz);
  let nx = total(f64x2.add(f64x2.add(pax, pbx), pcx));
  let ny = total(f64x2.add(f64x2.add(pay, pby), pcy));
  let nz = total(f64x2.add(f64x2.add(paz, pbz), pcz));
  for (let attempt: i32 = 0; ; attempt++) {
    const pa = dot(nx, ny, nz, pax, pay, paz);
    const pb = dot(nx, ny, nz, pbx, pby, pbz);
    const pc = dot(nx, ny, nz, pcx, pcy, pcz);
    const low = f64x2.pmin(f64x2.pmin(pa, pb), pc);
    const high = f64x2.pmax(f64x2.pmax(pa, pb), pc);
    if (parts(low, high, computeLeast(nx, ny, nz, rx, ry, rz, near))) return true;
    if (attempt === 2) break;
    // Twice the differences half-way, and the edges between them.
    const mx = total(pax);
    const my = total(pay);
    const mz = total(paz);
    const ux = f64x2.sub(total(pbx), mx);
    const uy = f64x2.sub(total(pby), my);
    const uz = f64x2.sub(total(pbz), mz);
    const wx = f64x2.sub(total(pcx), mx);
    const wy = f64x2.sub(total(pcy), my);
    const wz = f64x2.sub(total(pcz), mz);
    if (attempt === 1) {
      nx = f64x2.sub(f64x2.mul(uy, wz), f64x2.mul(uz, wy));
      ny = f64x2.sub(f64x2.mul(uz, wx), f64x2.mul(ux, wz));
      nz = f64x2.sub(f64x2.mul(ux, wy), f64x2.mul(uy, wx));
      continue;
    }
    // From the edge that is nearest along the mean: of its two corners' differences, the part perpendicular
    // to it.
    const atA = total(pa);
    const atB = total(pb);
    const atC = total(pc);
    const isC = v128.and(f64x2.ge(atC, atA), f64x2.ge(atC, atB));
    const isA = v128.andnot(f64x2.ge(atA, atB), isC);
    const ex = v128.bitselect(ux, v128.bitselect(f64x2.sub(wx, ux), wx, isA), isC);
    const ey = v128.bitselect(uy, v128.bitselect(f64x2.sub(wy, uy), wy, isA), isC);
    const ez = v128.bitselect(uz, v128.bitselect(f64x2.sub(wz, uz), wz, isA), isC);
    const fx = v128.bitselect(f64x2.add(mx, wx), mx, isA);
    const fy = v128.bitselect(f64x2.add(my, wy), my, isA);
    const fz = v128.bitselect(f64x2.add(mz, wz), mz, isA);
    const along = f64x2.div(dot(ex, ey, ez, fx, fy, fz), dot(ex, ey, ez, ex, ey, ez));
    nx = f64x2.sub(fx, f64x2.mul(along, ex));
    ny = f64x2.sub(fy, f64x2.mul(along, ey));
    nz = f64x2.sub(fz, f64x2.mul(along, ez));
  }
  return false;
}

/**
 * Keeps of the records [begin, end) those that are not surely apart, in their order, from `begin` on; returns
 * how many.
 */
export function dropApart(
  begin: i32,
  end: i32,
  records: usize,
  x0: usize,
  x1: usize,
  near0: f64,
  near1: f64,
): i32 {
  const near = f64x2.mul(f64x2.splat(LENGTH_UP), f64x2.replace_lane(f64x2.splat(near0), 1, near1));
  const apart = f64x2.neg(f64x2.pmax(near, swap(near)));
  const first = records + RECORD * <usize>begin;
  const last = records + RECORD * <usize>end;
  let to = first;
  for (let o = first; o < last; o += RECORD) {
    const a = load<i32>(o, 12);
    const b = load<i32>(o, 16);
    const c = load<i32>(o, 20);
    const d = load<i32>(o, 24);
    let isApart: bool;
    if (load<i32>(o, 8) >= FIRST_EDGES) {
      const p = min(a, b);
      const q = min(c, d);
      isApart =
        p <= q
          ? areEdgesApart(x0, x1, p, a + b - p, q, c + d - q, near, apart)
          : areEdgesApart(x0, x1, q, c + d - q, p, a + b - p, near, apart);
    } else {
      const low = min(min(b, c), d);
      const high = max(max(b, c), d);
      isApart = isVertexApart(x0, x1, a, low, b + c + d - low - high, high, near, apart);
    }
    if (isApart) continue;
    if (to !== o) {
      v128.store(to, v128.load(o));
      v128.store(to, v128.load(o, 16), 16);
    }
    to += RECORD;
  }
  return <i32>((to - first) / RECORD);
}
