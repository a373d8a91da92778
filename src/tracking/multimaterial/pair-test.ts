/**
 * Narrow phase on all threads: pairs of primitives of the moving mesh, each once, sifted down to the few that touch on the way or are near.
 *
 * Every vertex and every edge belongs to one of its faces (`owned`), and a pair of primitives is looked at only where the faces they belong to (or the face
 * itself) meet: none is missed, none comes twice. Boxes in whole numbers (swept-grid.ts) come first, then the filters of geometry/collision with a margin, then
 * distance and contact as such. What a task finds depends on the positions alone, so that any number of threads finds the same.
 */
import { defineTask } from '../../core/threads/task.ts';
import { edgeEdgeCollides, vertexTriangleCollides } from '../../geometry/collision/continuous.ts';
import { isEdgeEdgeApart, isVertexTriangleApart, margin } from '../../geometry/collision/filter.ts';
import { edgeEdgeDistance, vertexTriangleDistance } from '../../geometry/collision/proximity.ts';
import { BLOCK_CELLS, CELL_BITS } from './swept-grid.ts';

/** A find: the two faces, lower first; which primitives of them, for the order; then vertex and triangle, or two edges. */
export const FIND_SIZE = 8;
export const FIND_KIND = 2;
export const FIND_VERTEX = 3;
/** Kinds: vertex i of the lower face 0..2, of the other 3..5, then edges 6 + 3 i + j. */
export const FIRST_EDGES = 6;

/** Vertices 0..2 and edges 3..5 of a face that belong to it, as bits. */
export const ownedTask = defineTask(
  'tracking: owners',
  (
    begin,
    end,
    face: Int32Array,
    vertexCorner: Int32Array,
    cornerEdge: Int32Array,
    edgeCorner: Int32Array,
    out: Uint8Array,
  ) => {
    for (let f = begin; f < end; f++) {
      out[f] = 0;
      if (face[3 * f] < 0) continue;
      for (let i = 0; i < 3; i++) {
        const c = 3 * f + i;
        if (vertexCorner[face[c]] === c) out[f] |= 1 << i;
        if (edgeCorner[cornerEdge[c]] === c) out[f] |= 8 << i;
      }
    }
  },
);

/** Six comparisons in one: which of them fails no processor can guess. Quanta have 31 bits, so that differences fit. */
function areBoxesApart(p: Int32Array, o: number, q: Int32Array, w: number): boolean {
  const least =
    (q[w + 3] - p[o]) |
    (p[o + 3] - q[w]) |
    (q[w + 4] - p[o + 1]) |
    (p[o + 4] - q[w + 1]) |
    (q[w + 5] - p[o + 2]) |
    (p[o + 5] - q[w + 2]);
  return least < 0;
}

/** The same for the boxes of edges a b and c d. */
function areEdgesApart(box: Int32Array, a: number, b: number, c: number, d: number): boolean {
  const least =
    (Math.max(box[c + 3], box[d + 3]) - Math.min(box[a], box[b])) |
    (Math.max(box[a + 3], box[b + 3]) - Math.min(box[c], box[d])) |
    (Math.max(box[c + 4], box[d + 4]) - Math.min(box[a + 1], box[b + 1])) |
    (Math.max(box[a + 4], box[b + 4]) - Math.min(box[c + 1], box[d + 1])) |
    (Math.max(box[c + 5], box[d + 5]) - Math.min(box[a + 2], box[b + 2])) |
    (Math.max(box[a + 5], box[b + 5]) - Math.min(box[c + 2], box[d + 2]));
  return least < 0;
}

/** Looks at pairs of faces and appends what it finds to `out`, as far as that reaches; `count` goes on. */
export class PairTester {
  out: Int32Array = new Int32Array(0);
  outBegin = 0;
  outEnd = 0;
  count = 0;
  private readonly weights = new Float64Array(3);

  constructor(
    readonly x0: Float64Array,
    readonly x1: Float64Array,
    readonly face: Int32Array,
    readonly owned: Uint8Array,
    readonly vertexBox: Int32Array,
    readonly faceBox: Int32Array,
    /** m; nearer than this at the start is a find. */
    readonly reach: number,
    /** Whether contact on the way is a find; otherwise x1 is x0. */
    readonly isMoving: boolean,
  ) {}

  /** Faces f < g whose boxes meet. */
  test(f: number, g: number): void {
    const bitsF = this.owned[f];
    const bitsG = this.owned[g];
    if ((bitsF & 7) !== 0) this.testVertices(f, g, bitsF, f, g, 0);
    if ((bitsG & 7) !== 0) this.testVertices(g, f, bitsG, f, g, 3);
    if (bitsF >> 3 !== 0 && bitsG >> 3 !== 0) this.testEdges(f, g, bitsF >> 3, bitsG >> 3);
  }

  private testVertices(from: number, to: number, bits: number, f: number, g: number, kind: number): void {
    const { face, vertexBox, faceBox } = this;
    const a = face[3 * to];
    const b = face[3 * to + 1];
    const c = face[3 * to + 2];
    const o = 6 * to;
    for (let i = 0; i < 3; i++) {
      if ((bits & (1 << i)) === 0) continue;
      const v = face[3 * from + i];
      if (v === a || v === b || v === c) continue;
      const w = 6 * v;
      if (areBoxesApart(vertexBox, w, faceBox, o)) continue;
      if (this.isVertexFind(v, a, b, c)) this.add(f, g, kind + i, v, a, b, c);
    }
  }

  private isVertexFind(v: number, a: number, b: number, c: number): boolean {
    const { x0, x1, reach } = this;
    // Triangles in rising order of vertices, so that the answer is the same whatever the winding.
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    if (isVertexTriangleApart(x0, x1, v, low, a + b + c - low - high, high)) return false;
    if (vertexTriangleDistance(x0, v, a, b, c, this.weights) < reach * reach) return true;
    return this.isMoving && vertexTriangleCollides(x0, x1, v, a, b, c);
  }

  private testEdges(f: number, g: number, bitsF: number, bitsG: number): void {
    const { face, vertexBox } = this;
    for (let i = 0; i < 3; i++) {
      if ((bitsF & (1 << i)) === 0) continue;
      const a = face[3 * f + i];
      const b = face[3 * f + (i === 2 ? 0 : i + 1)];
      for (let j = 0; j < 3; j++) {
        if ((bitsG & (1 << j)) === 0) continue;
        const c = face[3 * g + j];
        const d = face[3 * g + (j === 2 ? 0 : j + 1)];
        if (a === c || a === d || b === c || b === d) continue;
        if (areEdgesApart(vertexBox, 6 * a, 6 * b, 6 * c, 6 * d)) continue;
        if (this.isEdgeFind(a, b, c, d)) this.add(f, g, FIRST_EDGES + 3 * i + j, a, b, c, d);
      }
    }
  }

  private isEdgeFind(a: number, b: number, c: number, d: number): boolean {
    const { x0, x1, reach } = this;
    const p = Math.min(a, b);
    const q = Math.min(c, d);
    const isApart =
      p <= q
        ? isEdgeEdgeApart(x0, x1, p, a + b - p, q, c + d - q)
        : isEdgeEdgeApart(x0, x1, q, c + d - q, p, a + b - p);
    if (isApart) return false;
    if (edgeEdgeDistance(x0, a, b, c, d, this.weights) < reach * reach) return true;
    return this.isMoving && edgeEdgeCollides(x0, x1, a, b, c, d);
  }

  private add(f: number, g: number, kind: number, a: number, b: number, c: number, d: number): void {
    const o = this.outBegin + FIND_SIZE * this.count++;
    if (o >= this.outEnd) return;
    const { out } = this;
    out[o] = f;
    out[o + 1] = g;
    out[o + FIND_KIND] = kind;
    out[o + FIND_VERTEX] = a;
    out[o + FIND_VERTEX + 1] = b;
    out[o + FIND_VERTEX + 2] = c;
    out[o + FIND_VERTEX + 3] = d;
  }
}

/** Buckets looked at together by one thread; each such chunk has its own part of the finds. */
export const BUCKET_GRAIN = 4096;
/** Boxes of one bucket, read once. */
let bucketBox = new Int32Array(6 * 64);

/** All pairs of faces that meet in the buckets [begin, end), each in the bucket of one cell, where the later of its first cells are. */
export function findInBuckets(
  begin: number,
  end: number,
  start: Int32Array,
  list: Int32Array,
  tester: PairTester,
): void {
  const { faceBox } = tester;
  for (let bucket = begin; bucket < end; bucket++) {
    // The last bits of a bucket are the place of its cell in the block (swept-grid.ts).
    const place = bucket & (BLOCK_CELLS - 1);
    const first = start[bucket];
    const count = start[bucket + 1] - first;
    if (count < 2) continue;
    if (6 * count > bucketBox.length) bucketBox = new Int32Array(12 * count);
    const box = bucketBox;
    for (let n = 0; n < count; n++) {
      const o = 6 * list[first + n];
      const w = 6 * n;
      box[w] = faceBox[o];
      box[w + 1] = faceBox[o + 1];
      box[w + 2] = faceBox[o + 2];
      box[w + 3] = faceBox[o + 3];
      box[w + 4] = faceBox[o + 4];
      box[w + 5] = faceBox[o + 5];
    }
    for (let n = 1; n < count; n++) {
      const x = box[6 * n];
      const y = box[6 * n + 1];
      const z = box[6 * n + 2];
      const X = box[6 * n + 3];
      const Y = box[6 * n + 4];
      const Z = box[6 * n + 5];
      const f = list[first + n];
      for (let m = 0; m < n; m++) {
        const w = 6 * m;
        const apart =
          (X - box[w]) |
          (box[w + 3] - x) |
          (Y - box[w + 1]) |
          (box[w + 4] - y) |
          (Z - box[w + 2]) |
          (box[w + 5] - z);
        if (apart < 0) continue;
        // Blocks that share buckets may show a pair twice; the caller sees to that.
        const i = (Math.max(x, box[w]) >> CELL_BITS) & 3;
        const j = (Math.max(y, box[w + 1]) >> CELL_BITS) & 3;
        const k = (Math.max(z, box[w + 2]) >> CELL_BITS) & 3;
        if (((i << 4) | (j << 2) | k) !== place) continue;
        const g = list[first + m];
        if (g < f) tester.test(g, f);
        else if (f < g) tester.test(f, g);
      }
    }
  }
}

export const findPairsTask = defineTask(
  'tracking: pairs',
  (
    begin,
    end,
    start: Int32Array,
    list: Int32Array,
    x0: Float64Array,
    x1: Float64Array,
    face: Int32Array,
    owned: Uint8Array,
    vertexBox: Int32Array,
    faceBox: Int32Array,
    reach: number,
    isMoving: number,
    out: Int32Array,
    capacity: number,
    outCount: Int32Array,
  ) => {
    const tester = new PairTester(x0, x1, face, owned, vertexBox, faceBox, reach, isMoving === 1);
    const chunk = begin / BUCKET_GRAIN;
    tester.out = out;
    tester.outBegin = FIND_SIZE * capacity * chunk;
    tester.outEnd = tester.outBegin + FIND_SIZE * capacity;
    margin[0] = reach;
    margin[1] = isMoving === 1 ? 0 : reach;
    findInBuckets(begin, end, start, list, tester);
    margin.fill(0);
    outCount[chunk] = tester.count;
  },
);
