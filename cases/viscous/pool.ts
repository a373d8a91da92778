/** A pool of 1 Pa s that should stay still, with its walls on lattice planes or between them. */
import type { Vec3 } from '../../src/core/types.ts';
import { halfSpace } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import { GRAVITY } from '../shared/scene.ts';
import { startMarch } from './setup.ts';

export interface Pool {
  /** Against gravity, any length. */
  readonly up: Vec3;
  /** Along x and y, m */
  readonly width: readonly [number, number];
  readonly resolution: number;
  readonly steps: number;
  readonly options: Record<string, unknown>;
}

const WIDTH = 0.4;
const DEPTH = 0.16;
const DT = 0.02;

export const stillPool: Pool = {
  up: [0, 0, 1],
  width: [WIDTH, WIDTH],
  resolution: 0.04,
  steps: 3,
  options: {},
};
export const tiltedPool: Pool = { ...stillPool, up: [0.2, 0.1, 1] };
const ODD = WIDTH + 0.013;
/** One wall between lattice planes, or two that meet. */
export const oddWall: Pool = { ...tiltedPool, width: [ODD, WIDTH] };
export const oddCorner: Pool = { ...tiltedPool, width: [ODD, ODD] };

/** Fastest tet after the steps over sqrt(g H). */
export function stirPool({ up, width, resolution, steps, options }: Pool, resources: Resources): number {
  const long = Math.hypot(...up);
  const march = startMarch(
    {
      domain: [
        [0, 0, 0],
        [...width, WIDTH],
      ],
      resolution,
      gravity: up.map((x) => (-GRAVITY * x) / long) as unknown as Vec3,
      viscosity: 1,
      liquids: [{ shape: halfSpace([WIDTH / 2, WIDTH / 2, DEPTH], up) }],
      options: { viscosityTolerance: 1e-9, ...options },
    },
    resources,
  );
  for (let n = 0; n < steps; n++) march.step(DT);
  const { maxSpeed } = march.measure();
  march.free();
  return maxSpeed / Math.sqrt(GRAVITY * DEPTH);
}
