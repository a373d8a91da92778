/**
 * Broad phase of moving surfaces: pairs of primitives whose boxes, in whole numbers, meet
 * (tracking/multimaterial/pair-test.ts says what they mean). A box is six numbers, least corner first.
 */
import { defineKernel } from '../../core/kernels.ts';
import type { Values } from '../../core/records.ts';
import { NONE } from '../../core/types.ts';

/** Numbers of a record: faces f < g, kind, four vertices; the last is unused. */
export const PAIR_RECORD = 8;
/** Quanta in a cell, and cells in a block, as powers of two. */
export const CELL_BITS = 12;
export const BLOCK_CELLS = 64;
/** Kinds: vertex i of the lower face 0..2, of the other 3..5, then edges 6 + 3 i + j. */
export const FIRST_EDGES = 6;

/** Where pairs come from, and go to: from out[outBegin] on, at most `capacity` of them. */
const pairColumns = {
  faceBox: 'i32',
  vertexBox: 'i32',
  face: 'i32',
  owned: 'u8',
  out: 'i32',
  outBegin: 'number',
  capacity: 'number',
} as const;
export type BoxPairViews = Values<typeof pairColumns>;

/**
 * Pairs of primitives of the faces in the buckets [begin, end) whose boxes meet; returns how many there are.
 */
export const findBoxPairs = defineKernel(
  'findBoxPairs',
  { start: 'i32', list: 'i32', ...pairColumns },
  (begin, end, views) => {
    const { start, list, faceBox } = views;
    let count = 0;
    for (let bucket = begin; bucket < end; bucket++) {
      // The last bits of a bucket are the place of its cell in the block.
      const place = bucket & (BLOCK_CELLS - 1);
      const first = start[bucket];
      const last = start[bucket + 1];
      for (let n = first + 1; n < last; n++) {
        const p = list[n];
        const o = 6 * p;
        for (let m = first; m < n; m++) {
          const q = list[m];
          const w = 6 * q;
          if (areBoxesApart(faceBox, o, faceBox, w)) continue;
          const i = (Math.max(faceBox[o], faceBox[w]) >> CELL_BITS) & 3;
          const j = (Math.max(faceBox[o + 1], faceBox[w + 1]) >> CELL_BITS) & 3;
          const k = (Math.max(faceBox[o + 2], faceBox[w + 2]) >> CELL_BITS) & 3;
          if (((i << 4) | (j << 2) | k) !== place || p === q) continue;
          count = addFacePair(Math.min(p, q), Math.max(p, q), views, count);
        }
      }
    }
    return count;
  },
);

/** Pairs of primitives of faces f < g whose boxes meet; returns the new count. */
export function addFacePair(f: number, g: number, views: BoxPairViews, count: number): number {
  const bitsF = views.owned[f];
  const bitsG = views.owned[g];
  if ((bitsF & 7) !== 0) count = addVertices(f, g, bitsF, f, g, 0, views, count);
  if ((bitsG & 7) !== 0) count = addVertices(g, f, bitsG, f, g, 3, views, count);
  if (bitsF >> 3 !== 0 && bitsG >> 3 !== 0) count = addEdges(f, g, bitsF >> 3, bitsG >> 3, views, count);
  return count;
}

/**
 * Six comparisons in one: which of them fails no processor can guess. Quanta have 31 bits, so that
 * differences fit.
 */
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

function addVertices(
  from: number,
  to: number,
  bits: number,
  f: number,
  g: number,
  kind: number,
  views: BoxPairViews,
  count: number,
): number {
  const { face, vertexBox, faceBox } = views;
  const a = face[3 * to];
  const b = face[3 * to + 1];
  const c = face[3 * to + 2];
  for (let i = 0; i < 3; i++) {
    if ((bits & (1 << i)) === 0) continue;
    const v = face[3 * from + i];
    if (v === a || v === b || v === c) continue;
    if (areBoxesApart(vertexBox, 6 * v, faceBox, 6 * to)) continue;
    const o = beginPair(views, count++, f, g, kind + i);
    if (o !== NONE) setVertices(views.out, o, v, a, b, c);
  }
  return count;
}

function addEdges(
  f: number,
  g: number,
  bitsF: number,
  bitsG: number,
  views: BoxPairViews,
  count: number,
): number {
  const { face, vertexBox } = views;
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
      const o = beginPair(views, count++, f, g, FIRST_EDGES + 3 * i + j);
      if (o !== NONE) setVertices(views.out, o, a, b, c, d);
    }
  }
  return count;
}

/** Where in `out` the record of pair number n begins, its faces and kind set; NONE where there is no room. */
function beginPair(
  { out, outBegin, capacity }: BoxPairViews,
  n: number,
  f: number,
  g: number,
  kind: number,
): number {
  if (n >= capacity) return NONE;
  const o = outBegin + PAIR_RECORD * n;
  out[o] = f;
  out[o + 1] = g;
  out[o + 2] = kind;
  return o;
}

function setVertices(out: Int32Array, o: number, a: number, b: number, c: number, d: number): void {
  out[o + 3] = a;
  out[o + 4] = b;
  out[o + 5] = c;
  out[o + 6] = d;
}
