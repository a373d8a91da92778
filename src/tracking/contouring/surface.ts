import type { HeapScope } from '../../core/heap.ts';
import { setSeen } from '../../math/triangle.ts';
import type { TriMesh } from '../../mesh/trimesh.ts';
import { computeVertexNormals } from './vertex-normals.ts';

/**
 * The tracked liquid boundary S_t of [chentanez-2007] 3.2: a closed triangulation, finer than the tet mesh's
 * boundary. A triangle is *free* where liquid meets air and a *wall* triangle where it lies along a solid.
 * Only the free part is advected; the wall part follows from the solids.
 */
export interface TrackedSurface extends TriMesh {
  /** (triangleCount) 1 on wall triangles */
  readonly wall: Uint8Array;
}

/**
 * Outward vertex normals of the free part, exact on spheres (vertex-normals.ts), and the vertices where it
 * ends at a solid.
 */
export interface FreeBoundary {
  /** (vertexCount x 3) unit; zero at vertices of wall triangles only */
  readonly normal: Float64Array;
  /** (vertexCount) 1 where free and wall triangles meet: the contact line */
  readonly contact: Uint8Array;
}

export function buildFreeBoundary(surface: TrackedSurface, scope: HeapScope): FreeBoundary {
  const { triangle, wall, vertexCount, triangleCount } = surface;
  const normal = scope.f64(3 * vertexCount);
  const contact = scope.u8(vertexCount);
  const FREE = 1;
  const WALL = 2;
  for (let f = 0; f < triangleCount; f++) {
    const a = triangle[3 * f];
    const b = triangle[3 * f + 1];
    const c = triangle[3 * f + 2];
    const mark = wall[f] === 1 ? WALL : FREE;
    contact[a] |= mark;
    contact[b] |= mark;
    contact[c] |= mark;
  }
  computeVertexNormals(surface, (f) => wall[f] === 0, normal);
  for (let v = 0; v < vertexCount; v++) contact[v] = contact[v] === (FREE | WALL) ? 1 : 0;
  return { normal, contact };
}

/**
 * Volume (m^3) and first moment (m^4) of the liquid inside a closed surface, and the area of its free part
 * (m^2).
 */
export interface SurfaceIntegrals {
  readonly volume: number;
  readonly centroid: readonly [number, number, number];
  readonly freeArea: number;
  readonly area: number;
}

const corners = new Float64Array(9);

export function measureSurface(surface: TrackedSurface): SurfaceIntegrals {
  const { position, triangle, wall, triangleCount, vertexCount } = surface;
  // Coordinates relative to one vertex keep the cancellation of the divergence theorem small far from the
  // origin.
  const ox = vertexCount > 0 ? position[0] : 0;
  const oy = vertexCount > 0 ? position[1] : 0;
  const oz = vertexCount > 0 ? position[2] : 0;
  let volume = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  let area = 0;
  let freeArea = 0;
  for (let f = 0; f < triangleCount; f++) {
    const a = 3 * triangle[3 * f];
    const b = 3 * triangle[3 * f + 1];
    const c = 3 * triangle[3 * f + 2];
    setSeen(position, a, b, c, ox, oy, oz, corners);
    const { 0: ax, 1: ay, 2: az, 3: bx, 4: by, 5: bz, 6: cx, 7: cy, 8: cz } = corners;
    const sixth = (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
    volume += sixth;
    mx += (sixth * (ax + bx + cx)) / 4;
    my += (sixth * (ay + by + cy)) / 4;
    mz += (sixth * (az + bz + cz)) / 4;
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const triangleArea = Math.hypot(nx, ny, nz) / 2;
    area += triangleArea;
    if (wall[f] === 0) freeArea += triangleArea;
  }
  const inverse = volume === 0 ? 0 : 1 / volume;
  return {
    volume,
    centroid: [ox + mx * inverse, oy + my * inverse, oz + mz * inverse],
    area,
    freeArea,
  };
}
