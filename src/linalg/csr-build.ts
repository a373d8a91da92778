/**
 * Matrices assembled from elements that couple a few unknowns each (the 4 faces or 4 vertices of a
 * tetrahedron, the 2 cells at a face). Built once per mesh: the pattern, and for each entry of each element
 * matrix its place in it. Values are then *gathered*: each row adds up the contributions of its elements in a
 * fixed order, so rows are independent, threads need no locks, and the sum has the same bits always. No maps:
 * a row collects its columns in a short sorted list.
 *
 * Cost: O(elements k^2) time with small rows; 4 k^2 bytes per element for `elementToEntry`.
 */
import { RunError } from '../core/errors.ts';
import type { HeapScope } from '../core/heap.ts';
import { defineTask, type Threads } from '../core/threads/task.ts';
import { NONE } from '../core/types.ts';
import type { CsrMatrix } from './csr.ts';

/** How elements write into a matrix. */
export interface Assembly {
  readonly elementCount: number;
  /** Unknowns per element, k. */
  readonly elementSize: number;
  /** (rowCount + 1) first slot of each row in `rowToSlot` */
  readonly slotStart: Int32Array;
  /** For each row its places e k + a in the elements' lists, ascending */
  readonly rowToSlot: Int32Array;
  /**
   * (elementCount x k x k) entry of the matrix for each entry of the element matrix, NONE where not both are
   * unknowns
   */
  readonly elementToEntry: Int32Array;
}

const ROW_GRAIN = 1024;

/** Sorted columns of row i, its diagonal included, into `list`; returns how many. */
function collectColumns(
  i: number,
  slotStart: Int32Array,
  rowToSlot: Int32Array,
  elementUnknown: Int32Array,
  k: number,
  list: Int32Array,
): number {
  let length = 1;
  list[0] = i;
  for (let s = slotStart[i]; s < slotStart[i + 1]; s++) {
    const slot = rowToSlot[s];
    const first = slot - (slot % k);
    for (let b = 0; b < k; b++) {
      const j = elementUnknown[first + b];
      if (j === NONE) continue;
      let at = length;
      while (at > 0 && list[at - 1] > j) at--;
      if (at > 0 && list[at - 1] === j) continue;
      for (let m = length; m > at; m--) list[m] = list[m - 1];
      list[at] = j;
      length++;
    }
  }
  return length;
}

/** Room for the longest possible list among the rows [begin, end). */
function createList(begin: number, end: number, slotStart: Int32Array, k: number): Int32Array {
  let most = 0;
  for (let i = begin; i < end; i++) most = Math.max(most, slotStart[i + 1] - slotStart[i]);
  return new Int32Array(most * k + 1);
}

/** The elements of k unknowns each, and which of them have a row. */
const patternColumns = { k: 'number', slotStart: 'i32', rowToSlot: 'i32', elementUnknown: 'i32' } as const;

const countTask = defineTask(
  'linalg/count-row-entries',
  { ...patternColumns, length: 'i32' },
  (begin, end, { k, slotStart, rowToSlot, elementUnknown, length }) => {
    const list = createList(begin, end, slotStart, k);
    for (let i = begin; i < end; i++)
      length[i + 1] = collectColumns(i, slotStart, rowToSlot, elementUnknown, k, list);
  },
);

const placeTask = defineTask(
  'linalg/place-row-entries',
  { ...patternColumns, rowStart: 'i32', column: 'i32', diagonal: 'i32', elementToEntry: 'i32' },
  (begin, end, values) => {
    const { k, slotStart, rowToSlot, elementUnknown, rowStart, column, diagonal, elementToEntry } = values;
    const list = createList(begin, end, slotStart, k);
    for (let i = begin; i < end; i++) {
      const length = collectColumns(i, slotStart, rowToSlot, elementUnknown, k, list);
      const from = rowStart[i];
      for (let m = 0; m < length; m++) {
        column[from + m] = list[m];
        if (list[m] === i) diagonal[i] = from + m;
      }
      for (let s = slotStart[i]; s < slotStart[i + 1]; s++) {
        const slot = rowToSlot[s];
        const first = slot - (slot % k);
        for (let b = 0; b < k; b++) {
          const j = elementUnknown[first + b];
          let m = 0;
          if (j !== NONE) while (list[m] !== j) m++;
          elementToEntry[slot * k + b] = j === NONE ? NONE : from + m;
        }
      }
    }
  },
);

const gatherTask = defineTask(
  'linalg/gather-elements',
  {
    k: 'number',
    slotStart: 'i32',
    rowToSlot: 'i32',
    elementToEntry: 'i32',
    elementMatrix: 'f64',
    rowStart: 'i32',
    value: 'f64',
  },
  (begin, end, { k, slotStart, rowToSlot, elementToEntry, elementMatrix, rowStart, value }) => {
    for (let j = rowStart[begin]; j < rowStart[end]; j++) value[j] = 0;
    for (let s = slotStart[begin]; s < slotStart[end]; s++) {
      const from = rowToSlot[s] * k;
      for (let at = from; at < from + k; at++) {
        const entry = elementToEntry[at];
        if (entry !== NONE) value[entry] += elementMatrix[at];
      }
    }
  },
);

/** Which slots belong to each row: a counting sort of the elements' lists. */
function buildRowToSlot(scope: HeapScope, rowCount: number, elementUnknown: Int32Array) {
  const slotStart = scope.i32(rowCount + 1);
  for (let slot = 0; slot < elementUnknown.length; slot++) {
    const i = elementUnknown[slot];
    if (i < NONE || i >= rowCount)
      throw new RunError(
        'matrix assembly',
        `unknown ${i} at place ${slot} of the element lists`,
        `use NONE or 0 to ${rowCount - 1}`,
      );
    if (i !== NONE) slotStart[i + 1]++;
  }
  for (let i = 0; i < rowCount; i++) slotStart[i + 1] += slotStart[i];
  const rowToSlot = scope.i32(slotStart[rowCount]);
  // Fill from the back so that slotStart[i] moves down to the row's first slot and slots ascend.
  const next = new Int32Array(slotStart.subarray(1));
  for (let slot = elementUnknown.length - 1; slot >= 0; slot--) {
    const i = elementUnknown[slot];
    if (i !== NONE) rowToSlot[--next[i]] = slot;
  }
  return { slotStart, rowToSlot };
}

/** Which entries a matrix has: a CsrMatrix without its values. */
export type Pattern = Omit<CsrMatrix, 'value'>;

/**
 * The pattern of the given elements, and the way to fill it.
 * elementUnknown: (elementCount x elementSize), NONE for a place that is no unknown (a known boundary value).
 */
export function buildPattern(
  threads: Threads,
  scope: HeapScope,
  rowCount: number,
  elementUnknown: Int32Array,
  elementSize: number,
): { pattern: Pattern; assembly: Assembly } {
  if (elementUnknown.length % elementSize !== 0)
    throw new RunError(
      'matrix assembly',
      `${elementUnknown.length} places do not divide into elements of ${elementSize}`,
      'pass elementCount x elementSize unknowns',
    );
  const k = elementSize;
  const { slotStart, rowToSlot } = buildRowToSlot(scope, rowCount, elementUnknown);
  const rowStart = scope.i32(rowCount + 1);
  const slots = { k, slotStart, rowToSlot, elementUnknown };
  threads.run(countTask, rowCount, ROW_GRAIN, { ...slots, length: rowStart });
  for (let i = 0; i < rowCount; i++) rowStart[i + 1] += rowStart[i];

  const column = scope.i32(rowStart[rowCount]);
  const diagonal = scope.i32(rowCount);
  const elementToEntry = scope.i32(elementUnknown.length * k).fill(NONE);
  threads.run(placeTask, rowCount, ROW_GRAIN, { ...slots, rowStart, column, diagonal, elementToEntry });
  const elementCount = elementUnknown.length / k;
  return {
    pattern: { rowCount, rowStart, column, diagonal },
    assembly: { elementCount, elementSize, slotStart, rowToSlot, elementToEntry },
  };
}

/** The zero matrix with the pattern of the given elements, and the way to fill it: see buildPattern. */
export function buildCsr(
  threads: Threads,
  scope: HeapScope,
  rowCount: number,
  elementUnknown: Int32Array,
  elementSize: number,
): { matrix: CsrMatrix; assembly: Assembly } {
  const { pattern, assembly } = buildPattern(threads, scope, rowCount, elementUnknown, elementSize);
  return { matrix: { ...pattern, value: scope.f64(pattern.column.length) }, assembly };
}

/**
 * Sets the matrix to the sum of its elements.
 * elementMatrix: (elementCount x k x k); entries of places that are no unknowns are not read.
 */
export function assemble(
  threads: Threads,
  assembly: Assembly,
  elementMatrix: Float64Array,
  outMatrix: CsrMatrix,
): void {
  const { elementSize, slotStart, rowToSlot, elementToEntry } = assembly;
  const { rowCount, rowStart, value } = outMatrix;
  const slots = { k: elementSize, slotStart, rowToSlot, elementToEntry };
  threads.run(gatherTask, rowCount, ROW_GRAIN, { ...slots, elementMatrix, rowStart, value });
}
