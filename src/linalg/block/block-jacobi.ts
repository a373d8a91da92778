/** Block Jacobi: z = D^-1 r with the inverse of each diagonal block. The matrix need not be symmetric. */
import { RunError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { Preconditioner } from '../preconditioners/preconditioner.ts';
import { computeDot } from '../vector.ts';
import { type BlockCsrMatrix, multiplyBlocks } from './block-csr.ts';
import { invertBlock } from './invert-block.ts';

const GRAIN = 1024;

/**
 * Inverts the diagonal blocks, with `surplus` added to their diagonals; returns 1 + the largest row whose
 * block is singular, or 0.
 */
const invertTask = defineTask(
  'linalg/invert-diagonal',
  { size: 'number', diagonal: 'i32', value: 'f64', surplus: 'f64', inverse: 'f64' },
  (begin, end, { size, diagonal, value, surplus, inverse }) => {
    const numbers = size * size;
    const block = new Float64Array(numbers);
    const work = new Float64Array(2 * (numbers + size));
    let singular = 0;
    for (let i = begin; i < end; i++) {
      for (let n = 0; n < numbers; n++) block[n] = value[diagonal[i] * numbers + n];
      for (let r = 0; r < size; r++) block[r * (size + 1)] += surplus[i * size + r];
      if (!invertBlock(size, block, 0, work, i * numbers, inverse)) singular = i + 1;
    }
    return singular;
  },
);

/**
 * (rowCount x blockSize^2) inverses of the diagonal blocks, with `surplus` (one number per unknown) added to
 * their diagonals.
 */
export function invertDiagonal(
  threads: Threads,
  scope: HeapScope,
  a: BlockCsrMatrix,
  surplus = scope.f64(a.rowCount * a.blockSize),
): Float64Array {
  const { rowCount, blockSize: size, diagonal, value } = a;
  const inverse = scope.f64(rowCount * size * size);
  if (rowCount === 0) return inverse;
  const singular = threads.max(invertTask, rowCount, GRAIN, { size, diagonal, value, surplus, inverse });
  if (singular > 0)
    throw new RunError(
      'block matrix',
      `the diagonal block of row ${singular - 1} of ${rowCount} is singular`,
      'look for an unknown without elements, a coefficient that is zero, or NaN',
    );
  return inverse;
}

/** The inverse diagonal blocks as a matrix. */
export function buildInverseDiagonal(threads: Threads, scope: HeapScope, a: BlockCsrMatrix): BlockCsrMatrix {
  const { rowCount, blockSize } = a;
  const rowStart = scope.i32(rowCount + 1);
  for (let i = 0; i <= rowCount; i++) rowStart[i] = i;
  const column = rowStart.subarray(0, rowCount);
  const value = invertDiagonal(threads, scope, a);
  return { blockSize, rowCount, rowStart, column, diagonal: column, value };
}

export function createBlockJacobi(threads: Threads, scope: HeapScope, a: BlockCsrMatrix): Preconditioner {
  const inverse = buildInverseDiagonal(threads, scope, a);
  return {
    name: 'block-jacobi',
    apply(r, outZ) {
      multiplyBlocks(threads, inverse, r, outZ);
      return computeDot(threads, r, outZ);
    },
  };
}
