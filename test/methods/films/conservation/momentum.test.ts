/** Angular momentum of the air: about another point, and in time. */
import { describe, expect, it } from 'vitest';
import { updateGradients } from '../../../../src/methods/films/air/air.ts';
import { integrate } from '../../../../src/methods/films/air/integrate.ts';
import {
  measureAngularMomentum,
  measureMomentum,
} from '../../../../src/methods/films/conservation/momentum.ts';
import { buildSpheres } from '../../../../src/tracking/multimaterial/shapes.ts';
import { createTestAir, unit } from '../sheets.ts';

/** An ellipsoid whose air is stirred about z and carried along x. */
function stir(levels: number, offset = 0) {
  const sphere = buildSpheres([{ levels }]);
  const place = (x: number, n: number) => [1.4, 1, 0.8][n % 3] * x + offset;
  const position = Float64Array.from(sphere.position, place);
  const air = createTestAir({ ...sphere, position }, { ...unit, blur: 0.6 / 2 ** levels });
  const { position: p, potential, entryRegion, entryStart, vertexCount } = air.sheet;
  for (let v = 0; v < vertexCount; v++)
    for (let n = entryStart[v]; n < entryStart[v + 1]; n++) {
      const [x, y] = [p[3 * v] - offset, p[3 * v + 1] - offset];
      potential[n] = entryRegion[n] === 0 ? 0 : x * y + 0.3 * x;
    }
  updateGradients(air);
  return air;
}

describe('angular momentum', () => {
  it('about another point it differs by the arm times the momentum', () => {
    const here = stir(2);
    const there = stir(2, 5);
    const [px, py, pz] = measureMomentum(here);
    expect(Math.abs(px)).toBeGreaterThan(0.1);
    const arm = [5 * (pz - py), 5 * (px - pz), 5 * (py - px)];
    measureAngularMomentum(there).forEach((l, k) => {
      expect(l).toBeCloseTo(measureAngularMomentum(here)[k] + arm[k], 10);
    });
  });

  it('of phi = x y on an ellipsoid it is the integral: rho (a^2 - b^2) V / 5', () => {
    // div of phi x cross n: the integral of x (d phi / d y) - y (d phi / d x) over the volume, x^2 - y^2.
    const [a, b, c] = [1.4, 1, 0.8];
    const exact = ((a * a - b * b) * ((4 / 3) * Math.PI * a * b * c)) / 5;
    const errors = [2, 3].map((levels) => Math.abs(measureAngularMomentum(stir(levels))[2] / exact - 1));
    expect(errors[0]).toBeLessThan(0.1);
    expect(errors[1]).toBeLessThan(0.35 * errors[0]);
  });

  it('stays while the ellipsoid tumbles and swings, the better the finer', () => {
    const drift = [2, 3].map((levels) => {
      const air = stir(levels);
      const [before, shape] = [measureAngularMomentum(air), air.sheet.position.slice()];
      const steps = 5 * 2 ** levels;
      for (let n = 0; n < steps; n++) integrate(air, 'runge-kutta', 0.4 / steps);
      updateGradients(air);
      const moved = Math.max(...air.sheet.position.map((x, n) => Math.abs(x - shape[n])));
      expect(moved).toBeGreaterThan(0.2);
      return Math.hypot(...measureAngularMomentum(air).map((l, k) => l - before[k])) / Math.hypot(...before);
    });
    expect(drift[1]).toBeLessThan(0.01);
    expect(drift[1]).toBeLessThan(0.4 * drift[0]);
  });
});
