/**
 * The stages of a step, timed and with their memory: what step.ts calls in the paper's order. Results that become the next
 * state live in one heap scope, what stages hand on in another that is freed at the end of the step, the rest with its stage.
 */
import { type StageClock, timed } from '../../core/stages.ts';
import type { Seconds } from '../../core/types.ts';
import { classifyFaces } from '../../flow/boundary/conditions.ts';
import { type ContactProjection, projectWithContact } from '../../flow/boundary/contact.ts';
import { freeOpenedTriangles } from '../../flow/boundary/let-go.ts';
import { addSources } from '../../flow/boundary/sources.ts';
import { type ContourUnion, contourAdvected } from '../../flow/contour/advected-contour.ts';
import { buildLedger, measureEnergy, type Transport } from '../../flow/liquid/ledger.ts';
import { type KeptSurface, LiquidStep } from '../../flow/liquid/stages.ts';
import { buildDerived, type LiquidState, releaseLiquid } from '../../flow/liquid/state.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { createStuffer } from '../../flow/mesh/mesher.ts';
import {
  type Advected,
  addBodyForce,
  advectVelocity,
  computeAcceleration,
} from '../../flow/velocity/advection.ts';
import type { MeshVelocity } from '../../flow/velocity/mesh-velocity.ts';
import { holdByScene } from '../../flow/viscosity/wall-vertices.ts';
import { dropUnmeshedFragments } from '../../flow/volume/fragments.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { buildSignGrid } from '../../tracking/contouring/signs.ts';
import { buildSurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { StepReport } from '../method.ts';
import type { LatticeModel } from './model.ts';
import { advectThinLiquid, thickenMesh } from './thickening/stage.ts';
import { addViscosity, type Viscosity } from './viscosity.ts';

/** The new contour, and what the flow made of the old surface. */
export interface NewContour {
  readonly contour: Contour;
  readonly transport: Transport;
}

/** The new surface with the volumes it should have, ready for distance queries. */
export type NewSurface = NewContour & KeptSurface;

/** Pressure, and what bounds the liquid. */
export interface NewPressure extends ContactProjection {
  /** m^3/s that the drains take */
  readonly drainFlow: number;
  readonly energy: ReturnType<typeof measureEnergy>;
}

export interface Stages {
  extendVelocity(): MeshVelocity;
  advectThinLiquid(flow: MeshVelocity): ContourUnion | undefined;
  contourAdvected(flow: MeshVelocity, thin: ContourUnion | undefined): NewContour;
  /** Shifts the contour's vertices. */
  keepVolumes(flow: MeshVelocity, contour: NewContour): NewSurface;
  stuff(surface: NewSurface): MeshParts;
  advectVelocity(flow: MeshVelocity, mesh: MeshParts): Advected;
  addBodyForce(mesh: MeshParts, outVelocity: Advected): void;
  /** Undefined where the liquid is inviscid. */
  addViscosity(mesh: MeshParts, outVelocity: Advected): Viscosity | undefined;
  project(surface: NewSurface, mesh: MeshParts, outVelocity: Advected): NewPressure;
  /** Replaces the state by the new one. */
  accept(
    surface: NewSurface,
    mesh: MeshParts,
    velocity: Advected,
    viscosity: Viscosity | undefined,
    pressure: NewPressure,
  ): StepReport;
  /** Frees the step's memory; without `accept` before, the state is as it was. */
  end(): void;
}

export function beginStages(model: LatticeModel, state: LiquidState, clock: StageClock, dt: Seconds): Stages {
  const own = new LiquidStep('lattice', model, state, clock, dt);
  const { next, scratch, time, lead, surroundings } = own;
  return {
    extendVelocity: () => own.extendVelocity(),

    advectThinLiquid: (flow) =>
      timed(clock, 'surface', () => advectThinLiquid(model, state, flow, dt, scratch)),

    contourAdvected: (flow, thin) => {
      const carried = own.carrySurface(flow);
      const transport = own.measureTransport(carried);
      const contour = timed(clock, 'surface', () =>
        own.within('contour', (memory) =>
          contourAdvected(model, surroundings, state, carried, next, memory, thin),
        ),
      );
      return { contour, transport };
    },

    keepVolumes: (flow, moved) => ({ ...moved, ...own.keepVolumes(flow, moved.contour) }),

    stuff: ({ contour, index }) =>
      own.mesh(
        contour,
        index,
        createStuffer(model, (surface, memory) => thickenMesh(model, surface, memory)),
      ),

    advectVelocity: (flow, mesh) =>
      timed(clock, 'advect', () => {
        const advected = advectVelocity(model, state, flow, mesh, dt, next, scratch);
        own.flowScope.free(); // the last stage that reads the old flow
        return advected;
      }),

    addBodyForce: (mesh, { velocity }) => addBodyForce(model.gravity, mesh, dt, velocity),

    addViscosity: (mesh, { velocity }) =>
      model.viscosity === 0
        ? undefined
        : timed(clock, 'viscosity', () =>
            own.within('viscosity', (memory) => {
              const nodes = holdByScene(model, surroundings, mesh, time + lead, memory);
              return addViscosity(model, mesh, nodes, dt, velocity, memory);
            }),
          ),

    project: ({ index }, mesh, { velocity, former, formerPressure }) =>
      timed(clock, 'pressure', () =>
        own.within('pressure', (memory) => {
          const conditions = classifyFaces(model, surroundings, mesh, index, memory, dt);
          conditions.former.set(former);
          const drainFlow = addSources(model, time + lead, mesh, conditions, velocity);
          const projection = projectWithContact(
            model,
            mesh,
            conditions,
            dt,
            velocity,
            next,
            memory,
            formerPressure,
          );
          const energy = measureEnergy(
            model,
            mesh,
            conditions,
            projection.facePressure,
            velocity,
            dt,
            memory,
          );
          return { drainFlow, ...projection, energy };
        }),
      ),

    accept: ({ contour, index, books, transport }, parts, { velocity, former }, viscosity, pressure) => {
      const { faceKind, facePressure, opened, rounds, report } = pressure;
      const signs = buildSignGrid(contour.signs, next);
      const kept = timed(clock, 'surface', () => {
        const freed = freeOpenedTriangles(model, parts, faceKind, opened, contour.surface);
        const current = freed > 0 ? buildSurfaceIndex(contour.surface, model.contour.walls, next) : index;
        return dropUnmeshedFragments(model, contour.surface, current, books, parts.mesh, signs, next);
      });
      const faceAcceleration = computeAcceleration(former, velocity, dt, next);
      const faces = { faceVelocity: velocity, faceAcceleration, faceKind };
      const derived = timed(clock, 'extend', () =>
        buildDerived(model, surroundings, { ...kept, parts, faces }, next),
      );
      const sums = buildLedger(model, state, time, transport, books, kept, pressure.energy);
      const ledger = viscosity ? { ...sums, energy: { ...sums.energy, viscosity: -viscosity.heat } } : sums;
      releaseLiquid(state);
      state.scope = next;
      state.pieceTarget = kept.target;
      state.droplets = kept.droplets;
      state.drainFlow = pressure.drainFlow;
      state.time = time;
      state.lead = lead;
      state.surface = kept.surface;
      state.signs = signs;
      state.mesh = parts.mesh;
      state.faceVelocity = velocity;
      state.faceAcceleration = faceAcceleration;
      state.faceKind = faceKind;
      state.facePressure = facePressure;
      state.pressureStep = dt;
      state.derived = derived;
      own.accept();
      return {
        dt,
        solver: viscosity ? { viscosity: viscosity.report, pressure: report } : { pressure: report },
        events: { droplets: kept.dropped, contactRounds: rounds, volumeShift: books.largestShift },
        ledger,
      };
    },

    end: () => own.end(),
  };
}
