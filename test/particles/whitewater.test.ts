import { describe, expect, it } from 'vitest';
import { encodeParticles } from '../../src/io/frame-files.ts';
import {
  BUBBLE,
  countWhitewater,
  createWhitewater,
  FOAM,
  joinParticles,
  measureAeration,
  type Sources,
  SPRAY,
  type Surroundings,
  showWhitewater,
  stepWhitewater,
  WHITEWATER,
  type Whitewater,
} from '../../src/particles/whitewater.ts';
import { openThreads } from '../threads.ts';

const { heap, one, two } = await openThreads();
const G = 9.81;

/** Liquid below z = 0 that moves along x. */
const pool: Surroundings = {
  gravity: [0, 0, -G],
  sample(point, count, phi, velocity) {
    for (let n = 0; n < count; n++) {
      phi[n] = -point[3 * n + 2];
      velocity[3 * n] = 1;
    }
  },
};

function layBlock(flow: (x: number, y: number, z: number) => readonly number[], isBallistic = 0): Sources {
  const scope = heap.scope('test');
  const n = 8;
  const count = n ** 3;
  const sources = {
    position: scope.f64(3 * count),
    velocity: scope.f64(3 * count),
    radius: scope.f64(count).fill(0.05),
    phi: scope.f64(count),
    isBallistic: scope.u8(count).fill(isBallistic),
  };
  for (let p = 0; p < count; p++) {
    const at = [p % n, Math.floor(p / n) % n, Math.floor(p / n / n)].map((i) => 0.1 * (i + 0.5));
    at[2] -= 0.8;
    sources.position.set(at, 3 * p);
    sources.velocity.set(flow(at[0], at[1], at[2]), 3 * p);
    sources.phi[p] = -at[2];
  }
  return sources;
}

function aerationOf(sources: Sources, threads = one): Float64Array {
  const out = heap.scope('test').f64(sources.radius.length);
  measureAeration(sources, { heap, threads }, out);
  return out;
}

const none = (): Sources => ({
  position: new Float64Array(0),
  velocity: new Float64Array(0),
  radius: Float64Array.of(),
  phi: new Float64Array(0),
  isBallistic: new Uint8Array(0),
});

function place(position: number[], velocity: number[], life = 1): Whitewater {
  const count = position.length / 3;
  return {
    ...createWhitewater(1),
    position: Float64Array.from(position),
    velocity: Float64Array.from(velocity),
    radius: new Float64Array(count).fill(0.01),
    age: new Float64Array(count),
    life: new Float64Array(count).fill(life),
    kind: new Int32Array(count).fill(SPRAY),
  };
}

describe('aeration', () => {
  it('is what closes in: twice the closing speed at a front, none where liquid moves as one or draws apart', () => {
    const closing = aerationOf(layBlock((x) => [x < 0.4 ? 3 : -3, 0, 0]));
    const apart = aerationOf(layBlock((x) => [x < 0.4 ? -3 : 3, 0, 0]));
    const together = aerationOf(layBlock(() => [5, 0, 0]));
    const top = 8 ** 3 - 8 ** 2;
    // Beside the front about half of the neighbours come towards a particle.
    expect(closing[top + 3]).toBeGreaterThan(2);
    expect(closing[top + 3]).toBeLessThan(12);
    expect(apart[top + 3]).toBeLessThan(0.25 * closing[top + 3]);
    expect(Math.max(...together)).toBe(0);
    // Deep down it is not looked for.
    expect(closing[3]).toBe(0);
  });

  it('is the same on two threads', () => {
    const sources = layBlock((x, y, z) => [Math.sin(9 * y) * 4, Math.cos(7 * x) * 3, z]);
    expect(aerationOf(sources, two)).toEqual(aerationOf(sources, one));
  });
});

describe('whitewater', () => {
  const step = { dt: 0.01, options: WHITEWATER };

  it('spray flies a parabola', () => {
    let state = place([0, 0, 5], [2, 0, 3]);
    for (let n = 0; n < 50; n++)
      state = stepWhitewater(state, none(), new Float64Array(0), pool, step).whitewater;
    expect(state.position[0]).toBeCloseTo(1, 12);
    // Symplectic Euler: half a step of gravity more than the parabola.
    expect(state.position[2]).toBeCloseTo(5 + 1.5 - 0.5 * G * 0.5 * 0.51, 12);
    expect(state.kind[0]).toBe(SPRAY);
    expect(state.age[0]).toBeCloseTo(0.5, 12);
    expect(state.life[0]).toBe(1);
  });

  it('a bubble rises and becomes foam, foam is carried and ends with its life', () => {
    const liquid = layBlock(() => [0, 0, 0]);
    const still = new Float64Array(liquid.radius.length);
    let state = place([0, 0, -0.5], [0, 0, 0], 0.5);
    const kinds = new Set<number>();
    let gone = 0;
    let highest = -1;
    for (let n = 0; n < 400 && gone === 0; n++) {
      const result = stepWhitewater(state, liquid, still, pool, step);
      state = result.whitewater;
      gone += result.report.gone;
      for (const kind of state.kind) kinds.add(kind);
      if (countWhitewater(state) > 0) highest = Math.max(highest, state.position[2]);
    }
    expect([...kinds].sort()).toEqual([FOAM, BUBBLE]);
    expect(gone).toBe(1);
    expect(highest).toBeGreaterThan(-0.05);
    expect(highest).toBeLessThan(0.06);
  });

  it('comes from ballistic and aerated particles as often as asked, and not from calm ones', () => {
    const calm = layBlock(() => [0.2, 0, 0]);
    expect(stepWhitewater(createWhitewater(7), calm, aerationOf(calm), pool, step).report.made).toBe(0);
    const flying = layBlock(() => [2, 0, 0], 1);
    let made = 0;
    let state = createWhitewater(7);
    for (let n = 0; n < 20; n++) {
      const result = stepWhitewater(state, flying, aerationOf(flying), pool, step);
      made += result.report.made;
      state = result.whitewater;
    }
    const expected = 20 * flying.radius.length * WHITEWATER.spray * step.dt;
    expect(Math.abs(made - expected)).toBeLessThan(4 * Math.sqrt(expected));
    const breaking = layBlock((x) => [x < 0.4 ? 6 : -6, 0, 0]);
    const foam = stepWhitewater(createWhitewater(7), breaking, aerationOf(breaking), pool, step);
    expect(foam.report.made).toBeGreaterThan(10);
    for (const radius of foam.whitewater.radius) {
      expect(radius).toBeGreaterThanOrEqual(0.05 * WHITEWATER.least);
      expect(radius).toBeLessThanOrEqual(0.05 * WHITEWATER.most);
    }
    const few = { ...step, options: { ...WHITEWATER, count: 5 } };
    const { report } = stepWhitewater(createWhitewater(7), breaking, aerationOf(breaking), pool, few);
    expect(report.made).toBe(5);
    expect(report.refused).toBe(foam.report.made - 5);
  });

  it('stays out of solids', () => {
    const floor: Surroundings = { ...pool, clearance: (_x, _y, z) => z - 1 };
    let state = place([0, 0, 1.2], [1, 0, -5]);
    for (let n = 0; n < 30; n++) {
      state = stepWhitewater(state, none(), new Float64Array(0), floor, step).whitewater;
      expect(state.position[2]).toBeGreaterThan(1.01 - 1e-9);
    }
    expect(state.position[0]).toBeGreaterThan(0.2);
  });

  it('goes on from a saved state as if it had not stopped, and is written as particles', () => {
    const breaking = layBlock((x) => [x < 0.4 ? 6 : -6, 0, 0]);
    const aeration = aerationOf(breaking);
    const run = (state: Whitewater, steps: number) => {
      for (let n = 0; n < steps; n++)
        state = stepWhitewater(state, breaking, aeration, pool, step).whitewater;
      return state;
    };
    const half = run(createWhitewater(3), 4);
    expect(run(structuredClone(half), 4)).toEqual(run(createWhitewater(3), 8));
    const frame = showWhitewater(half);
    const liquid = {
      count: 1,
      position: Float64Array.of(1, 2, 3),
      fields: {
        velocity: { components: 3 as const, unit: 'm/s', values: Float64Array.of(4, 5, 6) },
        radius: { components: 1 as const, unit: 'm', values: Float64Array.of(7) },
        level: { components: 1 as const, unit: '', values: Int32Array.of(8) },
      },
    };
    const both = joinParticles(liquid, frame);
    expect(both.count).toBe(1 + frame.count);
    expect(both.fields['level'].values[0]).toBe(8);
    expect(both.fields['kind'].values[0]).toBe(0);
    expect(both.fields['kind'].values[1]).toBe(half.kind[0]);
    expect(both.fields['radius'].values[1]).toBe(half.radius[0]);
    expect(encodeParticles(both).length).toBeGreaterThan(20 * both.count);
  });
});
