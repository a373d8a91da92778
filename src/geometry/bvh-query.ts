/**
 * Queries of a Bvh: closest point, first ray hit, ray crossings, box overlap.
 * A BvhQuery holds the stack and the answer; make one per caller and reuse it, so that nothing is allocated
 * per query and queries can nest. The functions over flat arrays (`findClosestSlot`, `countCrossings`) are
 * what parallel tasks call.
 */

import { doubled } from '../core/doubled.ts';
import { NONE } from '../core/types.ts';
import { BVH_STACK_SIZE, type Bvh } from './bvh.ts';
import {
  CLOSEST_FEATURE,
  CLOSEST_WEIGHT_B,
  CLOSEST_WEIGHT_C,
  computeClosestOnTriangle,
} from './triangle-distance.ts';

/** Scratch of one traversal. */
export interface BvhStack {
  readonly node: Int32Array;
  /** Squared distance of (closest) or entry parameter into (ray) the waiting node's box. */
  readonly key: Float64Array;
  /** What computeClosestOnTriangle answers; after findClosestSlot, of the returned slot. */
  readonly closest: Float64Array;
  /** The point asked about, set by findClosestSlot. */
  readonly point: Float64Array;
}

/** What a search reads of a Bvh. */
export type BvhTree = Pick<Bvh, 'nodeBox' | 'nodeLink' | 'corner'>;

/** origin + t direction */
export interface Ray {
  readonly ox: number;
  readonly oy: number;
  readonly oz: number;
  readonly dx: number;
  readonly dy: number;
  readonly dz: number;
}

export class BvhQuery {
  /** Answer of findClosest and findRayHit: triangle, NONE if nothing was found. */
  triangle = NONE;
  /** Squared distance, m^2 (findClosest). */
  distance2 = Infinity;
  /** Feature code of the closest point: triangle-distance.ts. */
  feature = 0;
  /** Weights of the triangle's second and third corners at the found point. */
  weightB = 0;
  weightC = 0;
  /** Ray parameter of the hit (findRayHit), in lengths of the given direction. */
  rayParameter = Infinity;
  /** Triangles found by findOverlaps: the first `foundCount` entries. */
  found = new Int32Array(64);
  foundCount = 0;
  readonly stack: BvhStack = createBvhStack();
}

export function createBvhStack(): BvhStack {
  return {
    node: new Int32Array(BVH_STACK_SIZE),
    key: new Float64Array(BVH_STACK_SIZE),
    closest: new Float64Array(3),
    point: new Float64Array(3),
  };
}

/** Closest triangle to a point within maxDistance: fills `query` and returns the triangle or NONE. */
export function findClosest(
  bvh: Bvh,
  query: BvhQuery,
  x: number,
  y: number,
  z: number,
  maxDistance = Infinity,
): number {
  const { corner } = bvh;
  const slot = findClosestSlot(bvh, query.stack, x, y, z, maxDistance * maxDistance, NONE);
  query.triangle = NONE;
  query.distance2 = Infinity;
  if (slot === NONE) return NONE;
  const { closest, point } = query.stack;
  query.distance2 = computeClosestOnTriangle(corner, 9 * slot, point, closest);
  query.feature = closest[CLOSEST_FEATURE];
  query.weightB = closest[CLOSEST_WEIGHT_B];
  query.weightC = closest[CLOSEST_WEIGHT_C];
  query.triangle = bvh.slotToTriangle[slot];
  return query.triangle;
}

/**
 * Slot of the closest triangle with squared distance < limit2, else NONE. `guess` is a slot likely to be near
 * (the answer of a neighbouring point) or NONE: it shortens the search and never changes the distance found.
 */
export function findClosestSlot(
  { nodeBox, nodeLink, corner }: BvhTree,
  stack: BvhStack,
  x: number,
  y: number,
  z: number,
  limit2: number,
  guess: number,
): number {
  if (nodeLink.length === 0) return NONE;
  const { node: stackNode, key: stackKey, closest, point } = stack;
  point[0] = x;
  point[1] = y;
  point[2] = z;
  let best = NONE;
  let best2 = limit2;
  if (guess !== NONE) {
    const d2 = computeClosestOnTriangle(corner, 9 * guess, point, closest);
    if (d2 < best2) {
      best2 = d2;
      best = guess;
    }
  }
  let top = 0;
  let node = 0;
  for (;;) {
    const first = nodeLink[2 * node];
    const count = nodeLink[2 * node + 1];
    if (count > 0) {
      for (let slot = first; slot < first + count; slot++) {
        const d2 = computeClosestOnTriangle(corner, 9 * slot, point, closest);
        if (d2 < best2) {
          best2 = d2;
          best = slot;
        }
      }
    } else {
      const left2 = computeBoxDistance2(nodeBox, 6 * first, x, y, z);
      const right2 = computeBoxDistance2(nodeBox, 6 * first + 6, x, y, z);
      // Descend into the nearer child, keep the other for later: it is often pruned by then.
      const swap = right2 < left2;
      const near2 = swap ? right2 : left2;
      const far2 = swap ? left2 : right2;
      if (far2 < best2) {
        stackNode[top] = swap ? first : first + 1;
        stackKey[top++] = far2;
      }
      if (near2 < best2) {
        node = swap ? first + 1 : first;
        continue;
      }
    }
    while (top > 0 && stackKey[top - 1] >= best2) top--;
    if (top === 0) return best;
    node = stackNode[--top];
  }
}

function computeBoxDistance2(box: Float64Array, o: number, x: number, y: number, z: number): number {
  const x0 = box[o] - x;
  const y0 = box[o + 1] - y;
  const z0 = box[o + 2] - z;
  const x1 = x - box[o + 3];
  const y1 = y - box[o + 4];
  const z1 = z - box[o + 5];
  let d2 = 0;
  if (x0 > 0) d2 = x0 * x0;
  else if (x1 > 0) d2 = x1 * x1;
  if (y0 > 0) d2 += y0 * y0;
  else if (y1 > 0) d2 += y1 * y1;
  if (z0 > 0) d2 += z0 * z0;
  else if (z1 > 0) d2 += z1 * z1;
  return d2;
}

/**
 * First triangle hit by origin + t direction with 0 <= t < maxParameter: fills `query`, returns the triangle
 * or NONE.
 */
export function findRayHit(bvh: Bvh, query: BvhQuery, ray: Ray, maxParameter = Infinity): number {
  const { corner, nodeBox, nodeLink } = bvh;
  const { node: stackNode, key: stackKey } = query.stack;
  const hit = query.stack.closest;
  query.triangle = NONE;
  query.rayParameter = maxParameter;
  if (bvh.nodeCount === 0) return NONE;
  let top = 0;
  stackNode[top] = 0;
  stackKey[top++] = 0;
  while (top > 0) {
    const node = stackNode[--top];
    if (stackKey[top] > query.rayParameter) continue;
    const first = nodeLink[2 * node];
    const count = nodeLink[2 * node + 1];
    if (count > 0) {
      for (let slot = first; slot < first + count; slot++) {
        const t = computeRayTriangle(corner, 9 * slot, ray, hit);
        if (!(t >= 0 && t < query.rayParameter)) continue;
        query.rayParameter = t;
        query.triangle = bvh.slotToTriangle[slot];
        query.weightB = hit[CLOSEST_WEIGHT_B];
        query.weightC = hit[CLOSEST_WEIGHT_C];
      }
      continue;
    }
    const left = computeRayEntry(nodeBox, 6 * first, ray);
    const right = computeRayEntry(nodeBox, 6 * first + 6, ray);
    const swap = right < left;
    // Farther child first onto the stack, so that the nearer one comes off next.
    for (let k = 0; k < 2; k++) {
      const takeRight = (k === 0) !== swap;
      const entry = takeRight ? right : left;
      if (entry > query.rayParameter || entry === Infinity) continue;
      stackNode[top] = takeRight ? first + 1 : first;
      stackKey[top++] = entry;
    }
  }
  return query.triangle;
}

/** Parameter at which the ray enters the box (0 if it starts inside), Infinity if it misses. */
function computeRayEntry(box: Float64Array, o: number, { ox, oy, oz, dx, dy, dz }: Ray): number {
  let enter = 0;
  let leave = Infinity;
  for (let k = 0; k < 3; k++) {
    const origin = k === 0 ? ox : k === 1 ? oy : oz;
    const direction = k === 0 ? dx : k === 1 ? dy : dz;
    const low = box[o + k] - origin;
    const high = box[o + k + 3] - origin;
    if (direction === 0) {
      if (low > 0 || high < 0) return Infinity;
      continue;
    }
    const t0 = low / direction;
    const t1 = high / direction;
    enter = Math.max(enter, Math.min(t0, t1));
    leave = Math.min(leave, Math.max(t0, t1));
  }
  // Rounding of the divisions must not cut a flat box: widen by a few ulps.
  return enter <= leave * (1 + 8 * Number.EPSILON) ? enter : Infinity;
}

/**
 * Ray parameter of the hit with the triangle's plane inside the triangle, else NaN (Moeller and Trumbore
 * 1997).
 */
function computeRayTriangle(
  corner: Float64Array,
  o: number,
  { ox, oy, oz, dx, dy, dz }: Ray,
  outWeights: Float64Array,
): number {
  const abx = corner[o + 3] - corner[o];
  const aby = corner[o + 4] - corner[o + 1];
  const abz = corner[o + 5] - corner[o + 2];
  const acx = corner[o + 6] - corner[o];
  const acy = corner[o + 7] - corner[o + 1];
  const acz = corner[o + 8] - corner[o + 2];
  const px = dy * acz - dz * acy;
  const py = dz * acx - dx * acz;
  const pz = dx * acy - dy * acx;
  const determinant = abx * px + aby * py + abz * pz;
  const tx = ox - corner[o];
  const ty = oy - corner[o + 1];
  const tz = oz - corner[o + 2];
  const b = (tx * px + ty * py + tz * pz) / determinant;
  const qx = ty * abz - tz * aby;
  const qy = tz * abx - tx * abz;
  const qz = tx * aby - ty * abx;
  const c = (dx * qx + dy * qy + dz * qz) / determinant;
  outWeights[CLOSEST_WEIGHT_B] = b;
  outWeights[CLOSEST_WEIGHT_C] = c;
  if (!(b >= 0 && c >= 0 && b + c <= 1)) return NaN;
  return (acx * qx + acy * qy + acz * qz) / determinant;
}

/** An inner node has no slots, but two children that lie side by side. */
function pushChildren(stackNode: Int32Array, top: number, first: number): number {
  stackNode[top] = first + 1;
  stackNode[top + 1] = first;
  return top + 2;
}

/** How near an edge, in barycentric weight, a crossing counts as ambiguous. Ten digits above rounding. */
const CROSSING_MARGIN = 1e-6;

/**
 * Number of triangles the ray crosses, or NONE if it passes so near an edge, or so flat along a face, that
 * the count cannot be trusted: the caller tries another direction.
 */
export function countCrossings({ nodeBox, nodeLink, corner }: BvhTree, stack: BvhStack, ray: Ray): number {
  if (nodeLink.length === 0) return 0;
  const { node: stackNode, closest: weights } = stack;
  let crossings = 0;
  let top = 0;
  stackNode[top++] = 0;
  while (top > 0) {
    const node = stackNode[--top];
    if (computeRayEntry(nodeBox, 6 * node, ray) === Infinity) continue;
    const first = nodeLink[2 * node];
    const count = nodeLink[2 * node + 1];
    if (count === 0) top = pushChildren(stackNode, top, first);
    for (let slot = first; slot < first + count; slot++) {
      const t = computeRayTriangle(corner, 9 * slot, ray, weights);
      const b = weights[CLOSEST_WEIGHT_B];
      const c = weights[CLOSEST_WEIGHT_C];
      const least = Math.min(b, c, 1 - b - c);
      // A sliver, or one the ray lies in, gives weights that are not numbers: ambiguous too.
      if (Number.isNaN(least) || Math.abs(least) < CROSSING_MARGIN) return NONE;
      if (least > 0 && t > 0) crossings++;
    }
  }
  return crossings;
}

/** Triangles whose boxes touch the given box, into query.found; returns how many. */
export function findOverlaps(
  bvh: Bvh,
  query: BvhQuery,
  x0: number,
  y0: number,
  z0: number,
  x1: number,
  y1: number,
  z1: number,
): number {
  const { nodeBox, nodeLink, corner, slotToTriangle } = bvh;
  const stackNode = query.stack.node;
  query.foundCount = 0;
  if (bvh.nodeCount === 0) return 0;
  let top = 0;
  stackNode[top++] = 0;
  while (top > 0) {
    const node = stackNode[--top];
    const o = 6 * node;
    if (nodeBox[o] > x1 || nodeBox[o + 1] > y1 || nodeBox[o + 2] > z1) continue;
    if (nodeBox[o + 3] < x0 || nodeBox[o + 4] < y0 || nodeBox[o + 5] < z0) continue;
    const first = nodeLink[2 * node];
    const count = nodeLink[2 * node + 1];
    if (count === 0) top = pushChildren(stackNode, top, first);
    for (let slot = first; slot < first + count; slot++) {
      const c = 9 * slot;
      if (!touches(corner, c, x0, x1) || !touches(corner, c + 1, y0, y1) || !touches(corner, c + 2, z0, z1))
        continue;
      if (query.foundCount === query.found.length) query.found = doubled(query.found);
      query.found[query.foundCount++] = slotToTriangle[slot];
    }
  }
  return query.foundCount;
}

/** Does the triangle's extent along the axis of corner[o] meet [low, high]? */
function touches(corner: Float64Array, o: number, low: number, high: number): boolean {
  const a = corner[o];
  const b = corner[o + 3];
  const c = corner[o + 6];
  return !((a < low && b < low && c < low) || (a > high && b > high && c > high));
}
