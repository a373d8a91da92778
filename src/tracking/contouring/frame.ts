/**
 * What does not change while a surface is tracked: the contouring grid's place in space, and the clearance from solids.
 *
 * Clearance is the distance to the nearest solid, positive in open space and negative inside a solid or outside the
 * domain: the second of the two functions whose minimum is the liquid ([chentanez-2007] 3.3.1). It is stored on the
 * nodes of blocks near walls; other blocks are wholly open or wholly solid.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Vec3 } from '../../core/types.ts';
import { BLOCK_EDGE, BLOCK_NODES, BlockGrid } from './block-grid.ts';

/** How far from a wall, in cells, clearance is stored: as deep as a traced path may enter a solid. */
const WALL_BAND = 4;
/** A node this close to a wall, in cells, lies on it: grids are laid so that walls fall on nodes where possible. */
const ON_WALL = 1e-7;

export type ClearanceFunction = (x: number, y: number, z: number) => number;

export const OPEN = 1;
export const WALLED = 0;
export const SOLID = -1;

export interface ContourFrame {
  /** Blocks near walls; tracking clones it and adds the blocks near the free surface. */
  readonly walls: BlockGrid;
  /** (walls.slotCount) m */
  readonly clearance: Float64Array;
  /** Per directory place: OPEN, WALLED (stored) or SOLID. */
  readonly kind: Int8Array;
  /** (wallCellCount x 3) lowest nodes of the cells a wall passes through */
  readonly wallCell: Int32Array;
  readonly clearanceAt: ClearanceFunction;
}

export function buildContourFrame(
  origin: Vec3,
  spacing: number,
  nodes: Vec3,
  clearanceAt: ClearanceFunction,
  scope: HeapScope,
): ContourFrame {
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
  const node = new Int32Array(3);
  for (let slot = 0; slot < walls.slotCount; slot++) {
    walls.nodeOfSlot(slot, node);
    const value = clearanceAt(
      origin[0] + node[0] * spacing,
      origin[1] + node[1] * spacing,
      origin[2] + node[2] * spacing,
    );
    clearance[slot] = Math.abs(value) < ON_WALL * spacing ? 0 : value;
  }
  return { walls, clearance, kind, wallCell: findWallCells(walls, clearance), clearanceAt };
}

function findWallCells(walls: BlockGrid, clearance: Float64Array): Int32Array {
  const cells: number[] = [];
  const node = new Int32Array(3);
  for (let slot = 0; slot < walls.slotCount; slot++) {
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
    if (stored === 8 && open > 0 && open < 8) cells.push(i, j, k);
  }
  return Int32Array.from(cells);
}

/** Clearance at a node of any grid cloned from the frame's: stored near walls, a large number of the right sign elsewhere. */
export function nodeClearance(frame: ContourFrame, slot: number, grid: BlockGrid): number {
  if (slot < frame.walls.slotCount) return frame.clearance[slot];
  return frame.kind[grid.placeOf(Math.floor(slot / BLOCK_NODES))] === SOLID
    ? Number.NEGATIVE_INFINITY
    : Number.POSITIVE_INFINITY;
}
