/**
 * The compiled kernels of linear algebra against their plain forms: the same bits, on random and on
 * adversarial input.
 */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createRandom, type Random } from '../../src/core/random.ts';
import * as csr from '../../src/linalg/csr-kernels.ts';
import { solveLower, solveUpper } from '../../src/linalg/preconditioners/triangle-kernels.ts';
import * as vector from '../../src/linalg/vector-kernels.ts';
import { createGenerators, type Generator } from './generators.ts';
import { expectSameBits } from './same-bits.ts';

const generators: Record<string, Generator> = {
  ...createGenerators(150, 1e-310),
  huge: (random) => (random.next() - 0.5) * 1e150,
};
const ranges = [
  [0, 0],
  [0, 1],
  [5, 6],
  [0, 2],
  [1, 8],
  [3, 11],
  [0, 16],
  [7, 100],
  [0, 1000],
  [13, 1000],
];
const SIZE = 1000;

function fillVector(random: Random, generate: Generator, out: Float64Array): Float64Array {
  for (let i = 0; i < out.length; i++) out[i] = generate(random);
  return out;
}

describe('vector kernels', () => {
  it.each(Object.keys(generators))('equal their plain forms: %s', (name) => {
    const random = createRandom(11);
    const generate = generators[name];
    for (const [begin, end] of ranges) {
      const [x, y, z, w] = Array.from({ length: 4 }, () =>
        fillVector(random, generate, new Float64Array(SIZE)),
      );
      const a = generate(random);
      const b = generate(random);
      expectSameBits(vector.fill, begin, end, { value: a, x });
      expectSameBits(vector.copy, begin, end, { x, out: y });
      expectSameBits(vector.scale, begin, end, { a, x });
      expectSameBits(vector.axpy, begin, end, { a, x, y });
      expectSameBits(vector.xpay, begin, end, { x, a, y });
      expectSameBits(vector.axpby, begin, end, { a, x, b, y, out: z });
      expectSameBits(vector.axpby, begin, end, { a, x, b, y, out: x }); // in place
      expectSameBits(vector.multiply, begin, end, { x, y, out: z });
      expectSameBits(vector.multiplyDot, begin, end, { x, y, out: z });
      expectSameBits(vector.dot, begin, end, { x, y });
      expectSameBits(vector.dot, begin, end, { x, y: x });
      expectSameBits(vector.maxAbs, begin, end, { x });
      expectSameBits(vector.descend, begin, end, { a, p: x, q: y, x: z, r: w });
    }
  });
});

/** Rows of the given lengths; columns strictly inside [lower(i), upper(i)). */
function buildMatrix(random: Random, generate: Generator, lengths: number[], upper = false) {
  const n = lengths.length;
  const rowStart = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) {
    const room = upper ? n - 1 - i : n;
    rowStart[i + 1] = rowStart[i] + Math.min(lengths[i], room);
  }
  const column = new Int32Array(rowStart[n]);
  for (let i = 0; i < n; i++) {
    const low = upper ? i + 1 : 0;
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) column[j] = low + random.nextInt(n - low);
    column.subarray(rowStart[i], rowStart[i + 1]).sort();
  }
  const value = fillVector(random, generate, new Float64Array(rowStart[n]));
  return { n, rowStart, column, value };
}

const rowLengths: Record<string, (random: Random) => number[]> = {
  'no rows': () => [],
  'one empty row': () => [0],
  'empty rows': () => new Array(50).fill(0),
  'lengths 0 to 40': (random) => Array.from({ length: 200 }, () => random.nextInt(41)),
  'rows of 7': () => new Array(300).fill(7),
  'rows of 15': () => new Array(300).fill(15),
  'long rows': () => [5000, 0, 1, 4999, 3],
};

describe('sparse kernels', () => {
  it.each(Object.keys(rowLengths))('equal their plain forms: %s', (name) => {
    for (const generate of Object.values(generators)) {
      const random = createRandom(5);
      const { n, ...rows } = buildMatrix(random, generate, rowLengths[name](random));
      const [x, y, z] = Array.from({ length: 3 }, () => fillVector(random, generate, new Float64Array(n)));
      for (const [begin, end] of [
        [0, n],
        [0, n >> 1],
        [n >> 1, n],
      ]) {
        expectSameBits(csr.spmv, begin, end, { ...rows, x, y });
        expectSameBits(csr.spmvDot, begin, end, { ...rows, x, y });
        expectSameBits(csr.spmvResidual, begin, end, { ...rows, x, b: y, r: z });
      }
    }
  });

  it.each(Object.keys(rowLengths))('solve triangles like their plain forms: %s', (name) => {
    const random = createRandom(6);
    const small: Generator = (random) => (random.next() - 0.5) / 8;
    const { n, rowStart, column, value } = buildMatrix(random, small, rowLengths[name](random), true);
    const [inversePivot, r, w, z] = Array.from({ length: 4 }, () =>
      fillVector(random, generators.uniform, new Float64Array(n)),
    );
    const order = new Int32Array(n);
    for (let k = 0; k < n; k++) order[k] = n - 1 - k;
    expectSameBits(solveUpper, 0, n, { rowStart, column, value, order, inversePivot, r, w, z });
    // Mirrored, the columns of row k lie below k.
    const lowerStart = new Int32Array(n + 1);
    for (let k = 0; k < n; k++) lowerStart[k + 1] = lowerStart[k] + rowStart[n - k] - rowStart[n - 1 - k];
    const lowerColumn = new Int32Array(column.length);
    for (let j = 0; j < column.length; j++) lowerColumn[j] = n - 1 - column[column.length - 1 - j];
    expectSameBits(solveLower, 0, n, { rowStart: lowerStart, column: lowerColumn, value, order, r, w });
  });
});

it('takes arrays off the heap, and mixtures, through the plain form', () => {
  const scope = createHeap().scope('test');
  const x = scope.f64(10).fill(2);
  const y = new Float64Array(10).fill(3);
  expect(vector.dot(0, 10, { x, y })).toBe(60);
  expect(vector.dot(0, 10, { x: y, y: x })).toBe(60);
});

it('takes views on two heaps through the plain form', () => {
  const [x, y] = [1, 2].map((n) =>
    createHeap({ maximumBytes: 2 ** 20 })
      .scope('test')
      .f64(10)
      .fill(n),
  );
  expect(vector.dot(0, 10, { x, y })).toBe(20);
  vector.copy(0, 10, { x, out: y });
  expect(Array.from(y)).toEqual(Array.from(x));
});
