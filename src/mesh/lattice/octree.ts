/**
 * The octree of a region: finest leaves around its surface, as coarse as balance allows elsewhere, and on
 * which side of the surface each leaf lies. One root covers the padded lattice. Outside, where nothing is
 * meshed, leaves may be larger than maxLevel.
 */
import { NONE } from '../../core/types.ts';
import { OctreeDraft } from '../octree/draft.ts';
import { findLeaf, type Octree } from '../octree/octree.ts';
import type { Grid } from './grid.ts';
import type { Points } from './points.ts';

export interface SignedOctree {
  readonly octree: Octree;
  /** Sign of the field over each leaf: of its centre in finest ones that the surface may touch. */
  readonly leafSign: Int8Array;
}

export function buildSignedOctree(grid: Grid, points: Points, maxLevel: number): SignedOctree {
  const draft = new OctreeDraft({
    origin: [grid.ox, grid.oy, grid.oz],
    size: grid.h,
    roots: [1, 1, 1],
    maxLevel: Math.ceil(Math.log2(Math.max(grid.bx, grid.by, grid.bz))) + 1,
  });
  for (let slot = 0; slot < grid.slotCount; slot++) {
    if (grid.required[slot] === 0) continue;
    completeCellSigns(grid, points, slot);
    const b = grid.slotToBlock[slot];
    draft.split(1, b % grid.bx, Math.floor(b / grid.bx) % grid.by, Math.floor(b / (grid.bx * grid.by)));
  }
  const octree = draft.finish();
  const leafSign = computeLeafSigns(grid, octree);
  if (!splitLargeLeaves(draft, octree, leafSign, maxLevel)) return { octree, leafSign };
  const split = draft.finish();
  return { octree: split, leafSign: computeLeafSigns(grid, split) };
}

/** Splits leaves inside down to maxLevel; returns whether there were any. */
function splitLargeLeaves(
  draft: OctreeDraft,
  octree: Octree,
  leafSign: Int8Array,
  maxLevel: number,
): boolean {
  let found = false;
  for (let leaf = 0; leaf < octree.leafCount; leaf++) {
    const level = octree.leafLevel[leaf];
    if (level <= maxLevel || leafSign[leaf] <= 0) continue;
    found = true;
    const across = 1 << (level - maxLevel - 1);
    const [x, y, z] = octree.leafCorner.subarray(3 * leaf, 3 * leaf + 3).map((c) => c >> (maxLevel + 1));
    for (let c = 0; c < across; c++)
      for (let b = 0; b < across; b++)
        for (let a = 0; a < across; a++) draft.split(maxLevel + 1, x + a, y + b, z + c);
  }
  return found;
}

/**
 * Signs by continuity, without touching the field: between required cells no background edge crosses the
 * surface, so a leaf has the sign of the one below it along x, which comes before it in Z-order. The lattice
 * begins outside.
 */
function computeLeafSigns(grid: Grid, octree: Octree): Int8Array {
  const { leafCount, leafCorner, leafLevel } = octree;
  const leafSign = new Int8Array(leafCount);
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const i = leafCorner[3 * leaf];
    const j = leafCorner[3 * leaf + 1];
    const k = leafCorner[3 * leaf + 2];
    const e = leafLevel[leaf] === 0 ? grid.findEntry(i, j, k) : NONE;
    if (e !== NONE && grid.required[e >> 3] !== 0) {
      // The eight cells of a block follow each other, here and in the block's slot.
      for (let octant = 0; octant < 8; octant++) leafSign[leaf + octant] = grid.cellSign[e + octant];
      leaf += 7;
    } else leafSign[leaf] = i === 0 ? -1 : leafSign[findLeaf(octree, i - 1, j, k)];
  }
  return leafSign;
}

/**
 * Cells of a refined block that are not required share its central corner with one that is, and the surface
 * does not come between.
 */
function completeCellSigns(grid: Grid, points: Points, slot: number): void {
  const required = grid.required[slot];
  if (required === 255) return;
  const central = grid.corner[8 * slot + 7];
  const first = 31 - Math.clz32(required & -required);
  const sign = central >= 0 ? points.state[central] : grid.cellSign[8 * slot + first];
  for (let c = 0; c < 8; c++) if (!(required & (1 << c))) grid.cellSign[8 * slot + c] = sign;
}
