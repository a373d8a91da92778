/**
 * The stages of a step, timed and with their memory: what step.ts calls in the paper's order. Results that become the next
 * state live in one heap scope, everything else in another that is freed at the end of the step.
 */
import { type StageClock, timed } from '../../core/stages.ts';
import type { Seconds } from '../../core/types.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { buildSurfaceIndex, type SurfaceIndex } from '../../tracking/contouring/distance.ts';
import type { StepReport } from '../method.ts';
import type { Flow } from './flow.ts';
import { dropUnmeshedFragments } from './fragments.ts';
import { classifyFaces, stuffLiquid } from './mesh-stage.ts';
import type { LatticeModel } from './model.ts';
import type { Conditions } from './pressure.ts';
import { type Projection, project } from './pressure-stage.ts';
import { addSources } from './sources.ts';
import {
  buildDerived,
  buildFlow,
  buildMeshParts,
  type LatticeState,
  type MeshParts,
  releaseState,
} from './state.ts';
import { contourAdvected } from './surface-stage.ts';
import type { ParticleUnion } from './thickening/particle-surface.ts';
import { advectThinLiquid } from './thickening/stage.ts';
import { type Advected, addBodyForce, advectVelocity, computeAcceleration } from './velocity-stage.ts';

/** The new surface, ready for distance queries. */
export interface NewSurface {
  readonly contour: Contour;
  readonly index: SurfaceIndex;
}

/** Pressure, and the conditions it was solved under. */
export interface NewPressure extends Projection {
  readonly conditions: Conditions;
  /** m^3/s that the drains take */
  readonly drainFlow: number;
}

export interface Stages {
  extendVelocity(): Flow;
  advectThinLiquid(flow: Flow): ParticleUnion | undefined;
  contourAdvected(flow: Flow, thin: ParticleUnion | undefined): NewSurface;
  stuff(surface: NewSurface): MeshParts;
  advectVelocity(flow: Flow, mesh: MeshParts): Advected;
  addBodyForce(mesh: MeshParts, outVelocity: Advected): void;
  project(surface: NewSurface, mesh: MeshParts, outVelocity: Advected): NewPressure;
  /** Replaces the state by the new one. */
  accept(surface: NewSurface, mesh: MeshParts, velocity: Advected, pressure: NewPressure): StepReport;
  /** Frees the step's memory; without `accept` before, the state is as it was. */
  end(): void;
}

export function beginStages(
  model: LatticeModel,
  state: LatticeState,
  clock: StageClock,
  dt: Seconds,
): Stages {
  const next = model.heap.scope('lattice state');
  const scratch = model.heap.scope('lattice step');
  const time = state.time + dt;
  const surroundings = model.surroundingsAt(time);
  let accepted = false;
  return {
    extendVelocity: () => timed(clock, 'extend', () => buildFlow(model, state, dt, scratch)),

    advectThinLiquid: (flow) =>
      timed(clock, 'surface', () => advectThinLiquid(model, state, flow, dt, scratch)),

    contourAdvected: (flow, thin) =>
      timed(clock, 'surface', () => {
        const contour = contourAdvected(model, surroundings, state, flow, dt, next, scratch, thin);
        return { contour, index: buildSurfaceIndex(contour.surface, model.contour.walls, next) };
      }),

    stuff: ({ contour, index }) =>
      timed(clock, 'mesh', () =>
        buildMeshParts(model, stuffLiquid(model, surroundings, contour, index, next, scratch), next),
      ),

    advectVelocity: (flow, mesh) =>
      timed(clock, 'advect', () => advectVelocity(model, flow, mesh, dt, next, scratch)),

    addBodyForce: (mesh, { velocity }) => addBodyForce(model.gravity, mesh, dt, velocity),

    project: ({ index }, mesh, { velocity }) =>
      timed(clock, 'pressure', () => {
        const conditions = classifyFaces(model, surroundings, mesh, index, next);
        const drainFlow = addSources(model, time, mesh, conditions, velocity);
        return { conditions, drainFlow, ...project(model, mesh, conditions, velocity, next, scratch) };
      }),

    accept: ({ contour, index }, parts, { velocity, former }, pressure) => {
      const { conditions, facePressure, report } = pressure;
      const kept = timed(clock, 'surface', () =>
        dropUnmeshedFragments(model, contour.surface, index, parts.mesh, next),
      );
      const faceAcceleration = computeAcceleration(former, velocity, dt, next);
      const derived = timed(clock, 'extend', () =>
        buildDerived(
          model,
          surroundings,
          kept.surface,
          kept.index,
          parts,
          velocity,
          faceAcceleration,
          conditions.kind,
          next,
        ),
      );
      releaseState(state);
      state.scope = next;
      for (const emitter of model.emitters)
        state.targetVolume += emitter.emittedUntil(time) - emitter.emittedUntil(state.time);
      state.targetVolume -= state.drainFlow * dt;
      state.drained += state.drainFlow * dt;
      state.drainFlow = pressure.drainFlow;
      state.time = time;
      state.surface = kept.surface;
      state.mesh = parts.mesh;
      state.faceVelocity = velocity;
      state.faceAcceleration = faceAcceleration;
      state.faceKind = conditions.kind;
      state.facePressure = facePressure;
      state.pressureStep = dt;
      state.derived = derived;
      accepted = true;
      return { dt, solver: { pressure: report }, events: { lostFragments: kept.dropped } };
    },

    end: () => {
      scratch.free();
      if (accepted) return;
      next.free();
      surroundings.scope?.free();
    },
  };
}
