/**
 * Medial axis of thin liquid by rays ([chentanez-2007] 3.4.1, figure 5).
 *
 * From each vertex x_i of the free surface a ray goes against the normal. If it leaves the liquid within
 * `reach` (gamma), the midpoint m_i is a candidate; it is dropped if its distance d_i from the surface is
 * substantially shorter than
 * |x_i - m_i|, as happens where the two sides are not opposite each other. With the ratio 1/2 the sides may
 *   stand at up to
 * 60 degrees; the smallest drop a grid resolves, an octahedron, has 0.58 and stays.
 *
 * Walls: only the free surface is hit. A layer on a wall needs no help from the surface tracker, whose grid
 * points on the wall see it however thin it is, and thickening it would pump liquid into every wet wall.
 * Vertices on contact lines send no ray. Cost: O(vertices); each costs one short ray and, in thin places, one
 * distance query.
 */
import type { HeapScope } from '../../../core/heap.ts';
import { defineTask, type Threads } from '../../../core/threads/task.ts';
import { setNormal } from '../../../math/triangle.ts';
import { SurfaceDistance } from '../../../tracking/contouring/distance.ts';
import { type SurfaceIndex, surfaceIndexRecord } from '../../../tracking/contouring/surface-index.ts';
import type { Particles } from './particles.ts';
import { SurfaceRay } from './surface-ray.ts';

const GRAIN = 1024;

/** Per vertex: m_i and d_i; d_i = 0 where there is no thin liquid. */
const castRays = defineTask(
  'lattice/cast-medial-rays',
  { index: surfaceIndexRecord, reach: 'number', ratio: 'number', out: 'f64' },
  (begin, end, { index, reach, ratio, out }) => {
    const { place, directory, cellStart, cellTriangle, position, triangle, normal, contact } = index;
    const ray = new SurfaceRay(place, directory, cellStart, cellTriangle, position, triangle);
    const distance = new SurfaceDistance(index);
    const rings = Math.ceil(reach / (2 * place[3])) + 1;
    for (let v = begin; v < end; v++) {
      const nx = normal[3 * v];
      const ny = normal[3 * v + 1];
      const nz = normal[3 * v + 2];
      if (contact[v] === 1 || (nx === 0 && ny === 0 && nz === 0)) continue;
      const thickness = ray.exitDistance(v, -nx, -ny, -nz, reach);
      if (thickness === Number.POSITIVE_INFINITY) continue;
      const half = thickness / 2;
      const x = position[3 * v] - half * nx;
      const y = position[3 * v + 1] - half * ny;
      const z = position[3 * v + 2] - half * nz;
      if (distance.signedDistance(x, y, z, rings) <= 0 || !distance.found) continue;
      // Both sides are equally near: the distance without curvature, so that it does not matter which of them
      // was found.
      const d = distance.distance;
      if (d < ratio * half) continue;
      out[4 * v] = x;
      out[4 * v + 1] = y;
      out[4 * v + 2] = z;
      out[4 * v + 3] = Math.min(d, half);
    }
  },
);

/**
 * Particles on the medial axis where the liquid is at most `reach` thick; radii are their distances from the
 * surface.
 */
export function findMedialAxis(
  index: SurfaceIndex,
  reach: number,
  ratio: number,
  threads: Threads,
  scope: HeapScope,
): Particles {
  const vertexCount = index.contact.length;
  const candidate = scope.f64(Math.max(1, 4 * vertexCount));
  threads.run(castRays, vertexCount, GRAIN, { index, reach, ratio, out: candidate });
  let count = 0;
  for (let v = 0; v < vertexCount; v++) if (candidate[4 * v + 3] > 0) count++;
  const position = scope.f64(Math.max(1, 3 * count));
  const radius = scope.f64(Math.max(1, count));
  const normal = scope.f64(Math.max(1, 3 * count));
  const area = scope.f64(Math.max(1, count));
  const vertexArea = measureVertexAreas(index);
  for (let v = 0, p = 0; v < vertexCount; v++) {
    if (!(candidate[4 * v + 3] > 0)) continue;
    position[3 * p] = candidate[4 * v];
    position[3 * p + 1] = candidate[4 * v + 1];
    position[3 * p + 2] = candidate[4 * v + 2];
    normal.set(index.normal.subarray(3 * v, 3 * v + 3), 3 * p);
    area[p] = vertexArea[v];
    radius[p++] = candidate[4 * v + 3];
  }
  return { count, position, radius, normal, area };
}

/** A third of the free triangles around each vertex, m^2. */
function measureVertexAreas({ cellTriangle, position, triangle, contact }: SurfaceIndex): Float64Array {
  const out = new Float64Array(contact.length);
  const normal = new Float64Array(3);
  for (let n = 0; n < cellTriangle.length; n++) {
    const a = 3 * triangle[3 * cellTriangle[n]];
    const b = 3 * triangle[3 * cellTriangle[n] + 1];
    const c = 3 * triangle[3 * cellTriangle[n] + 2];
    setNormal(position, a, b, c, normal);
    const third = Math.hypot(normal[0], normal[1], normal[2]) / 6;
    out[a / 3] += third;
    out[b / 3] += third;
    out[c / 3] += third;
  }
  return out;
}
