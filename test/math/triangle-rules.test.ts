import { describe, expect, it } from 'vitest';
import { computeGaussRule, triangleRules } from '../../src/math/triangle-rules.ts';

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

describe('quadrature on triangles', () => {
  it.each([
    [1, 1],
    [3, 2],
    [7, 5],
  ] as const)('%i points are exact to degree %i and not beyond', (points, degree) => {
    const { count, weight, share } = triangleRules[points];
    expect(count).toBe(points);
    const miss = (i: number, j: number, k: number) => {
      let sum = 0;
      for (let q = 0; q < count; q++)
        sum += share[q] * weight[3 * q] ** i * weight[3 * q + 1] ** j * weight[3 * q + 2] ** k;
      // Mean of barycentric powers over a triangle: 2 i! j! k! / (i + j + k + 2)!
      return Math.abs(sum - (2 * factorial(i) * factorial(j) * factorial(k)) / factorial(i + j + k + 2));
    };
    for (let i = 0; i <= degree; i++)
      for (let j = 0; i + j <= degree; j++) expect(miss(i, j, degree - i - j)).toBeLessThan(1e-15);
    expect(miss(degree + 1, 0, 0)).toBeGreaterThan(1e-5);
  });

  it.each([1, 2, 5, 8])('Gauss rule of %i points is exact to degree 2 n - 1', (n) => {
    const { point, share } = computeGaussRule(n);
    const moment = (d: number) => point.reduce((sum, x, i) => sum + share[i] * x ** d, 0);
    for (let d = 0; d < 2 * n; d++) expect(Math.abs(moment(d) * (d + 1) - 1)).toBeLessThan(1e-13);
    expect(Math.abs(moment(2 * n) * (2 * n + 1) - 1)).toBeGreaterThan(1e-11);
  });
});
