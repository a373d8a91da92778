/**
 * Angle-weighted pseudo-normals of a triangle mesh (Baerentzen and Aanaes 2005), and the neighbours edges
 * need them from.
 */
import type { HeapScope } from '../core/heap.ts';
import { NONE } from '../core/types.ts';
import { computeAngle, setNormal } from '../math/triangle.ts';
import type { Bvh } from './bvh.ts';
import { buildTriangleEdges, type Triangles } from './triangles.ts';

type Allocator = Pick<HeapScope, 'f64' | 'i32'> | undefined;

/** (slots x 3) slot across each edge; NONE at an open edge, or where more than two triangles meet. */
export function buildSlotNeighbours(mesh: Triangles, bvh: Bvh, scope?: Allocator): Int32Array {
  const { slotToTriangle, triangleCount } = bvh;
  const triangleToSlot = new Int32Array(triangleCount);
  for (let slot = 0; slot < triangleCount; slot++) triangleToSlot[slotToTriangle[slot]] = slot;
  const { edgeStart, edgeHalfEdge, halfEdgeToEdge } = buildTriangleEdges(mesh);
  const neighbour = scope ? scope.i32(3 * triangleCount) : new Int32Array(3 * triangleCount);
  for (let slot = 0; slot < triangleCount; slot++) {
    for (let i = 0; i < 3; i++) {
      const h = 3 * slotToTriangle[slot] + i;
      const start = edgeStart[halfEdgeToEdge[h]];
      const isManifold = edgeStart[halfEdgeToEdge[h] + 1] - start === 2;
      const across = edgeHalfEdge[start] === h ? edgeHalfEdge[start + 1] : edgeHalfEdge[start];
      neighbour[3 * slot + i] = isManifold ? triangleToSlot[Math.floor(across / 3)] : NONE;
    }
  }
  return neighbour;
}

/**
 * (vertexCount x 3) sum over the triangles at each vertex of unit normal times the angle there; not
 * normalised.
 */
export function buildVertexNormals(mesh: Triangles, scope?: Allocator): Float64Array {
  const { position, triangle, triangleCount, vertexCount } = mesh;
  const normal = scope ? scope.f64(3 * vertexCount) : new Float64Array(3 * vertexCount);
  const unit = new Float64Array(3);
  const corner = new Float64Array(9);
  for (let t = 0; t < triangleCount; t++) {
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) corner[3 * i + k] = position[3 * triangle[3 * t + i] + k];
    }
    unit.fill(0);
    addUnitNormal(corner, 0, unit);
    for (let i = 0; i < 3; i++) {
      const angle = computeAngle(corner, 3 * i, 3 * ((i + 1) % 3), 3 * ((i + 2) % 3));
      const v = 3 * triangle[3 * t + i];
      for (let k = 0; k < 3; k++) normal[v + k] += angle * unit[k];
    }
  }
  return normal;
}

/** Adds the unit normal of the triangle at corner[o]; one without area adds nothing. */
export function addUnitNormal(corner: Float64Array, o: number, sum: Float64Array): void {
  setNormal(corner, o, o + 3, o + 6, normalOf);
  const x = normalOf[0];
  const y = normalOf[1];
  const z = normalOf[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return;
  sum[0] += x / length;
  sum[1] += y / length;
  sum[2] += z / length;
}
const normalOf = new Float64Array(3);
