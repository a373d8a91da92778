/**
 * Between a level and the next coarser one: prolongation P and restriction R = P^T ([chentanez-2007] 3.5),
 * both gathered row by row so that threads share them without locks and with the same bits.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { sortByColumns } from '../sort-columns.ts';
import * as kernels from './sweep-kernels.ts';

export interface Transfer {
  readonly coarseCount: number;
  /** out = P^T fine */
  restrict(fine: Float32Array, outCoarse: Float32Array): void;
  /** x += P coarse */
  prolong(coarse: Float32Array, outX: Float32Array): void;
}

/** Rows in compressed form, any number of columns: a prolongation, or its transpose. */
export interface Weights {
  readonly rowCount: number;
  readonly columnCount: number;
  /** (rowCount + 1) */
  readonly rowStart: Int32Array;
  readonly column: Int32Array;
  readonly value: Float32Array;
}

const GRAIN = 4096;
const multiplyTask = defineTask('linalg/restrict', kernels.spmvSingle);
const addTask = defineTask('linalg/prolong', kernels.spmvSingleAdd);
const gatherTask = defineTask('linalg/restrict-mean', kernels.gatherSum);
const addThreeTask = defineTask('linalg/prolong-mean', kernels.addThree);

/** The transpose, columns ascending: a counting sort. */
export function transposeWeights(scope: HeapScope, p: Weights): Weights {
  const { rowCount, columnCount } = p;
  const entries = p.rowStart[rowCount];
  const rowStart = scope.i32(columnCount + 1);
  const column = scope.i32(entries);
  const value = scope.f32(entries);
  sortByColumns(p, rowCount, rowStart, (at, i, j) => {
    column[at] = i;
    value[at] = p.value[j];
  });
  return { rowCount: columnCount, columnCount: rowCount, rowStart, column, value };
}

export function createTransfer(threads: Threads, p: Weights, r: Weights): Transfer {
  return {
    coarseCount: p.columnCount,
    restrict(fine, coarse) {
      const { rowCount, rowStart, column, value } = r;
      threads.run(multiplyTask, rowCount, GRAIN, { rowStart, column, value, x: fine, y: coarse });
    },
    prolong(coarse, x) {
      const { rowCount, rowStart, column, value } = p;
      threads.run(addTask, rowCount, GRAIN, { rowStart, column, value, x: coarse, y: x });
    },
  };
}

/**
 * Every fine value is the mean of three coarse ones; coarse number coarseCount stands for a value that is
 * zero.
 */
export interface MeanOfThree {
  readonly coarseCount: number;
  /** (fineCount x 3) */
  readonly fineToCoarse: Int32Array;
  /** (coarseCount + 1) and the fine unknowns of each coarse one, ascending */
  readonly coarseStart: Int32Array;
  readonly coarseToFine: Int32Array;
}

/** Coarse vectors need coarseCount + 1 entries, the last one zero. */
export function createMeanTransfer(threads: Threads, mean: MeanOfThree): Transfer {
  const { coarseCount, fineToCoarse, coarseStart, coarseToFine } = mean;
  return {
    coarseCount,
    restrict(fine, coarse) {
      const rows = { start: coarseStart, column: coarseToFine, scale: 1 / 3 };
      threads.run(gatherTask, coarseCount, GRAIN / 8, { ...rows, x: fine, out: coarse });
    },
    prolong(coarse, x) {
      const values = { column: fineToCoarse, scale: 1 / 3, coarse, x };
      threads.run(addThreeTask, fineToCoarse.length / 3, GRAIN, values);
    },
  };
}
