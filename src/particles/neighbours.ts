/**
 * Who is near: particles of any sizes, found by grids of cells that double from level to level. A particle is in the grid whose cells are
 * the least that are no smaller than 4 of its radii. Cells are found by hashing; they and their members are numbered in the order of the
 * particles, so answers come in the same order on any thread. Cost: linear to build; a query looks at the cells that its reach covers.
 */
import type { HeapScope } from '../core/heap.ts';
import { defineRecord, type ValuesOf } from '../core/records.ts';
import { NONE } from '../core/types.ts';

export const neighboursRecord = defineRecord('neighbours', {
  x: 'number',
  y: 'number',
  z: 'number',
  /** Least radius, m */
  least: 'number',
  levels: 'number',
  /** Slots of the hash less one: a power of two less one. */
  mask: 'number',
  slot: 'i32',
  /** (cells x 4) level and place */
  cell: 'i32',
  start: 'i32',
  member: 'i32',
  /** Members of each level: empty ones are not asked. */
  inLevel: 'i32',
});

export type Neighbours = ValuesOf<typeof neighboursRecord>;

/** Edge of a cell of level 0, least radii. */
const CELL = 4;
const MOST_LEVELS = 24;

const mix = (level: number, i: number, j: number, k: number): number => {
  let h =
    Math.imul(i, 0x9e3779b1) ^
    Math.imul(j, 0x85ebca6b) ^
    Math.imul(k, 0xc2b2ae35) ^
    Math.imul(level, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
};

/** `isMember`: which particles can be found; all where it is empty. */
export function buildNeighbours(
  position: Float64Array,
  radius: Float64Array,
  isMember: Uint8Array,
  scope: HeapScope,
): Neighbours {
  const count = radius.length;
  let least = Number.POSITIVE_INFINITY;
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let p = 0; p < count; p++) {
    least = Math.min(least, radius[p]);
    for (let k = 0; k < 3; k++) low[k] = Math.min(low[k], position[3 * p + k]);
  }
  if (count === 0) least = 1;
  let slots = 16;
  while (slots < 2 * count) slots *= 2;
  const mask = slots - 1;
  const slot = scope.i32(slots).fill(NONE);
  const cells = new Int32Array(4 * Math.max(1, count));
  const cellOf = new Int32Array(count).fill(NONE);
  const counts = new Int32Array(count + 1);
  const inLevel = scope.i32(MOST_LEVELS);
  let cellCount = 0;
  let levels = 0;
  for (let p = 0; p < count; p++) {
    if (isMember.length > 0 && isMember[p] === 0) continue;
    let level = 0;
    while (level < MOST_LEVELS - 1 && least * 2 ** level < radius[p] * (1 - 1e-12)) level++;
    levels = Math.max(levels, level + 1);
    inLevel[level]++;
    const per = 1 / (CELL * least * 2 ** level);
    const i = Math.floor((position[3 * p] - low[0]) * per);
    const j = Math.floor((position[3 * p + 1] - low[1]) * per);
    const k = Math.floor((position[3 * p + 2] - low[2]) * per);
    let s = mix(level, i, j, k) & mask;
    while (
      slot[s] !== NONE &&
      !(
        cells[4 * slot[s]] === level &&
        cells[4 * slot[s] + 1] === i &&
        cells[4 * slot[s] + 2] === j &&
        cells[4 * slot[s] + 3] === k
      )
    )
      s = (s + 1) & mask;
    if (slot[s] === NONE) {
      slot[s] = cellCount;
      cells[4 * cellCount] = level;
      cells[4 * cellCount + 1] = i;
      cells[4 * cellCount + 2] = j;
      cells[4 * cellCount + 3] = k;
      cellCount++;
    }
    cellOf[p] = slot[s];
    counts[slot[s]]++;
  }
  const cell = scope.i32(4 * cellCount);
  cell.set(cells.subarray(0, 4 * cellCount));
  const start = scope.i32(cellCount + 1);
  for (let c = 0; c < cellCount; c++) start[c + 1] = start[c] + counts[c];
  const member = scope.i32(start[cellCount]);
  counts.fill(0);
  for (let p = 0; p < count; p++) if (cellOf[p] !== NONE) member[start[cellOf[p]] + counts[cellOf[p]]++] = p;
  return { x: low[0], y: low[1], z: low[2], least, levels, mask, slot, cell, start, member, inLevel };
}

/** Asks for neighbours; lives within one chunk of a task. */
export class NeighbourQuery {
  /** The answer of the last question: particles in `found[0, count)`. */
  found = new Int32Array(256);
  count = 0;
  constructor(private readonly index: Neighbours) {}

  /** Particles whose cells come within reach + perRadius times (at least) their own radius of a point: candidates, to be measured by the caller. */
  ask(x: number, y: number, z: number, reach: number, perRadius: number): number {
    const { index } = this;
    const { levels, least, inLevel } = index;
    this.count = 0;
    for (let level = 0; level < levels; level++) {
      if (inLevel[level] === 0) continue;
      const radius = least * 2 ** level;
      const edge = CELL * radius;
      const far = reach + perRadius * radius;
      const i0 = Math.floor((x - far - index.x) / edge);
      const i1 = Math.floor((x + far - index.x) / edge);
      const j0 = Math.floor((y - far - index.y) / edge);
      const j1 = Math.floor((y + far - index.y) / edge);
      const k0 = Math.floor((z - far - index.z) / edge);
      const k1 = Math.floor((z + far - index.z) / edge);
      for (let k = k0; k <= k1; k++)
        for (let j = j0; j <= j1; j++) for (let i = i0; i <= i1; i++) this.addCell(level, i, j, k);
    }
    return this.count;
  }

  private addCell(level: number, i: number, j: number, k: number): void {
    const { slot, cell, mask, start, member } = this.index;
    let s = mix(level, i, j, k) & mask;
    for (;;) {
      const c = slot[s];
      if (c === NONE) return;
      if (cell[4 * c] === level && cell[4 * c + 1] === i && cell[4 * c + 2] === j && cell[4 * c + 3] === k) {
        const end = start[c + 1];
        if (this.count + end - start[c] > this.found.length) {
          const larger = new Int32Array(2 * (this.count + end - start[c]));
          larger.set(this.found);
          this.found = larger;
        }
        for (let m = start[c]; m < end; m++) this.found[this.count++] = member[m];
        return;
      }
      s = (s + 1) & mask;
    }
  }
}
