/**
 * Sparse matrices in compressed rows, and their products on all threads. Columns ascend within a row and
 * every row has its diagonal entry, so preconditioners need not search. Built from elements in csr-build.ts.
 */
import type { HeapScope } from '../core/heap.ts';
import { defineTask, type Threads } from '../core/threads/task.ts';
import * as kernels from './csr-kernels.ts';
import type { LinearOperator } from './operator.ts';

export interface CsrMatrix {
  /** Rows; the matrices of this house are square. */
  readonly rowCount: number;
  /** (rowCount + 1) first entry of each row */
  readonly rowStart: Int32Array;
  /** (entries) column of each entry, ascending within a row */
  readonly column: Int32Array;
  /** (rowCount) entry that holds the row's diagonal */
  readonly diagonal: Int32Array;
  /** (entries) */
  readonly value: Float64Array;
}

/** Rows per chunk: some 15,000 entries at 7 per row, about 20 us of work. */
export const ROW_GRAIN = 2048;

const spmvTask = defineTask('linalg/spmv', kernels.spmv);
const spmvDotTask = defineTask('linalg/spmv-dot', kernels.spmvDot);
const spmvResidualTask = defineTask('linalg/spmv-residual', kernels.spmvResidual);

/** y = A x */
export function multiplyMatrix(threads: Threads, a: CsrMatrix, x: Float64Array, outY: Float64Array): void {
  const { rowCount, rowStart, column, value } = a;
  threads.run(spmvTask, rowCount, ROW_GRAIN, { rowStart, column, value, x, y: outY });
}

/** y = A x; returns x . y */
export function multiplyMatrixDot(
  threads: Threads,
  a: CsrMatrix,
  x: Float64Array,
  outY: Float64Array,
): number {
  const { rowCount, rowStart, column, value } = a;
  return threads.sum(spmvDotTask, rowCount, ROW_GRAIN, { rowStart, column, value, x, y: outY });
}

/** r = b - A x; returns r . r */
export function computeResidual(
  threads: Threads,
  a: CsrMatrix,
  x: Float64Array,
  b: Float64Array,
  outR: Float64Array,
): number {
  const { rowCount, rowStart, column, value } = a;
  return threads.sum(spmvResidualTask, rowCount, ROW_GRAIN, { rowStart, column, value, x, b, r: outR });
}

/** The matrix as an operator. */
export function createCsrOperator(threads: Threads, a: CsrMatrix): LinearOperator {
  return {
    size: a.rowCount,
    apply: (x, out) => multiplyMatrix(threads, a, x, out),
    applyDot: (x, out) => multiplyMatrixDot(threads, a, x, out),
    applyResidual: (x, b, out) => computeResidual(threads, a, x, b, out),
  };
}

/**
 * A matrix from a dense one, entries that are zero left out but for the diagonal: for tests and tiny systems.
 */
export function buildCsrFromDense(scope: HeapScope, dense: readonly (readonly number[])[]): CsrMatrix {
  const rowCount = dense.length;
  const rowStart = scope.i32(rowCount + 1);
  const isEntry = (i: number, j: number) => dense[i][j] !== 0 || i === j;
  for (let i = 0; i < rowCount; i++) {
    rowStart[i + 1] = rowStart[i];
    for (let j = 0; j < rowCount; j++) if (isEntry(i, j)) rowStart[i + 1]++;
  }
  const column = scope.i32(rowStart[rowCount]);
  const value = scope.f64(rowStart[rowCount]);
  const diagonal = scope.i32(rowCount);
  for (let i = 0, at = 0; i < rowCount; i++) {
    for (let j = 0; j < rowCount; j++) {
      if (!isEntry(i, j)) continue;
      if (i === j) diagonal[i] = at;
      column[at] = j;
      value[at++] = dense[i][j];
    }
  }
  return { rowCount, rowStart, column, diagonal, value };
}
