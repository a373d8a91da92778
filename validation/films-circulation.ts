/** Circulation through the edits of the mesh (issue 5, row 5): its mean over every film, its spread, and the energy of the air it stands for. */
import { createStageClock } from '../src/core/stages.ts';
import { NONE } from '../src/core/types.ts';
import { createAir, measureKineticEnergy, move, updateFrames } from '../src/methods/films/air/air.ts';
import { buildSheet } from '../src/methods/films/circulation/sheet.ts';
import { loadPotentials } from '../src/methods/films/circulation/transfer.ts';
import { films } from '../src/methods/films/films.ts';
import type { FilmsModel } from '../src/methods/films/model.ts';
import { beginStages } from '../src/methods/films/stages.ts';
import type { FilmsState } from '../src/methods/films/state.ts';
import type { RefereeCase, RefereeRow } from '../src/run/referee.ts';
import { computeFaceArea } from '../src/tracking/multimaterial/measure.ts';
import { faceOf } from '../src/tracking/multimaterial/mesh.ts';
import { buildFilms } from './films-march.ts';
import { atLeast, atMost, reportRow } from './rows.ts';

/** Of circulations, by the edits of a step and by all of a run, % of scale: issue 5, row 5 for the mean. Films drawn to their means by a thousandth in every step have drifted by 8 and 20 after a third of the run. */
/** In a step, on an average: a mesh that is left alone changes nothing. */
const LEAST_EDITS = 10;
const DRIFT_BOUNDS = { mean: [1, 1], spread: [1, 5], energy: [1, 15] } as const;

/** Integral of the circulation over the film of each pair of regions, of its distance from the mean, and the film's area. The mean itself is nothing: air feels the gradient alone. */
function measureCirculation({
  tracker,
  rows,
}: FilmsState): Map<string, { sum: number; spread: number; area: number }> {
  const { mesh } = tracker;
  const values = new Map<string, [number, number][]>();
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const f = faceOf(c);
      const [i, j] = [mesh.label[2 * f], mesh.label[2 * f + 1]].sort((a, b) => a - b);
      const [m, n] = [rows.find(v, i), rows.find(v, j)];
      if (m === NONE || n === NONE) continue;
      const area = computeFaceArea(mesh, f) / 3;
      const key = `${i} ${j}`;
      const list = values.get(key);
      if (list) list.push([rows.value[n] - rows.value[m], area]);
      else values.set(key, [[rows.value[n] - rows.value[m], area]]);
    }
  }
  return new Map(
    [...values].map(([key, list]) => {
      const area = list.reduce((s, [, a]) => s + a, 0);
      const sum = list.reduce((s, [value, a]) => s + value * a, 0);
      const spread = list.reduce((s, [value, a]) => s + Math.abs(value - sum / area) * a, 0);
      return [key, { sum, spread, area }];
    }),
  );
}

/** Kinetic energy of the air that the circulations imply on the films as they are, J. */
function measureEnergyNow(model: FilmsModel, state: FilmsState): number {
  const scope = model.heap.scope('referee');
  try {
    const sheet = buildSheet(state.tracker.mesh, model.isOpening, scope);
    loadPotentials(sheet, state.rows);
    const air = createAir(sheet, model.constants, model.sums, model.threads, scope);
    updateFrames(air);
    move(air);
    return measureKineticEnergy(air);
  } finally {
    scope.free();
  }
}

interface Moment {
  readonly circulation: ReturnType<typeof measureCirculation>;
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

/** What the edits of each step do to circulations: to their mean over each film, to their spread over it, and to the energy of the air they stand for. The mean alone would not tell films that were smeared. */
class EditChanges {
  private readonly mean = new Map<string, Change>();
  private readonly spread = new Map<string, Change>();
  private readonly energy = new Change();
  /** The greatest mean distance from the mean on any film at any time, m^2/s, and the greatest energy, J. */
  private scale = 0;
  private liveliest = 0;

  add(before: Moment, after: Moment): void {
    for (const [key, { sum, spread, area }] of before.circulation) {
      const now = after.circulation.get(key);
      if (!now) continue;
      if (!this.mean.has(key)) {
        this.mean.set(key, new Change());
        this.spread.set(key, new Change());
      }
      this.mean.get(key)!.add(now.sum / now.area - sum / area);
      this.spread.get(key)!.add(now.spread / now.area - spread / area);
      this.scale = Math.max(this.scale, spread / area);
    }
    this.energy.add(after.energy - before.energy);
    this.liveliest = Math.max(this.liveliest, before.energy);
  }

  listRows(): RefereeRow[] {
    const rows = [reportRow('pairs of regions', this.mean.size, '')];
    const hold = (
      what: string,
      changes: Iterable<Change>,
      scale: number,
      bounds: readonly [number, number],
    ) => {
      const list = [...changes];
      const step = Math.max(...list.map((c) => c.step));
      const sum = Math.max(...list.map((c) => Math.abs(c.sum)));
      rows.push(
        atMost(`${what}: change by the edits of one step`, (100 * step) / scale, bounds[0], '% of scale', 0),
        atMost(`${what}: drift by all edits of the run`, (100 * sum) / scale, bounds[1], '% of scale', 0),
      );
    };
    hold('mean over a film', this.mean.values(), this.scale, DRIFT_BOUNDS.mean);
    hold('spread over a film', this.spread.values(), this.scale, DRIFT_BOUNDS.spread);
    hold('kinetic energy', [this.energy], this.liveliest, DRIFT_BOUNDS.energy);
    return rows;
  }
}

export const filmsCirculationCases: RefereeCase[] = [
  {
    name: 'films/circulation',
    method: 'films',
    title: 'circulation of each pair of regions: what remeshing changes, step by step',
    onRequest: true,
    async run({ createResources }) {
      const { model, state } = buildFilms(await createResources(), 0.1, {
        start: [{ type: 'boxes', min: [-1, -1, -1], max: [1, 1, 1], count: [2, 1, 1] }],
      });
      const changes = new EditChanges();
      let [steps, edits] = [0, 0];
      while (state.time < 1) {
        const dt = films.stableTimeStep(model, state);
        const stages = beginStages(model, state, createStageClock(), dt);
        stages.burstFilms();
        stages.resolveInterpenetrations(stages.integrateMotion());
        const before = { circulation: measureCirculation(state), energy: measureEnergyNow(model, state) };
        stages.mergeSurfaces();
        stages.improveMesh();
        stages.separateVertices();
        changes.add(before, {
          circulation: measureCirculation(state),
          energy: measureEnergyNow(model, state),
        });
        stages.nameBubbles();
        stages.keepVolumes();
        const { events } = stages.accept();
        for (const kind of ['split', 'collapse', 'smooth']) edits += events[kind] ?? 0;
        steps++;
      }
      return [
        reportRow('steps', steps, ''),
        atLeast('splits, collapses and slides', edits, LEAST_EDITS * steps, ''),
        ...changes.listRows(),
      ];
    },
  },
];
