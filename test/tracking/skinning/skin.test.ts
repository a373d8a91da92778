import { describe, expect, it } from 'vitest';
import { adams, findHeight, layFlatBalls, layPoints, zhuBridson } from '../../../cases/particles/flat.ts';
import { createRandom } from '../../../src/core/random.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { buildNeighbours } from '../../../src/particles/neighbours.ts';
import { BallHull } from '../../../src/tracking/skinning/hull.ts';
import { evaluateSkin, SkinQuery } from '../../../src/tracking/skinning/skin.ts';
import { openThreads } from '../../threads.ts';

const { heap, one, two } = await openThreads();

/** The largest r - |c| over a grid of mixtures of three balls. */
function tryMixtures(ball: Float64Array, steps: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 0; i <= steps; i++)
    for (let j = 0; i + j <= steps; j++) {
      const s = [1 - (i + j) / steps, i / steps, j / steps];
      const mix = [0, 1, 2, 3].map((k) => s[0] * ball[k] + s[1] * ball[4 + k] + s[2] * ball[8 + k]);
      best = Math.max(best, mix[3] - Math.hypot(mix[0], mix[1], mix[2]));
    }
  return best;
}

function fillHull(hull: BallHull, ball: Float64Array): number {
  hull.begin();
  for (let a = 0; a < 3; a++) {
    hull.addBall(ball[4 * a], ball[4 * a + 1], ball[4 * a + 2], ball[4 * a + 3]);
    hull.addPair(ball, 4 * a, 4 * ((a + 1) % 3));
  }
  hull.addTriplet(ball, 0, 4, 8);
  return hull.best;
}

describe('the hull of three balls', () => {
  it('is as far as its nearest mixture, wherever the point lies and whatever the radii', () => {
    const random = createRandom(2);
    const hull = new BallHull();
    let [balls, cones, planes] = [0, 0, 0];
    for (let n = 0; n < 600; n++) {
      const ball = Float64Array.from({ length: 12 }, (_, k) =>
        k % 4 === 3 ? 0.05 + 0.4 * random.next() ** 2 : 2 * random.next() - 1,
      );
      const value = fillHull(hull, ball);
      const tried = tryMixtures(ball, 80);
      expect(value).toBeGreaterThanOrEqual(tried - 1e-12);
      expect(value).toBeLessThan(tried + 0.03);
      expect(hull.r - Math.hypot(hull.cx, hull.cy, hull.cz)).toBeCloseTo(value, 12);
      const isAt = [0, 1, 2].some((a) => hull.cx === ball[4 * a] && hull.cy === ball[4 * a + 1]);
      const single = Math.max(
        ...[0, 1, 2].map((a) => {
          const pair = new BallHull();
          pair.begin();
          pair.addBall(ball[4 * a], ball[4 * a + 1], ball[4 * a + 2], ball[4 * a + 3]);
          const b = (a + 1) % 3;
          pair.addBall(ball[4 * b], ball[4 * b + 1], ball[4 * b + 2], ball[4 * b + 3]);
          pair.addPair(ball, 4 * a, 4 * b);
          return pair.best;
        }),
      );
      if (isAt) balls++;
      else if (single >= value) cones++;
      else planes++;
    }
    expect(Math.min(balls, cones, planes)).toBeGreaterThan(50);
  });

  it('scales and turns with the balls', () => {
    const hull = new BallHull();
    const ball = Float64Array.from([0.3, 0.1, 0.5, 0.1, -0.4, 0.2, 0.6, 0.2, 0.1, -0.5, 0.7, 0.15]);
    const value = fillHull(hull, ball);
    expect(
      fillHull(
        hull,
        ball.map((x) => 1e-3 * x),
      ),
    ).toBeCloseTo(1e-3 * value, 15);
    const turned = ball.slice();
    for (let a = 0; a < 12; a += 4) turned.set([-ball[a + 1], ball[a], ball[a + 2]], a);
    expect(fillHull(hull, turned)).toBeCloseTo(value, 14);
  });
});

describe('the skin of particles', () => {
  const scope = heap.scope('skin test');
  const balls = layFlatBalls(5);
  const position = scope.f64(balls.position.length);
  position.set(balls.position);
  const radius = scope.f64(balls.radius.length);
  radius.set(balls.radius);
  const neighbours = buildNeighbours(position, radius, scope.u8(0), scope);
  const finest = balls.radius.reduce((least, r) => Math.min(least, r), 1);

  it('is flat where balls of three sizes touch a plane; averages of centres are not', () => {
    const skin = new SkinQuery(neighbours, position, radius);
    const point = layPoints(400, 6);
    let most = { skin: 0, zhuBridson: 0, adams: 0 };
    for (let n = 0; n < 400; n++) {
      const [x, y] = [point[3 * n], point[3 * n + 1]];
      // Above the plane the distance is the height itself; the zero is searched from there.
      expect(skin.valueAt(x, y, 0.02, 0.2)).toBeCloseTo(-0.02, 12);
      const height = (field: (z: number) => number) => Math.abs(findHeight(field, 0.5 * finest)) / finest;
      most.skin = Math.max(
        most.skin,
        height((z) => skin.valueAt(x, y, z, 0.2)),
      );
      if (n >= 40) continue;
      most = {
        ...most,
        zhuBridson: Math.max(
          most.zhuBridson,
          height((z) => zhuBridson(balls, x, y, z)),
        ),
        adams: Math.max(
          most.adams,
          height((z) => adams(balls, x, y, z)),
        ),
      };
    }
    expect(most.skin).toBeLessThan(1e-3);
    expect(most.zhuBridson).toBeGreaterThan(0.1);
    expect(most.adams).toBeGreaterThan(0.1);
  });

  it('is the largest of all hulls of linked balls, tried one by one', () => {
    const random = createRandom(8);
    const few = 40;
    const at = scope.f64(3 * few);
    const size = scope.f64(few);
    for (let p = 0; p < few; p++) {
      size[p] = 0.02 + 0.06 * random.next();
      for (let k = 0; k < 3; k++) at[3 * p + k] = 0.4 * random.next();
    }
    const skin = new SkinQuery(buildNeighbours(at, size, scope.u8(0), scope), at, size);
    const hull = new BallHull();
    const link = (p: number, q: number) =>
      Math.hypot(at[3 * p] - at[3 * q], at[3 * p + 1] - at[3 * q + 1], at[3 * p + 2] - at[3 * q + 2]) <
      2 * (size[p] + size[q]);
    for (let n = 0; n < 60; n++) {
      const x = [0, 1, 2].map(() => 0.8 * random.next() - 0.2);
      const ball = new Float64Array(4 * few);
      for (let p = 0; p < few; p++)
        ball.set([at[3 * p] - x[0], at[3 * p + 1] - x[1], at[3 * p + 2] - x[2], size[p]], 4 * p);
      hull.begin();
      for (let p = 0; p < few; p++) {
        hull.addBall(ball[4 * p], ball[4 * p + 1], ball[4 * p + 2], ball[4 * p + 3]);
        for (let q = 0; q < p; q++) {
          if (!link(p, q)) continue;
          hull.addPair(ball, 4 * p, 4 * q);
          for (let r = 0; r < q; r++)
            if (link(p, r) && link(q, r)) hull.addTriplet(ball, 4 * p, 4 * q, 4 * r);
        }
      }
      expect(skin.valueAt(x[0], x[1], x[2], 1)).toBeCloseTo(hull.best, 12);
    }
  });

  it('is minus `far` beyond it', () => {
    expect(new SkinQuery(neighbours, position, radius).valueAt(0.5, 0.5, 0.5, 0.1)).toBe(-0.1);
  });

  it('gives the same bits on one thread and on two', () => {
    const point = scope.f64(3000);
    point.set(layPoints(1000, 9));
    const run = (threads: Threads) => {
      const out = scope.f64(1000);
      threads.run(evaluateSkin, 1000, 64, { neighbours, position, radius, point, far: 0.2, out });
      return Float64Array.from(out);
    };
    expect(run(two)).toEqual(run(one));
  });
});
