import { describe, expect, it } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import { createRandom } from '../../src/core/random.ts';
import { NONE } from '../../src/core/types.ts';
import {
  buildCsrFromDense,
  computeResidual,
  multiplyMatrix,
  multiplyMatrixDot,
} from '../../src/linalg/csr.ts';
import { assemble, buildCsr } from '../../src/linalg/csr-build.ts';
import { openThreads } from '../threads.ts';
import { multiplyDense, toDense } from './dense.ts';

const { heap, one, two } = await openThreads();

describe('assembly', () => {
  it.each([1, 2, 3, 4, 6])('equals a map of entries, elements of %i unknowns', (k) => {
    const random = createRandom(k);
    const rowCount = 3000;
    const elementCount = 4000;
    const scope = heap.scope('test');
    const unknown = scope.i32(elementCount * k);
    for (let s = 0; s < unknown.length; s++)
      unknown[s] =
        random.next() < 0.1 ? NONE : Math.min(rowCount - 2, Math.floor(s / k / 2) + random.nextInt(50));
    const elementMatrix = scope.f64(elementCount * k * k);
    for (let at = 0; at < elementMatrix.length; at++) elementMatrix[at] = random.next() - 0.5;

    const expected = new Map<number, number>();
    for (let i = 0; i < rowCount; i++) expected.set(i * rowCount + i, 0);
    for (let e = 0; e < elementCount; e++)
      for (let a = 0; a < k; a++)
        for (let b = 0; b < k; b++) {
          const [i, j] = [unknown[e * k + a], unknown[e * k + b]];
          if (i === NONE || j === NONE) continue;
          const key = i * rowCount + j;
          expected.set(key, (expected.get(key) ?? 0) + elementMatrix[(e * k + a) * k + b]);
        }

    for (const threads of [one, two]) {
      const { matrix, assembly } = buildCsr(threads, scope, rowCount, unknown, k);
      assemble(threads, assembly, elementMatrix, matrix);
      assemble(threads, assembly, elementMatrix, matrix); // again: not added on top
      expect(matrix.value.length).toBe(expected.size);
      let wrong = 0;
      for (let i = 0; i < rowCount; i++) {
        if (matrix.column[matrix.diagonal[i]] !== i) wrong++;
        for (let j = matrix.rowStart[i]; j < matrix.rowStart[i + 1]; j++) {
          if (j > matrix.rowStart[i] && matrix.column[j] <= matrix.column[j - 1]) wrong++;
          // elements in ascending order, as in the map: equal to the last bit
          if (matrix.value[j] !== expected.get(i * rowCount + matrix.column[j])) wrong++;
        }
      }
      expect(wrong).toBe(0);
    }
    scope.free();
  });

  it('handles no rows, no elements and unknowns without elements', () => {
    const scope = heap.scope('test');
    expect(buildCsr(two, scope, 0, scope.i32(0), 4).matrix.value.length).toBe(0);
    const { matrix } = buildCsr(two, scope, 5, scope.i32(0), 4);
    expect([...matrix.column]).toEqual([0, 1, 2, 3, 4]);
    scope.free();
  });

  it('refuses an unknown out of range', () => {
    const scope = heap.scope('test');
    const unknown = scope.i32(4);
    unknown[2] = 7;
    expect(() => buildCsr(one, scope, 5, unknown, 2)).toThrow(RunError);
    expect(() => buildCsr(one, scope, 5, unknown, 2)).toThrow(/unknown 7 at place 2/);
    expect(() => buildCsr(one, scope, 8, unknown, 3)).toThrow(/do not divide/);
  });
});

describe('products', () => {
  it('agree with the dense matrix, on any number of threads', () => {
    const scope = heap.scope('test');
    const random = createRandom(2);
    const n = 60;
    const dense = Array.from({ length: n }, () =>
      Array.from({ length: n }, () => (random.next() < 0.2 ? random.next() - 0.5 : 0)),
    );
    const a = buildCsrFromDense(scope, dense);
    expect(toDense(a)).toEqual(dense);
    const [x, b, y, r] = [scope.f64(n), scope.f64(n), scope.f64(n), scope.f64(n)];
    for (let i = 0; i < n; i++) [x[i], b[i]] = [random.next(), random.next()];
    const expected = multiplyDense(dense, x);
    for (const threads of [one, two]) {
      multiplyMatrix(threads, a, x, y);
      for (let i = 0; i < n; i++) expect(y[i]).toBeCloseTo(expected[i], 13);
      const dot = multiplyMatrixDot(threads, a, x, y);
      expect(dot).toBeCloseTo(
        expected.reduce((sum, value, i) => sum + value * x[i], 0),
        12,
      );
      const square = computeResidual(threads, a, x, b, r);
      for (let i = 0; i < n; i++) expect(r[i]).toBeCloseTo(b[i] - expected[i], 13);
      expect(square).toBeCloseTo(
        r.reduce((sum, value) => sum + value * value, 0),
        12,
      );
    }
    scope.free();
  });
});
