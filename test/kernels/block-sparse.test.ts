/**
 * The kernels of block matrices against their TypeScript forms: the same bits, for all sizes of blocks and
 * ranges of rows.
 */
import { describe, expect, it } from 'vitest';
import { createHeap, type HeapScope } from '../../src/core/heap.ts';
import { twins } from '../../src/core/kernel-twins.ts';
import { isCompiled, type Kernels, kernels } from '../../src/core/kernels.ts';
import { createRandom, type Random } from '../../src/core/random.ts';

type Generator = (random: Random) => number;
const generators: Record<string, Generator> = {
  uniform: (random) => random.next() - 0.5,
  'all magnitudes': (random) => (random.next() - 0.5) * 10 ** (random.nextInt(60) - 30),
  denormal: (random) => (random.next() - 0.5) * 1e-310,
  'signed zeros and small integers': (random) => [0, -0, 1, -1, 3][random.nextInt(5)],
};
const ROWS = 60;
const COARSE = 9;
const sizes = [1, 2, 3, 4, 5, 6];
const ranges = [
  [0, ROWS],
  [0, 1],
  [17, 43],
  [7, 7],
];

type View = Int32Array | Float64Array;

const numbers = (random: Random, generate: Generator, n: number) =>
  Float64Array.from({ length: n }, () => generate(random));

/** Rows of up to `most` columns; with `square`, the diagonal among them. */
function buildRows(random: Random, rows: number, columns: number, most: number, square: boolean) {
  const rowStart = new Int32Array(rows + 1);
  const diagonal = new Int32Array(rows);
  const column: number[] = [];
  for (let i = 0; i < rows; i++) {
    const list = new Set(Array.from({ length: random.nextInt(most + 1) }, () => random.nextInt(columns)));
    if (square) list.add(i);
    for (const j of [...list].sort((a, b) => a - b)) {
      if (j === i) diagonal[i] = column.length;
      column.push(j);
    }
    rowStart[i + 1] = column.length;
  }
  return { rowStart, diagonal, column: Int32Array.from(column) };
}

/** Columns of a product: those of all members' rows. */
function unite(start: Int32Array, member: Int32Array, listStart: Int32Array, list: Int32Array) {
  const rowStart = new Int32Array(start.length);
  const column: number[] = [];
  for (let i = 0; i + 1 < start.length; i++) {
    const all = new Set<number>();
    for (let j = start[i]; j < start[i + 1]; j++)
      for (let m = listStart[member[j]]; m < listStart[member[j] + 1]; m++) all.add(list[m]);
    column.push(...[...all].sort((a, b) => a - b));
    rowStart[i + 1] = column.length;
  }
  return { rowStart, column: Int32Array.from(column) };
}

/** Calls both with copies of the same arrays and compares every array, byte by byte. */
function compare<V extends View[]>(
  scope: HeapScope,
  views: readonly [...V],
  call: (k: Kernels, ...v: V) => void,
) {
  const onHeap = views.map((view) => {
    const copy = view instanceof Int32Array ? scope.i32(view.length) : scope.f64(view.length);
    copy.set(view);
    return copy;
  });
  const loose = views.map((view) => view.slice());
  call(kernels, ...(onHeap as unknown as V));
  call(twins, ...(loose as unknown as V));
  const bytes = (view: View) =>
    Buffer.from(Uint8Array.from(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)));
  for (let i = 0; i < views.length; i++)
    expect(bytes(onHeap[i]).equals(bytes(loose[i])), `array ${i}`).toBe(true);
}

describe.each([true, false])('block kernels, shared memory %s', (shared) => {
  const heap = createHeap({ shared, maximumBytes: 2 ** 25 });
  it('run in WebAssembly', () => expect(isCompiled(heap.memory)).toBe(true));

  it.each(Object.keys(generators))('of square blocks equal their TypeScript forms: %s', (name) => {
    const generate = generators[name];
    for (const size of sizes) {
      const random = createRandom(size);
      const { rowStart, column, diagonal } = buildRows(random, ROWS, ROWS, 12, true);
      const value = numbers(random, generate, column.length * size * size);
      // A sweep multiplies from row to row: what could overflow is made small, since NaN has no bits of its
      // own.
      const damping = name === 'all magnitudes' ? 1e-32 : 1;
      const inverse = numbers(random, (r) => damping * generate(r), ROWS * size * size);
      const [w, old, x, r] = [0, 1, 2, 3].map(() => numbers(random, generate, ROWS * size));
      const rows = [rowStart, column, value] as const;
      const sweep = [rowStart, column, diagonal, value] as const;
      for (const [begin, end] of ranges) {
        const scope = heap.scope('test');
        compare(scope, [...rows, x, r], (k, ...v) => k.blockProduct(begin, end, size, ...v));
        compare(scope, [...sweep, inverse, w, x, r], (k, ...v) => k.blockSweepDown(begin, end, size, ...v));
        compare(scope, [...sweep, x, r], (k, ...v) => k.blockFinishResidual(begin, end, size, ...v));
        compare(scope, [...sweep, inverse, w, old, x, r], (k, ...v) =>
          k.blockSweepUp(begin, end, size, ...v),
        );
        scope.free();
      }
    }
  });

  it.each(Object.keys(generators))('of prolongations equal their TypeScript forms: %s', (name) => {
    const generate = generators[name];
    for (const size of sizes)
      for (const modes of [1, 2, 3, 6, 7]) {
        const random = createRandom(10 * size + modes);
        const a = buildRows(random, ROWS, ROWS, 8, true);
        const p = buildRows(random, ROWS, COARSE, 3, false);
        const value = numbers(random, generate, a.column.length * size * size);
        const tall = numbers(random, generate, p.column.length * size * modes);
        const ap = unite(a.rowStart, a.column, p.rowStart, p.column);
        const right = numbers(random, generate, ap.column.length * size * modes);
        // The entries of P by coarse rows.
        const place = Array.from({ length: COARSE }, () => [] as number[][]);
        for (let i = 0; i < ROWS; i++)
          for (let j = p.rowStart[i]; j < p.rowStart[i + 1]; j++) place[p.column[j]].push([i, j]);
        const start = Int32Array.from({ length: COARSE + 1 }, (_, c) => place.slice(0, c).flat().length);
        const row = Int32Array.from(place.flat(), ([i]) => i);
        const entry = Int32Array.from(place.flat(), ([, j]) => j);
        const coarse = unite(start, row, ap.rowStart, ap.column);
        const out = numbers(random, generate, coarse.column.length * modes * modes);
        const table = new Int32Array(COARSE);
        const x = numbers(random, generate, ROWS * size);
        const e = numbers(random, generate, COARSE * modes);
        const pRows = [p.rowStart, p.column, tall] as const;
        const turned = [start, row, entry, tall] as const;
        const scope = heap.scope('test');
        compare(scope, [...pRows, e, x], (k, ...v) => k.tallProlong(0, ROWS, size, modes, ...v));
        compare(scope, [...pRows, e, x], (k, ...v) => k.tallProlong(11, 40, size, modes, ...v));
        compare(scope, [...turned, x, e], (k, ...v) => k.tallRestrict(2, COARSE, size, modes, ...v));
        compare(
          scope,
          [a.rowStart, a.column, value, ...pRows, ap.rowStart, ap.column, right, table],
          (k, ...v) => k.tallProduct(5, ROWS, size, modes, ...v),
        );
        compare(
          scope,
          [...turned, ap.rowStart, ap.column, right, coarse.rowStart, coarse.column, out, table],
          (k, ...v) => k.tallGalerkin(0, COARSE - 1, size, modes, ...v),
        );
        scope.free();
      }
  });
});
