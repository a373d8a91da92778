/**
 * Who reaches whom, and how: the dual traversal of the tree gives every target cell the source cells whose
 * far field it takes (with the order that this pair needs) and the source leaves it sums directly. Every pair
 * of source and target is covered exactly once.
 *
 * A pair of cells is far when the Taylor series of the kernel around the line between the centres converges
 * fast enough over both: kappa = (r_source + r_target) / sqrt(R^2 + delta^2), and order q leaves kappa^q. The
 * regularisation is in the denominator: the series' nearest singularity lies at the complex distance rho, so
 * a smoother kernel opens fewer cells. Of two cells that are not far, the larger is opened.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { PointTree } from './tree.ts';

export interface Interactions {
  /**
   * Far field of cell t: entries [farStart[t], farStart[t + 1]) of pairs (source cell, order), orders
   * falling; on the heap
   */
  readonly farStart: Int32Array;
  readonly far: Int32Array;
  /** Direct sums of leaf t: entries [nearStart[t], nearStart[t + 1]) of source leaves */
  readonly nearStart: Int32Array;
  readonly near: Int32Array;
}

export interface FarCriterion {
  /** (order + 1) largest kappa^2 that order q serves */
  readonly largestRatio: Float64Array;
  /** (order + 1) pairs of points whose direct sum costs as much as a translation of order q */
  readonly worthPairs: Float64Array;
}

/**
 * Within the regularised core (R < delta) the kernel's gradient is smaller than its scale 1 / rho^2 by R /
 * rho, and every second derivative all but vanishes: the remainder of order q is that of order q - 2.
 */
const ORDERS_LOST_IN_CORE = 2;

/** Ints that grow by doubling. */
class IntList {
  count = 0;
  values = new Int32Array(1 << 12);
  reserve(more: number): void {
    if (this.count + more <= this.values.length) return;
    const longer = new Int32Array(2 * this.values.length);
    longer.set(this.values);
    this.values = longer;
  }
}

export function buildInteractions(
  scope: HeapScope,
  tree: PointTree,
  softening: number,
  criterion: FarCriterion,
): Interactions {
  const far = new IntList(); // target, source, order
  const near = new IntList(); // target, source
  traverse(tree, softening, criterion, far, near);
  const highest = criterion.largestRatio.length - 1;
  const farStart = scope.i32(tree.cellCount + 1);
  const nearStart = scope.i32(tree.cellCount + 1);
  return {
    farStart,
    far: sortFar(scope, far, highest, farStart),
    nearStart,
    near: sortNear(scope, near, nearStart),
  };
}

function traverse(
  { firstChild, childCount, sourceCount, targetCount, centre, radius }: PointTree,
  softening: number,
  { largestRatio, worthPairs }: FarCriterion,
  far: IntList,
  near: IntList,
): void {
  if (sourceCount[0] === 0 || targetCount[0] === 0) return;
  const highest = largestRatio.length - 1;
  const stack = new IntList();
  stack.values[0] = 0;
  stack.values[1] = 0;
  stack.count = 2;
  while (stack.count > 0) {
    stack.count -= 2;
    const t = stack.values[stack.count];
    const s = stack.values[stack.count + 1];
    const x = centre[3 * t] - centre[3 * s];
    const y = centre[3 * t + 1] - centre[3 * s + 1];
    const z = centre[3 * t + 2] - centre[3 * s + 2];
    const apart = x * x + y * y + z * z;
    const square = apart + softening;
    const reach = radius[t] + radius[s];
    // All points of both in one place and no regularisation: they add nothing to each other.
    if (square === 0 && reach === 0) continue;
    const isLeafPair = childCount[t] === 0 && childCount[s] === 0;
    const reachSquare = reach * reach;
    const lost = softening > apart ? ORDERS_LOST_IN_CORE : 0;
    if (reachSquare <= largestRatio[highest - lost] * square) {
      let q = 1;
      while (reachSquare > largestRatio[q] * square) q++;
      q += lost;
      if (!isLeafPair || sourceCount[s] * targetCount[t] > worthPairs[q]) {
        far.reserve(3);
        far.values[far.count++] = t;
        far.values[far.count++] = s;
        far.values[far.count++] = q;
        continue;
      }
    }
    if (isLeafPair) {
      near.reserve(2);
      near.values[near.count++] = t;
      near.values[near.count++] = s;
      continue;
    }
    const opensTarget = childCount[s] === 0 || (childCount[t] > 0 && radius[t] >= radius[s]);
    const opened = opensTarget ? t : s;
    const wanted = opensTarget ? targetCount : sourceCount;
    stack.reserve(16);
    for (let child = firstChild[opened]; child < firstChild[opened] + childCount[opened]; child++) {
      if (wanted[child] === 0) continue;
      stack.values[stack.count++] = opensTarget ? child : t;
      stack.values[stack.count++] = opensTarget ? s : child;
    }
  }
}

/** Stable, by falling order and then by target; fills start. */
function sortFar(
  scope: HeapScope,
  { count, values }: IntList,
  highest: number,
  start: Int32Array,
): Int32Array {
  const entries = count / 3;
  const place = new Int32Array(highest + 2);
  for (let i = 2; i < count; i += 3) place[highest - values[i] + 1]++;
  for (let q = 0; q <= highest; q++) place[q + 1] += place[q];
  const byOrder = new Int32Array(entries);
  for (let i = 0; i < count; i += 3) byOrder[place[highest - values[i + 2]]++] = i;
  for (let i = 0; i < count; i += 3) start[values[i] + 1]++;
  for (let t = 0; t + 1 < start.length; t++) start[t + 1] += start[t];
  const next = start.slice();
  const far = scope.i32(2 * entries);
  for (let e = 0; e < entries; e++) {
    const i = byOrder[e];
    const at = 2 * next[values[i]]++;
    far[at] = values[i + 1];
    far[at + 1] = values[i + 2];
  }
  return far;
}

function sortNear(scope: HeapScope, { count, values }: IntList, start: Int32Array): Int32Array {
  for (let i = 0; i < count; i += 2) start[values[i] + 1]++;
  for (let t = 0; t + 1 < start.length; t++) start[t + 1] += start[t];
  const next = start.slice();
  const near = scope.i32(count / 2);
  for (let i = 0; i < count; i += 2) near[next[values[i]]++] = values[i + 1];
  return near;
}
