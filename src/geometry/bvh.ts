/**
 * Bounding-volume hierarchy over triangles, in flat f64 arrays.
 *
 * Build: triangles are first put in Morton order of their centroids, so that everything after runs over
 * nearby memory; then ranges are split top-down at the best of 16 planes along the longest axis of the
 * centroids' box by the surface area heuristic (Wald, "On fast construction of SAH-based bounding volume
 * hierarchies", 2007). Ranges whose centroids coincide, and those below SAH_DEPTH, are halved, which bounds
 * the depth and hence the query stacks. Cost: O(n log n); about 1 s for a million triangles. Queries:
 * bvh-query.ts.
 */
import type { HeapScope } from '../core/heap.ts';
import type { Triangles } from './triangles.ts';

export interface Bvh {
  readonly triangleCount: number;
  readonly nodeCount: number;
  /** (nodeCount x 6) min x y z, max x y z. Node 0 is the root. */
  readonly nodeBox: Float64Array;
  /** (nodeCount x 2) inner node: first of its two adjacent children, 0. Leaf: first slot, number of slots. */
  readonly nodeLink: Int32Array;
  /** (triangleCount) triangle in each slot */
  readonly slotToTriangle: Int32Array;
  /** (triangleCount x 9) corner coordinates by slot, so that a leaf's triangles lie together in memory */
  readonly corner: Float64Array;
}

const LEAF_SIZE = 4;
const BIN_COUNT = 16;
/** Below this depth ranges are halved whatever the heuristic says. */
const SAH_DEPTH = 48;
/** Deepest possible tree: SAH_DEPTH, then halving of up to 2^31 triangles. What a query stack must hold. */
export const BVH_STACK_SIZE = SAH_DEPTH + 32;

type Allocator = Pick<HeapScope, 'f64' | 'i32'>;
const PLAIN_ARRAYS: Allocator = {
  f64: (length) => new Float64Array(length),
  i32: (length) => new Int32Array(length),
};

/** Builds the hierarchy; its arrays come from `scope` where queries are to run on other threads. */
export function buildBvh(mesh: Triangles, scope: Allocator = PLAIN_ARRAYS): Bvh {
  const n = mesh.triangleCount;
  const order = sortByMorton(mesh);
  const boxes = computeBoxes(mesh, order);
  const slots = new Int32Array(n);
  for (let i = 0; i < n; i++) slots[i] = i;

  const link = new Int32Array(2 * Math.max(1, 2 * n - 1));
  const nodeCount = n === 0 ? 0 : split(boxes, slots, link);

  const nodeLink = scope.i32(2 * nodeCount);
  nodeLink.set(link.subarray(0, 2 * nodeCount));
  const nodeBox = scope.f64(6 * nodeCount);
  computeNodeBoxes(nodeLink, nodeCount, boxes, slots, nodeBox);
  const slotToTriangle = scope.i32(n);
  const corner = scope.f64(9 * n);
  const { position, triangle } = mesh;
  for (let slot = 0; slot < n; slot++) {
    const t = order[slots[slot]];
    slotToTriangle[slot] = t;
    for (let i = 0; i < 3; i++) {
      const v = 3 * triangle[3 * t + i];
      const o = 9 * slot + 3 * i;
      corner[o] = position[v];
      corner[o + 1] = position[v + 1];
      corner[o + 2] = position[v + 2];
    }
  }
  return { triangleCount: n, nodeCount, nodeBox, nodeLink, slotToTriangle, corner };
}

/**
 * Splits [0, n) recursively into nodeLink, permuting `slots`; returns the number of nodes. Children follow
 * parents.
 */
function split(boxes: Float64Array, slots: Int32Array, link: Int32Array): number {
  const n = slots.length;
  const bins = createBins();
  const moved = new Int32Array(n);
  const stackNode = new Int32Array(BVH_STACK_SIZE + 1);
  const stackBegin = new Int32Array(BVH_STACK_SIZE + 1);
  const stackEnd = new Int32Array(BVH_STACK_SIZE + 1);
  const stackDepth = new Int32Array(BVH_STACK_SIZE + 1);
  let nodeCount = 1;
  let top = 1;
  stackEnd[0] = n;
  while (top > 0) {
    top--;
    const node = stackNode[top];
    const begin = stackBegin[top];
    const end = stackEnd[top];
    const depth = stackDepth[top];
    if (end - begin <= LEAF_SIZE) {
      link[2 * node] = begin;
      link[2 * node + 1] = end - begin;
      continue;
    }
    let middle = depth < SAH_DEPTH ? splitBySurfaceArea(boxes, slots, begin, end, bins, moved) : begin;
    if (middle === begin) middle = (begin + end) >> 1;
    const child = nodeCount;
    nodeCount += 2;
    link[2 * node] = child;
    link[2 * node + 1] = 0;
    stackNode[top] = child + 1;
    stackBegin[top] = middle;
    stackEnd[top] = end;
    stackDepth[top++] = depth + 1;
    stackNode[top] = child;
    stackBegin[top] = begin;
    stackEnd[top] = middle;
    stackDepth[top++] = depth + 1;
  }
  return nodeCount;
}

interface Bins {
  readonly count: Int32Array;
  /** (BIN_COUNT x 6) */
  readonly box: Float64Array;
  /** Area times count of everything from bin i to the right. */
  readonly rightCost: Float64Array;
}

function createBins(): Bins {
  return {
    count: new Int32Array(BIN_COUNT),
    box: new Float64Array(6 * BIN_COUNT),
    rightCost: new Float64Array(BIN_COUNT),
  };
}

/**
 * Partitions slots[begin, end) stably at the cheapest plane; returns where the right part starts, `begin` if
 * no plane parts it.
 */
function splitBySurfaceArea(
  boxes: Float64Array,
  slots: Int32Array,
  begin: number,
  end: number,
  bins: Bins,
  moved: Int32Array,
): number {
  // Box of the centroids (of twice them: sums save the halving).
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  for (let i = begin; i < end; i++) {
    const o = 6 * slots[i];
    const x = boxes[o] + boxes[o + 3];
    const y = boxes[o + 1] + boxes[o + 4];
    const z = boxes[o + 2] + boxes[o + 5];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  const wx = x1 - x0;
  const wy = y1 - y0;
  const wz = z1 - z0;
  const axis = wx >= wy && wx >= wz ? 0 : wy >= wz ? 1 : 2;
  const width = axis === 0 ? wx : axis === 1 ? wy : wz;
  const low = axis === 0 ? x0 : axis === 1 ? y0 : z0;
  const toBin = BIN_COUNT / width;
  if (!(width > 0) || toBin === Infinity) return begin;

  fillBins(boxes, slots, begin, end, axis, low, toBin, bins);
  const plane = findCheapestPlane(bins);

  let middle = begin;
  let right = 0;
  for (let i = begin; i < end; i++) {
    const slot = slots[i];
    const b = ((boxes[6 * slot + axis] + boxes[6 * slot + axis + 3] - low) * toBin) | 0;
    if (b < plane) slots[middle++] = slot;
    else moved[right++] = slot;
  }
  for (let i = 0; i < right; i++) slots[middle + i] = moved[i];
  return middle === end ? begin : middle;
}

function fillBins(
  boxes: Float64Array,
  slots: Int32Array,
  begin: number,
  end: number,
  axis: number,
  low: number,
  toBin: number,
  bins: Bins,
): void {
  const { count, box } = bins;
  count.fill(0);
  for (let b = 0; b < BIN_COUNT; b++) {
    box.fill(Infinity, 6 * b, 6 * b + 3);
    box.fill(-Infinity, 6 * b + 3, 6 * b + 6);
  }
  for (let i = begin; i < end; i++) {
    const o = 6 * slots[i];
    const raw = ((boxes[o + axis] + boxes[o + axis + 3] - low) * toBin) | 0;
    const bin = raw < BIN_COUNT ? raw : BIN_COUNT - 1;
    count[bin]++;
    const q = 6 * bin;
    if (boxes[o] < box[q]) box[q] = boxes[o];
    if (boxes[o + 1] < box[q + 1]) box[q + 1] = boxes[o + 1];
    if (boxes[o + 2] < box[q + 2]) box[q + 2] = boxes[o + 2];
    if (boxes[o + 3] > box[q + 3]) box[q + 3] = boxes[o + 3];
    if (boxes[o + 4] > box[q + 4]) box[q + 4] = boxes[o + 4];
    if (boxes[o + 5] > box[q + 5]) box[q + 5] = boxes[o + 5];
  }
}

/**
 * The plane before bin 1..BIN_COUNT-1 with the least sum of area times count; first and last bin are never
 * empty.
 */
function findCheapestPlane(bins: Bins): number {
  const { count, box, rightCost } = bins;
  const sweep = [0, 0, 0, 0, 0, 0];
  resetBox(sweep);
  let held = 0;
  for (let b = BIN_COUNT - 1; b > 0; b--) {
    growBox(sweep, box, 6 * b);
    held += count[b];
    rightCost[b] = held * computeHalfArea(sweep);
  }
  resetBox(sweep);
  held = 0;
  let best = 1;
  let bestCost = Infinity;
  for (let b = 1; b < BIN_COUNT; b++) {
    growBox(sweep, box, 6 * (b - 1));
    held += count[b - 1];
    const cost = held * computeHalfArea(sweep) + rightCost[b];
    if (cost < bestCost) {
      bestCost = cost;
      best = b;
    }
  }
  return best;
}

function resetBox(box: number[]): void {
  box[0] = box[1] = box[2] = Infinity;
  box[3] = box[4] = box[5] = -Infinity;
}

function growBox(box: number[], by: Float64Array, o: number): void {
  for (let i = 0; i < 3; i++) {
    if (by[o + i] < box[i]) box[i] = by[o + i];
    if (by[o + i + 3] > box[i + 3]) box[i + 3] = by[o + i + 3];
  }
}

function computeHalfArea(box: number[]): number {
  const x = box[3] - box[0];
  const y = box[4] - box[1];
  const z = box[5] - box[2];
  return x * y + y * z + z * x;
}

/** Boxes bottom-up: a child's id is always greater than its parent's. */
function computeNodeBoxes(
  link: Int32Array,
  nodeCount: number,
  boxes: Float64Array,
  slots: Int32Array,
  outBox: Float64Array,
): void {
  for (let node = nodeCount - 1; node >= 0; node--) {
    const first = link[2 * node];
    const count = link[2 * node + 1];
    const o = 6 * node;
    for (let i = 0; i < 6; i++) outBox[o + i] = i < 3 ? Infinity : -Infinity;
    const parts = count === 0 ? 2 : count;
    const source = count === 0 ? outBox : boxes;
    for (let part = 0; part < parts; part++) {
      const q = 6 * (count === 0 ? first + part : slots[first + part]);
      for (let i = 0; i < 3; i++) {
        if (source[q + i] < outBox[o + i]) outBox[o + i] = source[q + i];
        if (source[q + i + 3] > outBox[o + i + 3]) outBox[o + i + 3] = source[q + i + 3];
      }
    }
  }
}

/** (n x 6) boxes of the triangles in the given order. */
function computeBoxes(mesh: Triangles, order: Int32Array): Float64Array {
  const { position, triangle } = mesh;
  const boxes = new Float64Array(6 * order.length);
  for (let i = 0; i < order.length; i++) {
    const t = 3 * order[i];
    const a = 3 * triangle[t];
    const b = 3 * triangle[t + 1];
    const c = 3 * triangle[t + 2];
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = Math.min(position[a + k], position[b + k], position[c + k]);
      boxes[6 * i + 3 + k] = Math.max(position[a + k], position[b + k], position[c + k]);
    }
  }
  return boxes;
}

/** Triangles sorted by the 30-bit Morton code of their centroids (three 10-bit radix passes). */
function sortByMorton(mesh: Triangles): Int32Array {
  const { position, triangle, triangleCount: n } = mesh;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let h = 0; h < 3 * n; h++) {
    const v = 3 * triangle[h];
    for (let k = 0; k < 3; k++) {
      if (position[v + k] < low[k]) low[k] = position[v + k];
      if (position[v + k] > high[k]) high[k] = position[v + k];
    }
  }
  const width = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const toCell = width > 0 ? 1023 / (3 * width) : 0;
  let code = new Int32Array(n);
  let order = new Int32Array(n);
  for (let t = 0; t < n; t++) {
    const a = 3 * triangle[3 * t];
    const b = 3 * triangle[3 * t + 1];
    const c = 3 * triangle[3 * t + 2];
    const x = (position[a] + position[b] + position[c] - 3 * low[0]) * toCell;
    const y = (position[a + 1] + position[b + 1] + position[c + 1] - 3 * low[1]) * toCell;
    const z = (position[a + 2] + position[b + 2] + position[c + 2] - 3 * low[2]) * toCell;
    code[t] = spreadBits(x | 0) | (spreadBits(y | 0) << 1) | (spreadBits(z | 0) << 2);
    order[t] = t;
  }
  let nextCode = new Int32Array(n);
  let nextOrder = new Int32Array(n);
  const start = new Int32Array(1025);
  for (let shift = 0; shift < 30; shift += 10) {
    start.fill(0);
    for (let i = 0; i < n; i++) start[((code[i] >> shift) & 1023) + 1]++;
    for (let k = 0; k < 1024; k++) start[k + 1] += start[k];
    for (let i = 0; i < n; i++) {
      const at = start[(code[i] >> shift) & 1023]++;
      nextCode[at] = code[i];
      nextOrder[at] = order[i];
    }
    [code, nextCode] = [nextCode, code];
    [order, nextOrder] = [nextOrder, order];
  }
  return order;
}

/** Moves bit i of a 10-bit number to bit 3 i. */
function spreadBits(x: number): number {
  let b = x & 1023;
  b = (b | (b << 16)) & 0x030000ff;
  b = (b | (b << 8)) & 0x0300f00f;
  b = (b | (b << 4)) & 0x030c30c3;
  return (b | (b << 2)) & 0x09249249;
}
