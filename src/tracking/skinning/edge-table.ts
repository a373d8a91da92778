/**
 * Edges between vertices of a mesh, each once, numbered in the order in which they come: found by hashing.
 */
import { NONE } from '../../core/types.ts';

export class EdgeTable {
  count = 0;
  /** (count x 2) the lower and the higher vertex */
  vertex: Int32Array;
  private slot: Int32Array;
  private mask: number;

  constructor(expected: number) {
    let slots = 64;
    while (slots < 2 * expected) slots *= 2;
    this.slot = new Int32Array(slots).fill(NONE);
    this.mask = slots - 1;
    this.vertex = new Int32Array(slots);
  }

  /** The edge of two vertices, NONE where it is not in the table. */
  find(v: number, w: number): number {
    return this.slot[this.search(Math.min(v, w), Math.max(v, w))];
  }

  /** The same, put into the table where it is not there yet. */
  add(v: number, w: number): number {
    const low = Math.min(v, w);
    const high = Math.max(v, w);
    const s = this.search(low, high);
    if (this.slot[s] !== NONE) return this.slot[s];
    const e = this.count++;
    this.slot[s] = e;
    this.vertex[2 * e] = low;
    this.vertex[2 * e + 1] = high;
    if (2 * this.count >= this.vertex.length) this.grow();
    return e;
  }

  private search(low: number, high: number): number {
    const { slot, mask, vertex } = this;
    let h = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    let s = (h ^ (h >>> 13)) & mask;
    for (;;) {
      const e = slot[s];
      if (e === NONE || (vertex[2 * e] === low && vertex[2 * e + 1] === high)) return s;
      s = (s + 1) & mask;
    }
  }

  private grow(): void {
    const { vertex } = this;
    this.slot = new Int32Array(2 * this.slot.length).fill(NONE);
    this.mask = this.slot.length - 1;
    this.vertex = new Int32Array(this.slot.length);
    this.vertex.set(vertex.subarray(0, 2 * this.count));
    for (let e = 0; e < this.count; e++) this.slot[this.search(vertex[2 * e], vertex[2 * e + 1])] = e;
  }
}
