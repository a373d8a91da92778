/**
 * What sums share, direct ones in double and in single precision and by multipoles: their points, and passes
 * over ranges of sources.
 */
import { buildInScope, type HeapScope } from '../core/heap.ts';
import type { Threads } from '../core/threads/task.ts';
import type { F64View, Metres } from '../core/types.ts';
import type { PreparedSum, SumResources } from './direct-sum.ts';
import { computeScaling, type SumScaling } from './scaling.ts';

/** Points of a sum, (n x 3) m, and its length of regularisation. */
export interface SumPoints {
  readonly sourcePosition: F64View;
  readonly targetPosition: F64View;
  readonly regularisation: Metres;
}

/** The same, counted, with how they are moved and scaled. */
export interface ScaledPoints extends SumPoints {
  readonly sourceCount: number;
  readonly targetCount: number;
  readonly scaling: SumScaling;
}

/** How a sum over points is made ready: in a scope that its free() gives back. */
export const definePreparation =
  <K, A extends unknown[]>(
    name: string,
    prepare: (scope: HeapScope, threads: Threads, kernel: K, points: ScaledPoints, ...more: A) => PreparedSum,
  ) =>
  ({ heap, threads }: SumResources, kernel: K, points: SumPoints, ...more: A): PreparedSum => {
    const { sourcePosition, targetPosition, regularisation } = points;
    const scaled = {
      ...points,
      sourceCount: sourcePosition.length / 3,
      targetCount: targetPosition.length / 3,
      scaling: computeScaling(sourcePosition, targetPosition, regularisation),
    };
    return buildInScope(heap, name, (scope) => prepare(scope, threads, kernel, scaled, ...more));
  };

/** Blocks of sources that a run over targets goes through at a time: 24 KiB, in the first-level cache. */
const TILE_BLOCKS = 256;

/** Ranges (first block, end block, and zeros) that cover all blocks, so many numbers each. */
export function buildTiles(scope: HeapScope, width: number, blockCount: number): Int32Array {
  const tile = scope.i32(width * Math.ceil(blockCount / TILE_BLOCKS));
  for (let r = 0; width * r < tile.length; r++) {
    tile[width * r] = r * TILE_BLOCKS;
    tile[width * r + 1] = Math.min(blockCount, (r + 1) * TILE_BLOCKS);
  }
  return tile;
}

/** Which ranges of blocks of sources a sum goes over. */
interface Ranges {
  readonly rangeBegin: number;
  readonly rangeEnd: number;
}

/**
 * Adds up range by range, for the targets [begin, end): the sources of one stay in the cache for all of them.
 */
export function addTileByTile<V extends object>(
  add: (begin: number, end: number, values: V & Ranges) => unknown,
  tileCount: number,
  begin: number,
  end: number,
  values: V,
): void {
  const own = { ...values, rangeBegin: 0, rangeEnd: 0 };
  for (let r = 0; r < tileCount; r++) {
    own.rangeBegin = r;
    own.rangeEnd = r + 1;
    add(begin, end, own);
  }
}
