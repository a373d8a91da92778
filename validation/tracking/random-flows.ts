/**
 * Random small scenes of the tracking method: a random start under a random sum of flows, drawn from a seed.
 */
import { createRandom, type Random } from '../../src/core/random.ts';
import { trackingOptions } from '../../src/methods/tracking/options.ts';
import type { LoadedScene } from '../../src/scene/load.ts';

/** Wanted edge length, m; the starts are a few edges across. */
const EDGE = 0.12;
const TIME_STEP = 0.02;

const between = (random: Random, low: number, high: number) => low + random.next() * (high - low);
const pick = <T>(random: Random, list: readonly T[]): T => list[random.nextInt(list.length)];

/** A scene of so many steps, one per frame. */
export function drawScene(seed: number, steps: number): LoadedScene {
  const random = createRandom(1000 + seed);
  const options = trackingOptions.parse({
    start: drawStart(random, seed),
    flows: drawFlows(random, seed),
    timeStep: TIME_STEP,
    merging: random.next() < 0.9,
    separations: random.next() < 0.9,
    topology: random.next() < 0.9,
    flips: random.next() < 0.9,
    smoothing: random.next() < 0.9,
    butterfly: random.next() < 0.8,
    separationBy: pick(random, ['velocity', 'area']),
    volume: pick(random, ['none', 'remeshing', 'all']),
    ...(random.next() < 0.2 && { sizing: { least: 0.5 } }),
  });
  return {
    scene: {
      name: `random flow ${seed}`,
      method: 'tracking',
      duration: steps * TIME_STEP,
      fps: 1 / TIME_STEP,
      gravity: [0, 0, 0],
      domain: { min: [0, 0, 0], max: [1, 1, 1] },
      wall: 'slip',
      resolution: EDGE,
      liquids: [],
      solids: [],
      emitters: [],
      drains: [],
      options,
      seed,
    },
    title: `random flow ${seed}`,
    output: { surface: false, volume: false, checkpoint: 1_000_000 },
    document: {},
    assets: new Map(),
  };
}

function drawStart(random: Random, seed: number): unknown[] {
  const centre = [0, 1, 2].map(() => between(random, 0.45, 0.55));
  switch (random.nextInt(6)) {
    case 0:
      return [{ type: 'quartered-sphere', centre, radius: between(random, 0.25, 0.35) }];
    case 1:
      return [{ type: 'double-sphere', centre, radius: 0.25, distance: between(random, 0.2, 0.42) }];
    case 2:
      return [
        { type: 'voronoi', min: [0.2, 0.2, 0.2], max: [0.8, 0.8, 0.8], cells: 2 + random.nextInt(8), seed },
      ];
    case 3:
      return [{ type: 'cells', min: [0.25, 0.25, 0.25], max: [0.75, 0.75, 0.75], count: 2 }];
    case 4:
      return [
        {
          type: 'notched-sphere',
          centre,
          radius: 0.3,
          width: between(random, 0.1, 0.2),
          depth: between(random, 0.15, 0.4),
          materials: 1 + random.nextInt(2),
        },
      ];
    default:
      return [
        {
          type: 'sphere-packing',
          min: [0.05, 0.05, 0.05],
          max: [0.95, 0.95, 0.95],
          count: 2 + random.nextInt(4),
          radii: [0.13, 0.22],
          gap: 0.02,
          labels: 1 + random.nextInt(3),
          seed,
        },
      ];
  }
}

/** Up to three flows; together they move the surface by up to about an edge per step. */
function drawFlows(random: Random, seed: number): unknown[] {
  const flows: unknown[] = [];
  const count = 1 + random.nextInt(3);
  const factor = () =>
    random.next() < 0.4
      ? [
          [0, 1],
          [6 * TIME_STEP, -1],
        ]
      : 1;
  for (let n = 0; n < count; n++) {
    const kind = random.nextInt(6);
    if (kind === 0)
      flows.push({
        type: 'rotation',
        centre: [0.5, 0.5, 0.5],
        axis: [0, 1, 2].map(() => between(random, -1, 1)),
        period: between(random, 0.5, 4),
        factor: factor(),
      });
    else if (kind === 1) flows.push({ type: 'swirl', speed: between(random, 0.5, 3), factor: factor() });
    else if (kind === 2)
      flows.push({
        type: 'normal',
        speed: between(random, -1.5, 1.5),
        curves: pick(random, ['outer', 'fixed']),
        factor: factor(),
      });
    else if (kind === 3) flows.push({ type: 'mean-curvature', mobility: between(random, 0.005, 0.03) });
    else
      flows.push({
        type: 'curl-noise',
        scale: between(random, 0.3, 1.2),
        speed: between(random, 0.2, 1.2),
        seed: 10 * seed + n,
        factor: factor(),
      });
  }
  return flows;
}
