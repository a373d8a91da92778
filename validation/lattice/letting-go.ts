/**
 * Walls hold no water back: the pressure on a wall is never below that of the air. A block under a ceiling
 * and a slab from wall to wall fall freely, a plate lifted out of a pool lets go of it, and a block that
 * lands keeps its volume. All start at rest.
 */
import { GRAVITY, type LatticeSetup, type March, marchTo, startMarch } from '../../cases/lattice/march.ts';
import { findWetStretches } from '../../cases/lattice/surface-measures.ts';
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { buildTranslation } from '../../src/geometry/motions.ts';
import { box } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

const CELL = 1 / 20;
const LONGEST_STEP = 1 / 60;
/** s, a fall of 0.385 m: neither the block nor the slab has landed yet */
const FALL_TIME = 0.28;
/** The issue: free fall within 3 %. Of the slab it only asks that it fall; hanging by a tenth would show. */
const BLOCK_BOUND = 0.03;
const SLAB_SHARE = 0.9;
const VOLUME_BOUND = 0.01;

const goTo = (march: March, time: number, look?: () => void): void =>
  marchTo(march, time, LONGEST_STEP, look);

/**
 * Share of g t^2 / 2 that the centre of mass has fallen, and the largest share of the volume that was missing
 * or too much.
 */
function runFall(setup: LatticeSetup, resources: Resources): { share: number; drift: number } {
  const march = startMarch(setup, resources);
  const { centreOfMass, volume } = march.measure();
  let drift = 0;
  goTo(march, FALL_TIME, () => {
    drift = Math.max(drift, Math.abs(march.measure().volume! / volume! - 1));
  });
  const fallen = centreOfMass![2] - march.measure().centreOfMass![2];
  march.free();
  return { share: fallen / (0.5 * GRAVITY * FALL_TIME ** 2), drift };
}

/** A broad block holds on harder: air must reach its middle. */
const CEILING_BLOCKS: Readonly<Record<string, LatticeSetup>> = {
  'block 0.4 m broad': {
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: CELL,
    liquid: box([0.31, 0.29, 0.7], [0.69, 0.71, 2]),
  },
  'block 0.8 m broad': {
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: CELL,
    liquid: box([0.11, 0.09, 0.7], [0.89, 0.91, 2]),
  },
};

const SLAB: LatticeSetup = {
  domain: { min: [0, 0, 0], max: [1, 4 * CELL, 1] },
  resolution: CELL,
  liquid: box([-1, -1, 0.6], [2, 2, 2]),
};

function judgeLanding(resources: Resources): RefereeRow[] {
  const march = startMarch(
    {
      domain: { min: [0, 0, 0], max: [1, 1, 1] },
      resolution: CELL,
      liquid: box([0.31, 0.29, 0.2], [0.69, 0.71, 0.5]),
    },
    resources,
  );
  const volume = march.measure().volume!;
  let least = 1;
  let most = 1;
  let lowest = 1;
  goTo(march, 0.6, () => {
    const now = march.measure();
    least = Math.min(least, now.volume! / volume);
    most = Math.max(most, now.volume! / volume);
    lowest = Math.min(lowest, now.centreOfMass![2]);
  });
  march.free();
  return [
    atLeast('least volume', least, 1 - VOLUME_BOUND, 'of the start', 1),
    atMost('most volume', most, 1 + VOLUME_BOUND, 'of the start', 1),
    atMost('lowest centre of mass: it has landed', lowest, 0.15, 'm', 0.35),
  ];
}

/** The plate dips 1.5 cells into the pool, from wall to wall in y, and goes up 0.5 m. m, m/s, s */
const PLATE = { from: 0.3, to: 0.7, bottom: 0.225, thickness: 0.1, speed: 1, rise: 0.5, ramp: 0.05 };
const POOL_LEVEL = 0.3;
const PLATE_END = 0.8;
/** s: the plate is 0.3 m up, far above what a wave could reach */
const PLATE_LOOK = 0.35;

/** How high water stands under the middle half of the plate: least and most over the columns, m. Dry is 0. */
function measureUnderPlate(march: March): { least: number; most: number } {
  const columns: [number, number][] = [];
  for (let x = PLATE.from + 0.1; x <= PLATE.to - 0.1; x += CELL / 2)
    columns.push([x + 0.013 * CELL, 1.517 * CELL]);
  const tops = findWetStretches(march.state.surface, columns).map((list) => list.at(-1)?.to ?? 0);
  return { least: Math.min(...tops), most: Math.max(...tops) };
}

function judgePlate(resources: Resources): RefereeRow[] {
  const { from, to, bottom, thickness, speed, rise, ramp } = PLATE;
  const motion = buildTranslation([0, 0, speed], { start: 0, end: rise / speed + ramp, ramp });
  const march = startMarch(
    {
      domain: { min: [0, 0, 0], max: [1, 3 * CELL, 1.1] },
      resolution: CELL,
      liquid: box([-1, -1, -1], [2, 2, POOL_LEVEL]),
      solids: [{ shape: box([from, -1, bottom], [to, 2, bottom + thickness]), motion }],
    },
    resources,
  );
  const volume = march.measure().volume!;
  const underside = () => bottom + motion.poseAt(march.time).translation[2];
  let drift = 0;
  let filled = 0;
  const look = () => {
    drift = Math.max(drift, Math.abs(march.measure().volume! / volume - 1));
    filled = Math.max(filled, measureUnderPlate(march).least);
  };
  goTo(march, PLATE_LOOK, look);
  const gap = underside() - measureUnderPlate(march).most;
  goTo(march, PLATE_END, look);
  const end = underside() - measureUnderPlate(march).most;
  march.free();
  return [
    atLeast(`air under the plate at ${PLATE_LOOK} s`, gap / CELL, 1, 'cells'),
    atLeast(`air under the plate at ${PLATE_END} s`, end / CELL, 1, 'cells'),
    atLeast(
      'the dent fills: water under the plate, at its lowest place',
      filled,
      0.5 * (bottom + POOL_LEVEL),
      'm',
    ),
    atMost('volume off, at most', drift, VOLUME_BOUND, '', 0),
  ];
}

export const lettingGoCases: RefereeCase[] = [
  {
    name: 'walls/block',
    title: 'blocks of water under a ceiling fall freely',
    onRequest: true,
    async run({ createResources }) {
      const resources = await createResources();
      return Object.entries(CEILING_BLOCKS).flatMap(([name, setup]) => {
        const { share, drift } = runFall(setup, resources);
        return [
          atMost(`${name}: fall off free fall at ${FALL_TIME} s`, Math.abs(share - 1), BLOCK_BOUND, '', 0),
          reportRow(`${name}: fall`, share, 'of free fall', 1),
          atMost(`${name}: volume off, at most`, drift, VOLUME_BOUND, '', 0),
        ];
      });
    },
  },
  {
    name: 'walls/slab',
    title: 'a slab of water from wall to wall under a ceiling falls',
    onRequest: true,
    async run({ createResources }) {
      const { share, drift } = runFall(SLAB, await createResources(1));
      return [
        atLeast(`fall at ${FALL_TIME} s`, share, SLAB_SHARE, 'of free fall', 1),
        atMost('volume off, at most', drift, VOLUME_BOUND, '', 0),
      ];
    },
  },
  {
    name: 'walls/plate',
    title: 'a plate lifted out of a pool lets go of the water',
    onRequest: true,
    run: async ({ createResources }) => judgePlate(await createResources(1)),
  },
  {
    name: 'walls/landing',
    title: 'a block of water that lands on a dry floor keeps its volume',
    onRequest: true,
    run: async ({ createResources }) => judgeLanding(await createResources()),
  },
];
