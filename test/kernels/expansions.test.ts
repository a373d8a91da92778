/** The expansions of the multipole method against their twins, bit by bit, on shared and plain memory. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { twins } from '../../src/core/kernel-twins.ts';
import { kernels } from '../../src/core/kernels.ts';
import { createRandom } from '../../src/core/random.ts';
import { buildMultiIndexTables } from '../../src/integrals/multipole/multi-index.ts';

const CELLS = 6;
const BLOCKS = 5;
const TARGETS = 8;

describe.each([true, false])('expansions, shared memory %s', (shared) => {
  describe.each([1, 2, 5, 8])('of order %i', (order) => {
    const scope = createHeap({ shared, maximumBytes: 2 ** 24 }).scope('test');
    const random = createRandom(order);
    const fill = (length: number, scale = 1) => {
      const values = scope.f64(length);
      for (let i = 0; i < length; i++) values[i] = (random.next() - 0.5) * scale;
      return values;
    };
    const { count: n, steps, sums, recur, constants } = buildMultiIndexTables(scope, order);
    const centre = fill(3 * CELLS, 8);
    const scratch = scope.f64(2 * (n + 1 + 6 * n));

    /** Runs a kernel and its twin on equal arrays, of which the one named last is compared. */
    function expectTwins(run: (which: typeof kernels, out: Float64Array) => void, start: Float64Array): void {
      const slow = scope.f64(start.length);
      const fast = scope.f64(start.length);
      slow.set(start);
      fast.set(start);
      scratch.fill(Number.NaN);
      run(twins, slow);
      scratch.fill(Number.NaN);
      run(kernels, fast);
      expect(Array.from(fast)).toEqual(Array.from(slow));
      expect(fast.every(Number.isFinite)).toBe(true);
      expect(Array.from(fast)).not.toEqual(Array.from(start));
    }

    it.each([
      [1, 0],
      [3, 0],
      [3, 1],
    ])('gather %i components, dipole %i', (components, dipole) => {
      const source = fill(BLOCKS * 2 * (3 + components));
      const size = dipole ? 1 : components;
      const tables = [steps, recur, constants] as const;
      expectTwins(
        (which, moment) =>
          which.gatherMoments(
            ...([
              2,
              1,
              BLOCKS,
              components,
              dipole,
              order,
              centre,
              source,
              ...tables,
              moment,
              scratch,
            ] as const),
          ),
        fill(CELLS * size * n),
      );
    });

    it.each([1, 3])('shift moments and local expansions of %i components', (components) => {
      const rest = [centre, steps, sums, constants] as const;
      for (const name of ['shiftMoments', 'shiftLocal'] as const)
        expectTwins(
          (which, expansion) => which[name](0, 2, 3, components, order, ...rest, expansion, scratch),
          fill(CELLS * components * n),
        );
    });

    it.each([
      [1, 0, 4],
      [1, 1, 5],
      [3, 1, 5],
      [3, 0, 1],
    ])('translate %i components, first row %i, %i entries', (components, firstRow, entries) => {
      const far = scope.i32(2 * entries);
      for (let e = 0; e < entries; e++) far.set([1 + e, Math.max(1, order - e)], 2 * e);
      const moment = fill(CELLS * components * n);
      const tables = [far, centre, sums, recur, constants, moment] as const;
      expectTwins(
        (which, local) =>
          which.translateMoments(0, 0, entries, components, order, firstRow, 0.01, ...tables, local, scratch),
        fill(CELLS * components * n),
      );
    });

    it.each([
      [1, 0, 4],
      [3, 1, 5],
      [3, 0, 3],
    ])(
      'translate in single precision: %i components, first row %i, %i entries',
      (components, firstRow, entries) => {
        const far = scope.i32(2 * entries);
        for (let e = 0; e < entries; e++) far.set([1 + e, Math.max(1, order - e)], 2 * e);
        const moment = scope.f32(CELLS * components * n);
        moment.set(fill(moment.length));
        const unit = fill(CELLS).map(Math.abs);
        const units = scope.f64(CELLS);
        units.set(unit);
        const tables = [far, centre, units, sums, recur, constants, moment] as const;
        const own = scope.f32(2 * scratch.length).fill(Number.NaN);
        expectTwins(
          (which, local) =>
            which.translateMomentsSingle(
              0,
              0,
              entries,
              components,
              order,
              firstRow,
              0.01,
              ...tables,
              local,
              own,
            ),
          fill(CELLS * components * n),
        );
      },
    );

    it.each([
      [0, 1, 1],
      [1, 1, 3],
      [2, 3, 3],
      [3, 3, 3],
    ])('evaluate kind %i', (kind, components, columns) => {
      const target = fill(3 * TARGETS);
      const local = fill(CELLS * components * n);
      const rest = [centre, target, steps, sums, constants, local] as const;
      expectTwins(
        (which, out) => which.evaluateLocal(3, 2, 6, kind, order, TARGETS, ...rest, out, scratch),
        fill(columns * TARGETS),
      );
    });
  });
});
