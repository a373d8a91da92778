/**
 * What must stay: volumes over whole scenes, momentum of a free cluster, circulation through remeshing; and the time of a step against another program.
 * All on request: whole scenes take minutes to hours.
 */
import { createStageClock } from '../src/core/stages.ts';
import { NONE } from '../src/core/types.ts';
import { createAir, measureKineticEnergy, move, updateFrames } from '../src/methods/films/air.ts';
import { films } from '../src/methods/films/films.ts';
import type { FilmsModel } from '../src/methods/films/model.ts';
import { buildSheet } from '../src/methods/films/sheet.ts';
import { beginStages } from '../src/methods/films/stages.ts';
import type { FilmsState } from '../src/methods/films/state.ts';
import { loadPotentials } from '../src/methods/films/transfer.ts';
import type { Resources } from '../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../src/run/referee.ts';
import { computeFaceArea } from '../src/tracking/multimaterial/measure.ts';
import { faceOf } from '../src/tracking/multimaterial/mesh.ts';
import { ringOptions } from './films-catenoid.ts';
import { octahedronOptions } from './films-junctions.ts';
import { buildFilms } from './films-march.ts';
import type { LabelledMesh } from './least-area.ts';
import { measureVolumes } from './relax-films.ts';
import { atMost, equalTo, reportRow } from './rows.ts';

/** Largest change of any bubble's volume over a whole scene, %: issue 5, row 4 (the thesis: 2.2, 2.4, 0.05). */
const VOLUME_BOUNDS = { cube: 0.5, 'double-bubble': 0.5, cluster: 0.05 };
/** kg/m^3, the scenes' */
const AIR_DENSITY = 1.2;
/** % of scale */
const DRIFT_BOUND = 1;
/** Of circulations, by the edits of a step and by all of a run, % of scale: issue 5, row 5 for the mean. Films drawn to their means by a thousandth in every step have drifted by 8 and 20 after a third of the run. */
const DRIFT_BOUNDS = { mean: [DRIFT_BOUND, DRIFT_BOUND], spread: [1, 5], energy: [1, 15] } as const;
/** Steps before and while the clock runs, and as many more in which a scene could blow up. */
const WARM_STEPS = 10;
const TIMED_STEPS = 11;
const FURTHER_STEPS = 80;
/** Film vertices, % off the peer's */
const VERTICES_BOUND = 10;
/** Kinetic and surface energy over that at the start, from rest, where no wire moves. */
const ENERGY_BOUND = 1.01;
/** Speed of a vertex in units of sqrt(tension / (density edge)), that of a wave as short as an edge. */
const SPEED_BOUND = 10;

interface PeerScene {
  readonly name: string;
  /** Vertices in the peer's table; it has no ghosts. */
  readonly vertices: number;
  readonly edge: number;
  readonly options: Record<string, unknown>;
  /** CPU seconds per frame */
  readonly frame: number;
  /** A moving wire works on the films. */
  readonly isDriven?: boolean;
}

const bubbleCells = (cells: number) => ({
  start: [{ type: 'voronoi', min: [-1, -1, -1], max: [1, 1, 1], cells }],
});

/**
 * SoapFilm3D, CPU seconds per frame; two of its frames do what a step of ours does, and ours is to take half of that. Its carousel and wand are not ours to rebuild to the letter: films on
 * an octahedral frame, and a film on a moving ring, of as many vertices stand for them.
 */
const PEER: readonly PeerScene[] = [
  {
    name: 'cube',
    vertices: 986,
    edge: 0.158,
    options: { start: [{ type: 'boxes', min: [-1, -1, -1], max: [1, 1, 1] }] },
    frame: 0.05,
  },
  {
    name: 'double bubble',
    vertices: 1243,
    edge: 0.1255,
    options: {
      start: [
        { type: 'double-bubble', centre: [0, 0, 0], radius: 1, distance: 1, stretch: [1.2, 0.95, 0.95] },
      ],
    },
    frame: 0.076,
  },
  {
    name: 'two rings',
    vertices: 184,
    edge: 0.235,
    options: ringOptions(1.2),
    frame: 0.0055,
  },
  {
    name: 'films on a frame (its carousel)',
    vertices: 2611,
    edge: 0.052,
    options: octahedronOptions(),
    frame: 0.26,
  },
  {
    name: 'film on a moving ring (its wand)',
    vertices: 1891,
    edge: 0.045,
    options: sweepOptions(),
    frame: 0.059,
    isDriven: true,
  },
  { name: 'foam, 3 bubbles', vertices: 8792, edge: 0.063, options: bubbleCells(3), frame: 1.35 },
  { name: 'foam, 10 bubbles', vertices: 13176, edge: 0.057, options: bubbleCells(10), frame: 2.73 },
];

/** A film on a ring that sets out along its axis; a ghost cone behind it keeps the mesh closed. */
function sweepOptions(): Record<string, unknown> {
  const sheet = (profile: readonly (readonly number[])[], left: number, right: number) => ({
    profile,
    left,
    right,
  });
  return {
    start: [
      {
        type: 'revolution',
        sheets: [
          sheet(
            [
              [1, 0],
              [0, 0],
            ],
            0,
            1,
          ),
          sheet(
            [
              [1, 0],
              [0, 0.6],
            ],
            1,
            2,
          ),
          sheet(
            [
              [1, 0],
              [0, 1.2],
            ],
            2,
            0,
          ),
        ],
      },
    ],
    openings: [2],
    wires: [
      {
        type: 'ring',
        centre: [0, 0, 0],
        axis: [0, 0, 1],
        radius: 1,
        motion: { translate: { velocity: [0, 0, 1], start: 0, end: 10, ramp: 0.1 } },
      },
    ],
  };
}

async function runScene(context: RefereeContext, name: keyof typeof VOLUME_BOUNDS): Promise<RefereeRow[]> {
  const loaded = await context.loadScene(`films/${name}`);
  const run = context.createRun(loaded, await context.createResources());
  const before = measureVolumes(run.snapshot().record.arrays as unknown as LabelledMesh);
  const wanted = [...before.keys()].join(' ');
  // Steps at whose end a bubble was missing, or there was one more: their volumes would not be compared.
  let strange = 0;
  let worst = 0;
  let impulse = 0;
  let liveliest = 0;
  let volume = 0;
  for (const event of run.events()) {
    if (event.type !== 'step') continue;
    const { regions, momentum, step } = event.record;
    const found = regions!.map(({ label }) => label).sort((a, b) => a - b);
    if (found.join(' ') !== wanted) strange++;
    for (const { label, volume } of regions!)
      worst = Math.max(worst, 100 * Math.abs(volume / (before.get(label) ?? Number.NaN) - 1));
    volume = event.record.volume!;
    impulse = Math.max(impulse, Math.hypot(...momentum!));
    liveliest = Math.max(liveliest, event.record.kineticEnergy!);
    if (step % 200 === 0) context.note(`${name}: ${event.record.time.toFixed(3)} s`);
  }
  // Scale: all the air of the bubbles going one way with the greatest kinetic energy seen; single vertices are far quicker for moments.
  const scale = Math.sqrt(2 * AIR_DENSITY * volume * liveliest);
  return [
    equalTo(`${name}: steps with other bubbles than ${wanted}`, String(strange), '0'),
    atMost(`${name}: largest change of a volume`, worst, VOLUME_BOUNDS[name], '%', 0),
    atMost(
      `${name}: momentum over sqrt(2 mass greatest kinetic energy)`,
      (100 * impulse) / scale,
      DRIFT_BOUND,
      '%',
      0,
    ),
  ];
}

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

/** A figure that edits change: the largest change in a step, that of all steps, and what all is measured in. */
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

/** Steps of one of the peer's scenes by the clock, and whether it stays calm while they are taken and after. */
function timeScene(scene: PeerScene, resources: Resources): RefereeRow[] {
  const { name, vertices, edge, options, frame, isDriven } = scene;
  const { model, state } = buildFilms(resources, edge, { ...options, drag: 1 });
  const work = { clock: createStageClock() };
  const measureEnergy = () => {
    const { kineticEnergy, surfaceEnergy } = films.measure(model, state);
    return kineticEnergy! + surfaceEnergy!;
  };
  const start = measureEnergy();
  let [energy, speed] = [0, 0];
  const advance = () => {
    work.clock.reset();
    const begin = performance.now();
    films.step(model, state, work, films.stableTimeStep(model, state));
    const seconds = (performance.now() - begin) / 1000;
    energy = Math.max(energy, measureEnergy());
    speed = Math.max(speed, state.maxSpeed);
    return seconds;
  };
  for (let n = 0; n < WARM_STEPS; n++) advance();
  const taken: { seconds: number; stages: string }[] = [];
  for (let n = 0; n < TIMED_STEPS; n++) {
    const seconds = advance();
    const stages = Object.entries(work.clock.milliseconds)
      .filter(([, ms]) => ms >= 0.05)
      .map(([stage, ms]) => `${stage} ${ms.toFixed(1)}`)
      .join(', ');
    taken.push({ seconds, stages });
  }
  const middle = taken.sort((a, b) => a.seconds - b.seconds)[TIMED_STEPS >> 1];
  // Vertices of ghosts carry no film and no dynamics.
  const { vertexCount } = films.surface(model, state).mesh;
  for (let n = 0; n < FURTHER_STEPS; n++) advance();
  const gain = `${name}: greatest energy over that at the start`;
  return [
    reportRow(`${name}: film vertices`, vertexCount, '', vertices),
    atMost(`${name}: these off theirs`, 100 * Math.abs(vertexCount / vertices - 1), VERTICES_BOUND, '%', 0),
    atMost(`${name}: median of ${TIMED_STEPS} steps`, middle.seconds, frame, 's', 2 * frame),
    reportRow(`${name}: of these`, middle.stages, 'ms'),
    isDriven ? reportRow(gain, energy / start, '') : atMost(gain, energy / start, ENERGY_BOUND, '', 1),
    atMost(
      `${name}: greatest speed over sqrt(tension / (density edge))`,
      speed * Math.sqrt(edge),
      SPEED_BOUND,
      '',
    ),
  ];
}

export const filmsSceneCases: RefereeCase[] = [
  ...(Object.keys(VOLUME_BOUNDS) as (keyof typeof VOLUME_BOUNDS)[]).map((name) => ({
    name: `films/scene-${name}`,
    method: 'films',
    title: `volumes and momentum over the whole of the scene ${name}`,
    onRequest: true,
    run: (context: RefereeContext) => runScene(context, name),
  })),
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
      let steps = 0;
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
        stages.accept();
        steps++;
      }
      return [reportRow('steps', steps, ''), ...changes.listRows()];
    },
  },
  {
    name: 'films/speed',
    method: 'films',
    title: 'seconds per step against SoapFilm3D at the same vertex counts, 2 cores; needs a quiet machine',
    onRequest: true,
    async run({ createResources, note }) {
      const rows: RefereeRow[] = [];
      for (const scene of PEER) {
        note(scene.name);
        rows.push(...timeScene(scene, await createResources(2)));
      }
      return rows;
    },
  },
];
