/**
 * A pool lies still at every depth, not only at those that suit the lattice: ten depths a tenth of a cell
 * apart, level and with gravity (and the surface) tilted by 12 degrees, 200 steps, in the tank of the waves
 * (12 x 3 cells). The steps are the largest the method takes, and 0.75 sqrt(h/g), at which the first unstable
 * depth was found. The pressure tells a solver that does nothing.
 */
import { runPoolAt } from '../../cases/lattice/pools.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

const STEPS = 200;
/** Share of sqrt(gH); the issue's. */
const SPEED_BOUND = 1e-5;
/** Share of rho g H, as in lattice/still-pool. */
const PRESSURE_BOUND = 1e-4;
const DEPTHS = [5.5, 5.6, 5.7, 5.8, 5.9, 6, 6.1, 6.2, 6.3, 6.4];
const TILT = (12 * Math.PI) / 180;
const SHORT_STEP = 0.75;

async function judgePools(context: RefereeContext, depth: number): Promise<RefereeRow[]> {
  const resources = await context.createResources(1);
  const rows: RefereeRow[] = [];
  for (const tilt of [0, TILT])
    for (const step of ['largest', SHORT_STEP] as const) {
      const figures = runPoolAt({ depth, tilt, step }, resources, STEPS);
      const name = `${tilt === 0 ? 'level' : 'tilted'}, r ${figures.step.toFixed(2)}`;
      context.note(`${name}: ${figures.last.toPrecision(3)} sqrt(gH) after ${figures.steps} steps`);
      rows.push(
        atMost(`${name}: speed after ${figures.steps} steps`, figures.last, SPEED_BOUND, 'sqrt(gH)', 0),
        reportRow(`${name}: at any step`, figures.most, 'sqrt(gH)', 0),
        atMost(`${name}: pressure error`, figures.pressure, PRESSURE_BOUND, 'rho g H', 0),
        ...(figures.fault ? [reportRow(`${name}: stopped`, figures.fault, '')] : []),
      );
    }
  return rows;
}

export const poolDepthCases: RefereeCase[] = DEPTHS.map((depth) => ({
  name: `walls/pool-${depth.toFixed(1)}`,
  title: `a pool ${depth.toFixed(1)} cells deep, level and tilted by 12 degrees, lies still for 200 steps`,
  onRequest: true,
  run: (context) => judgePools(context, depth),
}));
