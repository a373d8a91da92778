/**
 * MINRES and GMRES against dense solves: definite, semidefinite, indefinite and non-symmetric systems;
 * breakdown and stagnation.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import { buildCsrFromDense, createCsrOperator } from '../../src/linalg/csr.ts';
import { createCg, createCgWork, iterateCg } from '../../src/linalg/krylov/cg.ts';
import { createGmres } from '../../src/linalg/krylov/gmres.ts';
import { createMinres } from '../../src/linalg/krylov/minres.ts';
import { createOperator, createSequentialOperator } from '../../src/linalg/operator.ts';
import type { Preconditioner } from '../../src/linalg/preconditioners/preconditioner.ts';
import { createThreadedSpace, sequentialSpace } from '../../src/linalg/vector-space.ts';
import { openThreads } from '../threads.ts';
import { computeDistance, multiplyDense, solveDense } from './dense.ts';

const { heap, one, two } = await openThreads();

const N = 60;
const strict = { tolerance: 1e-10, maxIterations: 2000 };
const createSolver = {
  cg: createCg,
  minres: createMinres,
  gmres: (...of: Parameters<typeof createMinres>) => createGmres(...of, 45),
};
type Name = keyof typeof createSolver;

/** Orthonormal columns, by Gram-Schmidt on random ones. */
function buildOrthogonal(n: number, seed: number): number[][] {
  const random = createRandom(1000 + seed);
  const q: number[][] = [];
  for (let c = 0; c < n; c++) {
    let v = Array.from({ length: n }, () => random.next() - 0.5);
    for (let pass = 0; pass < 2; pass++)
      for (const u of q) {
        const h = u.reduce((sum, value, i) => sum + value * v[i], 0);
        v = v.map((value, i) => value - h * u[i]);
      }
    const length = Math.hypot(...v);
    q.push(v.map((value) => value / length));
  }
  return q;
}

/** Symmetric, with the given eigenvalues. */
function buildSymmetric(eigenvalues: readonly number[], seed: number): number[][] {
  const n = eigenvalues.length;
  const q = buildOrthogonal(n, seed);
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += eigenvalues[k] * q[k][Math.min(i, j)] * q[k][Math.max(i, j)];
      return sum;
    }),
  );
}

const spread = (n: number, low: number, high: number) =>
  Array.from({ length: n }, (_, k) => low * (high / low) ** (k / (n - 1)));
const definite = spread(N, 0.1, 10);
const indefinite = definite.map((v, k) => (k % 3 === 0 ? -v : v));
const singular = definite.map((v, k) => (k < 4 ? 0 : v));
const singularIndefinite = indefinite.map((v, k) => (k < 4 ? 0 : v));

/** A dense SPD matrix as a preconditioner. */
const createDense = (threads: Threads, m: number[][]): Preconditioner => ({
  name: 'dense',
  apply(r, z) {
    z.set(multiplyDense(m, r));
    return createThreadedSpace(threads, heap.scope('dot')).dot(r, z);
  },
});

const fillRandom = (seed: number, x: Float64Array) => {
  const random = createRandom(seed);
  for (let i = 0; i < x.length; i++) x[i] = random.next() - 0.5;
  return x;
};
const norm = (x: ArrayLike<number>) => computeDistance(x, new Float64Array(x.length));

function solve(name: Name, dense: number[][], b: ArrayLike<number>, preconditioner?: Preconditioner) {
  const scope = heap.scope('test');
  const n = dense.length;
  const a = createCsrOperator(one, buildCsrFromDense(scope, dense));
  const right = scope.f64(n);
  right.set(Float64Array.from(b));
  const x = scope.f64(n);
  const report = createSolver[name](one, scope, n).solve(a, preconditioner, right, x, strict);
  // The residual reported is that of x, computed by other means.
  const residual = computeDistance(multiplyDense(dense, x), b) / norm(b);
  expect(Math.abs(report.residual - residual)).toBeLessThan(1e-13);
  const solution = [...x];
  scope.free();
  return { report, x: solution };
}

describe.each(['none', 'dense'])('with preconditioner %s', (kind) => {
  const preconditioner =
    kind === 'none' ? undefined : createDense(one, buildSymmetric(spread(N, 0.5, 4), 99));

  const cases: [Name, string, readonly number[]][] = [
    ['cg', 'definite', definite],
    ['minres', 'definite', definite],
    ['gmres', 'definite', definite],
    ['minres', 'indefinite', indefinite],
    ['gmres', 'indefinite', indefinite],
  ];
  it.each(cases)('%s agrees with a dense solve: %s', (name, _, eigenvalues) => {
    for (let seed = 1; seed < 4; seed++) {
      const dense = buildSymmetric(eigenvalues, seed);
      const b = fillRandom(seed, new Float64Array(N));
      const { report, x } = solve(name, dense, b, preconditioner);
      expect(report.converged, report.breakdown).toBe(true);
      const exact = solveDense(dense, b);
      expect(computeDistance(x, exact)).toBeLessThan(1e-7 * norm(exact));
    }
  });

  it.each(['cg', 'minres', 'gmres'] as const)('%s solves a semidefinite system in its range', (name) => {
    const dense = buildSymmetric(singular, 5);
    const b = multiplyDense(dense, fillRandom(2, new Float64Array(N)));
    const { report, x } = solve(name, dense, b, preconditioner);
    expect(report.converged, report.breakdown).toBe(true);
    expect(computeDistance(multiplyDense(dense, x), b)).toBeLessThan(1e-9 * norm(b));
  });

  it.each(['minres', 'gmres'] as const)('%s solves a singular indefinite system in its range', (name) => {
    const dense = buildSymmetric(singularIndefinite, 6);
    const b = multiplyDense(dense, fillRandom(3, new Float64Array(N)));
    const { report } = solve(name, dense, b, preconditioner);
    expect(report.converged, report.breakdown).toBe(true);
  });

  it('gmres agrees with a dense solve of non-symmetric systems', () => {
    for (let seed = 1; seed < 6; seed++) {
      const random = createRandom(seed);
      const dense = Array.from({ length: N }, (_, i) =>
        Array.from({ length: N }, (_, j) => random.next() - 0.5 + (i === j ? 6 : 0) + (j === i + 1 ? 3 : 0)),
      );
      const b = fillRandom(seed, new Float64Array(N));
      const { report, x } = solve('gmres', dense, b, preconditioner);
      expect(report.converged, report.breakdown).toBe(true);
      const exact = solveDense(dense, b);
      expect(computeDistance(x, exact)).toBeLessThan(1e-8 * norm(exact));
    }
  });
});

describe('minres', () => {
  it('needs as many iterations as there are different eigenvalues', () => {
    const eigenvalues = Array.from({ length: N }, (_, k) => [-3, -1, 2, 5][k % 4]);
    const b = fillRandom(1, new Float64Array(N));
    expect(solve('minres', buildSymmetric(eigenvalues, 1), b).report.iterations).toBe(4);
  });

  it('solves a saddle point with the Schur complement as preconditioner in three', () => {
    // [A B^T; B 0] with diag(A, B A^-1 B^T): eigenvalues 1 and (1 +- sqrt 5) / 2 (Murphy, Golub and Wathen
    // 2000).
    const [n, m] = [30, 10];
    const a = buildSymmetric(spread(n, 0.2, 8), 3);
    const random = createRandom(4);
    const b = Array.from({ length: m }, () => Array.from({ length: n }, () => random.next() - 0.5));
    const dense = Array.from({ length: n + m }, (_, i) =>
      Array.from({ length: n + m }, (_, j) => {
        if (i < n && j < n) return a[i][j];
        if (i >= n && j >= n) return 0;
        return i < n ? b[j - n][i] : b[i - n][j];
      }),
    );
    const schur = b.map((row) => {
      const y = solveDense(a, row);
      return b.map((other) => other.reduce((sum, v, k) => sum + v * y[k], 0));
    });
    const preconditioner: Preconditioner = {
      name: 'schur',
      apply(r, z) {
        z.set(solveDense(a, r.subarray(0, n)));
        z.set(solveDense(schur, r.subarray(n)), n);
        return r.reduce((sum, v, i) => sum + v * z[i], 0);
      },
    };
    const right = fillRandom(5, new Float64Array(n + m));
    const { report, x } = solve('minres', dense, right, preconditioner);
    expect(report.converged, report.breakdown).toBe(true);
    expect(report.iterations).toBeLessThanOrEqual(4);
    expect(computeDistance(x, solveDense(dense, right))).toBeLessThan(1e-7);
  });

  it('finds that b is not in the range of a singular matrix', () => {
    const { report } = solve('minres', buildSymmetric(singular, 5), fillRandom(2, new Float64Array(N)));
    expect(report.converged).toBe(false);
    expect(report.breakdown).toMatch(/singular, and b is not in its range/);
    expect(report.iterations).toBeLessThan(200);
  });

  it('refuses a preconditioner that is not positive definite', () => {
    const { report } = solve('minres', buildSymmetric(definite, 1), fillRandom(2, new Float64Array(N)), {
      name: 'negative',
      apply(r, z) {
        z.set(r.map((v) => -v));
        return -r.reduce((sum, v) => sum + v * v, 0);
      },
    });
    expect(report).toMatchObject({ iterations: 0, converged: false });
    expect(report.breakdown).toMatch(/preconditioner is not positive definite/);
  });
});

describe('gmres', () => {
  /** Takes e_1 to e_2 and so on round: no progress before the last of n iterations. */
  const shift = (n: number) =>
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => ((j + 1) % n === i ? 1 : 0)));
  const unit = (n: number) => Float64Array.from({ length: n }, (_, i) => (i === 0 ? 1 : 0));

  it('reports stagnation where restarts are too short, and solves where they are not', () => {
    const { report } = solve('gmres', shift(50), unit(50));
    expect(report.converged).toBe(false);
    expect(report.residual).toBeCloseTo(1, 12);
    expect(report.breakdown).toMatch(/stagnation: a restart of 45 took/);
    expect(solve('gmres', shift(20), unit(20)).report).toMatchObject({ iterations: 20, converged: true });
  });

  it('reports a singular matrix whose space does not hold the solution', () => {
    const dense = [
      [0, 1],
      [0, 0],
    ];
    const { report } = solve('gmres', dense, [0, 1]);
    expect(report.converged).toBe(false);
    expect(report.breakdown).toMatch(/the matrix is singular/);
  });

  it('stops at the bound on iterations without a complaint', () => {
    const scope = heap.scope('test');
    const a = createCsrOperator(one, buildCsrFromDense(scope, buildSymmetric(indefinite, 1)));
    const b = fillRandom(1, scope.f64(N));
    for (const create of [createMinres, createGmres]) {
      const report = create(one, scope, N).solve(a, undefined, b, scope.f64(N), {
        ...strict,
        maxIterations: 7,
      });
      expect(report).toMatchObject({ iterations: 7, converged: false });
      expect(report.breakdown).toBeUndefined();
    }
    scope.free();
  });
});

describe('all methods', () => {
  it.each(['cg', 'minres', 'gmres'] as const)('%s: NaN is reported, b = 0 gives 0', (name) => {
    const scope = heap.scope('test');
    const solver = createSolver[name](one, scope, 2);
    const a = createOperator(one, 2, (x, out) => out.set(x));
    const x = fillRandom(1, scope.f64(2));
    const b = scope.f64(2);
    expect(solver.solve(a, undefined, b, x, strict)).toEqual({
      iterations: 0,
      residual: 0,
      converged: true,
    });
    expect([...x]).toEqual([0, 0]);
    b[0] = Number.NaN;
    expect(solver.solve(a, undefined, b, x, strict).breakdown).toMatch(/NaN/);
    b[0] = 1;
    const broken = createOperator(one, 2, (x, out) => out.set(x.map((v) => (v === 0 ? 0 : Number.NaN))));
    const report = solver.solve(broken, undefined, b, scope.f64(2), strict);
    expect(report.converged).toBe(false);
    expect(report.breakdown).toMatch(/NaN/);
    scope.free();
  });

  it.each(['cg', 'minres', 'gmres'] as const)('%s gives the same bits on 1 and 2 threads', (name) => {
    const scope = heap.scope('test');
    const n = 40_000; // several chunks
    const outcomes = [one, two].map((threads) => {
      const laplace = createOperator(threads, n, (x, out) => {
        for (let i = 0; i < n; i++) out[i] = 2.1 * x[i] - (x[i - 1] ?? 0) - (x[i + 1] ?? 0);
      });
      const x = scope.f64(n);
      const b = fillRandom(1, scope.f64(n));
      const report = createSolver[name](threads, scope, n).solve(laplace, undefined, b, x, {
        tolerance: 1e-6,
        maxIterations: 300,
      });
      expect(report.converged, report.breakdown).toBe(true);
      return { report, x };
    });
    expect(outcomes[1].report).toEqual(outcomes[0].report);
    expect(computeDistance(outcomes[1].x, outcomes[0].x)).toBe(0);
    scope.free();
  });
});

describe('the recurrence of conjugate gradients by itself', () => {
  it('moves x and r together, with plain arrays and no preconditioner too', () => {
    const dense = buildSymmetric(definite, 2);
    const b = fillRandom(3, new Float64Array(N));
    const x = new Float64Array(N);
    const r = b.slice();
    const operator = createSequentialOperator(N, (v, out) => out.set(multiplyDense(dense, v)));
    const work = createCgWork(sequentialSpace, N, false);
    const pass = iterateCg(sequentialSpace, operator, undefined, { x, r }, work, (s) => s < 1e-18, 500);
    expect(pass.breakdown).toBeUndefined();
    expect(pass.square).toBeLessThan(1e-18);
    expect(computeDistance(x, solveDense(dense, b))).toBeLessThan(1e-7);
    const residual = multiplyDense(dense, x).map((v, i) => b[i] - v);
    expect(computeDistance(r, residual)).toBeLessThan(1e-12);
  });
});
