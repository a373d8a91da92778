/**
 * Self-intersections of a triangle mesh, decided exactly: every sign comes from an adaptive predicate
 * (Shewchuk 1997, through robust-predicates), so neither scale nor near-coplanar faces give false alarms.
 * Touching counts as intersecting; sharing the vertices that the mesh itself shares does not. Broad phase by
 * the hierarchy. Cost: O(n log n) for meshes of practice.
 */
import { orient2d, orient3d } from 'robust-predicates';
import { NONE } from '../core/types.ts';
import { CORNER, setCorner, setTriangleBox, UU, WW } from '../math/triangle.ts';
import type { Bvh } from './bvh.ts';
import { BvhQuery, findOverlaps } from './bvh-query.ts';
import type { TriangleEdges, Triangles } from './triangles.ts';

export interface SelfIntersection {
  readonly triangleA: number;
  readonly triangleB: number;
  /** A point that both hold, m */
  readonly point: [number, number, number];
}

const box = new Float64Array(6);

/** The first intersecting pair in triangle order, or undefined; `isFlat` marks triangles without area. */
export function findSelfIntersection(
  mesh: Triangles,
  edges: TriangleEdges,
  bvh: Bvh,
  isFlat: Uint8Array,
): SelfIntersection | undefined {
  const test = new PairTest(mesh, isFlat);
  const flatNeighbour = findFlatNeighbours(mesh, edges, isFlat);
  const query = new BvhQuery();
  const { position, triangle } = mesh;
  for (let t = 0; t < mesh.triangleCount; t++) {
    const a = 3 * triangle[3 * t];
    const b = 3 * triangle[3 * t + 1];
    const c = 3 * triangle[3 * t + 2];
    setTriangleBox(position, a, b, c, box);
    const count = findOverlaps(bvh, query, box[0], box[1], box[2], box[3], box[4], box[5]);
    for (let i = 0; i < count; i++) {
      const u = query.found[i];
      if (u <= t || !test.meet(t, u)) continue;
      // Both sides of a closed T-junction touch along the triangle without area that closes it.
      if (flatNeighbour[t] !== NONE && flatNeighbour[t] === flatNeighbour[u]) continue;
      return { triangleA: t, triangleB: u, point: [...test.point] };
    }
  }
  return undefined;
}

/** A triangle without area across an edge of each triangle, or NONE. */
function findFlatNeighbours(mesh: Triangles, edges: TriangleEdges, isFlat: Uint8Array): Int32Array {
  const found = new Int32Array(mesh.triangleCount).fill(NONE);
  for (let flat = 0; flat < mesh.triangleCount; flat++) {
    if (!isFlat[flat]) continue;
    for (let h = 3 * flat; h < 3 * flat + 3; h++) {
      const e = edges.halfEdgeToEdge[h];
      for (let i = edges.edgeStart[e]; i < edges.edgeStart[e + 1]; i++) {
        const t = Math.floor(edges.edgeHalfEdge[i] / 3);
        if (t !== flat) found[t] = flat;
      }
    }
  }
  return found;
}

/** Twice the area over the longest edge squared, below which rounding may hide that a triangle is flat. */
const THIN = 1e-10;

const seen = new Float64Array(CORNER);

/** Marks triangles whose corners lie exactly on one line. */
export function findFlatTriangles(mesh: Triangles): Uint8Array {
  const { position: p, triangle } = mesh;
  const isFlat = new Uint8Array(mesh.triangleCount);
  for (let t = 0; t < mesh.triangleCount; t++) {
    const a = 3 * triangle[3 * t];
    const b = 3 * triangle[3 * t + 1];
    const c = 3 * triangle[3 * t + 2];
    const double = setCorner(p, a, b, c, seen);
    if (double > THIN * (seen[UU] + seen[WW])) continue;
    if (isLine(p, a, b, c, 0, 1) && isLine(p, a, b, c, 1, 2) && isLine(p, a, b, c, 2, 0)) isFlat[t] = 1;
  }
  return isFlat;
}

/**
 * Are the corners collinear when projected to axes u and v? Three points are collinear exactly if all
 * projections are.
 */
function isLine(p: Float64Array, a: number, b: number, c: number, u: number, v: number): boolean {
  return orient2d(p[a + u], p[a + v], p[b + u], p[b + v], p[c + u], p[c + v]) === 0;
}

/**
 * Tests pairs of triangles; vertices are ids, so that shared corners are known without comparing coordinates.
 */
class PairTest {
  readonly point: [number, number, number] = [0, 0, 0];
  /** Local corners (0..2) of the two triangles that are the same vertex. */
  private readonly sharedA = [NONE, NONE, NONE];
  private readonly sharedB = [NONE, NONE, NONE];

  constructor(
    private readonly mesh: Triangles,
    private readonly isFlat: Uint8Array,
  ) {}

  meet(t: number, u: number): boolean {
    const { triangle } = this.mesh;
    let shared = 0;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        if (triangle[3 * t + i] !== triangle[3 * u + j]) continue;
        this.sharedA[shared] = i;
        this.sharedB[shared++] = j;
      }
    }
    const flat = this.isFlat[t] === 1 || this.isFlat[u] === 1;
    // A triangle without area lies along its neighbours wherever a T-junction was closed: no defect of its
    // own.
    if (flat && shared > 0) return false;
    if (shared === 0) return this.meetApart(t, u);
    if (shared === 1) return this.meetAtVertex(t, u);
    return this.meetAtEdge(t, u);
  }

  private meetApart(t: number, u: number): boolean {
    for (let i = 0; i < 3; i++) {
      if (!this.isFlat[u] && this.edgeMeets(t, i, u)) return true;
      if (!this.isFlat[t] && this.edgeMeets(u, i, t)) return true;
    }
    return false;
  }

  /** If they meet in more than their common vertex, the edge opposite it in one of them reaches the other. */
  private meetAtVertex(t: number, u: number): boolean {
    return this.edgeMeets(t, (this.sharedA[0] + 1) % 3, u) || this.edgeMeets(u, (this.sharedB[0] + 1) % 3, t);
  }

  /** Triangles on one edge overlap only if they lie in one plane on the same side of it: folded flat. */
  private meetAtEdge(t: number, u: number): boolean {
    const { triangle } = this.mesh;
    const a = 3 * triangle[3 * t];
    const b = 3 * triangle[3 * t + 1];
    const c = 3 * triangle[3 * t + 2];
    const oppositeA = 3 * triangle[3 * t + 3 - this.sharedA[0] - this.sharedA[1]];
    const oppositeB = 3 * triangle[3 * u + 3 - this.sharedB[0] - this.sharedB[1]];
    if (this.orient(a, b, c, oppositeB) !== 0) return false;
    const e0 = 3 * triangle[3 * t + this.sharedA[0]];
    const e1 = 3 * triangle[3 * t + this.sharedA[1]];
    const drop = this.findDropAxis(a, b, c);
    const sideA = this.orientFlat(drop, e0, e1, oppositeA);
    const sideB = this.orientFlat(drop, e0, e1, oppositeB);
    if (sideA > 0 !== sideB > 0 || sideB === 0) return false;
    this.setPoint(oppositeB, oppositeB, 0);
    return true;
  }

  /** Does edge i of triangle t meet triangle u? They share no vertex on that edge. */
  private edgeMeets(t: number, i: number, u: number): boolean {
    const { triangle } = this.mesh;
    const p = 3 * triangle[3 * t + i];
    const q = 3 * triangle[3 * t + ((i + 1) % 3)];
    const a = 3 * triangle[3 * u];
    const b = 3 * triangle[3 * u + 1];
    const c = 3 * triangle[3 * u + 2];
    const sp = this.orient(a, b, c, p);
    const sq = this.orient(a, b, c, q);
    if ((sp > 0 && sq > 0) || (sp < 0 && sq < 0)) return false;
    if (sp === 0 && sq === 0) return this.edgeMeetsInPlane(p, q, a, b, c);
    const s0 = this.orient(p, q, a, b);
    const s1 = this.orient(p, q, b, c);
    const s2 = this.orient(p, q, c, a);
    if (!((s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0))) return false;
    this.setPoint(p, q, sp / (sp - sq));
    return true;
  }

  private edgeMeetsInPlane(p: number, q: number, a: number, b: number, c: number): boolean {
    const drop = this.findDropAxis(a, b, c);
    const s0 = this.orientFlat(drop, a, b, p);
    const s1 = this.orientFlat(drop, b, c, p);
    const s2 = this.orientFlat(drop, c, a, p);
    if ((s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0)) {
      this.setPoint(p, p, 0);
      return true;
    }
    return (
      this.segmentsMeet(drop, p, q, a, b) ||
      this.segmentsMeet(drop, p, q, b, c) ||
      this.segmentsMeet(drop, p, q, c, a)
    );
  }

  private segmentsMeet(drop: number, p: number, q: number, a: number, b: number): boolean {
    const sp = this.orientFlat(drop, a, b, p);
    const sq = this.orientFlat(drop, a, b, q);
    const sa = this.orientFlat(drop, p, q, a);
    const sb = this.orientFlat(drop, p, q, b);
    if (sp === 0 && sq === 0) {
      // All on one line: they meet if their extents do, on the axis where the segment is longest.
      const { position } = this.mesh;
      for (let k = 0; k < 3; k++) {
        if (Math.max(position[p + k], position[q + k]) < Math.min(position[a + k], position[b + k]))
          return false;
        if (Math.min(position[p + k], position[q + k]) > Math.max(position[a + k], position[b + k]))
          return false;
      }
      this.setPoint(a, a, 0);
      return true;
    }
    if ((sp > 0 && sq > 0) || (sp < 0 && sq < 0) || (sa > 0 && sb > 0) || (sa < 0 && sb < 0)) return false;
    this.setPoint(p, q, sp / (sp - sq));
    return true;
  }

  private setPoint(p: number, q: number, t: number): void {
    const { position } = this.mesh;
    for (let k = 0; k < 3; k++) this.point[k] = position[p + k] + t * (position[q + k] - position[p + k]);
  }

  private orient(a: number, b: number, c: number, d: number): number {
    const p = this.mesh.position;
    return orient3d(
      p[a],
      p[a + 1],
      p[a + 2],
      p[b],
      p[b + 1],
      p[b + 2],
      p[c],
      p[c + 1],
      p[c + 2],
      p[d],
      p[d + 1],
      p[d + 2],
    );
  }

  private orientFlat(drop: number, a: number, b: number, c: number): number {
    const p = this.mesh.position;
    const u = (drop + 1) % 3;
    const v = (drop + 2) % 3;
    return orient2d(p[a + u], p[a + v], p[b + u], p[b + v], p[c + u], p[c + v]);
  }

  /** Axis along which the triangle projects without collapsing. */
  private findDropAxis(a: number, b: number, c: number): number {
    let best = 0;
    let size = -1;
    for (let drop = 0; drop < 3; drop++) {
      const area = Math.abs(this.orientFlat(drop, a, b, c));
      if (area > size) {
        size = area;
        best = drop;
      }
    }
    return best;
  }
}
