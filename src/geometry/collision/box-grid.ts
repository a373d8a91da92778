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

export class BoxGrid {
  /** (capacity x 6) m: least x y z, greatest x y z of each id; read only from outside. */
  box = new Float64Array(6 * FIRST_CAPACITY);
  /** Ids found by the last query: the first `foundCount` entries. */
  found = new Int32Array(256);
  foundCount = 0;
  /** Boxes in the grid. */
  count = 0;

  /** Level of each id, NONE if it is not in the grid. */
  private level = new Int32Array(FIRST_CAPACITY).fill(NONE);
  /** (capacity x 3) cell of each id on its level, modulo 2^32. */
  private cell = new Int32Array(3 * FIRST_CAPACITY);
  private bucket = new Int32Array(FIRST_CAPACITY).fill(NONE);
  /** Neighbours in the bucket's list, which is in order of ids. */
  private next = new Int32Array(FIRST_CAPACITY).fill(NONE);
  private previous = new Int32Array(FIRST_CAPACITY).fill(NONE);
  /** Ids below this one may be in the grid. */
  private end = 0;
  private readonly levelBoxes = new Int32Array(LEVEL_COUNT);
  private readonly levelHalf = new Float64Array(LEVEL_COUNT);
  private readonly levelCell = new Float64Array(LEVEL_COUNT);
  private readonly centre = new Float64Array(3);

  /** `finestCell`, m: about the usual extent of a box, such as a mean edge length; it is rounded to a power of two. */
  constructor(finestCell: number) {
    if (!(finestCell > 0 && finestCell < Infinity))
      throw new RunError('box grid', `finest cell ${finestCell} m`, 'pass a positive length');
    const finest = 2 ** Math.round(Math.log2(finestCell));
    for (let l = 0; l < LEVEL_COUNT; l++) this.levelCell[l] = finest * 2 ** l;
  }

  has(id: number): boolean {
    return id < this.end && this.level[id] !== NONE;
  }

  /** Puts the box of an id in, or moves it: six numbers from box[offset], least corner first. */
  set(id: number, box: Float64Array, offset = 0): void {
    if (id >= this.level.length) this.reserve(id + 1);
    const own = this.box;
    let half = 0;
    for (let k = 0; k < 3; k++) {
      const low = box[offset + k];
      const high = box[offset + 3 + k];
      if (!(low <= high && low > -Infinity && high < Infinity))
        throw new RunError(
          'box grid',
          `box of ${id} from ${low} to ${high}`,
          'pass finite boxes, least corner first',
        );
      own[6 * id + k] = low;
      own[6 * id + 3 + k] = high;
      const middle = low + 0.5 * (high - low);
      this.centre[k] = middle;
      half = Math.max(half, middle - low, high - middle);
    }
    half *= ROUND_UP;
    const level = this.findLevel(2 * half);
    const size = this.levelCell[level];
    const i = Math.floor(this.centre[0] / size) | 0;
    const j = Math.floor(this.centre[1] / size) | 0;
    const k = Math.floor(this.centre[2] / size) | 0;
    if (half > this.levelHalf[level]) this.levelHalf[level] = half;
    const { cell } = this;
    const old = this.level[id];
    if (old === level && cell[3 * id] === i && cell[3 * id + 1] === j && cell[3 * id + 2] === k) return;
    if (old !== NONE) this.unlink(id);
    else this.count++;
    this.level[id] = level;
    cell[3 * id] = i;
    cell[3 * id + 1] = j;
    cell[3 * id + 2] = k;
    if (id >= this.end) this.end = id + 1;
    this.link(id);
    this.levelBoxes[level]++;
  }

  /** Takes an id out; it must be in. */
  remove(id: number): void {
    if (!this.has(id)) throw new RunError('box grid', `id ${id} is not in the grid`, 'set it first');
    this.unlink(id);
    this.level[id] = NONE;
    this.count--;
  }

  clear(): void {
    this.level.fill(NONE);
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
    if (this.spansManyCells(level, box, offset)) {
      for (let id = 0; id < this.end; id++)
        if (this.level[id] === level) this.addIfOverlapping(id, box, offset);
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
    const { cell, next, bucket } = this;
    const mask = bucket.length - 1;
    for (let di = 0; di <= ni; di++) {
      const i = (i0 + di) | 0;
      for (let dj = 0; dj <= nj; dj++) {
        const j = (j0 + dj) | 0;
        for (let dk = 0; dk <= nk; dk++) {
          const k = (k0 + dk) | 0;
          for (let id = bucket[hashCell(level, i, j, k) & mask]; id !== NONE; id = next[id]) {
            // A bucket may hold several cells; each id is met in its own.
            if (cell[3 * id] !== i || cell[3 * id + 1] !== j || cell[3 * id + 2] !== k) continue;
            if (this.level[id] === level) this.addIfOverlapping(id, box, offset);
          }
        }
      }
    }
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

  private addIfOverlapping(id: number, box: Float64Array, offset: number): void {
    const own = this.box;
    const o = 6 * id;
    if (own[o] > box[offset + 3] || own[o + 3] < box[offset]) return;
    if (own[o + 1] > box[offset + 4] || own[o + 4] < box[offset + 1]) return;
    if (own[o + 2] > box[offset + 5] || own[o + 5] < box[offset + 2]) return;
    if (this.foundCount === this.found.length) this.found = grow(this.found, 2 * this.found.length);
    this.found[this.foundCount++] = id;
  }

  private findLevel(extent: number): number {
    let level = 0;
    while (level < LEVEL_COUNT - 1 && this.levelCell[level] < extent) level++;
    return level;
  }

  private link(id: number): void {
    const { cell, next, previous, bucket } = this;
    const slot =
      hashCell(this.level[id], cell[3 * id], cell[3 * id + 1], cell[3 * id + 2]) & (bucket.length - 1);
    let after = bucket[slot];
    let before = NONE;
    while (after !== NONE && after < id) {
      before = after;
      after = next[after];
    }
    next[id] = after;
    previous[id] = before;
    if (after !== NONE) previous[after] = id;
    if (before !== NONE) next[before] = id;
    else bucket[slot] = id;
  }

  private unlink(id: number): void {
    const { cell, next, previous, bucket, level } = this;
    const before = previous[id];
    const after = next[id];
    if (after !== NONE) previous[after] = before;
    if (before !== NONE) next[before] = after;
    else
      bucket[hashCell(level[id], cell[3 * id], cell[3 * id + 1], cell[3 * id + 2]) & (bucket.length - 1)] =
        after;
    const l = level[id];
    // An empty level forgets how large its boxes were.
    if (--this.levelBoxes[l] === 0) this.levelHalf[l] = 0;
  }

  /** Room for ids up to capacity, and as many buckets. */
  private reserve(capacity: number): void {
    let size = this.level.length;
    while (size < capacity) size *= 2;
    this.box = grow(this.box, 6 * size);
    this.cell = grow(this.cell, 3 * size);
    this.next = grow(this.next, size);
    this.previous = grow(this.previous, size);
    const level = new Int32Array(size).fill(NONE);
    level.set(this.level);
    this.level = level;
    this.bucket = new Int32Array(size).fill(NONE);
    // Downward, so that each id goes to the front of its list.
    for (let id = this.end - 1; id >= 0; id--) if (level[id] !== NONE) this.link(id);
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

function grow<T extends Float64Array | Int32Array>(array: T, length: number): T {
  const longer = new (array.constructor as new (length: number) => T)(length);
  longer.set(array);
  return longer;
}
