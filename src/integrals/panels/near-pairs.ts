/**
 * Pairs of faces too near each other for one point per face: the mean of 1/r over both triangles less 1/r of
 * their middles, as rows of a symmetric matrix. Faces that share a corner are always among them. A grid of
 * cells over the middles finds the pairs (near-grid.ts); the loops over pairs are kernels
 * (kernels/near-faces.ts). Where faces are apart, a value takes three points by three in single precision.
 * Where they touch, one face is integrated exactly from three points of the other, in double precision.
 * Values are stored in single precision: they are as good as the sums that they correct. Cost: linear in
 * faces, times the dozens of neighbours of each.
 */
import type { HeapScope } from '../../core/heap.ts';
import { omitColumns } from '../../core/records.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { type Metres, NONE } from '../../core/types.ts';
import { INVERSE_FOUR_PI } from '../sum-kernels.ts';
import {
  addNearSums,
  computeNearValues,
  computeTouchingValues,
  findNearFaces,
  mirrorTouchingValues,
} from './near-face-kernels.ts';
import { sortIntoCells } from './near-grid.ts';
import { computeSelfMean, setRulePoints } from './triangle-potential.ts';

/**
 * A pair is near when its middles are closer than this many times the sum of the two faces' reaches (middle
 * to farthest corner). The kernel wants more than the root of 2, to know touching ones.
 */
export const NEAR = 1.5;
export const GRAIN = 256;
/**
 * Room for entries of a row at first, on the mean of a chunk. Where more are near, the search runs again with
 * more room.
 */
export const ROOM = 128;
/** Numbers of a face's record and of the scratch of a chunk (kernels/near-faces.ts). */
const SIZE = { record: 16, scratch: 16 };
/**
 * Softening of 1/r between points, in mean reaches: in the sums over middles and in what corrects them. Two
 * faces folded onto each other have their middles in one place: without softening 1/r has no bound in either,
 * and the rounding of their difference once blew up a foam. Where faces are not near it changes 1/r by some
 * millionths.
 */
export const SOFTENING = 1 / 64;

export interface NearPairs {
  /** (faces) face at each place, and place of each face: rows and columns are numbered by place */
  readonly sorted: Int32Array;
  readonly place: Int32Array;
  /**
   * (faces) first entry of a row, first of those that touch the face, end of the row: rows of a chunk stand
   * side by side
   */
  readonly rowStart: Int32Array;
  readonly rowTouch: Int32Array;
  readonly rowEnd: Int32Array;
  /** (entries) places near that of the row */
  readonly rowPlace: Int32Array;
  /** (entries) mean of 1/r less 1/r of the middles, 1/m */
  readonly value: Float32Array;
  /** (places) mean of 1/r over the face and itself less that of its middle, 1/m */
  readonly self: Float64Array;
  /**
   * What the kernels read of each place: corners and points of the three-point rule (x 9) m, and the points
   * once more around the middle.
   */
  readonly triangle: Float64Array;
  readonly point: Float64Array;
  readonly record: Float32Array;
  /** (3) where the records count from, m */
  readonly low: Float64Array;
  /** Between points, m: what the sums over middles are to be regularised by. */
  readonly softening: Metres;
  /** (places x 4) strengths in the order of places */
  readonly strength: Float64Array;
  readonly scratch: Float64Array;
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
  const { low, layout, cellStart, sorted, place, ball, stride } = sortIntoCells(
    middle,
    reach,
    NEAR,
    farthest,
    scope,
  );
  const ids = scope.i32(4 * faceCount);
  for (let m = 0; m < faceCount; m++) {
    for (let i = 0; i < 3; i++) ids[4 * m + i] = corner[3 * sorted[m] + i];
    ids[4 * m + 3] = NONE;
  }
  const rowStart = scope.i32(faceCount);
  const rowTouch = scope.i32(faceCount);
  const rowEnd = scope.i32(faceCount);
  const needed = scope.i32(Math.ceil(faceCount / GRAIN));
  const rows = { start: rowStart, touch: rowTouch, stop: rowEnd };
  const grid = { stride, layout, cellStart, ball, corner: ids, ...rows };
  let room = 0;
  let rowPlace = rowStart;
  for (let wanted = ROOM * GRAIN; wanted > room; wanted = needed.reduce((a, b) => Math.max(a, b), 0)) {
    room = wanted;
    rowPlace = scope.i32(room * needed.length);
    threads.run(findTask, faceCount, GRAIN, { room, ...grid, list: rowPlace, needed });
  }
  const corners = scope.f64(3);
  corners.set(low);
  const softening = (SOFTENING * reach.reduce((sum, r) => sum + r, 0)) / faceCount;
  return {
    ...{ sorted, place, rowStart, rowTouch, rowEnd, rowPlace },
    value: scope.f32(rowPlace.length),
    self: scope.f64(faceCount),
    triangle: scope.f64(9 * faceCount),
    point: scope.f64(9 * faceCount),
    record: scope.f32(SIZE.record * faceCount),
    low: corners,
    softening,
    strength: scope.f64(4 * faceCount),
    scratch: scope.f64(SIZE.scratch * Math.ceil(faceCount / GRAIN)),
  };
}

/** Distance of each face's middle from its farthest corner; the greatest of all. */
const reachTask = defineTask(
  'integrals/panel-reach',
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

/** Lists the rows of each chunk in its own part of rowPlace; needed tells how much room it takes. */
const findColumns = omitColumns(findNearFaces.columns, 'first', 'limit');
const findTask = defineTask(
  'integrals/find-near-panels',
  { room: 'number', ...findColumns },
  (begin, end, values) => {
    const { room, needed } = values;
    const chunk = begin / GRAIN;
    const part = { first: room * chunk, limit: room * (chunk + 1) };
    findNearFaces(begin, end, { ...values, ...part, needed: needed.subarray(chunk, chunk + 1) });
  },
);

/** Values at these positions. */
export function computeNearPairs(
  pairs: NearPairs,
  corner: Int32Array,
  position: Float64Array,
  threads: Threads,
): void {
  const { sorted, rowStart, rowTouch, rowEnd, rowPlace, value, self } = pairs;
  const { triangle, point, record, low, scratch, softening } = pairs;
  const count = sorted.length;
  const rows = { start: rowStart, touch: rowTouch, stop: rowEnd, list: rowPlace };
  const places = { triangle, point, record };
  threads.run(faceTask, count, GRAIN, { corner, position, sorted, low, ...places, self, softening });
  threads.run(pairTask, count, GRAIN, { ...rows, ...places, value, scratch, softening: softening ** 2 });
  threads.run(mirrorTask, count, GRAIN, { ...rows, value });
}

/** What the kernels read of each face, and its mean with itself. */
const faceTask = defineTask(
  'integrals/near-panel-records',
  {
    corner: 'i32',
    position: 'f64',
    sorted: 'i32',
    low: 'f64',
    triangle: 'f64',
    point: 'f64',
    record: 'f32',
    self: 'f64',
    softening: 'number',
  },
  (begin, end, { corner, position, sorted, low, triangle, point, record, self, softening }) => {
    for (let m = begin; m < end; m++) {
      const at = 9 * m;
      for (let i = 0; i < 3; i++) {
        const v = 3 * corner[3 * sorted[m] + i];
        triangle[at + 3 * i] = position[v];
        triangle[at + 3 * i + 1] = position[v + 1];
        triangle[at + 3 * i + 2] = position[v + 2];
      }
      self[m] = computeSelfMean(triangle, at) - 1 / softening;
      setRulePoints(triangle, at, point, at);
      const to = SIZE.record * m;
      for (let k = 0; k < 3; k++) {
        const middle = (triangle[at + k] + triangle[at + 3 + k] + triangle[at + 6 + k]) / 3;
        for (let i = k; i < 9; i += 3) record[to + i] = point[at + i] - middle;
        record[to + 9 + k] = middle - low[k];
        record[to + 12 + k] = middle - low[k] - record[to + 9 + k];
      }
    }
  },
);

const pairTask = defineTask(
  'integrals/near-panel-pairs',
  { ...computeNearValues.columns, ...computeTouchingValues.columns },
  (begin, end, values) => {
    const own = values.scratch.subarray((SIZE.scratch * begin) / GRAIN, SIZE.scratch * (begin / GRAIN + 1));
    computeNearValues(begin, end, values);
    computeTouchingValues(begin, end, { ...values, scratch: own });
  },
);

const mirrorTask = defineTask('integrals/mirror-near-panels', mirrorTouchingValues);

/** Adds the near pairs' part of the vector potential, from strengths (faces x 3), to out (faces x 3). */
export function addNearPotential(
  pairs: NearPairs,
  strength: Float64Array,
  threads: Threads,
  out: Float64Array,
): void {
  const { sorted, rowStart, rowEnd, rowPlace, value, self } = pairs;
  const count = sorted.length;
  threads.run(sortTask, count, GRAIN, sorted, strength, pairs.strength);
  const rows = { start: rowStart, stop: rowEnd, list: rowPlace, value, self, sorted };
  threads.run(addTask, count, GRAIN, { factor: INVERSE_FOUR_PI, ...rows, strength: pairs.strength, out });
}

const sortTask = defineTask(
  'integrals/near-panel-strengths',
  (begin, end, sorted: Int32Array, strength: Float64Array, out: Float64Array) => {
    for (let m = begin; m < end; m++) {
      const f = 3 * sorted[m];
      out[4 * m] = strength[f];
      out[4 * m + 1] = strength[f + 1];
      out[4 * m + 2] = strength[f + 2];
    }
  },
);

const addTask = defineTask('integrals/near-panel-potential', addNearSums);
