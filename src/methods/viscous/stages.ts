/** The stages of a step, timed and with their memory: what step.ts calls. */
import { type StageClock, timed } from '../../core/stages.ts';
import type { Seconds } from '../../core/types.ts';
import { contourAdvected } from '../../flow/contour/advected-contour.ts';
import { buildLedger, type Transport } from '../../flow/liquid/ledger.ts';
import { type KeptSurface, LiquidStep } from '../../flow/liquid/stages.ts';
import { releaseLiquid } from '../../flow/liquid/state.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import type { MeshVelocity } from '../../flow/velocity/mesh-velocity.ts';
import { dropUnmeshedFragments } from '../../flow/volume/fragments.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { buildSignGrid } from '../../tracking/contouring/signs.ts';
import type { StepReport } from '../method.ts';
import { type AdvectedVertices, advectVertices } from './advect.ts';
import { fillBubbles } from './bubbles.ts';
import { findTetMaterials, refillShares, type TetMaterials } from './materials.ts';
import { createMesher } from './mesher.ts';
import type { ViscousModel } from './model.ts';
import { moveSurface } from './move-surface.ts';
import { type NewFlow, solveFlow } from './solve.ts';
import { buildViscousDerived, type ViscousState } from './state.ts';

/** The new surface, and what the flow made of the old one. */
export interface MovedSurface {
  readonly contour: Contour;
  /** Contouring cells that it has moved since it was contoured: 0 where that was now. */
  readonly drift: number;
  readonly transport: Transport;
  /** Bubbles filled. */
  readonly filled: number;
}

/** The new surface with the volumes it should have, ready for distance queries. */
export type NewSurface = MovedSurface & KeptSurface;

/** What the new mesh's liquid was before forces act. */
export interface AdvectedLiquid {
  readonly vertices: AdvectedVertices;
  readonly materials: TetMaterials;
  /** The old flow at faces, where the split orders keep it. */
  readonly flow: MeshVelocity;
}

export interface Stages {
  extendVelocity(): MeshVelocity;
  moveSurface(flow: MeshVelocity): MovedSurface;
  keepVolumes(flow: MeshVelocity, moved: MovedSurface): NewSurface;
  stuff(surface: NewSurface): MeshParts;
  advect(flow: MeshVelocity, mesh: MeshParts): AdvectedLiquid;
  solve(surface: NewSurface, mesh: MeshParts, liquid: AdvectedLiquid): NewFlow;
  /** Replaces the state by the new one. */
  accept(surface: NewSurface, mesh: MeshParts, liquid: AdvectedLiquid, flow: NewFlow): StepReport;
  /** Frees the step's memory; without `accept` before, the state is as it was. */
  end(): void;
}

export function beginStages(
  model: ViscousModel,
  state: ViscousState,
  clock: StageClock,
  dt: Seconds,
): Stages {
  const own = new LiquidStep('viscous', model, state, clock, dt);
  const { next, time, lead, surroundings } = own;
  return {
    extendVelocity: () => own.extendVelocity(),

    moveSurface: (flow) => {
      const carried = own.carrySurface(flow);
      const transport = own.measureTransport(carried);
      return timed(clock, 'surface', () =>
        own.within('contour', (memory) => {
          const moved = moveSurface(model, surroundings, state, flow, dt, next, memory);
          if (moved) return { ...moved, transport, filled: 0 };
          const contour = contourAdvected(model, surroundings, state, carried, next, memory);
          const { filled, ...whole } = fillBubbles(contour, next);
          return { contour: whole, drift: 0, transport, filled };
        }),
      );
    },

    keepVolumes: (flow, moved) => ({ ...moved, ...own.keepVolumes(flow, moved.contour) }),

    stuff: ({ contour, index }) => own.mesh(contour, index, createMesher(model)),

    advect: (flow, parts) =>
      timed(clock, 'advect', () => {
        const vertices = advectVertices(model, state, flow, parts, dt, next);
        refillShares(model, time, parts.mesh, vertices.share);
        return { vertices, materials: findTetMaterials(model, parts.mesh, vertices.share, next), flow };
      }),

    solve: (surface, parts, liquid) =>
      solveFlow(
        { model, surroundings, state, clock, dt, time: time + lead, scope: next },
        surface,
        parts,
        liquid,
      ),

    accept: ({ contour, drift, filled, index, books, transport }, parts, { vertices, materials }, flow) => {
      const signs = buildSignGrid(contour.signs, next);
      const kept = timed(clock, 'surface', () =>
        dropUnmeshedFragments(model, contour.surface, index, books, parts.mesh, signs, next),
      );
      const derived = timed(clock, 'extend', () =>
        buildViscousDerived(surroundings, kept.surface, kept.index, parts, flow.rates, next),
      );
      const { energy } = flow;
      // Velocities lead by half a step: over the step, heat is the mean of what both of its ends make.
      const heat = 0.5 * (state.dissipation + energy.dissipation) * dt;
      const { volume, energy: known } = buildLedger(model, state, time, transport, books, kept, energy);
      releaseLiquid(state);
      Object.assign(state, {
        scope: next,
        pieceTarget: kept.target,
        droplets: kept.droplets,
        drainFlow: 0,
        time,
        lead,
        surface: kept.surface,
        signs,
        mesh: parts.mesh,
        ...flow.faces,
        pressureStep: dt,
        drift,
        dissipation: energy.dissipation,
        vertexPressure: flow.vertexPressure,
        level: parts.embedding?.level ?? next.f64(0),
        share: vertices.share,
        tetViscosity: materials.viscosity,
        tetShearRate: energy.shearRate,
        derived,
      } satisfies Partial<ViscousState>);
      own.accept();
      return {
        dt,
        solver: flow.solver,
        events: {
          droplets: kept.dropped,
          volumeShift: books.largestShift,
          contoured: drift === 0 ? 1 : 0,
          filledBubbles: filled,
          ...flow.events,
        },
        ledger: { volume, energy: { ...known, viscosity: -heat } },
      };
    },

    end: () => own.end(),
  };
}
