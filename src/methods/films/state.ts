/**
 * The state of a run: packed mesh with labels and volume debts, circulations, what wires hold, what is left
 * of the random events. The tracker's lists follow from the order of vertices and faces, and the mesh is
 * packed after every step, so that a run resumed from a checkpoint goes on to the last bit.
 */
import { createRandom, type Random } from '../../core/random.ts';
import { defineRecord, readRecord, saveRecord } from '../../core/records.ts';
import type { Seconds } from '../../core/types.ts';
import { buildMultiMesh, type LabelledTriangles, MESH_COLUMNS } from '../../tracking/multimaterial/build.ts';
import { measureMeant } from '../../tracking/multimaterial/conservation/volumes.ts';
import { combinePolicies, VertexValues } from '../../tracking/multimaterial/policy.ts';
import { Tracker } from '../../tracking/multimaterial/tracker.ts';
import type { StateRecord } from '../method.ts';
import { createConservation } from './circulation/conserve.ts';
import { RegionPotentials } from './circulation/potentials.ts';
import { createResampling } from './circulation/resample.ts';
import { buildSheet } from './circulation/sheet.ts';
import { storePotentials } from './circulation/transfer.ts';
import type { Momentum } from './conservation/momentum.ts';
import { type FilmsModel, findFineness, findGhosts } from './model.ts';
import { Hold } from './wires/wires.ts';

export interface FilmsState {
  tracker: Tracker;
  readonly rows: RegionPotentials;
  /** (vertices x 3) m/s, of the last step */
  readonly velocity: VertexValues;
  readonly hold: Hold;
  readonly random: Random;
  time: Seconds;
  /**
   * Volume of its own that each closed region is meant to have, by label, m^3; kneading gives it a share of
   * that.
   */
  readonly meant: Map<number, number>;
  /** Random pops done. */
  popped: number;
  /** m/s in the last step: bounds the next */
  maxSpeed: number;
  /** What the air's momentum is to be where nothing but drag may change it (momentum.ts), kg m/s. */
  meantMomentum: Momentum;
}

/** Events: edits after which the circulation of a film does not add up to what it did (conserve.ts). */
const SHORTFALLS = {
  unmet: 'circulation unmet',
  held: 'circulation held',
  parted: 'circulation parted',
} as const;

/** What a checkpoint of films holds. */
export const filmsRecord = defineRecord('films', {
  time: { type: 'number', unit: 's', meaning: 'since the start' },
  popped: { type: 'number', meaning: 'random pops done' },
  width: { type: 'number', meaning: 'regions that a vertex has room for' },
  maxSpeed: { type: 'number', unit: 'm/s', meaning: 'of the last step: bounds the next' },
  ...MESH_COLUMNS,
  region: { type: 'i32', meaning: '(vertex x width) regions around a vertex' },
  potential: { type: 'f64', unit: 'm^2/s', meaning: '(vertex x width) potential of each of them' },
  velocity: { type: 'f64', per: 'vertex', stride: 3, unit: 'm/s', meaning: 'of the last step' },
  hold: { type: 'f64', per: 'vertex', stride: 5, meaning: 'what wires hold (wires/wires.ts)' },
  random: { type: 'i32', meaning: 'state of the random numbers' },
  meantLabel: { type: 'i32', per: 'region', meaning: 'closed regions' },
  meantVolume: {
    type: 'f64',
    per: 'region',
    unit: 'm^3',
    meaning: 'volume of its own that each is meant to have',
  },
  meantMomentum: {
    type: 'f64',
    stride: 3,
    unit: 'kg m/s',
    meaning: "what the air's is to be where drag alone may change it",
  },
});

function createState(model: FilmsModel, surface: LabelledTriangles, time: Seconds): FilmsState {
  const mesh = buildMultiMesh(surface);
  const rows = new RegionPotentials();
  const velocity = new VertexValues(3);
  const hold = new Hold(model.wires, model.isOpening);
  hold.mesh = mesh;
  for (let v = 0; v < mesh.vertexFill; v++) {
    rows.reserve(v);
    velocity.reserve(v);
    hold.rows.reserve(v);
  }
  const policy = combinePolicies(
    rows,
    velocity,
    hold,
    createResampling(() => mesh, rows),
    createConservation(
      () => mesh,
      rows,
      model.isOpening,
      (how) => state.tracker.count(SHORTFALLS[how], undefined),
    ),
  );
  const tracker = new Tracker(mesh, findFineness(model, time).bounds, policy, model);
  // An edge is not collapsed into an irregular vertex while the air pulls its ends apart (chapter 6).
  tracker.flow = {
    isParting(a, b) {
      const p = mesh.position;
      const u = velocity.data;
      let opening = 0;
      for (let k = 0; k < 3; k++) opening += (u[3 * b + k] - u[3 * a + k]) * (p[3 * b + k] - p[3 * a + k]);
      return opening > 0;
    },
  };
  const state: FilmsState = {
    tracker,
    rows,
    velocity,
    hold,
    random: createRandom(model.seed),
    time,
    meant: new Map(),
    popped: 0,
    maxSpeed: 0,
    meantMomentum: [0, 0, 0],
  };
  return state;
}

/** Films at rest in air at rest. */
export function startState(model: FilmsModel): FilmsState {
  const state = createState(model, model.startSurface, 0);
  const { mesh } = state.tracker;
  state.hold.begin(mesh, findFineness(model, 0).resolution);
  const scope = model.heap.scope('films start');
  storePotentials(buildSheet(mesh, model.isOpening, scope), state.rows);
  scope.free();
  for (const [label, volume] of measureMeant(state.tracker, findGhosts(model, mesh)))
    state.meant.set(label, volume);
  return state;
}

/** A tracker for the fineness of the present time on the same mesh, where that has changed. */
export function followFineness(model: FilmsModel, state: FilmsState): void {
  const { bounds } = findFineness(model, state.time);
  const { mesh, options, policy, flow } = state.tracker;
  if (options === bounds) return;
  state.tracker.free();
  state.tracker = new Tracker(mesh, bounds, policy, model);
  state.tracker.flow = flow;
}

/** Frees what the tracker holds of the heap. */
function release({ tracker }: FilmsState): void {
  tracker.free();
}

function save(state: FilmsState): StateRecord {
  const { tracker, rows, velocity, hold } = state;
  const { mesh } = tracker;
  const n = mesh.vertexFill;
  const { time, popped, maxSpeed, meant } = state;
  return saveRecord(filmsRecord, {
    time,
    popped,
    width: rows.width,
    maxSpeed,
    position: mesh.position.slice(0, 3 * n),
    triangle: mesh.face.slice(0, 3 * mesh.faceFill),
    label: mesh.label.slice(0, 2 * mesh.faceFill),
    debt: mesh.debt.slice(0, 2 * mesh.faceFill),
    region: rows.region.slice(0, rows.width * n),
    potential: rows.value.slice(0, rows.width * n),
    velocity: velocity.data.slice(0, 3 * n),
    hold: hold.rows.data.slice(0, 5 * n),
    random: state.random.save(),
    meantLabel: Int32Array.from(meant.keys()),
    meantVolume: Float64Array.from(meant.values()),
    meantMomentum: Float64Array.from(state.meantMomentum),
  });
}

function restore(model: FilmsModel, record: StateRecord): FilmsState {
  const saved = readRecord(filmsRecord, record);
  const state = createState(model, saved, saved.time);
  state.rows.restore(saved.width, saved.region, saved.potential);
  state.velocity.data.set(saved.velocity);
  state.hold.rows.data.set(saved.hold);
  state.random.restore(saved.random);
  saved.meantLabel.forEach((label, n) => {
    state.meant.set(label, saved.meantVolume[n]);
  });
  state.popped = saved.popped;
  state.maxSpeed = saved.maxSpeed;
  const [x, y, z] = saved.meantMomentum;
  state.meantMomentum = [x, y, z];
  return state;
}

/** What a checkpoint holds of a state, and how it comes back. */
export const filmsStore = { record: filmsRecord, save, restore, release };
