/** The expansions of the multipole method against their plain forms, bit by bit. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import type { Kernel } from '../../src/core/kernels.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Columns, Values } from '../../src/core/records.ts';
import {
  evaluateLocal,
  gatherMoments,
  shiftLocal,
  shiftMoments,
  translateMoments,
} from '../../src/integrals/multipole/expansion-kernels.ts';
import { translateMomentsSingle } from '../../src/integrals/multipole/expansion-single-kernels.ts';
import { buildMultiIndexTables } from '../../src/integrals/multipole/multi-index.ts';
import { expectSameBits } from './same-bits.ts';

const CELLS = 6;
const BLOCKS = 5;
const TARGETS = 8;

describe.each([1, 2, 5, 8])('expansions of order %i', (order) => {
  const scope = createHeap({ shared: false, maximumBytes: 2 ** 24 }).scope('test');
  const random = createRandom(order);
  const fill = (length: number, scale = 1) =>
    Float64Array.from({ length }, () => (random.next() - 0.5) * scale);
  const { count: n, steps, sums, recur, constants } = buildMultiIndexTables(scope, order);
  const tables = { order, steps, sums, recur, constants };
  const centre = fill(3 * CELLS, 8);
  const scratch = new Float64Array(2 * (n + 1 + 6 * n)).fill(Number.NaN);

  /** Both forms give the same, which is finite and not what was there before. */
  function expectSame<C extends Columns>(
    kernel: Kernel<C>,
    begin: number,
    end: number,
    values: Values<C>,
    out: keyof C & string,
  ): void {
    const left = expectSameBits(kernel, begin, end, values).values[out] as Float64Array;
    expect(left.every(Number.isFinite)).toBe(true);
    expect(Array.from(left)).not.toEqual(Array.from(values[out] as Float64Array));
  }

  it.each([
    [1, 0],
    [3, 0],
    [3, 1],
  ])('gather %i components, dipole %i', (components, dipole) => {
    const source = fill(BLOCKS * 2 * (3 + components));
    const moment = fill(CELLS * (dipole ? 1 : components) * n);
    const cell = { cell: 2, components, dipole, centre, source };
    expectSame(gatherMoments, 1, BLOCKS, { ...tables, ...cell, moment, scratch }, 'moment');
  });

  it.each([1, 3])('shift moments and local expansions of %i components', (components) => {
    const expansion = fill(CELLS * components * n);
    // Children that begin at an even and at an odd number: what goes into which lane counts from the first.
    for (const [begin, end] of [
      [2, 5],
      [1, 3],
    ]) {
      const values = { ...tables, cell: 0, components, centre, expansion, scratch };
      expectSame(shiftMoments, begin, end, values, 'expansion');
      expectSame(shiftLocal, begin, end, values, 'expansion');
    }
  });

  const listFar = (entries: number) =>
    Int32Array.from({ length: 2 * entries }, (_, i) =>
      i % 2 === 0 ? 1 + i / 2 : Math.max(1, order - (i - 1) / 2),
    );

  it.each([
    [1, 0, 4],
    [1, 1, 5],
    [3, 1, 5],
    [3, 0, 1],
  ])('translate %i components, first row %i, %i entries', (components, firstRow, entries) => {
    const [moment, local] = [fill(CELLS * components * n), fill(CELLS * components * n)];
    const cell = { target: 0, components, firstRow, softening: 0.01, far: listFar(entries), centre };
    expectSame(translateMoments, 0, entries, { ...tables, ...cell, moment, local, scratch }, 'local');
  });

  it.each([
    [1, 0, 4],
    [3, 1, 5],
    [3, 0, 3],
  ])(
    'translate in single precision: %i components, first row %i, %i entries',
    (components, firstRow, entries) => {
      const moment = Float32Array.from(fill(CELLS * components * n));
      const local = fill(CELLS * components * n);
      const unit = fill(CELLS).map(Math.abs);
      const own = new Float32Array(2 * scratch.length).fill(Number.NaN);
      const cell = { target: 0, components, firstRow, softening: 0.01, far: listFar(entries), centre, unit };
      const values = { ...tables, ...cell, moment, local, scratch: own };
      expectSame(translateMomentsSingle, 0, entries, values, 'local');
    },
  );

  it.each([
    [0, 1, 1],
    [1, 1, 3],
    [2, 3, 3],
    [3, 3, 3],
  ])('evaluate kind %i', (kind, components, columns) => {
    const [target, local] = [fill(3 * TARGETS), fill(CELLS * components * n)];
    const cell = { cell: 3, kind, stride: TARGETS, centre, target };
    const values = { ...tables, ...cell, local, out: fill(columns * TARGETS), scratch };
    expectSame(evaluateLocal, 2, 6, values, 'out');
  });
});
