/**
 * Things in the cells of grids, a grid per level of size, found by hashing. Cells are numbered in the order
 * in which they get their first member, members of a cell ascend: answers come in the same order on any
 * thread. Cost: linear.
 */
import type { HeapScope } from '../core/heap.ts';
import { NONE } from '../core/types.ts';

export interface Cells {
  /** Slots of the hash less one: a power of two less one. */
  readonly mask: number;
  /** (mask + 1) cell, or NONE */
  readonly slot: Int32Array;
  /** (cells x 4) level and place */
  readonly cell: Int32Array;
  /** (cells + 1) first member */
  readonly start: Int32Array;
  readonly member: Int32Array;
}

export const hashCell = (level: number, i: number, j: number, k: number): number => {
  let h =
    Math.imul(i, 0x9e3779b1) ^
    Math.imul(j, 0x85ebca6b) ^
    Math.imul(k, 0xc2b2ae35) ^
    Math.imul(level, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
};

/** The slot that the cell has, or would have. */
function findSlot(
  { mask, slot, cell }: Pick<Cells, 'mask' | 'slot' | 'cell'>,
  level: number,
  i: number,
  j: number,
  k: number,
): number {
  let s = hashCell(level, i, j, k) & mask;
  for (;;) {
    const c = 4 * slot[s];
    if (c < 0 || (cell[c] === level && cell[c + 1] === i && cell[c + 2] === j && cell[c + 3] === k)) return s;
    s = (s + 1) & mask;
  }
}

/** NONE where nothing lies in it. */
export const findCell = (
  cells: Pick<Cells, 'mask' | 'slot' | 'cell'>,
  level: number,
  i: number,
  j: number,
  k: number,
): number => cells.slot[findSlot(cells, level, i, j, k)];

/** Sorts things into cells, one after the other. */
export class CellSorter {
  readonly mask: number;
  readonly slot: Int32Array;
  readonly cell: Int32Array;
  private readonly cellOf: Int32Array;
  private readonly counts: Int32Array;
  private cellCount = 0;

  /** `count`: the most things there will be. */
  constructor(
    count: number,
    private readonly scope: HeapScope,
  ) {
    let slots = 16;
    while (slots < 2 * count) slots *= 2;
    this.mask = slots - 1;
    this.slot = scope.i32(slots).fill(NONE);
    this.cell = new Int32Array(4 * Math.max(1, count));
    this.cellOf = new Int32Array(count).fill(NONE);
    this.counts = new Int32Array(count + 1);
  }

  /** Puts thing p into a cell. */
  add(p: number, level: number, i: number, j: number, k: number): void {
    const { slot, cell, cellCount } = this;
    const s = findSlot(this, level, i, j, k);
    if (slot[s] === NONE) {
      slot[s] = cellCount;
      cell[4 * cellCount] = level;
      cell[4 * cellCount + 1] = i;
      cell[4 * cellCount + 2] = j;
      cell[4 * cellCount + 3] = k;
      this.cellCount++;
    }
    this.cellOf[p] = slot[s];
    this.counts[slot[s]]++;
  }

  finish(): Cells {
    const { scope, mask, slot, cellOf, counts, cellCount } = this;
    const cell = scope.i32(4 * cellCount);
    cell.set(this.cell.subarray(0, 4 * cellCount));
    const start = scope.i32(cellCount + 1);
    for (let c = 0; c < cellCount; c++) start[c + 1] = start[c] + counts[c];
    const member = scope.i32(start[cellCount]);
    counts.fill(0);
    for (let p = 0; p < cellOf.length; p++)
      if (cellOf[p] !== NONE) member[start[cellOf[p]] + counts[cellOf[p]]++] = p;
    return { mask, slot, cell, start, member };
  }
}

/** A list of ids that grows. */
export function makeRoom(found: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= found.length) return found;
  const larger = new Int32Array(2 * length);
  larger.set(found);
  return larger;
}
