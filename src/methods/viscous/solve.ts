/** The forces of a step: gravity, viscosity, surface tension and pressure, together ("coupled") or one after the other as in the paper (split.ts). */
import type { HeapScope } from '../../core/heap.ts';
import { type StageClock, timed } from '../../core/stages.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import type { Surroundings } from '../../flow/boundary/surroundings.ts';
import type { LiquidState } from '../../flow/liquid/state.ts';
import { AREA } from '../../flow/mesh/face-geometry.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { FREE, INTERIOR, WALL } from '../../flow/pressure/pressure.ts';
import { computeAcceleration } from '../../flow/velocity/advection.ts';
import type { VertexRates } from '../../flow/velocity/vertex-velocity.ts';
import type { ViscousProblem } from '../../flow/viscosity/problem.ts';
import { solveViscousFlow } from '../../flow/viscosity/solve.ts';
import type { SolverReport } from '../method.ts';
import { type FlowEnergy, measureFlowEnergy } from './energy.ts';
import type { ViscousModel } from './model.ts';
import { solveSplit } from './split.ts';
import type { AdvectedLiquid, NewSurface } from './stages.ts';
import type { ViscousState } from './state.ts';
import { findVertexConditions } from './vertex-conditions.ts';

/** A step in hand. */
export interface StepPlace {
  readonly model: ViscousModel;
  readonly surroundings: Surroundings;
  readonly state: ViscousState;
  readonly clock: StageClock;
  readonly dt: Seconds;
  /** When the new velocities hold: half a step after the new surface. */
  readonly time: Seconds;
  /** Of the next state. */
  readonly scope: HeapScope;
}

/** Of the ledger, with what frames show. */
export interface StepEnergy extends Pick<FlowEnergy, 'dissipation' | 'shearRate'> {
  readonly walls: number;
  readonly sources: number;
  readonly sourcePotential: number;
}

/** The flow after the step's forces. */
export interface NewFlow {
  readonly rates: VertexRates;
  readonly faces: Pick<LiquidState, 'faceVelocity' | 'faceAcceleration' | 'faceKind' | 'facePressure'>;
  /** (vertexCount) Pa */
  readonly vertexPressure: Float64Array;
  readonly energy: StepEnergy;
  readonly solver: Record<string, SolverReport>;
  readonly events: Record<string, number>;
}

export function solveFlow(
  place: StepPlace,
  surface: NewSurface,
  parts: MeshParts,
  liquid: AdvectedLiquid,
): NewFlow {
  if (place.model.options.order !== 'coupled') return solveSplit(place, surface, parts, liquid);
  return timed(place.clock, 'viscosity', () => solveCoupled(place, parts, liquid));
}

/** Velocity and pressure at vertices in one solve. */
function solveCoupled(place: StepPlace, parts: MeshParts, { vertices, materials }: AdvectedLiquid): NewFlow {
  const { model, dt, scope } = place;
  const { mesh, embedding } = parts;
  const { expected } = vertices;
  const conditions = findVertexConditions(place, parts, { expected, viscosity: materials.viscosity }, scope);
  const { options } = model;
  const tension = findTension(model, parts, conditions.isFree, scope);
  const flow = solveViscousFlow(
    model,
    scope,
    {
      mesh,
      ...(embedding && { liquid: embedding.share }),
      viscosity: materials.viscosity,
      density: materials.density,
      nodes: conditions,
      friction: { coefficient: conditions.friction, velocity: conditions.velocity },
      velocity: vertices.velocity,
      expected,
      acceleration: model.gravity,
      ...(tension ? { tension } : {}),
      dt,
    },
    {
      coupled: true,
      model: options.stress === 'full' ? 'stress' : 'laplacian',
      tolerance: options.viscosityTolerance,
      maxIterations: options.viscosityIterations,
      guess: { velocity: expected, pressure: vertices.pressure },
      ...(materials.laws ? { rheology: { ...materials.laws, rounds: options.picardRounds } } : {}),
    },
  );
  const { velocity, pressure } = flow;
  const energy = measureFlowEnergy(
    model,
    parts,
    conditions,
    { velocity, advected: vertices.velocity, pressure, viscosity: materials.viscosity },
    dt,
    scope,
  );
  const rates = { velocity, acceleration: computeAcceleration(vertices.former, velocity, dt, scope) };
  const { converged, iterations, residual, rounds } = flow.report;
  return {
    rates,
    faces: {
      faceVelocity: averageOnFaces(parts, rates.velocity, scope),
      faceAcceleration: averageOnFaces(parts, rates.acceleration, scope),
      faceKind: findFaceKinds(parts, conditions.isFree, scope),
      facePressure: findFacePotential(parts, pressure, dt / model.density, scope),
    },
    vertexPressure: pressure,
    energy: { ...energy, sources: energy.nozzles, sourcePotential: 0 },
    solver: { viscosity: { converged, iterations, residual } },
    events: { picardRounds: rounds.length },
  };
}

/** The flux of vertex vectors through each face over its area. */
export function averageOnFaces(
  { topology: { faceCount, faceVertex }, geometry: { form, faceForm } }: MeshParts,
  vector: Float64Array,
  scope: HeapScope,
): Float64Array {
  const out = scope.f64(faceCount);
  for (let f = 0; f < faceCount; f++) {
    const row = faceForm[f];
    let flux = 0;
    for (let n = 3 * f; n < 3 * f + 3; n++)
      for (let a = 0; a < 3; a++) flux += vector[3 * faceVertex[n] + a] * form[row + a];
    out[f] = flux / (3 * form[row + AREA]);
  }
  return out;
}

/** The free surface, between the mesh's vertices or through its tets; undefined without surface tension. */
function findTension(
  { surfaceTension }: ViscousModel,
  { topology: { faceCount, faceVertex }, embedding }: MeshParts,
  isFree: Uint8Array,
  scope: HeapScope,
): ViscousProblem['tension'] {
  if (surfaceTension === 0) return undefined;
  if (embedding) return { coefficient: surfaceTension, level: embedding.level };
  let triangleCount = 0;
  for (let f = 0; f < faceCount; f++) triangleCount += isFree[f];
  const triangle = scope.i32(3 * triangleCount);
  for (let f = 0, n = 0; f < faceCount; f++)
    if (isFree[f] === 1) for (let i = 0; i < 3; i++) triangle[n++] = faceVertex[3 * f + i];
  return { coefficient: surfaceTension, triangle, triangleCount };
}

export function findFaceKinds(
  { topology: { faceCount, faceToTet } }: MeshParts,
  isFree: Uint8Array,
  scope: HeapScope,
): Uint8Array {
  const kind = scope.u8(faceCount);
  for (let f = 0; f < faceCount; f++)
    kind[f] = faceToTet[2 * f + 1] !== NONE ? INTERIOR : isFree[f] === 1 ? FREE : WALL;
  return kind;
}

/** p dt / rho at faces, m^2/s: what frames and the ledger of a liquid read. */
function findFacePotential(
  { topology: { faceCount, faceVertex } }: MeshParts,
  pressure: Float64Array,
  scale: number,
  scope: HeapScope,
): Float64Array {
  const out = scope.f64(faceCount);
  for (let f = 0; f < faceCount; f++)
    for (let n = 3 * f; n < 3 * f + 3; n++) out[f] += (scale * pressure[faceVertex[n]]) / 3;
  return out;
}
