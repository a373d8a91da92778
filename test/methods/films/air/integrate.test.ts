/**
 * Order of the integrators under halving of the step, on one mesh that is never edited, against fine steps of
 * the fourth order.
 */
import { describe, expect, it } from 'vitest';
import { computeOrder } from '../../../../cases/shared/rows.ts';
import { type Integrator, integrate } from '../../../../src/methods/films/air/integrate.ts';
import type { LabelledTriangles } from '../../../../src/tracking/multimaterial/build.ts';
import { buildSpheres } from '../../../../src/tracking/multimaterial/shapes.ts';
import { buildMode, createTestAir } from '../sheets.ts';

/** A sixth of the slowest mode's period, in steps of up to two thirds of the longest stable one. */
const DURATION = 0.48;
const STEPS = [12, 24, 48];
const FINE_STEPS = 96;

function buildStretched(): LabelledTriangles {
  const sphere = buildSpheres([{ levels: 2 }]);
  return { ...sphere, position: Float64Array.from(sphere.position, (x, n) => [1.25, 1, 0.8][n % 3] * x) };
}

function run(surface: LabelledTriangles, scheme: Integrator, steps: number): Float64Array {
  const air = createTestAir(surface);
  for (let n = 0; n < steps; n++) integrate(air, scheme, DURATION / steps);
  return air.sheet.position.slice();
}

const measureDistance = (a: ArrayLike<number>, b: Float64Array) =>
  Math.sqrt(b.reduce((sum, x, n) => sum + (x - a[n]) ** 2, 0) / b.length);

/**
 * Root mean square distance of the vertices from where they should be, for each number of steps, over the way
 * they go; and the orders between.
 */
function measure(surface: LabelledTriangles) {
  const truth = run(surface, 'runge-kutta', FINE_STEPS);
  const way = measureDistance(surface.position as Float64Array, truth);
  return (scheme: Integrator) => {
    const error = STEPS.map((steps) => measureDistance(run(surface, scheme, steps), truth) / way);
    const order = error.slice(1).map((e, n) => computeOrder(1 / STEPS[n], error[n], 1 / STEPS[n + 1], e));
    return { error, order };
  };
}

describe('order of time integration', () => {
  it('a bubble far from round: Euler is of first order, Runge-Kutta of fourth, leapfrog errs less than Euler', () => {
    const of = measure(buildStretched());
    const euler = of('symplectic-euler');
    for (const order of euler.order) expect(Math.abs(order - 1)).toBeLessThan(0.1);
    for (const order of of('runge-kutta').order) expect(order).toBeGreaterThan(3.5);
    // Of first order too, as long as the velocity of a step is that of the circulation in its middle at the
    // positions of its beginning.
    const leapfrog = of('leapfrog');
    for (const order of leapfrog.order) expect(order).toBeGreaterThan(0.9);
    leapfrog.error.forEach((error, n) => {
      expect(error).toBeLessThan(0.2 * euler.error[n]);
    });
  });

  it('small waves: leapfrog is of second order, since what first order it has goes with the square of their height', () => {
    const of = measure(buildMode(2, 2, 1e-3));
    for (const order of of('leapfrog').order) expect(order).toBeGreaterThan(1.9);
    for (const order of of('symplectic-euler').order) expect(Math.abs(order - 1)).toBeLessThan(0.25);
  });
});
