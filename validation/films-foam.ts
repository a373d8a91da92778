/** Issue 5, row 8: blocks of 125 and of 512 bubbles run unattended to a near-spherical cluster. On request: they take from minutes to an hour. */
import type { RefereeCase, RefereeContext, RefereeRow } from '../src/run/referee.ts';
import { measureRoundness } from './roundness.ts';
import { atMost, equalTo, reportRow } from './rows.ts';

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

export const filmsFoamCases: RefereeCase[] = [125, 512].map((bubbles) => ({
  name: `films/foam-${bubbles}`,
  method: 'films',
  title: `a block of ${bubbles} bubbles becomes a near-spherical cluster`,
  onRequest: true,
  run: (context) => runFoam(context, bubbles),
}));
