import { describe, expect, it } from 'vitest';
import { FlipMarch, type FlipSetup } from '../../../cases/flip/setup.ts';
import { box } from '../../../src/geometry/shapes.ts';
import { flip } from '../../../src/methods/flip/flip.ts';
import { flipRecord } from '../../../src/methods/flip/state.ts';
import { openThreads } from '../../threads.ts';

const { heap, one, two } = await openThreads();

/** A column that falls against a wall close by. */
const column: FlipSetup = {
  domain: { min: [0, 0, 0], max: [0.5, 0.25, 0.6] },
  resolution: 0.0625,
  liquid: box([-1, -1, -1], [0.25, 2, 0.5]),
};
const whitewater = { begins: 0.05, full: 0.5, lasts: 0.1 };
const march = (options: Record<string, unknown>, threads = one) =>
  new FlipMarch({ ...column, options }, { heap, threads });
const STEPS = 16;

describe('whitewater of a column that breaks', () => {
  it('changes nothing of the liquid, stays in the room, and is in the frame behind the liquid', () => {
    const [plain, white] = [march({}), march({ whitewater })];
    for (let n = 0; n < STEPS; n++) for (const run of [plain, white]) run.step(0.015);
    const [a, b] = [plain, white].map(({ state }) => flip.save(state));
    for (const name of Object.keys(flipRecord.columns))
      if (!name.startsWith('whitewater')) expect(b.arrays[name]).toEqual(a.arrays[name]);
    const { position, age, kind } = white.state.whitewater;
    expect(kind.length).toBeGreaterThan(20);
    expect(plain.state.whitewater.kind.length).toBe(0);
    const { min, max } = column.domain;
    for (let n = 0; n < kind.length; n++) {
      expect(age[n]).toBeGreaterThan(0);
      for (let k = 0; k < 3; k++) {
        expect(position[3 * n + k]).toBeGreaterThan(min[k]);
        expect(position[3 * n + k]).toBeLessThan(max[k]);
      }
    }
    const frame = flip.particles!(white.model, white.state);
    const liquid = white.state.volume.length;
    expect(frame.count).toBe(liquid + kind.length);
    expect(frame.fields['kind'].values.slice(liquid)).toEqual(kind);
    expect(frame.fields['age'].values[liquid]).toBe(age[0]);
    for (const run of [plain, white]) run.free();
  });

  it('is the same on two threads, and after it was saved and restored', () => {
    const runs = [march({ whitewater }), march({ whitewater }, two)];
    for (const run of runs) for (let n = 0; n < 8; n++) run.step(0.015);
    const again = flip.restore(runs[0].model, structuredClone(flip.save(runs[0].state)));
    const work = flip.createWork(runs[0].model);
    for (let n = 8; n < STEPS; n++) {
      for (const run of runs) run.step(0.015);
      flip.step(runs[0].model, again, work, 0.015);
    }
    const [a, b] = runs.map(({ state }) => flip.save(state));
    expect(a.arrays['whitewaterKind'].length).toBeGreaterThan(20);
    expect(b).toEqual(a);
    expect(flip.save(again)).toEqual(a);
    for (const run of runs) run.free();
    flip.release!(again);
  });
});
