/**
 * What the geometric queries need to know of a triangle mesh, and its edges.
 * `Triangles` is the part of mesh/trimesh.ts's TriMesh (the same shape) that this layer, which lies below,
 * may use.
 */
export interface Triangles {
  readonly vertexCount: number;
  readonly triangleCount: number;
  /** (vertexCount x 3) m */
  readonly position: Float64Array;
  /** (triangleCount x 3) vertex ids, counter-clockwise seen from outside */
  readonly triangle: Int32Array;
}

/** Sum over all triangles of a measure of their corners, given as offsets of coordinates. */
export function sumTriangles(
  { triangle, triangleCount }: Triangles,
  measure: (a: number, b: number, c: number) => number,
): number {
  let sum = 0;
  for (let h = 0; h < 3 * triangleCount; h += 3)
    sum += measure(3 * triangle[h], 3 * triangle[h + 1], 3 * triangle[h + 2]);
  return sum;
}

/**
 * Undirected edges, numbered by lower then higher vertex id. Half-edge h = 3 t + i runs from corner i of
 * triangle t to corner (i + 1) % 3.
 */
export interface TriangleEdges {
  readonly edgeCount: number;
  /** (edgeCount x 2) lower and higher vertex id */
  readonly edgeVertex: Int32Array;
  /** (triangleCount x 3) edge of each half-edge */
  readonly halfEdgeToEdge: Int32Array;
  /** CSR: half-edges of edge e are edgeHalfEdge[edgeStart[e] .. edgeStart[e+1]) in ascending order */
  readonly edgeStart: Int32Array;
  readonly edgeHalfEdge: Int32Array;
}

/**
 * Numbers the edges by two stable counting sorts (higher vertex, then lower). Cost: O(vertices + triangles).
 */
export function buildTriangleEdges(mesh: Triangles): TriangleEdges {
  const { triangle, vertexCount } = mesh;
  const halfEdgeCount = 3 * mesh.triangleCount;
  const low = new Int32Array(halfEdgeCount);
  const high = new Int32Array(halfEdgeCount);
  for (let h = 0; h < halfEdgeCount; h++) {
    const a = triangle[h];
    const b = triangle[h % 3 === 2 ? h - 2 : h + 1];
    low[h] = Math.min(a, b);
    high[h] = Math.max(a, b);
  }
  const byHigh = sortByKey(high, vertexCount, undefined);
  const sorted = sortByKey(low, vertexCount, byHigh);

  const halfEdgeToEdge = new Int32Array(halfEdgeCount);
  let edgeCount = 0;
  for (let i = 0; i < halfEdgeCount; i++) {
    const h = sorted[i];
    const g = i > 0 ? sorted[i - 1] : h;
    if (i === 0 || low[h] !== low[g] || high[h] !== high[g]) edgeCount++;
    halfEdgeToEdge[h] = edgeCount - 1;
  }
  const edgeVertex = new Int32Array(2 * edgeCount);
  const edgeStart = new Int32Array(edgeCount + 1);
  for (let i = halfEdgeCount - 1; i >= 0; i--) {
    const h = sorted[i];
    const e = halfEdgeToEdge[h];
    edgeVertex[2 * e] = low[h];
    edgeVertex[2 * e + 1] = high[h];
    edgeStart[e] = i;
  }
  edgeStart[edgeCount] = halfEdgeCount;
  return { edgeCount, edgeVertex, halfEdgeToEdge, edgeStart, edgeHalfEdge: sorted };
}

/** Stable counting sort of ids (all of 0..n-1, or those of `order`) by key in [0, keyCount). */
function sortByKey(key: Int32Array, keyCount: number, order: Int32Array | undefined): Int32Array {
  const start = new Int32Array(keyCount + 1);
  for (let i = 0; i < key.length; i++) start[key[i] + 1]++;
  for (let k = 0; k < keyCount; k++) start[k + 1] += start[k];
  const out = new Int32Array(key.length);
  for (let i = 0; i < key.length; i++) {
    const id = order ? order[i] : i;
    out[start[key[id]]++] = id;
  }
  return out;
}

/** True if half-edge h runs from its edge's lower vertex to the higher one. */
export function runsUpward(triangle: Int32Array, h: number): boolean {
  return triangle[h] < triangle[h % 3 === 2 ? h - 2 : h + 1];
}
