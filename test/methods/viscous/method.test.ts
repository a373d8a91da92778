import { afterAll, describe, expect, it } from 'vitest';
import { createThreads } from '../../../src/core/threads/node.ts';
import type { Vec3 } from '../../../src/core/types.ts';
import { box, cylinder, intersection, sphere } from '../../../src/geometry/shapes.ts';
import type { StateRecord } from '../../../src/methods/method.ts';
import { viscous } from '../../../src/methods/viscous/viscous.ts';
import { composeScene, DENSITY, heap, type SceneParts, startScene, threads } from './scenes.ts';

const g = 9.81;

/** A column on a floor, thick enough to creep. */
const column = (viscosity: number): SceneParts => ({
  domain: [
    [0, 0, 0],
    [0.4, 0.4, 0.3],
  ],
  resolution: 0.025,
  gravity: [0, 0, -g],
  viscosity,
  liquids: [{ shape: box([0.13, 0.13, -1], [0.27, 0.27, 0.21]) }],
});

describe('a column', () => {
  it('falls, spreads and keeps its volume; heat takes what gravity gives', () => {
    const { state, step, measure } = startScene(column(100));
    const start = measure();
    let heat = 0;
    for (let n = 0; n < 14; n++) {
      const { ledger, solver } = step(0.02);
      expect(solver['viscosity'].converged).toBe(true);
      const before = heat;
      heat -= ledger!.energy!.viscosity!;
      expect(heat).toBeGreaterThan(before);
      expect(Math.abs(measure().volume / start.volume - 1)).toBeLessThan(2e-3);
    }
    const end = measure();
    const fallen = start.centreOfMass[2] - end.centreOfMass[2];
    expect(fallen).toBeGreaterThan(0.02);
    expect(fallen).toBeLessThan(0.06);
    // Symmetric, and not yet at the walls.
    expect(Math.abs(end.centreOfMass[0] - 0.2)).toBeLessThan(1e-3);
    let reach = 0;
    for (let v = 0; v < 3 * state.surface.vertexCount; v += 3)
      reach = Math.max(reach, state.surface.position[v] - 0.2);
    expect(reach).toBeGreaterThan(0.09);
    expect(reach).toBeLessThan(0.19);
    const given = start.potentialEnergy - end.potentialEnergy - end.kineticEnergy;
    expect(heat / given).toBeGreaterThan(0.8);
    expect(heat / given).toBeLessThan(1.2);
  });

  it('falls the slower the thicker it is', () => {
    const heights = [5, 50, 500].map((viscosity) => {
      const { step, measure } = startScene(column(viscosity));
      for (let n = 0; n < 8; n++) step(0.02);
      return measure().centreOfMass[2];
    });
    expect(heights[1] - heights[0]).toBeGreaterThan(0.005);
    expect(heights[2] - heights[1]).toBeGreaterThan(0.005);
  });
});

describe('the orders of the paper', () => {
  it('let the column fall alike, whatever passes between faces and vertices', () => {
    const fall = (options: Record<string, unknown>): number => {
      const { step, measure } = startScene({ ...column(100), options });
      const start = measure();
      for (let n = 0; n < 8; n++) {
        const { solver } = step(0.02);
        for (const report of Object.values(solver)) expect(report.converged).toBe(true);
        expect(Math.abs(measure().volume / start.volume - 1)).toBeLessThan(5e-3);
      }
      return measure().centreOfMass[2];
    };
    const heights = [
      fall({ order: 'viscosity-pressure', transfer: 'flip' }),
      fall({ order: 'viscosity-pressure', transfer: 'pic' }),
      fall({ order: 'viscosity-pressure', transfer: 'implicit' }),
      fall({ order: 'pressure-viscosity-pressure', transfer: 'flip' }),
    ];
    expect(heights[0]).toBeLessThan(0.1);
    for (const height of heights) expect(Math.abs(height / heights[0] - 1)).toBeLessThan(0.03);
  });
});

describe('a ball without gravity', () => {
  const R = 0.1;
  const centre: Vec3 = [0.2, 0.2, 0.2];
  const spin = 2;

  /** Turns as a rigid body; returns what is left of its angular momentum. */
  function turn(options: Record<string, unknown>): number {
    const started = startScene({
      domain: [
        [0, 0, 0],
        [0.4, 0.4, 0.4],
      ],
      resolution: 0.04,
      viscosity: 100,
      liquids: [{ shape: sphere(centre, R) }],
      options,
    });
    const { state, step, measure } = started;
    const { position, vertexCount } = state.mesh;
    const { velocity } = state.derived.rates;
    for (let v = 0; v < 3 * vertexCount; v += 3) {
      velocity[v] = -spin * (position[v + 1] - centre[1]);
      velocity[v + 1] = spin * (position[v] - centre[0]);
    }
    const about = () => {
      step(0.02);
      return measure().angularMomentum[2];
    };
    const first = about();
    for (let n = 0; n < 5; n++) about();
    return about() / first;
  }

  it('goes on turning as a rigid body, however viscous it is', () => {
    expect(Math.abs(turn({}) - 1)).toBeLessThan(0.05);
  });

  it('stops turning with the Laplacian, which is for comparison only', () => {
    expect(Math.abs(turn({ stress: 'laplacian' }))).toBeLessThan(0.5);
  });
});

describe('the surface', () => {
  it('moves by its vertices where it creeps, and is contoured anew after enough of that', () => {
    const { state, step, measure } = startScene(column(5000));
    let contoured = 0;
    let kept = 0;
    let height = measure().centreOfMass[2];
    const steps = 16;
    for (let n = 0; n < steps; n++) {
      const before = state.surface.triangle.slice();
      const { events } = step(0.025);
      contoured += events['contoured'];
      if (events['contoured'] === 0) {
        expect(
          Buffer.compare(Buffer.from(before.buffer), Buffer.from(state.surface.triangle.slice().buffer)),
        ).toBe(0);
        kept++;
      }
      const now = measure().centreOfMass[2];
      if (n > 1) expect(now).toBeLessThan(height);
      height = now;
    }
    expect(kept).toBeGreaterThan(steps / 2);
    expect(contoured).toBeLessThan(steps / 2);
  });
});

describe('materials', () => {
  it('are carried by their liquids', () => {
    const half = (from: number, to: number, viscosity: number) => ({
      shape: intersection(box([from, 0.1, -1], [to, 0.3, 0.15]), box([0.05, -1, -1], [0.35, 1, 1])),
      viscosity,
    });
    const { state, step } = startScene({
      ...column(1),
      liquids: [half(-1, 0.2, 500), half(0.2, 1, 2)],
    });
    for (let n = 0; n < 8; n++) step(0.02);
    const { position, vertexCount } = state.surface;
    let [low, high] = [0.2, 0.2];
    for (let v = 0; v < 3 * vertexCount; v += 3) {
      low = Math.min(low, position[v]);
      high = Math.max(high, position[v]);
    }
    // The thin half runs, the thick one stands.
    expect(high - 0.35).toBeGreaterThan(4 * (0.05 - low));
    expect(high).toBeGreaterThan(0.37);
    const { share, tetViscosity } = state;
    for (let v = 0; v < share.length; v += 2) expect(share[v] + share[v + 1]).toBeCloseTo(1, 10);
    expect(tetViscosity.reduce((a, b) => Math.max(a, b))).toBeCloseTo(500, 6);
    expect(tetViscosity.reduce((a, b) => Math.min(a, b))).toBeCloseTo(2, 6);
  });
});

describe('a nozzle', () => {
  it('brings what it says, as a rope that reaches down', () => {
    const flow = 4e-4;
    const radius = 0.04;
    const { state, step, measure } = startScene({
      domain: [
        [-0.15, -0.15, 0],
        [0.15, 0.15, 0.4],
      ],
      resolution: 0.02,
      gravity: [0, 0, -g],
      viscosity: 100,
      liquids: [],
      nozzle: { shape: cylinder([0, 0, 0.45], [0, 0, 0.33], radius), direction: [0, 0, -1], flow },
    });
    const start = measure().volume;
    const dt = 0.05;
    for (let n = 1; n <= 16; n++) {
      step(dt);
      expect(Math.abs(measure().volume - start - n * dt * flow)).toBeLessThan(0.01 * (start + n * dt * flow));
    }
    let low = 1;
    let wide = 0;
    for (let v = 0; v < 3 * state.surface.vertexCount; v += 3) {
      low = Math.min(low, state.surface.position[v + 2]);
      wide = Math.max(wide, Math.hypot(state.surface.position[v], state.surface.position[v + 1]));
    }
    expect(low).toBeLessThan(0.33 - (0.8 * 16 * dt * flow) / (Math.PI * radius ** 2) + 0.02);
    expect(wide).toBeLessThan(1.25 * radius);
    expect(measure().mass / DENSITY).toBeCloseTo(measure().volume, 12);
  });
});

describe('the same bytes', () => {
  const scene = column(20);
  const STEPS = 4;
  const DT = 0.02;
  const copy = (record: StateRecord): StateRecord => ({
    numbers: { ...record.numbers },
    arrays: Object.fromEntries(Object.entries(record.arrays).map(([name, array]) => [name, array.slice()])),
  });

  function expectEqual(a: StateRecord, b: StateRecord): void {
    expect(a.numbers).toEqual(b.numbers);
    expect(Object.keys(a.arrays)).toEqual(Object.keys(b.arrays));
    for (const [name, array] of Object.entries(a.arrays)) {
      const bytes = (x: typeof array) => Buffer.from(x.buffer, x.byteOffset, x.byteLength);
      if (Buffer.compare(bytes(array), bytes(b.arrays[name])) !== 0)
        expect(name).toBe('equal to the last bit');
    }
  }

  function run(team = threads): [StateRecord, StateRecord] {
    const { model, state, step } = startScene(scene, team);
    let half: StateRecord | undefined;
    for (let n = 0; n < STEPS; n++) {
      step(DT);
      if (n === STEPS / 2 - 1) half = copy(viscous.save(state));
    }
    expect(viscous.stableTimeStep(model, state)).toBeGreaterThan(0);
    return [half!, copy(viscous.save(state))];
  }

  const [half, end] = run();
  const pair = createThreads({ heap, count: 2 });
  afterAll(async () => (await pair).close());

  it('with two threads', async () => {
    expectEqual(run(await pair)[1], end);
  });

  it('after saving and restoring, on another model', () => {
    const model = viscous.build(composeScene(scene), { heap, threads });
    const state = viscous.restore(model, half);
    expectEqual(viscous.save(state), half);
    const work = viscous.createWork(model);
    for (let n = STEPS / 2; n < STEPS; n++) viscous.step(model, state, work, DT);
    expectEqual(viscous.save(state), end);
  });
});
