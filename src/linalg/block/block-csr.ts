/**
 * Sparse matrices whose entries are dense square blocks: velocities of viscous flow (3 x 3), velocity and
 * pressure of a vertex (4 x 4), coarse levels with six rigid modes (6 x 6). One column index serves a whole
 * block, so a product moves 8.4 bytes per number instead of 12, and the lanes are full. Kernels for 3, 4 and
 * 6; other sizes run in a general loop.
 *
 * Block rows and entries are as in CsrMatrix: columns ascend, and every row has its diagonal. Unknown r of
 * block row i is number i blockSize + r. A matrix with blocks of 1 is a CsrMatrix.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { CsrMatrix } from '../csr.ts';
import { createOperator, type LinearOperator } from '../operator.ts';
import { blockProduct } from './block-kernels.ts';

export interface BlockCsrMatrix {
  readonly blockSize: number;
  /** Block rows. */
  readonly rowCount: number;
  /** (rowCount + 1) first entry of each block row */
  readonly rowStart: Int32Array;
  /** (entries) block column of each entry, ascending within a row */
  readonly column: Int32Array;
  /** (rowCount) entry that holds the row's diagonal block */
  readonly diagonal: Int32Array;
  /** (entries x blockSize x blockSize) each block column by column: number (r, s) at s blockSize + r */
  readonly value: Float64Array;
}

/** Numbers of the matrix per chunk of rows: about 20 us of work. */
const CHUNK_NUMBERS = 15_000;

/** Block rows per chunk; by the matrix alone, so that chunks and bits do not depend on the threads. */
export function chooseRowGrain({ rowCount, rowStart, blockSize }: BlockCsrMatrix): number {
  const numbers = rowStart[rowCount] * blockSize * blockSize;
  return numbers === 0 ? 1 : Math.max(1, Math.ceil((CHUNK_NUMBERS * rowCount) / numbers));
}

const productTask = defineTask('linalg/block-product', blockProduct);

/** y = A x */
export function multiplyBlocks(
  threads: Threads,
  a: BlockCsrMatrix,
  x: Float64Array,
  outY: Float64Array,
): void {
  const { rowCount, blockSize: size, rowStart, column, value } = a;
  threads.run(productTask, rowCount, chooseRowGrain(a), { size, rowStart, column, value, x, y: outY });
}

/** The matrix as an operator. */
export const createBlockOperator = (threads: Threads, a: BlockCsrMatrix): LinearOperator =>
  createOperator(threads, a.rowCount * a.blockSize, (x, out) => multiplyBlocks(threads, a, x, out));

/** The same numbers, seen as blocks of 1. */
export const toBlocks = (a: CsrMatrix): BlockCsrMatrix => ({ ...a, blockSize: 1 });

/**
 * A matrix from a dense one, blocks that are zero left out but for the diagonal: for tests and tiny systems.
 */
export function buildBlocksFromDense(
  scope: HeapScope,
  dense: readonly (readonly number[])[],
  blockSize: number,
): BlockCsrMatrix {
  const rowCount = dense.length / blockSize;
  const range = Array.from({ length: blockSize }, (_, r) => r);
  const isEntry = (i: number, j: number) =>
    i === j || range.some((r) => range.some((s) => dense[i * blockSize + r][j * blockSize + s] !== 0));
  const column: number[] = [];
  const rowStart = scope.i32(rowCount + 1);
  const diagonal = scope.i32(rowCount);
  for (let i = 0; i < rowCount; i++) {
    for (let j = 0; j < rowCount; j++) {
      if (!isEntry(i, j)) continue;
      if (i === j) diagonal[i] = column.length;
      column.push(j);
    }
    rowStart[i + 1] = column.length;
  }
  const columns = scope.i32(column.length);
  columns.set(column);
  const value = scope.f64(column.length * blockSize * blockSize);
  for (let i = 0, at = 0; i < rowCount; i++)
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++)
      for (const s of range)
        for (const r of range) value[at++] = dense[i * blockSize + r][column[e] * blockSize + s];
  return { blockSize, rowCount, rowStart, column: columns, diagonal, value };
}
