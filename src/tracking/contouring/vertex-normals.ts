/**
 * Unit normals at the vertices of the free surface, weighted as in Max 1999: the sum over the triangles at a
 * vertex of
 *     p_i x p_(i+1),   p_i = e_i / |e_i|^2,   e_i: the edges from the vertex.
 * On a sphere all p_i lie in one plane across the normal (inversion turns a sphere through the origin into a
 * plane), so the sum is exact there whatever the edges.
 *
 * But p_i grows as 1 / |e_i|, and where the surface passes a node of the contouring grid at 1e-7 cells so
 * does an edge: the normal of that sliver, which is mere rounding, would outweigh all others. Surfaces at
 * rest then jump by a hundredth of a cell. So the point of an edge shorter than SHORT mean edges of its
 * vertex moves towards the middle of its two neighbours: it stays in the plane of the others, and in the
 * limit the ring just leaves it out. Cost: linear in the triangles; one table entry for every short edge.
 */
import type { TriMesh } from '../../mesh/trimesh.ts';

/** Length of an edge, in mean edges of its vertex, below which it counts for less. */
const SHORT = 0.25;

/** Adds nothing at vertices of other triangles. `isFree(f)`: whether a triangle belongs to the surface. */
export function computeVertexNormals(
  { position, triangle, triangleCount, vertexCount }: TriMesh,
  isFree: (f: number) => boolean,
  outNormal: Float64Array,
): void {
  const length = new Float64Array(vertexCount);
  const edges = new Int32Array(vertexCount);
  const lengthOf = (v: number, w: number): number => {
    const x = position[3 * w] - position[3 * v];
    const y = position[3 * w + 1] - position[3 * v + 1];
    const z = position[3 * w + 2] - position[3 * v + 2];
    return Math.sqrt(x * x + y * y + z * z);
  };
  for (let f = 0; f < triangleCount; f++) {
    if (!isFree(f)) continue;
    for (let i = 0; i < 3; i++) {
      const v = triangle[3 * f + i];
      const w = triangle[3 * f + ((i + 1) % 3)];
      const edge = lengthOf(v, w);
      length[v] += edge;
      length[w] += edge;
      edges[v]++;
      edges[w]++;
    }
  }
  for (let v = 0; v < vertexCount; v++) length[v] *= SHORT / Math.max(1, edges[v]);
  const ring = new ShortEdges(vertexCount);
  for (let f = 0; f < triangleCount; f++) {
    if (!isFree(f)) continue;
    for (let i = 0; i < 3; i++) {
      const v = triangle[3 * f + i];
      const w = triangle[3 * f + ((i + 1) % 3)];
      const s = triangle[3 * f + ((i + 2) % 3)];
      const isShortW = lengthOf(v, w) < length[v];
      const isShortS = lengthOf(v, s) < length[v];
      if (isShortW && !isShortS) ring.addNeighbour(v, w, s, position);
      else if (isShortS && !isShortW) ring.addNeighbour(v, s, w, position);
    }
  }
  const p = new Float64Array(3);
  const q = new Float64Array(3);
  for (let f = 0; f < triangleCount; f++) {
    if (!isFree(f)) continue;
    for (let i = 0; i < 3; i++) {
      const v = triangle[3 * f + i];
      ring.findPoint(v, triangle[3 * f + ((i + 1) % 3)], length[v], position, p);
      ring.findPoint(v, triangle[3 * f + ((i + 2) % 3)], length[v], position, q);
      outNormal[3 * v] += p[1] * q[2] - p[2] * q[1];
      outNormal[3 * v + 1] += p[2] * q[0] - p[0] * q[2];
      outNormal[3 * v + 2] += p[0] * q[1] - p[1] * q[0];
    }
  }
  for (let v = 0; v < vertexCount; v++) {
    const size = Math.hypot(outNormal[3 * v], outNormal[3 * v + 1], outNormal[3 * v + 2]);
    if (size === 0) continue;
    for (let a = 0; a < 3; a++) outNormal[3 * v + a] /= size;
  }
}

/** The inverted points of the ring around each vertex, with those of short edges replaced. */
class ShortEdges {
  private readonly slotOf = new Map<number, number>();
  /** (short edges x 4) sum of the neighbours' points, 1/m, and how many. */
  private sum: number[] = [];

  constructor(private readonly vertexCount: number) {}

  /** The long edge v-s is beside the short one v-w. */
  addNeighbour(v: number, w: number, s: number, position: Float64Array): void {
    const key = v * this.vertexCount + w;
    let slot = this.slotOf.get(key);
    if (slot === undefined) {
      slot = this.sum.length;
      this.slotOf.set(key, slot);
      this.sum.push(0, 0, 0, 0);
    }
    const x = position[3 * s] - position[3 * v];
    const y = position[3 * s + 1] - position[3 * v + 1];
    const z = position[3 * s + 2] - position[3 * v + 2];
    const scale = 1 / (x * x + y * y + z * z);
    this.sum[slot] += scale * x;
    this.sum[slot + 1] += scale * y;
    this.sum[slot + 2] += scale * z;
    this.sum[slot + 3]++;
  }

  /**
   * The point of the edge v-w, 1/m; edges shorter than `short` move towards the middle of their neighbours.
   */
  findPoint(v: number, w: number, short: number, position: Float64Array, out: Float64Array): void {
    const x = position[3 * w] - position[3 * v];
    const y = position[3 * w + 1] - position[3 * v + 1];
    const z = position[3 * w + 2] - position[3 * v + 2];
    const squared = x * x + y * y + z * z;
    const isShort = squared < short * short;
    const scale = 1 / (isShort ? short * short : squared || 1);
    out[0] = scale * x;
    out[1] = scale * y;
    out[2] = scale * z;
    if (!isShort) return;
    const slot = this.slotOf.get(v * this.vertexCount + w);
    if (slot === undefined) return;
    const rest = (1 - scale * squared) / this.sum[slot + 3];
    for (let a = 0; a < 3; a++) out[a] += rest * this.sum[slot + a];
  }
}
