import { describe, expect, it } from 'vitest';
import { FlipMarch } from '../../../cases/flip/setup.ts';
import { box } from '../../../src/geometry/shapes.ts';
import { materialPresets } from '../../../src/scene/materials.ts';
import { openThreads } from '../../threads.ts';

const { heap, one } = await openThreads();

describe('a nozzle', () => {
  it('that reaches far out of the domain sends out what it would if it ended at the wall', () => {
    const flow = 0.02;
    const start = (far: number) =>
      new FlipMarch(
        {
          domain: { min: [0, 0, 0], max: [1, 0.5, 0.5] },
          resolution: 0.05,
          emitters: [
            {
              name: 'spring',
              shape: box([-far, 0.1, 0.3], [0.1, 0.4, 0.4]),
              material: materialPresets['water'],
              direction: [1, 0, 0],
              flowAt: () => flow,
              emittedUntil: (t) => flow * t,
              shutFrom: Number.POSITIVE_INFINITY,
            },
          ],
        },
        { heap, threads: one },
      );
    // Over 1 km a plane of particles a cell apart would be one of 4e8.
    const [near, far] = [start(0), start(1000)];
    for (const run of [near, far]) run.marchTo(0.1, 0.02);
    expect(far.state.position).toEqual(near.state.position);
    const least = Math.min(...far.state.position.filter((_, n) => n % 3 === 0));
    expect(least).toBeGreaterThan(0);
    // It comes in planes of particles, half a cell apart.
    const plane = 0.3 * 0.1 * 0.025;
    const brought = far.measure().volume - 0.3 * 0.1 * 0.1;
    expect(Math.abs(brought - flow * 0.1)).toBeLessThan(plane);
    for (const run of [near, far]) run.free();
  });
});
