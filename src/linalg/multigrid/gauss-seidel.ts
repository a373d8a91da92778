/**
 * Gauss-Seidel sweeps over a SplitMatrix, forward and backward, with the residual: the relaxation operator S of
 * [chentanez-2007] 3.5. `w` holds the right-hand side; rows coupled to other blocks keep theirs in outerRight, and have in w
 *     w' = right - (lagged couplings) x + surplus x,
 * so that blocks see nothing but their own rows. x and w are single precision; a call is one or two fork-joins.
 */
import { kernels, type SplitViews } from '../../core/kernels.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { SplitMatrix } from './split-matrix.ts';

const OUTER_GRAIN = 4096;
/** Rows of a residual, which is not sequential, per chunk. */
const ROW_GRAIN = 8192;

const { fround } = Math;

type Vectors = [w: Float32Array, x: Float32Array];

const fromZeroTask = defineTask(
  'multigrid.relaxFromZero',
  (
    begin: number,
    end: number,
    blockStart: Int32Array,
    ...views: [Int32Array, Int32Array, Float32Array, Float32Array, ...Vectors]
  ) => {
    for (let b = begin; b < end; b++) kernels.relaxFromZero(blockStart[b], blockStart[b + 1], ...views);
  },
);

const forwardTask = defineTask(
  'multigrid.relaxForward',
  (begin: number, end: number, blockStart: Int32Array, ...views: [...SplitViews, ...Vectors]) => {
    for (let b = begin; b < end; b++) kernels.relaxForward(blockStart[b], blockStart[b + 1], ...views);
  },
);

const backwardTask = defineTask(
  'multigrid.relaxBackward',
  (begin: number, end: number, blockStart: Int32Array, ...views: [...SplitViews, ...Vectors]) => {
    for (let b = begin; b < end; b++) kernels.relaxBackward(blockStart[b], blockStart[b + 1], ...views);
  },
);

const residualUpperTask = defineTask('multigrid.residualUpper', kernels.residualUpper);
const residualSplitTask = defineTask('multigrid.residualSplit', kernels.residualSplit);

/** What the lagged couplings and the surplus add to the right-hand side of the outer rows, on top of `base`. */
const lagTask = defineTask(
  'multigrid.lagOuter',
  (
    begin: number,
    end: number,
    outerRow: Int32Array,
    outerStart: Int32Array,
    outerColumn: Int32Array,
    outerValue: Float32Array,
    outerSurplus: Float32Array,
    addsToTarget: number,
    right: Float32Array,
    x: Float32Array,
    outTarget: Float32Array,
  ) => {
    for (let n = begin; n < end; n++) {
      const i = outerRow[n];
      let s = addsToTarget === 1 ? outTarget[i] : right[n];
      for (let j = outerStart[n]; j < outerStart[n + 1]; j++)
        s = fround(s - fround(outerValue[j] * x[outerColumn[j]]));
      outTarget[i] = fround(s + fround(outerSurplus[n] * x[i]));
    }
  },
);

function addLagged(
  threads: Threads,
  m: SplitMatrix,
  x: Float32Array,
  adds: boolean,
  outTarget: Float32Array,
): void {
  const { outerRow, outerStart, outerColumn, outerValue, outerSurplus, outerRight } = m;
  const lists = [outerRow, outerStart, outerColumn, outerValue, outerSurplus] as const;
  threads.run(lagTask, outerRow.length, OUTER_GRAIN, ...lists, adds ? 1 : 0, outerRight, x, outTarget);
}

/** Tells the matrix of a new right-hand side in w. Sweeps change w in the outer rows; this must come first. */
export function beginSweeps(m: SplitMatrix, w: Float32Array): void {
  const { outerRow, outerRight } = m;
  for (let n = 0; n < outerRow.length; n++) outerRight[n] = w[outerRow[n]];
}

/** One forward sweep from x = 0, right after beginSweeps. */
export function relaxFromZero(threads: Threads, m: SplitMatrix, w: Float32Array, outX: Float32Array): void {
  const [lowerStart, lowerColumn, lowerValue, , , , inverse] = m.views;
  const lists = [lowerStart, lowerColumn, lowerValue, inverse] as const;
  threads.run(fromZeroTask, m.blockCount, 1, m.blockStart, ...lists, w, outX);
}

/** One forward sweep. */
export function relaxForward(threads: Threads, m: SplitMatrix, w: Float32Array, x: Float32Array): void {
  addLagged(threads, m, x, false, w);
  threads.run(forwardTask, m.blockCount, 1, m.blockStart, ...m.views, w, x);
}

/** One backward sweep: the transpose of a forward one. */
export function relaxBackward(threads: Threads, m: SplitMatrix, w: Float32Array, x: Float32Array): void {
  addLagged(threads, m, x, false, w);
  threads.run(backwardTask, m.blockCount, 1, m.blockStart, ...m.views, w, x);
}

/** out = right - A x, right after relaxFromZero, for half the price. */
export function computeFirstResidual(
  threads: Threads,
  m: SplitMatrix,
  x: Float32Array,
  outResidual: Float32Array,
): void {
  const [, , , upperStart, upperColumn, upperValue] = m.views;
  const lists = [upperStart, upperColumn, upperValue] as const;
  threads.run(residualUpperTask, m.rowCount, ROW_GRAIN, ...lists, x, outResidual);
  addLagged(threads, m, x, true, outResidual);
}

/** out = right - A x */
export function computeSplitResidual(
  threads: Threads,
  m: SplitMatrix,
  w: Float32Array,
  x: Float32Array,
  outResidual: Float32Array,
): void {
  addLagged(threads, m, x, false, w);
  threads.run(residualSplitTask, m.rowCount, ROW_GRAIN, ...m.views, w, x, outResidual);
}
