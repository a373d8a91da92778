/**
 * The coarse matrix P^T A P ([chentanez-2007] 3.5), coarse row by coarse row: each sums over the fine rows it
 * touches, their entries, and the prolongation of those. Rows are counted first, then filled, both on all
 * threads; sums run in a fixed order. Cost: about (fine rows per coarse row) x (entries per row) x (entries
 * per row of P) per coarse row, twice.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord } from '../../core/records.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { CsrMatrix } from '../csr.ts';
import { rowColumns } from '../matrix-columns.ts';
import { sortRow } from './rows.ts';
import type { Weights } from './transfer.ts';

/**
 * Each chunk clears a table with an entry per coarse row, so there are few: enough for 8 threads to share
 * evenly.
 */
const CHUNKS = 32;
const LEAST_GRAIN = 256;

const weightsRecord = defineRecord('weights', { rowStart: 'i32', column: 'i32', value: 'f32' });
const matrixRecord = defineRecord('matrix', { ...rowColumns });
/** P^T, A and P. */
const factors = { restriction: weightsRecord, matrix: matrixRecord, prolongation: weightsRecord } as const;

const countTask = defineTask(
  'linalg/count-galerkin',
  { coarseCount: 'number', coarseStart: 'i32', ...factors },
  (begin, end, { coarseCount, coarseStart, restriction, matrix, prolongation }) => {
    const { rowStart: restrictStart, column: restrictColumn } = restriction;
    const { rowStart, column } = matrix;
    const { rowStart: prolongStart, column: prolongColumn } = prolongation;
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
      coarseStart[c + 1] = count;
    }
  },
);

const fillTask = defineTask(
  'linalg/fill-galerkin',
  {
    coarseCount: 'number',
    coarseStart: 'i32',
    ...factors,
    outColumn: 'i32',
    outDiagonal: 'i32',
    outValue: 'f64',
  },
  (begin, end, values) => {
    const { coarseCount, coarseStart, outColumn, outDiagonal, outValue } = values;
    const { rowStart: restrictStart, column: restrictColumn, value: restrictValue } = values.restriction;
    const { rowStart, column, value } = values.matrix;
    const { rowStart: prolongStart, column: prolongColumn, value: prolongValue } = values.prolongation;
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
  const rowStart = scope.i32(coarseCount + 1);
  const rows = { coarseCount, coarseStart: rowStart, restriction: r, matrix: a, prolongation: p };
  threads.run(countTask, coarseCount, grain, rows);
  for (let c = 0; c < coarseCount; c++) rowStart[c + 1] += rowStart[c];
  const column = scope.i32(rowStart[coarseCount]);
  const diagonal = scope.i32(coarseCount);
  const value = scope.f64(rowStart[coarseCount]);
  const out = { outColumn: column, outDiagonal: diagonal, outValue: value };
  threads.run(fillTask, coarseCount, grain, { ...rows, ...out });
  return { rowCount: coarseCount, rowStart, column, diagonal, value };
}
