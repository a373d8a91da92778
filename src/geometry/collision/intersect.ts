/**
 * Static intersection of primitives, decided exactly: every sign comes from an adaptive predicate (Shewchuk 1997, through
 * robust-predicates), exact unless coordinates' products under- or overflow. Primitives are closed sets, so touching counts as
 * intersecting, and degenerate ones count as what they are: a triangle without area is the union of its edges, an edge without length a
 * point. No answer depends on rounding or on the order of arguments.
 *
 * Vertices are ids into position (vertexCount x 3) m. [da-2017] chapter 6 asks these questions where continuous detection cannot: of
 * primitives that were joined at the start of a pseudo-motion.
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
  if (shared === 0) {
    return (
      edgeIntersectsTriangle(position, a, b, d, e, f) ||
      edgeIntersectsTriangle(position, b, c, d, e, f) ||
      edgeIntersectsTriangle(position, c, a, d, e, f) ||
      edgeIntersectsTriangle(position, d, e, a, b, c) ||
      edgeIntersectsTriangle(position, e, f, a, b, c) ||
      edgeIntersectsTriangle(position, f, d, a, b, c)
    );
  }
  if (shared === 3) return true;
  if (shared === 1) {
    // What they have beyond the common vertex reaches the edge opposite to it in one of them.
    return (
      edgeIntersectsTriangle(position, hasA ? b : a, hasC ? b : c, d, e, f) ||
      edgeIntersectsTriangle(position, hasD ? e : d, !hasD && !hasE ? e : f, a, b, c)
    );
  }
  // On a common edge pq, with r and s opposite to it: they overlap only if folded flat onto each other.
  const p = hasA ? a : b;
  const q = hasC ? c : b;
  const r = !hasA ? a : !hasB ? b : c;
  const s = !hasD ? d : !hasE ? e : f;
  return (
    vertexTouchesTriangle(position, s, a, b, c) ||
    vertexTouchesTriangle(position, r, d, e, f) ||
    edgesTouch(position, p, r, q, s) ||
    edgesTouch(position, q, r, p, s)
  );
}

/** Sign of the volume of tetrahedron abcd. */
function orient(position: F64View, a: number, b: number, c: number, d: number): number {
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
