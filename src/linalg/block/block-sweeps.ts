/**
 * Gauss-Seidel sweeps over a block matrix on many threads, in double precision: the relaxation of block
 * multigrid.
 *
 * Rows are cut into contiguous ranges that depend on the number of rows alone. Within a range a sweep is
 * sequential, between ranges it is lagged as in Jacobi's method, so that ranges run side by side to the same
 * bits. With M the block triangles of the ranges,
 *     down   x = M^-1 w,   r = w - A x          up   x += M^-T (w - A x)
 * and down, correction, up is symmetric. It is positive definite if M + M^T - A is, for which half of a row's
 * couplings to other ranges, in absolute value, is added to its diagonal in M (Gershgorin; Baker et al. 2011,
 * "l1").
 *
 * Down and its residual read the matrix once together: half the entries each.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { rowColumns } from '../matrix-columns.ts';
import type { Preconditioner } from '../preconditioners/preconditioner.ts';
import { defineRangeTask } from '../range-task.ts';
import { chooseParts } from '../sweep-parts.ts';
import { computeDot, copy } from '../vector.ts';
import type { BlockCsrMatrix } from './block-csr.ts';
import { invertDiagonal } from './block-jacobi.ts';
import { blockFinishResidual, blockSweepDown, blockSweepUp } from './block-kernels.ts';

export interface BlockSweeps {
  /** (ranges + 1) first row of each range */
  readonly rangeStart: Int32Array;
  /** (rowCount x blockSize^2) inverse of the diagonal blocks of M */
  readonly inverse: Float64Array;
  /** x before a sweep up, for rows of other ranges; empty where there is but one range */
  readonly old: Float64Array;
}

/** Fewer rows are not worth a fork; of few layers of a compact mesh few rows have couplings that lag. */
const RANGE = { rows: 512, layers: 4 };

/** Half the sum of |couplings to other ranges| of every unknown. */
const surplusTask = defineTask(
  'linalg/block-surplus',
  { size: 'number', rangeStart: 'i32', ...rowColumns, outSurplus: 'f64' },
  (begin, end, { size, rangeStart, rowStart, column, value, outSurplus }) => {
    for (let range = begin; range < end; range++) {
      const [first, last] = [rangeStart[range], rangeStart[range + 1]];
      for (let i = first; i < last; i++)
        for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
          if (column[j] >= first && column[j] < last) continue;
          for (let s = 0; s < size; s++)
            for (let r = 0; r < size; r++)
              outSurplus[i * size + r] += 0.5 * Math.abs(value[(j * size + s) * size + r]);
        }
    }
  },
);

const tasks = {
  down: defineRangeTask('linalg/block-sweep-down', blockSweepDown),
  residual: defineRangeTask('linalg/block-finish-residual', blockFinishResidual),
  up: defineRangeTask('linalg/block-sweep-up', blockSweepUp),
};

export function buildBlockSweeps(
  threads: Threads,
  scope: HeapScope,
  a: BlockCsrMatrix,
  setUp = scope,
  rangeCount = chooseParts(a.rowCount, RANGE.rows, RANGE.layers),
): BlockSweeps {
  const { rowCount, blockSize, rowStart, column, value } = a;
  const rangeStart = scope.i32(rangeCount + 1);
  for (let n = 0; n <= rangeCount; n++) rangeStart[n] = Math.floor((rowCount * n) / rangeCount);
  const surplus = setUp.f64(rowCount * blockSize);
  const rows = { size: blockSize, rowStart, column, value };
  threads.run(surplusTask, rangeCount, 1, { ...rows, rangeStart, outSurplus: surplus });
  return {
    rangeStart,
    inverse: invertDiagonal(threads, scope, a, surplus),
    old: scope.f64(rangeCount > 1 ? rowCount * blockSize : 0),
  };
}

/** The matrix as the kernels name it. */
const nameRows = ({ blockSize: size, rowStart, column, diagonal, value }: BlockCsrMatrix) => ({
  size,
  rowStart,
  column,
  diagonal,
  value,
});

/** x = M^-1 w and r = w - A x */
export function sweepDown(
  threads: Threads,
  a: BlockCsrMatrix,
  { rangeStart, inverse }: BlockSweeps,
  w: Float64Array,
  outX: Float64Array,
  outR: Float64Array,
): void {
  const rows = nameRows(a);
  const ranges = rangeStart.length - 1;
  threads.run(tasks.down, ranges, 1, { rangeStart, ...rows, inverse, w, x: outX, r: outR });
  threads.run(tasks.residual, ranges, 1, { rangeStart, ...rows, x: outX, r: outR });
}

/** x += M^-T (w - A x); r is overwritten */
export function sweepUp(
  threads: Threads,
  a: BlockCsrMatrix,
  { rangeStart, inverse, old }: BlockSweeps,
  w: Float64Array,
  x: Float64Array,
  outR: Float64Array,
): void {
  const rows = nameRows(a);
  const ranges = rangeStart.length - 1;
  if (ranges > 1) copy(threads, x, old);
  const others = ranges > 1 ? old : x;
  threads.run(tasks.up, ranges, 1, { rangeStart, ...rows, inverse, w, old: others, x, r: outR });
}

/** Symmetric block Gauss-Seidel as a preconditioner: one sweep down, one up. */
export function createBlockGaussSeidel(
  threads: Threads,
  scope: HeapScope,
  a: BlockCsrMatrix,
  rangeCount = chooseParts(a.rowCount, RANGE.rows, RANGE.layers),
): Preconditioner {
  const sweeps = buildBlockSweeps(threads, scope, a, scope, rangeCount);
  const r = scope.f64(a.rowCount * a.blockSize);
  return {
    name: 'block-gauss-seidel',
    apply(w, outZ) {
      sweepDown(threads, a, sweeps, w, outZ, r);
      sweepUp(threads, a, sweeps, w, outZ, r);
      return computeDot(threads, w, outZ);
    },
  };
}
