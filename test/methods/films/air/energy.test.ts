/** Kinetic and surface energy of a record are those of one moment: without damping their sum stays, so that what it loses is dissipation. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../../../src/core/heap.ts';
import { createSingleThread } from '../../../../src/core/threads/single.ts';
import { films } from '../../../../src/methods/films/films.ts';
import { buildFilms, march } from '../../../../validation/films-march.ts';

const PERIOD = (2 * Math.PI) / 2.19089;

/** Energies over a period of the mode of order two. */
function swing(options: Record<string, unknown>, amplitude: number) {
  const resources = { heap: createHeap(), threads: createSingleThread() };
  const mode = { order: 2, amplitude };
  const { model, state } = buildFilms(resources, 0.22, {
    start: [{ type: 'bubble', centre: [0, 0, 0], radius: 1, divisions: 5, mode }],
    ...options,
  });
  const take = () => {
    const { kineticEnergy, surfaceEnergy } = films.measure(model, state);
    return { kinetic: kineticEnergy!, surface: surfaceEnergy! };
  };
  const records = [take()];
  march(model, state, PERIOD, () => {
    records.push(take());
  });
  // What the wave has: the bubble gives up this much of its area on the way.
  const wave = records[0].surface - Math.min(...records.map(({ surface }) => surface));
  const total = records.map(({ kinetic, surface }) => kinetic + surface);
  const range = (values: number[]) => (Math.max(...values) - Math.min(...values)) / wave;
  return {
    range: range(total),
    swing: range(records.map(({ kinetic }) => kinetic)),
    lost: (total[0] - total.at(-1)!) / wave,
  };
}

describe('energy of films', () => {
  it.each([
    ['leapfrog', 0.02],
    ['leapfrog', 0.1],
    ['runge-kutta', 0.1],
  ])('%s, a mode of %f: the sum stays while all of it becomes motion and back', (integrator, amplitude) => {
    const { range, swing: kinetic, lost } = swing({ integrator }, amplitude);
    expect(kinetic).toBeGreaterThan(0.95);
    expect(range).toBeLessThan(0.015);
    expect(Math.abs(lost)).toBeLessThan(0.01);
  });

  it('drag shows as the loss that it is: all circulation decays, and half of the energy is in it', () => {
    const drag = 0.1;
    const { lost } = swing({ drag }, 0.1);
    expect(Math.abs(lost / (1 - Math.exp(-drag * PERIOD)) - 1)).toBeLessThan(0.04);
  });
});
