/** The stages of a step, timed: what step.ts calls in the order of algorithm 3. */
import { RunError } from '../../core/errors.ts';
import { type StageClock, timed } from '../../core/stages.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import type { AdvanceReport } from '../../tracking/multimaterial/advance.ts';
import { keepVolumes, moveKeepingVolumes } from '../../tracking/multimaterial/conservation/volumes.ts';
import { improveMesh } from '../../tracking/multimaterial/improve.ts';
import { mergeSurfaces } from '../../tracking/multimaterial/merge.ts';
import { separateVertices } from '../../tracking/multimaterial/separate.ts';
import type { Diagnostics, StepReport } from '../method.ts';
import { type Air, createAir, type HeldVertices, updateGradients } from './air/air.ts';
import { type Integrator, integrate } from './air/integrate.ts';
import { buildSheet, type Sheet } from './circulation/sheet.ts';
import { loadPotentials, storePotentials } from './circulation/transfer.ts';
import {
  isFree,
  type Momentum,
  measureAngularMomentum,
  measureMomentum,
  measureMomentumNow,
  restoreMomentum,
} from './conservation/momentum.ts';
import { burstFilm, findOutlet, measureFilms } from './events/burst.ts';
import { namePieces } from './events/pieces.ts';
import { addSourceVelocity, bookSources, findSources } from './events/sources.ts';
import { FilmsLedger } from './ledger.ts';
import { type FilmsModel, findFineness, findGhosts } from './model.ts';
import { type FilmsState, followFineness } from './state.ts';
import { ON_WIRE } from './wires/wires.ts';

/**
 * Longest way of a vertex in a step, in shortest edges; steps are chosen so that half of one is the rule
 * (time-step.ts).
 */
const LONGEST_WAY = 1;

export interface Stages {
  burstFilms(): void;
  /** Circulations and positions after dt on the present mesh; (vertexFill x 3) m. */
  integrateMotion(): Float64Array;
  resolveInterpenetrations(proposed: Float64Array): void;
  mergeSurfaces(): void;
  improveMesh(): void;
  separateVertices(): void;
  nameBubbles(): void;
  keepVolumes(): void;
  accept(): StepReport;
}

export function beginStages(model: FilmsModel, state: FilmsState, clock: StageClock, dt: Seconds): Stages {
  const { tracker } = state;
  const { mesh } = tracker;
  const events: Record<string, number> = {};
  const solver: StepReport['solver'] = {};
  let advance: AdvanceReport | undefined;
  const figures: Diagnostics = {};
  const isGhost = findGhosts(model, mesh);
  const { meant } = state;
  const share = model.kneading?.(mesh, meant, state.time + dt);
  const ledger = new FilmsLedger(model, state, dt);
  return {
    burstFilms: () =>
      timed(clock, 'events', () => {
        burstDueFilms(model, state, dt, events);
        ledger.bookBursts();
      }),

    integrateMotion: () => integrateMotion(model, state, clock, dt, { events, solver, ledger, figures }),

    resolveInterpenetrations: (proposed) =>
      timed(clock, 'collisions', () => {
        placeHeld(state, proposed, dt);
        ledger.bookProposed(proposed);
        advance = moveKeepingVolumes(tracker, isGhost, proposed, share && { meant, share });
        ledger.bookMotion();
      }),

    mergeSurfaces: () => timed(clock, 'merging', () => mergeSurfaces(tracker)),
    improveMesh: () => timed(clock, 'improvement', () => improveMesh(tracker)),
    separateVertices: () => timed(clock, 'separation', () => separateVertices(tracker, 'area')),

    nameBubbles: () =>
      timed(clock, 'volumes', () => {
        ledger.bookEdits();
        // While a foam is kneaded all pieces of a bubble swell and shrink as one.
        if (share) return;
        const named = namePieces(tracker, state.rows, isGhost, meant, model.firstFreeLabel);
        if (named > 0) events['pinchedOff'] = named;
        ledger.bookNames();
      }),

    keepVolumes: () =>
      timed(clock, 'volumes', () => {
        const rounds = keepVolumes(tracker, isGhost, meant, share);
        if (rounds > 0) events['volumeReturns'] = rounds;
      }),

    accept: () =>
      timed(clock, 'packing', () => {
        const booked = ledger.close();
        const { vertex } = tracker.compact();
        state.rows.renumber(vertex);
        state.velocity.follow(vertex);
        state.hold.rows.follow(vertex);
        state.time += dt;
        const done = state.tracker.takeEvents();
        followFineness(model, state);
        const { proximityImpulses, collisionImpulses, zoned, frozen } = advance!;
        return {
          dt,
          solver,
          events: { ...done, ...events, proximityImpulses, collisionImpulses, zoned, frozen },
          ledger: booked,
          figures,
        };
      }),
  };
}

/** What the motion tells of itself. */
interface Told extends Pick<StepReport, 'events' | 'solver'> {
  readonly ledger: FilmsLedger;
  /** Filled in. */
  readonly figures: Diagnostics;
}

/** Figures of air at rest, in the order of the records. */
export const AT_REST: Readonly<Diagnostics> = {
  kineticEnergy: 0,
  momentum: [0, 0, 0],
  angularMomentum: [0, 0, 0],
  returnedMomentum: [0, 0, 0],
};

function integrateMotion(
  model: FilmsModel,
  state: FilmsState,
  clock: StageClock,
  dt: Seconds,
  { events, solver, ledger, figures }: Told,
): Float64Array {
  const { mesh } = state.tracker;
  const { bounds, constants } = findFineness(model, state.time);
  const proposed = mesh.position.slice(0, 3 * mesh.vertexFill);
  const scope = model.heap.scope('films step');
  try {
    const sheet = timed(clock, 'packing', () => buildSheet(mesh, model.isOpening, scope));
    if (sheet.faceCount === 0) {
      // All films have burst, and the air with nothing in it is at rest.
      Object.assign(figures, AT_REST);
      state.maxSpeed = 0;
      state.meantMomentum = [0, 0, 0];
      return proposed;
    }
    const isFreeAir = isFree(model, state.time, dt);
    let returnedMomentum: Momentum = [0, 0, 0];
    const air = timed(clock, 'packing', () => {
      const missing = loadPotentials(sheet, state.rows);
      if (missing > 0) events['circulationsGuessed'] = missing;
      const made = createAir(sheet, constants, model.sums, model.threads, scope);
      made.hold = findHeld(sheet, state, dt);
      returnedMomentum = isFreeAir ? restoreMomentum(made, state.meantMomentum) : [0, 0, 0];
      return made;
    });
    const sources = findSources(mesh, model.options.sources, state.time, dt);
    if (sources.length > 0) {
      air.addSources = (x, u) => addSourceVelocity(sources, x, u);
      bookSources(mesh, sources, dt, state.meant);
      ledger.bookSources(sources);
    }
    const longest = LONGEST_WAY * bounds.minEdge;
    const { integrator } = model.options;
    const motion = timed(clock, 'air', () => integrate(air, integrator, dt, longest));
    if (motion.stopped > 0) events['stopped'] = motion.stopped;
    reportWires(air, solver, events);
    timed(clock, 'packing', () => takeMotion(air, state, proposed));
    const momentum = timed(clock, 'packing', () => measureMotion(air, integrator));
    Object.assign(figures, { kineticEnergy: motion.kineticEnergy, ...momentum, returnedMomentum });
    const keep = Math.exp(-dt * constants.drag);
    state.meantMomentum = isFreeAir
      ? [keep * state.meantMomentum[0], keep * state.meantMomentum[1], keep * state.meantMomentum[2]]
      : [...momentum.momentum];
  } finally {
    scope.free();
  }
  return proposed;
}

/**
 * All iterations of the step, the worst residual, and how many solves ended early: what they leave is a film
 * that the air carries past its wire, which holds it nevertheless.
 */
export function reportWires(
  { wireSolves }: Pick<Air, 'wireSolves'>,
  solver: StepReport['solver'],
  events: Record<string, number>,
): void {
  if (wireSolves.length === 0) return;
  const unsolved = wireSolves.filter(({ isSolved }) => !isSolved).length;
  solver['wires'] = {
    iterations: wireSolves.reduce((sum, { iterations }) => sum + iterations, 0),
    residual: Math.max(...wireSolves.map(({ residual }) => residual)),
    converged: unsolved === 0,
    // It would have the same system to solve: what is left is counted instead.
    shorterStepHelps: false,
  };
  if (unsolved > 0) events['wiresUnsolved'] = unsolved;
}

/** Circulations back to their rows, and positions proposed. */
function takeMotion(air: Air, state: FilmsState, proposed: Float64Array): void {
  const { sheet, velocity } = air;
  storePotentials(sheet, state.rows);
  let fastest = 0;
  for (let v = 0; v < sheet.vertexCount; v++) {
    const id = sheet.vertexId[v];
    state.velocity.reserve(id);
    for (let k = 0; k < 3; k++) {
      proposed[3 * id + k] = sheet.position[3 * v + k];
      state.velocity.data[3 * id + k] = velocity[3 * v + k];
    }
    const speed = Math.hypot(velocity[3 * v], velocity[3 * v + 1], velocity[3 * v + 2]);
    if (!Number.isFinite(speed))
      throw new RunError(
        `vertex ${id}`,
        `velocity ${velocity.subarray(3 * v, 3 * v + 3).join(', ')} m/s`,
        'take smaller steps (films.cfl) or add damping',
      );
    fastest = Math.max(fastest, speed);
  }
  state.maxSpeed = fastest;
}

function measureMotion(air: Air, integrator: Integrator): { momentum: Momentum; angularMomentum: Momentum } {
  // Leapfrog ends with the gradients of where the films now are.
  if (integrator !== 'leapfrog') updateGradients(air);
  return { momentum: measureMomentum(air), angularMomentum: measureAngularMomentum(air) };
}

/**
 * What wires hold in this step, and how fast the wires go: a vertex that a contact keeps off its place is to
 * get there without a speed of its own, which would shorten the step.
 */
function findHeld(sheet: Sheet, { hold, time }: FilmsState, dt: Seconds): HeldVertices | undefined {
  const vertex: number[] = [];
  const velocity: number[] = [];
  const wired: number[] = [];
  for (let v = 0; v < sheet.vertexCount; v++) {
    const id = sheet.vertexId[v];
    if (!hold.isHeld(id)) continue;
    const from = hold.findPlace(id, time);
    const to = hold.findPlace(id, time + dt);
    if (hold.how(id) === ON_WIRE && hasClosed(sheet, v)) wired.push(vertex.length);
    vertex.push(v);
    for (let k = 0; k < 3; k++) velocity.push((to[k] - from[k]) / dt);
  }
  if (vertex.length === 0) return undefined;
  return {
    vertex: Int32Array.from(vertex),
    velocity: Float64Array.from(velocity),
    wired: Int32Array.from(wired),
  };
}

/** Does a vertex have a region that no opening meets there? */
function hasClosed({ entryStart, isOpen }: Sheet, v: number): boolean {
  for (let n = entryStart[v]; n < entryStart[v + 1]; n++) if (!isOpen[n]) return true;
  return false;
}

/** Held vertices go exactly where their wires take them. */
function placeHeld({ tracker, hold, time }: FilmsState, proposed: Float64Array, dt: Seconds): void {
  const { mesh } = tracker;
  for (let v = 0; v < mesh.vertexFill; v++)
    if (mesh.isVertex(v) && hold.isHeld(v)) proposed.set(hold.findPlace(v, time + dt), 3 * v);
}

function burstDueFilms(
  model: FilmsModel,
  state: FilmsState,
  dt: Seconds,
  events: Record<string, number>,
): void {
  const { pops, randomPops } = model.options;
  const isDue = (time: Seconds) => time >= state.time && time < state.time + dt;
  let bursts = 0;
  for (const { time, region, into } of pops) {
    if (!isDue(time)) continue;
    if (burst(model, state, region, into ?? NONE)) bursts++;
    else events['popsWithoutFilm'] = (events['popsWithoutFilm'] ?? 0) + 1;
  }
  while (
    randomPops &&
    state.popped < randomPops.count &&
    randomPops.start + state.popped * randomPops.interval < state.time + dt
  ) {
    state.popped++;
    const region = drawRegion(model, state);
    if (region !== NONE && burst(model, state, region, NONE)) bursts++;
    else events['popsWithoutFilm'] = (events['popsWithoutFilm'] ?? 0) + 1;
  }
  if (bursts > 0) events['bursts'] = bursts;
}

/**
 * Opens a bubble into a neighbour, or into the one it opens into by itself (NONE); false where there is no
 * film.
 */
export function burst(model: FilmsModel, state: FilmsState, region: number, into: number): boolean {
  const films = measureFilms(state.tracker.mesh, region, model.isOpening);
  const outlet = into === NONE ? findOutlet(films) : into;
  if (outlet === NONE || !films.has(outlet)) return false;
  joinMeant(state.meant, region, outlet);
  const faces = burstFilm(state.tracker, state.rows, region, outlet);
  // What the film's circulation held of the momentum goes with it.
  state.meantMomentum = measureMomentumNow(model, state);
  return faces > 0;
}

/**
 * The volume that two regions are meant to have when they become one, under the lower label; none where one
 * of them is open.
 */
function joinMeant(meant: Map<number, number>, a: number, b: number): void {
  const volumes = [meant.get(a), meant.get(b)];
  meant.delete(a);
  meant.delete(b);
  if (volumes[0] !== undefined && volumes[1] !== undefined)
    meant.set(Math.min(a, b), volumes[0] + volumes[1]);
}

/** One of the bubbles, all alike. */
function drawRegion({ isOpening }: FilmsModel, { tracker, random }: FilmsState): number {
  const { mesh } = tracker;
  const labels = new Set<number>();
  for (let h = 0; h < 2 * mesh.faceFill; h++) if (mesh.isFace(h >> 1)) labels.add(mesh.label[h]);
  labels.delete(0);
  const sorted = [...labels].filter((label) => !isOpening(label)).sort((a, b) => a - b);
  return sorted.length > 0 ? sorted[random.nextInt(sorted.length)] : NONE;
}
