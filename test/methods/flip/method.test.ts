import { describe, expect, it } from 'vitest';
import { FlipMarch, type FlipSetup, GRAVITY } from '../../../cases/flip/setup.ts';
import type { Box, Vec3 } from '../../../src/core/types.ts';
import { box, sphere } from '../../../src/geometry/shapes.ts';
import { flip } from '../../../src/methods/flip/flip.ts';
import { openThreads } from '../../threads.ts';

const { heap, one, two } = await openThreads();

const ROOM: Box = { min: [0, 0, 0], max: [1, 1, 1.2] };
const march = (setup: FlipSetup, threads = one) => new FlipMarch(setup, { heap, threads });

describe('a drop', () => {
  const drop: FlipSetup = { domain: ROOM, resolution: 0.05, liquid: sphere([0.5, 0.5, 0.8], 0.15) };

  it('falls along the parabola and keeps its velocity uniform', () => {
    const run = march(drop);
    const start = run.measure();
    expect(start.volume).toBeCloseTo((4 / 3) * Math.PI * 0.15 ** 3, 4);
    for (let n = 0; n < 8; n++) run.step(0.02 + 0.002 * (n % 3));
    const t = run.state.time;
    const end = run.measure();
    const fallen = start.centreOfMass[2] - end.centreOfMass[2];
    expect(Math.abs(fallen / (0.5 * GRAVITY * t * t) - 1)).toBeLessThan(1e-3);
    expect(Math.abs(end.momentum[2] / (-GRAVITY * t * end.mass) - 1)).toBeLessThan(1e-6);
    expect(end.volume / start.volume - 1).toBeCloseTo(0, 12);
    run.free();
  });

  it('that flies without gravity keeps every particle at its velocity', () => {
    const velocity: Vec3 = [0.6, -0.3, 0.2];
    const run = march({ ...drop, gravity: [0, 0, 0], velocity });
    for (let n = 0; n < 6; n++) run.step(0.02);
    let most = 0;
    const { velocity: u } = run.state;
    for (let n = 0; n < u.length; n++) most = Math.max(most, Math.abs(u[n] - velocity[n % 3]));
    expect(most).toBeLessThan(1e-10);
    const end = run.measure();
    expect(end.centreOfMass[0]).toBeCloseTo(0.5 + 0.6 * 0.12, 3);
    run.free();
  });
});

describe('a column that breaks', () => {
  const column: FlipSetup = {
    domain: { min: [0, 0, 0], max: [1, 0.25, 0.6] },
    resolution: 0.0625,
    liquid: box([-1, -1, -1], [0.25, 2, 0.5]),
  };

  it('keeps its volume, gains no energy and runs along the floor no faster than 2 sqrt(gH)', () => {
    const run = march(column);
    const start = run.measure();
    const energy = [start.potentialEnergy];
    for (let n = 0; n < 20; n++) {
      run.step(0.015);
      const now = run.measure();
      expect(now.volume / start.volume - 1).toBeCloseTo(0, 12);
      energy.push(now.kineticEnergy + now.potentialEnergy);
      // From one mesh to the next.
      const before = Math.min(...energy.slice(-11));
      expect((energy.at(-1)! - before) / energy[0]).toBeLessThan(0.005);
    }
    const { position, time } = run.state;
    let front = 0;
    for (let p = 0; p < position.length; p += 3) front = Math.max(front, position[p]);
    expect(front).toBeGreaterThan(0.25 + 0.5 * Math.sqrt(GRAVITY * 0.5) * time);
    expect(front).toBeLessThan(0.25 + 2 * Math.sqrt(GRAVITY * 0.5) * time);
    run.free();
  });

  it('gives the same bytes on one thread and on two, and after it was saved and restored', () => {
    const runs = [march(column, one), march(column, two)];
    for (const run of runs) for (let n = 0; n < 4; n++) run.step(0.015);
    const saved = flip.save(runs[0].state);
    const again = flip.restore(runs[0].model, structuredClone(saved));
    const work = flip.createWork(runs[0].model);
    for (let n = 0; n < 9; n++) {
      for (const run of runs) run.step(0.015);
      flip.step(runs[0].model, again, work, 0.015);
    }
    const [a, b] = runs.map(({ state }) => flip.save(state));
    expect(b).toEqual(a);
    expect(flip.save(again)).toEqual(a);
    for (const run of runs) run.free();
    flip.release!(again);
  });
});
