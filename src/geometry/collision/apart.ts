/**
 * Pairs of primitives in linear motion that a box or one of a few directions separates over the whole of [0,
 * 1]. Most pairs of a broad phase end here (over 99 of 100), so all stays in local numbers, without arrays.
 * Directions: the mean of all differences; for triangles, away from the nearest edge; the normal half-way of
 * the triangle or of the two edges. The certificate and its margin are those of separation.ts, which has the
 * proof. A pair that is not decided leaves its differences in `difference`: at the start from 0, at the end
 * from 12.
 *
 * Apart means farther than near0 at the start and than near1 at the end, m. That only makes the filters less
 * decisive, so whatever they are, no pair that touches passes for apart. Sums of starts and ends are added
 * last, as the compiled code does with its lanes.
 */
import { defineKernel } from '../../core/kernels.ts';
import type { F64View } from '../../core/types.ts';
import { FIRST_EDGES, PAIR_RECORD } from './box-pairs.ts';

/**
 * Margin of n.d, in units of sum |n_k| reach_k. One subtraction, the blend (weight 1 - t, product, sum) and
 * the dot product err by less than 7.1 u; 16 u leaves room for the rounding of the bound itself.
 */
export const DIRECTION_ERROR = 2 ** -49;
/** Added to reaches and margins against underflow. */
export const UNDERFLOW = 2 ** -960;

/** Covers the rounding of a length. */
const LENGTH_UP = 1 + 2 ** -50;

/**
 * Difference vectors of the pair last asked about: at time 0 from index 0, at time 1 from index 12. The
 * search of separation.ts goes on from them, and scales them.
 */
export const difference = new Float64Array(24);

/**
 * Keeps of the records [begin, end) of pairs (box-pairs.ts) those that are not surely apart, in their order,
 * from `begin` on; returns how many. Positions are finite.
 */
export const dropApart = defineKernel(
  'dropApart',
  { records: 'i32', x0: 'f64', x1: 'f64', near0: 'number', near1: 'number' },
  (begin, end, { records, x0, x1, near0, near1 }) => {
    const most0 = LENGTH_UP * near0;
    const most1 = LENGTH_UP * near1;
    let to = PAIR_RECORD * begin;
    for (let o = to; o < PAIR_RECORD * end; o += PAIR_RECORD) {
      const a = records[o + 3];
      const b = records[o + 4];
      const c = records[o + 5];
      const d = records[o + 6];
      const areApart = records[o + 2] >= FIRST_EDGES ? areEdgesApart : isTriangleApart;
      const isApart = areApart(x0, x1, a, b, c, d, most0, most1);
      if (isApart) continue;
      for (let k = 0; k < PAIR_RECORD; k++) records[to + k] = records[o + k];
      to += PAIR_RECORD;
    }
    return to / PAIR_RECORD - begin;
  },
);

/** Edges ab and cd, or vertex a and triangle bcd, in motion from x0 to x1. */
export type MovingPair = [x0: F64View, x1: F64View, a: number, b: number, c: number, d: number];

type ArePartsApart = (...of: [...MovingPair, near0: number, near1: number]) => boolean;

/**
 * Triangle bcd from vertex a: its corners in rising order, so that the answer is the same however they are
 * given.
 */
export const isTriangleApart: ArePartsApart = (x0, x1, a, b, c, d, near0, near1) => {
  const low = Math.min(b, c, d);
  const high = Math.max(b, c, d);
  return isVertexApart(x0, x1, a, low, b + c + d - low - high, high, near0, near1);
};

/**
 * Edges with their ends, and then themselves, in rising order, so that the answer is the same however they
 * are given.
 */
export const areEdgesApart: ArePartsApart = (x0, x1, a, b, c, d, near0, near1) => {
  const p = Math.min(a, b);
  const q = Math.min(c, d);
  return p <= q
    ? isEdgeApart(x0, x1, p, a + b - p, q, c + d - q, near0, near1)
    : isEdgeApart(x0, x1, q, c + d - q, p, a + b - p, near0, near1);
};

const isVertexApart: ArePartsApart = (x0, x1, v, a, b, c, near0, near1) => {
  // Boxes, exactly; the reach of the differences follows from them.
  const apart = -Math.max(near0, near1);
  const vx = x0[3 * v];
  const ax = x0[3 * a];
  const bx = x0[3 * b];
  const cx = x0[3 * c];
  const Vx = x1[3 * v];
  const Ax = x1[3 * a];
  const Bx = x1[3 * b];
  const Cx = x1[3 * c];
  const rx = Math.max(vx, Vx) - Math.min(ax, Ax, bx, Bx, cx, Cx);
  const sx = Math.max(ax, Ax, bx, Bx, cx, Cx) - Math.min(vx, Vx);
  if (rx < apart || sx < apart) return true;
  const vy = x0[3 * v + 1];
  const ay = x0[3 * a + 1];
  const by = x0[3 * b + 1];
  const cy = x0[3 * c + 1];
  const Vy = x1[3 * v + 1];
  const Ay = x1[3 * a + 1];
  const By = x1[3 * b + 1];
  const Cy = x1[3 * c + 1];
  const ry = Math.max(vy, Vy) - Math.min(ay, Ay, by, By, cy, Cy);
  const sy = Math.max(ay, Ay, by, By, cy, Cy) - Math.min(vy, Vy);
  if (ry < apart || sy < apart) return true;
  const vz = x0[3 * v + 2];
  const az = x0[3 * a + 2];
  const bz = x0[3 * b + 2];
  const cz = x0[3 * c + 2];
  const Vz = x1[3 * v + 2];
  const Az = x1[3 * a + 2];
  const Bz = x1[3 * b + 2];
  const Cz = x1[3 * c + 2];
  const rz = Math.max(vz, Vz) - Math.min(az, Az, bz, Bz, cz, Cz);
  const sz = Math.max(az, Az, bz, Bz, cz, Cz) - Math.min(vz, Vz);
  if (rz < apart || sz < apart) return true;

  const pax = vx - ax;
  const pay = vy - ay;
  const paz = vz - az;
  const pbx = vx - bx;
  const pby = vy - by;
  const pbz = vz - bz;
  const pcx = vx - cx;
  const pcy = vy - cy;
  const pcz = vz - cz;
  const qax = Vx - Ax;
  const qay = Vy - Ay;
  const qaz = Vz - Az;
  const qbx = Vx - Bx;
  const qby = Vy - By;
  const qbz = Vz - Bz;
  const qcx = Vx - Cx;
  const qcy = Vy - Cy;
  const qcz = Vz - Cz;
  const reachX = DIRECTION_ERROR * Math.max(rx, sx) + UNDERFLOW;
  const reachY = DIRECTION_ERROR * Math.max(ry, sy) + UNDERFLOW;
  const reachZ = DIRECTION_ERROR * Math.max(rz, sz) + UNDERFLOW;

  let nx = pax + pbx + pcx + (qax + qbx + qcx);
  let ny = pay + pby + pcy + (qay + qby + qcy);
  let nz = paz + pbz + pcz + (qaz + qbz + qcz);
  for (let attempt = 0; ; attempt++) {
    const error = Math.abs(nx) * reachX + Math.abs(ny) * reachY + Math.abs(nz) * reachZ + UNDERFLOW;
    const pa = nx * pax + ny * pay + nz * paz;
    const pb = nx * pbx + ny * pby + nz * pbz;
    const pc = nx * pcx + ny * pcy + nz * pcz;
    const qa = nx * qax + ny * qay + nz * qaz;
    const qb = nx * qbx + ny * qby + nz * qbz;
    const qc = nx * qcx + ny * qcy + nz * qcz;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const least0 = error + near0 * length;
    const least1 = error + near1 * length;
    if (Math.min(pa, pb, pc) > least0 && Math.min(qa, qb, qc) > least1) return true;
    if (Math.max(pa, pb, pc) < -least0 && Math.max(qa, qb, qc) < -least1) return true;
    if (attempt === 2) break;
    // Twice the differences half-way, and the edges between them.
    const max = pax + qax;
    const may = pay + qay;
    const maz = paz + qaz;
    const ux = pbx + qbx - max;
    const uy = pby + qby - may;
    const uz = pbz + qbz - maz;
    const wx = pcx + qcx - max;
    const wy = pcy + qcy - may;
    const wz = pcz + qcz - maz;
    if (attempt === 1) {
      nx = uy * wz - uz * wy;
      ny = uz * wx - ux * wz;
      nz = ux * wy - uy * wx;
      continue;
    }
    // From the edge that is nearest along the mean: of its two corners' differences, the part perpendicular
    // to it.
    const atA = pa + qa;
    const atB = pb + qb;
    const atC = pc + qc;
    const isC = atC >= atA && atC >= atB;
    const isA = !isC && atA >= atB;
    const ex = isC ? ux : isA ? wx - ux : wx;
    const ey = isC ? uy : isA ? wy - uy : wy;
    const ez = isC ? uz : isA ? wz - uz : wz;
    const fx = isA ? max + wx : max;
    const fy = isA ? may + wy : may;
    const fz = isA ? maz + wz : maz;
    const along = (ex * fx + ey * fy + ez * fz) / (ex * ex + ey * ey + ez * ez);
    nx = fx - along * ex;
    ny = fy - along * ey;
    nz = fz - along * ez;
  }

  const d = difference;
  d[0] = pax;
  d[1] = pay;
  d[2] = paz;
  d[3] = pbx;
  d[4] = pby;
  d[5] = pbz;
  d[6] = pcx;
  d[7] = pcy;
  d[8] = pcz;
  d[12] = qax;
  d[13] = qay;
  d[14] = qaz;
  d[15] = qbx;
  d[16] = qby;
  d[17] = qbz;
  d[18] = qcx;
  d[19] = qcy;
  d[20] = qcz;
  return false;
};

const isEdgeApart: ArePartsApart = (x0, x1, a, b, c, d, near0, near1) => {
  const apart = -Math.max(near0, near1);
  const ax = x0[3 * a];
  const bx = x0[3 * b];
  const cx = x0[3 * c];
  const dx = x0[3 * d];
  const Ax = x1[3 * a];
  const Bx = x1[3 * b];
  const Cx = x1[3 * c];
  const Dx = x1[3 * d];
  const rx = Math.max(ax, Ax, bx, Bx) - Math.min(cx, Cx, dx, Dx);
  const sx = Math.max(cx, Cx, dx, Dx) - Math.min(ax, Ax, bx, Bx);
  if (rx < apart || sx < apart) return true;
  const ay = x0[3 * a + 1];
  const by = x0[3 * b + 1];
  const cy = x0[3 * c + 1];
  const dy = x0[3 * d + 1];
  const Ay = x1[3 * a + 1];
  const By = x1[3 * b + 1];
  const Cy = x1[3 * c + 1];
  const Dy = x1[3 * d + 1];
  const ry = Math.max(ay, Ay, by, By) - Math.min(cy, Cy, dy, Dy);
  const sy = Math.max(cy, Cy, dy, Dy) - Math.min(ay, Ay, by, By);
  if (ry < apart || sy < apart) return true;
  const az = x0[3 * a + 2];
  const bz = x0[3 * b + 2];
  const cz = x0[3 * c + 2];
  const dz = x0[3 * d + 2];
  const Az = x1[3 * a + 2];
  const Bz = x1[3 * b + 2];
  const Cz = x1[3 * c + 2];
  const Dz = x1[3 * d + 2];
  const rz = Math.max(az, Az, bz, Bz) - Math.min(cz, Cz, dz, Dz);
  const sz = Math.max(cz, Cz, dz, Dz) - Math.min(az, Az, bz, Bz);
  if (rz < apart || sz < apart) return true;

  const acx = ax - cx;
  const acy = ay - cy;
  const acz = az - cz;
  const adx = ax - dx;
  const ady = ay - dy;
  const adz = az - dz;
  const bcx = bx - cx;
  const bcy = by - cy;
  const bcz = bz - cz;
  const bdx = bx - dx;
  const bdy = by - dy;
  const bdz = bz - dz;
  const ACx = Ax - Cx;
  const ACy = Ay - Cy;
  const ACz = Az - Cz;
  const ADx = Ax - Dx;
  const ADy = Ay - Dy;
  const ADz = Az - Dz;
  const BCx = Bx - Cx;
  const BCy = By - Cy;
  const BCz = Bz - Cz;
  const BDx = Bx - Dx;
  const BDy = By - Dy;
  const BDz = Bz - Dz;
  const reachX = DIRECTION_ERROR * Math.max(rx, sx) + UNDERFLOW;
  const reachY = DIRECTION_ERROR * Math.max(ry, sy) + UNDERFLOW;
  const reachZ = DIRECTION_ERROR * Math.max(rz, sz) + UNDERFLOW;

  let nx = acx + bdx + (ACx + BDx);
  let ny = acy + bdy + (ACy + BDy);
  let nz = acz + bdz + (ACz + BDz);
  for (let attempt = 0; ; attempt++) {
    const error = Math.abs(nx) * reachX + Math.abs(ny) * reachY + Math.abs(nz) * reachZ + UNDERFLOW;
    const ac = nx * acx + ny * acy + nz * acz;
    const ad = nx * adx + ny * ady + nz * adz;
    const bc = nx * bcx + ny * bcy + nz * bcz;
    const bd = nx * bdx + ny * bdy + nz * bdz;
    const AC = nx * ACx + ny * ACy + nz * ACz;
    const AD = nx * ADx + ny * ADy + nz * ADz;
    const BC = nx * BCx + ny * BCy + nz * BCz;
    const BD = nx * BDx + ny * BDy + nz * BDz;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const least0 = error + near0 * length;
    const least1 = error + near1 * length;
    if (Math.min(ac, ad, bc, bd) > least0 && Math.min(AC, AD, BC, BD) > least1) return true;
    if (Math.max(ac, ad, bc, bd) < -least0 && Math.max(AC, AD, BC, BD) < -least1) return true;
    if (attempt === 1) break;
    const ux = bcx - acx + (BCx - ACx);
    const uy = bcy - acy + (BCy - ACy);
    const uz = bcz - acz + (BCz - ACz);
    const wx = adx - acx + (ADx - ACx);
    const wy = ady - acy + (ADy - ACy);
    const wz = adz - acz + (ADz - ACz);
    nx = uy * wz - uz * wy;
    ny = uz * wx - ux * wz;
    nz = ux * wy - uy * wx;
  }

  const p = difference;
  p[0] = acx;
  p[1] = acy;
  p[2] = acz;
  p[3] = adx;
  p[4] = ady;
  p[5] = adz;
  p[6] = bcx;
  p[7] = bcy;
  p[8] = bcz;
  p[9] = bdx;
  p[10] = bdy;
  p[11] = bdz;
  p[12] = ACx;
  p[13] = ACy;
  p[14] = ACz;
  p[15] = ADx;
  p[16] = ADy;
  p[17] = ADz;
  p[18] = BCx;
  p[19] = BCy;
  p[20] = BCz;
  p[21] = BDx;
  p[22] = BDy;
  p[23] = BDz;
  return false;
};
