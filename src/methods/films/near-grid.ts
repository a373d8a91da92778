/**
 * Balls that come near each other: the middles of faces in a grid of cells, sorted so that the cells of a row lie side by side. Two are a pair when their distance is
 * below the sum of their radii. Each pair is found once, from the ball that comes first in the order of cells. Cost: linear, with cells about as wide as the largest
 * pair; the grid is coarser where it would have many more cells than faces.
 */
import type { HeapScope } from '../../core/heap.ts';

export interface Cells {
  /** [low x, y, z, size, cells along x, y, z, greatest radius] */
  readonly frame: Float64Array;
  /** (cells + 1) first place in the order */
  readonly cellStart: Int32Array;
  /** (faces) face at each place */
  readonly sorted: Int32Array;
  /** (faces x 4) middle and radius, in that order */
  readonly ball: Float64Array;
}

/** Cells per face at most. */
const MOST_CELLS = 8;
/** Width of a cell in greatest radii: a pair then spans up to two cells either way, and few faces that are none are looked at. */
const CELL_WIDTH = 1;

/** Sorts balls around the middles (faces x 3), of radius `factor` reach. */
export function sortIntoCells(
  middle: Float64Array,
  reach: Float64Array,
  factor: number,
  farthest: number,
  scope: HeapScope,
): Cells {
  const count = middle.length / 3;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let n = 0; n < middle.length; n += 3) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], middle[n + k]);
      high[k] = Math.max(high[k], middle[n + k]);
    }
  }
  let size = CELL_WIDTH * factor * farthest;
  const countAlong = (k: number) => Math.floor((high[k] - low[k]) / size) + 1;
  while (countAlong(0) * countAlong(1) * countAlong(2) > MOST_CELLS * count + 64) size *= 1.25;
  const [nx, ny, nz] = [countAlong(0), countAlong(1), countAlong(2)];
  const frame = scope.f64(8);
  frame.set([...low, size, nx, ny, nz, factor * farthest]);
  const cell = new Int32Array(count);
  const cellStart = scope.i32(nx * ny * nz + 1);
  for (let f = 0; f < count; f++) {
    const i = Math.floor((middle[3 * f] - low[0]) / size);
    const j = Math.floor((middle[3 * f + 1] - low[1]) / size);
    const k = Math.floor((middle[3 * f + 2] - low[2]) / size);
    cell[f] = (i * ny + j) * nz + k;
    cellStart[cell[f] + 1]++;
  }
  for (let c = 0; c < nx * ny * nz; c++) cellStart[c + 1] += cellStart[c];
  const next = cellStart.slice();
  const sorted = scope.i32(count);
  const ball = scope.f64(4 * count);
  for (let f = 0; f < count; f++) {
    const m = next[cell[f]]++;
    sorted[m] = f;
    ball[4 * m] = middle[3 * f];
    ball[4 * m + 1] = middle[3 * f + 1];
    ball[4 * m + 2] = middle[3 * f + 2];
    ball[4 * m + 3] = factor * reach[f];
  }
  return { frame, cellStart, sorted, ball };
}

/** Lists the places after m whose balls meet that of m in `list` from `at`, the first `room` of them; returns their number. */
export function findInCells(
  m: number,
  frame: Float64Array,
  cellStart: Int32Array,
  ball: Float64Array,
  list: Int32Array,
  at: number,
  room: number,
): number {
  const x = ball[4 * m];
  const y = ball[4 * m + 1];
  const z = ball[4 * m + 2];
  const radius = ball[4 * m + 3];
  const size = frame[3];
  const nx = frame[4];
  const ny = frame[5];
  const nz = frame[6];
  const span = radius + frame[7];
  const ci = Math.floor((x - frame[0]) / size);
  const cj = Math.floor((y - frame[1]) / size);
  const lastI = Math.min(nx - 1, Math.floor((x + span - frame[0]) / size));
  const firstJ = Math.max(0, Math.floor((y - span - frame[1]) / size));
  const lastJ = Math.min(ny - 1, Math.floor((y + span - frame[1]) / size));
  const firstK = Math.max(0, Math.floor((z - span - frame[2]) / size));
  const lastK = Math.min(nz - 1, Math.floor((z + span - frame[2]) / size));
  let count = 0;
  for (let i = ci; i <= lastI; i++) {
    for (let j = i === ci ? cj : firstJ; j <= lastJ; j++) {
      const row = (i * ny + j) * nz;
      const end = cellStart[row + lastK + 1];
      for (let n = i === ci && j === cj ? m + 1 : cellStart[row + firstK]; n < end; n++) {
        const dx = x - ball[4 * n];
        const dy = y - ball[4 * n + 1];
        const dz = z - ball[4 * n + 2];
        const most = radius + ball[4 * n + 3];
        if (dx * dx + dy * dy + dz * dz >= most * most) continue;
        if (count < room) list[at + count] = n;
        count++;
      }
    }
  }
  return count;
}
