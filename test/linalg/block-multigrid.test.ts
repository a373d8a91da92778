import { describe, expect, it } from 'vitest';
import { buildElasticCube, type CubeOptions, type ElasticCube } from '../../cases/linalg/elastic-cube.ts';
import { buildVertexLaplacian } from '../../cases/linalg/matrices.ts';
import type { HeapScope } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import {
  type BlockCsrMatrix,
  buildBlocksFromDense,
  createBlockOperator,
  toBlocks,
} from '../../src/linalg/block/block-csr.ts';
import {
  type BlockMultigrid,
  createBlockMultigrid,
} from '../../src/linalg/block-multigrid/block-multigrid.ts';
import { createCoarsest } from '../../src/linalg/block-multigrid/coarsest.ts';
import { groundUnknowns } from '../../src/linalg/block-multigrid/grounding.ts';
import { buildConstantModes, buildRigidModes, type Modes } from '../../src/linalg/block-multigrid/modes.ts';
import type { TallMatrix } from '../../src/linalg/block-multigrid/tall.ts';
import { buildTentative } from '../../src/linalg/block-multigrid/tentative.ts';
import { createCsrOperator } from '../../src/linalg/csr.ts';
import { createCg } from '../../src/linalg/krylov/cg.ts';
import { createMinres } from '../../src/linalg/krylov/minres.ts';
import { openThreads } from '../threads.ts';
import { computeDistance, multiplyDense, solveDense } from './dense.ts';

const { heap, one, two } = await openThreads();

const soft: CubeOptions = { clamped: true, poisson: 0.3 };
const free: CubeOptions = { clamped: false, poisson: 0.3 };
const limits = { tolerance: 1e-8, maxIterations: 200 };

const fillRandom = (seed: number, x: Float64Array) => {
  const random = createRandom(seed);
  for (let i = 0; i < x.length; i++) x[i] = random.next() - 0.5;
  return x;
};

function buildMultigrid(threads: Threads, scope: HeapScope, n: number, options: CubeOptions) {
  const { matrix, position } = buildElasticCube(threads, scope, n, options);
  const modes = buildRigidModes(scope, position);
  return { matrix, modes, multigrid: createBlockMultigrid(threads, scope, matrix, modes) };
}

function tallToDense(p: TallMatrix): number[][] {
  const { rowCount, columnCount, blockSize: b, modeCount: k } = p;
  const dense = Array.from({ length: rowCount * b }, () => new Array<number>(columnCount * k).fill(0));
  for (let i = 0; i < rowCount; i++)
    for (let j = p.rowStart[i]; j < p.rowStart[i + 1]; j++)
      for (let r = 0; r < b; r++)
        for (let c = 0; c < k; c++) dense[i * b + r][p.column[j] * k + c] = p.value[(j * b + r) * k + c];
  return dense;
}

/** Systems side by side, places far apart. */
function joinPieces(scope: HeapScope, pieces: readonly ElasticCube[]): ElasticCube {
  const sum = (of: (matrix: BlockCsrMatrix) => number) =>
    pieces.reduce((total, { matrix }) => total + of(matrix), 0);
  const rowCount = sum((a) => a.rowCount);
  const entries = sum((a) => a.column.length);
  const matrix = {
    blockSize: 3,
    rowCount,
    rowStart: scope.i32(rowCount + 1),
    column: scope.i32(entries),
    diagonal: scope.i32(rowCount),
    value: scope.f64(9 * entries),
  };
  const position = scope.f64(3 * rowCount);
  let [row, entry] = [0, 0];
  for (const [n, { matrix: a, position: place }] of pieces.entries()) {
    position.set(
      place.map((p) => p + 3 * n),
      3 * row,
    );
    matrix.value.set(a.value, 9 * entry);
    for (let i = 0; i < a.rowCount; i++) {
      matrix.rowStart[row + i + 1] = entry + a.rowStart[i + 1];
      matrix.diagonal[row + i] = entry + a.diagonal[i];
    }
    for (let j = 0; j < a.column.length; j++) matrix.column[entry + j] = row + a.column[j];
    row += a.rowCount;
    entry += a.column.length;
  }
  return { matrix, position };
}

/** Product with each unit vector. */
function blocksToDense(a: BlockCsrMatrix): number[][] {
  const n = a.rowCount * a.blockSize;
  const operator = createBlockOperator(one, a);
  const columns = Array.from({ length: n }, (_, j) => {
    const [x, y] = [new Float64Array(n), new Float64Array(n)];
    x[j] = 1;
    operator.apply(x, y);
    return y;
  });
  return columns.map((_, i) => columns.map((column) => column[i]));
}

/** Iterations of conjugate gradients; a free body gets a right-hand side in the range. */
function countIterations(
  scope: HeapScope,
  { matrix, multigrid }: { matrix: BlockCsrMatrix; multigrid: BlockMultigrid },
) {
  const operator = createBlockOperator(two, matrix);
  const x = fillRandom(1, scope.f64(operator.size));
  const b = scope.f64(operator.size);
  operator.apply(x, b);
  const report = createCg(two, scope, operator.size).solve(operator, multigrid, b, x.fill(0), limits);
  expect(report.converged, report.breakdown).toBe(true);
  return report.iterations;
}

describe('the coarse spaces of block multigrid', () => {
  it('contain the six rigid modes, on every level, of a body that nothing holds', () => {
    const scope = heap.scope('test');
    const { modes, multigrid } = buildMultigrid(two, scope, 13, free);
    expect(multigrid.levels.length).toBeGreaterThan(2);
    // The energy of a level's modes, as large as that of random vectors where modes are not in the space.
    let tentative: Modes = modes;
    for (const [depth, { matrix }] of multigrid.levels.entries()) {
      const operator = createBlockOperator(one, matrix);
      const [x, y] = [scope.f64(operator.size), scope.f64(operator.size)];
      const noise = operator.applyDot(fillRandom(3, x), y) / x.reduce((sum, v) => sum + v * v, 0);
      for (let c = 0; c < 6; c++) {
        for (let u = 0; u < x.length; u++) x[u] = tentative.value[6 * u + c];
        const energy = operator.applyDot(x, y) / x.reduce((sum, v) => sum + v * v, 0);
        expect(Math.abs(energy)).toBeLessThan(1e-13 * noise);
      }
      if (depth < multigrid.levels.length - 1)
        tentative = buildTentative(one, scope, matrix, tentative, 0.02 * 0.5 ** depth).modes;
    }
    scope.free();
  });

  it('come from orthonormal pieces that reproduce the modes', () => {
    const scope = heap.scope('test');
    const { matrix, position } = buildElasticCube(two, scope, 5, free);
    const modes = buildRigidModes(scope, position);
    const { prolongation, modes: coarse } = buildTentative(two, scope, matrix, modes, 0.02);
    const t = tallToDense(prolongation);
    const columns = prolongation.columnCount * 6;
    for (let c = 0; c < columns; c++)
      for (let d = 0; d <= c; d++) {
        const dot = t.reduce((sum, row) => sum + row[c] * row[d], 0);
        const isEmpty = coarse.value[6 * c + (c % 6)] === 0;
        expect(dot).toBeCloseTo(c === d && !isEmpty ? 1 : 0, 12);
      }
    for (let c = 0; c < 6; c++) {
      const coarseMode = Array.from({ length: columns }, (_, u) => coarse.value[6 * u + c]);
      const mode = t.map((_, u) => modes.value[6 * u + c]);
      expect(computeDistance(multiplyDense(t, coarseMode), mode)).toBeLessThan(1e-12);
    }
    scope.free();
  });

  it('have Galerkin matrices: P^T A P', () => {
    const scope = heap.scope('test');
    const { multigrid } = buildMultigrid(two, scope, 6, soft);
    const [fine, coarse] = multigrid.levels;
    const a = blocksToDense(fine.matrix);
    const p = tallToDense(fine.prolongation!);
    const product = blocksToDense(coarse.matrix);
    const ap = p[0].map((_, c) =>
      multiplyDense(
        a,
        p.map((row) => row[c]),
      ),
    );
    for (let c = 0; c < product.length; c++)
      for (let d = 0; d < product.length; d++) {
        const exact = p.reduce((sum, row, u) => sum + row[c] * ap[d][u], 0);
        // Unknowns without a mode have an equation of their own.
        if (c === d && exact === 0) expect(product[c][c]).toBeGreaterThan(0);
        else expect(product[c][d]).toBeCloseTo(exact, 12);
      }
    scope.free();
  });
});

describe('a cycle of block multigrid', () => {
  it('is symmetric and positive definite', () => {
    const scope = heap.scope('test');
    const { matrix, multigrid } = buildMultigrid(two, scope, 13, soft);
    expect(multigrid.levels.length).toBeGreaterThan(2);
    expect(multigrid.levels[0].sweeps!.rangeStart.length).toBeGreaterThan(2);
    const n = 3 * matrix.rowCount;
    const [r, s, z, y] = [1, 2, 3, 4].map((seed) => fillRandom(seed, scope.f64(n)));
    for (let seed = 5; seed < 10; seed++) {
      expect(multigrid.apply(fillRandom(seed, r), z)).toBeGreaterThan(0);
      multigrid.apply(fillRandom(seed + 20, s), y);
      const dot = (u: Float64Array, v: Float64Array) => u.reduce((sum, value, i) => sum + value * v[i], 0);
      expect(Math.abs(dot(s, z) - dot(r, y))).toBeLessThan(1e-12 * Math.sqrt(dot(r, r) * dot(y, y)));
    }
    scope.free();
  });

  it('gives the same bits on 1 and 2 threads', () => {
    const scope = heap.scope('test');
    const outcomes = [one, two].map((threads) => {
      const { matrix, multigrid } = buildMultigrid(threads, scope, 13, soft);
      const z = scope.f64(3 * matrix.rowCount);
      const dot = multigrid.apply(fillRandom(1, scope.f64(z.length)), z);
      return { dot, z: [...z], complexity: multigrid.operatorComplexity };
    });
    expect(outcomes[1]).toEqual(outcomes[0]);
    scope.free();
  });

  it('preconditions MINRES too, and solves to the dense answer', () => {
    const scope = heap.scope('test');
    const { matrix, multigrid } = buildMultigrid(two, scope, 6, soft);
    const n = 3 * matrix.rowCount;
    const b = fillRandom(1, scope.f64(n));
    const x = scope.f64(n);
    const operator = createBlockOperator(two, matrix);
    const report = createMinres(two, scope, n).solve(operator, multigrid, b, x, {
      tolerance: 1e-11,
      maxIterations: 60,
    });
    expect(report.converged, report.breakdown).toBe(true);
    const exact = solveDense(blocksToDense(matrix), b);
    expect(computeDistance(x, exact)).toBeLessThan(1e-8 * computeDistance(exact, new Float64Array(n)));
    scope.free();
  });

  it('leaves rows to relaxation where inertia dominates', () => {
    const scope = heap.scope('test');
    const n = 12;
    const { matrix, position } = buildElasticCube(two, scope, n, {
      ...free,
      density: 1,
      young: () => 0.01 / n ** 2,
    });
    const multigrid = createBlockMultigrid(two, scope, matrix, buildRigidModes(scope, position));
    expect(multigrid.operatorComplexity).toBeLessThan(1.05);
    expect(countIterations(scope, { matrix, multigrid })).toBeLessThan(6);
    scope.free();
  });
});

describe('iterations with block multigrid', () => {
  it('hardly grow with the number of unknowns, held and free', () => {
    for (const [options, most] of [
      [soft, 20],
      [free, 18],
      [{ ...soft, poisson: 0.45 }, 32],
    ] as const) {
      const [coarse, fine] = [8, 20].map((n) => {
        const scope = heap.scope('test');
        const iterations = countIterations(scope, buildMultigrid(two, scope, n, options));
        scope.free();
        return iterations;
      });
      expect(fine).toBeLessThanOrEqual(most);
      expect(fine).toBeLessThanOrEqual(1.5 * coarse);
    }
  });

  it('stay bounded with pieces a million times stiffer than their neighbours', () => {
    const scope = heap.scope('test');
    const young = (...x: number[]) => (x.reduce((sum, v) => sum + Math.floor(4 * v), 0) % 2 === 0 ? 1e6 : 1);
    const contrast = buildMultigrid(two, scope, 16, { ...soft, young });
    expect(countIterations(scope, contrast)).toBeLessThanOrEqual(45);
    scope.free();
  });

  it('do not grow as viscosity grows a millionfold', () => {
    const n = 12;
    const counts = [1, 1e2, 1e4, 1e6].map((viscosity) => {
      const scope = heap.scope('test');
      const young = () => viscosity / n ** 2; // in units of rho h^2 / dt
      const iterations = countIterations(
        scope,
        buildMultigrid(two, scope, n, { clamped: false, poisson: 0, density: 1, young }),
      );
      scope.free();
      return iterations;
    });
    expect(Math.max(...counts)).toBeLessThanOrEqual(18);
    expect(counts[3]).toBeLessThanOrEqual(counts[1] + 3);
  });

  it('are few with constants for a Laplacian, and many without the rotations for elasticity', () => {
    const scope = heap.scope('test');
    const a = buildVertexLaplacian(two, scope, 22);
    const multigrid = createBlockMultigrid(two, scope, toBlocks(a), buildConstantModes(scope, a.rowCount));
    const b = fillRandom(1, scope.f64(a.rowCount));
    const report = createCg(two, scope, a.rowCount).solve(
      createCsrOperator(two, a),
      multigrid,
      b,
      scope.f64(a.rowCount),
      limits,
    );
    expect(report.converged).toBe(true);
    expect(report.iterations).toBeLessThanOrEqual(16);
    const { matrix, multigrid: rigid } = buildMultigrid(two, scope, 20, free);
    const constant = buildConstantModes(scope, matrix.rowCount, 3);
    const without = createBlockMultigrid(two, scope, matrix, constant);
    const counts = [rigid, without].map((m) => countIterations(scope, { matrix, multigrid: m }));
    expect(counts[1]).toBeGreaterThan(1.5 * counts[0]);
    scope.free();
  });
});

describe('the coarsest solve', () => {
  it('is exact, and leaves a kernel at zero', () => {
    const scope = heap.scope('test');
    const { matrix } = buildElasticCube(one, scope, 2, soft);
    const n = 3 * matrix.rowCount;
    const b = fillRandom(1, scope.f64(n));
    const x = scope.f64(n);
    const held = createCoarsest(matrix);
    held.solve(b, x);
    expect(held.rank).toBe(n);
    expect(computeDistance(x, solveDense(blocksToDense(matrix), b))).toBeLessThan(1e-10);

    const { matrix: loose } = buildElasticCube(one, scope, 2, free);
    const m = 3 * loose.rowCount;
    const operator = createBlockOperator(one, loose);
    const [y, right, product] = [scope.f64(m), scope.f64(m), scope.f64(m)];
    operator.apply(fillRandom(2, y), right);
    const coarsest = createCoarsest(loose);
    coarsest.solve(right, y);
    expect(coarsest.rank).toBe(m - 6);
    expect(y.filter((v) => v === 0).length).toBe(6);
    operator.apply(y, product);
    expect(computeDistance(product, right)).toBeLessThan(1e-12);
    scope.free();
  });

  it('grounds what has no energy of its own, and nothing else', () => {
    const scope = heap.scope('test');
    const a = buildBlocksFromDense(
      scope,
      [
        [4, 2, 0, 0],
        [2, 1 + 1e-15, 0, 0],
        [0, 0, 5, 1],
        [0, 0, 1, 2],
      ],
      2,
    );
    const before = [...a.value];
    expect(groundUnknowns(a, Float64Array.of(3, 5))).toBe(1);
    before[3] += 3;
    expect([...a.value]).toEqual(before);
    scope.free();
  });

  it.each([
    [1, 60],
    [2, 30],
    [3, 12],
  ])('solves loose pieces of %i cells across, %i of them, beside a large one', (cells, count) => {
    const scope = heap.scope('test');
    const pieces = [
      buildElasticCube(two, scope, 9, free),
      ...Array.from({ length: count }, () => buildElasticCube(two, scope, cells, free)),
    ];
    const { matrix, position } = joinPieces(scope, pieces);
    const multigrid = createBlockMultigrid(two, scope, matrix, buildRigidModes(scope, position));
    expect(countIterations(scope, { matrix, multigrid })).toBeLessThanOrEqual(25);
    scope.free();
  });

  it('takes an equation of its own for an unknown without a mode', () => {
    const scope = heap.scope('test');
    // Two vertices, far apart and hardly coupled to the rest: clusters of one, which cannot rotate.
    const n = 12;
    const { matrix, position } = buildElasticCube(two, scope, n, soft);
    const lone = createBlockMultigrid(two, scope, matrix, buildRigidModes(scope, position), {
      strength: 0.35,
    });
    expect(countIterations(scope, { matrix, multigrid: lone })).toBeLessThan(200);
    const tiny = buildBlocksFromDense(scope, [[2]], 1);
    const one1 = createBlockMultigrid(one, scope, tiny, buildConstantModes(scope, 1));
    const z = scope.f64(1);
    expect(one1.apply(scope.f64(1).fill(3), z)).toBeCloseTo(4.5, 14);
    scope.free();
  });
});
