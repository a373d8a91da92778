/**
 * Distances of primitives against a minimum by sampling and refining, on random and degenerate shapes, near
 * and far, small and large.
 */
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.ts';
import { edgeEdgeDistance, vertexTriangleDistance } from '../../../src/geometry/collision/proximity.ts';
import { families } from './cases.ts';

const gap2 = (x: Float64Array, factors: number[]) => {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    // Differences to vertex 0 first: the factors add up to zero.
    let d = 0;
    for (let v = 1; v < 4; v++) d += factors[v] * (x[3 * v + k] - x[k]);
    sum += d * d;
  }
  return sum;
};

/** Squared distance by descent on the weights: each in turn is put to its best place, from several starts. */
function descend(x: Float64Array, toFactors: (s: number, t: number) => number[]): number {
  let best = Infinity;
  for (const start of [0, 0.3, 1])
    for (const other of [0, 0.5, 1]) {
      let [s, t] = [start, other];
      let size = 0.5;
      let value = gap2(x, toFactors(s, t));
      while (size > 1e-10) {
        let moved = false;
        for (const [ds, dt] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
          [1, 1],
          [-1, -1],
          [1, -1],
          [-1, 1],
        ]) {
          const p = Math.min(1, Math.max(0, s + ds * size));
          const q = Math.min(1, Math.max(0, t + dt * size));
          const next = gap2(x, toFactors(p, q));
          if (next >= value) continue;
          [s, t, value, moved] = [p, q, next, true];
        }
        if (!moved) size *= 0.5;
      }
      best = Math.min(best, value);
    }
  return best;
}

const kinds = [
  {
    name: 'vertex and triangle',
    measure: (x: Float64Array, w: Float64Array) => vertexTriangleDistance(x, 0, 1, 2, 3, w),
    // The unit square folded onto the triangle: every point of it, none outside.
    factors: (s: number, t: number) => [1, -(1 - s), -s * (1 - t), -s * t],
    chosen: (w: Float64Array) => [1, -w[0], -w[1], -w[2]],
    isOn: (w: Float64Array) =>
      w.every((x) => x >= -1e-15 && x <= 1) && Math.abs(w[0] + w[1] + w[2] - 1) < 1e-12,
  },
  {
    name: 'edge and edge',
    measure: (x: Float64Array, w: Float64Array) => edgeEdgeDistance(x, 0, 1, 2, 3, w),
    factors: (s: number, t: number) => [1 - s, s, -(1 - t), -t],
    chosen: (w: Float64Array) => [1 - w[0], w[0], -(1 - w[1]), -w[1]],
    isOn: (w: Float64Array) => w[0] >= 0 && w[0] <= 1 && w[1] >= 0 && w[1] <= 1,
  },
];

const extent = (x: Float64Array) => {
  let largest = 0;
  for (let i = 3; i < 12; i++) largest = Math.max(largest, Math.abs(x[i] - x[i % 3]));
  return largest;
};

describe('distances', () => {
  for (const { name, measure, factors, chosen, isOn } of kinds) {
    it(`of ${name} are the least there is, degenerate or not`, () => {
      const weights = new Float64Array(3);
      let positive = 0;
      for (const [family, draw] of Object.entries(families)) {
        const random: Random = createRandom(41);
        for (let n = 0; n < 12; n++) {
          const { x0 } = draw(random);
          const size = extent(x0) || 1;
          weights.fill(0);
          const found = Math.sqrt(measure(x0, weights)) / size;
          expect(isOn(weights), `${family} ${n}: ${weights}`).toBe(true);
          // The weights give the distance, and no sampled point is nearer.
          expect(Math.abs(Math.sqrt(gap2(x0, chosen(weights))) / size - found)).toBeLessThan(1e-13);
          expect(found - Math.sqrt(descend(x0, factors)) / size, `${family} ${n}`).toBeLessThan(1e-8);
          if (found > 1e-3) positive++;
        }
      }
      expect(positive).toBeGreaterThan(200);
    });
  }

  it('have known values', () => {
    const w = new Float64Array(3);
    const over = Float64Array.from([0.25, 0.5, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(vertexTriangleDistance(over, 0, 1, 2, 3, w)).toBe(4);
    expect([...w]).toEqual([0.25, 0.25, 0.5]);
    const beside = Float64Array.from([2, 2, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(vertexTriangleDistance(beside, 0, 1, 2, 3, w)).toBe(4.5);
    expect([...w]).toEqual([0, 0.5, 0.5]);
    const crossing = Float64Array.from([-1, 0, 3, 3, 0, 3, 0, -1, 0, 0, 1, 0]);
    expect(edgeEdgeDistance(crossing, 0, 1, 2, 3, w)).toBe(9);
    expect([w[0], w[1]]).toEqual([0.25, 0.5]);
    const points = Float64Array.from([1, 1, 1, 1, 1, 1, 4, 5, 1, 4, 5, 1]);
    expect(edgeEdgeDistance(points, 0, 1, 2, 3, w)).toBe(25);
    expect(vertexTriangleDistance(points, 0, 2, 3, 2, w)).toBe(25);
  });
});
