/**
 * The near part of a layer operator: a sparse matrix with any number of columns, and its transpose. Built
 * from rows of near panels. Cost: linear in entries; products on all threads by the kernel of sparse
 * matrices.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { I32View } from '../../core/types.ts';
import { spmv } from '../../linalg/csr-kernels.ts';
import type { Rows } from './near-list.ts';

export interface NearMatrix {
  readonly rowCount: number;
  readonly columnCount: number;
  /** (rowCount + 1) */
  readonly rowStart: Int32Array;
  /** (entries) ascending within a row */
  readonly column: Int32Array;
  readonly value: Float64Array;
}

const ROW_GRAIN = 512;

const productTask = defineTask('integrals/near-product', spmv);

/** y = A x, all on the heap */
export function multiplyNear(threads: Threads, a: NearMatrix, x: Float64Array, outY: Float64Array): void {
  const { rowStart, column, value } = a;
  threads.run(productTask, a.rowCount, ROW_GRAIN, { rowStart, column, value, x, y: outY });
}

/** The matrix with a column per panel: its entries are the near panels, of value 0. */
export function buildPanelMatrix(
  near: Rows,
  rowCount: number,
  panelCount: number,
  scope: HeapScope,
): NearMatrix {
  const rowStart = scope.i32(rowCount + 1);
  for (let r = 0; r <= rowCount; r++) rowStart[r] = near[r] - near[0];
  const column = near.subarray(near[0], near[rowCount]);
  return { rowCount, columnCount: panelCount, rowStart, column, value: scope.f64(column.length) };
}

/** The matrix with a column per vertex: entries for the corners of near panels, of value 0. */
export function buildVertexMatrix(
  near: Rows,
  rowCount: number,
  vertexCount: number,
  triangle: I32View,
  scope: HeapScope,
): NearMatrix {
  const mark = new Int32Array(vertexCount).fill(-1);
  const rowStart = scope.i32(rowCount + 1);
  for (let r = 0; r < rowCount; r++) {
    let found = 0;
    for (let n = near[r]; n < near[r + 1]; n++)
      for (let i = 0; i < 3; i++) {
        const v = triangle[3 * near[n] + i];
        if (mark[v] === r) continue;
        mark[v] = r;
        found++;
      }
    rowStart[r + 1] = rowStart[r] + found;
  }
  mark.fill(-1);
  const column = scope.i32(rowStart[rowCount]);
  for (let r = 0; r < rowCount; r++) {
    let at = rowStart[r];
    for (let n = near[r]; n < near[r + 1]; n++)
      for (let i = 0; i < 3; i++) {
        const v = triangle[3 * near[n] + i];
        if (mark[v] === r) continue;
        mark[v] = r;
        column[at++] = v;
      }
    column.subarray(rowStart[r], at).sort();
  }
  return { rowCount, columnCount: vertexCount, rowStart, column, value: scope.f64(column.length) };
}

/** Entry of (row, column), which must be there: by bisection. */
export function findEntry(column: Int32Array, first: number, last: number, wanted: number): number {
  let low = first;
  let high = last - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The transpose, columns ascending: a counting sort. */
export function transposeNear(a: NearMatrix, scope: HeapScope): NearMatrix {
  const { rowCount, columnCount } = a;
  const entries = a.rowStart[rowCount];
  const rowStart = scope.i32(columnCount + 1);
  for (let n = 0; n < entries; n++) rowStart[a.column[n] + 1]++;
  for (let c = 0; c < columnCount; c++) rowStart[c + 1] += rowStart[c];
  const next = rowStart.slice();
  const column = scope.i32(entries);
  const value = scope.f64(entries);
  for (let r = 0; r < rowCount; r++)
    for (let n = a.rowStart[r]; n < a.rowStart[r + 1]; n++) {
      const at = next[a.column[n]]++;
      column[at] = r;
      value[at] = a.value[n];
    }
  return { rowCount: columnCount, columnCount: rowCount, rowStart, column, value };
}
