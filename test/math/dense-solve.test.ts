/** Small dense solves: residuals, orthogonality, and what is singular. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import {
  factorCholesky,
  factorQr,
  solveByElimination,
  solveCholesky,
  solveSymmetric,
} from '../../src/math/dense-solve.ts';
import { SymmetricEigen } from '../../src/math/symmetric-eigen.ts';

const random = createRandom(31);
const draw = (n: number) => Float64Array.from({ length: n }, () => 2 * random.next() - 1);

/** A B^T of matrices n x m */
const multiply = (a: Float64Array, b: Float64Array, n: number, m: number) => {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) for (let k = 0; k < m; k++) out[n * i + j] += a[m * i + k] * b[m * j + k];
  return out;
};

const measureMiss = (a: Float64Array, x: Float64Array, b: Float64Array) => {
  const n = x.length;
  let worst = 0;
  for (let i = 0; i < n; i++) {
    let sum = -b[i];
    for (let j = 0; j < n; j++) sum += a[n * i + j] * x[j];
    worst = Math.max(worst, Math.abs(sum));
  }
  return worst;
};

describe.each([1, 2, 5, 12, 30])('%i unknowns', (n) => {
  it('Cholesky solves a definite system', () => {
    const root = draw(n * n);
    const a = multiply(root, root, n, n);
    for (let i = 0; i < n; i++) a[(n + 1) * i] += 0.1;
    const b = draw(n);
    const [factor, x] = [a.slice(), b.slice()];
    factorCholesky(factor, n);
    solveCholesky(factor, n, x);
    expect(measureMiss(a, x, b)).toBeLessThan(1e-11);
  });

  it('elimination solves any system, also with zeros on the diagonal', () => {
    const a = draw(n * n);
    for (let i = 0; i < n; i++) if (n > 1) a[(n + 1) * i] = 0;
    const b = draw(n);
    const x = b.slice();
    expect(solveByElimination(a.slice(), n, x)).toBe(true);
    expect(measureMiss(a, x, b)).toBeLessThan(1e-11);
  });

  it('elimination tells what is singular', () => {
    const a = draw(n * n);
    for (let i = 0; i < n; i++) a[n * i + n - 1] = n === 1 ? 0 : 3 * a[n * i];
    expect(solveByElimination(a, n, draw(n))).toBe(false);
  });
});

describe('columns made orthonormal', () => {
  const [rows, columns] = [40, 6];
  it('Q R is the matrix and Q is orthogonal, of columns of very different length too', () => {
    const a = draw(rows * columns).map((x, i) => x * 10 ** -(i % columns));
    for (let r = 0; r < rows; r++) a[columns * r + 1] = a[columns * r] + 1e-7 * a[columns * r + 2];
    const [q, triangle] = [a.slice(), new Float64Array(columns * columns)];
    expect(factorQr(q, rows, columns, triangle)).toBe(columns);
    for (let i = 0; i < columns; i++)
      for (let j = 0; j < columns; j++) {
        let dot = 0;
        for (let r = 0; r < rows; r++) dot += q[columns * r + i] * q[columns * r + j];
        expect(Math.abs(dot - (i === j ? 1 : 0))).toBeLessThan(1e-13);
        if (i > j) expect(triangle[columns * i + j]).toBe(0);
      }
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < columns; c++) {
        let sum = 0;
        for (let k = 0; k < columns; k++) sum += q[columns * r + k] * triangle[columns * k + c];
        expect(Math.abs(sum - a[columns * r + c])).toBeLessThan(1e-14);
      }
  });

  it('a column that depends on others becomes zero', () => {
    const a = draw(rows * columns);
    for (let r = 0; r < rows; r++) a[columns * r + 3] = 2 * a[columns * r] - a[columns * r + 1];
    const triangle = new Float64Array(columns * columns);
    expect(factorQr(a, rows, columns, triangle)).toBe(columns - 1);
    expect(triangle[(columns + 1) * 3]).toBe(0);
    for (let r = 0; r < rows; r++) expect(a[columns * r + 3]).toBe(0);
  });
});

it('three unknowns by cofactors', () => {
  for (let n = 0; n < 20; n++) {
    const root = draw(9);
    const a = multiply(root, root, 3, 3);
    for (let i = 0; i < 3; i++) a[4 * i] += 0.1;
    const b = draw(3);
    const x = Float64Array.from(solveSymmetric([a[0], a[1], a[2], a[4], a[5], a[8]], Array.from(b)));
    expect(measureMiss(a, x, b)).toBeLessThan(1e-11);
  }
});

it('eigenvalues fall, and their vectors make up the matrix, for any spread', () => {
  const eigen = new SymmetricEigen();
  for (let n = 0; n < 40; n++) {
    const root = draw(9).map((x, i) => x * 10 ** (-2 * (i % 3)));
    const a = multiply(root, root, 3, 3);
    eigen.solve(a[0], a[1], a[2], a[4], a[5], a[8]);
    const { value, vector } = eigen;
    expect(value[0] >= value[1] && value[1] >= value[2]).toBe(true);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        let [sum, dot] = [0, 0];
        for (let k = 0; k < 3; k++) {
          sum += value[k] * vector[3 * k + i] * vector[3 * k + j];
          dot += vector[3 * i + k] * vector[3 * j + k];
        }
        expect(Math.abs(sum - a[3 * i + j])).toBeLessThan(1e-14);
        expect(Math.abs(dot - (i === j ? 1 : 0))).toBeLessThan(1e-14);
      }
  }
});
