/**
 * Issue 5, row 8: blocks of 125 and of 512 bubbles run unattended to a near-spherical cluster; and why they are kneaded: left alone, a block comes to rest where the area of its films is least, short of a
 * sphere. On request: they take from minutes to an hour.
 */
import type { RefereeCase, RefereeContext, RefereeRow } from '../src/run/referee.ts';
import { findLeastArea, type LabelledMesh, listFilmAreas, quarterFaces } from './least-area.ts';
import { measureRoundness } from './roundness.ts';
import { atLeast, atMost, equalTo, reportRow } from './rows.ts';

/** What counts as near-spherical, %: the block has 11.7 at the start; the bumps of single bubbles, about 4, are not in it. */
const SHAPE_BOUND = 3;
/** The block has 1.52. */
const CORNER_BOUND = 1.08;
/** Largest change of a bubble's volume from start to end, % (row 4, for clusters) */
const VOLUME_BOUND = 0.05;

async function runFoam(context: RefereeContext, bubbles: number): Promise<RefereeRow[]> {
  const run = context.createRun(
    await context.loadScene(`films/foam-${bubbles}`),
    await context.createResources(),
  );
  const own = new Map<number, number>();
  let [steps, seconds, vertices, bytes] = [0, 0, 0, 0];
  let last = new Map<number, number>();
  for (const event of run.events()) {
    if (event.type !== 'step') continue;
    const { regions, wall, time, step } = event.record;
    last = new Map(regions!.map(({ label, volume }) => [label, volume]));
    if (own.size === 0) for (const [label, volume] of last) own.set(label, volume);
    steps = step;
    seconds += wall['total'] / 1000;
    vertices = Math.max(vertices, event.record.vertices!);
    bytes = Math.max(bytes, event.record.heapBytes);
    if (step % 50 === 0) context.note(`${time.toFixed(3)} s`);
  }
  const { position, triangle, label } = run.snapshot().record.arrays as Record<string, ArrayLike<number>>;
  const { shape, bumps, cornerOverFace } = measureRoundness(position, triangle, label);
  const worst = Math.max(...[...last].map(([region, volume]) => Math.abs(volume / own.get(region)! - 1)));
  return [
    equalTo('bubbles at the end', `${last.size}`, `${bubbles}`),
    atMost('shape of the cluster, off a sphere', 100 * shape, SHAPE_BOUND, '%', 0),
    atMost('radius to the corners over that to the faces', cornerOverFace, CORNER_BOUND, '', 1),
    reportRow('bumps of its bubbles', 100 * bumps, '%'),
    atMost('largest change of a volume, start to end', 100 * worst, VOLUME_BOUND, '%', 0),
    reportRow('vertices at most', vertices, ''),
    reportRow('steps', steps, ''),
    reportRow('seconds per step', seconds / steps, 's'),
    reportRow('heap at most', bytes / 2 ** 20, 'MB'),
  ];
}

/** The scene of 125 bubbles, its kneading put off beyond its end, s. */
const UNKNEADED = ['duration=0.5', 'films.kneading.start=1', 'films.kneading.end=2'];
/** How far the block at rest may be from the minimum of an independent method on films twice as fine: its area, and its shape off a sphere, %. The block at the start has an area a tenth too large. */
const AREA_BOUND = 1;
const SHAPE_MOVE_BOUND = 0.5;
/** A film that vanished in the descent would be a T1 still to come. Its area, as a share of the median film's. */
const LEAST_FILM = 0.002;
/** Fall of the area, as a share, over the last iterations of the descent: it has arrived. */
const ARRIVED = 1e-6;
const MOST_ITERATIONS = 600;

async function runJammed(context: RefereeContext): Promise<RefereeRow[]> {
  const loaded = await context.loadScene('films/foam-125', { sets: UNKNEADED });
  const run = context.createRun(loaded, await context.createResources());
  for (const event of run.events())
    if (event.type === 'step' && event.record.step % 50 === 0)
      context.note(`${event.record.time.toFixed(3)} s`);
  const { position, triangle, label } = run.snapshot().record.arrays as unknown as LabelledMesh;
  const rest = measureRoundness(position, triangle, label);
  const fine = quarterFaces({ position, triangle, label });
  const coarse: LabelledMesh = { position: position.slice(), triangle, label };
  const same = findLeastArea(coarse, MOST_ITERATIONS, (text) => context.note(`same mesh, ${text}`));
  const before = sum(listFilmAreas({ position, triangle, label }));
  const least = findLeastArea(fine, MOST_ITERATIONS, (text) => context.note(`fine mesh, ${text}`));
  const films = listFilmAreas(fine);
  const found = measureRoundness(fine.position, fine.triangle, fine.label);
  return [
    reportRow('shape at rest, off a sphere', 100 * rest.shape, '%'),
    reportRow('radius to the corners over that to the faces, at rest', rest.cornerOverFace, ''),
    atMost(
      'area over the least on the same mesh, less one',
      100 * (before / same.area - 1),
      AREA_BOUND,
      '%',
      0,
    ),
    atMost('area over the least on films twice as fine', 100 * (before / least.area - 1), AREA_BOUND, '%', 0),
    atMost('descent on the fine films: fall at its end', least.lastFall, ARRIVED, '', 0),
    reportRow('descent on the fine films: iterations', least.iterations, ''),
    atMost(
      'change of shape by the descent',
      100 * Math.abs(found.shape - rest.shape),
      SHAPE_MOVE_BOUND,
      '%',
      0,
    ),
    reportRow('shape where area is least, off a sphere', 100 * found.shape, '%'),
    atLeast(
      'smallest film over the median one',
      films[0] / films[Math.floor(films.length / 2)],
      LEAST_FILM,
      '',
    ),
  ];
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

export const filmsFoamCases: RefereeCase[] = [
  ...[125, 512].map((bubbles) => ({
    name: `films/foam-${bubbles}`,
    method: 'films',
    title: `a block of ${bubbles} bubbles becomes a near-spherical cluster`,
    onRequest: true,
    run: (context: RefereeContext) => runFoam(context, bubbles),
  })),
  {
    name: 'films/jammed-block',
    method: 'films',
    title: 'a block of 125 bubbles that is not kneaded rests where its area is least, short of a sphere',
    onRequest: true,
    run: runJammed,
  },
];
