import { describe, expect, it } from 'vitest';
import { layFlatBalls, layPoints } from '../../../cases/particles/flat.ts';
import { createRandom } from '../../../src/core/random.ts';
import { BallHull } from '../../../src/tracking/skinning/hull.ts';
import type { Balls } from '../../../src/tracking/skinning/order.ts';
import { buildSkin, evaluateSkin } from '../../../src/tracking/skinning/skin.ts';
import { openThreads } from '../../threads.ts';

const { heap, one, two } = await openThreads();

/** The largest value over all hulls of linked balls, tried one by one. */
function tryAll({ position, radius }: Balls, x: readonly number[]): number {
  const count = radius.length;
  const hull = new BallHull();
  const ball = new Float64Array(4 * count);
  for (let p = 0; p < count; p++) {
    for (let k = 0; k < 3; k++) ball[4 * p + k] = position[3 * p + k] - x[k];
    ball[4 * p + 3] = radius[p];
  }
  const link = (p: number, q: number) =>
    Math.hypot(
      ball[4 * p] - ball[4 * q],
      ball[4 * p + 1] - ball[4 * q + 1],
      ball[4 * p + 2] - ball[4 * q + 2],
    ) <
    2 * (radius[p] + radius[q]);
  hull.begin();
  for (let p = 0; p < count; p++) {
    hull.addBall(ball[4 * p], ball[4 * p + 1], ball[4 * p + 2], ball[4 * p + 3]);
    for (let q = 0; q < p; q++) {
      if (!link(p, q)) continue;
      hull.addPair(ball, 4 * p, 4 * q);
      for (let r = 0; r < q; r++) if (link(p, r) && link(q, r)) hull.addTriplet(ball, 4 * p, 4 * q, 4 * r);
    }
  }
  return hull.best;
}

/** Balls in a box; sizes spread over two decades or none. */
function scatter(count: number, seed: number, ratio: number): Balls {
  const random = createRandom(seed);
  const radius = Float64Array.from({ length: count }, () => 0.05 * ratio ** -random.next());
  const position = Float64Array.from({ length: 3 * count }, () => 0.6 * random.next());
  return { position, radius };
}

function valuesAt(balls: Balls, point: Float64Array, threads = one): Float64Array {
  const scope = heap.scope('test');
  const skin = buildSkin(balls, { heap, threads }, scope);
  const at = scope.f64(point.length);
  at.set(point);
  const out = scope.f64(point.length / 3);
  evaluateSkin(skin, at, out, { heap, threads });
  const copy = Float64Array.from(out);
  scope.free();
  return copy;
}

describe('the skin', () => {
  for (const [count, ratio] of [
    [60, 1],
    [100, 1],
    [80, 3],
    [120, 30],
    [1, 1],
    [2, 4],
  ])
    it(`has the distance of the nearest of all hulls: ${count} balls, radii 1 to ${ratio}`, () => {
      const balls = scatter(count, count + ratio, ratio);
      const random = createRandom(3);
      const point = Float64Array.from({ length: 900 }, () => 1.4 * random.next() - 0.4);
      const values = valuesAt(balls, point);
      let outside = 0;
      let largest = 0;
      for (let n = 0; n < 300; n++) {
        const value = tryAll(balls, Array.from(point.subarray(3 * n, 3 * n + 3)));
        if (value >= 0) continue;
        outside++;
        // What is covered may hide in a gap inside: there the listed elements are farther at most.
        largest = Math.max(largest, Math.abs(values[n] - value));
      }
      expect(outside).toBeGreaterThan(100);
      expect(largest).toBeLessThan(2e-7);
    });

  it('is flat where balls of three sizes touch a plane', () => {
    const balls = layFlatBalls(5);
    const point = layPoints(500, 6);
    for (let n = 0; n < 500; n++) point[3 * n + 2] = 0.001;
    for (const value of valuesAt(balls, point)) expect(Math.abs(value + 0.001)).toBeLessThan(1e-6);
  });

  it('is the same on one thread and on two', () => {
    const balls = scatter(3000, 4, 4);
    const point = Float64Array.from({ length: 6000 }, (_, n) => ((n * 0.618) % 1) - 0.2);
    expect(valuesAt(balls, point, two)).toEqual(valuesAt(balls, point, one));
  });
});
