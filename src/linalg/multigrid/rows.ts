/** Rows of a matrix that is being built: put in order, and moved together. */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { CsrMatrix } from '../csr.ts';
import { matrixColumns } from '../matrix-columns.ts';

const GRAIN = 4096;

/** Insertion sort of the entries [first, last) by column: rows are short. */
export function sortRow(column: Int32Array, value: Float64Array, first: number, last: number): void {
  for (let n = first + 1; n < last; n++) {
    const c = column[n];
    const x = value[n];
    let m = n - 1;
    while (m >= first && column[m] > c) {
      column[m + 1] = column[m];
      value[m + 1] = value[m];
      m--;
    }
    column[m + 1] = c;
    value[m + 1] = x;
  }
}

const moveTask = defineTask(
  'linalg/move-rows',
  {
    ...matrixColumns('loose'),
    rowStart: 'i32',
    column: 'i32',
    diagonal: 'i32',
    value: 'f64',
  },
  (begin, end, { looseStart, looseColumn, looseValue, rowStart, column, diagonal, value }) => {
    for (let i = begin; i < end; i++) {
      let from = looseStart[i];
      for (let to = rowStart[i]; to < rowStart[i + 1]; to++, from++) {
        column[to] = looseColumn[from];
        value[to] = looseValue[from];
        if (looseColumn[from] === i) diagonal[i] = to;
      }
    }
  },
);

/**
 * The matrix of rows that lie apart: row i has length[i] entries from looseStart[i] on, its diagonal among
 * them, sorted.
 */
export function compactRows(
  threads: Threads,
  scope: HeapScope,
  length: Int32Array,
  looseStart: Int32Array,
  looseColumn: Int32Array,
  looseValue: Float64Array,
): CsrMatrix {
  const rowCount = length.length;
  const rowStart = scope.i32(rowCount + 1);
  for (let i = 0; i < rowCount; i++) rowStart[i + 1] = rowStart[i] + length[i];
  const column = scope.i32(rowStart[rowCount]);
  const diagonal = scope.i32(rowCount);
  const value = scope.f64(rowStart[rowCount]);
  const rows = { rowStart, column, diagonal, value };
  threads.run(moveTask, rowCount, GRAIN, { looseStart, looseColumn, looseValue, ...rows });
  return { rowCount, ...rows };
}
