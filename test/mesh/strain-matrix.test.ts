import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { computeStrainMatrix } from '../../src/mesh/strain-matrix.ts';

const random = createRandom(5);
const corner = Float64Array.from({ length: 12 }, (_, k) => (k % 4 === 0 ? 1 : 0) + 0.3 * random.next());
const [mu, lambda] = [1.7, 0.6];
const matrix = new Float64Array(150);
const volume = computeStrainMatrix(corner, mu, lambda, 6, matrix);
const at = (i: number, j: number) => matrix[6 + 12 * i + j];

/** A linear field u = G x at the corners, G row by row. */
const sample = (g: readonly number[]) =>
  Array.from({ length: 12 }, (_, n) => {
    const [a, r] = [Math.floor(n / 3), n % 3];
    return [0, 1, 2].reduce((sum, k) => sum + g[3 * r + k] * corner[3 * a + k], 0);
  });

const form = (u: readonly number[], v: readonly number[]) => {
  let sum = 0;
  for (let i = 0; i < 12; i++) for (let j = 0; j < 12; j++) sum += u[i] * at(i, j) * v[j];
  return sum;
};

describe('the matrix of stress on a tetrahedron', () => {
  it('is symmetric, and has the volume of the determinant', () => {
    for (let i = 0; i < 12; i++) for (let j = 0; j < 12; j++) expect(at(i, j)).toBeCloseTo(at(j, i), 14);
    const e = (k: number, c: number) => corner[3 * k + c] - corner[c];
    const determinant =
      e(1, 0) * (e(2, 1) * e(3, 2) - e(2, 2) * e(3, 1)) -
      e(1, 1) * (e(2, 0) * e(3, 2) - e(2, 2) * e(3, 0)) +
      e(1, 2) * (e(2, 0) * e(3, 1) - e(2, 1) * e(3, 0));
    expect(volume).toBeCloseTo(Math.abs(determinant) / 6, 14);
    expect(volume).toBeGreaterThan(1e-3);
  });

  it('gives the energy of linear fields by the formula', () => {
    for (let trial = 0; trial < 5; trial++) {
      const g = Array.from({ length: 9 }, () => random.next() - 0.5);
      const h = Array.from({ length: 9 }, () => random.next() - 0.5);
      const strain = (m: readonly number[]) =>
        m.map((v, n) => 0.5 * (v + m[3 * (n % 3) + Math.floor(n / 3)]));
      const trace = (m: readonly number[]) => m[0] + m[4] + m[8];
      const [e, f] = [strain(g), strain(h)];
      const expected = 2 * mu * e.reduce((sum, v, n) => sum + v * f[n], 0) + lambda * trace(e) * trace(f);
      expect(form(sample(g), sample(h))).toBeCloseTo(volume * expected, 12);
    }
  });

  it('knows no translation and no rotation', () => {
    const spin = sample([0, -1, 2, 1, 0, 3, -2, -3, 0]);
    const shift = Array.from({ length: 12 }, (_, n) => [1, 2, -3][n % 3]);
    for (const u of [spin, shift])
      for (let i = 0; i < 12; i++)
        expect(Math.abs(u.reduce((sum, v, j) => sum + at(i, j) * v, 0))).toBeLessThan(1e-13);
  });
});
