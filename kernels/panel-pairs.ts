/**
 * Layer potentials of a triangle at the points of a rule on another, summed: near pairs of Galerkin's form (src/integrals/panels/near-both.ts), and
 * the far rule over all pairs of faces (src/integrals/panels/full-matrices.ts). The closed forms are those of src/integrals/panels/panel-potentials.ts;
 * two points at a time, logarithm and arctangent from lane-functions.ts.
 *
 * Byte offsets: near, code, tableStart Int32; of fillRows position, normal, weight, single, double Float32, triangle Int32; all others Float64. A table holds
 * points two at a time: two weights for each corner, two shares. `near` are rows (src/integrals/panels/near-list.ts).
 */
import { atan2Lanes, logLanes } from './lane-functions';

/** Bytes of a panel, and of two points of a table. */
const PANEL: usize = 272;
const POINTS: usize = 64;
const ON_EDGE: f64 = 1e-26;
const IN_PLANE: f64 = 1e-10;

function splat(at: usize): v128 {
  return v128.load64_splat(at);
}

/** out (4 per pair): single layer, double layer of the three corners, means over the outer triangle. */
export function sumPanelPairs(
  begin: i32,
  end: i32,
  near: usize,
  code: usize,
  panel: usize,
  tableStart: usize,
  table: usize,
  out: usize,
): void {
  const first = load<i32>(near);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  for (let f = begin; f < end; f++) {
    const own = panel + <usize>f * PANEL;
    const p0x = splat(own);
    const p0y = splat(own + 8);
    const p0z = splat(own + 16);
    const p1x = splat(own + 24);
    const p1y = splat(own + 32);
    const p1z = splat(own + 40);
    const p2x = splat(own + 48);
    const p2y = splat(own + 56);
    const p2z = splat(own + 64);
    const last = load<i32>(near + ((<usize>(f + 1)) << 2));
    for (let n = load<i32>(near + ((<usize>f) << 2)); n < last; n++) {
      const entry = n - first;
      const t = panel + <usize>load<i32>(near + ((<usize>n) << 2)) * PANEL;
      const to = out + ((<usize>entry) << 5);
      const twice = load<f64>(t, 264);
      const which = load<i32>(code + ((<usize>entry) << 2));
      if (which < 0 || twice === 0) {
        store<f64>(to, 0);
        store<f64>(to, 0, 8);
        store<f64>(to, 0, 16);
        store<f64>(to, 0, 24);
        continue;
      }
      const longest = max(load<f64>(t, 240), max(load<f64>(t, 248), load<f64>(t, 256)));
      const flat = f64x2.splat(IN_PLANE * longest);
      const double = f64x2.splat(twice);
      // Products of the edges' normals: 0 with 1, 1 with 2, 2 with 0.
      const c01 =
        load<f64>(t, 96) * load<f64>(t, 120) +
        load<f64>(t, 104) * load<f64>(t, 128) +
        load<f64>(t, 112) * load<f64>(t, 136);
      const c12 =
        load<f64>(t, 120) * load<f64>(t, 144) +
        load<f64>(t, 128) * load<f64>(t, 152) +
        load<f64>(t, 136) * load<f64>(t, 160);
      const c20 =
        load<f64>(t, 144) * load<f64>(t, 96) +
        load<f64>(t, 152) * load<f64>(t, 104) +
        load<f64>(t, 160) * load<f64>(t, 112);
      const s0 = -load<f64>(t, 248) / twice;
      const s1 = -load<f64>(t, 256) / twice;
      const s2 = -load<f64>(t, 240) / twice;
      let sumS = zero;
      let sum0 = zero;
      let sum1 = zero;
      let sum2 = zero;
      const stop = table + <usize>load<i32>(tableStart + ((<usize>(which + 1)) << 2)) * POINTS;
      for (
        let q = table + <usize>load<i32>(tableStart + ((<usize>which) << 2)) * POINTS;
        q < stop;
        q += POINTS
      ) {
        const wa = v128.load(q);
        const wb = v128.load(q, 16);
        const wc = v128.load(q, 32);
        const share = v128.load(q, 48);
        const x = f64x2.add(f64x2.add(f64x2.mul(wa, p0x), f64x2.mul(wb, p1x)), f64x2.mul(wc, p2x));
        const y = f64x2.add(f64x2.add(f64x2.mul(wa, p0y), f64x2.mul(wb, p1y)), f64x2.mul(wc, p2y));
        const z = f64x2.add(f64x2.add(f64x2.mul(wa, p0z), f64x2.mul(wb, p1z)), f64x2.mul(wc, p2z));
        const ax = f64x2.sub(splat(t), x);
        const ay = f64x2.sub(splat(t + 8), y);
        const az = f64x2.sub(splat(t + 16), z);
        const bx = f64x2.sub(splat(t + 24), x);
        const by = f64x2.sub(splat(t + 32), y);
        const bz = f64x2.sub(splat(t + 40), z);
        const cx = f64x2.sub(splat(t + 48), x);
        const cy = f64x2.sub(splat(t + 56), y);
        const cz = f64x2.sub(splat(t + 64), z);
        const ra = f64x2.sqrt(dot(ax, ay, az, ax, ay, az));
        const rb = f64x2.sqrt(dot(bx, by, bz, bx, by, bz));
        const rc = f64x2.sqrt(dot(cx, cy, cz, cx, cy, cz));
        const t0 = across(t, ax, ay, az);
        const t1 = across(t + 24, bx, by, bz);
        const t2 = across(t + 48, cx, cy, cz);
        const l0 = edgeLog(t, load<f64>(t, 240), ax, ay, az, ra, rb);
        const l1 = edgeLog(t + 24, load<f64>(t, 248), bx, by, bz, rb, rc);
        const l2 = edgeLog(t + 48, load<f64>(t, 256), cx, cy, cz, rc, ra);
        const height = f64x2.neg(dot(ax, ay, az, splat(t + 72), splat(t + 80), splat(t + 88)));
        const ab = dot(ax, ay, az, bx, by, bz);
        const bc = dot(bx, by, bz, cx, cy, cz);
        const ca = dot(cx, cy, cz, ax, ay, az);
        const far = f64x2.add(
          f64x2.add(f64x2.mul(f64x2.mul(ra, rb), rc), f64x2.mul(ab, rc)),
          f64x2.add(f64x2.mul(bc, ra), f64x2.mul(ca, rb)),
        );
        const isOff = f64x2.gt(f64x2.abs(height), flat);
        const half = atan2Lanes(f64x2.mul(double, height), v128.bitselect(far, one, isOff));
        const angle = v128.and(f64x2.add(half, half), isOff);
        const edges = f64x2.add(f64x2.add(f64x2.mul(t0, l0), f64x2.mul(t1, l1)), f64x2.mul(t2, l2));
        sumS = f64x2.add(sumS, f64x2.mul(share, f64x2.sub(edges, f64x2.mul(height, angle))));
        // Corner i is opposite edge i + 1.
        const d0 = doubleOf(s0, t1, angle, height, c01, l0, 1, l1, c12, l2);
        const d1 = doubleOf(s1, t2, angle, height, c20, l0, c12, l1, 1, l2);
        const d2 = doubleOf(s2, t0, angle, height, 1, l0, c01, l1, c20, l2);
        sum0 = f64x2.add(sum0, f64x2.mul(share, d0));
        sum1 = f64x2.add(sum1, f64x2.mul(share, d1));
        sum2 = f64x2.add(sum2, f64x2.mul(share, d2));
      }
      store<f64>(to, f64x2.extract_lane(sumS, 0) + f64x2.extract_lane(sumS, 1));
      store<f64>(to, f64x2.extract_lane(sum0, 0) + f64x2.extract_lane(sum0, 1), 8);
      store<f64>(to, f64x2.extract_lane(sum1, 0) + f64x2.extract_lane(sum1, 1), 16);
      store<f64>(to, f64x2.extract_lane(sum2, 0) + f64x2.extract_lane(sum2, 1), 24);
    }
  }
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, bx), f64x2.mul(ay, by)), f64x2.mul(az, bz));
}

/** Distance from an edge, along its normal. */
function across(t: usize, x: v128, y: v128, z: v128): v128 {
  return dot(x, y, z, splat(t + 96), splat(t + 104), splat(t + 112));
}

/** log((end + to) / (begin + from)) in the form that subtracts nothing; 0 on the edge. */
function edgeLog(t: usize, length: f64, x: v128, y: v128, z: v128, begin: v128, end: v128): v128 {
  const sx = splat(t + 168);
  const sy = splat(t + 176);
  const sz = splat(t + 184);
  const from = dot(x, y, z, sx, sy, sz);
  const to = f64x2.add(from, f64x2.splat(length));
  const cx = f64x2.sub(f64x2.mul(y, sz), f64x2.mul(z, sy));
  const cy = f64x2.sub(f64x2.mul(z, sx), f64x2.mul(x, sz));
  const cz = f64x2.sub(f64x2.mul(x, sy), f64x2.mul(y, sx));
  const square = dot(cx, cy, cz, cx, cy, cz);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const after = f64x2.gt(from, zero);
  const before = f64x2.lt(to, zero);
  const beside = f64x2.gt(square, f64x2.splat(ON_EDGE * length * length));
  const up = f64x2.add(end, to);
  const down = f64x2.sub(begin, from);
  let high = v128.bitselect(f64x2.mul(up, down), one, beside);
  let low = v128.bitselect(square, one, beside);
  high = v128.bitselect(down, high, before);
  low = v128.bitselect(f64x2.sub(end, to), low, before);
  high = v128.bitselect(up, high, after);
  low = v128.bitselect(f64x2.add(begin, from), low, after);
  return logLanes(f64x2.div(high, low));
}

/** Double layer of a corner's hat: its value at the foot times the angle, less the height times its slope along the edges' logarithms. */
function doubleOf(
  slope: f64,
  inner: v128,
  angle: v128,
  height: v128,
  c0: f64,
  l0: v128,
  c1: f64,
  l1: v128,
  c2: f64,
  l2: v128,
): v128 {
  const along = f64x2.add(
    f64x2.add(f64x2.mul(f64x2.splat(c0), l0), f64x2.mul(f64x2.splat(c1), l1)),
    f64x2.mul(f64x2.splat(c2), l2),
  );
  const s = f64x2.splat(slope);
  return f64x2.neg(f64x2.mul(s, f64x2.add(f64x2.mul(inner, angle), f64x2.mul(height, along))));
}

/**
 * Rows [begin, end) of both matrices by the far rule, four faces at a time. position (3 points x 3 coordinates x stride), normal (3 x stride), weight (stride): of all
 * faces, the last ones padded with weight 0; triangle (stride x 3); single (faces x stride); double (faces x vertexCount), 0 before.
 */
export function fillPanelRows(
  begin: i32,
  end: i32,
  stride: i32,
  vertexCount: i32,
  softening: f64,
  main: f64,
  side: f64,
  position: usize,
  normal: usize,
  weight: usize,
  triangle: usize,
  single: usize,
  double: usize,
): void {
  const column = (<usize>stride) << 2;
  const soft = f32x4.splat(<f32>softening);
  const mainLanes = f32x4.splat(<f32>main);
  const sideLanes = f32x4.splat(<f32>side);
  for (let f = begin; f < end; f++) {
    const own = position + ((<usize>f) << 2);
    const ownWeight = v128.load32_splat(weight + ((<usize>f) << 2));
    const row = single + <usize>f * column;
    const doubleRow = double + ((<usize>f * <usize>vertexCount) << 2);
    for (let g: usize = 0; g < column; g += 16) {
      const at = position + g;
      const nx = v128.load(normal + g);
      const ny = v128.load(normal + g + column);
      const nz = v128.load(normal + g + 2 * column);
      let sum = f32x4.splat(0);
      let sum0 = f32x4.splat(0);
      let sum1 = f32x4.splat(0);
      let sum2 = f32x4.splat(0);
      for (let q: usize = 0; q < 3; q++) {
        const y = at + q * 3 * column;
        const yx = v128.load(y);
        const yy = v128.load(y + column);
        const yz = v128.load(y + 2 * column);
        let toSingle = f32x4.splat(0);
        let toDouble = f32x4.splat(0);
        for (let p: usize = 0; p < 3; p++) {
          const x = own + p * 3 * column;
          const dx = f32x4.sub(v128.load32_splat(x), yx);
          const dy = f32x4.sub(v128.load32_splat(x + column), yy);
          const dz = f32x4.sub(v128.load32_splat(x + 2 * column), yz);
          const square = f32x4.add(
            f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)),
            f32x4.add(f32x4.mul(dz, dz), soft),
          );
          const inverse = f32x4.div(f32x4.splat(1), f32x4.sqrt(square));
          const along = f32x4.add(f32x4.add(f32x4.mul(dx, nx), f32x4.mul(dy, ny)), f32x4.mul(dz, nz));
          toSingle = f32x4.add(toSingle, inverse);
          toDouble = f32x4.add(toDouble, f32x4.mul(f32x4.mul(inverse, f32x4.mul(inverse, inverse)), along));
        }
        sum = f32x4.add(sum, toSingle);
        const toMain = f32x4.mul(mainLanes, toDouble);
        const toSide = f32x4.mul(sideLanes, toDouble);
        sum0 = f32x4.add(sum0, q === 0 ? toMain : toSide);
        sum1 = f32x4.add(sum1, q === 1 ? toMain : toSide);
        sum2 = f32x4.add(sum2, q === 2 ? toMain : toSide);
      }
      const factor = f32x4.mul(ownWeight, v128.load(weight + g));
      v128.store(row + g, f32x4.mul(factor, sum));
      const d0 = f32x4.mul(factor, sum0);
      const d1 = f32x4.mul(factor, sum1);
      const d2 = f32x4.mul(factor, sum2);
      const ids = triangle + 3 * g;
      add(doubleRow, ids, f32x4.extract_lane(d0, 0), f32x4.extract_lane(d1, 0), f32x4.extract_lane(d2, 0));
      add(
        doubleRow,
        ids + 12,
        f32x4.extract_lane(d0, 1),
        f32x4.extract_lane(d1, 1),
        f32x4.extract_lane(d2, 1),
      );
      add(
        doubleRow,
        ids + 24,
        f32x4.extract_lane(d0, 2),
        f32x4.extract_lane(d1, 2),
        f32x4.extract_lane(d2, 2),
      );
      add(
        doubleRow,
        ids + 36,
        f32x4.extract_lane(d0, 3),
        f32x4.extract_lane(d1, 3),
        f32x4.extract_lane(d2, 3),
      );
    }
  }
}

/** Adds to a row at a face's three corners. */
function add(row: usize, ids: usize, a: f32, b: f32, c: f32): void {
  const i = row + ((<usize>load<i32>(ids)) << 2);
  store<f32>(i, load<f32>(i) + a);
  const j = row + ((<usize>load<i32>(ids, 4)) << 2);
  store<f32>(j, load<f32>(j) + b);
  const k = row + ((<usize>load<i32>(ids, 8)) << 2);
  store<f32>(k, load<f32>(k) + c);
}
