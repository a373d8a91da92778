/**
 * Prolongations between levels of blocks: rows of (blockSize x modeCount) blocks in compressed form, each
 * block row by row, and the products A P and P^T A P. Everything is gathered row by row: threads need no
 * locks, and bits do not depend on them.
 */
import type { BlockRows, TransposedRows } from '../../core/block-kernel-types.ts';
import type { HeapScope } from '../../core/heap.ts';
import { kernels } from '../../core/kernels.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { BlockCsrMatrix } from '../block/block-csr.ts';

export interface TallMatrix {
  readonly rowCount: number;
  /** Coarse rows. */
  readonly columnCount: number;
  readonly blockSize: number;
  readonly modeCount: number;
  /** (rowCount + 1) */
  readonly rowStart: Int32Array;
  readonly column: Int32Array;
  /** (entries x blockSize x modeCount) number (r, c) of a block at r modeCount + c */
  readonly value: Float64Array;
}

/** Where the entries of each coarse row are. */
export interface Transpose {
  /** (columnCount + 1) */
  readonly start: Int32Array;
  /** Fine rows of a coarse one, ascending, and their places in the values */
  readonly row: Int32Array;
  readonly entry: Int32Array;
}

/**
 * Each chunk has a table with an entry per coarse row, so there are few: enough for 8 threads to share
 * evenly.
 */
const CHUNKS = 32;
const LEAST_GRAIN = 64;
const GRAIN = 512;

const chooseGrain = (rowCount: number) => Math.max(LEAST_GRAIN, Math.ceil(rowCount / CHUNKS));

/** Insertion sort of list[first..last): rows are short. */
function sortColumns(list: Int32Array, first: number, last: number): void {
  for (let n = first + 1; n < last; n++) {
    const c = list[n];
    let m = n - 1;
    for (; m >= first && list[m] > c; m--) list[m + 1] = list[m];
    list[m + 1] = c;
  }
}

/**
 * Union of the lists of a row's members: columns of out row i are those of the rows `memberRow` of
 * (listStart, list). Counts into outCount[i + 1] while outColumn is empty, and fills in order otherwise, from
 * outCount[i] on. A row without an entry in `keep` has none.
 */
const uniteTask = defineTask(
  'multigrid.uniteColumns',
  (
    begin: number,
    end: number,
    columnCount: number,
    memberStart: Int32Array,
    memberRow: Int32Array,
    ...views: [
      listStart: Int32Array,
      list: Int32Array,
      keep: Int32Array,
      outCount: Int32Array,
      outColumn: Int32Array,
    ]
  ) => {
    const [listStart, list, keep, outCount, outColumn] = views;
    const counts = outColumn.length === 0;
    const seen = new Int32Array(columnCount).fill(-1);
    for (let i = begin; i < end; i++) {
      let at = counts ? 0 : outCount[i];
      const first = at;
      if (keep[i] < keep[i + 1])
        for (let j = memberStart[i]; j < memberStart[i + 1]; j++) {
          const k = memberRow[j];
          for (let m = listStart[k]; m < listStart[k + 1]; m++) {
            const c = list[m];
            if (seen[c] === i) continue;
            seen[c] = i;
            if (!counts) outColumn[at] = c;
            at++;
          }
        }
      if (counts) outCount[i + 1] = at;
      else sortColumns(outColumn, first, at);
    }
  },
);

/** Rows and columns of a product, by its factors' patterns. */
function buildProductPattern(
  threads: Threads,
  scope: HeapScope,
  rowCount: number,
  columnCount: number,
  lists: readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array],
): { rowStart: Int32Array; column: Int32Array } {
  const rowStart = scope.i32(rowCount + 1);
  const grain = chooseGrain(rowCount);
  threads.run(uniteTask, rowCount, grain, columnCount, ...lists, rowStart, scope.i32(0));
  for (let i = 0; i < rowCount; i++) rowStart[i + 1] += rowStart[i];
  const column = scope.i32(rowStart[rowCount]);
  if (column.length > 0) threads.run(uniteTask, rowCount, grain, columnCount, ...lists, rowStart, column);
  return { rowStart, column };
}

const productTask = defineTask(
  'multigrid.tallProduct',
  (
    begin: number,
    end: number,
    size: number,
    modes: number,
    grain: number,
    tableSize: number,
    tables: Int32Array,
    ...views: [...BlockRows, ...BlockRows, ...BlockRows]
  ) => {
    const place = tables.subarray((begin / grain) * tableSize, (begin / grain + 1) * tableSize);
    kernels.tallProduct(begin, end, size, modes, ...views, place);
  },
);

const galerkinTask = defineTask(
  'multigrid.tallGalerkin',
  (
    begin: number,
    end: number,
    size: number,
    modes: number,
    grain: number,
    tableSize: number,
    tables: Int32Array,
    ...views: [...TransposedRows, ...BlockRows, ...BlockRows]
  ) => {
    const place = tables.subarray((begin / grain) * tableSize, (begin / grain + 1) * tableSize);
    kernels.tallGalerkin(begin, end, size, modes, ...views, place);
  },
);

/** A P, without the rows that have no entry in P: no coarse row reads them. */
export function multiplyTall(
  threads: Threads,
  scope: HeapScope,
  setUp: HeapScope,
  a: BlockCsrMatrix,
  p: TallMatrix,
): TallMatrix {
  const { rowCount, columnCount, blockSize, modeCount } = p;
  const lists = [a.rowStart, a.column, p.rowStart, p.column, p.rowStart] as const;
  const { rowStart, column } = buildProductPattern(threads, scope, rowCount, columnCount, lists);
  const value = scope.f64(column.length * blockSize * modeCount);
  const grain = chooseGrain(rowCount);
  const tables = setUp.i32(Math.ceil(rowCount / grain) * columnCount);
  const table = [blockSize, modeCount, grain, columnCount, tables] as const;
  const factors = [a.rowStart, a.column, a.value, p.rowStart, p.column, p.value] as const;
  threads.run(productTask, rowCount, grain, ...table, ...factors, rowStart, column, value);
  return { rowCount, columnCount, blockSize, modeCount, rowStart, column, value };
}

/** The coarse matrix P^T (A P), every row with its diagonal. */
export function buildBlockGalerkin(
  threads: Threads,
  scope: HeapScope,
  setUp: HeapScope,
  p: TallMatrix,
  { start, row, entry }: Transpose,
  ap: TallMatrix,
): BlockCsrMatrix {
  const { columnCount: rowCount, blockSize, modeCount } = p;
  const pattern = [start, row, ap.rowStart, ap.column, start] as const;
  const { rowStart, column } = buildProductPattern(threads, scope, rowCount, rowCount, pattern);
  const value = scope.f64(column.length * modeCount * modeCount);
  const grain = chooseGrain(rowCount);
  const tables = setUp.i32(Math.ceil(rowCount / grain) * rowCount);
  const table = [blockSize, modeCount, grain, rowCount, tables] as const;
  const factors = [start, row, entry, p.value, ap.rowStart, ap.column, ap.value] as const;
  threads.run(galerkinTask, rowCount, grain, ...table, ...factors, rowStart, column, value);
  const diagonal = scope.i32(rowCount);
  for (let i = 0; i < rowCount; i++)
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) if (column[j] === i) diagonal[i] = j;
  return { blockSize: modeCount, rowCount, rowStart, column, diagonal, value };
}

/** The entries by coarse rows: a counting sort. */
export function transposeTall(scope: HeapScope, p: TallMatrix): Transpose {
  const { rowCount, columnCount } = p;
  const start = scope.i32(columnCount + 1);
  const entries = p.column.length;
  for (let j = 0; j < entries; j++) start[p.column[j] + 1]++;
  for (let c = 0; c < columnCount; c++) start[c + 1] += start[c];
  const next = Int32Array.from(start);
  const row = scope.i32(entries);
  const entry = scope.i32(entries);
  for (let i = 0; i < rowCount; i++)
    for (let j = p.rowStart[i]; j < p.rowStart[i + 1]; j++) {
      const at = next[p.column[j]]++;
      row[at] = i;
      entry[at] = j;
    }
  return { start, row, entry };
}

const restrictTask = defineTask('multigrid.tallRestrict', kernels.tallRestrict);
const prolongTask = defineTask('multigrid.tallProlong', kernels.tallProlong);

/** out = P^T fine */
export function restrictBlocks(
  threads: Threads,
  p: TallMatrix,
  { start, row, entry }: Transpose,
  fine: Float64Array,
  outCoarse: Float64Array,
): void {
  const lists = [start, row, entry, p.value] as const;
  const grain = Math.max(1, GRAIN >> 3);
  threads.run(restrictTask, p.columnCount, grain, p.blockSize, p.modeCount, ...lists, fine, outCoarse);
}

/** x += P coarse */
export function prolongBlocks(
  threads: Threads,
  p: TallMatrix,
  coarse: Float64Array,
  outX: Float64Array,
): void {
  const lists = [p.rowStart, p.column, p.value] as const;
  threads.run(prolongTask, p.rowCount, GRAIN, p.blockSize, p.modeCount, ...lists, coarse, outX);
}
