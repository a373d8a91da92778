/**
 * The balanced octree: which blocks are refined at each level, and on which side of the surface each block lies.
 * Level l is a dense grid of blocks of 2^l finest cells (l >= 1, aligned with the padded lattice). A block at level 1 is
 * refined where a finest leaf is required; a block at level l + 1 where it contains or touches (face, edge or corner) a
 * refined block of level l. Hence neighbouring leaves differ by one level at most.
 */
import { NONE } from '../../core/types.ts';
import type { Grid } from './grid.ts';
import type { Points } from './points.ts';

export interface OctreeLevel {
  readonly bx: number;
  readonly by: number;
  readonly bz: number;
  readonly refined: Uint8Array;
}

export interface Octree {
  readonly maxLevel: number;
  /** level[l] for 1 <= l <= max(1, maxLevel); level[0] is unused and equals level[1]. */
  readonly level: readonly OctreeLevel[];
  /** Sign of the field over level-1 blocks without required cells; 0 for the others, whose cells have their own. */
  readonly blockSign: Int8Array;
}

export function buildOctree(grid: Grid, points: Points, maxLevel: number): Octree {
  const first: OctreeLevel = {
    bx: grid.bx,
    by: grid.by,
    bz: grid.bz,
    refined: new Uint8Array(grid.blockCount),
  };
  for (let b = 0; b < grid.blockCount; b++)
    if (grid.slotOf[b] !== NONE && grid.required[grid.slotOf[b]] !== 0) first.refined[b] = 1;
  const blockSign = computeBlockSigns(grid, points, first);
  const level = [first, first];
  if (maxLevel === 0) {
    for (let b = 0; b < grid.blockCount; b++) if (blockSign[b] > 0) first.refined[b] = 1;
  } else for (let l = 1; l < maxLevel; l++) level.push(refineParents(level[l]));
  return { maxLevel, level, blockSign };
}

/** Blocks of the next level that contain a refined block or one of its 26 neighbours. */
function refineParents(fine: OctreeLevel): OctreeLevel {
  const bx = (fine.bx + 1) >> 1;
  const by = (fine.by + 1) >> 1;
  const bz = (fine.bz + 1) >> 1;
  const refined = new Uint8Array(bx * by * bz);
  let b = 0;
  for (let z = 0; z < fine.bz; z++)
    for (let y = 0; y < fine.by; y++)
      for (let x = 0; x < fine.bx; x++, b++) {
        if (!fine.refined[b]) continue;
        for (let pz = Math.max(0, (z - 1) >> 1); pz <= Math.min(bz - 1, (z + 1) >> 1); pz++)
          for (let py = Math.max(0, (y - 1) >> 1); py <= Math.min(by - 1, (y + 1) >> 1); py++)
            for (let px = Math.max(0, (x - 1) >> 1); px <= Math.min(bx - 1, (x + 1) >> 1); px++)
              refined[px + bx * (py + by * pz)] = 1;
      }
  return { bx, by, bz, refined };
}

/**
 * Signs by continuity along rows of blocks, without touching the field: between required cells no background edge
 * crosses the surface, so the sign of the last cell passed carries on. Also completes grid.cellSign in refined blocks.
 */
function computeBlockSigns(grid: Grid, points: Points, level: OctreeLevel): Int8Array {
  const blockSign = new Int8Array(grid.blockCount);
  let b = 0;
  for (let row = 0; row < grid.by * grid.bz; row++) {
    let sign = -1;
    for (let x = 0; x < grid.bx; x++, b++) {
      if (level.refined[b]) sign = completeCellSigns(grid, points, grid.slotOf[b]);
      else blockSign[b] = sign;
    }
  }
  return blockSign;
}

/**
 * Cells of a refined block that are not required share its central corner with one that is, and the surface does not come
 * between. Returns the sign of the cell on the +x side, which the next block in the row continues.
 */
function completeCellSigns(grid: Grid, points: Points, slot: number): number {
  const required = grid.required[slot];
  if (required !== 255) {
    const central = grid.corner[8 * slot + 7];
    const first = 31 - Math.clz32(required & -required);
    const sign = central >= 0 ? points.state[central] : grid.cellSign[8 * slot + first];
    for (let c = 0; c < 8; c++) if (!(required & (1 << c))) grid.cellSign[8 * slot + c] = sign;
  }
  return grid.cellSign[8 * slot + 1];
}
