import { describe, expect, it } from 'vitest';
import { buildFaceLaplacian, buildGridPoisson, buildVertexLaplacian } from '../../cases/linalg/matrices.ts';
import { RunError } from '../../src/core/errors.ts';
import type { HeapScope } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import {
  buildCsrFromDense,
  type CsrMatrix,
  createCsrOperator,
  multiplyMatrix,
} from '../../src/linalg/csr.ts';
import { createCg } from '../../src/linalg/krylov/cg.ts';
import { createIdentity } from '../../src/linalg/preconditioners/identity.ts';
import {
  chooseBlockCount,
  createIncompleteCholesky,
} from '../../src/linalg/preconditioners/incomplete-cholesky.ts';
import { createJacobi } from '../../src/linalg/preconditioners/jacobi.ts';
import type { Preconditioner } from '../../src/linalg/preconditioners/preconditioner.ts';
import { openThreads } from '../threads.ts';
import { computeDistance, multiplyDense, solveDense, toDense } from './dense.ts';

const { heap, one, two } = await openThreads();

type Create = (threads: Threads, scope: HeapScope, a: CsrMatrix) => Preconditioner;
const preconditioners: Record<string, Create> = {
  identity: (threads) => createIdentity(threads),
  jacobi: createJacobi,
  'incomplete cholesky, plain': (threads, scope, a) =>
    createIncompleteCholesky(threads, scope, a, { relaxation: 0, blockCount: 3 }),
  'incomplete cholesky': (threads, scope, a) =>
    createIncompleteCholesky(threads, scope, a, { blockCount: 4 }),
};
const names = Object.keys(preconditioners);
const strict = { tolerance: 1e-10, maxIterations: 1000 };

/** B B^T + n I with a sparse B. */
function buildRandomSpd(n: number, seed: number): number[][] {
  const random = createRandom(seed);
  const b = Array.from({ length: n }, () =>
    Array.from({ length: n }, () => (random.next() < 3 / n ? random.next() - 0.5 : 0)),
  );
  return b.map((row, i) =>
    b.map((other, j) => row.reduce((sum, v, m) => sum + v * other[m], 0) + (i === j ? 0.05 : 0)),
  );
}

function fillRandom(seed: number, x: Float64Array): Float64Array {
  const random = createRandom(seed);
  for (let i = 0; i < x.length; i++) x[i] = random.next() - 0.5;
  return x;
}

describe('conjugate gradients', () => {
  it.each(names)('agree with a dense solve: %s', (name) => {
    for (let seed = 1; seed < 6; seed++) {
      const scope = heap.scope('test');
      const dense = buildRandomSpd(80, seed);
      const a = buildCsrFromDense(scope, dense);
      const b = fillRandom(seed, scope.f64(80));
      const x = scope.f64(80);
      const report = createCg(one, scope, 80).solve(
        createCsrOperator(one, a),
        preconditioners[name](one, scope, a),
        b,
        x,
        strict,
      );
      expect(report.converged).toBe(true);
      const exact = solveDense(dense, b);
      expect(computeDistance(x, exact)).toBeLessThan(1e-6 * computeDistance(exact, new Float64Array(80)));
      // the residual reported is that of x
      const residual = computeDistance(multiplyDense(dense, x), b) / computeDistance(b, new Float64Array(80));
      expect(residual).toBeLessThanOrEqual(1.01e-10);
      expect(report.residual).toBeCloseTo(residual, 13);
      scope.free();
    }
  });

  it.each(names)('converge at second order on a manufactured Poisson problem: %s', (name) => {
    const errors = [8, 16].map((n) => {
      const scope = heap.scope('test');
      const a = buildGridPoisson(two, scope, n);
      const exact = scope.f64(n ** 3);
      const b = scope.f64(n ** 3);
      for (let i = 0; i < n ** 3; i++) {
        const wave = (j: number) => Math.sin((Math.PI * (j + 0.5)) / n);
        exact[i] = wave(i % n) * wave(Math.floor(i / n) % n) * wave(Math.floor(i / (n * n)));
        b[i] = (3 * Math.PI ** 2 * exact[i]) / n ** 2; // -laplace, times h^2
      }
      const x = scope.f64(n ** 3);
      const report = createCg(two, scope, n ** 3).solve(
        createCsrOperator(two, a),
        preconditioners[name](two, scope, a),
        b,
        x,
        strict,
      );
      expect(report.converged).toBe(true);
      const error = computeDistance(x, exact) / n ** 1.5;
      scope.free();
      return error;
    });
    expect(errors[0] / errors[1]).toBeGreaterThan(3.8);
    expect(errors[0] / errors[1]).toBeLessThan(4.2);
  });

  it.each(names)('give the same bits on 1 and 2 threads: %s', (name) => {
    for (const build of [buildGridPoisson, buildFaceLaplacian, buildVertexLaplacian]) {
      const scope = heap.scope('test');
      const outcomes = [one, two].map((threads) => {
        const a = build(threads, scope, build === buildFaceLaplacian ? 10 : 22);
        const b = fillRandom(3, scope.f64(a.rowCount));
        const x = scope.f64(a.rowCount);
        const cg = createCg(threads, scope, a.rowCount);
        const report = cg.solve(
          createCsrOperator(threads, a),
          preconditioners[name](threads, scope, a),
          b,
          x,
          {
            tolerance: 1e-8,
            maxIterations: 500,
          },
        );
        expect(report.converged).toBe(true);
        expect(report.residual).toBeGreaterThan(1e-12);
        return { report, x };
      });
      expect(outcomes[1].report).toEqual(outcomes[0].report);
      expect(computeDistance(outcomes[1].x, outcomes[0].x)).toBe(0);
      scope.free();
    }
  });

  it('use the first guess', () => {
    const scope = heap.scope('test');
    const a = buildGridPoisson(one, scope, 12);
    const x = fillRandom(1, scope.f64(a.rowCount));
    const b = scope.f64(a.rowCount);
    multiplyMatrix(one, a, x, b);
    const cg = createCg(one, scope, a.rowCount);
    const jacobi = createJacobi(one, scope, a);
    expect(cg.solve(createCsrOperator(one, a), jacobi, b, x, strict).iterations).toBe(0);
    x[7] += 1e-3;
    const near = cg.solve(createCsrOperator(one, a), jacobi, b, x, {
      tolerance: 1e-6,
      maxIterations: 500,
    }).iterations;
    const far = cg.solve(createCsrOperator(one, a), jacobi, b, x.fill(0), {
      tolerance: 1e-6,
      maxIterations: 500,
    }).iterations;
    expect(near).toBeGreaterThan(0);
    expect(near).toBeLessThan(far);
    scope.free();
  });

  it('return zero for b = 0, whatever the guess, and stop at the bound on iterations', () => {
    const scope = heap.scope('test');
    const a = buildGridPoisson(one, scope, 12);
    const cg = createCg(one, scope, a.rowCount);
    const jacobi = createJacobi(one, scope, a);
    const x = fillRandom(1, scope.f64(a.rowCount));
    const b = scope.f64(a.rowCount);
    expect(cg.solve(createCsrOperator(one, a), jacobi, b, x, strict)).toEqual({
      iterations: 0,
      residual: 0,
      converged: true,
    });
    expect(x.every((value) => value === 0)).toBe(true);
    const report = cg.solve(createCsrOperator(one, a), jacobi, b.fill(1), x, {
      tolerance: 1e-10,
      maxIterations: 3,
    });
    expect(report).toMatchObject({ iterations: 3, converged: false });
    expect(report.residual).toBeGreaterThan(1e-10);
    scope.free();
  });

  it('solve a semi-definite system whose right side lies in its range', () => {
    const scope = heap.scope('test');
    const n = 40; // a chain without ends held: constants are its kernel
    const dense = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (_, j) => {
        if (i === j) return i === 0 || i === n - 1 ? 1 : 2;
        return Math.abs(i - j) === 1 ? -1 : 0;
      }),
    );
    const a = buildCsrFromDense(scope, dense);
    const b = scope.f64(n);
    b[0] = 1;
    b[n - 1] = -1;
    const x = scope.f64(n);
    const report = createCg(one, scope, n).solve(
      createCsrOperator(one, a),
      createJacobi(one, scope, a),
      b,
      x,
      strict,
    );
    expect(report.converged).toBe(true);
    expect(x[0] - x[n - 1]).toBeCloseTo(n - 1, 6);
    scope.free();
  });

  it('say so when the matrix is not positive definite or holds NaN', () => {
    const scope = heap.scope('test');
    const indefinite = buildCsrFromDense(scope, [
      [1, 3],
      [3, 1],
    ]);
    const b = scope.f64(2);
    b[0] = 1;
    b[1] = -1;
    const cg = createCg(one, scope, 2);
    const report = cg.solve(createCsrOperator(one, indefinite), createIdentity(one), b, scope.f64(2), strict);
    expect(report.converged).toBe(false);
    expect(report.breakdown).toMatch(/p \. A p = -4: the matrix is not positive definite/);
    b[0] = Number.NaN;
    const broken = cg.solve(createCsrOperator(one, indefinite), createIdentity(one), b, scope.f64(2), strict);
    expect(broken.converged).toBe(false);
    expect(broken.breakdown).toMatch(/NaN/);
    scope.free();
  });
});

describe('incomplete cholesky', () => {
  /** L D L^T that `apply` inverts, from its action on unit vectors. */
  function measureInverse(p: Preconditioner, scope: HeapScope, n: number): number[][] {
    return Array.from({ length: n }, (_, i) => {
      const r = scope.f64(n);
      r[i] = 1;
      const z = scope.f64(n);
      expect(p.apply(r, z)).toBe(z[i]);
      return [...z];
    });
  }

  it('is the exact inverse where no fill is dropped', () => {
    const n = 30;
    const tridiagonal = (i: number, j: number) => (Math.abs(i - j) === 1 ? -1 : 0);
    // Row 0 couples to all: with several blocks it is the interface, and eliminating the others first leaves
    // no fill.
    const arrow = (i: number, j: number) => (i === 0 || j === 0 ? -0.1 : 0);
    for (const [coupling, blockCount] of [
      [tridiagonal, 1],
      [arrow, 2],
      [arrow, 5],
    ] as const) {
      const dense = Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (_, j) => (i === j ? 2.5 + (i % 3) : coupling(i, j))),
      );
      const scope = heap.scope('test');
      const a = buildCsrFromDense(scope, dense);
      const inverse = measureInverse(createIncompleteCholesky(one, scope, a, { blockCount }), scope, n);
      for (let i = 0; i < n; i++) {
        const unit = multiplyDense(dense, inverse[i]);
        for (let j = 0; j < n; j++) expect(unit[j]).toBeCloseTo(i === j ? 1 : 0, 12);
      }
      scope.free();
    }
  });

  it('agrees with a dense reference on the pattern, plain and modified', () => {
    const scope = heap.scope('test');
    const a = buildGridPoisson(one, scope, 4);
    const n = a.rowCount;
    const dense = toDense(a);
    for (const relaxation of [0, 0.9]) {
      // Textbook elimination; what falls outside the pattern goes to the two diagonals, relaxed.
      const s = dense.map((row) => [...row]);
      for (let k = 0; k < n; k++)
        for (let i = k + 1; i < n; i++)
          for (let j = k + 1; j <= i; j++) {
            const update = (s[i][k] * s[j][k]) / s[k][k];
            if (i === j) s[i][i] -= update;
            else if (dense[i][j] !== 0) s[i][j] -= update;
            else {
              s[i][i] -= relaxation * update;
              s[j][j] -= relaxation * update;
            }
          }
      const product = dense.map((row, i) =>
        row.map((_, j) => {
          let sum = 0;
          for (let k = 0; k <= Math.min(i, j); k++) {
            const l = (r: number) => (r === k ? 1 : s[r][k] / s[k][k]);
            sum += l(i) * s[k][k] * l(j);
          }
          return sum;
        }),
      );
      const ic = createIncompleteCholesky(one, scope, a, { relaxation, blockCount: 1 });
      const inverse = measureInverse(ic, scope, n);
      for (let i = 0; i < n; i++) {
        const unit = multiplyDense(product, inverse[i]);
        for (let j = 0; j < n; j++) expect(unit[j]).toBeCloseTo(i === j ? 1 : 0, 11);
      }
    }
    scope.free();
  });

  it('cuts larger problems into more blocks', () => {
    expect([0, 1, 4000, 5000, 100_000, 2_000_000].map(chooseBlockCount)).toEqual([1, 1, 1, 2, 4, 8]);
  });

  it('saves iterations, keeps most of it with 8 blocks, and follows new values', () => {
    const scope = heap.scope('test');
    const a = buildGridPoisson(two, scope, 32);
    const b = fillRandom(1, scope.f64(a.rowCount));
    const cg = createCg(two, scope, a.rowCount);
    const count = (p: Preconditioner) =>
      cg.solve(createCsrOperator(two, a), p, b, scope.f64(a.rowCount), {
        tolerance: 1e-8,
        maxIterations: 500,
      }).iterations;
    const jacobi = count(createJacobi(two, scope, a));
    const single = count(createIncompleteCholesky(two, scope, a, { blockCount: 1 }));
    const ic = createIncompleteCholesky(two, scope, a, { blockCount: 8 });
    const blocks = count(ic);
    expect(single).toBeLessThan(0.4 * jacobi);
    expect(blocks).toBeLessThan(1.5 * single);
    for (let j = 0; j < a.value.length; j++) a.value[j] *= 7;
    ic.factor();
    expect(count(ic)).toBe(blocks);
    scope.free();
  });

  it('shifts the diagonal of a matrix whose incomplete factor breaks down (Kershaw), and still converges', () => {
    const scope = heap.scope('test');
    const dense = [
      [3, -2, 0, 2],
      [-2, 3, -2, 0],
      [0, -2, 3, -2],
      [2, 0, -2, 3],
    ];
    const a = buildCsrFromDense(scope, dense);
    const ic = createIncompleteCholesky(one, scope, a, { relaxation: 0 });
    expect(ic.shift).toBeGreaterThan(0);
    const b = fillRandom(1, scope.f64(4));
    const x = scope.f64(4);
    expect(createCg(one, scope, 4).solve(createCsrOperator(one, a), ic, b, x, strict).converged).toBe(true);
    expect(computeDistance(x, solveDense(dense, b))).toBeLessThan(1e-7);
    scope.free();
  });

  it('refuses a matrix that cannot be positive definite', () => {
    const scope = heap.scope('test');
    const zero = buildCsrFromDense(scope, [
      [0, 0],
      [0, 1],
    ]);
    expect(() => createIncompleteCholesky(one, scope, zero)).toThrow(RunError);
    expect(() => createJacobi(one, scope, zero)).toThrow(/diagonal 0 in row 0 of 2/);
    const lopsided = buildCsrFromDense(scope, [
      [2, 1],
      [0, 2],
    ]);
    expect(() => createIncompleteCholesky(one, scope, lopsided)).toThrow(/\(0, 1\) has no mirror image/);
    scope.free();
  });
});
