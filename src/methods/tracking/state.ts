/**
 * The state of a tracked surface: packed mesh with labels and volume debts, and the time. All else in the
 * tracker (lists, grid, features) follows from the order of vertices and faces, and the mesh is packed after
 * every step, so a state that was saved and restored goes on to the last bit.
 */
import { defineRecord, readRecord, saveRecord } from '../../core/records.ts';
import type { Seconds } from '../../core/types.ts';
import { buildMultiMesh, type LabelledTriangles, MESH_COLUMNS } from '../../tracking/multimaterial/build.ts';
import { combinePolicies, VertexValues } from '../../tracking/multimaterial/policy.ts';
import { Tracker } from '../../tracking/multimaterial/tracker.ts';
import { Walls } from '../../tracking/multimaterial/walls.ts';
import type { StateRecord } from '../method.ts';
import { computeVelocity } from './flow-sum.ts';
import type { TrackingModel } from './model.ts';

export interface TrackingState {
  readonly tracker: Tracker;
  /** Target edge lengths by vertex where they vary; set anew in every step. */
  readonly sizing: VertexValues | undefined;
  time: Seconds;
  /** What the flows want of every vertex, before collisions, (vertexFill x 3) m/s, and the fastest of it */
  velocity: Float64Array;
  maxSpeed: number;
  /** Those of the tracker. */
  readonly walls: Walls | undefined;
}

/** What a checkpoint of a tracked surface holds. */
export const trackingRecord = defineRecord('tracking', {
  time: { type: 'number', unit: 's', meaning: 'since the start' },
  ...MESH_COLUMNS,
  walls: { type: 'u8', per: 'vertex', optional: true, meaning: 'walls that each vertex stays on' },
});

export function buildState(
  model: TrackingModel,
  surface: LabelledTriangles,
  time: Seconds,
  savedWalls?: Uint8Array,
): TrackingState {
  const sizing = model.sizing ? new VertexValues(1) : undefined;
  const mesh = buildMultiMesh(surface);
  const walls = model.walls && new Walls(mesh, model.walls, savedWalls);
  const policies = [sizing, walls].filter((policy) => policy !== undefined);
  const tracker = new Tracker(mesh, model.bounds, combinePolicies(...policies), model);
  tracker.walls = walls;
  const state: TrackingState = { tracker, sizing, time, velocity: new Float64Array(0), maxSpeed: 0, walls };
  setVelocity(model, state);
  return state;
}

/** After the mesh or the time changed. */
export function setVelocity(model: TrackingModel, state: TrackingState): void {
  const velocity = computeVelocity(model.flows, state.tracker, state.time, model.timeStep);
  let fastest = 0;
  for (let n = 0; n < velocity.length; n += 3) {
    const [x, y, z] = [velocity[n], velocity[n + 1], velocity[n + 2]];
    fastest = Math.max(fastest, x * x + y * y + z * z);
  }
  state.velocity = velocity;
  state.maxSpeed = Math.sqrt(fastest);
}

function save({ tracker, time, walls }: TrackingState): StateRecord {
  const { mesh } = tracker;
  return saveRecord(trackingRecord, {
    time,
    position: mesh.position.subarray(0, 3 * mesh.vertexFill),
    triangle: mesh.face.subarray(0, 3 * mesh.faceFill),
    label: mesh.label.subarray(0, 2 * mesh.faceFill),
    debt: mesh.debt.subarray(0, 2 * mesh.faceFill),
    walls: walls?.save(),
  });
}

function restore(model: TrackingModel, record: StateRecord): TrackingState {
  const saved = readRecord(trackingRecord, record);
  return buildState(model, saved, saved.time, saved.walls);
}

function release({ tracker }: TrackingState): void {
  tracker.free();
}

/** What a checkpoint holds of a state, and how it comes back. */
export const trackingStore = { record: trackingRecord, save, restore, release };
