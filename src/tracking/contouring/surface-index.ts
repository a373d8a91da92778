/**
 * The search structure over the free triangles of S_t: each lies in one cell of the contouring grid, so the cells themselves hold them,
 * with a sphere around each, stored in the order of the cells.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import { BlockGrid } from './block-grid.ts';
import { buildFreeBoundary, type TrackedSurface } from './surface.ts';

/** Relative slack of distances to spheres: more than rounding, so that no triangle is left out wrongly. */
export const SLACK = 1e-9;

/** The search structure over one surface, as flat heap arrays: what tasks on other threads are given. */
export interface SurfaceIndex {
  /** [origin x, y, z, spacing, nodesX, nodesY, nodesZ] */
  readonly frame: Float64Array;
  readonly directory: Int32Array;
  /** (slotCount + 1) first entry of each cell in cellTriangle */
  readonly cellStart: Int32Array;
  readonly cellTriangle: Int32Array;
  /** (entries of cellTriangle x 4) centroid and radius of the sphere about it that holds the triangle, m */
  readonly sphere: Float64Array;
  readonly position: Float64Array;
  readonly triangle: Int32Array;
  readonly normal: Float64Array;
  readonly contact: Uint8Array;
}

export type SurfaceIndexArgs = [
  Float64Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Float64Array,
  Float64Array,
  Int32Array,
  Float64Array,
  Uint8Array,
];

export const SURFACE_INDEX_ARG_COUNT = 9;

export function surfaceIndexArgs(index: SurfaceIndex): SurfaceIndexArgs {
  return [
    index.frame,
    index.directory,
    index.cellStart,
    index.cellTriangle,
    index.sphere,
    index.position,
    index.triangle,
    index.normal,
    index.contact,
  ];
}

/** Sorts the free triangles into the cells of `grid`'s lattice. The surface arrays must be on the heap. */
export function buildSurfaceIndex(surface: TrackedSurface, grid: BlockGrid, scope: HeapScope): SurfaceIndex {
  const { position, triangle, wall, triangleCount } = surface;
  const { normal, contact } = buildFreeBoundary(surface, scope);
  const own = new BlockGrid(grid.origin, grid.spacing, grid.nodesX, grid.nodesY, grid.nodesZ);
  const cellOfTriangle = new Int32Array(triangleCount).fill(NONE);
  const inverse = 1 / grid.spacing;
  let freeCount = 0;
  for (let f = 0; f < triangleCount; f++) {
    if (wall[f] === 1) continue;
    const a = 3 * triangle[3 * f];
    const b = 3 * triangle[3 * f + 1];
    const c = 3 * triangle[3 * f + 2];
    const i = Math.floor(((position[a] + position[b] + position[c]) / 3 - grid.origin[0]) * inverse);
    const j = Math.floor(
      ((position[a + 1] + position[b + 1] + position[c + 1]) / 3 - grid.origin[1]) * inverse,
    );
    const k = Math.floor(
      ((position[a + 2] + position[b + 2] + position[c + 2]) / 3 - grid.origin[2]) * inverse,
    );
    cellOfTriangle[f] = own.addSlot(i, j, k);
    freeCount++;
  }
  const cellStart = scope.i32(own.slotCount + 1);
  for (let f = 0; f < triangleCount; f++) if (cellOfTriangle[f] !== NONE) cellStart[cellOfTriangle[f] + 1]++;
  for (let s = 0; s < own.slotCount; s++) cellStart[s + 1] += cellStart[s];
  const fill = cellStart.slice(0, own.slotCount);
  const cellTriangle = scope.i32(freeCount);
  for (let f = 0; f < triangleCount; f++) {
    if (cellOfTriangle[f] !== NONE) cellTriangle[fill[cellOfTriangle[f]]++] = f;
  }
  const sphere = scope.f64(4 * freeCount);
  for (let n = 0; n < freeCount; n++) storeSphere(position, triangle, cellTriangle[n], sphere, 4 * n);
  const directory = scope.i32(own.directory.length);
  directory.set(own.directory);
  const frame = scope.f64(7);
  frame.set([...grid.origin, grid.spacing, grid.nodesX, grid.nodesY, grid.nodesZ]);
  return { frame, directory, cellStart, cellTriangle, sphere, position, triangle, normal, contact };
}

function storeSphere(
  position: Float64Array,
  triangle: Int32Array,
  f: number,
  outSphere: Float64Array,
  at: number,
): void {
  const a = 3 * triangle[3 * f];
  const b = 3 * triangle[3 * f + 1];
  const c = 3 * triangle[3 * f + 2];
  const x = (position[a] + position[b] + position[c]) / 3;
  const y = (position[a + 1] + position[b + 1] + position[c + 1]) / 3;
  const z = (position[a + 2] + position[b + 2] + position[c + 2]) / 3;
  const squared = (v: number) =>
    (position[v] - x) ** 2 + (position[v + 1] - y) ** 2 + (position[v + 2] - z) ** 2;
  outSphere[at] = x;
  outSphere[at + 1] = y;
  outSphere[at + 2] = z;
  outSphere[at + 3] = Math.sqrt(Math.max(squared(a), squared(b), squared(c))) * (1 + SLACK);
}
