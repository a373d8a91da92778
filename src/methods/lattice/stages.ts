/**
 * The stages of a step, timed and with their memory: what step.ts calls in the paper's order. Results that become the next
 * state live in one heap scope, what stages hand on in another that is freed at the end of the step, the rest with its stage.
 */
import type { Heap, HeapScope } from '../../core/heap.ts';
import { type StageClock, timed } from '../../core/stages.ts';
import type { Seconds } from '../../core/types.ts';
import { classifyFaces } from '../../flow/boundary/conditions.ts';
import { type ContactProjection, projectWithContact } from '../../flow/boundary/contact.ts';
import { freeOpenedTriangles } from '../../flow/boundary/let-go.ts';
import { addSources } from '../../flow/boundary/sources.ts';
import { type ContourUnion, contourAdvected } from '../../flow/contour/advected-contour.ts';
import { buildLedger, measureEnergy, measureTransport, type Transport } from '../../flow/liquid/ledger.ts';
import { buildDerived, buildMeshVelocity, type LiquidState, releaseLiquid } from '../../flow/liquid/state.ts';
import { buildMeshParts, type MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { stuffLiquid } from '../../flow/mesh/stuff-liquid.ts';
import {
  type Advected,
  addBodyForce,
  advectVelocity,
  computeAcceleration,
} from '../../flow/velocity/advection.ts';
import type { MeshVelocity } from '../../flow/velocity/mesh-velocity.ts';
import { dropUnmeshedFragments } from '../../flow/volume/fragments.ts';
import { keepVolumes, type PieceBooks } from '../../flow/volume/keep-volumes.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { buildSignGrid } from '../../tracking/contouring/signs.ts';
import { buildSurfaceIndex, type SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { StepReport } from '../method.ts';
import type { LatticeModel } from './model.ts';
import { advectThinLiquid, thickenMesh } from './thickening/stage.ts';

/** The new contour, and what the flow made of the old surface. */
export interface NewContour {
  readonly contour: Contour;
  readonly transport: Transport;
}

/** The new surface with the volumes it should have, ready for distance queries. */
export interface NewSurface extends NewContour {
  readonly index: SurfaceIndex;
  readonly books: PieceBooks;
}

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
  project(surface: NewSurface, mesh: MeshParts, outVelocity: Advected): NewPressure;
  /** Replaces the state by the new one. */
  accept(surface: NewSurface, mesh: MeshParts, velocity: Advected, pressure: NewPressure): StepReport;
  /** Frees the step's memory; without `accept` before, the state is as it was. */
  end(): void;
}

/** Runs a stage with memory of its own, so that the largest stage alone, not the sum of all, decides what a step needs. */
function withScratch<T>(heap: Heap, name: string, stage: (scratch: HeapScope) => T): T {
  const scratch = heap.scope(name);
  try {
    return stage(scratch);
  } finally {
    scratch.free();
  }
}

export function beginStages(model: LatticeModel, state: LiquidState, clock: StageClock, dt: Seconds): Stages {
  const next = model.heap.scope('lattice state');
  const scratch = model.heap.scope('lattice step');
  const flowScope = model.heap.scope('lattice flow');
  const time = state.time + dt;
  const lead = dt / 2;
  const surroundings = model.surroundingsAt(time, lead);
  let accepted = false;
  return {
    extendVelocity: () => timed(clock, 'extend', () => buildMeshVelocity(model, state, lead, flowScope)),

    advectThinLiquid: (flow) =>
      timed(clock, 'surface', () => advectThinLiquid(model, state, flow, dt, scratch)),

    contourAdvected: (flow, thin) => {
      const transport = timed(clock, 'ledger', () =>
        withScratch(model.heap, 'lattice ledger', (own) => measureTransport(model, state, flow, dt, own)),
      );
      const contour = timed(clock, 'surface', () =>
        withScratch(model.heap, 'lattice contour', (own) =>
          contourAdvected(model, surroundings, state, flow, dt, next, own, thin),
        ),
      );
      return { contour, transport };
    },

    keepVolumes: (flow, { contour, transport }) =>
      timed(clock, 'surface', () => {
        const books = withScratch(model.heap, 'lattice volumes', (own) =>
          keepVolumes(model, surroundings, state, flow, dt, contour, own),
        );
        const index = buildSurfaceIndex(contour.surface, model.contour.walls, next);
        return { contour, transport, books, index };
      }),

    stuff: ({ contour, index }) =>
      timed(clock, 'mesh', () =>
        buildMeshParts(
          model,
          withScratch(model.heap, 'lattice stuffing', (own) =>
            stuffLiquid(model, surroundings, contour, index, next, own, thickenMesh(model, index, own)),
          ),
          next,
        ),
      ),

    advectVelocity: (flow, mesh) =>
      timed(clock, 'advect', () => {
        const advected = advectVelocity(model, state, flow, mesh, dt, next, scratch);
        flowScope.free(); // the last stage that reads the old flow
        return advected;
      }),

    addBodyForce: (mesh, { velocity }) => addBodyForce(model.gravity, mesh, dt, velocity),

    project: ({ index }, mesh, { velocity, former, formerPressure }) =>
      timed(clock, 'pressure', () =>
        withScratch(model.heap, 'lattice pressure', (own) => {
          const conditions = classifyFaces(model, surroundings, mesh, index, own, dt);
          conditions.former.set(former);
          const drainFlow = addSources(model, time + lead, mesh, conditions, velocity);
          const projection = projectWithContact(
            model,
            mesh,
            conditions,
            dt,
            velocity,
            next,
            own,
            formerPressure,
          );
          const energy = measureEnergy(model, mesh, conditions, projection.facePressure, velocity, dt, own);
          return { drainFlow, ...projection, energy };
        }),
      ),

    accept: ({ contour, index, books, transport }, parts, { velocity, former }, pressure) => {
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
      const ledger = buildLedger(model, state, time, transport, books, kept, pressure.energy);
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
      accepted = true;
      return {
        dt,
        solver: { pressure: report },
        events: { droplets: kept.dropped, contactRounds: rounds, volumeShift: books.largestShift },
        ledger,
      };
    },

    end: () => {
      scratch.free();
      flowScope.free();
      if (accepted) return;
      next.free();
      surroundings.scope?.free();
    },
  };
}
