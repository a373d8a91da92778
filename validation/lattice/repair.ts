/**
 * How much has to be repaired: what the volume target's shifts add up to, as a share of the volume, and the
 * largest single one. A volume that is only right because it was put right shows here. And films down to a
 * quarter of a cell must take part in the pressure solve: one that does swings in its tank as shallow water
 * does, at omega^2 = g k tanh(kd); one that does not lies where it was laid.
 */
import { GRAVITY, startMarch } from '../../cases/lattice/march.ts';
import { atMost, equalTo, reportRow } from '../../cases/shared/rows.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import { measureRepair } from './everyday-volume.ts';
import { driveScene } from './scene-course.ts';

/** Contouring cells, of any single shift; the issue's. */
const SHIFT_BOUND = 0.1;
/**
 * Per cent of the volume: what a run may lack or have too much, so that one that repairs nothing and loses
 * all falls short.
 */
const VOLUME_BOUND = 1;

interface Repaired {
  readonly name: string;
  readonly scene: string;
  readonly sets: readonly string[];
  /** Per cent of the volume, in sum; the issue's. */
  readonly bound: number;
}

const REPAIRED: readonly Repaired[] = [
  { name: 'ball', scene: 'everyday/ball', sets: [], bound: 30 },
  { name: 'torus', scene: 'everyday/torus', sets: [], bound: 30 },
  { name: 'jet', scene: 'everyday/jet', sets: [], bound: 60 },
  { name: 'drop-into-pool', scene: 'lattice/drop-into-pool', sets: ['duration=3'], bound: 1 },
];

async function judgeRepair(context: RefereeContext, { scene, sets, bound }: Repaired): Promise<RefereeRow[]> {
  const course = await driveScene(context, await context.loadScene(scene, { sets }));
  const { sum, shift, isBooked } = measureRepair(course);
  const kept = course.records.map(({ volume }, n) => Math.abs((100 * volume!) / course.wanted[n] - 100));
  const guess = isBooked ? '' : ', guessed: the run keeps no books';
  return [
    equalTo('ran to its end', course.fault || 'yes', 'yes'),
    atMost(`repaired, in sum${guess}`, 100 * sum, bound, '% of volume', 0),
    atMost(`largest single shift${guess}`, shift, SHIFT_BOUND, 'contouring cells', 0),
    atMost('volume off at any step, after the repairs', Math.max(...kept), VOLUME_BOUND, '%', 0),
    reportRow('steps', course.records.length - 1, ''),
  ];
}

const LENGTH = 1;
const CELLS = 12;
const CELL = LENGTH / CELLS;
const WAVE_NUMBER = Math.PI / LENGTH;
/** Thickness of the films in cells, the quarter of the issue first. */
const FILMS = [0.25, 0.35, 0.5, 0.75];
/**
 * Amplitude as a share of the film's thickness: large enough to be seen, small enough for the linear theory.
 */
const STEEPNESS = 0.2;
/** dt / sqrt(h/g), unless the method wants less. */
const STEP = 0.5;
/**
 * Off the linear theory's time to the first crossing: tells swinging from not swinging, not a good wave from
 * a bad one.
 */
const TIME_BOUND = 0.25;

function buildFilm(depth: number): Implicit {
  const amplitude = STEEPNESS * depth;
  const steepness = Math.sqrt(1 + (WAVE_NUMBER * amplitude) ** 2);
  return {
    bounds: { min: [-1, -1, -1], max: [2, 2, depth + amplitude] },
    value: (x, _, z) => (depth + amplitude * Math.cos(WAVE_NUMBER * x) - z) / steepness,
  };
}

function judgeFilm(cells: number, resources: Resources): RefereeRow[] {
  const depth = cells * CELL;
  const quarter = Math.PI / 2 / Math.sqrt(GRAVITY * WAVE_NUMBER * Math.tanh(WAVE_NUMBER * depth));
  const march = startMarch(
    {
      domain: { min: [0, 0, 0], max: [LENGTH, 3 * CELL, 4 * CELL] },
      resolution: CELL,
      liquid: buildFilm(depth),
    },
    resources,
  );
  const volume = march.measure().volume!;
  const swing = () => march.measure().centreOfMass![0] - LENGTH / 2;
  let before = swing();
  let crossing = Number.NaN;
  while (march.time < 2 * quarter && Number.isNaN(crossing)) {
    const dt = march.stableStep(STEP * Math.sqrt(CELL / GRAVITY));
    march.step(dt);
    const now = swing();
    if (before * now < 0) crossing = march.time - (dt * now) / (now - before);
    before = now;
  }
  const kept = march.measure().volume! / volume - 1;
  march.free();
  const name = `film of ${cells} cells`;
  return [
    atMost(
      `${name}: first crossing off shallow water's`,
      Math.abs(crossing / quarter - 1),
      TIME_BOUND,
      '',
      0,
    ),
    atMost(`${name}: volume off`, 100 * Math.abs(kept), VOLUME_BOUND, '%', 0),
  ];
}

export const repairCases: RefereeCase[] = [
  ...REPAIRED.map(
    (one): RefereeCase => ({
      name: `repair/${one.name}`,
      title: `${one.scene}: what the volume target has to repair, in sum and at once`,
      onRequest: true,
      run: (context) => judgeRepair(context, one),
    }),
  ),
  {
    name: 'repair/films',
    title: 'films down to a quarter of a cell swing as shallow water does',
    onRequest: true,
    async run({ createResources, note }) {
      const resources = await createResources(1);
      return FILMS.flatMap((cells) => {
        note(`${cells} cells`);
        try {
          return judgeFilm(cells, resources);
        } catch (error) {
          // A method that cannot start from a film says so; the thicker ones are judged all the same.
          return [
            equalTo(`film of ${cells} cells`, error instanceof Error ? error.message : String(error), 'runs'),
          ];
        }
      });
    },
  },
];
