/** Contours of given functions, and slow independent measures of surfaces, for the tests of src/tracking. */
import { createHeap } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Vec3 } from '../../src/core/types.ts';
import { cross, dot, subtract } from '../../src/math/vectors.ts';
import { type Contour, ContourBuilder } from '../../src/tracking/contouring/contour.ts';
import { SurfaceDistance } from '../../src/tracking/contouring/distance.ts';
import {
  buildContourSpace,
  type ClearanceFunction,
  type ContourSpace,
} from '../../src/tracking/contouring/space.ts';
import type { TrackedSurface } from '../../src/tracking/contouring/surface.ts';
import { buildSurfaceIndex } from '../../src/tracking/contouring/surface-index.ts';

export type ScalarFunction = (x: number, y: number, z: number) => number;

export const heap = createHeap();

/** Clearance of a place without walls. */
export const openSpace: ClearanceFunction = () => 1e9;

/** Clearance inside the axis-aligned box. */
export const boxWalls =
  (min: Vec3, max: Vec3): ClearanceFunction =>
  (x, y, z) =>
    Math.min(x - min[0], y - min[1], z - min[2], max[0] - x, max[1] - y, max[2] - z);

export function buildSpace(
  origin: Vec3,
  spacing: number,
  nodes: Vec3,
  clearance: ClearanceFunction = openSpace,
): ContourSpace {
  return buildContourSpace(origin, spacing, nodes, clearance, heap.scope('test frame'));
}

/**
 * Contour of f. Seeds: every cell whose centre is within a cell of the zero set, or those the caller picks.
 */
export function contourOf(
  frame: ContourSpace,
  f: ScalarFunction,
  seed?: (i: number, j: number, k: number) => boolean,
): Contour {
  const builder = new ContourBuilder(
    frame,
    (point, count, out) => {
      for (let n = 0; n < count; n++) out[n] = f(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
    },
    heap.scope('test scratch'),
  );
  const { origin, spacing, nodesX, nodesY, nodesZ } = builder.grid;
  const near: typeof seed = (i, j, k) =>
    Math.abs(
      f(origin[0] + (i + 0.5) * spacing, origin[1] + (j + 0.5) * spacing, origin[2] + (k + 0.5) * spacing),
    ) <=
    1.01 * spacing;
  const isSeed = seed ?? near;
  for (let k = 0; k < nodesZ - 1; k++)
    for (let j = 0; j < nodesY - 1; j++)
      for (let i = 0; i < nodesX - 1; i++) if (isSeed(i, j, k)) builder.addCell(i, j, k);
  return builder.build(heap.scope('test surface'), (x, y, z) => f(x, y, z) > 0);
}

export function distanceTo(surface: TrackedSurface, frame: ContourSpace): SurfaceDistance {
  return new SurfaceDistance(buildSurfaceIndex(surface, frame.walls, heap.scope('test index')));
}

/** Trilinear interpolation of random node values in [-1, 1]; `border` on the outermost nodes if given. */
export function randomField(
  seed: number,
  origin: Vec3,
  spacing: number,
  nodes: Vec3,
  border?: number,
): ScalarFunction {
  const random = createRandom(seed);
  const [nx, ny, nz] = nodes;
  const value = new Float64Array(nx * ny * nz);
  for (let k = 0, n = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++, n++) {
        const outermost = i === 0 || j === 0 || k === 0 || i === nx - 1 || j === ny - 1 || k === nz - 1;
        const drawn = 2 * random.next() - 1;
        value[n] = outermost && border !== undefined ? border : drawn;
      }
  return (x, y, z) => {
    const g = [(x - origin[0]) / spacing, (y - origin[1]) / spacing, (z - origin[2]) / spacing];
    const low = g.map((c, a) => Math.max(0, Math.min(nodes[a] - 2, Math.floor(c))));
    let sum = 0;
    for (let n = 0; n < 8; n++) {
      const i = low[0] + (n & 1);
      const j = low[1] + ((n >> 1) & 1);
      const k = low[2] + (n >> 2);
      const weight = (1 - Math.abs(g[0] - i)) * (1 - Math.abs(g[1] - j)) * (1 - Math.abs(g[2] - k));
      sum += weight * value[i + nx * (j + ny * k)];
    }
    return sum;
  };
}

/** Directed edges without a partner in the other direction: 0 for a closed oriented surface. */
export function countUnmatchedEdges(surface: TrackedSurface): number {
  const balance = new Map<number, number>();
  const { triangle, vertexCount } = surface;
  for (let f = 0; f < surface.triangleCount; f++)
    for (let i = 0; i < 3; i++) {
      const a = triangle[3 * f + i];
      const b = triangle[3 * f + ((i + 1) % 3)];
      const key = Math.min(a, b) * vertexCount + Math.max(a, b);
      balance.set(key, (balance.get(key) ?? 0) + (a < b ? 1 : -1));
    }
  let unmatched = 0;
  for (const sum of balance.values()) unmatched += Math.abs(sum);
  return unmatched;
}

/** Distance from a point to every triangle in turn, by minimising over face, edges and corners. */
export function bruteDistance(surface: TrackedSurface, x: number, y: number, z: number): number {
  const { position, triangle } = surface;
  const p: Vec3 = [x, y, z];
  let least = Number.POSITIVE_INFINITY;
  for (let f = 0; f < surface.triangleCount; f++) {
    const corner = [0, 1, 2].map((i) => {
      const v = 3 * triangle[3 * f + i];
      return [position[v], position[v + 1], position[v + 2]] as Vec3;
    });
    least = Math.min(least, distanceToTriangle(p, corner[0], corner[1], corner[2]));
  }
  return least;
}

function distanceToSegment(p: Vec3, a: Vec3, b: Vec3): number {
  const u = subtract(b, a);
  const t = Math.max(0, Math.min(1, dot(subtract(p, a), u) / (dot(u, u) || 1)));
  return Math.hypot(p[0] - a[0] - t * u[0], p[1] - a[1] - t * u[1], p[2] - a[2] - t * u[2]);
}

function distanceToTriangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3): number {
  const n = cross(subtract(b, a), subtract(c, a));
  const nn = dot(n, n);
  const edges = Math.min(distanceToSegment(p, a, b), distanceToSegment(p, b, c), distanceToSegment(p, c, a));
  if (nn === 0) return edges;
  const inside =
    dot(cross(subtract(b, a), subtract(p, a)), n) >= 0 &&
    dot(cross(subtract(c, b), subtract(p, b)), n) >= 0 &&
    dot(cross(subtract(a, c), subtract(p, c)), n) >= 0;
  return inside ? Math.abs(dot(subtract(p, a), n)) / Math.sqrt(nn) : edges;
}

/** Winding number by solid angles (Van Oosterom and Strackee 1983): 1 inside, 0 outside. */
export function windingNumber(surface: TrackedSurface, x: number, y: number, z: number): number {
  const { position, triangle } = surface;
  let angle = 0;
  for (let f = 0; f < surface.triangleCount; f++) {
    const [a, b, c] = [0, 1, 2].map((i) => {
      const v = 3 * triangle[3 * f + i];
      return [position[v] - x, position[v + 1] - y, position[v + 2] - z] as Vec3;
    });
    const la = Math.hypot(...a);
    const lb = Math.hypot(...b);
    const lc = Math.hypot(...c);
    angle +=
      2 * Math.atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return angle / (4 * Math.PI);
}

/**
 * The next surface under a motion given with its inverse: contour of the distance at the path's start, seeded
 * by the path's end.
 */
export function recontour(
  frame: ContourSpace,
  surface: TrackedSurface,
  forward: (p: Vec3) => Vec3,
  backward: (p: Vec3) => Vec3,
  isInsideFar: (p: Vec3) => boolean,
): TrackedSurface {
  const distance = distanceTo(surface, frame);
  const far = 5 * frame.walls.spacing;
  const valueAt = (p: Vec3) => {
    const start = backward(p);
    const value = distance.signedDistance(start[0], start[1], start[2], 5);
    return distance.found ? value : isInsideFar(start) ? far : -far;
  };
  const scratch = heap.scope('test scratch');
  const builder = new ContourBuilder(
    frame,
    (point, count, out) => {
      for (let n = 0; n < count; n++) out[n] = valueAt([point[3 * n], point[3 * n + 1], point[3 * n + 2]]);
    },
    scratch,
  );
  for (let f = 0; f < surface.triangleCount; f++) {
    if (surface.wall[f] === 1) continue;
    const corner = [0, 1, 2].map((i) => {
      const v = 3 * surface.triangle[3 * f + i];
      return forward([surface.position[v], surface.position[v + 1], surface.position[v + 2]]);
    });
    const low = [0, 1, 2].map((a) => Math.min(...corner.map((c) => c[a])));
    const high = [0, 1, 2].map((a) => Math.max(...corner.map((c) => c[a])));
    builder.addBox(low[0], low[1], low[2], high[0], high[1], high[2]);
  }
  const next = builder.build(heap.scope('test surface'), (x, y, z) => isInsideFar([x, y, z])).surface;
  scratch.free();
  return next;
}

/** Largest and smallest value of g over the vertices of free triangles. */
export function rangeOverFreeVertices(surface: TrackedSurface, g: ScalarFunction): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let f = 0; f < surface.triangleCount; f++) {
    if (surface.wall[f] === 1) continue;
    for (let i = 0; i < 3; i++) {
      const v = 3 * surface.triangle[3 * f + i];
      const value = g(surface.position[v], surface.position[v + 1], surface.position[v + 2]);
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
}
