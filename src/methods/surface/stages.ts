/** The stages of a step, timed: what step.ts calls in the order of the algorithm. */

import { RunError } from '../../core/errors.ts';
import { type StageClock, timed } from '../../core/stages.ts';
import type { Seconds } from '../../core/types.ts';
import type { AdvanceReport } from '../../tracking/multimaterial/advance.ts';
import {
  keepVolumes,
  measureMeant,
  moveKeepingVolumes,
} from '../../tracking/multimaterial/conservation/volumes.ts';
import { computeDisplacement } from '../../tracking/multimaterial/merge.ts';
import type { Diagnostics, StepReport } from '../method.ts';
import { type Impulses, measureImpulses, restoreImpulses } from './conservation/impulses.ts';
import { createEditStages } from './edit-stages.ts';
import { SurfaceLedger } from './ledger.ts';
import { buildBody, findBodies } from './liquid/body.ts';
import { type BodyReport, integrateBody } from './liquid/integrate.ts';
import { findSwirl, giveSwirl } from './liquid/swirl.ts';
import { TO_WALLS } from './liquid/time-step.ts';
import type { SurfaceModel } from './model.ts';
import { computeStableStep, findLeastEdge } from './stable-step.ts';
import { type SurfaceState, sizeEdges } from './state.ts';
import { captureVertices, dropDrifted, releasePatches } from './walls/capture.ts';
import { integrateOnWalls } from './walls/integrate.ts';
import { emit, removeLeft } from './walls/sources.ts';

/**
 * Longest way of a vertex in a step beside its body's mean flow, in shortest edges; steps are chosen so that
 * half of one is the rule.
 */
const LONGEST_WAY = 1;
/**
 * Largest change of an edge in a step, in its length. A flow may turn fast at once, where bodies have met:
 * such a step is taken again, shorter, down to a part of the stable one.
 */
const LARGEST_STRAIN = 1;
const LEAST_PART = 1 / 12;
/** Pieces of any size keep their own volume. */
const NO_CRUMBS = 0;
/** Cusps that have just closed stand in each other's way, and take some rounds. */
const SETTLING = { tolerance: 1e-5, rounds: 16 };

export interface Stages {
  /** Potentials and positions after dt on the present mesh; (vertexFill x 3) m. */
  integrateMotion(): Float64Array;
  /** Puts vertices that would go through walls on them; liquid that nozzles give is owed to their bodies. */
  meetWalls(proposed: Float64Array): void;
  resolveInterpenetrations(proposed: Float64Array): void;
  mergeSurfaces(): void;
  improveMesh(): void;
  separateVertices(): void;
  keepVolumes(): void;
  keepImpulses(): void;
  accept(): StepReport;
}

export function beginStages(
  model: SurfaceModel,
  state: SurfaceState,
  clock: StageClock,
  dt: Seconds,
): Stages {
  const { tracker, values, walls } = state;
  const events: Record<string, number> = {};
  const solver: StepReport['solver'] = {};
  const figures: Diagnostics = {};
  const ledger = new SurfaceLedger(
    state,
    model.nozzles.length > 0 || model.walls.some(({ velocity }) => velocity),
  );
  const edits = createEditStages(model, state, clock, ledger);
  let advance: AdvanceReport | undefined;
  let motion: Float64Array | undefined;
  let impulses: Impulses | undefined;
  /** Where the flow says that vertices go. */
  let flown: Float64Array | undefined;
  /** Volume of all liquid after the motion: what edits take without booking it is known by it. */
  let meant: Map<number, number> | undefined;
  return {
    integrateMotion: () =>
      timed(clock, 'flow', () => integrateMotion(model, state, dt, { events, solver, figures })),

    meetWalls: (proposed) =>
      timed(clock, 'walls', () => {
        flown = proposed.slice();
        if (!walls) return;
        const released = releasePatches(state, walls);
        if (released > 0) events['released'] = released;
        walls.time = state.time + dt;
        const captured = captureVertices(state, walls, model, proposed);
        if (captured > 0) events['captured'] = captured;
        ledger.bookEmitted(emit(model, state, dt));
      }),

    resolveInterpenetrations: (proposed) =>
      timed(clock, 'collisions', () => {
        motion = computeDisplacement(tracker, proposed);
        ledger.bookProposed(proposed);
        advance = moveKeepingVolumes(tracker, undefined, proposed, undefined, NO_CRUMBS);
        values.onMoved(flown!);
        if (walls) dropDrifted(tracker.mesh, walls, tracker.length);
        ledger.bookMotion();
        meant = measureMeant(tracker, undefined);
        impulses = measureImpulses(model, state);
      }),

    mergeSurfaces: () => {
      edits.merge(motion);
      if (values.merges > 0) events['merges'] = values.merges;
    },

    improveMesh: edits.improveMesh,
    separateVertices: edits.separateVertices,

    keepVolumes: () =>
      timed(clock, 'volumes', () => {
        const from = tracker.mesh.position.slice(0, 3 * tracker.mesh.vertexFill);
        const rounds = keepVolumes(tracker, undefined, meant!, undefined, NO_CRUMBS, SETTLING);
        values.onMoved(from);
        if (rounds > 0) events['volumeReturns'] = rounds;
      }),

    keepImpulses: () =>
      timed(clock, 'impulses', () => {
        const { returned, pinches } = restoreImpulses(model, state, impulses!);
        figures.returnedMomentum = returned;
        if (pinches > 0) events['pinches'] = pinches;
      }),

    accept: () =>
      timed(clock, 'packing', () => {
        ledger.bookKept();
        walls?.forgetLeft();
        const removed = removeLeft(model, state);
        if (removed > 0) events['left'] = removed;
        ledger.bookLeft();
        const booked = ledger.close();
        const { vertex } = tracker.compact();
        values.follow(vertex);
        sizeEdges(model, state);
        state.time += dt;
        const { proximityImpulses, collisionImpulses, zoned, frozen } = advance!;
        return {
          dt,
          solver,
          events: { ...tracker.takeEvents(), ...events, proximityImpulses, collisionImpulses, zoned, frozen },
          ledger: booked,
          figures,
        };
      }),
  };
}

/** What the motion tells of itself. */
interface Told extends Pick<StepReport, 'events' | 'solver'> {
  /** Filled in. */
  readonly figures: Diagnostics;
}

function integrateMotion(
  model: SurfaceModel,
  state: SurfaceState,
  dt: Seconds,
  { events, solver, figures }: Told,
): Float64Array {
  const { tracker, values } = state;
  const { mesh } = tracker;
  const proposed = mesh.position.slice(0, 3 * mesh.vertexFill);
  const bodies = findBodies(mesh);
  const stable = computeStableStep(model, state, bodies);
  const reports: BodyReport[] = [];
  const isMote: boolean[] = [];
  for (let b = 0; b < bodies.count; b++) {
    const scope = model.heap.scope('surface step');
    try {
      const body = buildBody(mesh, bodies.faces[b], scope);
      const { vertexCount, vertexId, position } = body;
      const potential = scope.f64(vertexCount);
      const velocity = scope.f64(3 * vertexCount);
      for (let v = 0; v < vertexCount; v++) potential[v] = values.potential.data[vertexId[v]];
      for (let n = 0; n < 3 * vertexCount; n++)
        velocity[n] = values.velocity.data[3 * vertexId[(n / 3) | 0] + (n % 3)];
      const circulation = values.circulation.data[vertexId[0]];
      const swirl = findSwirl(body, 1 + bodies.cavities[b].length, circulation, potential);
      if (circulation !== 0 && !swirl) events['closedHoles'] = (events['closedHoles'] ?? 0) + 1;
      isMote.push(bodies.volume[b] < model.moteVolume);
      const cavities = bodies.cavities[b].map((faces) => listVertices(mesh.face, faces, body));
      const motion = { body, cavities, potential, velocity, isMote: isMote[b], swirl };
      const longest = LONGEST_WAY * findLeastEdge(model, state);
      const onWalls = state.walls && {
        constants: model.constants,
        walls: state.walls,
        nozzles: model.nozzles,
      };
      const report =
        (onWalls && integrateOnWalls(model, onWalls, motion, dt, longest)) ??
        integrateBody(model, model.constants, motion, dt, longest);
      reports.push(report);
      if (swirl) giveSwirl(swirl, potential);
      for (let v = 0; v < vertexCount; v++) {
        if (!swirl) values.circulation.data[vertexId[v]] = 0;
        values.potential.data[vertexId[v]] = potential[v];
        for (let k = 0; k < 3; k++) {
          proposed[3 * vertexId[v] + k] = position[3 * v + k];
          values.velocity.data[3 * vertexId[v] + k] = velocity[3 * v + k];
        }
      }
    } finally {
      scope.free();
    }
  }
  values.begin(
    bodies.ofVertex,
    reports.map(({ mean }) => mean),
    isMote,
    bodies.volume,
    reports.map(({ isOnWalls }) => isOnWalls === true),
  );
  state.maxSpeed = measureSpeed(state, reports, proposed, model.walls.length > 0);
  const isShort = dt <= LEAST_PART * stable;
  tell(reports, isMote, isShort, { events, solver, figures });
  return proposed;
}

/** Packed vertices of some faces. */
function listVertices(
  face: Int32Array,
  faces: Int32Array,
  { vertexId }: { readonly vertexId: Int32Array },
): Int32Array {
  const ids = new Set<number>();
  for (const f of faces) for (let c = 3 * f; c < 3 * f + 3; c++) ids.add(face[c]);
  const found: number[] = [];
  vertexId.forEach((id, v) => {
    if (ids.has(id)) found.push(v);
  });
  return Int32Array.from(found);
}

/** Fastest vertex beside the mean flow of all liquid, and in part beside walls. */
function measureSpeed(
  { values, tracker }: SurfaceState,
  reports: readonly BodyReport[],
  proposed: Float64Array,
  hasWalls: boolean,
): number {
  const { mesh } = tracker;
  const whole = reports.reduce((sum, { volume }) => sum + volume, 0);
  const drift = [0, 1, 2].map(
    (k) => reports.reduce((sum, { mean, volume }) => sum + mean[k] * volume, 0) / whole,
  );
  let fastest = 0;
  let fastestBesideWalls = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    const owner = mesh.isVertex(v) ? values.findOwner(v) : -1;
    if (owner < 0) continue;
    let square = 0;
    let besideWalls = 0;
    for (let k = 0; k < 3; k++) {
      const u = values.velocity.data[3 * v + k] + reports[owner].mean[k];
      square += (u - drift[k]) ** 2;
      besideWalls += u ** 2;
    }
    if (!Number.isFinite(square + proposed[3 * v]))
      throw new RunError(
        `vertex ${v}`,
        `its speed is ${Math.sqrt(square)} m/s`,
        'take smaller steps (surface.cfl) or add surface.damping',
      );
    fastest = Math.max(fastest, square);
    fastestBesideWalls = Math.max(fastestBesideWalls, besideWalls);
  }
  return Math.max(Math.sqrt(fastest), hasWalls ? TO_WALLS * Math.sqrt(fastestBesideWalls) : 0);
}

function tell(
  reports: readonly BodyReport[],
  isMote: readonly boolean[],
  isShort: boolean,
  { events, solver, figures }: Told,
): void {
  const solves = reports.flatMap(({ solve }) => (solve ? [solve] : []));
  if (solves.length > 0)
    solver['flow'] = {
      iterations: Math.max(...solves.map(({ iterations }) => iterations)),
      residual: Math.max(...solves.map(({ residual }) => residual)),
      converged: solves.every(({ converged }) => converged),
      // It would have nearly the same system to solve.
      shorterStepHelps: false,
    };
  const strain = reports.reduce((most, report) => Math.max(most, report.strain), 0);
  solver['motion'] = {
    iterations: 1,
    residual: strain,
    converged: strain <= LARGEST_STRAIN,
    shorterStepHelps: !isShort,
  };
  if (strain > LARGEST_STRAIN) events['torn'] = 1;
  const stopped = reports.reduce((sum, report) => sum + report.stopped, 0);
  if (stopped > 0) events['stopped'] = stopped;
  events['bodies'] = reports.length;
  const motes = isMote.filter(Boolean).length;
  if (motes > 0) events['motes'] = motes;
  figures.kineticEnergy = reports.reduce((sum, { kineticEnergy }) => sum + kineticEnergy, 0);
}
