/**
 * Numbers the points of a lattice in the order in which they are first asked for: an open hash table, by
 * vertices.
 */

import { doubled } from '../../core/doubled.ts';
import { NONE } from '../../core/types.ts';

export class VertexTable {
  count = 0;
  /** (count x 3) half finest cells */
  place: Int32Array<ArrayBuffer>;
  private table: Int32Array<ArrayBuffer>;
  private mask: number;

  constructor(expected: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1024, 1.5 * expected)));
    this.table = new Int32Array(size).fill(NONE);
    this.mask = size - 1;
    this.place = new Int32Array(3 * Math.max(256, expected));
  }

  find(x: number, y: number, z: number): number {
    const slot = this.slotOf(x, y, z);
    if (this.table[slot] !== NONE) return this.table[slot];
    const v = this.count++;
    if (3 * this.count > this.place.length) this.place = doubled(this.place);
    this.place[3 * v] = x;
    this.place[3 * v + 1] = y;
    this.place[3 * v + 2] = z;
    this.table[slot] = v;
    if (4 * this.count > 3 * this.table.length) this.growTable();
    return v;
  }

  /** Where the point is, or the free place where it belongs. */
  private slotOf(x: number, y: number, z: number): number {
    const { table, place, mask } = this;
    // Multipliers of Teschner et al. 2003, mixed once more so that all bits reach the low ones.
    let hash = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    let slot = (hash ^ (hash >>> 13)) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const v = table[slot];
      if (v === NONE) return slot;
      if (place[3 * v] === x && place[3 * v + 1] === y && place[3 * v + 2] === z) return slot;
    }
  }

  private growTable(): void {
    this.table = new Int32Array(2 * this.table.length).fill(NONE);
    this.mask = this.table.length - 1;
    for (let v = 0; v < this.count; v++)
      this.table[this.slotOf(this.place[3 * v], this.place[3 * v + 1], this.place[3 * v + 2])] = v;
  }
}
