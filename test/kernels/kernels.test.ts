/** Every WebAssembly kernel against its TypeScript twin: the same bits, on random and on adversarial input. */
import { describe, expect, it } from 'vitest';
import { createHeap, type HeapScope } from '../../src/core/heap.ts';
import { twins } from '../../src/core/kernel-twins.ts';
import { isCompiled, kernels } from '../../src/core/kernels.ts';
import { createRandom, type Random } from '../../src/core/random.ts';

type Generator = (random: Random) => number;
const generators: Record<string, Generator> = {
  uniform: (random) => random.next() - 0.5,
  'all magnitudes': (random) => (random.next() - 0.5) * 10 ** (random.nextInt(300) - 150),
  denormal: (random) => (random.next() - 0.5) * 1e-310,
  'signed zeros and small integers': (random) => [0, -0, 1, -1, 3][random.nextInt(5)],
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

/** Place of the first entry whose bits differ, or -1. */
function findDifference(x: Float64Array, y: Float64Array): number {
  const [a, b] = [x, y].map((view) => new BigInt64Array(Float64Array.from(view).buffer));
  return a.findIndex((bits, i) => bits !== b[i]);
}

function fillVector(random: Random, generate: Generator, out: Float64Array): Float64Array {
  for (let i = 0; i < out.length; i++) out[i] = generate(random);
  return out;
}

/** Calls both with copies of the same vectors and compares all the vectors and the result, bit by bit. */
function compare(
  scope: HeapScope,
  vectors: Float64Array[],
  call: (k: typeof twins, ...v: Float64Array[]) => unknown,
): void {
  const onHeap = vectors.map((x) => {
    const view = scope.f64(x.length);
    view.set(x);
    return view;
  });
  const loose = vectors.map((x) => Float64Array.from(x));
  const fast = call(kernels, ...onHeap);
  const slow = call(twins, ...loose);
  expect(Object.is(fast, slow), `${fast} and ${slow}`).toBe(true);
  for (let i = 0; i < vectors.length; i++) expect(findDifference(onHeap[i], loose[i])).toBe(-1);
}

describe.each([true, false])('vector kernels, shared memory %s', (shared) => {
  const heap = createHeap({ shared, maximumBytes: 2 ** 26 });
  it('run in WebAssembly', () => expect(isCompiled(heap.memory)).toBe(true));

  it.each(Object.keys(generators))('equal their twins: %s', (name) => {
    const random = createRandom(11);
    const generate = generators[name];
    for (const [begin, end] of ranges) {
      const scope = heap.scope('test');
      const v = Array.from({ length: 4 }, () => fillVector(random, generate, new Float64Array(SIZE)));
      const a = generate(random);
      const b = generate(random);
      compare(scope, [v[0]], (k, x) => k.fill(begin, end, a, x));
      compare(scope, [v[0], v[1]], (k, x, y) => k.copy(begin, end, x, y));
      compare(scope, [v[0]], (k, x) => k.scale(begin, end, a, x));
      compare(scope, [v[0], v[1]], (k, x, y) => k.axpy(begin, end, a, x, y));
      compare(scope, [v[0], v[1]], (k, x, y) => k.xpay(begin, end, x, a, y));
      compare(scope, [v[0], v[1], v[2]], (k, x, y, z) => k.axpby(begin, end, a, x, b, y, z));
      compare(scope, [v[0], v[1]], (k, x, y) => k.axpby(begin, end, a, x, b, y, x)); // in place
      compare(scope, [v[0], v[1], v[2]], (k, x, y, z) => k.multiply(begin, end, x, y, z));
      compare(scope, [v[0], v[1], v[2]], (k, x, y, z) => k.multiplyDot(begin, end, x, y, z));
      compare(scope, [v[0], v[1]], (k, x, y) => k.dot(begin, end, x, y));
      compare(scope, [v[0]], (k, x) => k.dot(begin, end, x, x));
      compare(scope, [v[0]], (k, x) => k.maxAbs(begin, end, x));
      compare(scope, v, (k, p, q, x, r) => k.descend(begin, end, a, p, q, x, r));
      scope.free();
    }
  });
});

/** Rows of the given lengths; columns strictly inside [lower(i), upper(i)). */
function buildMatrix(
  scope: HeapScope,
  random: Random,
  generate: Generator,
  lengths: number[],
  upper = false,
) {
  const n = lengths.length;
  const rowStart = scope.i32(n + 1);
  for (let i = 0; i < n; i++) {
    const room = upper ? n - 1 - i : n;
    rowStart[i + 1] = rowStart[i] + Math.min(lengths[i], room);
  }
  const column = scope.i32(rowStart[n]);
  for (let i = 0; i < n; i++) {
    const low = upper ? i + 1 : 0;
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) column[j] = low + random.nextInt(n - low);
    column.subarray(rowStart[i], rowStart[i + 1]).sort();
  }
  const value = fillVector(random, generate, scope.f64(rowStart[n]));
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

describe.each([true, false])('sparse kernels, shared memory %s', (shared) => {
  const heap = createHeap({ shared, maximumBytes: 2 ** 26 });
  it.each(Object.keys(rowLengths))('equal their twins: %s', (name) => {
    for (const generate of Object.values(generators)) {
      const random = createRandom(5);
      const scope = heap.scope('test');
      const { n, rowStart, column, value } = buildMatrix(scope, random, generate, rowLengths[name](random));
      const [x, y, z] = [0, 1, 2].map(() => fillVector(random, generate, new Float64Array(n)));
      const pieces = [
        [0, n],
        [0, n >> 1],
        [n >> 1, n],
      ];
      for (const [begin, end] of pieces) {
        compare(scope, [x, y], (k, x, y) => k.spmv(begin, end, rowStart, column, value, x, y));
        compare(scope, [x, y], (k, x, y) => k.spmvDot(begin, end, rowStart, column, value, x, y));
        compare(scope, [x, y, z], (k, x, y, z) =>
          k.spmvResidual(begin, end, rowStart, column, value, x, y, z),
        );
      }
      scope.free();
    }
  });

  it.each(Object.keys(rowLengths))('solve triangles like their twins: %s', (name) => {
    const random = createRandom(6);
    const scope = heap.scope('test');
    const small: Generator = (random) => (random.next() - 0.5) / 8;
    const { n, rowStart, column, value } = buildMatrix(scope, random, small, rowLengths[name](random), true);
    const [d, r, w, z] = Array.from({ length: 4 }, () =>
      fillVector(random, generators.uniform, new Float64Array(n)),
    );
    const order = scope.i32(n);
    for (let k = 0; k < n; k++) order[k] = n - 1 - k;
    compare(scope, [d, r, w, z], (k, d, r, w, z) =>
      k.solveUpper(0, n, rowStart, column, value, order, d, r, w, z),
    );
    // Mirrored, the columns of row k lie below k.
    const lowerStart = scope.i32(n + 1);
    for (let k = 0; k < n; k++) lowerStart[k + 1] = lowerStart[k] + rowStart[n - k] - rowStart[n - 1 - k];
    const lowerColumn = scope.i32(column.length);
    for (let j = 0; j < column.length; j++) lowerColumn[j] = n - 1 - column[column.length - 1 - j];
    compare(scope, [r, w], (k, r, w) => k.solveLower(0, n, lowerStart, lowerColumn, value, order, r, w));
    scope.free();
  });
});

it('takes arrays off the heap, and mixtures, through the twin', () => {
  const scope = createHeap().scope('test');
  const x = scope.f64(10).fill(2);
  expect(kernels.dot(0, 10, x, new Float64Array(10).fill(3))).toBe(60);
  expect(kernels.dot(0, 10, new Float64Array(10).fill(3), x)).toBe(60);
});
