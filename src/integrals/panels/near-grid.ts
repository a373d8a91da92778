/**
 * Faces as balls in a grid of cells. They are sorted so that the cells of a row along z lie side by side;
 * kernels/near-faces.ts searches such a row for balls that meet. A place is a face's number in that order.
 * Coordinates count from the grid's lowest corner, in single precision. Cost: linear. Cells are about as wide
 * as the largest ball's radius, and wider where the grid would have many more cells than faces.
 */
import type { HeapScope } from '../../core/heap.ts';

export interface Cells {
  /** Lowest corner, m */
  readonly low: readonly [number, number, number];
  /** [size, cells along x, y, z, greatest radius] */
  readonly layout: Float64Array;
  /** (cells + 1) first place of a cell */
  readonly cellStart: Int32Array;
  /** (faces) face at each place */
  readonly sorted: Int32Array;
  /** (faces) place of each face */
  readonly place: Int32Array;
  /** Columns x, y, z, radius of `stride` places */
  readonly ball: Float32Array;
  readonly stride: number;
}

/**
 * Cells per face at most, and their width in greatest radii. Partners then lie at most two cells away, and
 * the search looks at few faces in vain.
 */
const CELLS = { perFace: 8, width: 1 };
/** Room for the rounding of coordinates to single precision, in extents of the grid. */
const SLACK = 2 ** -20;
/** Places read beyond the last, four at a time. */
const SPARE = 4;

/** Sorts balls around the middles (faces x 3), of radius `factor` reach. */
export function sortIntoCells(
  middle: Float64Array,
  reach: Float64Array,
  factor: number,
  farthest: number,
  scope: HeapScope,
): Cells {
  const count = middle.length / 3;
  const [lowX, highX] = findExtent(middle, 0);
  const [lowY, highY] = findExtent(middle, 1);
  const [lowZ, highZ] = findExtent(middle, 2);
  const extent = Math.max(highX - lowX, highY - lowY, highZ - lowZ);
  let size = CELLS.width * factor * farthest;
  const countAlong = (length: number) => Math.floor(length / size) + 1;
  while (
    countAlong(highX - lowX) * countAlong(highY - lowY) * countAlong(highZ - lowZ) >
    CELLS.perFace * count + 64
  )
    size *= 1.25;
  const [nx, ny, nz] = [countAlong(highX - lowX), countAlong(highY - lowY), countAlong(highZ - lowZ)];
  const layout = scope.f64(5);
  layout.set([size, nx, ny, nz, factor * farthest + SLACK * extent]);
  const cell = new Int32Array(count);
  const cellStart = scope.i32(nx * ny * nz + 1);
  for (let f = 0; f < count; f++) {
    const i = Math.floor((middle[3 * f] - lowX) / size);
    const j = Math.floor((middle[3 * f + 1] - lowY) / size);
    const k = Math.floor((middle[3 * f + 2] - lowZ) / size);
    cell[f] = (i * ny + j) * nz + k;
    cellStart[cell[f] + 1]++;
  }
  for (let c = 0; c < nx * ny * nz; c++) cellStart[c + 1] += cellStart[c];
  const next = cellStart.slice();
  const sorted = scope.i32(count);
  const place = scope.i32(count);
  const stride = count + SPARE;
  const ball = scope.f32(4 * stride);
  for (let f = 0; f < count; f++) {
    const m = next[cell[f]]++;
    sorted[m] = f;
    place[f] = m;
    ball[m] = middle[3 * f] - lowX;
    ball[stride + m] = middle[3 * f + 1] - lowY;
    ball[2 * stride + m] = middle[3 * f + 2] - lowZ;
    ball[3 * stride + m] = factor * reach[f];
  }
  return { low: [lowX, lowY, lowZ], layout, cellStart, sorted, place, ball, stride };
}

function findExtent(middle: Float64Array, axis: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let n = axis; n < middle.length; n += 3) {
    low = Math.min(low, middle[n]);
    high = Math.max(high, middle[n]);
  }
  return [low, high];
}
