/**
 * Where a surface is tracked: the contouring grid's place in space, and the clearance from solids. What
 * stands still is stored once; `addMovers` makes the space of one instant from it.
 *
 * Clearance is the distance to the nearest solid, positive in open space and negative inside a solid or
 * outside the domain: the second of the two functions whose minimum is the liquid ([chentanez-2007] 3.3.1).
 * It is stored on the nodes of blocks near walls; other blocks are wholly open or wholly solid.
 */
import type { HeapScope } from '../../core/heap.ts';
import { type Box, NONE, type Vec3 } from '../../core/types.ts';
import { BLOCK_EDGE, BLOCK_NODES, BlockGrid } from './block-grid.ts';

/** How far from a wall, in cells, clearance is stored: as deep as a traced path may enter a solid. */
const WALL_BAND = 4;
/**
 * A node this close to a wall, in cells, lies on it: grids are laid so that walls fall on nodes where
 * possible.
 */
const ON_WALL = 1e-7;
/** How far around a node on a wall, in cells, open space is looked for: gaps narrower than that are closed. */
const GAP = 0.01;

export type ClearanceFunction = (x: number, y: number, z: number) => number;

export const OPEN = 1;
export const WALLED = 0;
export const SOLID = -1;

export interface ContourSpace {
  /** Blocks near walls; tracking clones it and adds the blocks near the free surface. */
  readonly walls: BlockGrid;
  /** (walls.slotCount) m */
  readonly clearance: Float64Array;
  /** (walls.blockCount) 1 where no node of a block lies in a solid */
  readonly openBlock: Uint8Array;
  /** Per directory place: OPEN, WALLED (stored) or SOLID. */
  readonly kind: Int8Array;
  /** (wallCellCount x 3) lowest nodes of the cells a wall passes through */
  readonly wallCell: Int32Array;
  readonly clearanceAt: ClearanceFunction;
}

export function buildContourSpace(
  origin: Vec3,
  spacing: number,
  nodes: Vec3,
  clearanceAt: ClearanceFunction,
  scope: HeapScope,
): ContourSpace {
  const walls = new BlockGrid(origin, spacing, nodes[0], nodes[1], nodes[2]);
  const kind = new Int8Array(walls.directory.length);
  const half = ((BLOCK_EDGE - 1) / 2) * spacing;
  const reach = Math.sqrt(3) * (half + spacing) + WALL_BAND * spacing;
  for (let place = 0; place < kind.length; place++) {
    const bi = place % walls.blocksX;
    const bj = Math.floor(place / walls.blocksX) % walls.blocksY;
    const bk = Math.floor(place / (walls.blocksX * walls.blocksY));
    const centre = clearanceAt(
      origin[0] + bi * BLOCK_EDGE * spacing + half,
      origin[1] + bj * BLOCK_EDGE * spacing + half,
      origin[2] + bk * BLOCK_EDGE * spacing + half,
    );
    kind[place] = centre > reach ? OPEN : centre < -reach ? SOLID : WALLED;
    if (kind[place] === WALLED) walls.addBlock(place);
  }
  const clearance = scope.f64(Math.max(1, walls.slotCount));
  const openBlock = new Uint8Array(walls.blockCount);
  for (let block = 0; block < walls.blockCount; block++)
    openBlock[block] = storeClearance(walls, block, clearanceAt, clearance) ? 1 : 0;
  const cells: number[] = [];
  for (let block = 0; block < walls.blockCount; block++) addWallCells(walls, clearance, block, cells);
  return { walls, clearance, openBlock, kind, wallCell: Int32Array.from(cells), clearanceAt };
}

/** A body that is not in the standing space: its clearance, and the box around it at this instant. */
export interface Mover {
  readonly clearanceAt: ClearanceFunction;
  readonly bounds: Box;
}

/**
 * The space of one instant: the standing one with the movers where they are now. Cost: the blocks near them,
 * and a copy.
 */
export function addMovers(standing: ContourSpace, movers: readonly Mover[], scope: HeapScope): ContourSpace {
  const walls = standing.walls.clone();
  const kind = standing.kind.slice();
  const { spacing } = walls;
  const half = ((BLOCK_EDGE - 1) / 2) * spacing;
  const reach = Math.sqrt(3) * (half + spacing) + WALL_BAND * spacing;
  const near = new Set<number>();
  for (const mover of movers) {
    forEachPlace(walls, mover.bounds, WALL_BAND + 1, (place, x, y, z) => {
      const centre = mover.clearanceAt(x + half, y + half, z + half);
      if (centre > reach || kind[place] === SOLID) return;
      if (centre < -reach) {
        kind[place] = SOLID;
      } else {
        kind[place] = WALLED;
        walls.addBlock(place);
      }
      near.add(place);
    });
  }
  const clearanceAt: ClearanceFunction = (x, y, z) => {
    let least = standing.clearanceAt(x, y, z);
    for (const mover of movers) least = Math.min(least, mover.clearanceAt(x, y, z));
    return least;
  };
  const clearance = scope.f64(Math.max(1, walls.slotCount));
  clearance.set(standing.clearance.subarray(0, standing.walls.slotCount));
  const openBlock = new Uint8Array(walls.blockCount);
  openBlock.set(standing.openBlock);
  const changed = new Set<number>();
  for (const place of near) {
    const block = walls.directory[place];
    if (block === NONE) continue;
    openBlock[block] = storeClearance(walls, block, clearanceAt, clearance) ? 1 : 0;
    // A cell belongs to the block of its lowest node and reads its upper neighbours: those below change with
    // it.
    const bi = place % walls.blocksX;
    const bj = Math.floor(place / walls.blocksX) % walls.blocksY;
    const bk = Math.floor(place / (walls.blocksX * walls.blocksY));
    for (let n = 0; n < 8; n++) {
      const i = bi - (n & 1);
      const j = bj - ((n >> 1) & 1);
      const k = bk - (n >> 2);
      if (i < 0 || j < 0 || k < 0) continue;
      const below = walls.directory[(k * walls.blocksY + j) * walls.blocksX + i];
      if (below !== NONE) changed.add(below);
    }
  }
  const cells: number[] = [];
  const { wallCell } = standing;
  for (let n = 0; n < wallCell.length; n += 3) {
    const slot = walls.findSlot(wallCell[n], wallCell[n + 1], wallCell[n + 2]);
    if (!changed.has(Math.floor(slot / BLOCK_NODES)))
      cells.push(wallCell[n], wallCell[n + 1], wallCell[n + 2]);
  }
  for (const block of changed) addWallCells(walls, clearance, block, cells);
  return { walls, clearance, openBlock, kind, wallCell: Int32Array.from(cells), clearanceAt };
}

/** The directory places whose block comes within `margin` cells of a box, with their low corners. */
function forEachPlace(
  grid: BlockGrid,
  { min, max }: Box,
  margin: number,
  visit: (place: number, x: number, y: number, z: number) => void,
): void {
  const { origin, spacing } = grid;
  const size = BLOCK_EDGE * spacing;
  const low = min.map((m, a) => Math.floor((m - margin * spacing - origin[a]) / size));
  const high = max.map((m, a) => Math.floor((m + margin * spacing - origin[a]) / size));
  for (let k = Math.max(0, low[2]); k <= Math.min(grid.blocksZ - 1, high[2]); k++)
    for (let j = Math.max(0, low[1]); j <= Math.min(grid.blocksY - 1, high[1]); j++)
      for (let i = Math.max(0, low[0]); i <= Math.min(grid.blocksX - 1, high[0]); i++)
        visit(
          (k * grid.blocksY + j) * grid.blocksX + i,
          origin[0] + i * size,
          origin[1] + j * size,
          origin[2] + k * size,
        );
}

/** Steps to the 26 neighbours of a node, those along the axes first. */
const AROUND = [-1, 0, 1]
  .flatMap((k) => [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((i) => [i, j, k])))
  .filter((step) => step.some((s) => s !== 0))
  .sort((a, b) => Math.hypot(...a) - Math.hypot(...b));

/** Evaluates the clearance at the nodes of one block; returns whether all of them are in open space. */
function storeClearance(
  walls: BlockGrid,
  block: number,
  clearanceAt: ClearanceFunction,
  outClearance: Float64Array,
): boolean {
  const { origin, spacing } = walls;
  const node = new Int32Array(3);
  let open = true;
  for (let slot = block * BLOCK_NODES; slot < (block + 1) * BLOCK_NODES; slot++) {
    walls.nodeOfSlot(slot, node);
    const value = clearanceAt(
      origin[0] + node[0] * spacing,
      origin[1] + node[1] * spacing,
      origin[2] + node[2] * spacing,
    );
    outClearance[slot] =
      Math.abs(value) < ON_WALL * spacing ? clearanceOnWall(walls, node, clearanceAt) : value;
    if (outClearance[slot] < 0) open = false;
  }
  return open;
}

/**
 * Clearance of a node on a wall: 0 where there is open space beside it, else that of a solid. Under a gate that stands
 * on a node plane of the floor, nodes lie on both, and liquid would be seen to hang together through them.
 */
function clearanceOnWall(
  { origin, spacing }: BlockGrid,
  node: Int32Array,
  clearanceAt: ClearanceFunction,
): number {
  const [x, y, z] = origin.map((o, a) => o + node[a] * spacing);
  const gap = GAP * spacing;
  const least = ON_WALL * spacing;
  for (const [i, j, k] of AROUND) if (clearanceAt(x + gap * i, y + gap * j, z + gap * k) > least) return 0;
  return -least;
}

/** Appends the cells of one block that a wall passes through. */
function addWallCells(walls: BlockGrid, clearance: Float64Array, block: number, outCells: number[]): void {
  const node = new Int32Array(3);
  for (let slot = block * BLOCK_NODES; slot < (block + 1) * BLOCK_NODES; slot++) {
    walls.nodeOfSlot(slot, node);
    const [i, j, k] = node;
    if (i + 1 >= walls.nodesX || j + 1 >= walls.nodesY || k + 1 >= walls.nodesZ) continue;
    let open = 0;
    let stored = 0;
    for (let corner = 0; corner < 8; corner++) {
      const s = walls.findSlot(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2));
      if (s === NONE) continue;
      stored++;
      if (clearance[s] >= 0) open++;
    }
    if (stored === 8 && open > 0 && open < 8) outCells.push(i, j, k);
  }
}

/** Whether no node of a block of any grid cloned from the space's lies in a solid. */
export function isOpenBlock(space: ContourSpace, block: number, grid: BlockGrid): boolean {
  if (block < space.walls.blockCount) return space.openBlock[block] === 1;
  return space.kind[grid.placeOf(block)] !== SOLID;
}

/**
 * Clearance at a node of any grid cloned from the space's: stored near walls, a large number of the right
 * sign elsewhere.
 */
export function nodeClearance(space: ContourSpace, slot: number, grid: BlockGrid): number {
  if (slot < space.walls.slotCount) return space.clearance[slot];
  return space.kind[grid.placeOf(Math.floor(slot / BLOCK_NODES))] === SOLID
    ? Number.NEGATIVE_INFINITY
    : Number.POSITIVE_INFINITY;
}
