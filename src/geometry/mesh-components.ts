/**
 * Connected parts of a closed manifold triangle mesh: which triangles, what volume, which lies within which.
 */
import { createSets, findRoot, unite } from '../core/disjoint-sets.ts';
import { computeWindingNumber } from './inside.ts';
import type { TriangleEdges, Triangles } from './triangles.ts';

export interface Components {
  readonly count: number;
  readonly triangleToComponent: Int32Array;
  readonly firstTriangle: Int32Array;
  /** (count) signed volume, m^3 */
  readonly volume: Float64Array;
  /**
   * (vertexCount) separate fans of triangles at each vertex: 1 where the surface is manifold, 0 at unused
   * vertices
   */
  readonly vertexFans: Int32Array;
  /** How often the other parts together wind around part c (which must not cross them). */
  windingAround(c: number): number;
}

/**
 * Needs every edge to have two triangles of opposite direction. Cost: O(n), and O(n) per part that lies in
 * another's box.
 */
export function buildComponents(mesh: Triangles, edges: TriangleEdges): Components {
  const { triangle, triangleCount } = mesh;
  const { edgeStart, edgeHalfEdge, edgeCount } = edges;
  const triangleSet = createSets(triangleCount);
  const cornerSet = createSets(3 * triangleCount);
  for (let e = 0; e < edgeCount; e++) {
    const h = edgeHalfEdge[edgeStart[e]];
    const g = edgeHalfEdge[edgeStart[e] + 1];
    unite(triangleSet, Math.floor(h / 3), Math.floor(g / 3));
    // Opposite directions: h starts where g ends.
    unite(cornerSet, h, next(g));
    unite(cornerSet, next(h), g);
  }
  const vertexFans = new Int32Array(mesh.vertexCount);
  for (let h = 0; h < 3 * triangleCount; h++) if (findRoot(cornerSet, h) === h) vertexFans[triangle[h]]++;

  const triangleToComponent = new Int32Array(triangleCount);
  const first: number[] = [];
  const rootToComponent = new Int32Array(triangleCount).fill(-1);
  for (let t = 0; t < triangleCount; t++) {
    const root = findRoot(triangleSet, t);
    if (rootToComponent[root] < 0) {
      rootToComponent[root] = first.length;
      first.push(t);
    }
    triangleToComponent[t] = rootToComponent[root];
  }
  const firstTriangle = Int32Array.from(first);
  const { volume, box } = measureParts(mesh, triangleToComponent, firstTriangle);
  return {
    count: first.length,
    triangleToComponent,
    firstTriangle,
    volume,
    vertexFans,
    windingAround: (c) => computeWindingAround(mesh, triangleToComponent, firstTriangle, box, c),
  };
}

function next(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

function measureParts(mesh: Triangles, triangleToComponent: Int32Array, firstTriangle: Int32Array) {
  const { position: p, triangle } = mesh;
  const volume = new Float64Array(firstTriangle.length);
  const box = new Float64Array(6 * firstTriangle.length);
  for (let i = 0; i < box.length; i++) box[i] = i % 6 < 3 ? Infinity : -Infinity;
  for (let t = 0; t < mesh.triangleCount; t++) {
    const part = triangleToComponent[t];
    // About a vertex of the part itself, so that distance from the origin costs no digits.
    const o = 3 * triangle[3 * firstTriangle[part]];
    const a = 3 * triangle[3 * t];
    const b = 3 * triangle[3 * t + 1];
    const c = 3 * triangle[3 * t + 2];
    let determinant = 0;
    for (let k = 0; k < 3; k++) {
      const u = (k + 1) % 3;
      const v = (k + 2) % 3;
      determinant +=
        (p[a + k] - p[o + k]) *
        ((p[b + u] - p[o + u]) * (p[c + v] - p[o + v]) - (p[b + v] - p[o + v]) * (p[c + u] - p[o + u]));
      box[6 * part + k] = Math.min(box[6 * part + k], p[a + k], p[b + k], p[c + k]);
      box[6 * part + 3 + k] = Math.max(box[6 * part + 3 + k], p[a + k], p[b + k], p[c + k]);
    }
    volume[part] += determinant;
  }
  for (let part = 0; part < volume.length; part++) volume[part] /= 6;
  return { volume, box };
}

/**
 * Winding number, at a vertex of part c, of the parts whose boxes hold c's box; the others cannot enclose it.
 */
function computeWindingAround(
  mesh: Triangles,
  triangleToComponent: Int32Array,
  firstTriangle: Int32Array,
  box: Float64Array,
  c: number,
): number {
  const holds = new Uint8Array(firstTriangle.length);
  let holders = 0;
  for (let other = 0; other < firstTriangle.length; other++) {
    let inside = other !== c;
    for (let k = 0; k < 3 && inside; k++) {
      inside = box[6 * other + k] <= box[6 * c + k] && box[6 * other + 3 + k] >= box[6 * c + 3 + k];
    }
    if (!inside) continue;
    holds[other] = 1;
    holders++;
  }
  if (holders === 0) return 0;
  const corners: number[] = [];
  for (let t = 0; t < mesh.triangleCount; t++) {
    if (!holds[triangleToComponent[t]]) continue;
    for (let i = 0; i < 3; i++) corners.push(mesh.triangle[3 * t + i]);
  }
  const around: Triangles = {
    ...mesh,
    triangleCount: corners.length / 3,
    triangle: Int32Array.from(corners),
  };
  const v = 3 * mesh.triangle[3 * firstTriangle[c]];
  return Math.round(
    computeWindingNumber(around, mesh.position[v], mesh.position[v + 1], mesh.position[v + 2]),
  );
}

/** The lowest vertex of each vertex's connected part. */
export function labelConnected(vertexCount: number, triangle: Int32Array): Int32Array {
  const parent = createSets(vertexCount);
  for (let h = 0; h < triangle.length; h += 3)
    for (let i = 0; i < 2; i++) unite(parent, triangle[h + i], triangle[h + i + 1]);
  for (let v = 0; v < vertexCount; v++) parent[v] = findRoot(parent, v);
  return parent;
}
