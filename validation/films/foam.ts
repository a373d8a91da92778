/**
 * Issue 5, row 8: blocks of 125 and of 512 bubbles run unattended to a near-spherical cluster; and why they
 * are kneaded: left alone, a block comes to rest in a minimum of its area, short of a sphere. On request:
 * they take from minutes to an hour.
 */
import { type LabelledMesh, listFilmAreas, quarterFaces } from '../../cases/films/least-area.ts';
import { measureVolumes, relaxFilms, shakeFilms } from '../../cases/films/relax-films.ts';
import { measureRoundness } from '../../cases/films/roundness.ts';
import { atLeast, atMost, equalTo, reportRow } from '../../cases/shared/rows.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/**
 * What counts as near-spherical, %: the block has 11.7 at the start; the bumps of single bubbles, about 4,
 * are not in it.
 */
const SHAPE_BOUND = 3;
/** The block has 1.52. */
const CORNER_BOUND = 1.08;
/** Largest change of a bubble's volume from start to end, % (row 4, for clusters) */
const VOLUME_BOUND = 0.05;

async function runFoam(context: RefereeContext, bubbles: number): Promise<RefereeRow[]> {
  const resources = await context.createResources();
  const run = context.createRun(await context.loadScene(`films/foam-${bubbles}`), resources);
  const own = new Map<number, number>();
  let [steps, seconds, vertices] = [0, 0, 0];
  let last = new Map<number, number>();
  for (const event of run.events()) {
    if (event.type !== 'step') continue;
    const { regions, wall, time, step } = event.record;
    last = new Map(regions!.map(({ label, volume }) => [label, volume]));
    if (own.size === 0) for (const [label, volume] of last) own.set(label, volume);
    steps = step;
    seconds += wall['total'] / 1000;
    vertices = Math.max(vertices, event.record.vertices!);
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
    reportRow('heap at most, within steps', resources.heap.peakBytes / 2 ** 20, 'MiB'),
  ];
}

/** The scene of 125 bubbles, as coarse as it is kneaded, and the kneading put off beyond its end, s. */
const UNKNEADED = [
  'resolution=0.0125',
  'duration=0.5',
  'films.kneading={"amplitude":0.7,"period":0.03,"start":1,"end":2}',
];
/**
 * How far the block at rest may be from where an independent relaxation with T1s, on films twice as fine,
 * takes it: its area, and its shape off a sphere, %. The block at the start has an area a tenth too large.
 */
const AREA_BOUND = 1;
const SHAPE_MOVE_BOUND = 0.5;
/** What may be left of the descent there, as a share of the area's gradient. */
const RESIDUAL_BOUND = 0.005;
/** Vertices are shaken by so many resolutions; area (%) and shape are to come back. */
const SHAKE = 0.05;
const SHAKEN_AREA_BOUND = 0.02;
const MOST_ROUNDS = 100;

async function runJammed(context: RefereeContext): Promise<RefereeRow[]> {
  const loaded = await context.loadScene('films/foam-125', { sets: UNKNEADED });
  const run = context.createRun(loaded, await context.createResources());
  const takeMesh = () => run.snapshot().record.arrays as unknown as LabelledMesh;
  const block = takeMesh();
  for (const event of run.events())
    if (event.type === 'step' && event.record.step % 50 === 0)
      context.note(`${event.record.time.toFixed(3)} s`);
  const atRest = takeMesh();
  const { resolution } = loaded.scene;
  const relax = (mesh: LabelledMesh, size: number, name: string) =>
    relaxFilms(mesh, size, MOST_ROUNDS, (text) => context.note(`${name}, ${text}`), measureVolumes(atRest));
  const relaxed = relax(quarterFaces(atRest), resolution / 2, 'relaxed');
  const shaken = relax(shakeFilms(relaxed.mesh, SHAKE * resolution), resolution / 2, 'shaken');
  const own = relax(block, resolution, 'from the block');
  const [rest, found, back, alone] = [atRest, relaxed.mesh, shaken.mesh, own.mesh].map((mesh) => ({
    ...measureRoundness(mesh.position, mesh.triangle, mesh.label),
    area: listFilmAreas(mesh).reduce((sum, area) => sum + area, 0),
  }));
  return [
    reportRow('shape at rest, off a sphere', 100 * rest.shape, '%'),
    reportRow('radius to the corners over that to the faces, at rest', rest.cornerOverFace, ''),
    atMost(
      'area at rest over that relaxed, less one',
      100 * (rest.area / found.area - 1),
      AREA_BOUND,
      '%',
      0,
    ),
    reportRow('relaxed: vertices', relaxed.mesh.position.length / 3, ''),
    reportRow('relaxed: rounds', relaxed.rounds, ''),
    reportRow('relaxed: T1s on the way', relaxed.t1, ''),
    reportRow('relaxed: vertices where more regions meet than should', relaxed.irregular, ''),
    atMost('relaxed: what is left of the descent', relaxed.residual, RESIDUAL_BOUND, '', 0),
    reportRow('shape relaxed, off a sphere', 100 * found.shape, '%'),
    atMost('its change', 100 * Math.abs(found.shape - rest.shape), SHAPE_MOVE_BOUND, '%', 0),
    atMost(
      'shaken and relaxed again: change of the area',
      100 * Math.abs(back.area / found.area - 1),
      SHAKEN_AREA_BOUND,
      '%',
      0,
    ),
    atMost(
      'shaken and relaxed again: change of the shape',
      100 * Math.abs(back.shape - found.shape),
      SHAPE_MOVE_BOUND,
      '%',
      0,
    ),
    reportRow('from the block by relaxation alone: T1s', own.t1, ''),
    reportRow('from the block by relaxation alone: area over that relaxed', alone.area / found.area, ''),
    atLeast(
      'from the block by relaxation alone: shape, off a sphere',
      100 * alone.shape,
      SHAPE_BOUND,
      '%',
      100 * rest.shape,
    ),
  ];
}

export const filmsFoamCases: RefereeCase[] = [
  ...[125, 512].map((bubbles) => ({
    name: `films/foam-${bubbles}`,
    title: `a block of ${bubbles} bubbles becomes a near-spherical cluster`,
    onRequest: true,
    run: (context: RefereeContext) => runFoam(context, bubbles),
  })),
  {
    name: 'films/jammed-block',
    title: 'a block of 125 bubbles that is not kneaded rests in a minimum of its area, short of a sphere',
    onRequest: true,
    run: runJammed,
  },
];
