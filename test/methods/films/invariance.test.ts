/**
 * The same films larger, smaller, elsewhere and turned: the same motion. Absolute lengths, times or
 * directions in the code would show.
 */
import { describe, expect, it } from 'vitest';
import { createStageClock } from '../../../src/core/stages.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { films } from '../../../src/methods/films/films.ts';
import type { FilmsModel } from '../../../src/methods/films/model.ts';
import { buildWire } from '../../../src/methods/films/wires/wires.ts';
import type { StepReport } from '../../../src/methods/method.ts';
import { heap } from './run-scene.ts';

type Vector = readonly [number, number, number];
type Turn = readonly [Vector, Vector, Vector];

/**
 * x goes to turn (scale (x + shift)); scales of length alone, so that times go with their power 3/2 at the
 * same tension and density.
 */
interface Place {
  readonly scale: number;
  readonly shift: Vector;
  /** Rows of a rotation. */
  readonly turn?: Turn;
}

const HOME: Place = { scale: 1, shift: [0, 0, 0] };
/** About (0.3, -0.5, 0.2), by Cayley's formula: no axis goes to an axis. */
const TURN = computeTurn(0.3, -0.5, 0.2);

function computeTurn(x: number, y: number, z: number): Turn {
  const n = 1 / (1 + x * x + y * y + z * z);
  const row = (a: number, b: number, c: number): Vector => [n * a, n * b, n * c];
  return [
    row(1 + x * x - y * y - z * z, 2 * (x * y - z), 2 * (x * z + y)),
    row(2 * (x * y + z), 1 - x * x + y * y - z * z, 2 * (y * z - x)),
    row(2 * (x * z - y), 2 * (y * z + x), 1 - x * x - y * y + z * z),
  ];
}

const apply = (turn: Turn | undefined, x: Vector): Vector =>
  turn ? (turn.map((row) => row[0] * x[0] + row[1] * x[1] + row[2] * x[2]) as unknown as Vector) : x;

/**
 * Films in units of their tension, the air's density and a length of one, as options of a scene of this scale
 * and shift.
 */
const scenes: Record<string, (place: (...x: Vector) => Vector, scale: number) => Record<string, unknown>> = {
  'a cluster that is blown into': (place, scale) => ({
    start: [{ type: 'voronoi', min: place(-1, -1, -1), max: place(1, 1, 1), cells: 4 }],
    drag: 0.5 / scale ** 1.5,
    damping: 0.01 * scale ** 0.5,
    sources: [{ region: 2, rate: 0.5 * scale ** 1.5 }],
  }),
  'a film between rings that part': (place, scale) => {
    const sheet = (from: number[], to: number[], left: number, right: number) => ({
      profile: [from.map((x) => scale * x), to.map((x) => scale * x)],
      left,
      right,
    });
    const ring = (z: number) => ({
      type: 'ring',
      centre: place(0, 0, z),
      axis: [0, 0, 1],
      radius: scale,
      motion: {
        translate: {
          velocity: [0, 0, (z > 0 ? 0.5 : -0.5) / scale ** 0.5],
          start: 0,
          end: 10 * scale ** 1.5,
          ramp: 0.1 * scale ** 1.5,
        },
      },
    });
    return {
      start: [
        {
          type: 'revolution',
          centre: place(0, 0, 0),
          sheets: [
            sheet([1, -0.4], [1, 0.4], 1, 0),
            sheet([1, 0.4], [0, 1], 1, 2),
            sheet([1, 0.4], [0, 1.6], 2, 0),
            sheet([0, -1], [1, -0.4], 1, 2),
            sheet([0, -1.6], [1, -0.4], 2, 0),
          ],
        },
      ],
      openings: [2],
      wires: [ring(0.4), ring(-0.4)],
      drag: 1 / scale ** 1.5,
    };
  },
};

function buildAt(name: string, { scale, shift, turn }: Place): FilmsModel {
  const place = (...x: Vector): Vector => [
    scale * (x[0] + shift[0]),
    scale * (x[1] + shift[1]),
    scale * (x[2] + shift[2]),
  ];
  const built = films.build(
    {
      name,
      method: 'films',
      duration: 1,
      fps: 1,
      gravity: [0, 0, 0],
      domain: { min: place(-50, -50, -50), max: place(50, 50, 50) },
      wall: 'slip',
      resolution: 0.25 * scale,
      liquids: [],
      solids: [],
      emitters: [],
      drains: [],
      seed: 1,
      options: { tension: 1, airDensity: 1, ...scenes[name](place, scale) },
    },
    { heap, threads: createSingleThread() },
  );
  if (!turn) return built;
  // Starts know no turns: the films and wires that were built are turned.
  const { startSurface, options } = built;
  const position = new Float64Array(startSurface.position.length);
  for (let v = 0; v < position.length; v += 3) {
    const { position: p } = startSurface;
    position.set(apply(turn, [p[v], p[v + 1], p[v + 2]]), v);
  }
  const wires = options.wires.map((wire) => {
    if (wire.type !== 'ring' || !wire.motion?.translate) return buildWire(wire);
    const { velocity, ...rest } = wire.motion.translate as { velocity: Vector };
    const motion = { ...wire.motion, translate: { ...rest, velocity: apply(turn, velocity) } };
    return buildWire({
      ...wire,
      centre: apply(turn, wire.centre),
      axis: apply(turn, wire.axis),
      motion,
    } as typeof wire);
  });
  return { ...built, startSurface: { ...startSurface, position }, wires };
}

/** Marches until a time and gives figures, all in the units of the scene at home. */
function run(name: string, place: Place, until: number) {
  const { scale } = place;
  const model = buildAt(name, place);
  const state = films.start(model);
  const end = until * scale ** 1.5;
  const work = { clock: createStageClock() };
  let steps = 0;
  let report: StepReport | undefined;
  for (; state.time < end * (1 - 1e-9); steps++)
    report = films.step(model, state, work, Math.min(films.stableTimeStep(model, state), end - state.time));
  const { vertices, regions, surfaceEnergy, kineticEnergy, maxSpeed } = films.measure(model, state, report);
  films.release?.(state);
  return {
    steps,
    vertices: vertices!,
    surfaceEnergy: surfaceEnergy! / scale ** 2,
    kineticEnergy: kineticEnergy! / scale ** 2,
    maxSpeed: maxSpeed! * scale ** 0.5,
    volumes: regions!.map(({ volume }) => volume / scale ** 3),
  };
}

/** Largest relative difference of two runs' figures. */
const differ = (a: ReturnType<typeof run>, b: ReturnType<typeof run>) => ({
  energy: Math.max(
    Math.abs(b.surfaceEnergy / a.surfaceEnergy - 1),
    Math.abs(b.kineticEnergy / a.kineticEnergy - 1),
  ),
  volume: Math.max(...a.volumes.map((volume, n) => Math.abs(b.volumes[n] / volume - 1))),
});

/**
 * Corners of boxes at the start let rounding grow by ten to twenty in a step; from here on it has grown to
 * that of single precision.
 */
const SOON = 0.05;

describe.each(Object.keys(scenes))('%s', (name) => {
  const [soon, late] = [SOON, 0.5].map((until) => run(name, HOME, until));

  it('moves', () => {
    expect(late.kineticEnergy).toBeGreaterThan(0.02 * late.surfaceEnergy);
    expect(differ(soon, late).energy).toBeGreaterThan(0.05);
  });

  it.each([1024, 1 / 1024])('x %d: powers of two give the same digits', (scale) => {
    expect(run(name, { ...HOME, scale }, 0.5)).toEqual(late);
  });

  // At first rounding alone, of sums in single precision for the most part; later on single edits of the mesh
  // are others.
  it.each<[string, Place, number]>([
    ['x 1000', { ...HOME, scale: 1000 }, 1e-5],
    ['/ 1000', { ...HOME, scale: 1 / 1000 }, 1e-5],
    ['elsewhere', { ...HOME, shift: [3, -7, 20] }, 1e-9],
    ['turned', { ...HOME, turn: TURN }, 1e-3],
    ['all at once', { scale: 1000, shift: [3, -7, 20], turn: TURN }, 1e-3],
  ])('%s: the same but for rounding', (_where, place, bound) => {
    const first = differ(soon, run(name, place, SOON));
    const then = differ(late, run(name, place, 0.5));
    expect(first.energy).toBeLessThan(bound);
    expect(first.volume).toBeLessThan(0.1 * bound);
    expect(then.energy).toBeLessThan(0.03);
    expect(then.volume).toBeLessThan(5e-4);
  });
});
