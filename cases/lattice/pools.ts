/** A pool in the tank of the waves (12 x 3 cells), level or tilted, and what it does that it should not. */
import type { Vec3 } from '../../src/core/types.ts';
import { box, halfSpace, intersection } from '../../src/geometry/shapes.ts';
import { lattice } from '../../src/methods/lattice/lattice.ts';
import type { Resources } from '../../src/methods/method.ts';
import { GRAVITY, type March, startMarch } from './march.ts';

/** A pool this fast is not still any more: no need to go on. */
const LOST = 0.5;
const CELL = 1 / 12;
/** In cells. */
const TANK = [12, 3, 10] as const;

export interface Pool {
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

export function runPoolAt({ depth, tilt, step }: Pool, resources: Resources, steps: number): PoolFigures {
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
export function measurePressureError({ model, state }: March, surfacePoint: Vec3, up: Vec3): number {
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
