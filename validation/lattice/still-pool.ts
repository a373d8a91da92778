/**
 * A pool must lie still: |u| <= 1e-3 sqrt(gH) for 2 s with a flat surface that fits no lattice plane, level
 * or tilted, above a graded interior; and its pressure must be rho g times the depth, which a solver that
 * does nothing misses.
 */
import { GRAVITY, STANDARD_GRAVITY, startMarch } from '../../cases/lattice/march.ts';
import { measurePressureError } from '../../cases/lattice/pools.ts';
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import type { Box, Vec3 } from '../../src/core/types.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import { box, halfSpace, intersection, sphere } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

const DURATION = 2;
/** Time step: frames of a film at 30 a second. The method's own limit would allow 0.1 s. */
const TIME_STEP = 1 / 30;
/** The acceptance table's bounds: share of sqrt(gH), and of the volume. */
const SPEED_BOUND = 1e-3;
const VOLUME_BOUND = 1e-3;
/** Share of rho g H; twice the solver's tolerance would do, were frames not kept in single precision. */
const PRESSURE_BOUND = 1e-4;

const TANK: Box = { min: [0, 0, 0], max: [1, 1, 0.8] };
/**
 * Height of the surface and lattice cell, m; in cells 6.10, 6.62 and 10.99: a hair over, between, and a hair
 * below the lattice planes
 */
const POOLS = [
  { height: 0.3812, cell: 1 / 16 },
  { height: 0.4137, cell: 1 / 16 },
  { height: 0.5495, cell: 1 / 20 },
];
const CELL = 1 / 16;
const TILT = (12 * Math.PI) / 180;

interface PoolFigures {
  speed: number;
  volumeDrift: number;
  pressureError: number;
  coarsest: number;
}

function runPool(
  resources: Resources,
  surfacePoint: Vec3,
  gravity: Vec3,
  depth: number,
  cell: number,
  solids: readonly Implicit[] = [],
): PoolFigures {
  const up: Vec3 = [-gravity[0] / GRAVITY, -gravity[1] / GRAVITY, -gravity[2] / GRAVITY];
  const bounds = box([-0.5, -0.5, -0.5], [1.5, 1.5, 1.3]);
  const march = startMarch(
    {
      domain: TANK,
      resolution: cell,
      liquid: intersection(bounds, halfSpace(surfacePoint, up)),
      solids,
      gravity,
    },
    resources,
  );
  const volume = march.measure().volume!;
  const figures: PoolFigures = { speed: 0, volumeDrift: 0, pressureError: 0, coarsest: 0 };
  const scale = Math.sqrt(GRAVITY * depth);
  while (march.steps < Math.round(DURATION / TIME_STEP)) {
    march.step(TIME_STEP);
    figures.speed = Math.max(figures.speed, march.fastest() / scale);
    figures.volumeDrift = Math.max(figures.volumeDrift, Math.abs(march.measure().volume! / volume - 1));
  }
  figures.coarsest = march.state.mesh.tetLevel.reduce((a, b) => Math.max(a, b), 0);
  figures.pressureError = measurePressureError(march, surfacePoint, up) / (GRAVITY * depth);
  march.free();
  return figures;
}

function describe(name: string, figures: PoolFigures, isBound: boolean): RefereeRow[] {
  const { speed, volumeDrift, pressureError } = figures;
  if (!isBound)
    return [
      reportRow(`${name}: max speed`, speed, 'sqrt(gH)', 0),
      reportRow(`${name}: volume drift`, volumeDrift, '', 0),
      reportRow(`${name}: pressure error`, pressureError, 'rho g H', 0),
    ];
  return [
    atMost(`${name}: max speed`, speed, SPEED_BOUND, 'sqrt(gH)', 0),
    atMost(`${name}: volume drift`, volumeDrift, VOLUME_BOUND, '', 0),
    atMost(`${name}: pressure error`, pressureError, PRESSURE_BOUND, 'rho g H', 0),
  ];
}

async function judgePools({ createResources, note }: RefereeContext): Promise<RefereeRow[]> {
  const resources = await createResources();
  const rows: RefereeRow[] = [];
  for (const { height, cell } of POOLS) {
    const name = `height ${(height / cell).toFixed(2)} h`;
    note(name);
    const figures = runPool(resources, [0, 0, height], STANDARD_GRAVITY, height, cell);
    rows.push(
      ...describe(name, figures, true),
      atLeast(`${name}: coarsest level of the interior`, figures.coarsest, 1, ''),
    );
  }
  note('round a ball');
  const ball = sphere([0.47, 0.52, 0.4], 0.2);
  const figures = runPool(resources, [0, 0, 0.4137], STANDARD_GRAVITY, 0.4137, CELL, [ball]);
  return [...rows, ...describe('a ball pierces the surface', figures, false)];
}

export const stillPoolCases: RefereeCase[] = [
  {
    name: 'lattice/still-pool',
    title: 'a pool between lattice planes lies still for 2 s',
    run: judgePools,
  },
  {
    name: 'lattice/tilted-pool',
    title: 'a pool whose surface runs through the lattice at 12 degrees lies still for 2 s',
    async run({ createResources }) {
      const gravity: Vec3 = [GRAVITY * Math.sin(TILT), 0, -GRAVITY * Math.cos(TILT)];
      const figures = runPool(await createResources(), [0.5, 0.5, 0.4137], gravity, 0.4137, CELL);
      return describe('gravity tilted by 12 degrees', figures, true);
    },
  },
];
