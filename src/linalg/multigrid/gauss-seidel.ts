/**
 * Gauss-Seidel sweeps over a SplitMatrix, forward and backward, with the residual: the relaxation operator S
 * of [chentanez-2007] 3.5. `w` holds the right-hand side; rows coupled to other blocks keep theirs in
 * `outer.right`, and have in w
 *     w' = right - (lagged couplings) x + surplus x,
 * so that blocks see nothing but their own rows. x and w are single precision; a call is one or two
 * fork-joins.
 */
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { defineRangeTask } from '../range-task.ts';
import { outerRecord, type SplitMatrix } from './split-matrix.ts';
import * as kernels from './sweep-kernels.ts';

const OUTER_GRAIN = 4096;
/** Rows of a residual, which is not sequential, per chunk. */
const ROW_GRAIN = 8192;

const { fround } = Math;

const fromZeroTask = defineRangeTask('linalg/relax-from-zero', kernels.relaxFromZero);
const forwardTask = defineRangeTask('linalg/relax-forward', kernels.relaxForward);
const backwardTask = defineRangeTask('linalg/relax-backward', kernels.relaxBackward);

const residualUpperTask = defineTask('linalg/residual-upper', kernels.residualUpper);
const residualSplitTask = defineTask('linalg/residual-split', kernels.residualSplit);

/**
 * What the lagged couplings and the surplus add to the right-hand side of the outer rows, on top of `base`.
 */
const lagTask = defineTask(
  'linalg/lag-outer',
  { outer: outerRecord, addsToTarget: 'number', x: 'f32', target: 'f32' },
  (begin, end, { outer, addsToTarget, x, target }) => {
    const { row, start, column, value, surplus, right } = outer;
    for (let n = begin; n < end; n++) {
      const i = row[n];
      let s = addsToTarget === 1 ? target[i] : right[n];
      for (let j = start[n]; j < start[n + 1]; j++) s = fround(s - fround(value[j] * x[column[j]]));
      target[i] = fround(s + fround(surplus[n] * x[i]));
    }
  },
);

function addLagged(
  threads: Threads,
  { outer }: SplitMatrix,
  x: Float32Array,
  adds: boolean,
  target: Float32Array,
): void {
  threads.run(lagTask, outer.row.length, OUTER_GRAIN, { outer, addsToTarget: adds ? 1 : 0, x, target });
}

/**
 * Tells the matrix of a new right-hand side in w. Sweeps change w in the outer rows; this must come first.
 */
export function beginSweeps(m: SplitMatrix, w: Float32Array): void {
  const { row, right } = m.outer;
  for (let n = 0; n < row.length; n++) right[n] = w[row[n]];
}

/** One forward sweep from x = 0, right after beginSweeps. */
export function relaxFromZero(threads: Threads, m: SplitMatrix, w: Float32Array, outX: Float32Array): void {
  const { blockCount, blockStart, triangles } = m;
  threads.run(fromZeroTask, blockCount, 1, { rangeStart: blockStart, ...triangles, w, x: outX });
}

/** One forward sweep. */
export function relaxForward(threads: Threads, m: SplitMatrix, w: Float32Array, x: Float32Array): void {
  addLagged(threads, m, x, false, w);
  threads.run(forwardTask, m.blockCount, 1, { rangeStart: m.blockStart, ...m.triangles, w, x });
}

/** One backward sweep: the transpose of a forward one. */
export function relaxBackward(threads: Threads, m: SplitMatrix, w: Float32Array, x: Float32Array): void {
  addLagged(threads, m, x, false, w);
  threads.run(backwardTask, m.blockCount, 1, { rangeStart: m.blockStart, ...m.triangles, w, x });
}

/** out = right - A x, right after relaxFromZero, for half the price. */
export function computeFirstResidual(
  threads: Threads,
  m: SplitMatrix,
  x: Float32Array,
  outResidual: Float32Array,
): void {
  threads.run(residualUpperTask, m.rowCount, ROW_GRAIN, { ...m.triangles, x, out: outResidual });
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
  threads.run(residualSplitTask, m.rowCount, ROW_GRAIN, { ...m.triangles, w, x, out: outResidual });
}
