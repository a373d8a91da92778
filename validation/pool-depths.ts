/**
 * A pool lies still at every depth, not only at those that suit the lattice: ten depths a tenth of a cell apart, level and with gravity
 * (and the surface) tilted by 12 degrees, 200 steps, in the tank of the waves (12 x 3 cells). The steps are the largest the method
 * takes, and 0.75 sqrt(h/g), at which the first unstable depth was found. The pressure tells a solver that does nothing.
 */
import type { Vec3 } from '../src/core/types.ts';
import { box, halfSpace, intersection } from '../src/geometry/shapes.ts';
import { lattice } from '../src/methods/lattice/lattice.ts';
import type { Resources } from '../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../src/run/referee.ts';
import { GRAVITY, type March, startMarch } from './lattice-march.ts';
import { atMost, reportRow } from './rows.ts';

const STEPS = 200;
/** Share of sqrt(gH); the issue's. */
const SPEED_BOUND = 1e-5;
/** Share of rho g H, as in lattice/still-pool. */
const PRESSURE_BOUND = 1e-4;
/** A pool this fast is not still any more: no need to go on. */
const LOST = 0.5;
const CELL = 1 / 12;
/** In cells. */
const TANK = [12, 3, 10] as const;
const DEPTHS = [5.5, 5.6, 5.7, 5.8, 5.9, 6, 6.1, 6.2, 6.3, 6.4];
const TILT = (12 * Math.PI) / 180;
const SHORT_STEP = 0.75;

interface Pool {
  /** In the middle of the tank, in cells. */
  readonly depth: number;
  /** Radians about the tank's short side. */
  readonly tilt: number;
  /** dt / sqrt(h/g), or the largest the method takes. */
  readonly step: number | 'largest';
}

export interface PoolFigures {
  /** Fastest at the end and at any step, shares of sqrt(gH) */
  readonly last: number;
  readonly most: number;
  /** Share of rho g H */
  readonly pressure: number;
  readonly steps: number;
  /** dt / sqrt(h/g) */
  readonly step: number;
  readonly fault: string;
}

export function runPoolAt({ depth, tilt, step }: Pool, resources: Resources, steps = STEPS): PoolFigures {
  const up: Vec3 = [-Math.sin(tilt), 0, Math.cos(tilt)];
  const gravity: Vec3 = [-GRAVITY * up[0], 0, -GRAVITY * up[2]];
  const middle: Vec3 = [(TANK[0] / 2) * CELL, (TANK[1] / 2) * CELL, depth * CELL];
  const march = startMarch(
    {
      domain: { min: [0, 0, 0], max: [TANK[0] * CELL, TANK[1] * CELL, TANK[2] * CELL] },
      resolution: CELL,
      liquid: intersection(box([-1, -1, -1], [2, 2, 2]), halfSpace(middle, up)),
      gravity,
    },
    resources,
  );
  const unit = Math.sqrt(CELL / GRAVITY);
  const largest = march.stableStep(Number.POSITIVE_INFINITY);
  const dt = step === 'largest' ? largest : step * unit;
  const scale = Math.sqrt(GRAVITY * depth * CELL);
  let most = 0;
  let last = 0;
  let fault = '';
  try {
    while (march.steps < steps && last < LOST) {
      march.step(dt);
      last = march.fastest() / scale;
      most = Math.max(most, last);
    }
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
    last = Number.NaN;
  }
  const pressure = measurePressureError(march, middle, up) / (GRAVITY * depth * CELL);
  const figures = { last, most, pressure, steps: march.steps, step: dt / unit, fault };
  march.free();
  return figures;
}

/** Largest difference of p / rho in a tet from g times the depth of its barycentre, m^2/s^2 */
function measurePressureError({ model, state }: March, surfacePoint: Vec3, up: Vec3): number {
  const { mesh, cellFields } = lattice.volume!(model, state);
  const pressure = cellFields['pressure'].values;
  let worst = 0;
  for (let t = 0; t < mesh.tetCount; t++) {
    let depth = 0;
    for (let i = 0; i < 4; i++)
      for (let a = 0; a < 3; a++)
        depth += (up[a] * (surfacePoint[a] - mesh.position[3 * mesh.tet[4 * t + i] + a])) / 4;
    worst = Math.max(worst, Math.abs(pressure[t] / model.density - GRAVITY * depth));
  }
  return worst;
}

async function judgePools(context: RefereeContext, depth: number): Promise<RefereeRow[]> {
  const resources = await context.createResources(1);
  const rows: RefereeRow[] = [];
  for (const tilt of [0, TILT])
    for (const step of ['largest', SHORT_STEP] as const) {
      const figures = runPoolAt({ depth, tilt, step }, resources);
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
  method: 'walls',
  title: `a pool ${depth.toFixed(1)} cells deep, level and tilted by 12 degrees, lies still for 200 steps`,
  onRequest: true,
  run: (context) => judgePools(context, depth),
}));
