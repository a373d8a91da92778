/**
 * Sums over all pairs of source and target, two sources at a time in SIMD lanes, on all threads. Cost:
 * sources times targets. Exact up to rounding; the multipole method is held to it, and small problems are
 * fastest this way.
 */

import type { Heap } from '../core/heap.ts';
import { omitColumns } from '../core/records.ts';
import { defineTask, type Threads } from '../core/threads/task.ts';
import type { F64View } from '../core/types.ts';
import { addPointSums } from './point-sum-kernels.ts';
import { packTargets, type SumScaling, validateFinite } from './scaling.ts';
import { INVERSE_FOUR_PI, type SumKernel, sumKernelCodes, sumKernelShapes } from './sum-kernels.ts';
import { addTileByTile, buildTiles, definePreparation } from './sum-points.ts';

/** Targets of a chunk. */
const TARGET_GRAIN = 32;

/** What sums run on; the method contract's Resources fit. */
export interface SumResources {
  readonly heap: Heap;
  readonly threads: Threads;
}

/** Points made ready: sums for any strengths of the same points. Holds heap memory until free(). */
export interface PreparedSum {
  /** strength (sourceCount x strengthSize); outSum (targetCount x sumSize) is overwritten. */
  apply(strength: F64View, outSum: Float64Array): void;
  free(): void;
}

const tileColumns = omitColumns(addPointSums.columns, 'rangeBegin', 'rangeEnd');
const directTask = defineTask('integrals/direct-sum', tileColumns, (begin, end, values) => {
  addTileByTile(addPointSums, values.range.length / 2, begin, end, values);
});

export const prepareDirectSum = definePreparation(
  'direct sum',
  (scope, threads, kernel: SumKernel, points) => {
    const { sourcePosition, targetPosition, sourceCount, targetCount, scaling } = points;
    const { strengthSize, sumSize } = sumKernelShapes[kernel];
    const blockCount = Math.ceil(sourceCount / 2);
    const source = scope.f64(blockCount * 2 * (3 + strengthSize));
    const target = scope.f64(3 * targetCount);
    const column = scope.f64(sumSize * targetCount);
    const tile = buildTiles(scope, 2, blockCount);
    packSourcePositions(sourcePosition, scaling, 3 + strengthSize, source);
    packTargets(targetPosition, scaling, target);

    return {
      apply(strength, outSum) {
        validateFinite(strength, strengthSize * sourceCount, strengthSize, 'strength of source');
        packStrengths(strength, scaling.scale * INVERSE_FOUR_PI, strengthSize, source);
        column.fill(0);
        threads.run(directTask, targetCount, TARGET_GRAIN, {
          code: sumKernelCodes[kernel],
          range: tile,
          source,
          stride: targetCount,
          target,
          softening: scaling.softening,
          out: column,
        });
        unpackSums(column, kernel, scaling, targetCount, outSum);
      },
      free: () => scope.free(),
    };
  },
);

/** Blocks of two; an odd last one is filled with its own point, whose strength stays 0. */
function packSourcePositions(
  position: F64View,
  scaling: SumScaling,
  size: number,
  source: Float64Array,
): void {
  const count = position.length / 3;
  for (let i = 0; i < count + (count & 1); i++) {
    const from = 3 * Math.min(i, count - 1);
    const at = (i >> 1) * 2 * size + (i & 1);
    source[at] = (position[from] - scaling.centreX) * scaling.scale;
    source[at + 2] = (position[from + 1] - scaling.centreY) * scaling.scale;
    source[at + 4] = (position[from + 2] - scaling.centreZ) * scaling.scale;
  }
}

function packStrengths(strength: F64View, factor: number, size: number, source: Float64Array): void {
  const count = strength.length / size;
  for (let i = 0; i < count; i++) {
    const at = (i >> 1) * 2 * (3 + size) + (i & 1) + 6;
    for (let c = 0; c < size; c++) source[at + 2 * c] = factor * strength[size * i + c];
  }
}

function unpackSums(
  column: Float64Array,
  kernel: SumKernel,
  scaling: SumScaling,
  count: number,
  outSum: Float64Array,
): void {
  const { sumSize, decay } = sumKernelShapes[kernel];
  // One factor of the scale went into the strengths; kernels of decay 2 have another.
  const factor = decay === 2 ? scaling.scale : 1;
  for (let i = 0; i < count; i++)
    for (let c = 0; c < sumSize; c++) outSum[sumSize * i + c] = factor * column[c * count + i];
}
