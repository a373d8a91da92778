/**
 * Sheets of thick liquid that fold as they land, between two walls that they slide along. Where weight holds the balance to bending the folds
 * have the length L ~ (nu h Q / (3 g))^(1/4), with h the thickness where the sheet lands and Q the flow per width: as nu^(1/4). What is
 * laid in half a period is one fold.
 */
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { GRAVITY } from '../../cases/shared/scene.ts';
import { followRope } from '../../cases/viscous/rope.ts';
import { type SceneParts, startMarch } from '../../cases/viscous/setup.ts';
import { buildTranslation } from '../../src/geometry/motions.ts';
import { box, union } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/** Thickness of the slot, height of fall and width between the walls, m; speed out of the slot, m/s */
const THICKNESS = 0.01;
const FALL = 0.14;
const WIDTH = 0.01;
const SPEED = 0.15;
/** Cells of thickness. */
const CELLS = 4;
/** m^2/s */
const VISCOSITIES = [0.7, 2, 6];
/** Half periods that are measured, after so many that are not. */
const FOLDS = 6;
const FIRST_FOLDS = 3;
const LOOKS_PER_FOLD = 12;
/** Thicknesses by which the first sheet is crooked: a straight one would stand for long. */
const CROOKED = 0.1;
const SLOPE = 0.25;
const SLOPE_BOUND = 0.07;
/** Share by which single folds may differ from their mean. */
const SPREAD = 15;

const foldLength = (viscosity: number, thickness: number): number =>
  ((viscosity * thickness * SPEED * THICKNESS) / (3 * GRAVITY)) ** 0.25;

function composeSheet(viscosity: number): { parts: SceneParts; fold: number } {
  const h = THICKNESS / CELLS;
  const length = foldLength(viscosity, THICKNESS);
  const fold = length / SPEED;
  // As fast as folds of that length pile up, so that the height of fall stays.
  const sinks = (SPEED * THICKNESS) / (length + THICKNESS);
  const room = h * Math.ceil((2.5 * length) / h);
  const below = h * Math.ceil((sinks * 2 * (FOLDS + FIRST_FOLDS) * fold) / h + 4);
  const top = FALL + 3 * THICKNESS;
  const half = THICKNESS / 2;
  const aside = CROOKED * THICKNESS;
  return {
    fold,
    parts: {
      domain: [
        [-room, 0, -below],
        [room, WIDTH, top],
      ],
      resolution: h,
      wall: 'slip',
      gravity: [0, 0, -GRAVITY],
      viscosity: 1000 * viscosity,
      liquids: [
        {
          shape: union(
            box([-half, -1, FALL / 2], [half, 1, 2 * top]),
            box([aside - half, -1, 2 * h], [aside + half, 1, FALL / 2 + h]),
          ),
          velocity: [0, 0, -SPEED],
        },
      ],
      solids: [
        {
          name: 'floor',
          shape: box([-2 * room, -1, -2 * below - room], [2 * room, 1, 0]),
          motion: buildTranslation([0, 0, -sinks], { start: fold }),
          wall: 'no-slip',
        },
      ],
      nozzle: {
        shape: box([-half, -1, FALL], [half, 1, top + THICKNESS]),
        direction: [0, 0, -1],
        flow: SPEED * THICKNESS * WIDTH,
      },
      options: { friction: 'scene' },
    },
  };
}

/** Where a sheet lands at a time, and how thick it is there, m. */
interface Look {
  readonly time: number;
  readonly place: number;
  readonly thickness: number;
  readonly height: number;
}

function watchSheet(viscosity: number, resources: Resources, note: (text: string) => void): Look[] {
  const { parts, fold } = composeSheet(viscosity);
  const march = startMarch(parts, resources);
  const most = fold / LOOKS_PER_FOLD;
  const looks: Look[] = [];
  for (let n = 1; n <= 3 * (FOLDS + FIRST_FOLDS) * LOOKS_PER_FOLD; n++) {
    march.marchTo(n * most, most);
    const { isDown, sections } = followRope(
      march.state.surface,
      [0, WIDTH / 2, FALL],
      [0, 0, -1],
      THICKNESS / CELLS,
    );
    if (!isDown) continue;
    const {
      centre: [place, , z],
    } = sections[sections.length - 1];
    const thickness = Math.min(...sections.map((s) => s.area)) / WIDTH;
    looks.push({ time: march.state.time, place, thickness, height: FALL - z });
    if (n % LOOKS_PER_FOLD === 0)
      note(
        `${viscosity} m^2/s, ${march.state.time.toFixed(2)} s: lands at ${(1000 * place).toFixed(1)} mm, ` +
          `${(1000 * thickness).toFixed(2)} mm thick, ${march.state.mesh.tetCount} tets`,
      );
    if (findReversals(looks).length > FOLDS + FIRST_FOLDS + 1) break;
  }
  march.free();
  return looks;
}

/** Times at which the landing place passes its mean of a period around, by interpolation: two a period. */
function findReversals(looks: readonly Look[]): number[] {
  const times: number[] = [];
  const places = looks.map((l) => l.place);
  const middle = (Math.min(...places) + Math.max(...places)) / 2;
  for (let n = 1; n < looks.length; n++) {
    const [a, b] = [places[n - 1] - middle, places[n] - middle];
    if (a < 0 === b < 0) continue;
    times.push(looks[n - 1].time + (a / (a - b)) * (looks[n].time - looks[n - 1].time));
  }
  return times;
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

async function judgeFolds(context: RefereeContext): Promise<RefereeRow[]> {
  const resources = await context.createResources();
  const rows: RefereeRow[] = [];
  const lengths: number[] = [];
  for (const viscosity of VISCOSITIES) {
    const looks = watchSheet(viscosity, resources, (text) => context.note(text));
    const times = findReversals(looks).slice(-FOLDS - 2);
    // By whole periods: the middle of the way is known to a part of it only.
    const folds = times.slice(2).map((t, n) => (t - times[n]) / 2);
    const period = mean(folds);
    const steady = looks.filter((l) => l.time >= times[0]);
    const thickness = mean(steady.map((l) => l.thickness));
    const length = (SPEED * THICKNESS * period) / thickness;
    lengths.push(length);
    const name = `${viscosity} m^2/s`;
    rows.push(
      atLeast(`${name}: folds seen`, folds.length, FOLDS, ''),
      reportRow(`${name}: height above the pile`, 1000 * mean(steady.map((l) => l.height)), 'mm'),
      reportRow(`${name}: thickness where it lands`, 1000 * thickness, 'mm'),
      reportRow(`${name}: length of a fold`, 1000 * length, 'mm'),
      reportRow(`${name}: over (nu h Q / 3 g)^(1/4)`, length / foldLength(viscosity, thickness), ''),
      atMost(
        `${name}: a fold off their mean`,
        100 * Math.max(...folds.map((f) => Math.abs(f / period - 1))),
        SPREAD,
        '%',
      ),
    );
  }
  const x = VISCOSITIES.map(Math.log);
  const y = lengths.map(Math.log);
  const slope =
    mean(x.map((v, n) => (v - mean(x)) * (y[n] - mean(y)))) / mean(x.map((v) => (v - mean(x)) ** 2));
  rows.push(
    reportRow('slope of log length on log viscosity', slope, '', SLOPE),
    atMost('its error', Math.abs(slope - SLOPE), SLOPE_BOUND, ''),
  );
  return rows;
}

export const folding: RefereeCase[] = [
  {
    name: 'viscous/folding',
    method: 'viscous',
    title: 'A sheet folds where it lands, at three viscosities: steady, and as long as nu^(1/4)',
    onRequest: true,
    run: judgeFolds,
  },
];
