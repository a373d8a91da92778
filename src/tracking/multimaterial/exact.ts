/**
 * Exact questions of mesh edits, decided by adaptive predicates (Shewchuk 1997, through robust-predicates): do two triangles of the mesh meet
 * beyond the vertices they share, and does a point lie in a tetrahedron? Touching counts as meeting. No answer depends on rounding.
 */
import { orient2d, orient3d } from 'robust-predicates';
import type { F64View } from '../../core/types.ts';

/** Sign of the volume of a b c d by vertex ids; see measure.ts for its meaning. */
function orient(p: F64View, a: number, b: number, c: number, d: number): number {
  return orient3d(
    p[3 * a],
    p[3 * a + 1],
    p[3 * a + 2],
    p[3 * b],
    p[3 * b + 1],
    p[3 * b + 2],
    p[3 * c],
    p[3 * c + 1],
    p[3 * c + 2],
    p[3 * d],
    p[3 * d + 1],
    p[3 * d + 2],
  );
}

function orientFlat(p: F64View, drop: number, a: number, b: number, c: number): number {
  const u = drop === 0 ? 1 : 0;
  const v = drop === 2 ? 1 : 2;
  return orient2d(p[3 * a + u], p[3 * a + v], p[3 * b + u], p[3 * b + v], p[3 * c + u], p[3 * c + v]);
}

/** The axis along which a triangle projects with the most area. */
function findDropAxis(p: F64View, a: number, b: number, c: number): number {
  let best = 0;
  let size = -1;
  for (let drop = 0; drop < 3; drop++) {
    const area = Math.abs(orientFlat(p, drop, a, b, c));
    if (area > size) {
      size = area;
      best = drop;
    }
  }
  return best;
}

/** Does edge e0 e1 meet triangle a b c? They share no vertex. */
export function edgeMeetsTriangle(
  p: F64View,
  e0: number,
  e1: number,
  a: number,
  b: number,
  c: number,
): boolean {
  const s0 = orient(p, a, b, c, e0);
  const s1 = orient(p, a, b, c, e1);
  if ((s0 > 0 && s1 > 0) || (s0 < 0 && s1 < 0)) return false;
  if (s0 === 0 && s1 === 0) return edgeMeetsInPlane(p, e0, e1, a, b, c);
  const t0 = orient(p, e0, e1, a, b);
  const t1 = orient(p, e0, e1, b, c);
  if ((t0 > 0 && t1 < 0) || (t0 < 0 && t1 > 0)) return false;
  const t2 = orient(p, e0, e1, c, a);
  return (t0 >= 0 && t1 >= 0 && t2 >= 0) || (t0 <= 0 && t1 <= 0 && t2 <= 0);
}

function edgeMeetsInPlane(p: F64View, e0: number, e1: number, a: number, b: number, c: number): boolean {
  const drop = findDropAxis(p, a, b, c);
  const s0 = orientFlat(p, drop, a, b, e0);
  const s1 = orientFlat(p, drop, b, c, e0);
  const s2 = orientFlat(p, drop, c, a, e0);
  if ((s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0)) return true;
  return (
    segmentsMeet(p, drop, e0, e1, a, b) ||
    segmentsMeet(p, drop, e0, e1, b, c) ||
    segmentsMeet(p, drop, e0, e1, c, a)
  );
}

function segmentsMeet(p: F64View, drop: number, q: number, r: number, a: number, b: number): boolean {
  const sq = orientFlat(p, drop, a, b, q);
  const sr = orientFlat(p, drop, a, b, r);
  if (sq === 0 && sr === 0) return segmentBoxesMeet(p, q, r, a, b);
  if ((sq > 0 && sr > 0) || (sq < 0 && sr < 0)) return false;
  const sa = orientFlat(p, drop, q, r, a);
  const sb = orientFlat(p, drop, q, r, b);
  return !((sa > 0 && sb > 0) || (sa < 0 && sb < 0));
}

/** For segments on one line: they meet exactly if their extents do on every axis. */
function segmentBoxesMeet(p: F64View, q: number, r: number, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (Math.max(p[3 * q + k], p[3 * r + k]) < Math.min(p[3 * a + k], p[3 * b + k])) return false;
    if (Math.min(p[3 * q + k], p[3 * r + k]) > Math.max(p[3 * a + k], p[3 * b + k])) return false;
  }
  return true;
}

/**
 * Do triangles abc and def meet beyond the vertices they share by id?
 *   none shared   an edge of one meets the other
 *   one shared    the edge opposite it in one meets the other
 *   two shared    only if folded flat onto each other: in one plane, on the same side of the common edge
 *   all shared    always
 */
export function trianglesMeet(
  p: F64View,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
): boolean {
  const sharedA = a === d || a === e || a === f;
  const sharedB = b === d || b === e || b === f;
  const sharedC = c === d || c === e || c === f;
  const shared = (sharedA ? 1 : 0) + (sharedB ? 1 : 0) + (sharedC ? 1 : 0);
  if (shared === 0) {
    return (
      edgeMeetsTriangle(p, a, b, d, e, f) ||
      edgeMeetsTriangle(p, b, c, d, e, f) ||
      edgeMeetsTriangle(p, c, a, d, e, f) ||
      edgeMeetsTriangle(p, d, e, a, b, c) ||
      edgeMeetsTriangle(p, e, f, a, b, c) ||
      edgeMeetsTriangle(p, f, d, a, b, c)
    );
  }
  if (shared === 1) {
    const [u, v] = sharedA ? [b, c] : sharedB ? [c, a] : [a, b];
    if (edgeMeetsTriangle(p, u, v, d, e, f)) return true;
    const common = sharedA ? a : sharedB ? b : c;
    const [x, y] = common === d ? [e, f] : common === e ? [f, d] : [d, e];
    return edgeMeetsTriangle(p, x, y, a, b, c);
  }
  if (shared === 3) return true;
  const far = sharedA ? (sharedB ? c : b) : a;
  const [u, v] = far === a ? [b, c] : far === b ? [c, a] : [a, b];
  const opposite = d !== u && d !== v ? d : e !== u && e !== v ? e : f;
  return isFoldedFlat(p, u, v, far, opposite);
}

/** Do triangles u v x and u v y lie in one plane on the same side of u v? */
function isFoldedFlat(p: F64View, u: number, v: number, x: number, y: number): boolean {
  if (orient(p, u, v, x, y) !== 0) return false;
  const drop = findDropAxis(p, u, v, x);
  const sx = orientFlat(p, drop, u, v, x);
  const sy = orientFlat(p, drop, u, v, y);
  return sx === 0 || sy === 0 || sx > 0 === sy > 0;
}

/** Is the point in the tetrahedron whose corners are the rows of t (4 x 3), boundary included? Flat ones hold nothing. */
export function isInTet(t: F64View, o: number, x: number, y: number, z: number): boolean {
  const whole = orientRows(t, o, 0, 1, 2, t[o + 9], t[o + 10], t[o + 11]);
  if (whole === 0) return false;
  const s0 = orientRows(t, o, 0, 1, 2, x, y, z);
  if (s0 !== 0 && s0 > 0 !== whole > 0) return false;
  const s1 = orientRows(t, o, 0, 3, 1, x, y, z);
  if (s1 !== 0 && s1 > 0 !== whole > 0) return false;
  const s2 = orientRows(t, o, 1, 3, 2, x, y, z);
  if (s2 !== 0 && s2 > 0 !== whole > 0) return false;
  const s3 = orientRows(t, o, 2, 3, 0, x, y, z);
  return s3 === 0 || s3 > 0 === whole > 0;
}

function orientRows(
  t: F64View,
  o: number,
  i: number,
  j: number,
  k: number,
  x: number,
  y: number,
  z: number,
): number {
  const a = o + 3 * i;
  const b = o + 3 * j;
  const c = o + 3 * k;
  return orient3d(t[a], t[a + 1], t[a + 2], t[b], t[b + 1], t[b + 2], t[c], t[c + 1], t[c + 2], x, y, z);
}
