/**
 * Pairs of faces too near each other for one point per face, with the mean of 1/r over both triangles less that of their middles.
 * Faces that share a corner are always among them. Pairs are found with a grid of cells over the middles. Cost: linear in faces times the
 * dozens of neighbours each has.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import {
  computeNearMean,
  computeSelfEnergy,
  computeTouchingMean,
  triangleArea,
} from './triangle-potential.ts';

/** A pair is near when its middles are closer than this many times the sum of the two faces' reaches (middle to farthest corner). */
export const NEAR = 1.5;
const GRAIN = 512;

export interface NearPairs {
  readonly count: number;
  /** (pairs x 2) faces, the lower first */
  readonly face: Int32Array;
  /** (pairs) do they share a corner? */
  readonly isTouching: Uint8Array;
  /** Pairs of each face: rows of the symmetric matrix. */
  readonly rowStart: Int32Array;
  readonly rowPair: Int32Array;
  /** (pairs) mean of 1/r less 1/r of the middles, 1/m */
  readonly value: Float64Array;
  /** (faces) mean of 1/r over the face and itself, 1/m */
  readonly self: Float64Array;
}

/** Finds the pairs; `computeNearPairs` gives their values. Their order follows that of the faces. */
export function findNearPairs(
  corner: Int32Array,
  position: Float64Array,
  middle: Float64Array,
  threads: Threads,
  scope: HeapScope,
): NearPairs {
  const faceCount = corner.length / 3;
  const reach = scope.f64(faceCount);
  const farthest = threads.max(reachTask, faceCount, GRAIN, corner, position, middle, reach);
  const grid = sortIntoCells(middle, 2 * NEAR * farthest, scope);
  const start = scope.i32(faceCount + 1);
  const { table, cellStart, sorted } = grid;
  threads.run(countTask, faceCount, GRAIN, middle, reach, grid.frame, table, cellStart, sorted, start);
  for (let f = 0; f < faceCount; f++) start[f + 1] += start[f];
  const count = start[faceCount];
  const pairs = scope.i32(2 * count);
  const touching = scope.u8(count);
  threads.run(
    fillTask,
    faceCount,
    GRAIN,
    corner,
    middle,
    reach,
    grid.frame,
    table,
    cellStart,
    sorted,
    start,
    pairs,
    touching,
  );
  const rowStart = scope.i32(faceCount + 1);
  for (let n = 0; n < 2 * count; n++) rowStart[pairs[n] + 1]++;
  for (let f = 0; f < faceCount; f++) rowStart[f + 1] += rowStart[f];
  const rowPair = scope.i32(2 * count);
  const next = rowStart.slice(0, faceCount);
  for (let n = 0; n < 2 * count; n++) rowPair[next[pairs[n]]++] = n >> 1;
  return {
    count,
    face: pairs,
    isTouching: touching,
    rowStart,
    rowPair,
    value: scope.f64(count),
    self: scope.f64(faceCount),
  };
}

/** Distance of each face's middle from its farthest corner; the greatest of all. */
const reachTask = defineTask(
  'films face reach',
  (begin, end, corner: Int32Array, p: Float64Array, middle: Float64Array, reach: Float64Array) => {
    let most = 0;
    for (let f = begin; f < end; f++) {
      let far = 0;
      for (let c = 3 * f; c < 3 * f + 3; c++) {
        const v = 3 * corner[c];
        const x = p[v] - middle[3 * f];
        const y = p[v + 1] - middle[3 * f + 1];
        const z = p[v + 2] - middle[3 * f + 2];
        far = Math.max(far, x * x + y * y + z * z);
      }
      reach[f] = Math.sqrt(far);
      most = Math.max(most, reach[f]);
    }
    return most;
  },
);

const countTask = defineTask(
  'films count near pairs',
  (
    begin,
    end,
    middle: Float64Array,
    reach: Float64Array,
    frame: Float64Array,
    table: Int32Array,
    cellStart: Int32Array,
    sorted: Int32Array,
    start: Int32Array,
  ) => {
    const found: number[] = [];
    for (let f = begin; f < end; f++)
      start[f + 1] = findAbove(f, middle, reach, frame, table, cellStart, sorted, found);
  },
);

const fillTask = defineTask(
  'films list near pairs',
  (
    begin,
    end,
    corner: Int32Array,
    middle: Float64Array,
    reach: Float64Array,
    frame: Float64Array,
    table: Int32Array,
    cellStart: Int32Array,
    sorted: Int32Array,
    start: Int32Array,
    pairs: Int32Array,
    touching: Uint8Array,
  ) => {
    const found: number[] = [];
    for (let f = begin; f < end; f++) {
      const count = findAbove(f, middle, reach, frame, table, cellStart, sorted, found);
      for (let n = 0; n < count; n++) {
        const at = start[f] + n;
        pairs[2 * at] = f;
        pairs[2 * at + 1] = found[n];
        touching[at] = shareCorner(corner, f, found[n]) ? 1 : 0;
      }
    }
  },
);

function shareCorner(corner: Int32Array, f: number, g: number): boolean {
  for (let i = 3 * f; i < 3 * f + 3; i++)
    for (let j = 3 * g; j < 3 * g + 3; j++) if (corner[i] === corner[j]) return true;
  return false;
}

/** Values at these positions. */
export function computeNearPairs(
  pairs: NearPairs,
  corner: Int32Array,
  position: Float64Array,
  middle: Float64Array,
  threads: Threads,
): void {
  threads.run(selfTask, pairs.self.length, GRAIN, corner, position, pairs.self);
  const { face, isTouching, value } = pairs;
  threads.run(pairTask, pairs.count, GRAIN, face, isTouching, corner, position, middle, value);
}

function gather(corner: Int32Array, position: Float64Array, f: number, out: Float64Array, at: number): void {
  for (let i = 0; i < 3; i++) {
    const v = 3 * corner[3 * f + i];
    out[at + 3 * i] = position[v];
    out[at + 3 * i + 1] = position[v + 1];
    out[at + 3 * i + 2] = position[v + 2];
  }
}

const selfTask = defineTask(
  'films self energy',
  (begin, end, corner: Int32Array, position: Float64Array, self: Float64Array) => {
    const p = new Float64Array(9);
    for (let f = begin; f < end; f++) {
      gather(corner, position, f, p, 0);
      self[f] = computeSelfEnergy(p, 0) / triangleArea(p, 0) ** 2;
    }
  },
);

const pairTask = defineTask(
  'films near pairs',
  (
    begin,
    end,
    face: Int32Array,
    isTouching: Uint8Array,
    corner: Int32Array,
    position: Float64Array,
    middle: Float64Array,
    value: Float64Array,
  ) => {
    const p = new Float64Array(18);
    for (let n = begin; n < end; n++) {
      const f = face[2 * n];
      const g = face[2 * n + 1];
      gather(corner, position, f, p, 0);
      gather(corner, position, g, p, 9);
      const dx = middle[3 * f] - middle[3 * g];
      const dy = middle[3 * f + 1] - middle[3 * g + 1];
      const dz = middle[3 * f + 2] - middle[3 * g + 2];
      const mean = isTouching[n] ? computeTouchingMean(p, 0, 9) : computeNearMean(p, 0, 9);
      value[n] = mean - 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
  },
);

/** Middles by grid cell. */
interface Cells {
  /** [low x, y, z, size, cells along x, y, z, mask of the table] */
  readonly frame: Float64Array;
  /** (slots x 2) key of a cell and its number, open addressing; EMPTY where none */
  readonly table: Int32Array;
  readonly cellStart: Int32Array;
  readonly sorted: Int32Array;
}

const EMPTY = -1;
/** Cells along an axis at most, so that keys fit 31 bits. */
const MOST_CELLS = 1024;

function sortIntoCells(middle: Float64Array, wanted: number, scope: HeapScope): Cells {
  const count = middle.length / 3;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let n = 0; n < middle.length; n++) {
    const k = n % 3;
    if (middle[n] < low[k]) low[k] = middle[n];
    if (middle[n] > high[k]) high[k] = middle[n];
  }
  const size = Math.max(wanted, ...[0, 1, 2].map((k) => (high[k] - low[k]) / (MOST_CELLS - 1)));
  const along = [0, 1, 2].map((k) => Math.floor((high[k] - low[k]) / size) + 1);
  let slots = 16;
  while (slots < 2 * count) slots *= 2;
  const frame = scope.f64(8);
  frame.set([...low, size, ...along, slots - 1]);
  const table = scope.i32(2 * slots).fill(EMPTY);
  const faceCell = new Int32Array(count);
  const counts: number[] = [];
  for (let f = 0; f < count; f++) {
    const i = Math.floor((middle[3 * f] - low[0]) / size);
    const j = Math.floor((middle[3 * f + 1] - low[1]) / size);
    const k = Math.floor((middle[3 * f + 2] - low[2]) / size);
    const key = (i * along[1] + j) * along[2] + k;
    const slot = findSlot(table, slots - 1, key);
    if (table[2 * slot] === EMPTY) {
      table[2 * slot] = key;
      table[2 * slot + 1] = counts.push(0) - 1;
    }
    faceCell[f] = table[2 * slot + 1];
    counts[faceCell[f]]++;
  }
  const cellStart = scope.i32(counts.length + 1);
  for (let s = 0; s < counts.length; s++) cellStart[s + 1] = cellStart[s] + counts[s];
  const next = cellStart.slice();
  const sorted = scope.i32(count);
  for (let f = 0; f < count; f++) sorted[next[faceCell[f]]++] = f;
  return { frame, table, cellStart, sorted };
}

/** Slot that holds a key, or the empty one where it would go. */
function findSlot(table: Int32Array, mask: number, key: number): number {
  let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
  while (table[2 * slot] !== EMPTY && table[2 * slot] !== key) slot = (slot + 1) & mask;
  return slot;
}

/** Lists the faces above f near it; returns their number. */
function findAbove(
  f: number,
  middle: Float64Array,
  reach: Float64Array,
  frame: Float64Array,
  table: Int32Array,
  cellStart: Int32Array,
  sorted: Int32Array,
  found: number[],
): number {
  const px = middle[3 * f];
  const py = middle[3 * f + 1];
  const pz = middle[3 * f + 2];
  const size = frame[3];
  const ci = Math.floor((px - frame[0]) / size);
  const cj = Math.floor((py - frame[1]) / size);
  const ck = Math.floor((pz - frame[2]) / size);
  let n = 0;
  for (let i = Math.max(0, ci - 1); i <= Math.min(frame[4] - 1, ci + 1); i++) {
    for (let j = Math.max(0, cj - 1); j <= Math.min(frame[5] - 1, cj + 1); j++) {
      for (let k = Math.max(0, ck - 1); k <= Math.min(frame[6] - 1, ck + 1); k++) {
        const slot = findSlot(table, frame[7], (i * frame[5] + j) * frame[6] + k);
        if (table[2 * slot] === EMPTY) continue;
        const cell = table[2 * slot + 1];
        for (let m = cellStart[cell]; m < cellStart[cell + 1]; m++) {
          const g = sorted[m];
          if (g <= f) continue;
          const dx = px - middle[3 * g];
          const dy = py - middle[3 * g + 1];
          const dz = pz - middle[3 * g + 2];
          const most = NEAR * (reach[f] + reach[g]);
          if (dx * dx + dy * dy + dz * dz < most * most) found[n++] = g;
        }
      }
    }
  }
  return n;
}
