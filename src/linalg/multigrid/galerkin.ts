/**
 * The coarse matrix P^T A P ([chentanez-2007] 3.5), coarse row by coarse row: each sums over the fine rows it touches, their
 * entries, and the prolongation of those. Rows are counted first, then filled, both on all threads; sums run in a fixed
 * order. Cost: about (fine rows per coarse row) x (entries per row) x (entries per row of P) per coarse row, twice.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { CsrMatrix } from '../csr.ts';
import { sortRow } from './rows.ts';
import type { Weights } from './transfer.ts';

/** Each chunk clears a table with an entry per coarse row, so there are few: enough for 8 threads to share evenly. */
const CHUNKS = 32;
const LEAST_GRAIN = 256;

type Lists = [
  restrictStart: Int32Array,
  restrictColumn: Int32Array,
  restrictValue: Float32Array,
  rowStart: Int32Array,
  column: Int32Array,
  value: Float64Array,
  prolongStart: Int32Array,
  prolongColumn: Int32Array,
  prolongValue: Float32Array,
];

const countTask = defineTask(
  'multigrid.countGalerkin',
  (begin: number, end: number, coarseCount: number, outRowStart: Int32Array, ...lists: Lists) => {
    const [restrictStart, restrictColumn, , rowStart, column, , prolongStart, prolongColumn] = lists;
    const seen = new Int32Array(coarseCount).fill(-1);
    for (let c = begin; c < end; c++) {
      seen[c] = c;
      let count = 1;
      for (let r = restrictStart[c]; r < restrictStart[c + 1]; r++) {
        const i = restrictColumn[r];
        for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
          const k = column[j];
          for (let p = prolongStart[k]; p < prolongStart[k + 1]; p++) {
            const d = prolongColumn[p];
            if (seen[d] === c) continue;
            seen[d] = c;
            count++;
          }
        }
      }
      outRowStart[c + 1] = count;
    }
  },
);

const fillTask = defineTask(
  'multigrid.fillGalerkin',
  (
    begin: number,
    end: number,
    coarseCount: number,
    coarseStart: Int32Array,
    outColumn: Int32Array,
    outDiagonal: Int32Array,
    outValue: Float64Array,
    ...lists: Lists
  ) => {
    const [restrictStart, restrictColumn, restrictValue, rowStart, column, value] = lists;
    const [, , , , , , prolongStart, prolongColumn, prolongValue] = lists;
    const seen = new Int32Array(coarseCount).fill(-1);
    const sum = new Float64Array(coarseCount);
    for (let c = begin; c < end; c++) {
      const first = coarseStart[c];
      let last = first;
      seen[c] = c;
      sum[c] = 0;
      outColumn[last++] = c;
      for (let r = restrictStart[c]; r < restrictStart[c + 1]; r++) {
        const i = restrictColumn[r];
        const weight = restrictValue[r];
        for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
          const k = column[j];
          const part = weight * value[j];
          for (let p = prolongStart[k]; p < prolongStart[k + 1]; p++) {
            const d = prolongColumn[p];
            if (seen[d] !== c) {
              seen[d] = c;
              sum[d] = 0;
              outColumn[last++] = d;
            }
            sum[d] += part * prolongValue[p];
          }
        }
      }
      for (let e = first; e < last; e++) outValue[e] = sum[outColumn[e]];
      sortRow(outColumn, outValue, first, last);
      for (let e = first; e < last; e++) if (outColumn[e] === c) outDiagonal[c] = e;
    }
  },
);

/** `r` is the transpose of `p`. */
export function buildGalerkin(
  threads: Threads,
  scope: HeapScope,
  a: CsrMatrix,
  p: Weights,
  r: Weights,
): CsrMatrix {
  const coarseCount = p.columnCount;
  const grain = Math.max(LEAST_GRAIN, Math.ceil(coarseCount / CHUNKS));
  const lists: Lists = [
    ...([r.rowStart, r.column, r.value] as const),
    ...([a.rowStart, a.column, a.value] as const),
    ...([p.rowStart, p.column, p.value] as const),
  ];
  const rowStart = scope.i32(coarseCount + 1);
  threads.run(countTask, coarseCount, grain, coarseCount, rowStart, ...lists);
  for (let c = 0; c < coarseCount; c++) rowStart[c + 1] += rowStart[c];
  const column = scope.i32(rowStart[coarseCount]);
  const diagonal = scope.i32(coarseCount);
  const value = scope.f64(rowStart[coarseCount]);
  threads.run(fillTask, coarseCount, grain, coarseCount, rowStart, column, diagonal, value, ...lists);
  return { rowCount: coarseCount, rowStart, column, diagonal, value };
}
