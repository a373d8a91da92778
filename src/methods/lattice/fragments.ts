/**
 * Drops the pieces of the surface that hold no tetrahedra: droplets and sheets below the lattice's resolution, which
 * no velocity reaches and which would hang in the air. Their volume goes back to the rest through the volume
 * correction, and their number is an event of the step. (Mesh thickening, 3.4, is what keeps them alive.)
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import type { StuffedMesh } from '../../mesh/lattice/lattice.ts';
import { clearPiece, type SignGrid } from '../../tracking/contouring/signs.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';
import { buildSurfaceIndex, type SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { LatticeModel } from './model.ts';

export interface Kept {
  readonly surface: TrackedSurface;
  readonly index: SurfaceIndex;
  readonly dropped: number;
}

export function dropUnmeshedFragments(
  model: LatticeModel,
  surface: TrackedSurface,
  index: SurfaceIndex,
  mesh: StuffedMesh,
  outSigns: SignGrid,
  scope: HeapScope,
): Kept {
  const root = labelPieces(surface);
  const meshed = new Uint8Array(surface.vertexCount);
  for (let v = 0; v < surface.vertexCount; v++) {
    if (meshed[root[v]] === 0 && isNearMesh(mesh, surface.position, v)) meshed[root[v]] = 1;
  }
  const countDropped = () => {
    let count = 0;
    for (let v = 0; v < surface.vertexCount; v++) if (root[v] === v && meshed[v] === 0) count++;
    return count;
  };
  if (countDropped() > 0) {
    // The index lists cells whose centre is inside; a thin piece may hold tets around lattice corners alone.
    const occupied = findVertexCells(mesh);
    for (let v = 0; v < surface.vertexCount; v++) {
      if (meshed[root[v]] === 0 && isNearCells(mesh, occupied, surface.position, v)) meshed[root[v]] = 1;
    }
  }
  const dropped = countDropped();
  if (dropped === 0) return { surface, index, dropped };
  const lost: number[] = [];
  for (let v = 0; v < surface.vertexCount; v++) if (meshed[root[v]] === 0) lost.push(v);
  clearPiece(outSigns, surface.position, lost);
  const kept = copyMarked(surface, (v) => meshed[root[v]] === 1, scope);
  return { surface: kept, index: buildSurfaceIndex(kept, model.contour.walls, scope), dropped };
}

/** The lowest vertex of each vertex's connected piece. */
function labelPieces(surface: TrackedSurface): Int32Array {
  const parent = new Int32Array(surface.vertexCount);
  for (let v = 0; v < parent.length; v++) parent[v] = v;
  const find = (v: number) => {
    let r = v;
    while (parent[r] !== r) r = parent[r];
    while (parent[v] !== r) {
      const up = parent[v];
      parent[v] = r;
      v = up;
    }
    return r;
  };
  const { triangle } = surface;
  for (let n = 0; n < triangle.length; n += 3) {
    for (let i = 0; i < 2; i++) {
      const a = find(triangle[n + i]);
      const b = find(triangle[n + i + 1]);
      if (a < b) parent[b] = a;
      else parent[a] = b;
    }
  }
  for (let v = 0; v < parent.length; v++) parent[v] = find(v);
  return parent;
}

/** Whether the lattice cell of a surface vertex, or one beside it, holds tets. */
function isNearMesh(mesh: StuffedMesh, position: Float64Array, v: number): boolean {
  const { origin, size, blocks, blockStart, cellStart } = mesh.index;
  const i = Math.floor((position[3 * v] - origin[0]) / size);
  const j = Math.floor((position[3 * v + 1] - origin[1]) / size);
  const k = Math.floor((position[3 * v + 2] - origin[2]) / size);
  for (let n = 0; n < 27; n++) {
    const ci = i + (n % 3) - 1;
    const cj = j + (Math.floor(n / 3) % 3) - 1;
    const ck = k + Math.floor(n / 9) - 1;
    if (ci < 0 || cj < 0 || ck < 0 || ci >= 2 * blocks[0] || cj >= 2 * blocks[1] || ck >= 2 * blocks[2])
      continue;
    const start = blockStart[(ci >> 1) + blocks[0] * ((cj >> 1) + blocks[1] * (ck >> 1))];
    if (start <= -2) return true;
    if (start !== NONE && cellStart[8 * start + (ci & 1) + 2 * (cj & 1) + 4 * (ck & 1)] !== NONE) return true;
  }
  return false;
}

/** Numbers of the lattice cells that hold a vertex of the mesh. */
function findVertexCells(mesh: StuffedMesh): Set<number> {
  const { origin, size, blocks } = mesh.index;
  const cells = new Set<number>();
  for (let v = 0; v < mesh.vertexCount; v++) {
    const i = Math.floor((mesh.position[3 * v] - origin[0]) / size);
    const j = Math.floor((mesh.position[3 * v + 1] - origin[1]) / size);
    const k = Math.floor((mesh.position[3 * v + 2] - origin[2]) / size);
    cells.add(i + 2 * blocks[0] * (j + 2 * blocks[1] * k));
  }
  return cells;
}

/** Whether the lattice cell of a surface vertex, or one beside it, is among `cells`. */
function isNearCells(mesh: StuffedMesh, cells: Set<number>, position: Float64Array, v: number): boolean {
  const { origin, size, blocks } = mesh.index;
  const i = Math.floor((position[3 * v] - origin[0]) / size);
  const j = Math.floor((position[3 * v + 1] - origin[1]) / size);
  const k = Math.floor((position[3 * v + 2] - origin[2]) / size);
  for (let n = 0; n < 27; n++) {
    const a = i + (n % 3) - 1;
    const b = j + (Math.floor(n / 3) % 3) - 1;
    const c = k + Math.floor(n / 9) - 1;
    if (cells.has(a + 2 * blocks[0] * (b + 2 * blocks[1] * c))) return true;
  }
  return false;
}

function copyMarked(surface: TrackedSurface, keep: (v: number) => boolean, scope: HeapScope): TrackedSurface {
  const newId = new Int32Array(surface.vertexCount).fill(NONE);
  let vertexCount = 0;
  for (let v = 0; v < surface.vertexCount; v++) if (keep(v)) newId[v] = vertexCount++;
  const position = scope.f64(Math.max(1, 3 * vertexCount)).subarray(0, 3 * vertexCount);
  for (let v = 0; v < surface.vertexCount; v++) {
    if (newId[v] !== NONE) position.set(surface.position.subarray(3 * v, 3 * v + 3), 3 * newId[v]);
  }
  let triangleCount = 0;
  for (let f = 0; f < surface.triangleCount; f++) if (keep(surface.triangle[3 * f])) triangleCount++;
  const triangle = scope.i32(3 * triangleCount);
  const wall = scope.u8(triangleCount);
  for (let f = 0, n = 0; f < surface.triangleCount; f++) {
    if (!keep(surface.triangle[3 * f])) continue;
    for (let i = 0; i < 3; i++) triangle[3 * n + i] = newId[surface.triangle[3 * f + i]];
    wall[n++] = surface.wall[f];
  }
  return { vertexCount, triangleCount, position, triangle, wall };
}
