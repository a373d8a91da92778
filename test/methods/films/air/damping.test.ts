/** The coefficients of damping and drag are what the options say they are, m^2/s and 1/s. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/core/random.ts';
import { type Air, kick, setPotentialRate, updateGradients } from '../../../../src/methods/films/air/air.ts';
import { computeLegendre } from '../../../../src/methods/films/start/start.ts';
import { buildSpheres } from '../../../../src/tracking/multimaterial/shapes.ts';
import { createTestAir, unit } from '../sheets.ts';

const RADIUS = 0.7;

/** A sphere whose circulation nothing but damping changes: without tension. */
function createSphere(levels: number, damping: number, drag: number): Air {
  const constants = { ...unit, tension: 0, damping, drag };
  const air = createTestAir(buildSpheres([{ levels, radius: RADIUS }]), constants);
  updateGradients(air);
  return air;
}

/** P_n of the angle from the z axis. */
const legendreAt = ({ sheet }: Air, n: number, v: number) =>
  computeLegendre(n, sheet.position[3 * v + 2] / RADIUS);

/** How much of P_n there is in the circulation that these potentials (entries) make. */
function measureCirculation(air: Air, n: number, potential: Float64Array): number {
  let above = 0;
  let below = 0;
  for (let v = 0; v < air.sheet.vertexCount; v++) {
    const legendre = legendreAt(air, n, v);
    const first = air.sheet.entryStart[v];
    above += legendre * (potential[first + 1] - potential[first]);
    below += legendre * legendre;
  }
  return above / below;
}

describe('damping', () => {
  const damping = 0.3;
  const levels = [2, 3, 4];
  /** Square of the mean edge, in radii. */
  const edge2 = levels.map((level) => (16 * Math.PI) / (Math.sqrt(3) * 20 * 4 ** level));

  /** Error of the rate at which P_n decays, as a share of it: over a while by kicks, and at once. */
  function measureMiss(n: number, level: number) {
    const air = createSphere(level, damping, 0);
    const { potential } = air.sheet;
    for (let v = 0; v < air.sheet.vertexCount; v++)
      potential[air.sheet.entryStart[v] + 1] = legendreAt(air, n, v);
    const truth = (damping * n * (n + 1)) / RADIUS ** 2;
    const slope = new Float64Array(potential.length);
    setPotentialRate(air, slope);
    const before = measureCirculation(air, n, potential);
    const atOnce = -measureCirculation(air, n, slope) / before;
    const steps = 25 * 4 ** (level - 2);
    const dt = 0.5 / truth / steps;
    for (let i = 0; i < steps; i++) kick(air, dt);
    // Every kick keeps 1 - dt rate.
    const rate = (1 - (measureCirculation(air, n, potential) / before) ** (1 / steps)) / dt;
    return { overAWhile: rate / truth - 1, atOnce: atOnce / truth - 1 };
  }

  it.each([1, 2, 3])(
    'P_%i on a sphere decays at damping n (n + 1) / R^2, with the second order of the mesh',
    (n) => {
      const misses = levels.map((level) => measureMiss(n, level));
      for (const way of ['overAWhile', 'atOnce'] as const) {
        const miss = misses.map((both) => Math.abs(both[way]));
        // Cotangents on a lattice of edges h fall short by a share of k^2 h^2 / 16; flat faces, which have
        // 5/24 h^2 less area than the sphere, give some of it back.
        miss.forEach((value, i) => {
          expect(value).toBeLessThan((n * (n + 1) * edge2[i]) / 16);
        });
        expect(miss[2]).toBeLessThan(0.3 * miss[1]);
      }
    },
  );
});

describe('drag', () => {
  it('leaves exp(-drag t) of all circulation, however many steps there are', () => {
    const drag = 0.8;
    const air = createSphere(2, 0, drag);
    const { potential } = air.sheet;
    const random = createRandom(8);
    for (let i = 0; i < potential.length; i++) potential[i] = 2 * random.next() - 1;
    const before = potential.slice();
    const steps = [0.5, 0.01, 0.2, 0.7, 0.09];
    for (const dt of steps) kick(air, dt);
    const keep = Math.exp(-drag * steps.reduce((sum, dt) => sum + dt, 0));
    expect(keep).toBeLessThan(0.31);
    before.forEach((value, i) => {
      expect(Math.abs(potential[i] - keep * value)).toBeLessThan(1e-14);
    });
    // What Runge-Kutta integrates.
    const slope = new Float64Array(potential.length);
    setPotentialRate(air, slope);
    slope.forEach((value, i) => {
      expect(value).toBeCloseTo(-drag * potential[i], 14);
    });
  });
});
