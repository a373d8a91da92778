/**
 * Triangles and tetrahedra in flat arrays of coordinates. Points are given by the offset of their first
 * coordinate: vertex v of positions (n x 3) has the offset 3 v.
 */
import type { F64View, I32View } from '../core/types.ts';

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

/** The unit normal, three numbers from `at` on; zero for a triangle without area. */
export function setUnitNormal(p: F64View, a: number, b: number, c: number, out: Numbers, at: number): void {
  setNormal(p, a, b, c, normalOf);
  const { 0: x, 1: y, 2: z } = normalOf;
  const length = Math.hypot(x, y, z) || 1;
  out[at] = x / length;
  out[at + 1] = y / length;
  out[at + 2] = z / length;
}

/** Twice the area. */
export function computeDoubleArea(p: F64View, a: number, b: number, c: number): number {
  setNormal(p, a, b, c, normalOf);
  const x = normalOf[0];
  const y = normalOf[1];
  const z = normalOf[2];
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * Places in what setCorner fills: edges u = b - a and w = c - a, their products, normal u x w, cotangents of
 * the angles at b and c.
 */
export const U = 0;
export const W = 3;
export const NORMAL = 6;
export const UU = 9;
export const WW = 10;
export const UW = 11;
export const COT_B = 12;
export const COT_C = 13;
export const CORNER = 14;

/** Edges u = b - a and w = c - a and the normal u x w, to the places that setCorner has them in. */
export function setEdges(p: F64View, a: number, b: number, c: number, out: Float64Array): void {
  out[0] = p[b] - p[a];
  out[1] = p[b + 1] - p[a + 1];
  out[2] = p[b + 2] - p[a + 2];
  out[3] = p[c] - p[a];
  out[4] = p[c + 1] - p[a + 1];
  out[5] = p[c + 2] - p[a + 2];
  const { 0: ux, 1: uy, 2: uz, 3: wx, 4: wy, 5: wz } = out;
  out[6] = uy * wz - uz * wy;
  out[7] = uz * wx - ux * wz;
  out[8] = ux * wy - uy * wx;
}

/**
 * What a triangle is seen from its corner a; returns twice its area. One without area has no cotangents: they
 * are left as they were. The gradient of the area by a is -(cot C u + cot B w) / 2.
 */
export function setCorner(p: F64View, a: number, b: number, c: number, out: Float64Array): number {
  setEdges(p, a, b, c, out);
  const { 0: ux, 1: uy, 2: uz, 3: wx, 4: wy, 5: wz, 6: x, 7: y, 8: z } = out;
  const double = Math.sqrt(x * x + y * y + z * z);
  const uu = ux * ux + uy * uy + uz * uz;
  const ww = wx * wx + wy * wy + wz * wz;
  const uw = ux * wx + uy * wy + uz * wz;
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

/** What the point (x, y, z) sees of a triangle. */
type SeeTriangle = (p: F64View, a: number, b: number, c: number, x: number, y: number, z: number) => number;

/**
 * (a - o) . ((b - o) x (c - o)) with o = (x, y, z): six times the volume between the triangle and o, positive
 * where o lies behind it. Summed over a closed surface it gives six times the volume inside, wherever o is.
 */
export const computeTriple: SeeTriangle = (p, a, b, c, x, y, z) => {
  setSeen(p, a, b, c, x, y, z, corners);
  const { 0: ax, 1: ay, 2: az, 3: bx, 4: by, 5: bz, 6: cx, 7: cy, 8: cz } = corners;
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
};

/** Signed volume of a tetrahedron: positive for det(b - a, c - a, d - a) > 0. */
export function computeTetVolume(p: F64View, a: number, b: number, c: number, d: number): number {
  return computeTriple(p, b, c, d, p[a], p[a + 1], p[a + 2]) / 6;
}

/**
 * Of a tet (four vertices): twice the area vectors of the faces opposite b, c and d, inward, nine numbers
 * from `at` on; returns six times its volume.
 */
export function setTetNormals(p: F64View, tet: I32View, t: number, out: Float64Array, at: number): number {
  const a = 3 * tet[4 * t];
  const b = 3 * tet[4 * t + 1];
  const c = 3 * tet[4 * t + 2];
  const d = 3 * tet[4 * t + 3];
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  setEdges(p, a, c, d, edges);
  const { 0: vx, 1: vy, 2: vz, 3: wx, 4: wy, 5: wz, 6: x, 7: y, 8: z } = edges;
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  out[at + 3] = wy * uz - wz * uy;
  out[at + 4] = wz * ux - wx * uz;
  out[at + 5] = wx * uy - wy * ux;
  out[at + 6] = uy * vz - uz * vy;
  out[at + 7] = uz * vx - ux * vz;
  out[at + 8] = ux * vy - uy * vx;
  return ux * x + uy * y + uz * z;
}

/**
 * Gradients of the barycentric coordinates of b, c and d in a tet, placed as setTetNormals does; returns six
 * times its volume.
 */
export function setTetGradients(p: F64View, tet: I32View, t: number, out: Float64Array, at: number): number {
  const six = setTetNormals(p, tet, t, out, at);
  const inverse = 1 / six;
  for (let n = at; n < at + 9; n++) out[n] *= inverse;
  return six;
}

const edges = new Float64Array(CORNER);

export function setCentroid(p: F64View, a: number, b: number, c: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = (p[a + k] + p[b + k] + p[c + k]) / 3;
}

/** The triangle's box: least, then greatest coordinates. */
export function setTriangleBox(p: F64View, a: number, b: number, c: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    out[k] = Math.min(p[a + k], p[b + k], p[c + k]);
    out[3 + k] = Math.max(p[a + k], p[b + k], p[c + k]);
  }
}

/** The corners as seen from the point (x, y, z): nine numbers. */
export function setSeen(
  p: F64View,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  out[0] = p[a] - x;
  out[1] = p[a + 1] - y;
  out[2] = p[a + 2] - z;
  out[3] = p[b] - x;
  out[4] = p[b + 1] - y;
  out[5] = p[b + 2] - z;
  out[6] = p[c] - x;
  out[7] = p[c + 1] - y;
  out[8] = p[c + 2] - z;
}

const corners = new Float64Array(9);

/**
 * Gradient of the volume between triangle f and a point, by the triangle's shift towards it: a sixth of the
 * normal.
 */
export function setVolumeGradient(p: F64View, triangle: I32View, f: number, out: Float64Array): void {
  setNormal(p, 3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2], out);
  for (let k = 0; k < 3; k++) out[k] /= 6;
}

/**
 * Signed solid angle under which the point (x, y, z) sees the triangle (van Oosterom and Strackee 1983):
 * positive where the point lies behind it, so 4 pi in sum from inside a closed surface.
 */
export const computeSolidAngle: SeeTriangle = (p, a, b, c, x, y, z) => {
  setSeen(p, a, b, c, x, y, z, corners);
  const { 0: ax, 1: ay, 2: az, 3: bx, 4: by, 5: bz, 6: cx, 7: cy, 8: cz } = corners;
  const la = Math.sqrt(ax * ax + ay * ay + az * az);
  const lb = Math.sqrt(bx * bx + by * by + bz * bz);
  const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const determinant = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const ab = ax * bx + ay * by + az * bz;
  const bc = bx * cx + by * cy + bz * cz;
  const ca = cx * ax + cy * ay + cz * az;
  return 2 * Math.atan2(determinant, la * lb * lc + ab * lc + bc * la + ca * lb);
};
