/**
 * Short forms of the referees that a newcomer's first scenes stand for: volume kept on dry ground, walls that
 * let go, pools that lie still.
 */
import { describe, expect, it } from 'vitest';
import { GRAVITY, marchTo, startMarch } from '../../../cases/lattice/march.ts';
import { runPoolAt } from '../../../cases/lattice/pools.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { box, cylinder, sphere } from '../../../src/geometry/shapes.ts';
import { buildFlowRate } from '../../../src/scene/flow-rate.ts';
import { materialPresets } from '../../../src/scene/materials.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };
const CELL = 1 / 20;
const FRAME = 1 / 30;

describe('everyday liquid', () => {
  it('a ball on a dry floor keeps its volume within 1 % at every step, 20 cells across', () => {
    const march = startMarch(
      {
        domain: { min: [0, 0, 0], max: [1, 1, 1] },
        resolution: CELL,
        liquid: sphere([0.5, 0.5, 0.5], 0.2),
      },
      resources,
    );
    const start = march.measure();
    while (march.time < 0.8 - 1e-9) {
      march.step(Math.min(march.stableStep(FRAME), 0.8 - march.time));
      const kept = march.measure().volume! / start.volume!;
      expect(Math.abs(kept - 1), `volume at ${march.time.toFixed(3)} s: ${kept}`).toBeLessThan(0.01);
    }
    // It has landed and spread: a ball left where it was keeps its volume too.
    expect(march.measure().centreOfMass![2]).toBeLessThan(0.1);
    march.free();
  });

  it('a drop of 1.2 cells radius keeps its volume within 1 % in the step in which it lands', () => {
    const march = startMarch(
      {
        domain: { min: [0, 0, 0], max: [1, 1, 1] },
        resolution: CELL,
        liquid: sphere([0.5, 0.5, 0.3], 1.2 * CELL),
      },
      resources,
    );
    const start = march.measure();
    marchTo(march, 0.3, FRAME / 2, () => {
      const kept = march.measure().volume! / start.volume!;
      expect(Math.abs(kept - 1), `volume at ${march.time.toFixed(3)} s: ${kept}`).toBeLessThan(0.01);
    });
    expect(march.measure().centreOfMass![2]).toBeLessThan(CELL);
    march.free();
  });

  it('a nozzle that is shut for good lets go the water in it', () => {
    const flow = buildFlowRate(0.02, 0, 0.1);
    const march = startMarch(
      {
        domain: { min: [0, 0, 0], max: [1, 1, 1] },
        resolution: CELL,
        emitters: [
          {
            name: 'tap',
            shape: cylinder([0.5, 0.5, 0.75], [0.5, 0.5, 0.95], 0.1),
            direction: [0, 0, -1],
            material: materialPresets['water'],
            flowAt: flow.at,
            emittedUntil: flow.until,
            shutFrom: flow.over,
          },
        ],
      },
      resources,
    );
    const meant = march.measure().volume! + flow.until(1);
    marchTo(march, 0.1, FRAME / 2);
    const top = () => {
      const { position, vertexCount } = march.state.surface;
      let highest = 0;
      for (let v = 0; v < vertexCount; v++) highest = Math.max(highest, position[3 * v + 2]);
      return highest;
    };
    const nozzle = top();
    expect(nozzle).toBeGreaterThan(0.93);
    marchTo(march, 0.35, FRAME / 2);
    // Its speed in the nozzle was flow over cross-section.
    const speed = 0.02 / (Math.PI * 0.1 ** 2);
    const fallen = speed * 0.25 + 0.5 * GRAVITY * 0.25 ** 2;
    expect(Math.abs(nozzle - top() - fallen)).toBeLessThan(0.1 * fallen);
    expect(Math.abs(march.measure().volume! / meant - 1)).toBeLessThan(0.01);
    march.free();
  });

  it('a thin front runs on undisturbed after a very short step', () => {
    const run = (shortStep: number): { front: number; speed: number } => {
      const march = startMarch(
        {
          domain: { min: [0, 0, 0], max: [2.4, 0.1, 0.5] },
          resolution: CELL,
          liquid: box([-1, -1, -1], [0.6, 1, 0.4]),
        },
        resources,
      );
      marchTo(march, 0.35, FRAME / 2);
      if (shortStep > 0) march.step(shortStep);
      marchTo(march, 0.42, FRAME / 2);
      const { position, vertexCount } = march.state.surface;
      let front = 0;
      for (let v = 0; v < vertexCount; v++) front = Math.max(front, position[3 * v]);
      const speed = march.fastest();
      march.free();
      return { front, speed };
    };
    const even = run(0);
    const uneven = run(1e-6);
    expect(even.front).toBeGreaterThan(1.2);
    expect(Math.abs(uneven.front - even.front)).toBeLessThan(0.5 * CELL);
    expect(uneven.speed / even.speed).toBeLessThan(1.1);
  });

  it('a still pool begins each solve from the pressure it has', () => {
    const march = startMarch(
      {
        domain: { min: [0, 0, 0], max: [0.6, 0.2, 0.5] },
        resolution: CELL,
        liquid: box([-1, -1, -1], [2, 2, 0.27]),
      },
      resources,
    );
    march.step(FRAME);
    for (let n = 0; n < 5; n++)
      expect(march.step(FRAME).solver['pressure'].iterations).toBeLessThanOrEqual(3);
    march.free();
  });

  it('a slab from wall to wall under a ceiling falls', () => {
    const march = startMarch(
      {
        domain: { min: [0, 0, 0], max: [0.4, 0.2, 1] },
        resolution: CELL,
        liquid: box([-1, -1, 0.6], [2, 2, 2]),
      },
      resources,
    );
    const from = march.measure();
    const until = 0.25;
    while (march.time < until - 1e-9) march.step(Math.min(march.stableStep(FRAME / 2), until - march.time));
    const end = march.measure();
    march.free();
    const fallen = from.centreOfMass![2] - end.centreOfMass![2];
    expect(fallen / (0.5 * GRAVITY * until ** 2)).toBeGreaterThan(0.9);
    expect(Math.abs(end.volume! / from.volume! - 1)).toBeLessThan(0.01);
  });

  it('a tilted pool lies still whose surface passes nodes of the contouring grid', () => {
    const figures = runPoolAt({ depth: 5.5, tilt: (12 * Math.PI) / 180, step: 'largest' }, resources, 40);
    expect(figures.fault).toBe('');
    expect(figures.steps).toBe(40);
    expect(figures.most).toBeLessThan(5e-6);
    expect(figures.pressure).toBeLessThan(1e-6);
  });

  it('ripples finer than the mesh drive no current under the surface of a tilted pool', () => {
    const tilt = (12 * Math.PI) / 180;
    const [up, cell, ripple] = [[-Math.sin(tilt), 0, Math.cos(tilt)], 1 / 12, 1e-4 / 12];
    const march = startMarch(
      {
        domain: { min: [0, 0, 0], max: [1, 0.25, 10 * cell] },
        resolution: cell,
        gravity: [-GRAVITY * up[0], 0, -GRAVITY * up[2]],
        liquid: {
          bounds: { min: [-1, -1, -1], max: [2, 2, 2] },
          value: (x, y, z) =>
            up[0] * (0.5 - x) +
            up[2] * (6.2 * cell - z) +
            ripple * (Math.sin(61 * x + 16 * y) + Math.sin(44 * x - 53 * y) + Math.sin(54 * x + 2)),
        },
      },
      resources,
    );
    const dt = Math.sqrt(cell / GRAVITY);
    const energyAfter = (steps: number) => {
      while (march.steps < steps) march.step(dt);
      let sum = 0;
      for (let n = 0; n < 10; n++) {
        march.step(dt);
        sum += march.measure().kineticEnergy!;
      }
      return sum;
    };
    const early = energyAfter(10);
    const late = energyAfter(100);
    march.free();
    // Forced, currents grow as time: the energy twenty-five-fold.
    expect(late).toBeLessThan(2 * early);
  });

  it.each([0.75, 'largest'] as const)('a pool 5.80 cells deep lies still at r = %s', (step) => {
    const figures = runPoolAt({ depth: 5.8, tilt: 0, step }, resources, 60);
    expect(figures.fault).toBe('');
    expect(figures.steps).toBe(60);
    expect(figures.most).toBeLessThan(1e-5);
    // Of rho g H: what a solver that does nothing misses.
    expect(figures.pressure).toBeLessThan(1e-4);
  });
});
