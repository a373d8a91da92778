/** The single-precision kernels against their twins: the same bits, matrices of all shapes, ordinary and extreme numbers. */
import { describe, expect, it } from 'vitest';
import { createHeap, type HeapScope } from '../../src/core/heap.ts';
import { twins } from '../../src/core/kernel-twins.ts';
import { isCompiled, type Kernels, kernels, type SplitViews } from '../../src/core/kernels.ts';
import { createRandom, type Random } from '../../src/core/random.ts';

type Generator = (random: Random) => number;
const generators: Record<string, Generator> = {
  uniform: (random) => random.next() - 0.5,
  'all magnitudes': (random) => (random.next() - 0.5) * 10 ** (random.nextInt(30) - 15),
  denormal: (random) => (random.next() - 0.5) * 1e-39,
  'signed zeros and small integers': (random) => [0, -0, 1, -1, 3][random.nextInt(5)],
};
const SIZE = 300;
const ranges = [
  [0, 0],
  [0, 1],
  [7, 8],
  [3, 40],
  [0, SIZE],
];

const f32 = (random: Random, generate: Generator, n: number) =>
  Float32Array.from({ length: n }, () => generate(random));

/** Rows of 0 to 9 columns within [low(i), high(i)). */
function buildRows(
  random: Random,
  generate: Generator,
  low: (i: number) => number,
  high: (i: number) => number,
) {
  const start = new Int32Array(SIZE + 1);
  const column: number[] = [];
  for (let i = 0; i < SIZE; i++) {
    const room = high(i) - low(i);
    const list = Array.from(
      { length: Math.min(room, random.nextInt(10)) },
      () => low(i) + random.nextInt(room),
    );
    column.push(...list.sort((a, b) => a - b));
    start[i + 1] = column.length;
  }
  return { start, column: Int32Array.from(column), value: f32(random, generate, column.length) };
}

type View = Int32Array | Float32Array | Float64Array;

/** Calls both with copies of the same arrays and compares every array and the result, byte by byte. */
function compare<V extends View[]>(
  scope: HeapScope,
  views: [...V],
  call: (k: Kernels, ...v: V) => unknown,
): void {
  const onHeap = views.map((view) => {
    const copy =
      view instanceof Int32Array
        ? scope.i32(view.length)
        : view instanceof Float32Array
          ? scope.f32(view.length)
          : scope.f64(view.length);
    copy.set(view);
    return copy;
  });
  const loose = views.map((view) => view.slice());
  const fast = call(kernels, ...(onHeap as unknown as V));
  const slow = call(twins, ...(loose as unknown as V));
  expect(Object.is(fast, slow), `${fast} and ${slow}`).toBe(true);
  const bytes = (view: View) =>
    Buffer.from(Uint8Array.from(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)));
  for (let i = 0; i < views.length; i++)
    expect(bytes(onHeap[i]).equals(bytes(loose[i])), `array ${i}`).toBe(true);
}

describe.each([true, false])('single-precision kernels, shared memory %s', (shared) => {
  const heap = createHeap({ shared, maximumBytes: 2 ** 25 });
  it('run in WebAssembly', () => expect(isCompiled(heap.memory)).toBe(true));

  it.each(Object.keys(generators))('equal their twins: %s', (name) => {
    const random = createRandom(21);
    const generate = generators[name];
    const lower = buildRows(
      random,
      generate,
      () => 0,
      (i) => i,
    );
    const upper = buildRows(
      random,
      generate,
      (i) => i + 1,
      () => SIZE,
    );
    const any = buildRows(
      random,
      generate,
      () => 0,
      () => SIZE,
    );
    const three = Int32Array.from({ length: 3 * SIZE }, () => random.nextInt(SIZE));
    const inverse = f32(random, generate, SIZE);
    const split: SplitViews = [
      ...([lower.start, lower.column, lower.value] as const),
      ...([upper.start, upper.column, upper.value] as const),
      inverse,
    ];
    const [w, x, y] = [0, 1, 2].map(() => f32(random, generate, SIZE));
    const [r, z] = [0, 1].map(() => Float64Array.from({ length: SIZE }, () => generate(random)));
    for (const [begin, end] of ranges) {
      const scope = heap.scope('test');
      compare(scope, [lower.start, lower.column, lower.value, inverse, w, x], (k, ...v) =>
        k.relaxFromZero(begin, end, ...v),
      );
      compare(scope, [...split, w, x], (k, ...v) => k.relaxForward(begin, end, ...v));
      compare(scope, [...split, w, x], (k, ...v) => k.relaxBackward(begin, end, ...v));
      compare(scope, [...split, w, x, y], (k, ...v) => k.residualSplit(begin, end, ...v));
      compare(scope, [upper.start, upper.column, upper.value, x, y], (k, ...v) =>
        k.residualUpper(begin, end, ...v),
      );
      compare(scope, [any.start, any.column, x, y], (k, start, column, a, b) =>
        k.gatherSum(begin, end, start, column, 1 / 3, a, b),
      );
      compare(scope, [three, x, y], (k, column, a, b) => k.addThree(begin, end, column, 1 / 3, a, b));
      compare(scope, [any.start, any.column, any.value, x, y], (k, ...v) => k.spmvSingle(begin, end, ...v));
      compare(scope, [any.start, any.column, any.value, x, y], (k, ...v) =>
        k.spmvSingleAdd(begin, end, ...v),
      );
      compare(scope, [r, x], (k, a, b) => k.demote(begin, end, a, b));
      compare(scope, [x, r, z], (k, a, b, c) => k.promoteDot(begin, end, a, b, c));
      scope.free();
    }
  });
});
