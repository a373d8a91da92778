/**
 * Static intersection of primitives, decided exactly: every sign comes from an adaptive predicate (Shewchuk
 * 1997, through robust-predicates), exact unless coordinates' products under- or overflow. Primitives are
 * closed sets, so touching counts as intersecting, and degenerate ones count as what they are: a triangle
 * without area is the union of its edges, an edge without length a point. No answer depends on rounding or on
 * the order of arguments.
 *
 * Vertices are ids into position (vertexCount x 3) m. [da-2017] chapter 6 asks these questions where
 * continuous detection cannot: of primitives that were joined at the start of a pseudo-motion.
 *
 * Most pairs asked about are neighbours on a surface and do not meet; a plane or a direction that parts them,
 * found in plain arithmetic with a bound on its error, ends those at once.
 */
import { orient2d, orient3d } from 'robust-predicates';
import type { F64View } from '../../core/types.ts';

/** Does edge e0 e1 meet triangle abc? They share no vertex. */
export function edgeIntersectsTriangle(
  position: F64View,
  e0: number,
  e1: number,
  a: number,
  b: number,
  c: number,
): boolean {
  const s0 = orient(position, a, b, c, e0);
  const s1 = orient(position, a, b, c, e1);
  if ((s0 > 0 && s1 > 0) || (s0 < 0 && s1 < 0)) return false;
  if (s0 === 0 && s1 === 0) {
    // In one plane, or the triangle has none: the edge starts inside or crosses the border.
    return (
      vertexTouchesTriangle(position, e0, a, b, c) ||
      edgesTouch(position, e0, e1, a, b) ||
      edgesTouch(position, e0, e1, b, c) ||
      edgesTouch(position, e0, e1, c, a)
    );
  }
  // The edge's line crosses the plane in one point: inside if it passes all three sides alike.
  const ab = orient(position, e0, e1, a, b);
  const bc = orient(position, e0, e1, b, c);
  if ((ab > 0 && bc < 0) || (ab < 0 && bc > 0)) return false;
  const ca = orient(position, e0, e1, c, a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

/** Does vertex v lie on triangle abc, border included? */
export function vertexTouchesTriangle(
  position: F64View,
  v: number,
  a: number,
  b: number,
  c: number,
): boolean {
  if (orient(position, a, b, c, v) !== 0) return false;
  for (let drop = 0; drop < 3; drop++) {
    const side = orientFlat(position, drop, a, b, c);
    if (side === 0) continue;
    // Seen along this axis the plane is not edge-on, so nothing is lost.
    const ab = orientFlat(position, drop, a, b, v);
    const bc = orientFlat(position, drop, b, c, v);
    const ca = orientFlat(position, drop, c, a, v);
    return side > 0 ? ab >= 0 && bc >= 0 && ca >= 0 : ab <= 0 && bc <= 0 && ca <= 0;
  }
  return (
    vertexTouchesEdge(position, v, a, b) ||
    vertexTouchesEdge(position, v, b, c) ||
    vertexTouchesEdge(position, v, c, a)
  );
}

/** Do edges ab and cd meet? */
export function edgesTouch(position: F64View, a: number, b: number, c: number, d: number): boolean {
  if (orient(position, a, b, c, d) !== 0) return false;
  for (let drop = 0; drop < 3; drop++) {
    const c0 = orientFlat(position, drop, a, b, c);
    const d0 = orientFlat(position, drop, a, b, d);
    const a0 = orientFlat(position, drop, c, d, a);
    const b0 = orientFlat(position, drop, c, d, b);
    if (c0 === 0 && d0 === 0 && a0 === 0 && b0 === 0) continue;
    const isApart = (c0 > 0 && d0 > 0) || (c0 < 0 && d0 < 0) || (a0 > 0 && b0 > 0) || (a0 < 0 && b0 < 0);
    return !isApart;
  }
  // All on one line: they meet if their extents do, on every axis.
  for (let k = 0; k < 3; k++) {
    const pa = position[3 * a + k];
    const pb = position[3 * b + k];
    const pc = position[3 * c + k];
    const pd = position[3 * d + k];
    if (Math.max(pa, pb) < Math.min(pc, pd) || Math.min(pa, pb) > Math.max(pc, pd)) return false;
  }
  return true;
}

/** Does vertex v lie on edge ab, ends included? */
export function vertexTouchesEdge(position: F64View, v: number, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) {
    const pv = position[3 * v + k];
    const pa = position[3 * a + k];
    const pb = position[3 * b + k];
    if (pv < Math.min(pa, pb) || pv > Math.max(pa, pb)) return false;
  }
  for (let drop = 0; drop < 3; drop++) if (orientFlat(position, drop, a, b, v) !== 0) return false;
  return true;
}

/** Does vertex v lie in tetrahedron abcd, border included? A flat one is the union of its faces. */
export function vertexTouchesTetrahedron(
  position: F64View,
  v: number,
  a: number,
  b: number,
  c: number,
  d: number,
): boolean {
  const whole = orient(position, a, b, c, d);
  if (whole === 0) {
    return (
      vertexTouchesTriangle(position, v, a, b, c) ||
      vertexTouchesTriangle(position, v, a, b, d) ||
      vertexTouchesTriangle(position, v, a, c, d) ||
      vertexTouchesTriangle(position, v, b, c, d)
    );
  }
  const side = whole > 0 ? 1 : -1;
  return (
    side * orient(position, v, b, c, d) >= 0 &&
    side * orient(position, a, v, c, d) >= 0 &&
    side * orient(position, a, b, v, d) >= 0 &&
    side * orient(position, a, b, c, v) >= 0
  );
}

/** Do triangles abc and def meet in more than the vertices (by id) that they share? */
export function trianglesIntersect(
  position: F64View,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
): boolean {
  const hasA = a === d || a === e || a === f;
  const hasB = b === d || b === e || b === f;
  const hasC = c === d || c === e || c === f;
  const hasD = d === a || d === b || d === c;
  const hasE = e === a || e === b || e === c;
  const shared = (hasA ? 1 : 0) + (hasB ? 1 : 0) + (hasC ? 1 : 0);
  if (shared === 3) return true;
  if (shared === 0) return areApartTrianglesMeeting(position, a, b, c, d, e, f);
  if (shared === 1) {
    const p = hasA ? a : hasB ? b : c;
    const b1 = hasA ? b : a;
    const c1 = hasC ? b : c;
    const e1 = hasD ? e : d;
    const f1 = !hasD && !hasE ? e : f;
    return areFanTrianglesMeeting(position, p, b1, c1, e1, f1);
  }
  // On a common edge pq, with r and s opposite to it: they overlap only if folded flat onto each other.
  const r = !hasA ? a : !hasB ? b : c;
  const s = !hasD ? d : !hasE ? e : f;
  const p = hasA ? a : b;
  const q = hasC ? c : b;
  return areHingedTrianglesMeeting(position, p, q, r, s);
}

/** Two triangles without a common vertex. */
function areApartTrianglesMeeting(
  position: F64View,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
): boolean {
  if (areParted(position, a, b, c, d, e, f)) return false;
  // The plane of one with the other strictly on one side parts them.
  const side = orient(position, a, b, c, d);
  if (side !== 0 && side === orient(position, a, b, c, e) && side === orient(position, a, b, c, f))
    return false;
  const other = orient(position, d, e, f, a);
  if (other !== 0 && other === orient(position, d, e, f, b) && other === orient(position, d, e, f, c))
    return false;
  return (
    edgeIntersectsTriangle(position, a, b, d, e, f) ||
    edgeIntersectsTriangle(position, b, c, d, e, f) ||
    edgeIntersectsTriangle(position, c, a, d, e, f) ||
    edgeIntersectsTriangle(position, d, e, a, b, c) ||
    edgeIntersectsTriangle(position, e, f, a, b, c) ||
    edgeIntersectsTriangle(position, f, d, a, b, c)
  );
}

/**
 * Triangles pbc and pef: do they meet beyond p? What they have there reaches the edge opposite to p in one of
 * them.
 */
function areFanTrianglesMeeting(
  position: F64View,
  p: number,
  b: number,
  c: number,
  e: number,
  f: number,
): boolean {
  if (isFanParted(position, p, b, c, e, f)) return false;
  const side = orient(position, p, b, c, e);
  if (side !== 0 && side === orient(position, p, b, c, f)) return false;
  const other = orient(position, p, e, f, b);
  if (other !== 0 && other === orient(position, p, e, f, c)) return false;
  return edgeIntersectsTriangle(position, b, c, p, e, f) || edgeIntersectsTriangle(position, e, f, p, b, c);
}

/** Triangles pqr and pqs: do they meet beyond their edge? */
function areHingedTrianglesMeeting(position: F64View, p: number, q: number, r: number, s: number): boolean {
  if (orient(position, p, q, r, s) !== 0) return false;
  return (
    vertexTouchesTriangle(position, s, p, q, r) ||
    vertexTouchesTriangle(position, r, p, q, s) ||
    edgesTouch(position, p, r, q, s) ||
    edgesTouch(position, q, r, p, s)
  );
}

/**
 * Rounding of a difference and of a sum of three products, relative to the sum of their sizes, with room to
 * spare. Sizes are bounded by sums, which are quicker than the largest.
 */
const DOT_ERROR = 2 ** -50;
/** Covers products that underflow: below it nothing is decided. */
const TINY = 2 ** -1000;

/**
 * Does the direction from the one's middle to the other's part two triangles? True only if it certainly does.
 */
function areParted(
  position: F64View,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
): boolean {
  const x = position[3 * a];
  const y = position[3 * a + 1];
  const z = position[3 * a + 2];
  const bx = position[3 * b] - x;
  const by = position[3 * b + 1] - y;
  const bz = position[3 * b + 2] - z;
  const cx = position[3 * c] - x;
  const cy = position[3 * c + 1] - y;
  const cz = position[3 * c + 2] - z;
  const dx = position[3 * d] - x;
  const dy = position[3 * d + 1] - y;
  const dz = position[3 * d + 2] - z;
  const ex = position[3 * e] - x;
  const ey = position[3 * e + 1] - y;
  const ez = position[3 * e + 2] - z;
  const fx = position[3 * f] - x;
  const fy = position[3 * f + 1] - y;
  const fz = position[3 * f + 2] - z;
  const nx = dx + ex + fx - bx - cx;
  const ny = dy + ey + fy - by - cy;
  const nz = dz + ez + fz - bz - cz;
  const sx = Math.abs(nx) * (Math.abs(bx) + Math.abs(cx) + Math.abs(dx) + Math.abs(ex) + Math.abs(fx));
  const sy = Math.abs(ny) * (Math.abs(by) + Math.abs(cy) + Math.abs(dy) + Math.abs(ey) + Math.abs(fy));
  const sz = Math.abs(nz) * (Math.abs(bz) + Math.abs(cz) + Math.abs(dz) + Math.abs(ez) + Math.abs(fz));
  const error = DOT_ERROR * (sx + sy + sz) + TINY;
  // The first corner is the origin.
  const atB = nx * bx + ny * by + nz * bz;
  const atC = nx * cx + ny * cy + nz * cz;
  const high = Math.max(0, atB, atC) + 2 * error;
  return (
    nx * dx + ny * dy + nz * dz > high &&
    nx * ex + ny * ey + nz * ez > high &&
    nx * fx + ny * fy + nz * fz > high
  );
}

/**
 * Does the direction from the one's middle to the other's part two triangles at p? True only if it certainly
 * does.
 */
function isFanParted(position: F64View, p: number, b: number, c: number, e: number, f: number): boolean {
  const x = position[3 * p];
  const y = position[3 * p + 1];
  const z = position[3 * p + 2];
  const bx = position[3 * b] - x;
  const by = position[3 * b + 1] - y;
  const bz = position[3 * b + 2] - z;
  const cx = position[3 * c] - x;
  const cy = position[3 * c + 1] - y;
  const cz = position[3 * c + 2] - z;
  const ex = position[3 * e] - x;
  const ey = position[3 * e + 1] - y;
  const ez = position[3 * e + 2] - z;
  const fx = position[3 * f] - x;
  const fy = position[3 * f + 1] - y;
  const fz = position[3 * f + 2] - z;
  const nx = bx + cx - ex - fx;
  const ny = by + cy - ey - fy;
  const nz = bz + cz - ez - fz;
  const sx = Math.abs(nx) * (Math.abs(bx) + Math.abs(cx) + Math.abs(ex) + Math.abs(fx));
  const sy = Math.abs(ny) * (Math.abs(by) + Math.abs(cy) + Math.abs(ey) + Math.abs(fy));
  const sz = Math.abs(nz) * (Math.abs(bz) + Math.abs(cz) + Math.abs(ez) + Math.abs(fz));
  const error = DOT_ERROR * (sx + sy + sz) + TINY;
  return (
    nx * bx + ny * by + nz * bz > error &&
    nx * cx + ny * cy + nz * cz > error &&
    nx * ex + ny * ey + nz * ez < -error &&
    nx * fx + ny * fy + nz * fz < -error
  );
}

/**
 * Of the determinant in `orient`, relative to the sum of the sizes of its terms (Shewchuk 1997, section 4.3).
 */
const ORIENT_ERROR = (7 + 56 * 2 ** -53) * 2 ** -53;

/** Sign of the volume of tetrahedron abcd: exactly -1, 0 or 1. */
function orient(position: F64View, a: number, b: number, c: number, d: number): number {
  const x = position[3 * d];
  const y = position[3 * d + 1];
  const z = position[3 * d + 2];
  const ax = position[3 * a] - x;
  const ay = position[3 * a + 1] - y;
  const az = position[3 * a + 2] - z;
  const bx = position[3 * b] - x;
  const by = position[3 * b + 1] - y;
  const bz = position[3 * b + 2] - z;
  const cx = position[3 * c] - x;
  const cy = position[3 * c + 1] - y;
  const cz = position[3 * c + 2] - z;
  const bxcy = bx * cy;
  const cxby = cx * by;
  const cxay = cx * ay;
  const axcy = ax * cy;
  const axby = ax * by;
  const bxay = bx * ay;
  const volume = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
  const size =
    (Math.abs(bxcy) + Math.abs(cxby)) * Math.abs(az) +
    (Math.abs(cxay) + Math.abs(axcy)) * Math.abs(bz) +
    (Math.abs(axby) + Math.abs(bxay)) * Math.abs(cz);
  const error = ORIENT_ERROR * size;
  if (volume > error) return 1;
  if (volume < -error) return -1;
  const exact = orientExactly(position, a, b, c, d);
  return exact > 0 ? 1 : exact < 0 ? -1 : 0;
}

function orientExactly(position: F64View, a: number, b: number, c: number, d: number): number {
  return orient3d(
    position[3 * a],
    position[3 * a + 1],
    position[3 * a + 2],
    position[3 * b],
    position[3 * b + 1],
    position[3 * b + 2],
    position[3 * c],
    position[3 * c + 1],
    position[3 * c + 2],
    position[3 * d],
    position[3 * d + 1],
    position[3 * d + 2],
  );
}

/** Sign of the area of triangle abc seen along axis `drop`. */
function orientFlat(position: F64View, drop: number, a: number, b: number, c: number): number {
  const u = drop === 0 ? 1 : 0;
  const v = drop === 2 ? 1 : 2;
  return orient2d(
    position[3 * a + u],
    position[3 * a + v],
    position[3 * b + u],
    position[3 * b + v],
    position[3 * c + u],
    position[3 * c + v],
  );
}
