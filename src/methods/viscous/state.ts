/**
 * State of the viscous method: that of a liquid on a stuffed mesh, and velocities at vertices, which are what
 * the flow is here.
 */
import type { HeapScope } from '../../core/heap.ts';
import { copyToHeap, defineRecord, readRecord, type SavedRecord, saveRecord } from '../../core/records.ts';
import type { Surroundings } from '../../flow/boundary/surroundings.ts';
import {
  type Derived,
  type LiquidState,
  liquidRecord,
  releaseLiquid,
  restoreLiquid,
  saveLiquid,
} from '../../flow/liquid/state.ts';
import { buildEmbedding } from '../../flow/mesh/embedded.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import type { VertexRates } from '../../flow/velocity/vertex-velocity.ts';
import { createLocator } from '../../mesh/locate.ts';
import { findPieces } from '../../tracking/contouring/pieces.ts';
import { measureSurface, type TrackedSurface } from '../../tracking/contouring/surface.ts';
import type { SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { ViscousModel } from './model.ts';

export interface ViscousState extends LiquidState {
  /** Contouring cells that the surface has moved by its vertices since it was contoured. */
  drift: number;
  /** W that the last step turned to heat */
  dissipation: number;
  /** (vertexCount) Pa, of the last coupled solve: where the next one starts */
  vertexPressure: Float64Array;
  /** (vertexCount) m, positive in the liquid, of an embedded mesh; empty of a stuffed one */
  level: Float64Array;
  /**
   * (vertexCount x materials) how much of each a place holds: adds up to 1; empty where there is one material
   */
  share: Float64Array;
  /** (tetCount) Pa s and 1/s, of the last solve: what frames show */
  tetViscosity: Float64Array;
  tetShearRate: Float64Array;
}

const ownColumns = {
  drift: { type: 'number', unit: 'cells', meaning: 'that the surface has moved since it was contoured' },
  dissipation: { type: 'number', unit: 'W', meaning: 'that the last step turned to heat' },
  vertexVelocity: { type: 'f64', per: 'vertex', stride: 3, unit: 'm/s', meaning: '`lead` after the time' },
  vertexAcceleration: {
    type: 'f64',
    per: 'vertex',
    stride: 3,
    unit: 'm/s^2',
    meaning: 'its rate of change over the last step',
  },
  vertexPressure: { type: 'f64', per: 'vertex', unit: 'Pa', meaning: 'of the last coupled solve' },
  level: {
    type: 'f64',
    unit: 'm',
    meaning: 'depth at the vertices of an embedded mesh; empty of a stuffed one',
  },
  share: { type: 'f64', meaning: 'of each material at each vertex; empty where there is one' },
  tetViscosity: { type: 'f64', per: 'tet', unit: 'Pa s', meaning: 'of the last solve' },
  tetShearRate: { type: 'f64', per: 'tet', unit: '1/s', meaning: 'of the last solve' },
} as const;

const ownRecord = defineRecord('viscous', ownColumns);

/** What a checkpoint holds. */
export const viscousRecord = defineRecord('viscous', { ...liquidRecord.columns, ...ownColumns });

export function saveViscous(state: ViscousState): SavedRecord {
  const liquid = saveLiquid(state);
  const { velocity, acceleration } = state.derived.rates;
  const own = saveRecord(ownRecord, {
    drift: state.drift,
    dissipation: state.dissipation,
    vertexVelocity: velocity,
    vertexAcceleration: acceleration,
    vertexPressure: state.vertexPressure,
    level: state.level,
    share: state.share,
    tetViscosity: state.tetViscosity,
    tetShearRate: state.tetShearRate,
  });
  return {
    numbers: { ...liquid.numbers, ...own.numbers },
    arrays: { ...liquid.arrays, ...own.arrays },
  };
}

export function restoreViscous(model: ViscousModel, record: SavedRecord): ViscousState {
  readRecord(viscousRecord, record); // refuses what does not fit together
  const liquid = restoreLiquid(model, record);
  const { vertexVelocity, vertexAcceleration, ...own } = copyToHeap(
    ownRecord,
    readRecord(ownRecord, record),
    liquid.scope,
  );
  const rates: VertexRates = { velocity: vertexVelocity, acceleration: vertexAcceleration };
  const embedding =
    own.level.length > 0 ? buildEmbedding(model.threads, liquid.mesh, own.level, liquid.scope) : undefined;
  return { ...liquid, ...own, derived: { ...liquid.derived, rates, ...(embedding && { embedding }) } };
}

/** What follows from surface, mesh and vertex velocities. */
export function buildViscousDerived(
  surroundings: Surroundings,
  surface: TrackedSurface,
  surfaceIndex: SurfaceIndex,
  { mesh, topology, geometry, embedding }: MeshParts,
  rates: VertexRates,
  scope: HeapScope,
): Derived {
  return {
    topology,
    geometry,
    ...(embedding && { embedding }),
    surfaceIndex,
    integrals: measureSurface(surface),
    pieces: findPieces(surface),
    rates,
    locator: createLocator(mesh, topology, scope).data,
    surroundings,
  };
}

/** What a checkpoint holds of a state, and how it comes back. */
export const viscousStore = {
  record: viscousRecord,
  save: saveViscous,
  restore: restoreViscous,
  release: releaseLiquid,
};
