/**
 * Broad phase: axis-aligned boxes by id in a hashed grid of several levels, updated box by box.
 *
 * A box lies in exactly one cell, that of its centre, on the first level whose cells are at least as large as the box (and not finer than
 * the finest level). A query looks, level by level, at the cells its box reaches when widened by half the largest box of that level. So
 * set and remove cost O(1), and boxes of very different sizes do not disturb each other.
 *
 * The order of what a query finds is that of levels, cells and ids: it depends on the boxes and on the finest cell, and not on the
 * history, so a resumed run finds the same. Cell edges are powers of two: a mesh scaled by one is found in the same order.
 *
 * No overlap is missed by rounding: half extents are rounded up, and fl(query - half) <= centre follows from query - half <= centre,
 * as rounding is monotone. Boxes are closed; touching is overlapping. NaN and infinite boxes are refused.
 */
import { RunError } from '../../core/errors.ts';
import { NONE } from '../../core/types.ts';

const FIRST_CAPACITY = 64;
/** Levels above the finest; larger boxes all share the last. 2^40 finest cells are beyond any mesh. */
const LEVEL_COUNT = 40;
/** Above this many cells on a level a query walks the ids instead. */
const MOST_CELLS_VISITED = 4096;
/** Cell numbers up to here are exact in doubles, with room for a query's. */
const FARTHEST_CELL = 2 ** 50;
/** Rounds a half extent up by more than its two roundings. */
const ROUND_UP = 1 + 2 ** -50;

/**
 * One row of 64 bytes, a cache line, per id: six numbers of the box, least corner first (m), then as integers the next and the previous
 * id of the bucket's list, the hash of the cell, and the level (NONE while the id is not in the grid).
 */
export const BOX_STRIDE = 8;
const WORDS = 16;
const NEXT = 12;
const PREVIOUS = 13;
const HASH = 14;
const LEVEL = 15;

export class BoxGrid {
  /** (capacity x BOX_STRIDE) The rows; boxes are read only from outside. */
  box = new Float64Array(BOX_STRIDE * FIRST_CAPACITY);
  /** Ids found by the last query: the first `foundCount` entries. */
  found = new Int32Array(256);
  foundCount = 0;
  /** Boxes in the grid. */
  count = 0;

  /** The same rows as integers. */
  private word = new Int32Array(this.box.buffer);
  private capacity = FIRST_CAPACITY;
  /** First id of each list; lists are in order of ids. */
  private bucket = new Int32Array(FIRST_CAPACITY).fill(NONE);
  /** Ids below this one may be in the grid. */
  private end = 0;
  private readonly levelBoxes = new Int32Array(LEVEL_COUNT);
  private readonly levelHalf = new Float64Array(LEVEL_COUNT);
  private readonly levelCell = new Float64Array(LEVEL_COUNT);

  /** `finestCell`, m: about the usual extent of a box, such as a mean edge length; it is rounded to a power of two. */
  constructor(finestCell: number) {
    if (!(finestCell > 0 && finestCell < Infinity))
      throw new RunError('box grid', `finest cell ${finestCell} m`, 'pass a positive length');
    const finest = 2 ** Math.round(Math.log2(finestCell));
    for (let l = 0; l < LEVEL_COUNT; l++) this.levelCell[l] = finest * 2 ** l;
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
    const o = BOX_STRIDE * id;
    this.box[o] = x;
    this.box[o + 1] = y;
    this.box[o + 2] = z;
    this.box[o + 3] = X;
    this.box[o + 4] = Y;
    this.box[o + 5] = Z;
    const mx = x + 0.5 * (X - x);
    const my = y + 0.5 * (Y - y);
    const mz = z + 0.5 * (Z - z);
    const half = ROUND_UP * Math.max(mx - x, X - mx, my - y, Y - my, mz - z, Z - mz);
    const level = this.findLevel(2 * half);
    const size = this.levelCell[level];
    const hash = hashCell(
      level,
      Math.floor(mx / size) | 0,
      Math.floor(my / size) | 0,
      Math.floor(mz / size) | 0,
    );
    if (half > this.levelHalf[level]) this.levelHalf[level] = half;
    const w = WORDS * id;
    const old = id < this.end ? word[w + LEVEL] : NONE;
    if (old === level && word[w + HASH] === hash) return;
    if (old !== NONE) this.unlink(id);
    else this.count++;
    for (; this.end <= id; this.end++) word[WORDS * this.end + LEVEL] = NONE;
    word[w + LEVEL] = level;
    word[w + HASH] = hash;
    this.link(id);
    this.levelBoxes[level]++;
  }

  /** Takes an id out; it must be in. */
  remove(id: number): void {
    if (!this.has(id)) throw new RunError('box grid', `id ${id} is not in the grid`, 'set it first');
    this.unlink(id);
    this.word[WORDS * id + LEVEL] = NONE;
    this.count--;
  }

  clear(): void {
    this.bucket.fill(NONE);
    this.levelBoxes.fill(0);
    this.levelHalf.fill(0);
    this.end = 0;
    this.count = 0;
    this.foundCount = 0;
  }

  /** All ids whose boxes overlap the six numbers from box[offset], into `found`; returns how many. */
  query(box: Float64Array, offset = 0): number {
    this.foundCount = 0;
    for (let level = 0; level < LEVEL_COUNT; level++) {
      if (this.levelBoxes[level] > 0) this.queryLevel(level, box, offset);
    }
    return this.foundCount;
  }

  private queryLevel(level: number, box: Float64Array, offset: number): void {
    const { word } = this;
    if (this.spansManyCells(level, box, offset)) {
      for (let id = 0; id < this.end; id++)
        if (word[WORDS * id + LEVEL] === level && this.overlaps(id, box, offset)) this.addFound(id);
      return;
    }
    const half = this.levelHalf[level];
    const size = this.levelCell[level];
    const i0 = Math.floor((box[offset] - half) / size);
    const j0 = Math.floor((box[offset + 1] - half) / size);
    const k0 = Math.floor((box[offset + 2] - half) / size);
    const ni = Math.floor((box[offset + 3] + half) / size) - i0;
    const nj = Math.floor((box[offset + 4] + half) / size) - j0;
    const nk = Math.floor((box[offset + 5] + half) / size) - k0;
    const { bucket } = this;
    const mask = bucket.length - 1;
    for (let di = 0; di <= ni; di++) {
      const i = (i0 + di) | 0;
      for (let dj = 0; dj <= nj; dj++) {
        const j = (j0 + dj) | 0;
        for (let dk = 0; dk <= nk; dk++) {
          const k = (k0 + dk) | 0;
          const hash = hashCell(level, i, j, k);
          for (let id = bucket[hash & mask]; id !== NONE; id = word[WORDS * id + NEXT]) {
            if (word[WORDS * id + HASH] !== hash || !this.overlaps(id, box, offset)) continue;
            // A hash may stand for several cells; each id is met in its own.
            if (this.isInCell(id, level, i, j, k)) this.addFound(id);
          }
        }
      }
    }
  }

  private isInCell(id: number, level: number, i: number, j: number, k: number): boolean {
    const { box } = this;
    const size = this.levelCell[level];
    const o = BOX_STRIDE * id;
    return (
      this.word[WORDS * id + LEVEL] === level &&
      (Math.floor((box[o] + 0.5 * (box[o + 3] - box[o])) / size) | 0) === i &&
      (Math.floor((box[o + 1] + 0.5 * (box[o + 4] - box[o + 1])) / size) | 0) === j &&
      (Math.floor((box[o + 2] + 0.5 * (box[o + 5] - box[o + 2])) / size) | 0) === k
    );
  }

  /**
   * Whether walking the ids is the better way, or the only one: far out, cell numbers are no longer exact, and the last level holds boxes of
   * any size. Decided by the query and the level alone, since the order of what is found follows from it.
   */
  private spansManyCells(level: number, box: Float64Array, offset: number): boolean {
    const size = this.levelCell[level];
    let cells = 1;
    for (let k = 0; k < 3; k++) {
      const low = box[offset + k] / size;
      const high = box[offset + 3 + k] / size;
      if (!(low > -FARTHEST_CELL && high < FARTHEST_CELL)) return true;
      cells *= high - low + 2;
    }
    return cells > MOST_CELLS_VISITED || level === LEVEL_COUNT - 1;
  }

  private overlaps(id: number, box: Float64Array, offset: number): boolean {
    const own = this.box;
    const o = BOX_STRIDE * id;
    return (
      own[o] <= box[offset + 3] &&
      own[o + 3] >= box[offset] &&
      own[o + 1] <= box[offset + 4] &&
      own[o + 4] >= box[offset + 1] &&
      own[o + 2] <= box[offset + 5] &&
      own[o + 5] >= box[offset + 2]
    );
  }

  private addFound(id: number): void {
    if (this.foundCount === this.found.length) {
      const longer = new Int32Array(2 * this.found.length);
      longer.set(this.found);
      this.found = longer;
    }
    this.found[this.foundCount++] = id;
  }

  private findLevel(extent: number): number {
    let level = 0;
    while (level < LEVEL_COUNT - 1 && this.levelCell[level] < extent) level++;
    return level;
  }

  private link(id: number): void {
    const { word, bucket } = this;
    const slot = word[WORDS * id + HASH] & (bucket.length - 1);
    let after = bucket[slot];
    let before = NONE;
    while (after !== NONE && after < id) {
      before = after;
      after = word[WORDS * after + NEXT];
    }
    word[WORDS * id + NEXT] = after;
    word[WORDS * id + PREVIOUS] = before;
    if (after !== NONE) word[WORDS * after + PREVIOUS] = id;
    if (before !== NONE) word[WORDS * before + NEXT] = id;
    else bucket[slot] = id;
  }

  private unlink(id: number): void {
    const { word, bucket } = this;
    const w = WORDS * id;
    const before = word[w + PREVIOUS];
    const after = word[w + NEXT];
    if (after !== NONE) word[WORDS * after + PREVIOUS] = before;
    if (before !== NONE) word[WORDS * before + NEXT] = after;
    else bucket[word[w + HASH] & (bucket.length - 1)] = after;
    // An empty level forgets how large its boxes were.
    const level = word[w + LEVEL];
    if (--this.levelBoxes[level] === 0) this.levelHalf[level] = 0;
  }

  /** Room for ids below `least`, and as many buckets. */
  private reserve(least: number): void {
    while (this.capacity < least) this.capacity *= 2;
    const rows = new Float64Array(BOX_STRIDE * this.capacity);
    const word = new Int32Array(rows.buffer);
    // As integers: copied as numbers, words that look like NaN might change.
    word.set(this.word);
    this.box = rows;
    this.word = word;
    this.bucket = new Int32Array(this.capacity).fill(NONE);
    // Downward, so that each id goes to the front of its list.
    for (let id = this.end - 1; id >= 0; id--) if (word[WORDS * id + LEVEL] !== NONE) this.link(id);
  }
}

/** Multipliers with well spread bits, as in other spatial hashes (Teschner et al. 2003 use such primes). */
function hashCell(level: number, i: number, j: number, k: number): number {
  let h =
    Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791) ^ Math.imul(level, 668265263);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
