/**
 * Narrow phase on all threads: pairs of primitives of the moving mesh, each once, sifted down to the few that
 * touch on the way or are near.
 *
 * Every vertex and every edge belongs to one of its faces (`owned`), and a pair of primitives is looked at
 * only where the faces they belong to (or the face itself) meet: none is missed, none comes twice. One look
 * serves both collisions and merging: a find says whether it touches on the way or is near at the start, and
 * whether it is near at the end by a reach of its own. Boxes in whole numbers (swept-grid.ts,
 * kernels/box-pairs.ts) come first, then the filters of geometry/collision with a margin, then distance and
 * contact as such. What a task finds depends on the positions alone, so that any number of threads finds the
 * same.
 */
import { omitColumns } from '../../core/records.ts';
import { defineTask } from '../../core/threads/task.ts';
import { dropApart } from '../../geometry/collision/apart.ts';
import { FIRST_EDGES, findBoxPairs, PAIR_RECORD } from '../../geometry/collision/box-pairs.ts';
import { edgeEdgeCollides, vertexTriangleCollides } from '../../geometry/collision/continuous.ts';
import { edgeEdgeDistance, vertexTriangleDistance } from '../../geometry/collision/proximity.ts';

/**
 * A find: the two faces, lower first; which primitives of them, for the order; then vertex and triangle, or
 * two edges.
 */
export const FIND_SIZE = PAIR_RECORD;
export const FIND_KIND = 2;
export const FIND_VERTEX = 3;
/** Why it was found: MEETS on the way or is near at the start, ENDS_NEAR. */
export const FIND_WHY = 7;
export const MEETS = 1;
export const ENDS_NEAR = 2;
export { FIRST_EDGES };

/** Vertices 0..2 and edges 3..5 of a face that belong to it, as bits. */
export const ownedTask = defineTask(
  'tracking/list-owners',
  { face: 'i32', vertexCorner: 'i32', cornerEdge: 'i32', edgeCorner: 'i32', out: 'u8' },
  (begin, end, { face, vertexCorner, cornerEdge, edgeCorner, out }) => {
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

const weights = new Float64Array(3);

/** Where vertices are at the start and at the end, and how near counts, m. */
export interface PairSearch {
  readonly x0: Float64Array;
  readonly x1: Float64Array;
  readonly reach: number;
  readonly endReach: number;
  /** Else the end is the start. */
  readonly isMoving: boolean;
}

/**
 * Keeps of `count` records from out[begin] on those that touch on the way (if the mesh moves), are nearer
 * than the reach at the start, or nearer than `endReach` at the end. Returns how many.
 */
export function siftPairs(out: Int32Array, begin: number, count: number, search: PairSearch): number {
  const { x0, x1, reach, endReach, isMoving } = search;
  const near = isMoving ? endReach : Math.max(reach, endReach);
  const first = begin / FIND_SIZE;
  const left = dropApart(first, first + count, { records: out, x0, x1, near0: reach, near1: near });
  let kept = 0;
  for (let n = 0; n < left; n++) {
    const o = begin + FIND_SIZE * n;
    const a = out[o + FIND_VERTEX];
    const b = out[o + FIND_VERTEX + 1];
    const c = out[o + FIND_VERTEX + 2];
    const d = out[o + FIND_VERTEX + 3];
    const why =
      out[o + FIND_KIND] >= FIRST_EDGES ? testEdges(search, a, b, c, d) : testVertex(search, a, b, c, d);
    if (why === 0) continue;
    const to = begin + FIND_SIZE * kept++;
    for (let k = 0; k < FIND_WHY; k++) out[to + k] = out[o + k];
    out[to + FIND_WHY] = why;
  }
  return kept;
}

function testVertex(search: PairSearch, v: number, a: number, b: number, c: number): number {
  const { x0, x1, reach, endReach, isMoving } = search;
  let why =
    endReach > 0 && vertexTriangleDistance(x1, v, a, b, c, weights) < endReach * endReach ? ENDS_NEAR : 0;
  if (vertexTriangleDistance(x0, v, a, b, c, weights) < reach * reach) why |= MEETS;
  else if (isMoving && vertexTriangleCollides(x0, x1, v, a, b, c)) why |= MEETS;
  return why;
}

function testEdges(search: PairSearch, a: number, b: number, c: number, d: number): number {
  const { x0, x1, reach, endReach, isMoving } = search;
  let why = endReach > 0 && edgeEdgeDistance(x1, a, b, c, d, weights) < endReach * endReach ? ENDS_NEAR : 0;
  if (edgeEdgeDistance(x0, a, b, c, d, weights) < reach * reach) why |= MEETS;
  else if (isMoving && edgeEdgeCollides(x0, x1, a, b, c, d)) why |= MEETS;
  return why;
}

/** Buckets looked at together by one thread; each such chunk has its own part of the finds. */
export const BUCKET_GRAIN = 2048;

/**
 * Finds of the buckets [begin, end) into the chunk's part of `out`; where the pairs to sift outnumber its
 * capacity, their number as a negative.
 */
export const findPairsTask = defineTask(
  'tracking/test-pairs',
  {
    ...omitColumns(findBoxPairs.columns, 'outBegin'),
    x0: 'f64',
    x1: 'f64',
    reach: 'number',
    endReach: 'number',
    isMoving: 'number',
    outCount: 'i32',
  },
  (begin, end, values) => {
    const { out, capacity, outCount, x0, x1, reach, endReach } = values;
    const chunk = begin / BUCKET_GRAIN;
    const at = FIND_SIZE * capacity * chunk;
    const count = findBoxPairs(begin, end, { ...values, outBegin: at });
    const search = { x0, x1, reach, endReach, isMoving: values.isMoving === 1 };
    outCount[chunk] = count > capacity ? -count : siftPairs(out, at, count, search);
  },
);
