/**
 * The greedy choice of coarse variables of [chentanez-2007] 3.5 and the simple-average prolongation that goes
 * with it.
 *
 *     1. count each variable's neighbours (its entries) 2. label a first one coarse
 *     3. label its neighbours fine                      4. their unlabelled neighbours count one less
 *     5. of the unlabelled ones next to a fine one, label that with the largest count coarse; again from 3
 *
 * The first variable, "at random" in the paper, is the lowest unlabelled one, also wherever a piece of liquid
 * is used up. Counts are kept in buckets, so that all is linear in the entries. A variable without neighbours
 * has nothing to interpolate from or to: relaxation solves it exactly, and it leaves the hierarchy (thousands
 * of droplets would never coarsen else).
 */
import type { HeapScope } from '../../core/heap.ts';
import type { CsrMatrix } from '../csr.ts';
import type { Weights } from './transfer.ts';

export const UNLABELLED = 0;
export const COARSE = 1;
export const FINE = 2;
/** No neighbours. */
export const ALONE = 3;

/**
 * Unlabelled variables next to fine ones in buckets by count; entries whose count has changed since are
 * skipped.
 */
class Buckets {
  private readonly head: Int32Array;
  private next = new Int32Array(1024);
  private variable = new Int32Array(1024);
  private size = 0;
  private top = -1;

  constructor(largest: number) {
    this.head = new Int32Array(largest + 1).fill(-1);
  }

  push(i: number, count: number): void {
    if (this.size === this.next.length) {
      const [next, variable] = [this.next, this.variable];
      this.next = new Int32Array(2 * this.size);
      this.variable = new Int32Array(2 * this.size);
      this.next.set(next);
      this.variable.set(variable);
    }
    this.variable[this.size] = i;
    this.next[this.size] = this.head[count];
    this.head[count] = this.size++;
    if (count > this.top) this.top = count;
  }

  /** The unlabelled variable with the largest count, or -1. */
  pop(label: Uint8Array, counter: Int32Array): number {
    for (; this.top >= 0; this.top--) {
      for (let at = this.head[this.top]; at >= 0; at = this.next[at]) {
        const i = this.variable[at];
        this.head[this.top] = this.next[at];
        if (label[i] === UNLABELLED && counter[i] === this.top) return i;
      }
    }
    this.size = 0; // all lists are empty: the room can be used again
    return -1;
  }
}

/** Labels every variable COARSE, FINE or ALONE; a FINE one has a COARSE neighbour. */
export function labelVariables(a: CsrMatrix): Uint8Array {
  const { rowCount, rowStart, column } = a;
  const label = new Uint8Array(rowCount);
  const counter = new Int32Array(rowCount);
  let largest = 0;
  for (let i = 0; i < rowCount; i++) {
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) if (column[j] !== i) counter[i]++;
    if (counter[i] === 0) label[i] = ALONE;
    largest = Math.max(largest, counter[i]);
  }
  const buckets = new Buckets(largest);
  const newFine = new Int32Array(largest);
  for (let first = 0; first < rowCount; ) {
    let chosen = buckets.pop(label, counter);
    if (chosen < 0) {
      while (first < rowCount && label[first] !== UNLABELLED) first++;
      if (first === rowCount) break;
      chosen = first;
    }
    label[chosen] = COARSE;
    let fineCount = 0;
    for (let j = rowStart[chosen]; j < rowStart[chosen + 1]; j++) {
      const k = column[j];
      if (label[k] !== UNLABELLED) continue;
      label[k] = FINE;
      newFine[fineCount++] = k;
    }
    for (let n = 0; n < fineCount; n++) {
      const k = newFine[n];
      for (let j = rowStart[k]; j < rowStart[k + 1]; j++) {
        const m = column[j];
        if (label[m] !== UNLABELLED) continue;
        counter[m] = Math.max(0, counter[m] - 1);
        buckets.push(m, counter[m]);
      }
    }
  }
  return label;
}

/**
 * A fine variable is the average of its coarse neighbours, a coarse one itself; one that is alone is nothing.
 */
export function buildAverages(scope: HeapScope, a: CsrMatrix, label: Uint8Array): Weights {
  const { rowCount, column } = a;
  const coarseOf = new Int32Array(rowCount);
  const rowStart = scope.i32(rowCount + 1);
  let columnCount = 0;
  for (let i = 0; i < rowCount; i++) {
    coarseOf[i] = columnCount;
    let count = 0;
    if (label[i] === COARSE) {
      columnCount++;
      count = 1;
    } else if (label[i] === FINE) {
      for (let j = a.rowStart[i]; j < a.rowStart[i + 1]; j++) if (label[column[j]] === COARSE) count++;
    }
    rowStart[i + 1] = rowStart[i] + count;
  }
  const coarse = scope.i32(rowStart[rowCount]);
  const value = scope.f32(rowStart[rowCount]);
  for (let i = 0; i < rowCount; i++) {
    let at = rowStart[i];
    const weight = 1 / (rowStart[i + 1] - at);
    if (label[i] === COARSE) {
      coarse[at] = coarseOf[i];
      value[at] = 1;
    } else if (label[i] === FINE) {
      for (let j = a.rowStart[i]; j < a.rowStart[i + 1]; j++)
        if (label[column[j]] === COARSE) {
          coarse[at] = coarseOf[column[j]];
          value[at++] = weight;
        }
    }
  }
  return { rowCount, columnCount, rowStart, column: coarse, value };
}
