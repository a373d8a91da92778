/**
 * The search structure over the free triangles of S_t: each lies in one cell of the contouring grid, so the
 * cells themselves hold them, with a sphere around each, stored in the order of the cells. Where the contour
 * was shifted triangles reach out of their cells: the search is told how far.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { NONE } from '../../core/types.ts';
import { BlockGrid } from './block-grid.ts';
import { buildFreeBoundary, type TrackedSurface } from './surface.ts';

/** Relative slack of distances to spheres: more than rounding, so that no triangle is left out wrongly. */
export const SLACK = 1e-9;

/** The search structure over one surface, on the heap: what tasks on other threads are given. */
export const surfaceIndexRecord = defineRecord('surface index', {
  place: {
    type: 'f64',
    stride: 8,
    meaning:
      '[origin x, y, z, spacing, nodesX, nodesY, nodesZ, stray]; stray: by how many cells triangles reach out of theirs, at most',
  },
  directory: { type: 'i32', meaning: 'of the blocks of cells' },
  cellStart: { type: 'i32', meaning: '(slotCount + 1) first entry of each cell in cellTriangle' },
  cellTriangle: { type: 'i32', per: 'entry', meaning: 'free triangles by cell' },
  sphere: {
    type: 'f64',
    per: 'entry',
    stride: 4,
    unit: 'm',
    meaning: 'centroid and radius of the sphere about it that holds the triangle',
  },
  position: { type: 'f64', per: 'vertex', stride: 3, unit: 'm', meaning: 'of the surface' },
  triangle: { type: 'i32', per: 'triangle', stride: 3, meaning: 'of the surface' },
  normal: { type: 'f64', per: 'vertex', stride: 3, meaning: 'unit normal of the free surface' },
  contact: { type: 'u8', per: 'vertex', meaning: '1 on contact lines' },
});
export type SurfaceIndex = ValuesOf<typeof surfaceIndexRecord>;

/** Sorts the free triangles into the cells of `grid`'s lattice. The surface arrays must be on the heap. */
export function buildSurfaceIndex(surface: TrackedSurface, grid: BlockGrid, scope: HeapScope): SurfaceIndex {
  const { position, triangle, wall, triangleCount } = surface;
  const { normal, contact } = buildFreeBoundary(surface, scope);
  const own = new BlockGrid(grid.origin, grid.spacing, grid.nodesX, grid.nodesY, grid.nodesZ);
  const cellOfTriangle = new Int32Array(triangleCount).fill(NONE);
  const inverse = 1 / grid.spacing;
  let freeCount = 0;
  let stray = 0;
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
    for (let m = 0; m < 3; m++) {
      const cell = m === 0 ? i : m === 1 ? j : k;
      const first = (position[a + m] - grid.origin[m]) * inverse - cell;
      const second = (position[b + m] - grid.origin[m]) * inverse - cell;
      const third = (position[c + m] - grid.origin[m]) * inverse - cell;
      stray = Math.max(stray, -Math.min(first, second, third), Math.max(first, second, third) - 1);
    }
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
  const place = scope.f64(8);
  place.set([...grid.origin, grid.spacing, grid.nodesX, grid.nodesY, grid.nodesZ, stray + SLACK]);
  return { place, directory, cellStart, cellTriangle, sphere, position, triangle, normal, contact };
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
