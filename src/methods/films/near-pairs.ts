/**
 * Pairs of faces too near each other for one point per face, with the mean of 1/r over both triangles less that of their middles.
 * Faces that share a corner are always among them. Pairs are found with a grid of cells over the middles (near-grid.ts). Cost: linear in faces times the
 * dozens of neighbours each has.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { findInCells, sortIntoCells } from './near-grid.ts';
import {
  computeNearMean,
  computeSelfEnergy,
  computeTouchingMean,
  PREPARED_SIZE,
  prepareTriangle,
  setRulePoints,
  triangleArea,
} from './triangle-potential.ts';

/** A pair is near when its middles are closer than this many times the sum of the two faces' reaches (middle to farthest corner). */
export const NEAR = 1.5;
const GRAIN = 512;
/** Partners kept of each face when they are counted; faces with more are looked at once more. */
const ROOM = 48;

export interface NearPairs {
  readonly count: number;
  /** (pairs x 2) faces */
  readonly face: Int32Array;
  /** (pairs) do they share a corner? */
  readonly isTouching: Uint8Array;
  /** Pairs of each face: rows of the symmetric matrix. */
  readonly rowStart: Int32Array;
  readonly rowPair: Int32Array;
  /** (faces x 9) the points of the three-point rule, m */
  readonly point: Float64Array;
  /** (pairs) mean of 1/r less 1/r of the middles, 1/m */
  readonly value: Float64Array;
  /** (faces) mean of 1/r over the face and itself, 1/m */
  readonly self: Float64Array;
}

/** Finds the pairs; `computeNearPairs` gives their values. Their order follows from the positions. */
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
  const { frame, cellStart, sorted, ball } = sortIntoCells(middle, reach, NEAR, farthest, scope);
  const start = scope.i32(faceCount + 1);
  const list = scope.i32(ROOM * faceCount);
  threads.run(countTask, faceCount, GRAIN, frame, cellStart, ball, start, list);
  for (let f = 0; f < faceCount; f++) start[f + 1] += start[f];
  const count = start[faceCount];
  const pairs = scope.i32(2 * count);
  const touching = scope.u8(count);
  threads.run(
    fillTask,
    faceCount,
    GRAIN,
    corner,
    frame,
    cellStart,
    sorted,
    ball,
    list,
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
    point: scope.f64(9 * faceCount),
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
    frame: Float64Array,
    cellStart: Int32Array,
    ball: Float64Array,
    start: Int32Array,
    list: Int32Array,
  ) => {
    for (let m = begin; m < end; m++)
      start[m + 1] = findInCells(m, frame, cellStart, ball, list, ROOM * m, ROOM);
  },
);

const fillTask = defineTask(
  'films list near pairs',
  (
    begin,
    end,
    corner: Int32Array,
    frame: Float64Array,
    cellStart: Int32Array,
    sorted: Int32Array,
    ball: Float64Array,
    list: Int32Array,
    start: Int32Array,
    pairs: Int32Array,
    touching: Uint8Array,
  ) => {
    let longer = new Int32Array(4 * ROOM);
    for (let m = begin; m < end; m++) {
      const f = sorted[m];
      const count = start[m + 1] - start[m];
      const isListed = count <= ROOM;
      if (!isListed) {
        if (count > longer.length) longer = new Int32Array(2 * count);
        findInCells(m, frame, cellStart, ball, longer, 0, count);
      }
      for (let n = 0; n < count; n++) {
        const at = start[m] + n;
        const g = sorted[isListed ? list[ROOM * m + n] : longer[n]];
        pairs[2 * at] = f;
        pairs[2 * at + 1] = g;
        touching[at] = shareCorner(corner, 3 * f, 3 * g) ? 1 : 0;
      }
    }
  },
);

function shareCorner(corner: Int32Array, f: number, g: number): boolean {
  const a = corner[f];
  const b = corner[f + 1];
  const c = corner[f + 2];
  for (let j = g; j < g + 3; j++) if (corner[j] === a || corner[j] === b || corner[j] === c) return true;
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
  const { face, isTouching, point, value } = pairs;
  threads.run(faceTask, pairs.self.length, GRAIN, corner, position, point, pairs.self);
  threads.run(pairTask, pairs.count, GRAIN, face, isTouching, corner, position, middle, point, value);
}

function gather(corner: Int32Array, position: Float64Array, f: number, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    const v = 3 * corner[3 * f + i];
    out[3 * i] = position[v];
    out[3 * i + 1] = position[v + 1];
    out[3 * i + 2] = position[v + 2];
  }
}

/** Each face's points, and its mean with itself. */
const faceTask = defineTask(
  'films self energy',
  (begin, end, corner: Int32Array, position: Float64Array, point: Float64Array, self: Float64Array) => {
    const p = new Float64Array(9);
    for (let f = begin; f < end; f++) {
      gather(corner, position, f, p);
      self[f] = computeSelfEnergy(p, 0) / triangleArea(p, 0) ** 2;
      setRulePoints(p, 0, point, 9 * f);
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
    point: Float64Array,
    value: Float64Array,
  ) => {
    const corners = new Float64Array(9);
    const prepared = new Float64Array(PREPARED_SIZE);
    let ready = NONE;
    for (let n = begin; n < end; n++) {
      const f = face[2 * n];
      const g = face[2 * n + 1];
      const dx = middle[3 * f] - middle[3 * g];
      const dy = middle[3 * f + 1] - middle[3 * g + 1];
      const dz = middle[3 * f + 2] - middle[3 * g + 2];
      let mean = 0;
      if (isTouching[n]) {
        if (ready !== f) {
          gather(corner, position, f, corners);
          prepareTriangle(corners, 0, prepared);
          ready = f;
        }
        mean = computeTouchingMean(prepared, point, 9 * g);
      } else mean = computeNearMean(point, 9 * f, 9 * g);
      value[n] = mean - 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
  },
);
