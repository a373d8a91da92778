/**
 * Broad phase of mesh edits: the boxes of all faces in a hashed uniform grid that is updated face by face. Any overlap of boxes is
 * found; nothing is missed by rounding, because boxes and cells are compared with the same arithmetic. Cost: O(1) per face while faces
 * are about as large as cells.
 */
import { NONE } from '../../core/types.ts';

/** Faces that would fill more cells than this are kept in one list that every query looks through. */
const MOST_CELLS = 256;
const FIRST_BUCKETS = 1024;

export class FaceGrid {
  /** Faces found by the last query, each once. */
  found = new Int32Array(256);
  /** (faces x 6) box of a face: least x y z, greatest x y z */
  box = new Float64Array(0);

  private bucket = new Int32Array(FIRST_BUCKETS).fill(NONE);
  private entryFace = new Int32Array(1024);
  private entryBucket = new Int32Array(1024);
  private entryNext = new Int32Array(1024);
  private entryPrevious = new Int32Array(1024);
  private entryNextOfFace = new Int32Array(1024);
  private entryFill = 0;
  private entryFree = NONE;
  private entryLive = 0;
  private faceEntry = new Int32Array(0);
  private stamp = new Int32Array(0);
  private now = 0;
  private readonly large = new Set<number>();

  constructor(private readonly cellSize: number) {}

  insert(
    f: number,
    minX: number,
    minY: number,
    minZ: number,
    maxX: number,
    maxY: number,
    maxZ: number,
  ): void {
    this.reserveFaces(f + 1);
    const { box, cellSize } = this;
    box[6 * f] = minX;
    box[6 * f + 1] = minY;
    box[6 * f + 2] = minZ;
    box[6 * f + 3] = maxX;
    box[6 * f + 4] = maxY;
    box[6 * f + 5] = maxZ;
    const i0 = Math.floor(minX / cellSize);
    const j0 = Math.floor(minY / cellSize);
    const k0 = Math.floor(minZ / cellSize);
    const i1 = Math.floor(maxX / cellSize);
    const j1 = Math.floor(maxY / cellSize);
    const k1 = Math.floor(maxZ / cellSize);
    if ((i1 - i0 + 1) * (j1 - j0 + 1) * (k1 - k0 + 1) > MOST_CELLS) {
      this.large.add(f);
      return;
    }
    for (let k = k0; k <= k1; k++) {
      for (let j = j0; j <= j1; j++) {
        for (let i = i0; i <= i1; i++) this.addEntry(f, i, j, k);
      }
    }
  }

  /** Takes everything out and keeps the memory. */
  clear(): void {
    this.bucket.fill(NONE);
    this.faceEntry.fill(NONE);
    this.entryFill = 0;
    this.entryFree = NONE;
    this.entryLive = 0;
    this.large.clear();
  }

  remove(f: number): void {
    if (f >= this.faceEntry.length) return;
    for (let n = this.faceEntry[f]; n !== NONE; ) {
      const next = this.entryNextOfFace[n];
      this.dropEntry(n);
      n = next;
    }
    this.faceEntry[f] = NONE;
    this.large.delete(f);
  }

  /** Lists the faces whose boxes meet this one in `found`; returns their number. */
  query(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): number {
    const { cellSize } = this;
    const now = ++this.now;
    let count = 0;
    const i0 = Math.floor(minX / cellSize);
    const j0 = Math.floor(minY / cellSize);
    const k0 = Math.floor(minZ / cellSize);
    const i1 = Math.floor(maxX / cellSize);
    const j1 = Math.floor(maxY / cellSize);
    const k1 = Math.floor(maxZ / cellSize);
    for (let k = k0; k <= k1; k++) {
      for (let j = j0; j <= j1; j++) {
        for (let i = i0; i <= i1; i++) {
          for (let n = this.bucket[this.hash(i, j, k)]; n !== NONE; n = this.entryNext[n]) {
            const f = this.entryFace[n];
            if (this.stamp[f] === now) continue;
            this.stamp[f] = now;
            if (!this.meets(f, minX, minY, minZ, maxX, maxY, maxZ)) continue;
            count = this.push(count, f);
          }
        }
      }
    }
    for (const f of this.large) {
      if (this.meets(f, minX, minY, minZ, maxX, maxY, maxZ)) count = this.push(count, f);
    }
    return count;
  }

  private meets(
    f: number,
    minX: number,
    minY: number,
    minZ: number,
    maxX: number,
    maxY: number,
    maxZ: number,
  ) {
    const { box } = this;
    const n = 6 * f;
    return (
      box[n] <= maxX &&
      box[n + 3] >= minX &&
      box[n + 1] <= maxY &&
      box[n + 4] >= minY &&
      box[n + 2] <= maxZ &&
      box[n + 5] >= minZ
    );
  }

  private push(count: number, f: number): number {
    if (count === this.found.length) this.found = grow(this.found, 2 * count);
    this.found[count] = f;
    return count + 1;
  }

  private hash(i: number, j: number, k: number): number {
    const h = Math.imul(i, 0x8da6b343) ^ Math.imul(j, 0xd8163841) ^ Math.imul(k, 0xcb1ab31f);
    return (h ^ (h >>> 15)) & (this.bucket.length - 1);
  }

  private addEntry(f: number, i: number, j: number, k: number): void {
    if (this.entryLive > this.bucket.length) this.rehash();
    let n = this.entryFree;
    if (n !== NONE) this.entryFree = this.entryNext[n];
    else {
      n = this.entryFill++;
      if (n === this.entryFace.length) this.growEntries();
    }
    this.entryLive++;
    this.entryFace[n] = f;
    this.entryNextOfFace[n] = this.faceEntry[f];
    this.faceEntry[f] = n;
    // The full hash stays with the entry, so that a longer table needs no cells.
    const h = Math.imul(i, 0x8da6b343) ^ Math.imul(j, 0xd8163841) ^ Math.imul(k, 0xcb1ab31f);
    this.entryBucket[n] = h ^ (h >>> 15);
    this.linkEntry(n);
  }

  private linkEntry(n: number): void {
    const b = this.entryBucket[n] & (this.bucket.length - 1);
    const first = this.bucket[b];
    this.entryNext[n] = first;
    this.entryPrevious[n] = NONE;
    if (first !== NONE) this.entryPrevious[first] = n;
    this.bucket[b] = n;
  }

  private dropEntry(n: number): void {
    const next = this.entryNext[n];
    const previous = this.entryPrevious[n];
    if (next !== NONE) this.entryPrevious[next] = previous;
    if (previous !== NONE) this.entryNext[previous] = next;
    else this.bucket[this.entryBucket[n] & (this.bucket.length - 1)] = next;
    this.entryNext[n] = this.entryFree;
    this.entryFree = n;
    this.entryLive--;
  }

  private rehash(): void {
    this.bucket = new Int32Array(2 * this.bucket.length).fill(NONE);
    for (let f = 0; f < this.faceEntry.length; f++) {
      for (let n = this.faceEntry[f]; n !== NONE; n = this.entryNextOfFace[n]) this.linkEntry(n);
    }
  }

  private growEntries(): void {
    const length = 2 * this.entryFace.length;
    this.entryFace = grow(this.entryFace, length);
    this.entryBucket = grow(this.entryBucket, length);
    this.entryNext = grow(this.entryNext, length);
    this.entryPrevious = grow(this.entryPrevious, length);
    this.entryNextOfFace = grow(this.entryNextOfFace, length);
  }

  private reserveFaces(count: number): void {
    const old = this.faceEntry.length;
    if (count <= old) return;
    const length = Math.max(count, 2 * old, 256);
    this.faceEntry = grow(this.faceEntry, length).fill(NONE, old);
    this.stamp = grow(this.stamp, length);
    const box = new Float64Array(6 * length);
    box.set(this.box);
    this.box = box;
  }
}

function grow(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(length);
  longer.set(array);
  return longer;
}
