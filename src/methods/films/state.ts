/**
 * The state of a run: packed mesh with labels and volume debts, circulations, what wires hold, what is left of the random events. The tracker's lists follow from the order of
 * vertices and faces, and the mesh is packed after every step, so that a run resumed from a checkpoint goes on to the last bit.
 */
import { InputError } from '../../core/errors.ts';
import { createRandom, type Random } from '../../core/random.ts';
import type { Seconds } from '../../core/types.ts';
import { buildMultiMesh, type LabelledTriangles } from '../../tracking/multimaterial/build.ts';
import { combinePolicies, VertexValues } from '../../tracking/multimaterial/policy.ts';
import { Tracker } from '../../tracking/multimaterial/tracker.ts';
import type { StateRecord } from '../method.ts';
import { createConservation } from './circulation/conserve.ts';
import { RegionPotentials } from './circulation/potentials.ts';
import { createResampling } from './circulation/resample.ts';
import { buildSheet } from './circulation/sheet.ts';
import { storePotentials } from './circulation/transfer.ts';
import type { Momentum } from './conservation/momentum.ts';
import { measureMeant } from './conservation/volumes.ts';
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
  /** Volume of its own that each closed region is meant to have, by label, m^3; kneading gives it a share of that. */
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
export function releaseState({ tracker }: FilmsState): void {
  tracker.free();
}

export function saveState(state: FilmsState): StateRecord {
  const { tracker, rows, velocity, hold } = state;
  const { mesh } = tracker;
  const n = mesh.vertexFill;
  return {
    numbers: {
      time: state.time,
      popped: state.popped,
      width: rows.width,
      maxSpeed: state.maxSpeed,
    },
    arrays: {
      position: mesh.position.slice(0, 3 * n),
      triangle: mesh.face.slice(0, 3 * mesh.faceFill),
      label: mesh.label.slice(0, 2 * mesh.faceFill),
      debt: mesh.debt.slice(0, 2 * mesh.faceFill),
      region: rows.region.slice(0, rows.width * n),
      potential: rows.value.slice(0, rows.width * n),
      velocity: velocity.data.slice(0, 3 * n),
      hold: hold.rows.data.slice(0, 5 * n),
      random: state.random.save(),
      meantLabel: Int32Array.from(state.meant.keys()),
      meantVolume: Float64Array.from(state.meant.values()),
      meantMomentum: Float64Array.from(state.meantMomentum),
    },
  };
}

export function restoreState(model: FilmsModel, { numbers, arrays }: StateRecord): FilmsState {
  const surface = {
    position: arrays['position'] as Float64Array,
    triangle: arrays['triangle'] as Int32Array,
    label: arrays['label'] as Int32Array,
  };
  const state = createState(model, surface, numbers['time']);
  const { mesh } = state.tracker;
  const debt = arrays['debt'] as Float64Array;
  for (let h = 0; h < debt.length; h++) mesh.setDebt(h, debt[h]);
  state.rows.restore(numbers['width'], arrays['region'] as Int32Array, arrays['potential'] as Float64Array);
  state.velocity.data.set(arrays['velocity'] as Float64Array);
  state.hold.rows.data.set(arrays['hold'] as Float64Array);
  state.random.restore(arrays['random'] as Int32Array);
  const meantVolume = arrays['meantVolume'] as Float64Array;
  (arrays['meantLabel'] as Int32Array).forEach((label, n) => {
    state.meant.set(label, meantVolume[n]);
  });
  state.popped = numbers['popped'];
  state.maxSpeed = numbers['maxSpeed'];
  const saved = arrays['meantMomentum'];
  if (!saved)
    throw new InputError(
      'checkpoint',
      'no meantMomentum in it: written by an earlier version',
      'run the scene anew',
    );
  state.meantMomentum = [saved[0], saved[1], saved[2]];
  return state;
}
