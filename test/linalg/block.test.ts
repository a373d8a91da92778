import { describe, expect, it } from 'vitest';
import { buildElasticCube } from '../../cases/linalg/elastic-cube.ts';
import type { HeapScope } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import { NONE } from '../../src/core/types.ts';
import { assembleBlocks, buildBlocks } from '../../src/linalg/block/block-build.ts';
import {
  type BlockCsrMatrix,
  buildBlocksFromDense,
  createBlockOperator,
  multiplyBlocks,
} from '../../src/linalg/block/block-csr.ts';
import { createBlockJacobi } from '../../src/linalg/block/block-jacobi.ts';
import { buildBlockSweeps, createBlockGaussSeidel, sweepDown } from '../../src/linalg/block/block-sweeps.ts';
import { invertBlock } from '../../src/linalg/block/invert-block.ts';
import { buildCsrFromDense, multiplyMatrix } from '../../src/linalg/csr.ts';
import { createCg } from '../../src/linalg/krylov/cg.ts';
import type { Preconditioner } from '../../src/linalg/preconditioners/preconditioner.ts';
import { openThreads } from '../threads.ts';
import { computeDistance, multiplyDense, solveDense } from './dense.ts';

const { heap, one, two } = await openThreads();

const sizes = [1, 2, 3, 4, 6];

function buildRandomBlocks(rows: number, size: number, seed: number): number[][] {
  const random = createRandom(seed);
  const dense = Array.from({ length: rows * size }, () => new Array<number>(rows * size).fill(0));
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < rows; j++) {
      if (i !== j && random.next() > 4 / rows) continue;
      for (let r = 0; r < size; r++)
        for (let s = 0; s < size; s++)
          dense[i * size + r][j * size + s] = random.next() - 0.5 + (i === j && r === s ? 4 * size : 0);
    }
  return dense;
}

const fillRandom = (seed: number, x: Float64Array) => {
  const random = createRandom(seed);
  for (let i = 0; i < x.length; i++) x[i] = random.next() - 0.5;
  return x;
};

function toDense(a: BlockCsrMatrix): number[][] {
  const b = a.blockSize;
  const dense = Array.from({ length: a.rowCount * b }, () => new Array<number>(a.rowCount * b).fill(0));
  for (let i = 0; i < a.rowCount; i++)
    for (let j = a.rowStart[i]; j < a.rowStart[i + 1]; j++)
      for (let r = 0; r < b; r++)
        for (let s = 0; s < b; s++) dense[i * b + r][a.column[j] * b + s] = a.value[(j * b + s) * b + r];
  return dense;
}

/** The preconditioner as a matrix, by its action on unit vectors. */
function measureInverse(p: Preconditioner, scope: HeapScope, n: number): number[][] {
  const columns = Array.from({ length: n }, (_, i) => {
    const r = scope.f64(n);
    r[i] = 1;
    const z = scope.f64(n);
    expect(p.apply(r, z)).toBe(z[i]);
    return [...z];
  });
  return columns.map((_, i) => columns.map((column) => column[i]));
}

describe('block matrices', () => {
  it.each(sizes)('multiply as the matrix of their numbers does, to the bit: %i', (size) => {
    const scope = heap.scope('test');
    const dense = buildRandomBlocks(40, size, size);
    const blocks = buildBlocksFromDense(scope, dense, size);
    const csr = buildCsrFromDense(scope, dense);
    const x = fillRandom(2, scope.f64(40 * size));
    const [y, z] = [scope.f64(x.length), scope.f64(x.length)];
    multiplyBlocks(two, blocks, x, y);
    multiplyMatrix(two, csr, x, z);
    expect([...y]).toEqual([...z]);
    expect(computeDistance(y, multiplyDense(dense, x))).toBeLessThan(1e-12);
    const operator = createBlockOperator(two, blocks);
    expect(operator.size).toBe(x.length);
    const b = fillRandom(3, scope.f64(x.length));
    const square = operator.applyResidual(x, b, z);
    expect(Math.sqrt(square)).toBeCloseTo(computeDistance(multiplyDense(dense, x), b), 12);
    expect(operator.applyDot(x, z)).toBeCloseTo(
      multiplyDense(dense, x).reduce((sum, v, i) => sum + v * x[i], 0),
      11,
    );
    scope.free();
  });

  it.each([
    [3, 4],
    [4, 4],
    [2, 3],
  ])('are assembled from elements: blocks of %i, elements of %i', (size, k) => {
    const scope = heap.scope('test');
    const random = createRandom(size);
    const [rows, elements] = [200, 9000]; // more than a batch
    const unknown = scope.i32(elements * k);
    // An element's unknowns differ; some of its places are none.
    for (let e = 0; e < elements; e++) {
      const first = random.nextInt(rows - 8 * k);
      for (let a = 0; a < k; a++)
        unknown[e * k + a] = random.next() < 0.1 ? NONE : first + 8 * a + random.nextInt(8);
    }
    const numbers = (k * size) ** 2;
    const matrices = Float64Array.from({ length: elements * numbers }, () => random.next() - 0.5);
    const outcomes = [one, two].map((threads) => {
      const { matrix, assembly } = buildBlocks(threads, scope, size, rows, unknown, k);
      assembleBlocks(
        threads,
        scope,
        assembly,
        (first, end, out) => out.set(matrices.subarray(first * numbers, end * numbers)),
        matrix,
      );
      return matrix;
    });
    expect([...outcomes[1].value]).toEqual([...outcomes[0].value]);
    const expected = Array.from({ length: rows * size }, () => new Array<number>(rows * size).fill(0));
    for (let e = 0; e < elements; e++)
      for (let n = 0; n < numbers; n++) {
        const [p, q] = [Math.floor(n / (k * size)), n % (k * size)];
        const [i, j] = [unknown[e * k + Math.floor(p / size)], unknown[e * k + Math.floor(q / size)]];
        if (i !== NONE && j !== NONE)
          expected[i * size + (p % size)][j * size + (q % size)] += matrices[e * numbers + n];
      }
    expect(toDense(outcomes[0])).toEqual(expected);
    scope.free();
  });
});

describe('inverses of small blocks', () => {
  it('are exact, whatever the units of the unknowns', () => {
    for (const n of [1, 2, 3, 4, 6]) {
      const random = createRandom(n);
      const scale = Array.from({ length: n }, (_, i) => 10 ** (6 * i - 10));
      const a = Float64Array.from({ length: n * n }, (_, m) => {
        const [i, j] = [Math.floor(m / n), m % n];
        return (random.next() - 0.5 + (i === j ? 2 : 0)) * scale[i] * scale[j];
      });
      const inverse = new Float64Array(n * n);
      expect(invertBlock(n, a, 0, new Float64Array(2 * n * (n + 1)), 0, inverse)).toBe(true);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          let sum = 0;
          for (let m = 0; m < n; m++) sum += a[i * n + m] * inverse[m * n + j];
          expect((sum * scale[j]) / scale[i]).toBeCloseTo(i === j ? 1 : 0, 10);
        }
    }
  });

  it('are refused for singular blocks', () => {
    const singular = Float64Array.of(1, 2, 2, 4);
    expect(invertBlock(2, singular, 0, new Float64Array(12), 0, new Float64Array(4))).toBe(false);
    expect(invertBlock(2, new Float64Array(4), 0, new Float64Array(12), 0, new Float64Array(4))).toBe(false);
    const scope = heap.scope('test');
    const dense = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 2],
      [0, 0, 2, 4],
    ];
    const a = buildBlocksFromDense(scope, dense, 2);
    expect(() => createBlockJacobi(one, scope, a)).toThrow(/diagonal block of row 1 of 2 is singular/);
    scope.free();
  });
});

describe('block relaxation', () => {
  it.each(sizes)('solves a triangle exactly, and leaves the residual: %i', (size) => {
    const scope = heap.scope('test');
    const dense = buildRandomBlocks(30, size, size + 10);
    const a = buildBlocksFromDense(scope, dense, size);
    const n = 30 * size;
    const w = fillRandom(1, scope.f64(n));
    const [x, r] = [scope.f64(n), scope.f64(n)];
    sweepDown(one, a, buildBlockSweeps(one, scope, a, scope, 1), w, x, r);
    const lower = dense.map((row, i) =>
      row.map((v, j) => (Math.floor(j / size) <= Math.floor(i / size) ? v : 0)),
    );
    expect(computeDistance(x, solveDense(lower, w))).toBeLessThan(1e-12);
    const product = multiplyDense(dense, x);
    expect(
      computeDistance(
        r,
        product.map((v, i) => w[i] - v),
      ),
    ).toBeLessThan(1e-12);
    scope.free();
  });

  it.each([1, 2, 4])('is symmetric and positive definite with rows in %i ranges', (ranges) => {
    const scope = heap.scope('test');
    const { matrix } = buildElasticCube(one, scope, 3, { clamped: true, poisson: 0.4 });
    const n = 3 * matrix.rowCount;
    const sweeps = buildBlockSweeps(one, scope, matrix, scope, ranges);
    expect(sweeps.rangeStart.length).toBe(ranges + 1);
    const inverse = measureInverse(createBlockGaussSeidel(one, scope, matrix, ranges), scope, n);
    let largest = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        largest = Math.max(largest, Math.abs(inverse[i][j]));
        expect(Math.abs(inverse[i][j] - inverse[j][i])).toBeLessThan(1e-12 * largest);
      }
    // M^-1 A has its spectrum in (0, 1]: a symmetric sweep never overshoots in the energy norm.
    const dense = toDense(matrix);
    let x = [...fillRandom(1, new Float64Array(n))];
    let quotient = 0;
    for (let step = 0; step < 200; step++) {
      const ax = multiplyDense(dense, x);
      const y = multiplyDense(inverse, ax);
      const dot = (u: number[], v: number[]) => u.reduce((sum, value, i) => sum + value * v[i], 0);
      quotient = dot(ax, y) / dot(ax, x);
      const length = Math.sqrt(dot(y, y));
      x = y.map((v) => v / length);
    }
    expect(quotient).toBeGreaterThan(0.5);
    expect(quotient).toBeLessThanOrEqual(1 + 1e-10);
    scope.free();
  });

  it('preconditions conjugate gradients better than block Jacobi, to the same bits on 1 and 2 threads', () => {
    const scope = heap.scope('test');
    const outcomes = [one, two].map((threads) => {
      const { matrix } = buildElasticCube(threads, scope, 12, { clamped: true, poisson: 0.3 });
      const n = 3 * matrix.rowCount;
      const b = fillRandom(1, scope.f64(n));
      return [createBlockJacobi, createBlockGaussSeidel].map((create) => {
        const x = scope.f64(n);
        const cg = createCg(threads, scope, n);
        const preconditioner = create(threads, scope, matrix);
        const report = cg.solve(createBlockOperator(threads, matrix), preconditioner, b, x, {
          tolerance: 1e-8,
          maxIterations: 500,
        });
        expect(report.converged).toBe(true);
        return { report, x: [...x] };
      });
    });
    expect(outcomes[1]).toEqual(outcomes[0]);
    const [jacobi, gaussSeidel] = outcomes[0].map(({ report }) => report.iterations);
    expect(gaussSeidel).toBeLessThan(0.65 * jacobi);
    scope.free();
  });
});
