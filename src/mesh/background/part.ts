/**
 * A part of a background mesh as a mesh of its own: the tets that are kept, in their order, with their
 * vertices numbered anew, and the index by which points are located in it (mesh/locate.ts). Blocks of leaves
 * that lost some of their tets are told cell by cell, as at the surface of a stuffed mesh: there the lists of
 * tets decide what is inside.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Vec3 } from '../../core/types.ts';
import { BlockTiles } from '../lattice/block-tiles.ts';
import { type LatticeIndex, ON_LIQUID, SHAPE_SURFACE, type StuffedMesh } from '../lattice/lattice.ts';
import type { Octree } from '../octree/octree.ts';
import type { TetTopology } from '../tetmesh.ts';
import { countTets, FACES } from './faces.ts';
import type { BackgroundMesh } from './mesh.ts';

export interface BackgroundPart {
  readonly mesh: StuffedMesh;
  /** (vertexCount) vertex of the background */
  readonly toWhole: Int32Array;
  /** (tetCount) tet of the background */
  readonly tetToWhole: Int32Array;
}

/**
 * `keep`: (tetCount) 1 for tets that stay. The box must have an even number of finest cells along each axis.
 */
export function takePart(background: BackgroundMesh, keep: Uint8Array, scope: HeapScope): BackgroundPart {
  const { vertexCount: all, tetCount: allTets } = background;
  const newTet = new Int32Array(allTets).fill(NONE);
  let tetCount = 0;
  for (let t = 0; t < allTets; t++) if (keep[t] === 1) newTet[t] = tetCount++;
  const isUsed = new Uint8Array(all);
  for (let t = 0; t < allTets; t++)
    if (keep[t] === 1) for (let n = 4 * t; n < 4 * t + 4; n++) isUsed[background.tet[n]] = 1;
  const newVertex = new Int32Array(all).fill(NONE);
  let vertexCount = 0;
  for (let v = 0; v < all; v++) if (isUsed[v] === 1) newVertex[v] = vertexCount++;
  const toWhole = scope.i32(vertexCount);
  const position = scope.f64(3 * vertexCount);
  for (let v = 0; v < all; v++) {
    const to = newVertex[v];
    if (to === NONE) continue;
    toWhole[to] = v;
    for (let a = 0; a < 3; a++) position[3 * to + a] = background.position[3 * v + a];
  }
  const tetToWhole = scope.i32(tetCount);
  const tet = scope.i32(4 * tetCount);
  const tetShape = scope.u8(tetCount);
  const tetLevel = scope.u8(tetCount);
  for (let t = 0; t < allTets; t++) {
    const to = newTet[t];
    if (to === NONE) continue;
    tetToWhole[to] = t;
    for (let n = 0; n < 4; n++) tet[4 * to + n] = newVertex[background.tet[4 * t + n]];
    tetShape[to] = background.tetShape[t];
    tetLevel[to] = background.tetLevel[t];
  }
  const mesh: StuffedMesh = {
    ...{ vertexCount, tetCount, position, tet, tetShape, tetLevel },
    vertexOnSurface: scope.u8(vertexCount),
    index: buildIndex(background, newTet, scope),
    report: {
      ...{ surfaceCells: 0, crossingEdges: 0, warpedVertices: 0, evaluations: 0 },
      ...{ distanceSeconds: 0, stuffingSeconds: 0 },
    },
  };
  return { mesh, toWhole, tetToWhole };
}

/** What is at the boundary of the part: its vertices, and the tets that have one. */
export function markBoundary(
  { tet, tetCount, tetShape, vertexOnSurface }: StuffedMesh,
  topology: TetTopology,
) {
  const { faceCount, faceToTet, faceVertex } = topology;
  for (let f = 0; f < faceCount; f++)
    if (faceToTet[2 * f + 1] === NONE)
      for (let n = 3 * f; n < 3 * f + 3; n++) vertexOnSurface[faceVertex[n]] |= ON_LIQUID;
  for (let t = 0; t < tetCount; t++)
    for (let n = 4 * t; n < 4 * t + 4; n++) if (vertexOnSurface[tet[n]] !== 0) tetShape[t] = SHAPE_SURFACE;
}

function buildIndex(background: BackgroundMesh, newTet: Int32Array, scope: HeapScope): LatticeIndex {
  const { octree } = background;
  const { leafCount, leafCorner, leafLevel } = octree;
  const blocks = countBlocks(octree);
  const tiles = new BlockTiles(blocks);
  const { first, isWhole } = readLeaves(background, newTet);
  const cells: number[] = [];
  for (let leaf = 0; leaf < leafCount; leaf++) {
    if (first[leaf] === NONE) continue;
    const [i, j, k] = leafCorner.subarray(3 * leaf, 3 * leaf + 3);
    const level = leafLevel[leaf];
    if (level === 0) {
      const [a, b, c] = [i >> 1, j >> 1, k >> 1];
      if (tiles.find(a, b, c) === NONE) tiles.set(a, b, c, addSlot(cells, NONE));
      cells[8 * tiles.find(a, b, c) + (i & 1) + 2 * (j & 1) + 4 * (k & 1)] = first[leaf];
      continue;
    }
    const across = 1 << (level - 1);
    for (let c = k >> 1; c < (k >> 1) + across; c++)
      for (let b = j >> 1; b < (j >> 1) + across; b++)
        for (let a = i >> 1; a < (i >> 1) + across; a++)
          tiles.set(a, b, c, isWhole[leaf] === 1 ? -2 - first[leaf] : addSlot(cells, first[leaf]));
  }
  addEmptySlots(blocks, cells, tiles);
  const cellStart = scope.i32(cells.length);
  cellStart.set(cells);
  return { origin: octree.origin, size: octree.size, blocks, ...tiles.finish(scope), cellStart };
}

/**
 * Empty cells around those that hold tets: a point on the side of the mesh may lie in one, by rounding or
 * exactly.
 */
function addEmptySlots([nx, ny, nz]: Vec3, cells: number[], tiles: BlockTiles): void {
  const filled: number[] = [];
  for (let b = 0; b < nx * ny * nz; b++)
    if (tiles.find(b % nx, Math.floor(b / nx) % ny, Math.floor(b / (nx * ny))) >= 0) filled.push(b);
  for (const b of filled) {
    const i = b % nx;
    const j = Math.floor(b / nx) % ny;
    const k = Math.floor(b / (nx * ny));
    for (let c = Math.max(0, k - 1); c <= Math.min(nz - 1, k + 1); c++)
      for (let d = Math.max(0, j - 1); d <= Math.min(ny - 1, j + 1); d++)
        for (let e = Math.max(0, i - 1); e <= Math.min(nx - 1, i + 1); e++)
          if (tiles.find(e, d, c) === NONE) tiles.set(e, d, c, addSlot(cells, NONE));
  }
}

/** Adds the eight cells of a block; returns its number among those. */
function addSlot(cells: number[], tet: number): number {
  for (let c = 0; c < 8; c++) cells.push(tet);
  return cells.length / 8 - 1;
}

function countBlocks({ roots, maxLevel }: Octree): Vec3 {
  const [x, y, z] = roots.map((n) => (n * 2 ** maxLevel) / 2);
  return [x, y, z];
}

/** Of every leaf a tet that is kept, NONE where there is none, and whether all are. */
function readLeaves(
  { octree: { leafCount }, faceCode, faceTet }: BackgroundMesh,
  newTet: Int32Array,
): { first: Int32Array; isWhole: Uint8Array } {
  const first = new Int32Array(leafCount).fill(NONE);
  const isWhole = new Uint8Array(leafCount).fill(1);
  for (let leaf = 0; leaf < leafCount; leaf++)
    for (let n = FACES * leaf; n < FACES * leaf + FACES; n++) {
      if (faceTet[n] === NONE) {
        isWhole[leaf] = 0;
        continue;
      }
      for (let t = faceTet[n]; t < faceTet[n] + countTets(faceCode[n]); t++) {
        if (newTet[t] === NONE) isWhole[leaf] = 0;
        else if (first[leaf] === NONE) first[leaf] = newTet[t];
      }
    }
  return { first, isWhole };
}
