/**
 * Pieces of the surface that hold no tetrahedra: sheets and drops below the lattice's resolution, which no
 * velocity reaches. Those that lie on a floor stay as they are. The others, in the air or on a wall, become
 * droplets (volume/droplets.ts): left in the surface they would hang there. (Mesh thickening, 3.4, gives such
 * pieces tets instead.) Scraps below a cell that the contour draws larger than they should be become droplets
 * too: a shift cannot thin them further, and the scene would gain liquid.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import type { StuffedMesh } from '../../mesh/lattice/lattice.ts';
import { findBlock } from '../../mesh/locate.ts';
import { findPieces, type Pieces } from '../../tracking/contouring/pieces.ts';
import { clearPiece, type SignGrid } from '../../tracking/contouring/signs.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';
import { buildSurfaceIndex, type SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { LiquidModel } from '../liquid/model.ts';
import { joinDroplets, type PieceBooks } from './keep-volumes.ts';
import { renumberTargets } from './renumber.ts';

/**
 * Cosine between gravity and the normal of a wall from which the wall is a floor: 11 degrees of slope, and 60
 * for liquid that clings.
 */
const FLOOR = { slips: 0.98, clings: 0.5 };
/**
 * Lattice cells below which a piece is a scrap, and its surplus, as a share of what it should hold, from
 * which it becomes a droplet.
 */
const SCRAP = { cells: 1, surplus: 0.02 };

export interface Kept {
  readonly surface: TrackedSurface;
  readonly index: SurfaceIndex;
  readonly pieces: Pieces;
  /** (pieces) m^3 */
  readonly target: Float64Array;
  readonly droplets: Float64Array;
  /** Pieces that became droplets, and what they held in the surface, m^3. */
  readonly dropped: number;
  readonly droppedVolume: number;
}

export function dropUnmeshedFragments(
  model: LiquidModel,
  surface: TrackedSurface,
  index: SurfaceIndex,
  books: PieceBooks,
  mesh: StuffedMesh,
  outSigns: SignGrid,
  scope: HeapScope,
): Kept {
  const { pieces, target, droplets } = books;
  const { vertexPiece } = pieces;
  const stays = new Uint8Array(pieces.count);
  for (let v = 0; v < surface.vertexCount; v++) {
    const p = vertexPiece[v];
    if (p !== NONE && stays[p] === 0 && isNearMesh(mesh, surface.position, v)) stays[p] = 1;
  }
  if (stays.includes(0)) {
    // The index lists cells whose centre is inside; a thin piece may hold tets around lattice corners alone.
    const occupied = findVertexCells(mesh);
    for (let v = 0; v < surface.vertexCount; v++) {
      const p = vertexPiece[v];
      if (p !== NONE && stays[p] === 0 && isNearCells(mesh, occupied, surface.position, v)) stays[p] = 1;
    }
    markOnFloors(model, surface, pieces, stays);
  }
  if (!model.clings)
    for (let p = 0; p < pieces.count; p++)
      if (
        target[p] < SCRAP.cells * model.lattice.size ** 3 &&
        books.volume[p] > (1 + SCRAP.surplus) * target[p]
      )
        stays[p] = 0;
  const vertices: number[] = [];
  const lost: number[] = [];
  for (let v = 0; v < surface.vertexCount; v++)
    (vertexPiece[v] === NONE || stays[vertexPiece[v]] === 1 ? vertices : lost).push(v);
  if (lost.length > 0) clearPiece(outSigns, surface.position, lost);
  const kept = lost.length > 0 ? copyVertices(surface, vertices, scope) : surface;
  const keptPieces = findPieces(kept);
  const renumbered = renumberTargets(pieces, target, vertices, keptPieces);
  let dropped = 0;
  let droppedVolume = 0;
  for (let p = 0; p < pieces.count; p++) {
    if (stays[p] === 1) continue;
    dropped++;
    droppedVolume += books.volume[p];
  }
  return {
    surface: kept,
    index: lost.length > 0 ? buildSurfaceIndex(kept, model.contour.walls, scope) : index,
    pieces: keptPieces,
    target: renumbered.target,
    droplets: joinDroplets(droplets, makeDroplets(model, surface, books, renumbered.isGone)),
    dropped,
    droppedVolume,
  };
}

/** Marks the pieces that lie on a wall which gravity presses them to. */
function markOnFloors(
  { gravity, clings }: LiquidModel,
  surface: TrackedSurface,
  pieces: Pieces,
  outStays: Uint8Array,
): void {
  const g = Math.hypot(...gravity);
  const least = clings ? FLOOR.clings : FLOOR.slips;
  const { position, triangle, wall } = surface;
  const down = new Float64Array(pieces.count);
  const all = new Float64Array(pieces.count);
  for (let f = 0; f < surface.triangleCount; f++) {
    const p = pieces.vertexPiece[triangle[3 * f]];
    if (wall[f] === 0 || p === NONE || outStays[p] === 1) continue;
    const a = 3 * triangle[3 * f];
    const b = 3 * triangle[3 * f + 1];
    const c = 3 * triangle[3 * f + 2];
    const u = [0, 1, 2].map((n) => position[b + n] - position[a + n]);
    const v = [0, 1, 2].map((n) => position[c + n] - position[a + n]);
    const x = u[1] * v[2] - u[2] * v[1];
    const y = u[2] * v[0] - u[0] * v[2];
    const z = u[0] * v[1] - u[1] * v[0];
    all[p] += Math.hypot(x, y, z);
    down[p] += (x * gravity[0] + y * gravity[1] + z * gravity[2]) / (g || 1);
  }
  for (let p = 0; p < pieces.count; p++) if (all[p] > 0 && down[p] >= least * all[p]) outStays[p] = 1;
}

/** A droplet in the middle of each piece that is gone. */
function makeDroplets(
  { gravity }: LiquidModel,
  surface: TrackedSurface,
  { pieces, target, velocity, dt }: PieceBooks,
  isGone: Uint8Array,
): Float64Array {
  const sum = new Float64Array(4 * pieces.count);
  for (let v = 0; v < surface.vertexCount; v++) {
    const p = pieces.vertexPiece[v];
    if (p === NONE || pieces.inCavity[v] === 1) continue;
    for (let a = 0; a < 3; a++) sum[4 * p + a] += surface.position[3 * v + a];
    sum[4 * p + 3]++;
  }
  const out: number[] = [];
  for (let p = 0; p < pieces.count; p++) {
    if (isGone[p] === 0 || !(target[p] > 0)) continue;
    for (let a = 0; a < 3; a++) out.push(sum[4 * p + a] / sum[4 * p + 3]);
    // The mean over the step is the velocity of its middle.
    for (let a = 0; a < 3; a++) out.push(velocity[3 * p + a] + 0.5 * dt * gravity[a]);
    out.push(target[p]);
  }
  return Float64Array.from(out);
}

/** Whether something holds of the lattice cell (i, j, k) of a surface vertex, or of one beside it. */
function holdsNear(
  { origin, size }: StuffedMesh['index'],
  position: Float64Array,
  v: number,
  holds: (i: number, j: number, k: number) => boolean,
): boolean {
  const i = Math.floor((position[3 * v] - origin[0]) / size);
  const j = Math.floor((position[3 * v + 1] - origin[1]) / size);
  const k = Math.floor((position[3 * v + 2] - origin[2]) / size);
  for (let n = 0; n < 27; n++)
    if (holds(i + (n % 3) - 1, j + (Math.floor(n / 3) % 3) - 1, k + Math.floor(n / 9) - 1)) return true;
  return false;
}

/** Whether the lattice cell of a surface vertex, or one beside it, holds tets. */
function isNearMesh({ index }: StuffedMesh, position: Float64Array, v: number): boolean {
  const { blocks, cellStart } = index;
  return holdsNear(index, position, v, (i, j, k) => {
    if (i < 0 || j < 0 || k < 0 || i >= 2 * blocks[0] || j >= 2 * blocks[1] || k >= 2 * blocks[2])
      return false;
    const start = findBlock(index, i >> 1, j >> 1, k >> 1);
    if (start <= -2) return true;
    return start !== NONE && cellStart[8 * start + (i & 1) + 2 * (j & 1) + 4 * (k & 1)] !== NONE;
  });
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
  const { blocks } = mesh.index;
  return holdsNear(mesh.index, position, v, (i, j, k) =>
    cells.has(i + 2 * blocks[0] * (j + 2 * blocks[1] * k)),
  );
}

/** The part of a surface at some of its vertices, in rising order. */
function copyVertices(
  surface: TrackedSurface,
  vertices: readonly number[],
  scope: HeapScope,
): TrackedSurface {
  const newId = new Int32Array(surface.vertexCount).fill(NONE);
  const vertexCount = vertices.length;
  const position = scope.f64(Math.max(1, 3 * vertexCount)).subarray(0, 3 * vertexCount);
  vertices.forEach((v, n) => {
    newId[v] = n;
    position.set(surface.position.subarray(3 * v, 3 * v + 3), 3 * n);
  });
  const isKept = (f: number) => newId[surface.triangle[3 * f]] !== NONE;
  let triangleCount = 0;
  for (let f = 0; f < surface.triangleCount; f++) if (isKept(f)) triangleCount++;
  const triangle = scope.i32(3 * triangleCount);
  const wall = scope.u8(triangleCount);
  for (let f = 0, n = 0; f < surface.triangleCount; f++) {
    if (!isKept(f)) continue;
    for (let i = 0; i < 3; i++) triangle[3 * n + i] = newId[surface.triangle[3 * f + i]];
    wall[n++] = surface.wall[f];
  }
  return { vertexCount, triangleCount, position, triangle, wall };
}
