import { expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createRandom } from '../../../src/core/random.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { findNearPanels, joinTransposed } from '../../../src/integrals/panels/near-list.ts';

it.each([
  ['radii of one size', 0],
  ['radii that differ by factors of thousands', 10],
])('near panels are those of an exhaustive search: %s', (_, spread) => {
  const scope = createHeap({ maximumBytes: 2 ** 24 }).scope('test');
  const random = createRandom(11);
  const [count, pointCount] = [600, 400];
  const ball = scope.f64(4 * count);
  for (let b = 0; b < count; b++) {
    for (let k = 0; k < 3; k++) ball[4 * b + k] = 10 * random.next() - 4;
    ball[4 * b + 3] = 2 ** (spread * (random.next() - 0.8));
  }
  // A ball without extent is near to nothing.
  ball[3] = 0;
  const point = scope.f64(3 * pointCount);
  for (let n = 0; n < point.length; n++) point[n] = 10 * random.next() - 4;
  const rows = findNearPanels(point, ball, createSingleThread(), scope, scope);
  let pairs = 0;
  for (let p = 0; p < pointCount; p++) {
    const near: number[] = [];
    for (let b = 0; b < count; b++) {
      const r = Math.hypot(...[0, 1, 2].map((k) => point[3 * p + k] - ball[4 * b + k]));
      if (r < ball[4 * b + 3]) near.push(b);
    }
    expect(Array.from(rows.subarray(rows[p], rows[p + 1]))).toEqual(near);
    pairs += near.length;
  }
  expect(rows.length).toBe(pointCount + 1 + pairs);
  expect(pairs).toBeGreaterThan(pointCount);
});

it('joined with its transpose, a list holds a pair both ways and once', () => {
  const scope = createHeap({ maximumBytes: 2 ** 24 }).scope('test');
  const rows = Int32Array.from([5, 7, 8, 8, 10, 1, 3, 1, 0, 2]);
  const joined = joinTransposed(rows, 4, scope);
  const row = (r: number) => Array.from(joined.subarray(joined[r], joined[r + 1]));
  expect([0, 1, 2, 3].map(row)).toEqual([[1, 3], [0, 1], [3], [0, 2]]);
});
