/**
 * Broad phase of one motion: the boxes that faces sweep from start to end, sorted by cell into flat lists.
 *
 * Boxes are held in whole numbers: a coordinate is floor((x - origin) / quantum), which never falls where x
 * rises, so that boxes which meet still meet in whole numbers, whatever rounding does. A cell is a power of
 * two of quanta. Cells go to buckets by a hash that keeps blocks of 4 x 4 x 4 cells together, so that what
 * lies near in space lies near in memory. Two boxes that meet do so in the cell where the later of their
 * first cells are, on each axis: it alone counts.
 *
 * Faces whose ends move while contacts are resolved (`update`), and the few that reach over very many cells,
 * live in a BoxGrid over it. Cost: two passes over the faces to build; tasks over vertices and faces make the
 * boxes.
 */

import { doubled } from '../../core/doubled.ts';
import { defineTask } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { BoxGrid } from '../../geometry/collision/box-grid.ts';
import { BLOCK_CELLS, CELL_BITS } from '../../geometry/collision/box-pairs.ts';
import type { Buffers } from './buffers.ts';
import type { MultiMesh } from './mesh.ts';

/**
 * Cells that the mesh is long at most, as a power of two: quanta then fit 31 bits with room for what is
 * pushed outwards.
 */
const MOST_CELLS_BITS = 17;
/** A box over more cells than this goes to the overlay. */
const MOST_CELLS = 64;
/** Buckets for each face: blocks of cells on a surface are mostly empty. */
const BUCKETS_PER_FACE = 4;
const GRAIN = 1024;

/** First value of a box that is not there: it meets nothing. */
const ABSENT = 2 ** 30 + 1;
const QUANTUM_LIMIT = 2 ** 30;

/** The bucket of a cell; `mask` is the number of buckets less one. */
export function findBucket(i: number, j: number, k: number, mask: number): number {
  let h =
    Math.imul(i >> 2, 0x8da6b343) ^ Math.imul(j >> 2, 0xd8163841 | 0) ^ Math.imul(k >> 2, 0xcb1ab31f | 0);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  return ((h << 6) | ((i & 3) << 4) | ((j & 3) << 2) | (k & 3)) & mask;
}

/** Boxes of vertices from x0 to x1, widened by a reach, in quanta. */
const quantizeTask = defineTask(
  'tracking/bound-vertices',
  {
    x0: 'f64',
    x1: 'f64',
    out: 'i32',
    reach: 'number',
    scale: 'number',
    originX: 'number',
    originY: 'number',
    originZ: 'number',
  },
  (begin, end, { x0, x1, out, reach, scale, originX, originY, originZ }) => {
    for (let v = begin; v < end; v++) {
      for (let k = 0; k < 3; k++) {
        const origin = k === 0 ? originX : k === 1 ? originY : originZ;
        const p = x0[3 * v + k];
        const q = x1[3 * v + k];
        out[6 * v + k] = quantize(Math.min(p, q) - reach, origin, scale);
        out[6 * v + 3 + k] = quantize(Math.max(p, q) + reach, origin, scale);
      }
    }
  },
);

function quantize(x: number, origin: number, scale: number): number {
  const n = Math.floor((x - origin) * scale);
  return Math.max(-QUANTUM_LIMIT, Math.min(QUANTUM_LIMIT, n));
}

/** Boxes of faces from those of their vertices. */
const faceBoxTask = defineTask(
  'tracking/bound-faces',
  { face: 'i32', vertexBox: 'i32', out: 'i32' },
  (begin, end, { face, vertexBox, out }) => {
    for (let f = begin; f < end; f++) setFaceBox(face, vertexBox, f, out);
  },
);

function setFaceBox(face: Int32Array, vertexBox: Int32Array, f: number, out: Int32Array): void {
  if (face[3 * f] < 0) {
    out[6 * f] = ABSENT;
    return;
  }
  const a = 6 * face[3 * f];
  const b = 6 * face[3 * f + 1];
  const c = 6 * face[3 * f + 2];
  for (let k = 0; k < 3; k++) {
    out[6 * f + k] = Math.min(vertexBox[a + k], vertexBox[b + k], vertexBox[c + k]);
    out[6 * f + 3 + k] = Math.max(vertexBox[a + 3 + k], vertexBox[b + 3 + k], vertexBox[c + 3 + k]);
  }
}

/** Cells that the boxes of faces reach, counted up to one more than the most. */
const cellCountTask = defineTask(
  'tracking/count-cells',
  { faceBox: 'i32', out: 'i32' },
  (begin, end, { faceBox, out }) => {
    for (let f = begin; f < end; f++) {
      const o = 6 * f;
      const cells =
        ((faceBox[o + 3] >> CELL_BITS) - (faceBox[o] >> CELL_BITS) + 1) *
        ((faceBox[o + 4] >> CELL_BITS) - (faceBox[o + 1] >> CELL_BITS) + 1) *
        ((faceBox[o + 5] >> CELL_BITS) - (faceBox[o + 2] >> CELL_BITS) + 1);
      out[f] = faceBox[o] === ABSENT ? 0 : Math.min(cells, MOST_CELLS + 1);
    }
  },
);

/** The buckets of each face from out[offset[f]] to out[offset[f + 1]]. */
const bucketTask = defineTask(
  'tracking/fill-buckets',
  { faceBox: 'i32', offset: 'i32', mask: 'number', out: 'i32' },
  (begin, end, { faceBox, offset, mask, out }) => {
    for (let f = begin; f < end; f++) {
      let n = offset[f];
      if (n === offset[f + 1]) continue;
      const o = 6 * f;
      const j0 = faceBox[o + 1] >> CELL_BITS;
      const k0 = faceBox[o + 2] >> CELL_BITS;
      const i1 = faceBox[o + 3] >> CELL_BITS;
      const j1 = faceBox[o + 4] >> CELL_BITS;
      const k1 = faceBox[o + 5] >> CELL_BITS;
      for (let i = faceBox[o] >> CELL_BITS; i <= i1; i++) {
        for (let j = j0; j <= j1; j++) {
          for (let k = k0; k <= k1; k++) out[n++] = findBucket(i, j, k, mask);
        }
      }
    }
  },
);

export class SweptGrid {
  /** (vertices x 6), (faces x 6) quanta */
  vertexBox: Int32Array = new Int32Array(0);
  faceBox: Int32Array = new Int32Array(0);
  /** Faces by bucket: list[start[b]] to list[start[b + 1]]. */
  start: Int32Array = new Int32Array(0);
  list: Int32Array = new Int32Array(0);
  bucketCount = 0;
  /** Faces that are not in the lists but in the overlay. */
  readonly over: number[] = [];
  /** Faces found by the last query, each once. */
  found = new Int32Array(256);

  private readonly origin = new Float64Array(3);
  private scale = 1;
  /** Rows of the mesh when it was sorted. */
  private sortedFill = 0;
  private overlay = new BoxGrid(2 ** CELL_BITS);
  private isOver: Uint8Array = new Uint8Array(0);
  private readonly box = new Float64Array(6);

  constructor(
    private readonly mesh: MultiMesh,
    private readonly buffers: Buffers,
    private readonly cellSize: number,
    private readonly reach: number,
    /** Distinguishes the arrays of several grids. */
    private readonly name = '',
  ) {}

  /**
   * Sorts the boxes of all faces anew. `face` is the mesh's, x0 and x1 its vertices at the start and end: all
   * where threads see them.
   */
  build(face: Int32Array, x0: Float64Array, x1: Float64Array): void {
    const { buffers, mesh, reach } = this;
    const { vertexFill, faceFill } = mesh;
    this.chooseQuantum(x0, x1);
    this.vertexBox = buffers.i32(`${this.name}vertex boxes`, 6 * vertexFill + 1);
    this.faceBox = buffers.i32(`${this.name}face boxes`, 6 * faceFill + 1);
    const [x, y, z] = this.origin;
    buffers.threads.run(quantizeTask, vertexFill, GRAIN, {
      x0,
      x1,
      out: this.vertexBox,
      reach,
      scale: this.scale,
      originX: x,
      originY: y,
      originZ: z,
    });
    buffers.threads.run(faceBoxTask, faceFill, GRAIN, { face, vertexBox: this.vertexBox, out: this.faceBox });
    this.isOver = buffers.u8(`${this.name}is over`, faceFill).fill(0);
    this.over.length = 0;
    this.overlay.clear();
    this.sort();
  }

  /** Origin and quantum such that the mesh is at most 2^MOST_CELLS_BITS cells long. */
  private chooseQuantum(x0: Float64Array, x1: Float64Array): void {
    const { mesh, origin, reach } = this;
    let extent = 0;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let v = 0; v < mesh.vertexFill; v++) {
        if (!mesh.isVertex(v)) continue;
        low = Math.min(low, x0[3 * v + k], x1[3 * v + k]);
        high = Math.max(high, x0[3 * v + k], x1[3 * v + k]);
      }
      origin[k] = low - reach;
      extent = Math.max(extent, high - low);
    }
    const cell = Math.max(this.cellSize, extent / 2 ** MOST_CELLS_BITS);
    this.scale = 2 ** CELL_BITS / cell;
  }

  private sort(): void {
    const { faceBox, mesh, buffers } = this;
    const { faceFill } = mesh;
    let size = BLOCK_CELLS;
    while (size < BUCKETS_PER_FACE * faceFill) size *= 2;
    this.bucketCount = size;
    this.sortedFill = faceFill;
    const offset = this.findOffsets();
    const entries = offset[faceFill];
    const bucket = buffers.i32('buckets of faces', entries);
    buffers.threads.run(bucketTask, faceFill, GRAIN, { faceBox, offset, mask: size - 1, out: bucket });
    const start = buffers.i32(`${this.name}bucket starts`, size + 1).fill(0, 0, size + 1);
    const list = buffers.i32(`${this.name}faces by bucket`, entries);
    for (let n = 0; n < entries; n++) start[bucket[n] + 1]++;
    for (let b = 0; b < size; b++) start[b + 1] += start[b];
    for (let f = 0, n = 0; f < faceFill; f++) for (; n < offset[f + 1]; n++) list[start[bucket[n]]++] = f;
    this.start = start;
    this.list = list;
    // The second pass moved every start to its end.
    start.copyWithin(1, 0, size);
    start[0] = 0;
  }

  /**
   * Where the buckets of each face go in a list of all, (faces + 1); boxes over too many cells go to the
   * overlay and have none.
   */
  private findOffsets(): Int32Array {
    const { faceBox, mesh, buffers } = this;
    const { faceFill } = mesh;
    const offset = buffers.i32('bucket offsets', faceFill + 1);
    buffers.threads.run(cellCountTask, faceFill, GRAIN, { faceBox, out: offset });
    let sum = 0;
    for (let f = 0; f < faceFill; f++) {
      const cells = offset[f];
      offset[f] = sum;
      if (cells > MOST_CELLS) this.putOver(f);
      else sum += cells;
    }
    offset[faceFill] = sum;
    return offset;
  }

  /**
   * Keeps the lists while faces are renumbered in rising order: `faceTo[old]`, NONE for the gone. The overlay
   * is not kept.
   */
  follow(faceTo: Int32Array): void {
    const { start, list, faceBox, isOver } = this;
    let n = 0;
    let to = 0;
    for (let bucket = 0; bucket < this.bucketCount; bucket++) {
      const end = start[bucket + 1];
      start[bucket] = to;
      for (; n < end; n++) {
        // Rows beyond the list of new ids were not in the mesh when it was sorted.
        const g = faceTo[list[n]];
        if (g !== NONE) list[to++] = g;
      }
    }
    start[this.bucketCount] = to;
    let end = 0;
    const fill = Math.min(this.sortedFill, faceTo.length);
    for (let f = 0; f < fill; ) {
      const g = faceTo[f];
      const first = f;
      for (; f < fill && faceTo[f] !== NONE; ) f++;
      if (f > first) {
        faceBox.copyWithin(6 * g, 6 * first, 6 * f);
        isOver.copyWithin(g, first, f);
        end = g + f - first;
      } else f++;
    }
    this.sortedFill = end;
    this.over.length = 0;
    this.overlay.clear();
  }

  /** Is face f in the lists, with a sorted box that holds the one (6 numbers each, m) it has now? */
  holds(f: number, box: Float64Array): boolean {
    const { faceBox, origin, scale } = this;
    if (f >= this.sortedFill || this.isOver[f] || faceBox[6 * f] === ABSENT) return false;
    const o = 6 * f;
    for (let k = 0; k < 3; k++) {
      // As quantize would: floor(x) >= n where x >= n, and floor(x) <= n where x < n + 1.
      if (!((box[o + k] - origin[k]) * scale >= faceBox[o + k])) return false;
      if (!((box[o + 3 + k] - origin[k]) * scale < faceBox[o + 3 + k] + 1)) return false;
    }
    return true;
  }

  /** The six numbers of a box, m, in quanta; returns the number of cells it reaches. */
  quantizeBox(box: Float64Array, out: Int32Array): number {
    const { origin, scale } = this;
    let cells = 1;
    for (let k = 0; k < 3; k++) {
      out[k] = quantize(box[k], origin[k], scale);
      out[3 + k] = quantize(box[3 + k], origin[k], scale);
      cells *= (out[3 + k] >> CELL_BITS) - (out[k] >> CELL_BITS) + 1;
    }
    return cells;
  }

  /** After the end of a vertex was changed. */
  updateVertex(v: number, x0: Float64Array, x1: Float64Array): void {
    const { vertexBox, origin, scale, reach } = this;
    for (let k = 0; k < 3; k++) {
      const p = x0[3 * v + k];
      const q = x1[3 * v + k];
      vertexBox[6 * v + k] = quantize(Math.min(p, q) - reach, origin[k], scale);
      vertexBox[6 * v + 3 + k] = quantize(Math.max(p, q) + reach, origin[k], scale);
    }
  }

  /** After its vertices were updated. */
  updateFace(f: number, face: Int32Array): void {
    setFaceBox(face, this.vertexBox, f, this.faceBox);
    this.putOver(f);
  }

  private putOver(f: number): void {
    if (!this.isOver[f]) this.over.push(f);
    this.isOver[f] = 1;
    for (let k = 0; k < 6; k++) this.box[k] = this.faceBox[6 * f + k];
    this.overlay.set(f, this.box);
  }

  /**
   * Lists the faces whose boxes meet that of face f in `found`, itself included, in rising order; returns
   * their number.
   */
  query(f: number): number {
    const { faceBox } = this;
    let cells = 1;
    for (let k = 6 * f; k < 6 * f + 3; k++)
      cells *= (faceBox[k + 3] >> CELL_BITS) - (faceBox[k] >> CELL_BITS) + 1;
    let count = cells > MOST_CELLS ? this.walkFaces(f) : this.queryCells(f);
    if (this.over.length > 0) {
      for (let k = 0; k < 6; k++) this.box[k] = faceBox[6 * f + k];
      const over = this.overlay.query(this.box);
      for (let n = 0; n < over; n++) count = this.push(count, this.overlay.found[n]);
    }
    const sorted = this.found.subarray(0, count).sort();
    // Cells that share a bucket may list a face twice.
    let unique = 0;
    for (let n = 0; n < count; n++) if (n === 0 || sorted[n] !== sorted[n - 1]) sorted[unique++] = sorted[n];
    return unique;
  }

  private walkFaces(f: number): number {
    const { faceBox, isOver } = this;
    let count = 0;
    for (let g = 0; g < this.mesh.faceFill; g++) {
      const o = 6 * g;
      if (faceBox[o] === ABSENT || isOver[g]) continue;
      let isMeeting = true;
      for (let k = 0; k < 3; k++) {
        if (faceBox[o + k] > faceBox[6 * f + 3 + k] || faceBox[o + 3 + k] < faceBox[6 * f + k])
          isMeeting = false;
      }
      if (isMeeting) count = this.push(count, g);
    }
    return count;
  }

  private queryCells(f: number): number {
    const { faceBox, start, list, isOver } = this;
    const mask = this.bucketCount - 1;
    const minX = faceBox[6 * f];
    const minY = faceBox[6 * f + 1];
    const minZ = faceBox[6 * f + 2];
    const maxX = faceBox[6 * f + 3];
    const maxY = faceBox[6 * f + 4];
    const maxZ = faceBox[6 * f + 5];
    let count = 0;
    for (let i = minX >> CELL_BITS; i <= maxX >> CELL_BITS; i++) {
      for (let j = minY >> CELL_BITS; j <= maxY >> CELL_BITS; j++) {
        for (let k = minZ >> CELL_BITS; k <= maxZ >> CELL_BITS; k++) {
          const bucket = findBucket(i, j, k, mask);
          for (let n = start[bucket]; n < start[bucket + 1]; n++) {
            const g = list[n];
            const o = 6 * g;
            if (faceBox[o] > maxX || faceBox[o + 3] < minX || faceBox[o + 1] > maxY) continue;
            if (faceBox[o + 4] < minY || faceBox[o + 2] > maxZ || faceBox[o + 5] < minZ) continue;
            if (isOver[g]) continue;
            if (Math.max(minX, faceBox[o]) >> CELL_BITS !== i) continue;
            if (Math.max(minY, faceBox[o + 1]) >> CELL_BITS !== j) continue;
            if (Math.max(minZ, faceBox[o + 2]) >> CELL_BITS !== k) continue;
            count = this.push(count, g);
          }
        }
      }
    }
    return count;
  }

  private push(count: number, f: number): number {
    if (count === this.found.length) this.found = doubled(this.found);
    this.found[count] = f;
    return count + 1;
  }
}
