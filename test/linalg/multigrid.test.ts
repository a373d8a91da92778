/**
 * Multigrid over model matrices: its parts against dense algebra, its convergence against the size, its bits
 * against threads.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildFaceLaplacian, buildGridPoisson, buildVertexLaplacian } from '../../cases/linalg/matrices.ts';
import type { HeapScope } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import { buildCsrFromDense, type CsrMatrix, createCsrOperator } from '../../src/linalg/csr.ts';
import { createCg } from '../../src/linalg/krylov/cg.ts';
import { buildSmoothedAggregation } from '../../src/linalg/multigrid/aggregation.ts';
import {
  ALONE,
  buildAverages,
  COARSE,
  FINE,
  labelVariables,
} from '../../src/linalg/multigrid/coarse-fine.ts';
import { createDenseCholesky } from '../../src/linalg/multigrid/dense-cholesky.ts';
import { buildGalerkin } from '../../src/linalg/multigrid/galerkin.ts';
import {
  beginSweeps,
  computeFirstResidual,
  computeSplitResidual,
  relaxBackward,
  relaxForward,
  relaxFromZero,
} from '../../src/linalg/multigrid/gauss-seidel.ts';
import type { Coarsening } from '../../src/linalg/multigrid/hierarchy.ts';
import { createMultigrid } from '../../src/linalg/multigrid/multigrid.ts';
import { buildSplitMatrix, followDiagonal } from '../../src/linalg/multigrid/split-matrix.ts';
import { transposeWeights, type Weights } from '../../src/linalg/multigrid/transfer.ts';
import { openThreads } from '../threads.ts';
import { computeDistance, multiplyDense, solveDense, toDense } from './dense.ts';

const { heap, one, two } = await openThreads();

const coarsenings: Coarsening[] = ['greedy', 'aggregation'];
/**
 * Simple averages are not exact for slopes, so the paper's iterations grow slowly; on a grid, where every
 * other variable is coarse, levels are large.
 */
const bounds = {
  greedy: { growth: 1.75, complexity: 2.5 },
  aggregation: { growth: 1.4, complexity: 2 },
};

function fillRandom<T extends Float64Array | Float32Array>(seed: number, x: T): T {
  const random = createRandom(seed);
  for (let i = 0; i < x.length; i++) x[i] = random.next() - 0.5;
  return x;
}

const dot = (x: Float64Array, y: Float64Array) => x.reduce((sum, v, i) => sum + v * y[i], 0);

/**
 * A random graph's Laplacian plus a little: symmetric, positive definite, in several pieces, some of one
 * variable.
 */
function buildGraphMatrix(n: number, seed: number, density = 2 / n): number[][] {
  const random = createRandom(seed);
  const dense = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (let i = 0; i < n; i++) {
    dense[i][i] += 0.01 + random.next() * 0.01;
    for (let j = 0; j < i; j++) {
      if (random.next() > density) continue;
      const w = 0.1 + random.next();
      dense[i][i] += w;
      dense[j][j] += w;
      dense[i][j] -= w;
      dense[j][i] -= w;
    }
  }
  return dense;
}

function toDenseWeights(p: Weights): number[][] {
  const dense = Array.from({ length: p.rowCount }, () => new Array<number>(p.columnCount).fill(0));
  for (let i = 0; i < p.rowCount; i++)
    for (let j = p.rowStart[i]; j < p.rowStart[i + 1]; j++) dense[i][p.column[j]] += p.value[j];
  return dense;
}

describe('greedy coarsening', () => {
  it('leaves no fine variable without a coarse neighbour, and labels all', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer(), (n, seed) => {
        const scope = heap.scope('test');
        const a = buildCsrFromDense(scope, buildGraphMatrix(n, seed));
        const label = labelVariables(a);
        for (let i = 0; i < n; i++) {
          const neighbours = [...a.column.subarray(a.rowStart[i], a.rowStart[i + 1])].filter((j) => j !== i);
          if (label[i] === ALONE) expect(neighbours).toEqual([]);
          else if (label[i] === FINE) expect(neighbours.some((j) => label[j] === COARSE)).toBe(true);
          else expect(label[i]).toBe(COARSE);
          // no two coarse variables side by side: fewer would not do
          if (label[i] === COARSE) expect(neighbours.every((j) => label[j] === FINE)).toBe(true);
        }
        scope.free();
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('averages: rows add up to one and the coarse variables keep their values', () => {
    const scope = heap.scope('test');
    const a = buildFaceLaplacian(one, scope, 5);
    const label = labelVariables(a);
    const p = buildAverages(scope, a, label);
    expect(p.columnCount).toBeLessThan(0.3 * a.rowCount);
    for (let i = 0; i < a.rowCount; i++) {
      const row = p.value.subarray(p.rowStart[i], p.rowStart[i + 1]);
      expect(row.reduce((s, v) => s + v, 0)).toBeCloseTo(1, 6);
      if (label[i] === COARSE) expect(row.length).toBe(1);
      else expect(new Set(row).size).toBe(1);
    }
    scope.free();
  });
});

it('smoothed aggregation reproduces constants where the matrix does', () => {
  const scope = heap.scope('test');
  const n = 40;
  const dense = buildGraphMatrix(n, 4, 0.2);
  for (let i = 0; i < n; i++) {
    const others = dense[i].reduce((s, v, j) => (i === j ? s : s + v), 0);
    dense[i][i] = -others;
  }
  const p = buildSmoothedAggregation(scope, buildCsrFromDense(scope, dense), 0.08);
  expect(p.columnCount).toBeGreaterThan(1);
  expect(p.columnCount).toBeLessThan(n / 3);
  for (const row of toDenseWeights(p)) expect(row.reduce((s, v) => s + v, 0)).toBeCloseTo(1, 6);
  scope.free();
});

it.each(coarsenings)('Galerkin products equal dense ones, on one and two threads: %s', (coarsening) => {
  const scope = heap.scope('test');
  const a = buildVertexLaplacian(one, scope, 5);
  const p =
    coarsening === 'greedy'
      ? buildAverages(scope, a, labelVariables(a))
      : buildSmoothedAggregation(scope, a, 0.05);
  const weights = toDenseWeights(p);
  const coarse = [one, two].map((threads) => buildGalerkin(threads, scope, a, p, transposeWeights(scope, p)));
  expect([...coarse[1].value]).toEqual([...coarse[0].value]);
  const dense = toDense(a);
  const product = dense.map((row) =>
    weights[0].map((_, c) => row.reduce((s, v, k) => s + v * weights[k][c], 0)),
  );
  const expected = weights[0].map((_, c) =>
    weights[0].map((__, d) => weights.reduce((s, row, i) => s + row[c] * product[i][d], 0)),
  );
  const found = toDense(coarse[0]);
  for (let c = 0; c < found.length; c++) {
    expect(coarse[0].column[coarse[0].diagonal[c]]).toBe(c);
    for (let d = 0; d < found.length; d++) expect(found[c][d]).toBeCloseTo(expected[c][d], 12);
  }
  scope.free();
});

describe('sweeps', () => {
  /** Dense hybrid sweep with the same blocks: forward or backward. */
  function sweepDense(
    dense: number[][],
    block: Int32Array,
    b: number[],
    x: number[],
    forward: boolean,
  ): number[] {
    const old = [...x];
    const out = [...x];
    for (let m = 0; m + 1 < block.length; m++) {
      for (let s = block[m]; s < block[m + 1]; s++) {
        const i = forward ? s : block[m] + block[m + 1] - 1 - s;
        let lagged = 0;
        let sum = b[i];
        dense[i].forEach((v, j) => {
          if (j === i) return;
          const inside = j >= block[m] && j < block[m + 1];
          if (!inside) lagged += Math.abs(v);
          sum -= v * (inside ? out[j] : old[j]);
        });
        const surplus = Math.max(0, 0.5 * (lagged - 0.75 * dense[i][i]));
        out[i] = (sum + surplus * old[i]) / (dense[i][i] + surplus);
      }
    }
    return out;
  }

  it.each([1, 8])('follow diagonals that change: %i blocks', (blocks) => {
    const scope = heap.scope('test');
    const a = buildCsrFromDense(scope, buildGraphMatrix(64, 9, 0.15));
    const m = buildSplitMatrix(two, scope, a, blocks);
    const rows = Int32Array.of(0, 7, 8, 31, 63);
    for (const i of rows) a.value[a.diagonal[i]] *= 0.3;
    const before = m.triangles.inverse.slice();
    followDiagonal(m, a, rows);
    const fresh = buildSplitMatrix(two, scope, a, blocks);
    expect(m.triangles.inverse).not.toEqual(before);
    expect(computeDistance(m.triangles.inverse, [...fresh.triangles.inverse])).toBeLessThan(1e-6);
    expect(computeDistance(m.outer.surplus, [...fresh.outer.surplus])).toBeLessThan(1e-6);
    scope.free();
  });

  it.each([1, 3, 8])('equal dense sweeps with the same blocks, residuals included: %i blocks', (blocks) => {
    const scope = heap.scope('test');
    const n = 64;
    const dense = buildGraphMatrix(n, 9, 0.15);
    const a = buildCsrFromDense(scope, dense);
    const m = buildSplitMatrix(two, scope, a, blocks);
    const w = fillRandom(2, scope.f32(n));
    const right = [...w];
    const [x, r] = [scope.f32(n), scope.f32(n)];
    const close = (found: Float32Array, expected: number[]) =>
      expect(computeDistance(found, expected)).toBeLessThan(
        2e-6 *
          computeDistance(
            expected,
            right.map(() => 0),
          ),
      );
    beginSweeps(m, w);
    relaxFromZero(two, m, w, x);
    let y = sweepDense(
      dense,
      m.blockStart,
      right,
      right.map(() => 0),
      true,
    );
    close(x, y);
    computeFirstResidual(two, m, x, r);
    close(
      r,
      multiplyDense(dense, y).map((v, i) => right[i] - v),
    );
    relaxForward(two, m, w, x);
    y = sweepDense(dense, m.blockStart, right, y, true);
    close(x, y);
    relaxBackward(two, m, w, x);
    y = sweepDense(dense, m.blockStart, right, y, false);
    close(x, y);
    computeSplitResidual(two, m, w, x, r);
    close(
      r,
      multiplyDense(dense, y).map((v, i) => right[i] - v),
    );
    scope.free();
  });
});

it('dense Cholesky solves, and a singular system with a right-hand side in its range', () => {
  const scope = heap.scope('test');
  const dense = buildGraphMatrix(30, 3, 0.3);
  const b = fillRandom(1, new Float32Array(30));
  const x = new Float32Array(30);
  createDenseCholesky(buildCsrFromDense(scope, dense)).solve(b, x);
  expect(computeDistance(x, solveDense(dense, b))).toBeLessThan(
    1e-5 * computeDistance(x, new Float32Array(30)),
  );
  const chain = [
    [1, -1, 0],
    [-1, 2, -1],
    [0, -1, 1],
  ];
  const y = new Float32Array(3);
  createDenseCholesky(buildCsrFromDense(scope, chain)).solve(Float32Array.of(1, 0, -1), y);
  expect(computeDistance(multiplyDense(chain, y), [1, 0, -1])).toBeLessThan(1e-6);
  scope.free();
});

/** Conjugate gradients with a multigrid preconditioner, and its cycles alone. */
function solveAll(threads: Threads, scope: HeapScope, a: CsrMatrix, coarsening: Coarsening, b: Float64Array) {
  const limits = { tolerance: 1e-8, maxIterations: 200 };
  const multigrid = createMultigrid(threads, scope, a, { coarsening });
  const [x, y, z] = [0, 1, 2].map(() => scope.f64(a.rowCount));
  const cg = createCg(threads, scope, a.rowCount).solve(
    createCsrOperator(threads, a),
    multigrid,
    b,
    x,
    limits,
  );
  const v = multigrid.solve(b, y, limits, 'v');
  const full = multigrid.solve(b, z, limits, 'full');
  return { cg, v, full, x, y, z, multigrid };
}

describe.each(coarsenings)('multigrid, %s', (coarsening) => {
  it('takes about as many iterations on 8 times the unknowns', () => {
    for (const build of [buildGridPoisson, buildVertexLaplacian, buildFaceLaplacian]) {
      const sizes = build === buildFaceLaplacian ? [7, 14] : [12, 24];
      const iterations = sizes.map((n) => {
        const scope = heap.scope('test');
        const a = build(two, scope, n);
        const { cg, multigrid } = solveAll(two, scope, a, coarsening, fillRandom(7, scope.f64(a.rowCount)));
        expect(cg.converged).toBe(true);
        expect(multigrid.hierarchy.coarsest).toBeDefined();
        expect(multigrid.hierarchy.operatorComplexity).toBeLessThan(bounds[coarsening].complexity);
        scope.free();
        return cg.iterations;
      });
      expect(iterations[0]).toBeGreaterThan(3);
      expect(iterations[1]).toBeLessThan(bounds[coarsening].growth * iterations[0]);
      expect(iterations[1]).toBeLessThan(36);
    }
  });

  it('is a symmetric positive definite preconditioner', () => {
    const scope = heap.scope('test');
    const a = buildFaceLaplacian(two, scope, 9);
    const n = a.rowCount;
    const multigrid = createMultigrid(two, scope, a, { coarsening });
    for (let seed = 1; seed < 5; seed++) {
      const [x, y] = [fillRandom(seed, scope.f64(n)), fillRandom(seed + 9, scope.f64(n))];
      const [mx, my] = [scope.f64(n), scope.f64(n)];
      const xx = multigrid.apply(x, mx);
      multigrid.apply(y, my);
      expect(xx).toBeCloseTo(dot(x, mx), 10);
      expect(xx).toBeGreaterThan(0);
      const size = Math.sqrt(dot(x, mx) * dot(y, my));
      expect(Math.abs(dot(x, my) - dot(y, mx))).toBeLessThan(1e-6 * size);
    }
    scope.free();
  });

  it('solves alone, in V-cycles and in fewer full cycles, to what conjugate gradients find', () => {
    const scope = heap.scope('test');
    const a = buildVertexLaplacian(two, scope, 16);
    const { cg, v, full, x, y, z } = solveAll(
      two,
      scope,
      a,
      coarsening,
      fillRandom(3, scope.f64(a.rowCount)),
    );
    for (const report of [cg, v, full]) expect(report.converged).toBe(true);
    expect(full.iterations).toBeLessThan(v.iterations);
    const size = computeDistance(x, new Float64Array(x.length));
    expect(computeDistance(x, y)).toBeLessThan(1e-5 * size);
    expect(computeDistance(x, z)).toBeLessThan(1e-5 * size);
    scope.free();
  });

  it('gives the same bits on one and two threads', () => {
    for (const build of [buildFaceLaplacian, buildVertexLaplacian]) {
      const scope = heap.scope('test');
      const [a, b] = [one, two].map((threads) => {
        const matrix = build(threads, scope, build === buildFaceLaplacian ? 10 : 22);
        return solveAll(threads, scope, matrix, coarsening, fillRandom(3, scope.f64(matrix.rowCount)));
      });
      expect(a.multigrid.hierarchy.levels[0].matrix.blockCount).toBeGreaterThan(1);
      expect(b.cg).toEqual(a.cg);
      expect(b.full).toEqual(a.full);
      for (const key of ['x', 'y', 'z'] as const) expect(computeDistance(a[key], b[key])).toBe(0);
      scope.free();
    }
  });

  it('solves one variable, many single ones, and many small pieces', () => {
    const piece = [
      [3, -1, -1],
      [-1, 3, -1],
      [-1, -1, 3],
    ];
    const scope = heap.scope('test');
    const count = 400;
    const rows = Array.from({ length: 3 * count }, (_, i) => {
      const row = new Array<number>(3 * count).fill(0);
      for (let j = 0; j < 3; j++) row[i - (i % 3) + j] = piece[i % 3][j];
      return row;
    });
    const single = Array.from({ length: count }, (_, i) =>
      Array.from({ length: count }, (__, j) => (i === j ? 1 + i : 0)),
    );
    for (const dense of [[[4]], single, rows]) {
      const a = buildCsrFromDense(scope, dense);
      const b = fillRandom(5, scope.f64(dense.length));
      const { cg, v, x } = solveAll(one, scope, a, coarsening, b);
      expect(cg.converged && v.converged).toBe(true);
      expect(cg.iterations).toBeLessThan(20);
      expect(computeDistance(multiplyDense(dense, x), b)).toBeLessThan(1e-6);
    }
    scope.free();
  });

  it('solves a singular system whose right-hand side lies in its range', () => {
    const scope = heap.scope('test');
    const dense = buildGraphMatrix(500, 8, 0.02);
    for (let i = 0; i < 500; i++) dense[i][i] -= dense[i].reduce((s, v) => s + v, 0);
    const a = buildCsrFromDense(scope, dense);
    const b = fillRandom(6, scope.f64(500));
    const mean = b.reduce((s, v) => s + v, 0) / 500;
    for (let i = 0; i < 500; i++) b[i] -= mean;
    const x = scope.f64(500);
    const report = createCg(one, scope, 500).solve(
      createCsrOperator(one, a),
      createMultigrid(one, scope, a, { coarsening }),
      b,
      x,
      {
        tolerance: 1e-6,
        maxIterations: 100,
      },
    );
    expect(report.converged).toBe(true);
    expect(computeDistance(multiplyDense(dense, x), b)).toBeLessThan(1e-5);
    scope.free();
  });
});
