/**
 * Broad phase of one motion: the swept boxes of all faces, sorted by cell into flat lists once, with a BoxGrid laid over it for the few boxes that change while
 * contacts are resolved. Queries read consecutive memory, which is what they spend their time on. Any overlap of boxes is found.
 * Cost: two passes over the faces to build.
 */
import { NONE } from '../../core/types.ts';
import { BoxGrid } from '../../geometry/collision/box-grid.ts';

/** A box over more cells than this goes to the overlay. */
const MOST_CELLS = 64;

export class SweptGrid {
  /** Faces found by the last query, each once. */
  found = new Int32Array(256);
  /** (faces x 6) */
  readonly box: Float64Array;
  private readonly overlay: BoxGrid;
  private readonly isOver: Uint8Array;
  private overCount = 0;
  private start = new Int32Array(0);
  private list = new Int32Array(0);
  private mask = 0;
  private readonly stamp: Int32Array;
  private now = 0;

  constructor(
    private readonly faceFill: number,
    private readonly cellSize: number,
  ) {
    this.box = new Float64Array(6 * faceFill).fill(NaN);
    this.stamp = new Int32Array(faceFill);
    this.isOver = new Uint8Array(faceFill);
    this.overlay = new BoxGrid(cellSize);
  }

  /** Sorts all boxes set so far; rows left NaN are not in the grid. */
  build(): void {
    const { box, cellSize, faceFill } = this;
    let size = 64;
    while (size < 4 * faceFill) size *= 2;
    this.mask = size - 1;
    this.start = new Int32Array(size + 1);
    for (let pass = 0; pass < 2; pass++) {
      for (let f = 0; f < faceFill; f++) {
        const o = 6 * f;
        if (Number.isNaN(box[o]) || this.isOver[f]) continue;
        const i0 = Math.floor(box[o] / cellSize);
        const j0 = Math.floor(box[o + 1] / cellSize);
        const k0 = Math.floor(box[o + 2] / cellSize);
        const i1 = Math.floor(box[o + 3] / cellSize);
        const j1 = Math.floor(box[o + 4] / cellSize);
        const k1 = Math.floor(box[o + 5] / cellSize);
        if ((i1 - i0 + 1) * (j1 - j0 + 1) * (k1 - k0 + 1) > MOST_CELLS) {
          this.putOver(f);
          continue;
        }
        for (let k = k0; k <= k1; k++) {
          for (let j = j0; j <= j1; j++) {
            for (let i = i0; i <= i1; i++) {
              const cell = this.hash(i, j, k);
              if (pass === 0) this.start[cell + 1]++;
              else this.list[this.start[cell]++] = f;
            }
          }
        }
      }
      if (pass === 0) {
        for (let c = 0; c < size; c++) this.start[c + 1] += this.start[c];
        this.list = new Int32Array(this.start[size]);
      }
    }
    // The second pass moved every start to its end.
    this.start.copyWithin(1, 0, size);
    this.start[0] = 0;
  }

  /** After the box of a face was changed. */
  update(f: number): void {
    this.putOver(f);
  }

  private putOver(f: number): void {
    if (!this.isOver[f]) this.overCount++;
    this.isOver[f] = 1;
    this.overlay.set(f, this.box, 6 * f);
  }

  /** Lists the faces whose boxes meet that of face f in `found`; returns their number. */
  query(f: number): number {
    const { box, cellSize, stamp, start, list, isOver } = this;
    const now = ++this.now;
    const minX = box[6 * f];
    const minY = box[6 * f + 1];
    const minZ = box[6 * f + 2];
    const maxX = box[6 * f + 3];
    const maxY = box[6 * f + 4];
    const maxZ = box[6 * f + 5];
    const i0 = Math.floor(minX / cellSize);
    const j0 = Math.floor(minY / cellSize);
    const k0 = Math.floor(minZ / cellSize);
    const i1 = Math.floor(maxX / cellSize);
    const j1 = Math.floor(maxY / cellSize);
    const k1 = Math.floor(maxZ / cellSize);
    let count = 0;
    for (let k = k0; k <= k1; k++) {
      for (let j = j0; j <= j1; j++) {
        for (let i = i0; i <= i1; i++) {
          const cell = this.hash(i, j, k);
          for (let n = start[cell]; n < start[cell + 1]; n++) {
            const g = list[n];
            if (stamp[g] === now || isOver[g]) continue;
            stamp[g] = now;
            const o = 6 * g;
            if (box[o] > maxX || box[o + 3] < minX || box[o + 1] > maxY || box[o + 4] < minY) continue;
            if (box[o + 2] > maxZ || box[o + 5] < minZ) continue;
            count = this.push(count, g);
          }
        }
      }
    }
    if (this.overCount > 0) {
      const over = this.overlay.query(box, 6 * f);
      for (let n = 0; n < over; n++) count = this.push(count, this.overlay.found[n]);
    }
    return count;
  }

  private push(count: number, f: number): number {
    if (count === this.found.length) {
      const longer = new Int32Array(2 * count).fill(NONE);
      longer.set(this.found);
      this.found = longer;
    }
    this.found[count] = f;
    return count + 1;
  }

  private hash(i: number, j: number, k: number): number {
    const h = Math.imul(i, 0x8da6b343) ^ Math.imul(j, 0xd8163841) ^ Math.imul(k, 0xcb1ab31f);
    return (h ^ (h >>> 15)) & this.mask;
  }
}
