/**
 * Triangles and tetrahedra in flat arrays of coordinates. Points are given by the offset of their first coordinate: vertex v of
 * positions (n x 3) has the offset 3 v.
 */
import type { F64View } from '../core/types.ts';

/** An array that takes results. */
interface Numbers {
  [index: number]: number;
}

/** (b - a) x (c - a): normal to the triangle, of twice its area. */
export function setNormal(p: F64View, a: number, b: number, c: number, out: Numbers): void {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const wx = p[c] - p[a];
  const wy = p[c + 1] - p[a + 1];
  const wz = p[c + 2] - p[a + 2];
  out[0] = uy * wz - uz * wy;
  out[1] = uz * wx - ux * wz;
  out[2] = ux * wy - uy * wx;
}

const normalOf = new Float64Array(3);

/** Twice the area. */
export function computeDoubleArea(p: F64View, a: number, b: number, c: number): number {
  setNormal(p, a, b, c, normalOf);
  const x = normalOf[0];
  const y = normalOf[1];
  const z = normalOf[2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Places in what setCorner fills: edges u = b - a and w = c - a, their products, normal u x w, cotangents of the angles at b and c. */
export const U = 0;
export const W = 3;
export const NORMAL = 6;
export const UU = 9;
export const WW = 10;
export const UW = 11;
export const COT_B = 12;
export const COT_C = 13;
export const CORNER = 14;

/**
 * What a triangle is seen from its corner a; returns twice its area. One without area has no cotangents: they are left as they were.
 * The gradient of the area by a is -(cot C u + cot B w) / 2.
 */
export function setCorner(p: F64View, a: number, b: number, c: number, out: Float64Array): number {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const wx = p[c] - p[a];
  const wy = p[c + 1] - p[a + 1];
  const wz = p[c + 2] - p[a + 2];
  const x = uy * wz - uz * wy;
  const y = uz * wx - ux * wz;
  const z = ux * wy - uy * wx;
  const double = Math.sqrt(x * x + y * y + z * z);
  const uu = ux * ux + uy * uy + uz * uz;
  const ww = wx * wx + wy * wy + wz * wz;
  const uw = ux * wx + uy * wy + uz * wz;
  out[0] = ux;
  out[1] = uy;
  out[2] = uz;
  out[3] = wx;
  out[4] = wy;
  out[5] = wz;
  out[6] = x;
  out[7] = y;
  out[8] = z;
  out[9] = uu;
  out[10] = ww;
  out[11] = uw;
  if (double === 0) return 0;
  out[12] = (uu - uw) / double;
  out[13] = (ww - uw) / double;
  return double;
}

const seen = new Float64Array(CORNER);

/** Angle at corner a between b and c: atan2 of cross and dot, exact also near 0 and pi. */
export function computeAngle(p: F64View, a: number, b: number, c: number): number {
  const double = setCorner(p, a, b, c, seen);
  return Math.atan2(double, seen[UW]);
}

/**
 * (a - o) . ((b - o) x (c - o)) with o = (x, y, z): six times the volume between the triangle and o, positive where o lies behind it.
 * Summed over a closed surface it gives six times the volume inside, wherever o is.
 */
export function computeTriple(
  p: F64View,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
  z: number,
): number {
  const ax = p[a] - x;
  const ay = p[a + 1] - y;
  const az = p[a + 2] - z;
  const bx = p[b] - x;
  const by = p[b + 1] - y;
  const bz = p[b + 2] - z;
  const cx = p[c] - x;
  const cy = p[c + 1] - y;
  const cz = p[c + 2] - z;
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/** Signed volume of a tetrahedron: positive for det(b - a, c - a, d - a) > 0. */
export function computeTetVolume(p: F64View, a: number, b: number, c: number, d: number): number {
  return computeTriple(p, b, c, d, p[a], p[a + 1], p[a + 2]) / 6;
}

/**
 * Signed solid angle under which the point (x, y, z) sees the triangle (van Oosterom and Strackee 1983): positive where the point lies
 * behind it, so 4 pi in sum from inside a closed surface.
 */
export function computeSolidAngle(
  p: F64View,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
  z: number,
): number {
  const ax = p[a] - x;
  const ay = p[a + 1] - y;
  const az = p[a + 2] - z;
  const bx = p[b] - x;
  const by = p[b + 1] - y;
  const bz = p[b + 2] - z;
  const cx = p[c] - x;
  const cy = p[c + 1] - y;
  const cz = p[c + 2] - z;
  const la = Math.sqrt(ax * ax + ay * ay + az * az);
  const lb = Math.sqrt(bx * bx + by * by + bz * bz);
  const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const determinant = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const ab = ax * bx + ay * by + az * bz;
  const bc = bx * cx + by * cy + bz * cz;
  const ca = cx * ax + cy * ay + cz * az;
  return 2 * Math.atan2(determinant, la * lb * lc + ab * lc + bc * la + ca * lb);
}
