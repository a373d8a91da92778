/**
 * A matrix laid out for Gauss-Seidel sweeps on many threads, in single precision.
 *
 * The rows are cut into contiguous blocks that depend on the number of rows alone. Within a block sweeps are
 * sequential; couplings between blocks are lagged, as in Jacobi's method ("hybrid" Gauss-Seidel, Baker et al.
 * 2011), so that blocks run side by side and the result has the same bits on any number of threads. Block
 * rows keep their strict lower and upper triangles apart: a first sweep from zero reads only the lower one
 * and the residual after it only the upper one.
 *
 * Lagging could make a sweep diverge where a row's couplings lie mostly outside its block. A sweep converges
 * in the energy norm, and forward and backward sweep together are a symmetric positive definite
 * preconditioner, if M + M^T - A is positive definite, M being the block triangles. With a surplus e on the
 * diagonal of M that is so by Gershgorin where
 *     d + 2 e > sum of |couplings to other blocks|,
 * hence e = max(0, (that sum - 3/4 d) / 2): zero in nearly all rows.
 *
 * Entries below a hundred-millionth of the diagonal are left out: the lattice's right angles make a third of
 * them so. Memory: 8 bytes per entry, 12 per row.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type Values, type ValuesOf } from '../../core/records.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { CsrMatrix } from '../csr.ts';
import { chooseParts } from '../sweep-parts.ts';
import { splitColumns } from './sweep-kernels.ts';

export interface SplitMatrix {
  readonly rowCount: number;
  readonly blockCount: number;
  /** (blockCount + 1) first row of each block */
  readonly blockStart: Int32Array;
  /** Strict triangles of the blocks, and 1 / (diagonal + surplus) */
  readonly triangles: Values<typeof splitColumns>;
  /** (blockCount + 1) where each block's outer rows begin */
  readonly outerBlockStart: Int32Array;
  readonly outer: ValuesOf<typeof outerRecord>;
}

/** Rows with couplings to other blocks, ascending. */
export const outerRecord = defineRecord('lagged couplings', {
  row: { type: 'i32', per: 'outer row', meaning: 'number of the row' },
  start: { type: 'i32', meaning: '(outer rows + 1) where its couplings to other blocks begin' },
  column: { type: 'i32', per: 'coupling', meaning: 'row at the other end' },
  value: { type: 'f32', per: 'coupling', meaning: 'entry' },
  surplus: { type: 'f32', per: 'outer row', meaning: 'what is added to the diagonal' },
  right: { type: 'f32', per: 'outer row', meaning: 'right-hand side less what is lagged; written by sweeps' },
});

/** Entries below this part of the diagonal are rounding errors in single precision. */
const NEGLIGIBLE = 1e-8;
/**
 * Share of the diagonal that lagged couplings may reach without a surplus; below 1 for positive definiteness.
 */
const LAGGED_SHARE = 0.75;
/** Fewer rows are not worth a fork; a slab of some layers of a compact mesh has small faces. */
const BLOCK = { rows: 2048, layers: 2 };

export const chooseSweepBlocks = (rowCount: number): number =>
  chooseParts(rowCount, BLOCK.rows, BLOCK.layers);

/** Entries of each block: lower, upper, outer rows, outer entries. */
const countTask = defineTask(
  'linalg/count-split',
  { blockStart: 'i32', rowStart: 'i32', column: 'i32', diagonal: 'i32', value: 'f64', count: 'i32' },
  (begin, end, { blockStart, rowStart, column, diagonal, value, count }) => {
    for (let block = begin; block < end; block++) {
      const first = blockStart[block];
      const last = blockStart[block + 1];
      let lower = 0;
      let upper = 0;
      let outerRows = 0;
      let outer = 0;
      for (let i = first; i < last; i++) {
        const least = NEGLIGIBLE * value[diagonal[i]];
        const before = outer;
        for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
          const k = column[j];
          if (k === i || Math.abs(value[j]) <= least) continue;
          if (k < first || k >= last) outer++;
          else if (k < i) lower++;
          else upper++;
        }
        if (outer > before) outerRows++;
      }
      count[4 * block] = lower;
      count[4 * block + 1] = upper;
      count[4 * block + 2] = outerRows;
      count[4 * block + 3] = outer;
    }
  },
);

/** Fills the lists of each block from where `place` says they begin. */
const fillTask = defineTask(
  'linalg/fill-split',
  {
    ...{ blockStart: 'i32', place: 'i32', rowStart: 'i32', column: 'i32', diagonal: 'i32', value: 'f64' },
    ...splitColumns,
    outer: outerRecord,
  },
  (begin, end, values) => {
    const { blockStart, place, rowStart, column, diagonal, value } = values;
    const { lowerStart, lowerColumn, lowerValue, upperStart, upperColumn, upperValue, inverse } = values;
    const { row, start, column: outerColumn, value: outerValue, surplus: outerSurplus } = values.outer;
    for (let block = begin; block < end; block++) {
      const first = blockStart[block];
      const last = blockStart[block + 1];
      let lower = place[4 * block];
      let upper = place[4 * block + 1];
      let n = place[4 * block + 2];
      let outer = place[4 * block + 3];
      for (let i = first; i < last; i++) {
        const d = value[diagonal[i]];
        const least = NEGLIGIBLE * d;
        const outerBefore = outer;
        let lagged = 0;
        for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
          const k = column[j];
          const size = Math.abs(value[j]);
          if (k === i || size <= least) continue;
          if (k < first || k >= last) {
            outerColumn[outer] = k;
            outerValue[outer++] = value[j];
            lagged += size;
          } else if (k < i) {
            lowerColumn[lower] = k;
            lowerValue[lower++] = value[j];
          } else {
            upperColumn[upper] = k;
            upperValue[upper++] = value[j];
          }
        }
        lowerStart[i + 1] = lower;
        upperStart[i + 1] = upper;
        const surplus = Math.max(0, 0.5 * (lagged - LAGGED_SHARE * d));
        inverse[i] = 1 / (d + surplus);
        if (outer === outerBefore) continue;
        row[n] = i;
        outerSurplus[n] = surplus;
        start[++n] = outer;
      }
    }
  },
);

export function buildSplitMatrix(
  threads: Threads,
  scope: HeapScope,
  a: CsrMatrix,
  blockCount = chooseSweepBlocks(a.rowCount),
): SplitMatrix {
  const { rowCount, rowStart, column, diagonal, value } = a;
  const blockStart = scope.i32(blockCount + 1);
  for (let block = 0; block <= blockCount; block++)
    blockStart[block] = Math.floor((rowCount * block) / blockCount);
  const place = scope.i32(4 * (blockCount + 1));
  const source = { blockStart, rowStart, column, diagonal, value };
  threads.run(countTask, blockCount, 1, { ...source, count: place });
  const total = [0, 0, 0, 0];
  for (let block = 0; block <= blockCount; block++)
    for (let list = 0; list < 4; list++) {
      const count = place[4 * block + list];
      place[4 * block + list] = total[list];
      total[list] += count;
    }
  const [lowerCount, upperCount, outerRows, outerCount] = total;
  const triangles = {
    lowerStart: scope.i32(rowCount + 1),
    lowerColumn: scope.i32(lowerCount),
    lowerValue: scope.f32(lowerCount),
    upperStart: scope.i32(rowCount + 1),
    upperColumn: scope.i32(upperCount),
    upperValue: scope.f32(upperCount),
    inverse: scope.f32(rowCount),
  };
  const outer = {
    row: scope.i32(outerRows),
    start: scope.i32(outerRows + 1),
    column: scope.i32(outerCount),
    value: scope.f32(outerCount),
    surplus: scope.f32(outerRows),
    right: scope.f32(outerRows),
  };
  threads.run(fillTask, blockCount, 1, { ...source, place, ...triangles, outer });
  const outerBlockStart = scope.i32(blockCount + 1);
  for (let block = 0; block <= blockCount; block++) outerBlockStart[block] = place[4 * block + 2];
  return {
    rowCount,
    blockCount,
    blockStart,
    triangles,
    outerBlockStart,
    outer,
  };
}
