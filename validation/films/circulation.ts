/**
 * Circulation through the edits of the mesh (issue 5, row 5): of each pair of regions the drift that
 * resampling causes, what becomes of its mean and spread over the film, and of the energy of the air it
 * stands for. Two boxes side by side, which shift and swing undamped; four, whose films part in T1s; and the
 * free cluster of ten bubbles.
 */
import { buildFilms } from '../../cases/films/march.ts';
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { createStageClock } from '../../src/core/stages.ts';
import { createAir, measureKineticEnergy, move, updateGradients } from '../../src/methods/films/air/air.ts';
import { buildSheet } from '../../src/methods/films/circulation/sheet.ts';
import { loadPotentials } from '../../src/methods/films/circulation/transfer.ts';
import { films } from '../../src/methods/films/films.ts';
import type { FilmsModel } from '../../src/methods/films/model.ts';
import { beginStages } from '../../src/methods/films/stages.ts';
import type { FilmsState } from '../../src/methods/films/state.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import { compareWithPicture, type FilmChange, type FilmPicture, takePicture } from './film-projection.ts';

/** In a step, on an average: a mesh that is left alone changes nothing. */
const LEAST_EDITS = 10;
/**
 * By the edits of a step and by all of a run, % of scale. Issue 5, row 5 asks for 1; films drawn to their
 * means by a thousandth in every step had drifted by 8 in spread and 20 in energy after a third of the run.
 */
type Bounds = readonly [number, number];
const DRIFT: Bounds = [1, 1];
/**
 * Without conservation two boxes have 0.09 and 0.4 by projection, four 0.14 and 0.6, with it a tenth of that;
 * the small cluster 1.3 and 6, with it 0.2 and 0.3.
 */
const BOXES: Bounds = [0.05, 0.1];
const SPREAD: Bounds = [1, 5];
const ENERGY: Bounds = [1, 15];

/**
 * Of films as they are; what has none is only reported. Where remeshing moves the borders of narrow films the
 * same field has another mean and another spread, and where air is damped edits are not all that takes
 * energy.
 */
interface FilmBounds {
  readonly resampled: Bounds;
  readonly mean?: Bounds;
  readonly spread?: Bounds;
  readonly energy?: Bounds;
}

/** Kinetic energy of the air that the circulations imply on the films as they are, J. */
function measureEnergyNow(model: FilmsModel, state: FilmsState): number {
  const scope = model.heap.scope('referee');
  try {
    const sheet = buildSheet(state.tracker.mesh, model.isOpening, scope);
    loadPotentials(sheet, state.rows);
    const air = createAir(sheet, model.constants, model.sums, model.threads, scope);
    updateGradients(air);
    move(air);
    return measureKineticEnergy(air);
  } finally {
    scope.free();
  }
}

interface Moment {
  readonly picture: FilmPicture;
  readonly energy: number;
}

/** A figure that edits change: the largest change in a step, and that of all steps. */
class Change {
  step = 0;
  sum = 0;
  add(change: number): void {
    this.step = Math.max(this.step, Math.abs(change));
    this.sum += change;
  }
}

/** By film. */
class FilmChanges {
  readonly films = new Map<string, Change>();
  add(name: string, change: number): void {
    const film = this.films.get(name) ?? new Change();
    this.films.set(name, film);
    film.add(change);
  }
  list(): Change[] {
    return [...this.films.values()];
  }
}

class EditChanges {
  /** Of the integral over a film, by projection, m^4/s */
  private readonly resampled = new FilmChanges();
  private readonly smeared = new FilmChanges();
  /** Of the mean over a film and of the mean distance from it, m^2/s */
  private readonly mean = new FilmChanges();
  private readonly spread = new FilmChanges();
  private readonly energy = new Change();
  /**
   * The greatest mean distance from the mean on any film at any time, m^2/s, the greatest integral of it over
   * one, m^4/s, and the greatest energy, J.
   */
  private scale = 0;
  private content = 0;
  private readonly ownContent = new Map<string, number>();
  private liveliest = 0;

  add(before: Moment, after: Moment, projected: ReadonlyMap<string, FilmChange>): void {
    for (const [name, { sum, spread }] of projected) {
      this.resampled.add(name, sum);
      this.smeared.add(name, spread);
    }
    for (const [name, was] of before.picture.films) {
      this.scale = Math.max(this.scale, was.spread);
      this.content = Math.max(this.content, was.spread * was.area);
      this.ownContent.set(name, Math.max(this.ownContent.get(name) ?? 0, was.spread * was.area));
      const now = after.picture.films.get(name);
      if (!now) continue;
      this.mean.add(name, now.mean - was.mean);
      this.spread.add(name, now.spread - was.spread);
    }
    this.energy.add(after.energy - before.energy);
    this.liveliest = Math.max(this.liveliest, before.energy);
  }

  /**
   * Of all films the largest drift of the run as a share of what that film itself had, %: small films, which
   * the scale hides.
   */
  private measureOwnDrift(): number {
    let worst = 0;
    for (const [name, { sum }] of this.resampled.films)
      worst = Math.max(worst, (100 * Math.abs(sum)) / this.ownContent.get(name)!);
    return worst;
  }

  listRows(bounds: FilmBounds): RefereeRow[] {
    const { scale, content, liveliest } = this;
    return [
      ...holdChanges('circulation of a pair, resampled', this.resampled.list(), content, bounds.resampled),
      reportRow('the same in units of its own greatest content', this.measureOwnDrift(), '%', 0),
      ...holdChanges('its distance from the mean, resampled', this.smeared.list(), content, SPREAD),
      ...holdChanges('mean over a film', this.mean.list(), scale, bounds.mean),
      ...holdChanges('spread over a film', this.spread.list(), scale, bounds.spread),
      ...holdChanges('kinetic energy', [this.energy], liveliest, bounds.energy),
    ];
  }
}

function holdChanges(what: string, list: readonly Change[], scale: number, bounds?: Bounds): RefereeRow[] {
  if (list.length === 0) throw new Error(`${what}: no film was there before and after any step`);
  const step = (100 * Math.max(...list.map((c) => c.step))) / scale;
  const run = (100 * Math.max(...list.map((c) => Math.abs(c.sum)))) / scale;
  const names = [`${what}: change by the edits of one step`, `${what}: drift by all edits of the run`];
  return [step, run].map((measured, n) =>
    bounds
      ? atMost(names[n], measured, bounds[n], '% of scale', 0)
      : reportRow(names[n], measured, '% of scale', 0),
  );
}

interface March {
  readonly until: number;
  /** T1s that must happen. */
  readonly leastT1s: number;
  readonly bounds: FilmBounds;
}

function refereeEdits(
  { model, state }: { model: FilmsModel; state: FilmsState },
  { until, leastT1s, bounds }: March,
  note: RefereeContext['note'],
): RefereeRow[] {
  const changes = new EditChanges();
  let [steps, edits, t1s] = [0, 0, 0];
  const look = (): Moment => ({ picture: takePicture(state), energy: measureEnergyNow(model, state) });
  while (state.time < until) {
    const dt = films.stableTimeStep(model, state);
    const stages = beginStages(model, state, createStageClock(), dt);
    stages.burstFilms();
    stages.resolveInterpenetrations(stages.integrateMotion());
    const before = look();
    stages.mergeSurfaces();
    stages.improveMesh();
    stages.separateVertices();
    changes.add(before, look(), compareWithPicture(state, before.picture));
    stages.nameBubbles();
    stages.keepVolumes();
    const { events } = stages.accept();
    for (const kind of ['split', 'collapse', 'smooth']) edits += events[kind] ?? 0;
    for (const kind of ['separate', 'contact']) t1s += events[kind] ?? 0;
    if (++steps % 100 === 0) note(`step ${steps}: ${state.time.toFixed(3)} of ${until} s`);
  }
  return [
    reportRow('steps', steps, ''),
    atLeast('splits, collapses and slides', edits, LEAST_EDITS * steps, ''),
    atLeast('vertices parted or brought into contact (T1)', t1s, leastT1s, ''),
    ...changes.listRows(bounds),
  ];
}

function createBoxesCase(
  name: string,
  title: string,
  count: number[],
  march: Omit<March, 'until'>,
): RefereeCase {
  return {
    name,
    method: 'films',
    title,
    onRequest: true,
    async run({ createResources, note }) {
      const start = [{ type: 'boxes', min: [-1, -1, -1], max: [1, 1, 1], count }];
      const built = buildFilms(await createResources(), 0.1, { start });
      return refereeEdits(built, { until: 1, ...march }, note);
    },
  };
}

export const filmsCirculationCases: RefereeCase[] = [
  createBoxesCase(
    'films/circulation',
    'circulation of each pair of regions: what remeshing changes, step by step',
    [2, 1, 1],
    { leastT1s: 0, bounds: { resampled: BOXES, mean: DRIFT, spread: SPREAD, energy: ENERGY } },
  ),
  createBoxesCase('films/circulation-t1', 'the same of four boxes, whose films part in T1s', [2, 2, 1], {
    leastT1s: 10,
    bounds: { resampled: BOXES, mean: DRIFT, energy: ENERGY },
  }),
  {
    name: 'films/circulation-cluster',
    title: 'the same of the free cluster of ten bubbles, the whole scene',
    onRequest: true,
    async run({ createResources, loadScene, note }) {
      const { scene } = await loadScene('films/cluster');
      const model = films.build(scene, await createResources());
      const march = { until: scene.duration, leastT1s: 10, bounds: { resampled: DRIFT } };
      return refereeEdits({ model, state: films.start(model) }, march, note);
    },
  },
];
