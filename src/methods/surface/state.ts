/**
 * The state of a run: the packed mesh with its volume debts, the potential and the carried velocity by
 * vertex. Bodies are found anew in every step. The tracker's lists follow from the order of vertices and
 * faces, so that a run resumed goes on to the last bit.
 */
import { defineRecord, readRecord, saveRecord } from '../../core/records.ts';
import type { Seconds } from '../../core/types.ts';
import { buildMultiMesh, type LabelledTriangles, MESH_COLUMNS } from '../../tracking/multimaterial/build.ts';
import { combinePolicies, VertexValues } from '../../tracking/multimaterial/policy.ts';
import { computeSizing } from '../../tracking/multimaterial/sizing.ts';
import { Tracker } from '../../tracking/multimaterial/tracker.ts';
import type { StateRecord } from '../method.ts';
import { LiquidValues } from './edits/liquid-values.ts';
import { buildBody, findBodies } from './liquid/body.ts';
import { countHandles, setSwirlVelocity, startSwirl } from './liquid/swirl.ts';
import { TO_WALLS } from './liquid/time-step.ts';
import type { SurfaceModel } from './model.ts';
import type { Nozzle } from './walls/nozzles.ts';
import { WallVertices } from './walls/wall-vertices.ts';

export interface SurfaceState {
  readonly tracker: Tracker;
  readonly values: LiquidValues;
  /** Undefined where there are no walls. */
  readonly walls: WallVertices | undefined;
  /** Target edge lengths; undefined: the same everywhere. Follows from the rest (sizeEdges). */
  readonly sizing: VertexValues | undefined;
  time: Seconds;
  /** m/s in the last step, beside the mean flow of all: bounds the next */
  maxSpeed: number;
}

/** What a checkpoint of surface holds. */
export const surfaceRecord = defineRecord('surface', {
  time: { type: 'number', unit: 's', meaning: 'since the start' },
  maxSpeed: {
    type: 'number',
    unit: 'm/s',
    meaning: 'of the last step beside the mean flow of all: bounds the next',
  },
  ...MESH_COLUMNS,
  potential: {
    type: 'f64',
    per: 'vertex',
    unit: 'm^2/s',
    meaning: 'of the liquid; a constant of each body is free',
  },
  velocity: {
    type: 'f64',
    per: 'vertex',
    stride: 3,
    unit: 'm/s',
    meaning: 'of the liquid in the last step, without the mean velocity of the body',
  },
  circulation: {
    type: 'f64',
    per: 'vertex',
    unit: 'm^2/s',
    meaning: "around the hole of the vertex's body: the potential is known up to multiples of it",
  },
  walls: { type: 'i32', per: 'vertex', optional: true, meaning: 'walls that each vertex is on, as bits' },
});

function createState(
  model: SurfaceModel,
  surface: LabelledTriangles,
  onWalls: Int32Array | undefined,
  time: Seconds,
): SurfaceState {
  const mesh = buildMultiMesh(surface);
  const walls =
    model.walls.length > 0
      ? new WallVertices(mesh, model.walls, sumBits(model.nozzles), time, onWalls)
      : undefined;
  const values = new LiquidValues(() => mesh);
  if (mesh.vertexFill > 0) values.reserve(mesh.vertexFill - 1);
  const sizing = model.sizing && new VertexValues(1);
  const policies = [values, sizing, walls].filter((policy) => policy !== undefined);
  const tracker = new Tracker(mesh, model.bounds, combinePolicies(...policies), model);
  tracker.walls = walls;
  // An edge is not collapsed into an irregular vertex while the liquid pulls its ends apart (chapter 6).
  tracker.flow = {
    isParting(a, b) {
      const p = mesh.position;
      const [u, w] = [values.velocityAt(a), values.velocityAt(b)];
      let opening = 0;
      for (let k = 0; k < 3; k++) opening += (w[k] - u[k]) * (p[3 * b + k] - p[3 * a + k]);
      return opening > 0;
    },
  };
  return { tracker, values, walls, sizing, time, maxSpeed: 0 };
}

/** Between two steps: how short edges are to be in the next. */
export function sizeEdges(model: SurfaceModel, { tracker, sizing, values }: SurfaceState): void {
  if (sizing) computeSizing(tracker, sizing, model.sizing, values.velocity.data);
}

/** Bits of the nozzles among the walls. */
export const sumBits = (nozzles: readonly Nozzle[]) =>
  nozzles.reduce((bits, { wall }) => bits | (1 << wall), 0);

/** Each liquid moves as a whole, phi = U . x, and around its hole where it has one. */
export function startState(model: SurfaceModel): SurfaceState {
  const state = createState(model, model.startSurface, model.startWalls, 0);
  const { startVelocity: u } = model;
  const { mesh } = state.tracker;
  const { data } = state.values.potential;
  let fastest = 0;
  const hasWalls = model.walls.length > 0;
  const isThesis = model.options.step === 'thesis';
  if (isThesis) state.values.velocity.data.set(u);
  for (let v = 0; v < mesh.vertexFill; v++) {
    data[v] = 0;
    if (!isThesis) for (let k = 0; k < 3; k++) data[v] += u[3 * v + k] * mesh.position[3 * v + k];
    fastest = Math.max(fastest, Math.hypot(u[3 * v] - u[0], u[3 * v + 1] - u[1], u[3 * v + 2] - u[2]));
    if (hasWalls) fastest = Math.max(fastest, TO_WALLS * Math.hypot(u[3 * v], u[3 * v + 1], u[3 * v + 2]));
  }
  state.maxSpeed = Math.max(fastest, startSwirls(model, state));
  sizeEdges(model, state);
  return state;
}

/** Gives every ring its circulation; returns the fastest velocity that makes. */
function startSwirls(model: SurfaceModel, { tracker: { mesh }, values }: SurfaceState): number {
  const { circulation, step } = model.options;
  if (circulation === 0) return 0;
  const bodies = findBodies(mesh);
  let fastest = 0;
  const u = new Float64Array(3);
  bodies.faces.forEach((faces, b) => {
    const scope = model.heap.scope('surface swirl');
    try {
      const body = buildBody(mesh, faces, scope);
      if (countHandles(body, 1 + bodies.cavities[b].length) < 1) return;
      const swirl = startSwirl(body, circulation);
      body.vertexId.forEach((id, v) => {
        setSwirlVelocity(swirl, body.position[3 * v], body.position[3 * v + 1], body.position[3 * v + 2], u);
        if (step === 'thesis') for (let k = 0; k < 3; k++) values.velocity.data[3 * id + k] += u[k];
        else {
          values.circulation.data[id] = circulation;
          values.potential.data[id] += circulation * swirl.angle[v];
        }
        fastest = Math.max(fastest, Math.hypot(...u));
      });
    } finally {
      scope.free();
    }
  });
  return fastest;
}

/** Frees what the tracker holds of the heap. */
function release({ tracker }: SurfaceState): void {
  tracker.free();
}

function save({ tracker, values, walls, time, maxSpeed }: SurfaceState): StateRecord {
  const { mesh } = tracker;
  const n = mesh.vertexFill;
  return saveRecord(surfaceRecord, {
    time,
    maxSpeed,
    position: mesh.position.slice(0, 3 * n),
    triangle: mesh.face.slice(0, 3 * mesh.faceFill),
    label: mesh.label.slice(0, 2 * mesh.faceFill),
    debt: mesh.debt.slice(0, 2 * mesh.faceFill),
    potential: values.potential.data.slice(0, n),
    velocity: values.velocity.data.slice(0, 3 * n),
    circulation: values.circulation.data.slice(0, n),
    walls: walls?.save(),
  });
}

function restore(model: SurfaceModel, record: StateRecord): SurfaceState {
  const saved = readRecord(surfaceRecord, record);
  const state = createState(model, saved, saved.walls, saved.time);
  state.values.potential.data.set(saved.potential);
  state.values.velocity.data.set(saved.velocity);
  state.values.circulation.data.set(saved.circulation);
  state.maxSpeed = saved.maxSpeed;
  sizeEdges(model, state);
  return state;
}

/** What a checkpoint holds of a state, and how it comes back. */
export const surfaceStore = { record: surfaceRecord, save, restore, release };
