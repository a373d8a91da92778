/**
 * Which panels are near which points: |x - middle| < radius of the panel. Panels lie in cells of a grid as
 * wide as the power of two above their radius, one grid per width, all in one table of buckets by a hash of
 * the cell; so a mesh whose edges differ by factors of a hundred costs no more than an even one. A point
 * looks at 27 cells per width. Cost: linear in points and pairs, times the number of widths.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';

const GRAIN = 256;
/** Numbers of a ball: middle, radius. */
const BALL = 4;

/**
 * Rows of numbers in one array: the first rowCount + 1 are where rows begin in it, and then the rows follow.
 */
export type Rows = Int32Array;

interface BallTable {
  /** (balls x 4) middle and radius, m */
  readonly ball: Float64Array;
  /** widths in use, as powers of two */
  readonly exponent: Int32Array;
  /** Buckets: rows of balls. */
  readonly bucket: Rows;
}

const computeExponent = (radius: number) => Math.ceil(Math.log2(radius));

/** Bucket of a cell: a mix of its coordinates, of which any will do. */
function hashCell(exponent: number, i: number, j: number, k: number, mask: number): number {
  let h = Math.imul(i, 0x9e3779b1) ^ Math.imul(j, 0x85ebca6b) ^ Math.imul(k, 0xc2b2ae35);
  h ^= Math.imul(exponent, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) & mask;
}

function buildTable(ball: Float64Array, scope: HeapScope): BallTable {
  const count = ball.length / BALL;
  let bucketCount = 1;
  while (bucketCount < count) bucketCount *= 2;
  const bucketOf = new Int32Array(count);
  const widths = new Set<number>();
  const bucket = scope.i32(bucketCount + 1 + count);
  for (let b = 0; b < count; b++) {
    const radius = ball[BALL * b + 3];
    if (!(radius > 0)) {
      bucketOf[b] = -1;
      continue;
    }
    const exponent = computeExponent(radius);
    widths.add(exponent);
    const [i, j, k] = [0, 1, 2].map((c) => Math.floor(ball[BALL * b + c] * 2 ** -exponent));
    bucketOf[b] = hashCell(exponent, i, j, k, bucketCount - 1);
    bucket[bucketOf[b] + 1]++;
  }
  bucket[0] = bucketCount + 1;
  for (let n = 0; n < bucketCount; n++) bucket[n + 1] += bucket[n];
  const next = bucket.slice(0, bucketCount);
  for (let b = 0; b < count; b++) if (bucketOf[b] >= 0) bucket[next[bucketOf[b]]++] = b;
  const sorted = [...widths].sort((a, b) => a - b);
  const exponent = scope.i32(sorted.length);
  exponent.set(sorted);
  return { ball, exponent, bucket };
}

/**
 * Rows of panels near each point, ascending: point (n x 3) m, ball (panels x 4) middle and radius, both on
 * the heap. The rows lie in `scope`; what the search takes besides is freed.
 */
export function findNearPanels(
  point: Float64Array,
  ball: Float64Array,
  threads: Threads,
  scope: HeapScope,
  scratch: HeapScope,
): Rows {
  const count = point.length / 3;
  const { exponent, bucket } = buildTable(ball, scratch);
  const start = scratch.i32(count + 1);
  const table = { point, ball, exponent, bucket };
  threads.run(countTask, count, GRAIN, { ...table, rows: start });
  let total = count + 1;
  for (let n = 0; n < count; n++) {
    const length = start[n];
    start[n] = total;
    total += length;
  }
  start[count] = total;
  const rows = scope.i32(total);
  rows.set(start);
  threads.run(fillTask, count, GRAIN, { ...table, rows });
  return rows;
}

/** Lists the balls around point p from rows[at] on, or only counts them where there are no rows. */
function visit(
  point: Float64Array,
  p: number,
  ball: Float64Array,
  exponent: Int32Array,
  bucket: Rows,
  rows: Int32Array | undefined,
  at: number,
): number {
  const x = point[3 * p];
  const y = point[3 * p + 1];
  const z = point[3 * p + 2];
  const mask = bucket[0] - 2;
  let found = 0;
  for (const width of exponent) {
    const scale = 2 ** -width;
    const ci = Math.floor(x * scale);
    const cj = Math.floor(y * scale);
    const ck = Math.floor(z * scale);
    for (let i = ci - 1; i <= ci + 1; i++)
      for (let j = cj - 1; j <= cj + 1; j++)
        for (let k = ck - 1; k <= ck + 1; k++) {
          const h = hashCell(width, i, j, k, mask);
          for (let n = bucket[h]; n < bucket[h + 1]; n++) {
            const b = BALL * bucket[n];
            const bx = ball[b];
            const by = ball[b + 1];
            const bz = ball[b + 2];
            const radius = ball[b + 3];
            // Cells that share a bucket are told apart, so that a ball is met once.
            if (Math.floor(bx * scale) !== i || Math.floor(by * scale) !== j || Math.floor(bz * scale) !== k)
              continue;
            if ((x - bx) ** 2 + (y - by) ** 2 + (z - bz) ** 2 >= radius * radius) continue;
            if (computeExponent(radius) !== width) continue;
            if (rows) rows[at + found] = bucket[n];
            found++;
          }
        }
  }
  return found;
}

const searchColumns = { point: 'f64', ball: 'f64', exponent: 'i32', bucket: 'i32', rows: 'i32' } as const;

const countTask = defineTask(
  'integrals/count-near-panels',
  searchColumns,
  (begin, end, { point, ball, exponent, bucket, rows }) => {
    for (let p = begin; p < end; p++) rows[p] = visit(point, p, ball, exponent, bucket, undefined, 0);
  },
);

const fillTask = defineTask(
  'integrals/list-near-panels',
  searchColumns,
  (begin, end, { point, ball, exponent, bucket, rows }) => {
    for (let p = begin; p < end; p++) {
      visit(point, p, ball, exponent, bucket, rows, rows[p]);
      rows.subarray(rows[p], rows[p + 1]).sort();
    }
  },
);

/** Square rows joined with their transpose, ascending: who is near whom, either way. */
export function joinTransposed(rows: Rows, rowCount: number, scope: HeapScope): Rows {
  const other = new Int32Array(rowCount + 1);
  for (let n = rows[0]; n < rows[rowCount]; n++) other[rows[n] + 1]++;
  for (let r = 0; r < rowCount; r++) other[r + 1] += other[r];
  const next = other.slice();
  const column = new Int32Array(other[rowCount]);
  for (let r = 0; r < rowCount; r++) for (let n = rows[r]; n < rows[r + 1]; n++) column[next[rows[n]]++] = r;
  // Both rows ascend: merged twice, once to count.
  const merge = (r: number, out: Int32Array | undefined, at: number): number => {
    let [a, b, found] = [rows[r], other[r], 0];
    while (a < rows[r + 1] || b < other[r + 1]) {
      const left = a < rows[r + 1] ? rows[a] : Infinity;
      const right = b < other[r + 1] ? column[b] : Infinity;
      if (left <= right) a++;
      if (right <= left) b++;
      if (out) out[at + found] = Math.min(left, right);
      found++;
    }
    return found;
  };
  let total = rowCount + 1;
  const start = new Int32Array(rowCount + 1);
  for (let r = 0; r < rowCount; r++) {
    start[r] = total;
    total += merge(r, undefined, 0);
  }
  start[rowCount] = total;
  const joined = scope.i32(total);
  joined.set(start);
  for (let r = 0; r < rowCount; r++) merge(r, joined, start[r]);
  return joined;
}
