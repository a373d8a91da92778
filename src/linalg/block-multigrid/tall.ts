/**
 * Prolongations between levels of blocks: rows of (blockSize x modeCount) blocks in compressed form, each
 * block row by row, and the products A P and P^T A P. Everything is gathered row by row: threads need no
 * locks, and bits do not depend on them.
 */
import type { HeapScope } from '../../core/heap.ts';
import { type Columns, omitColumns, type Values } from '../../core/records.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { BlockCsrMatrix } from '../block/block-csr.ts';
import { sortByColumns } from '../sort-columns.ts';
import { tallGalerkin, tallProduct, tallProlong, tallRestrict } from './tall-kernels.ts';

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
const TABLES = { chunks: 32, leastGrain: 64 };
const GRAIN = 512;

const chooseGrain = (rowCount: number) => Math.max(TABLES.leastGrain, Math.ceil(rowCount / TABLES.chunks));

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
  'linalg/unite-columns',
  {
    ...{ columnCount: 'number', memberStart: 'i32', memberRow: 'i32', listStart: 'i32', list: 'i32' },
    ...{ keep: 'i32', outCount: 'i32', outColumn: 'i32' },
  },
  (begin, end, values) => {
    const { columnCount, memberStart, memberRow, listStart, list, keep, outCount, outColumn } = values;
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

type Lists = Omit<Parameters<typeof uniteTask.body>[2], 'outCount' | 'outColumn'>;

/** Rows and columns of a product, by its factors' patterns. */
function buildProductPattern(
  threads: Threads,
  scope: HeapScope,
  rowCount: number,
  lists: Lists,
): { rowStart: Int32Array; column: Int32Array } {
  const rowStart = scope.i32(rowCount + 1);
  const grain = chooseGrain(rowCount);
  threads.run(uniteTask, rowCount, grain, { ...lists, outCount: rowStart, outColumn: scope.i32(0) });
  for (let i = 0; i < rowCount; i++) rowStart[i + 1] += rowStart[i];
  const column = scope.i32(rowStart[rowCount]);
  if (column.length > 0)
    threads.run(uniteTask, rowCount, grain, { ...lists, outCount: rowStart, outColumn: column });
  return { rowStart, column };
}

/** A table of `tableSize` for each chunk of `grain` rows. */
const tableColumns = { grain: 'number', tableSize: 'number', tables: 'i32' } as const;

/** A kernel that marks places in a table, with one of its own for each chunk. */
const defineTableTask = <C extends Columns & { readonly place: 'i32' }>(
  name: string,
  kernel: ((begin: number, end: number, values: Values<C>) => unknown) & { readonly columns: C },
) =>
  defineTask(name, { ...tableColumns, ...omitColumns(kernel.columns, 'place') }, (begin, end, values) => {
    const { grain, tableSize, tables } = values as Values<typeof tableColumns>;
    const place = tables.subarray((begin / grain) * tableSize, (begin / grain + 1) * tableSize);
    kernel(begin, end, { ...values, place } as unknown as Values<C>);
  });

const productTask = defineTableTask('linalg/compute-tall-product', tallProduct);
const galerkinTask = defineTableTask('linalg/compute-tall-galerkin', tallGalerkin);

/** A P, without the rows that have no entry in P: no coarse row reads them. */
export function multiplyTall(
  threads: Threads,
  scope: HeapScope,
  setUp: HeapScope,
  a: BlockCsrMatrix,
  p: TallMatrix,
): TallMatrix {
  const { rowCount, columnCount, blockSize, modeCount } = p;
  const { rowStart, column } = buildProductPattern(threads, scope, rowCount, {
    columnCount,
    ...{ memberStart: a.rowStart, memberRow: a.column, listStart: p.rowStart, list: p.column },
    keep: p.rowStart,
  });
  const value = scope.f64(column.length * blockSize * modeCount);
  const grain = chooseGrain(rowCount);
  const tables = setUp.i32(Math.ceil(rowCount / grain) * columnCount);
  threads.run(productTask, rowCount, grain, {
    ...{ grain, tableSize: columnCount, tables, size: blockSize, modes: modeCount },
    ...{ rowStart: a.rowStart, column: a.column, value: a.value },
    ...{ tallStart: p.rowStart, tallColumn: p.column, tallValue: p.value },
    ...{ outStart: rowStart, outColumn: column, outValue: value },
  });
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
  const { rowStart, column } = buildProductPattern(threads, scope, rowCount, {
    columnCount: rowCount,
    ...{ memberStart: start, memberRow: row, listStart: ap.rowStart, list: ap.column },
    keep: start,
  });
  const value = scope.f64(column.length * modeCount * modeCount);
  const grain = chooseGrain(rowCount);
  const tables = setUp.i32(Math.ceil(rowCount / grain) * rowCount);
  threads.run(galerkinTask, rowCount, grain, {
    ...{ grain, tableSize: rowCount, tables, size: blockSize, modes: modeCount },
    ...{ start, row, entry, tallValue: p.value },
    ...{ rightStart: ap.rowStart, rightColumn: ap.column, rightValue: ap.value },
    ...{ outStart: rowStart, outColumn: column, outValue: value },
  });
  const diagonal = scope.i32(rowCount);
  for (let i = 0; i < rowCount; i++)
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) if (column[j] === i) diagonal[i] = j;
  return { blockSize: modeCount, rowCount, rowStart, column, diagonal, value };
}

/** The entries by coarse rows: a counting sort. */
export function transposeTall(scope: HeapScope, p: TallMatrix): Transpose {
  const { rowCount, columnCount } = p;
  const entries = p.column.length;
  const start = scope.i32(columnCount + 1);
  const row = scope.i32(entries);
  const entry = scope.i32(entries);
  sortByColumns(p, rowCount, start, (at, i, j) => {
    row[at] = i;
    entry[at] = j;
  });
  return { start, row, entry };
}

const restrictTask = defineTask('linalg/tall-restrict', tallRestrict);
const prolongTask = defineTask('linalg/tall-prolong', tallProlong);

/** out = P^T fine */
export function restrictBlocks(
  threads: Threads,
  p: TallMatrix,
  { start, row, entry }: Transpose,
  fine: Float64Array,
  outCoarse: Float64Array,
): void {
  const { columnCount, blockSize: size, modeCount: modes, value } = p;
  const grain = Math.max(1, GRAIN >> 3);
  const lists = { start, row, entry, value, x: fine, out: outCoarse };
  threads.run(restrictTask, columnCount, grain, { size, modes, ...lists });
}

/** x += P coarse */
export function prolongBlocks(
  threads: Threads,
  p: TallMatrix,
  coarse: Float64Array,
  outX: Float64Array,
): void {
  const { rowCount, blockSize: size, modeCount: modes, rowStart, column, value } = p;
  threads.run(prolongTask, rowCount, GRAIN, { size, modes, rowStart, column, value, e: coarse, x: outX });
}
