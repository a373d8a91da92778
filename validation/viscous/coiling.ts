/**
 * Ropes of thick liquid that coil as they land. Thin-rope theory (bending, twisting, stretching and weight of
 * a viscous thread, steady in the frame that turns with the coil) gives the rate of turning at a height of
 * fall; where the rope lands it moves as fast as the coil is laid, Omega R = U. The run's own rope is
 * followed section by section (cases/viscous/rope.ts) and everything is measured on it.
 */
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { followRope, type Rope } from '../../cases/viscous/rope.ts';
import { DENSITY, type SceneParts, startMarch } from '../../cases/viscous/setup.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Vec3 } from '../../src/core/types.ts';
import { buildTranslation } from '../../src/geometry/motions.ts';
import { box, capsule, cylinder, union } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/** A rope that falls, and what thin-rope theory says of it. */
export interface RopeSetup {
  readonly name: string;
  /** Of the nozzle, m */
  readonly radius: number;
  /** m^2/s */
  readonly viscosity: number;
  /** m^3/s */
  readonly flow: number;
  /** From the nozzle to the floor at the start, m: the pile takes a part of it */
  readonly fall: number;
  /** At which the floor sinks, m/s, so that the pile's top stays where it is */
  readonly sinks: number;
  /** Heights above the pile, m, and rad/s there; linear in between */
  readonly theory: readonly (readonly [number, number])[];
  /** Of the coil, and of the rope where it lands, m */
  readonly coil?: readonly [number, number];
  /** Share of the rate */
  readonly bound: number;
}

const THICK: RopeSetup = {
  name: '10 mm, 1 m^2/s',
  radius: 0.01,
  viscosity: 1,
  flow: 1.571e-5,
  fall: 0.14,
  sinks: 0.003,
  theory: [
    [0.1, 2.59],
    [0.12, 2.68],
    [0.14, 2.879],
  ],
  coil: [0.0208, 0.0095],
  bound: 0.2,
};

export const ropes: Record<string, RopeSetup> = {
  thick: THICK,
  half: { ...THICK, name: 'half the flow', flow: 0.7855e-5, sinks: 0.0015, theory: [[0.12, 1.883]] },
  double: { ...THICK, name: 'twice the flow', flow: 3.142e-5, sinks: 0.006, theory: [[0.12, 4.256]] },
  slim: {
    ...THICK,
    name: '6 mm, 1 m^2/s',
    radius: 0.006,
    flow: 5.655e-6,
    sinks: 0.002,
    theory: [[0.12, 3.602]],
    coil: [0.0168, 0.0055],
    bound: 0.12,
  },
  stiff: {
    ...THICK,
    name: '10 mm, 10 m^2/s',
    viscosity: 10,
    theory: [[0.12, 1.699]],
    coil: [0.0272, 0.0104],
  },
};

const TURNS = 6;
/** s: the floor may sink for so long. */
const MOST_SECONDS = 30;
/** Turns of start-up before them. */
const FIRST_TURNS = 2;
const STEPS_PER_TURN = 40;
/** Cells of radius. */
const CELLS = 2;
/** Sections of the rope per radius. */
const SECTIONS = 4;
/** s before the floor sinks: about when the first turn is laid. */
const SETTLED = 3;
/** Radii of rope above where it lies down from where on its lean is read. */
const FREE = 3;
/** Radii by which the first rope is crooked: a straight one would stand for long. */
const CROOKED = 0.1;

export function composeRope(rope: RopeSetup, cells: number, seed: number): SceneParts {
  const { radius, fall, sinks } = rope;
  const room = 8 * radius;
  const h = radius / cells;
  // Whole cells, so that the floor lies on the lattice at first.
  const below = h * Math.ceil((sinks * MOST_SECONDS) / h + 4);
  const top = fall + 3 * radius;
  const random = createRandom(seed);
  const knots: Vec3[] = [[0, 0, top]];
  const speed = rope.flow / (Math.PI * radius ** 2);
  const offset = () => CROOKED * radius * (2 * random.next() - 1);
  for (let part = 3; part >= 0; part--) knots.push([offset(), offset(), 2 * radius + (part / 4) * fall]);
  return {
    domain: [
      [-room, -room, -below],
      [room, room, top],
    ],
    resolution: h,
    gravity: [0, 0, -9.81],
    viscosity: rope.viscosity * DENSITY,
    liquids: [
      {
        shape: union(...knots.slice(1).map((knot, n) => capsule(knots[n], knot, radius))),
        velocity: [0, 0, -speed],
      },
    ],
    solids: [
      {
        name: 'floor',
        shape: box([-2 * room, -2 * room, -2 * below - room], [2 * room, 2 * room, 0]),
        motion: buildTranslation([0, 0, -sinks], { start: SETTLED }),
        wall: 'no-slip',
      },
    ],
    nozzle: {
      shape: cylinder([0, 0, top + radius], [0, 0, fall], radius),
      direction: [0, 0, -1],
      flow: rope.flow,
    },
  };
}

/** What a coiling rope is at a moment. */
export interface Coil {
  readonly time: number;
  /**
   * The way it leans where it comes down, seen from above, rad, not wound: wherever the coil lies, that turns
   * once with it
   */
  readonly angle: number;
  /** Where it lies down, m */
  readonly place: readonly [number, number];
  /** Radius of the rope where it is thinnest, m */
  readonly rope: number;
  /** From the nozzle to where it lies down, m */
  readonly height: number;
}

export function measureCoil({ sections }: Rope, time: number, fall: number): Coil {
  const [x, y, z] = sections[sections.length - 1].centre;
  const above = sections[Math.max(0, sections.length - 1 - FREE * SECTIONS)].centre;
  const least = Math.min(...sections.map((s) => s.area));
  return {
    time,
    angle: Math.atan2(y - above[1], x - above[0]),
    place: [x, y],
    rope: Math.sqrt(least / Math.PI),
    height: fall - z,
  };
}

/** Mean distance of where it lies down from the middle of that, turn by turn, m. */
function measureRadius(coils: readonly Coil[], turns: readonly number[]): number {
  const own = turns.slice(1).map((end, n) => {
    const places = coils.filter((c) => c.time >= turns[n] && c.time < end).map((c) => c.place);
    const middle = [0, 1].map((a) => mean(places.map((p) => p[a])));
    return mean(places.map((p) => Math.hypot(p[0] - middle[0], p[1] - middle[1])));
  });
  return mean(own);
}

/** Lets a rope fall until it has turned so often, and tells how it turned. */
export function watchCoil(
  rope: RopeSetup,
  { cells, seed, turns }: { readonly cells: number; readonly seed: number; readonly turns: number },
  resources: Resources,
  note: (text: string) => void,
): Coil[] {
  const march = startMarch(composeRope(rope, cells, seed), resources);
  const [, rate] = rope.theory[Math.floor(rope.theory.length / 2)];
  const turn = (2 * Math.PI) / rate;
  const most = turn / STEPS_PER_TURN;
  const coils: Coil[] = [];
  const begin = performance.now();
  for (let n = 1; n <= 3 * (turns + 1) * STEPS_PER_TURN; n++) {
    march.marchTo(n * most, most);
    const found = followRope(march.state.surface, [0, 0, rope.fall], [0, 0, -1], rope.radius / SECTIONS);
    if (!found.isDown) continue;
    const coil = measureCoil(found, march.state.time, rope.fall);
    const former = coils.at(-1)?.angle ?? coil.angle;
    const wound = former + Math.atan2(Math.sin(coil.angle - former), Math.cos(coil.angle - former));
    coils.push({ ...coil, angle: wound });
    if (n % 15 === 0)
      note(
        `${march.state.time.toFixed(2)} s: angle ${wound.toFixed(2)}, ` +
          `rope ${(1000 * coil.rope).toFixed(2)} mm, height ${(1000 * coil.height).toFixed(1)} mm, ` +
          `${march.state.mesh.tetCount} tets, ${((performance.now() - begin) / n / 1000).toFixed(2)} s a look`,
      );
    if (Math.abs(wound - coils[0].angle) > 2 * Math.PI * turns) break;
  }
  march.free();
  return coils;
}

/**
 * When the rope had turned by k whole turns since a time, k = 0, 1, ..: in between two looks by
 * interpolation.
 */
export function findTurns(coils: readonly Coil[], from: number): number[] {
  const sense = Math.sign(coils[coils.length - 1].angle - coils[0].angle);
  const start = coils.findIndex((c) => sense * (c.angle - coils[0].angle) >= from);
  if (start < 0) return [];
  const times = [coils[start].time];
  for (let n = start + 1; n < coils.length; n++) {
    const goal = sense * coils[start].angle + 2 * Math.PI * times.length;
    const [a, b] = [sense * coils[n - 1].angle, sense * coils[n].angle];
    if (b < goal) continue;
    times.push(coils[n - 1].time + ((goal - a) / (b - a)) * (coils[n].time - coils[n - 1].time));
  }
  return times;
}

/** rad/s at a height above the pile. */
export function readTheory({ theory }: RopeSetup, height: number): number {
  if (theory.length === 1) return theory[0][1];
  const last = theory.length - 2;
  const found = theory.findIndex(([h], n) => n > 0 && h >= height);
  const n = found < 0 ? last : found - 1;
  const [[h0, rate0], [h1, rate1]] = [theory[n], theory[n + 1]];
  return rate0 + ((height - h0) / (h1 - h0)) * (rate1 - rate0);
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** What a coil was like over its whole turns from `from` radians on. */
export function summariseCoil(rope: RopeSetup, coils: readonly Coil[], from: number) {
  const turns = findTurns(coils, from);
  const steady = coils.filter((c) => c.time >= turns[0] && c.time <= turns[turns.length - 1]);
  const rates = turns.slice(1).map((t, n) => (2 * Math.PI) / (t - turns[n]));
  const rate = mean(rates);
  const height = mean(steady.map((c) => c.height));
  const radius = measureRadius(coils, turns);
  const thickness = mean(steady.map((c) => c.rope));
  return {
    rates,
    rate,
    /** Of any turn from their mean, as a share. */
    spread: Math.max(...rates.map((r) => Math.abs(r / rate - 1))),
    height,
    radius,
    thickness,
    theory: readTheory(rope, height),
    /** Omega R / U: what is laid over what arrives. */
    laid: (rate * radius * Math.PI * thickness ** 2) / rope.flow,
  };
}

async function judgeRope(rope: RopeSetup, context: RefereeContext): Promise<RefereeRow[]> {
  const resources = await context.createResources();
  const coils = watchCoil(rope, { cells: CELLS, seed: 1, turns: FIRST_TURNS + TURNS }, resources, (text) =>
    context.note(text),
  );
  const seen = summariseCoil(rope, coils, 2 * Math.PI * FIRST_TURNS);
  return [
    atMost('turns not seen', TURNS - seen.rates.length, 0, ''),
    reportRow('height above the pile', 1000 * seen.height, 'mm'),
    reportRow('rate of turning', seen.rate, 'rad/s', seen.theory),
    atMost('its error', 100 * Math.abs(seen.rate / seen.theory - 1), 100 * rope.bound, '%'),
    atMost('a turn off their mean', 100 * seen.spread, 5, '%'),
    reportRow('radius of the coil', 1000 * seen.radius, 'mm', rope.coil ? 1000 * rope.coil[0] : ''),
    reportRow('radius of the rope', 1000 * seen.thickness, 'mm', rope.coil ? 1000 * rope.coil[1] : ''),
    atMost('Omega R / U off 1', Math.abs(seen.laid - 1), 0.1, ''),
  ];
}

export const coilingCases: RefereeCase[] = Object.entries(ropes).map(([name, rope]) => ({
  name: `viscous/coiling-${name}`,
  title: `A rope coils where it lands, ${rope.name}: rate, radii, steadiness over six turns`,
  onRequest: true,
  run: (context) => judgeRope(rope, context),
}));
