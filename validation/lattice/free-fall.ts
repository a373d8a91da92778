/**
 * Free fall without walls: the centre of mass follows the parabola, and the shape stays as it is. A ball that
 * is dropped and an ellipsoid that is thrown; nothing about either fits the lattice.
 */
import { GRAVITY, measureDistance, startMarch } from '../../cases/lattice/march.ts';
import { judgeEach } from '../../cases/shared/judge-each.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import type { Vec3 } from '../../src/core/types.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import { ellipsoid, rotate, sphere } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

const RUN = { steps: 20, timeStep: 0.02, cell: 0.04 };
/** The acceptance table's bounds: share of the way fallen, and of the radius. */
const BOUNDS = { path: 0.005, shape: 0.01 };

interface Throw {
  readonly name: string;
  readonly shape: Implicit;
  /** m, of a ball of the same volume */
  readonly radius: number;
  readonly velocity: Vec3;
}

const THROWS: Throw[] = [
  { name: 'ball', shape: sphere([0.503, 0.497, 1.611], 0.25), radius: 0.25, velocity: [0, 0, 0] },
  {
    name: 'thrown ellipsoid',
    shape: rotate(ellipsoid([0.401, 0.433, 1.5], [0.25, 0.2, 0.16]), [1, 2, 3], 0.7, [0.401, 0.433, 1.5]),
    radius: 0.2,
    velocity: [0.5, 0.3, 0.4],
  },
];

function runThrow({ name, shape, radius, velocity }: Throw, resources: Resources): RefereeRow[] {
  const march = startMarch(
    { domain: { min: [0, 0, 0], max: [1, 1, 2] }, resolution: RUN.cell, liquid: shape, velocity },
    resources,
  );
  const from = march.measure();
  // The contour of the start is itself a little off the shape it was made from.
  const startError = measureDistance(march.state, shape, [0, 0, 0]);
  let pathError = 0;
  let distortion = 0;
  while (march.steps < RUN.steps) {
    march.step(RUN.timeStep);
    const t = march.time;
    const centre = march.measure().centreOfMass!;
    const way: Vec3 = [velocity[0] * t, velocity[1] * t, velocity[2] * t - 0.5 * GRAVITY * t * t];
    const moved = centre.map((x, a) => x - from.centreOfMass![a]) as unknown as Vec3;
    if (march.steps === RUN.steps)
      pathError = Math.hypot(moved[0] - way[0], moved[1] - way[1], moved[2] - way[2]) / Math.hypot(...way);
    // The body is compared where it is: its path has its own bound.
    distortion = Math.max(distortion, measureDistance(march.state, shape, moved));
  }
  const end = march.measure();
  march.free();
  return [
    atMost(
      `${name}: centre of mass off the parabola after ${RUN.steps} steps`,
      pathError,
      BOUNDS.path,
      'of the way',
      0,
    ),
    atMost(`${name}: distortion at any step`, distortion / radius, BOUNDS.shape, 'R', 0),
    reportRow(`${name}: distortion of the first contour`, startError / radius, 'R', 0),
    reportRow(`${name}: volume drift`, end.volume! / from.volume! - 1, '', 0),
    reportRow(
      `${name}: fastest tet at the end`,
      end.maxSpeed!,
      'm/s',
      Math.hypot(velocity[0], velocity[1], velocity[2] - GRAVITY * march.time),
    ),
  ];
}

export const freeFallCases: RefereeCase[] = [
  {
    name: 'lattice/free-fall',
    title: 'a blob in free fall keeps to the parabola and to its shape, 20 steps',
    run: judgeEach(THROWS, ({ name }) => name, runThrow),
  },
];
