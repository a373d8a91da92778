/**
 * The skin of particles ([ando-2013] 5): the union of the convex hulls of all triplets of balls that lie within LINK sums of radii of each
 * other, in twos. Its signed distance, positive inside, is the largest over the hulls; exact outside. Flat where balls of any sizes touch
 * one plane from below, as far as triplets cover it.
 *
 * For a point only balls count whose hulls can beat the nearest ball; triplets are tried in the order of their nearest ball, and the search ends
 * where no triplet of longer distance can win: the top of a triangle with edges up to L is nearer than its nearest corner, at d, by
 * no more than sqrt(d^2 - L^2 / 3).
 *
 * Inside the liquid there may be gaps between hulls: who asks there must know the sign from elsewhere.
 */
import { defineTask } from '../../core/threads/task.ts';
import { NeighbourQuery, type Neighbours, neighboursRecord } from '../../particles/neighbours.ts';
import { BallHull } from './hull.ts';

/** Largest distance of two balls of a triplet, sums of their radii: l of the paper. */
const LINK = 2;

export class SkinQuery {
  readonly hull = new BallHull();
  private readonly query: NeighbourQuery;
  private ball = new Float64Array(4 * 64);
  private distance = new Float64Array(64);

  constructor(
    neighbours: Neighbours,
    private readonly position: Float64Array,
    private readonly radius: Float64Array,
  ) {
    this.query = new NeighbourQuery(neighbours);
  }

  /** Signed distance at a point; `far`, m: beyond it no ball is looked for, and the answer is -far. `hull` then holds the ball that is nearest. */
  valueAt(x: number, y: number, z: number, far: number): number {
    const { hull } = this;
    hull.begin();
    const count = this.collect(x, y, z, far);
    if (count === 0 || hull.best < -far) return -far;
    this.joinPairs(count);
    return hull.best;
  }

  /** Balls whose hulls may win, nearest first, relative to the point. */
  private collect(x: number, y: number, z: number, far: number): number {
    const { hull, query, position, radius } = this;
    query.ask(x, y, z, far, 1 + 2 * LINK);
    let largest = 0;
    for (let m = 0; m < query.count; m++) {
      const p = query.found[m];
      hull.addBall(position[3 * p] - x, position[3 * p + 1] - y, position[3 * p + 2] - z, radius[p]);
      largest = Math.max(largest, radius[p]);
    }
    let count = 0;
    for (let m = 0; m < query.count; m++) {
      const p = query.found[m];
      const dx = position[3 * p] - x;
      const dy = position[3 * p + 1] - y;
      const dz = position[3 * p + 2] - z;
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      // The winning ball lies within largest - best of the point, and each of its three within an edge of it.
      if (distance > largest - hull.best + LINK * (radius[p] + largest)) continue;
      if (count === this.distance.length) this.grow();
      let at = count++;
      for (; at > 0 && this.distance[at - 1] > distance; at--) {
        this.distance[at] = this.distance[at - 1];
        this.ball.copyWithin(4 * at, 4 * (at - 1), 4 * at);
      }
      this.distance[at] = distance;
      this.ball[4 * at] = dx;
      this.ball[4 * at + 1] = dy;
      this.ball[4 * at + 2] = dz;
      this.ball[4 * at + 3] = radius[p];
    }
    return count;
  }

  private joinPairs(count: number): void {
    const { hull, ball, distance } = this;
    let largest = 0;
    for (let a = 0; a < count; a++) largest = Math.max(largest, ball[4 * a + 3]);
    const reach = (2 * LINK * largest) ** 2 / 3;
    for (let a = 0; a < count; a++) {
      const nearer = Math.sqrt(Math.max(0, distance[a] * distance[a] - reach));
      if (largest - nearer <= hull.best) return;
      for (let b = a + 1; b < count; b++) {
        if (!this.isLinked(a, b)) continue;
        hull.addPair(ball, 4 * a, 4 * b);
        for (let c = b + 1; c < count; c++)
          if (this.isLinked(a, c) && this.isLinked(b, c)) hull.addTriplet(ball, 4 * a, 4 * b, 4 * c);
      }
    }
  }

  private isLinked(a: number, b: number): boolean {
    const { ball } = this;
    const dx = ball[4 * a] - ball[4 * b];
    const dy = ball[4 * a + 1] - ball[4 * b + 1];
    const dz = ball[4 * a + 2] - ball[4 * b + 2];
    const most = LINK * (ball[4 * a + 3] + ball[4 * b + 3]);
    return dx * dx + dy * dy + dz * dz < most * most;
  }

  private grow(): void {
    const ball = new Float64Array(2 * this.ball.length);
    ball.set(this.ball);
    this.ball = ball;
    const distance = new Float64Array(2 * this.distance.length);
    distance.set(this.distance);
    this.distance = distance;
  }
}

/** The skin's signed distance at points (count x 3), on all threads. */
export const evaluateSkin = defineTask(
  'tracking/evaluate-skin',
  { neighbours: neighboursRecord, position: 'f64', radius: 'f64', point: 'f64', far: 'number', out: 'f64' },
  (begin, end, { neighbours, position, radius, point, far, out }) => {
    const skin = new SkinQuery(neighbours, position, radius);
    for (let n = begin; n < end; n++)
      out[n] = skin.valueAt(point[3 * n], point[3 * n + 1], point[3 * n + 2], far);
  },
);
