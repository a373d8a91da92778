import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import {
  computeSelfEnergy,
  computeTrianglePotential,
  setRulePoints,
  triangleArea,
} from '../../../src/methods/films/triangle-potential.ts';

const random = createRandom(7);
const draw = () => Float64Array.from({ length: 9 }, () => random.next());

/** Integral over the triangle by n^2 small triangles. */
function integrate(
  p: Float64Array,
  at: number,
  n: number,
  f: (x: number, y: number, z: number) => number,
): number {
  const u = [0, 1, 2].map((k) => p[at + 3 + k] - p[at + k]);
  const w = [0, 1, 2].map((k) => p[at + 6 + k] - p[at + k]);
  const double = Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]);
  let sum = 0;
  const add = (s: number, t: number) => {
    const [x, y, z] = [0, 1, 2].map((k) => p[at + k] + s * u[k] + t * w[k]);
    sum += f(x, y, z);
  };
  for (let i = 0; i < n; i++) {
    for (let j = 0; i + j < n; j++) {
      add((i + 1 / 3) / n, (j + 1 / 3) / n);
      if (i + j < n - 1) add((i + 2 / 3) / n, (j + 2 / 3) / n);
    }
  }
  return (sum * double) / (2 * n * n);
}

describe('integrals of 1/r over triangles', () => {
  it('potential at points off the triangle and in its plane', () => {
    for (let n = 0; n < 20; n++) {
      const p = draw();
      const x = [random.next() + 1, random.next() + 1, random.next() - 1];
      const truth = integrate(p, 0, 120, (a, b, c) => 1 / Math.hypot(a - x[0], b - x[1], c - x[2]));
      expect(computeTrianglePotential(p, 0, x[0], x[1], x[2])).toBeCloseTo(truth, 4);
    }
    const flat = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const truth = integrate(flat, 0, 400, (a, b) => 1 / Math.hypot(a - 2, b - 0.5));
    expect(computeTrianglePotential(flat, 0, 2, 0.5, 0)).toBeCloseTo(truth, 5);
  });

  it('energy of a triangle with itself is the mean of its potential', () => {
    for (let n = 0; n < 5; n++) {
      const p = draw();
      const truth = integrate(p, 0, 80, (x, y, z) => computeTrianglePotential(p, 0, x, y, z));
      expect(computeSelfEnergy(p, 0) / truth).toBeCloseTo(1, 3);
    }
  });

  it('neighbours: the rule of three points is near to fine quadrature', () => {
    const p = Float64Array.from([0, 0, 0, 1, 0, 0, 0.4, 0.9, 0, 0, 0, 0, 0.5, -0.8, 0.3, 1, 0, 0]);
    const point = new Float64Array(18);
    setRulePoints(p, 0, point, 0);
    setRulePoints(p, 9, point, 9);
    const area = [integrate(p, 0, 1, () => 1), integrate(p, 9, 1, () => 1)];
    expect(triangleArea(p, 9)).toBeCloseTo(area[1], 12);
    const truth =
      integrate(p, 9, 80, (x, y, z) => computeTrianglePotential(p, 0, x, y, z)) / (area[0] * area[1]);
    for (const [a, b] of [
      [0, 9],
      [9, 0],
    ]) {
      let mean = 0;
      for (let i = b; i < b + 9; i += 3)
        mean += computeTrianglePotential(p, a, point[i], point[i + 1], point[i + 2]) / (3 * area[a / 9]);
      expect(Math.abs(mean / truth - 1)).toBeLessThan(0.03);
    }
  });
});
