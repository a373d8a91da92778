/**
 * Broad phase: axis-aligned boxes by id in a hashed grid of several levels, updated box by box.
 *
 * A box goes to the finest level on which it is at most four cells long, and into every cell there that it
 * reaches. Levels differ by a factor of four, so boxes of very different sizes do not disturb each other. A
 * query looks at the cells that it reaches on each level in use; where these outnumber the boxes it walks the
 * boxes instead. Setting, moving and removing a box cost O(1), and moving one within its cells writes nothing
 * but the box.
 *
 * What a query finds is in ascending order of ids: it depends neither on the history nor on the cells, so a
 * resumed run finds the same. A box and a query that overlap have a common cell, since both round the same
 * way; stamps see to it that each id is looked at once. Boxes are closed: touching is overlapping.
 *
 * Tried and left: one cell per box and wider queries, which makes queries twice as slow; telling the first
 * common cell by arithmetic instead of stamps, 1.6 times. Cost: bench/geometry/collision.ts.
 */

import { doubled } from '../../core/doubled.ts';
import { RunError } from '../../core/errors.ts';
import { NONE } from '../../core/types.ts';

/**
 * One row of 64 bytes, a cache line, per id: six numbers of the box, least corner first (m), then as integers
 * the first of its entries, its level (NONE while the id is not in the grid), and the stamp of the last query
 * that looked at it.
 */
export const BOX_STRIDE = 8;
const WORDS = 16;
const ENTRY = 12;
const LEVEL = 13;
const STAMP = 14;

/**
 * An entry is an id in a cell, named by its first word's index: id, neighbours in the bucket's list, hash of
 * the cell, next entry of the same id.
 */
const ENTRY_WORDS = 8;
const ID = 0;
const NEXT = 1;
const PREVIOUS = 2;
const HASH = 3;
const SIBLING = 4;

const FIRST_CAPACITY = 64;
/** Cells that a box is long on its level, at most. */
const MOST_CELLS_ALONG = 4;
const LEVEL_FACTOR = 4;
/**
 * The last level has no cells: it takes what is too large, or so far out that its cell numbers would not be
 * exact.
 */
const LEVEL_COUNT = 20;
const NO_CELLS = LEVEL_COUNT - 1;
const FARTHEST_CELL = 2 ** 50;
/** A cell costs a query about as much as this many boxes in a row. */
const BOXES_PER_CELL = 8;
/** Stamps start anew before they leave the 31 bits of a small integer. */
const LAST_STAMP = 2 ** 30;

export class BoxGrid {
  /** (capacity x BOX_STRIDE) The rows; boxes are read only from outside. */
  box = new Float64Array(BOX_STRIDE * FIRST_CAPACITY);
  /** Ids found by the last query, ascending: the first `foundCount` entries. */
  found = new Int32Array(256);
  foundCount = 0;
  /** Boxes in the grid. */
  count = 0;

  /** The same rows as integers. */
  private word = new Int32Array(this.box.buffer);
  private capacity = FIRST_CAPACITY;
  /** Ids below this one may be in the grid. */
  private end = 0;
  private entry = new Int32Array(ENTRY_WORDS * FIRST_CAPACITY);
  private entryEnd = 0;
  private freeEntry = NONE;
  private liveEntries = 0;
  private stamp = 0;
  /** First entry of each list. */
  private bucket = new Int32Array(FIRST_CAPACITY).fill(NONE);
  private readonly levelBoxes = new Int32Array(LEVEL_COUNT);
  /** Cell edge, m, and one over it: powers of two, so that dividing is exact. */
  private readonly levelCell = new Float64Array(LEVEL_COUNT);
  private readonly levelScale = new Float64Array(LEVEL_COUNT);

  /**
   * `finestCell`, m: about twice the usual extent of a small box, such as an edge length; it is rounded to a
   * power of two.
   */
  constructor(finestCell: number) {
    if (!(finestCell > 0 && finestCell < Infinity))
      throw new RunError('box grid', `finest cell ${finestCell} m`, 'pass a positive length');
    const finest = 2 ** Math.round(Math.log2(finestCell));
    for (let level = 0; level < LEVEL_COUNT; level++) {
      this.levelCell[level] = finest * LEVEL_FACTOR ** level;
      this.levelScale[level] = 1 / this.levelCell[level];
    }
  }

  has(id: number): boolean {
    return id < this.end && this.word[WORDS * id + LEVEL] !== NONE;
  }

  /** Puts the box of an id in, or moves it: six numbers from box[offset], least corner first. */
  set(id: number, box: Float64Array, offset = 0): void {
    const x = box[offset];
    const y = box[offset + 1];
    const z = box[offset + 2];
    const X = box[offset + 3];
    const Y = box[offset + 4];
    const Z = box[offset + 5];
    if (!(x <= X && y <= Y && z <= Z && x + y + z > -Infinity && X + Y + Z < Infinity))
      throw new RunError(
        'box grid',
        `box of ${id} from ${x} ${y} ${z} to ${X} ${Y} ${Z}`,
        'pass finite boxes, least corner first',
      );
    if (id >= this.capacity) this.reserve(id + 1);
    const { word } = this;
    for (; this.end <= id; this.end++) word[WORDS * this.end + LEVEL] = NONE;
    const level = this.findLevel(x, y, z, X, Y, Z);
    const old = word[WORDS * id + LEVEL];
    const own = this.box;
    const o = BOX_STRIDE * id;
    const scale = this.levelScale[level];
    const staysInCells =
      old === level &&
      (level === NO_CELLS ||
        (Math.floor(own[o] * scale) === Math.floor(x * scale) &&
          Math.floor(own[o + 1] * scale) === Math.floor(y * scale) &&
          Math.floor(own[o + 2] * scale) === Math.floor(z * scale) &&
          Math.floor(own[o + 3] * scale) === Math.floor(X * scale) &&
          Math.floor(own[o + 4] * scale) === Math.floor(Y * scale) &&
          Math.floor(own[o + 5] * scale) === Math.floor(Z * scale)));
    if (!staysInCells && old !== NONE) this.remove(id);
    own[o] = x;
    own[o + 1] = y;
    own[o + 2] = z;
    own[o + 3] = X;
    own[o + 4] = Y;
    own[o + 5] = Z;
    if (staysInCells) return;
    word[WORDS * id + LEVEL] = level;
    word[WORDS * id + ENTRY] = NONE;
    this.levelBoxes[level]++;
    this.count++;
    if (level !== NO_CELLS) this.addEntries(id, level);
  }

  /** Takes an id out; it must be in. */
  remove(id: number): void {
    if (!this.has(id)) throw new RunError('box grid', `id ${id} is not in the grid`, 'set it first');
    const w = WORDS * id;
    for (let n = this.word[w + ENTRY]; n !== NONE; ) {
      const sibling = this.entry[n + SIBLING];
      this.dropEntry(n);
      n = sibling;
    }
    this.levelBoxes[this.word[w + LEVEL]]--;
    this.word[w + LEVEL] = NONE;
    this.count--;
  }

  clear(): void {
    this.bucket.fill(NONE);
    this.levelBoxes.fill(0);
    this.end = 0;
    this.entryEnd = 0;
    this.freeEntry = NONE;
    this.liveEntries = 0;
    this.count = 0;
    this.foundCount = 0;
  }

  /**
   * All ids whose boxes overlap the six numbers from box[offset], ascending into `found`; returns how many.
   */
  query(box: Float64Array, offset = 0): number {
    this.foundCount = 0;
    if (++this.stamp === LAST_STAMP) {
      for (let id = 0; id < this.end; id++) this.word[WORDS * id + STAMP] = 0;
      this.stamp = 1;
    }
    for (let level = 0; level < LEVEL_COUNT; level++) {
      if (this.levelBoxes[level] === 0) continue;
      if (this.isWalkShorter(level, box, offset)) this.queryBoxes(level, box, offset);
      else this.queryCells(level, box, offset);
    }
    this.sortFound();
    return this.foundCount;
  }

  private queryBoxes(level: number, box: Float64Array, offset: number): void {
    const { word } = this;
    for (let id = 0; id < this.end; id++)
      if (word[WORDS * id + LEVEL] === level) this.addIfOverlapping(id, box, offset);
  }

  private queryCells(level: number, box: Float64Array, offset: number): void {
    const { entry, bucket, word, stamp } = this;
    const mask = bucket.length - 1;
    const scale = this.levelScale[level];
    const j0 = Math.floor(box[offset + 1] * scale);
    const k0 = Math.floor(box[offset + 2] * scale);
    const i1 = Math.floor(box[offset + 3] * scale);
    const j1 = Math.floor(box[offset + 4] * scale);
    const k1 = Math.floor(box[offset + 5] * scale);
    for (let i = Math.floor(box[offset] * scale); i <= i1; i++) {
      for (let j = j0; j <= j1; j++) {
        for (let k = k0; k <= k1; k++) {
          // A bucket may hold entries of other cells: what overlaps is right to find here as well.
          for (let n = bucket[hashCell(level, i, j, k) & mask]; n !== NONE; n = entry[n + NEXT]) {
            const id = entry[n + ID];
            if (word[WORDS * id + STAMP] !== stamp) this.addIfOverlapping(id, box, offset);
          }
        }
      }
    }
  }

  private isWalkShorter(level: number, box: Float64Array, offset: number): boolean {
    if (level === NO_CELLS) return true;
    const scale = this.levelScale[level];
    let cells = 1;
    for (let k = 0; k < 3; k++) {
      const low = box[offset + k] * scale;
      const high = box[offset + 3 + k] * scale;
      if (!(low > -FARTHEST_CELL && high < FARTHEST_CELL)) return true;
      cells *= high - low + 1;
    }
    return cells * BOXES_PER_CELL > this.end + 100;
  }

  private addIfOverlapping(id: number, box: Float64Array, offset: number): void {
    this.word[WORDS * id + STAMP] = this.stamp;
    const own = this.box;
    const o = BOX_STRIDE * id;
    if (own[o] > box[offset + 3] || own[o + 3] < box[offset]) return;
    if (own[o + 1] > box[offset + 4] || own[o + 4] < box[offset + 1]) return;
    if (own[o + 2] > box[offset + 5] || own[o + 5] < box[offset + 2]) return;
    if (this.foundCount === this.found.length) this.found = doubled(this.found);
    this.found[this.foundCount++] = id;
  }

  /** Shell's sort: finds are few. */
  private sortFound(): void {
    const { found, foundCount } = this;
    for (let step = foundCount > 400 ? 121 : foundCount > 40 ? 13 : 4; step >= 1; step = (step - 1) / 3) {
      for (let n = step; n < foundCount; n++) {
        const id = found[n];
        let m = n - step;
        for (; m >= 0 && found[m] > id; m -= step) found[m + step] = found[m];
        found[m + step] = id;
      }
    }
  }

  private findLevel(x: number, y: number, z: number, X: number, Y: number, Z: number): number {
    const extent = Math.max(X - x, Y - y, Z - z) / MOST_CELLS_ALONG;
    let level = 0;
    while (level < NO_CELLS && this.levelCell[level] < extent) level++;
    const farthest = FARTHEST_CELL * this.levelCell[level];
    const isNear = Math.min(x, y, z) > -farthest && Math.max(X, Y, Z) < farthest;
    return isNear ? level : NO_CELLS;
  }

  private addEntries(id: number, level: number): void {
    const { box } = this;
    const scale = this.levelScale[level];
    const o = BOX_STRIDE * id;
    const i1 = Math.floor(box[o + 3] * scale);
    const j1 = Math.floor(box[o + 4] * scale);
    const k1 = Math.floor(box[o + 5] * scale);
    for (let i = Math.floor(box[o] * scale); i <= i1; i++) {
      for (let j = Math.floor(box[o + 1] * scale); j <= j1; j++) {
        for (let k = Math.floor(box[o + 2] * scale); k <= k1; k++)
          this.addEntry(id, hashCell(level, i, j, k));
      }
    }
  }

  private addEntry(id: number, hash: number): void {
    let n = this.freeEntry;
    if (n !== NONE) this.freeEntry = this.entry[n + NEXT];
    else {
      n = this.entryEnd;
      this.entryEnd += ENTRY_WORDS;
      if (n === this.entry.length) this.entry = doubled(this.entry);
    }
    const { entry, word } = this;
    entry[n + ID] = id;
    entry[n + HASH] = hash;
    entry[n + SIBLING] = word[WORDS * id + ENTRY];
    word[WORDS * id + ENTRY] = n;
    if (++this.liveEntries > this.bucket.length) this.rehash();
    else this.linkEntry(n);
  }

  private linkEntry(n: number): void {
    const { entry, bucket } = this;
    const slot = entry[n + HASH] & (bucket.length - 1);
    const first = bucket[slot];
    entry[n + NEXT] = first;
    entry[n + PREVIOUS] = NONE;
    if (first !== NONE) entry[first + PREVIOUS] = n;
    bucket[slot] = n;
  }

  private dropEntry(n: number): void {
    const { entry, bucket } = this;
    const next = entry[n + NEXT];
    const previous = entry[n + PREVIOUS];
    if (next !== NONE) entry[next + PREVIOUS] = previous;
    if (previous !== NONE) entry[previous + NEXT] = next;
    else bucket[entry[n + HASH] & (bucket.length - 1)] = next;
    entry[n + NEXT] = this.freeEntry;
    this.freeEntry = n;
    this.liveEntries--;
  }

  /** Twice the buckets; the entries of every id are linked anew. */
  private rehash(): void {
    this.bucket = new Int32Array(2 * this.bucket.length).fill(NONE);
    for (let id = 0; id < this.end; id++) {
      if (this.word[WORDS * id + LEVEL] === NONE) continue;
      for (let n = this.word[WORDS * id + ENTRY]; n !== NONE; n = this.entry[n + SIBLING]) this.linkEntry(n);
    }
  }

  /** Room for ids below `least`. */
  private reserve(least: number): void {
    while (this.capacity < least) this.capacity *= 2;
    const rows = new Float64Array(BOX_STRIDE * this.capacity);
    const word = new Int32Array(rows.buffer);
    // As integers: copied as numbers, words that look like NaN might change.
    word.set(this.word);
    this.box = rows;
    this.word = word;
  }
}

/**
 * Multipliers with well spread bits, as in other spatial hashes (Teschner et al. 2003); cell numbers count
 * modulo 2^32.
 */
function hashCell(level: number, i: number, j: number, k: number): number {
  let h =
    Math.imul(i | 0, 73856093) ^
    Math.imul(j | 0, 19349663) ^
    Math.imul(k | 0, 83492791) ^
    Math.imul(level, 668265263);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
