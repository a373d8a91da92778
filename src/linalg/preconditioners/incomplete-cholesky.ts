/**
 * Block incomplete Cholesky: A ~ L D L^T on contiguous blocks of BLOCK_ROWS rows, with the pattern of A and couplings between
 * blocks left out. Blocks are independent, so they run on any number of threads with the same bits, and a
 * block's factor stays in the second-level cache between the forward and the backward sweep. The loss of coupling
 * costs few iterations where neighbouring unknowns have neighbouring numbers (bench/kernels.ts shows how many).
 *
 * Fill that the pattern has no place for is dropped; `relaxation` of it is added to the diagonal instead (Gustafsson 1978,
 * "modified" factorisation at 1), which keeps slowly varying vectors nearly exact. A pivot that is too small starts the block
 * again with a larger diagonal (Manteuffel 1980): A + shift diag(A).
 *
 * Row k of the arrays holds column k of L below the unit diagonal, which is the upper triangle's row k of A.
 */
import { RunError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import { kernels } from '../../core/kernels.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { CsrMatrix } from '../csr.ts';
import type { Preconditioner } from './preconditioner.ts';

export interface IncompleteCholesky extends Preconditioner {
  /** Takes over the present values of the matrix; its pattern must be the same. */
  factor(): void;
  /** Blocks that needed a shifted diagonal in the last factorisation. */
  readonly shiftedBlocks: number;
}

export interface IncompleteCholeskyOptions {
  /** Part of the dropped fill that goes to the diagonal, 0 to 1. */
  readonly relaxation?: number;
  /** Rows per block: part of the result's definition. */
  readonly blockRows?: number;
}

export const DEFAULT_RELAXATION = 0.95;
export const BLOCK_ROWS = 16384;
/** A pivot below this part of the matrix's own diagonal makes the factor useless. */
const SMALLEST_PIVOT = 1e-3;
const FIRST_SHIFT = 1e-3;
const SHIFT_GROWTH = 4;
/** With a shift of this size the block is close to its diagonal; a failure then means a broken matrix. */
const LARGEST_SHIFT = 1e3;

/** One block with a given shift; false when a pivot is too small. Right-looking: column k updates all later ones. */
function factorBlock(
  begin: number,
  end: number,
  relaxation: number,
  rowStart: Int32Array,
  column: Int32Array,
  value: Float64Array,
  pivot: Float64Array,
  smallest: (k: number) => number,
): boolean {
  for (let k = begin; k < end; k++) {
    const d = pivot[k];
    if (!(d > smallest(k))) return false;
    const to = rowStart[k + 1];
    for (let a = rowStart[k]; a < to; a++) {
      const i = column[a];
      const factor = value[a] / d;
      pivot[i] -= factor * value[a];
      // Merge the rest of column k with column i: both ascend.
      let at = rowStart[i];
      const last = rowStart[i + 1];
      for (let b = a + 1; b < to; b++) {
        const j = column[b];
        const update = factor * value[b];
        while (at < last && column[at] < j) at++;
        if (at < last && column[at] === j) value[at] -= update;
        else {
          pivot[i] -= relaxation * update;
          pivot[j] -= relaxation * update;
        }
      }
      value[a] = factor;
    }
  }
  return true;
}

/** Factors the blocks [begin, end); returns how many needed a shift. */
const factorTask = defineTask(
  'linalg.factorBlocks',
  (
    begin: number,
    end: number,
    rowCount: number,
    blockRows: number,
    relaxation: number,
    entry: Int32Array,
    matrixDiagonal: Int32Array,
    matrixValue: Float64Array,
    rowStart: Int32Array,
    column: Int32Array,
    outValue: Float64Array,
    outInversePivot: Float64Array,
  ) => {
    const smallest = (k: number) => SMALLEST_PIVOT * matrixValue[matrixDiagonal[k]];
    let shifted = 0;
    for (let block = begin; block < end; block++) {
      const first = block * blockRows;
      const last = Math.min(first + blockRows, rowCount);
      for (let shift = 0; ; shift = shift === 0 ? FIRST_SHIFT : shift * SHIFT_GROWTH) {
        for (let j = rowStart[first]; j < rowStart[last]; j++) outValue[j] = matrixValue[entry[j]];
        for (let k = first; k < last; k++) outInversePivot[k] = (1 + shift) * matrixValue[matrixDiagonal[k]];
        if (factorBlock(first, last, relaxation, rowStart, column, outValue, outInversePivot, smallest)) {
          if (shift > 0) shifted++;
          break;
        }
        if (shift > LARGEST_SHIFT)
          throw new RunError(
            'incomplete cholesky',
            `no factor of rows ${first} to ${last - 1} even with ${shift} times the diagonal added`,
            'the matrix must be positive definite: look for NaN, a diagonal that is not positive, or huge coefficients',
          );
      }
      for (let k = first; k < last; k++) outInversePivot[k] = 1 / outInversePivot[k];
    }
    return shifted;
  },
);

const solveTask = defineTask(
  'linalg.solveBlocks',
  (
    begin: number,
    end: number,
    rowCount: number,
    blockRows: number,
    rowStart: Int32Array,
    column: Int32Array,
    value: Float64Array,
    inversePivot: Float64Array,
    r: Float64Array,
    outZ: Float64Array,
  ) => {
    let dot = 0;
    for (let block = begin; block < end; block++) {
      const first = block * blockRows;
      const last = Math.min(first + blockRows, rowCount);
      dot += kernels.solveFactored(first, last, rowStart, column, value, inversePivot, r, outZ);
    }
    return dot;
  },
);

/** The strict upper triangle of each diagonal block, as positions in the matrix. */
function buildUpperPattern(scope: HeapScope, a: CsrMatrix, blockRows: number) {
  const { rowCount } = a;
  const rowStart = scope.i32(rowCount + 1);
  const findBlockEnd = (i: number) => (Math.floor(i / blockRows) + 1) * blockRows;
  for (let i = 0; i < rowCount; i++) {
    const blockEnd = findBlockEnd(i);
    let j = a.diagonal[i] + 1;
    while (j < a.rowStart[i + 1] && a.column[j] < blockEnd) j++;
    rowStart[i + 1] = rowStart[i] + j - a.diagonal[i] - 1;
  }
  const column = scope.i32(rowStart[rowCount]);
  const entry = scope.i32(rowStart[rowCount]);
  for (let i = 0; i < rowCount; i++) {
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
      entry[j] = a.diagonal[i] + 1 + j - rowStart[i];
      column[j] = a.column[entry[j]];
    }
  }
  return { rowStart, column, entry };
}

export function createIncompleteCholesky(
  threads: Threads,
  scope: HeapScope,
  a: CsrMatrix,
  options: IncompleteCholeskyOptions = {},
): IncompleteCholesky {
  const { relaxation = DEFAULT_RELAXATION, blockRows = BLOCK_ROWS } = options;
  const { rowStart, column, entry } = buildUpperPattern(scope, a, blockRows);
  const value = scope.f64(column.length);
  const inversePivot = scope.f64(a.rowCount);
  const blockCount = Math.ceil(a.rowCount / blockRows);
  const shape = [a.rowCount, blockRows] as const;
  let shiftedBlocks = 0;

  function factor(): void {
    const source = [entry, a.diagonal, a.value] as const;
    const lists = [rowStart, column, value, inversePivot] as const;
    shiftedBlocks = threads.sum(factorTask, blockCount, 1, ...shape, relaxation, ...source, ...lists);
  }

  factor();
  return {
    name: 'incomplete-cholesky',
    factor,
    get shiftedBlocks() {
      return shiftedBlocks;
    },
    apply: (r, outZ) =>
      threads.sum(solveTask, blockCount, 1, ...shape, rowStart, column, value, inversePivot, r, outZ),
  };
}
