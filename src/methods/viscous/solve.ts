/**
 * The forces of a step: gravity, viscosity, surface tension and pressure, together ("coupled") or one after
 * the other as in the paper (split.ts).
 */
import type { HeapScope } from '../../core/heap.ts';
import { type StageClock, timed } from '../../core/stages.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import { addDrains } from '../../flow/boundary/sources.ts';
import type { Surroundings } from '../../flow/boundary/surroundings.ts';
import { measureDrained } from '../../flow/liquid/ledger.ts';
import type { LiquidState } from '../../flow/liquid/state.ts';
import { AREA } from '../../flow/mesh/face-geometry.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { FREE, INTERIOR, WALL } from '../../flow/pressure/pressure.ts';
import { computeAcceleration } from '../../flow/velocity/advection.ts';
import type { VertexRates } from '../../flow/velocity/vertex-velocity.ts';
import type { ViscousProblem } from '../../flow/viscosity/problem.ts';
import { solveViscousFlow } from '../../flow/viscosity/solve.ts';
import { weighWedges } from '../../flow/viscosity/wedge-weight.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { SolverReport } from '../method.ts';
import { type FlowEnergy, measureFlowEnergy } from './energy.ts';
import type { ViscousModel } from './model.ts';
import { solveSplit } from './split.ts';
import type { AdvectedLiquid, NewSurface } from './stages.ts';
import type { ViscousState } from './state.ts';
import { findVertexConditions } from './vertex-conditions.ts';

/** What a solve is made for. */
export interface SolvePlace {
  readonly model: ViscousModel;
  readonly surroundings: Surroundings;
  readonly dt: Seconds;
  /** When the new velocities hold: half a step after the new surface. */
  readonly time: Seconds;
  /** Of the next state. */
  readonly scope: HeapScope;
}

/** A step in hand. */
export interface StepPlace extends SolvePlace {
  readonly state: ViscousState;
  readonly clock: StageClock;
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
  /** m^3/s that the drains take */
  readonly drainFlow: number;
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
  return timed(place.clock, 'viscosity', () => solveCoupled(place, surface.index, parts, liquid));
}

/** Velocity and pressure at vertices in one solve. */
export function solveCoupled(
  place: SolvePlace,
  index: SurfaceIndex,
  parts: MeshParts,
  { vertices, materials }: Pick<AdvectedLiquid, 'vertices' | 'materials'>,
): NewFlow {
  const { model, dt, time, scope } = place;
  const { mesh, embedding } = parts;
  const { expected } = vertices;
  const conditions = findVertexConditions(place, parts, { expected, viscosity: materials.viscosity }, scope);
  const { options } = model;
  const tension = findTension(model, parts, conditions.isFree, scope);
  const source = scope.f64(model.drains.length > 0 ? mesh.tetCount : 0);
  const drainFlow = addDrains(model, time, parts, findPlugs(mesh, conditions.isNozzle), source);
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
      source,
      ...(!embedding && { force: weighWedges(parts, conditions.isFree, index, model, scope) }),
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
  const drained = measureDrained(model, parts, source, dt, (t) => readMiddle(mesh, t, velocity, pressure));
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
    drainFlow,
    energy: {
      ...energy,
      sources: energy.nozzles + drained.sources,
      sourcePotential: drained.sourcePotential,
    },
    solver: { viscosity: { converged, iterations, residual } },
    events: { picardRounds: rounds.length },
  };
}

/** (tetCount) 1 on tets that move as one in nozzles. */
function findPlugs({ tet, tetCount }: TetMesh, isNozzle: Uint8Array): Uint8Array {
  const isPlug = new Uint8Array(tetCount).fill(1);
  for (let n = 0; n < 4 * tetCount; n++) if (isNozzle[tet[n]] === 0) isPlug[n >> 2] = 0;
  return isPlug;
}

/** Pressure and speed in the middle of a tet. */
function readMiddle(
  { tet }: TetMesh,
  t: number,
  velocity: Float64Array,
  pressure: Float64Array,
): { pressure: number; speed: number } {
  const mean = [0, 0, 0, 0];
  for (let n = 4 * t; n < 4 * t + 4; n++) {
    for (let a = 0; a < 3; a++) mean[a] += velocity[3 * tet[n] + a] / 4;
    mean[3] += pressure[tet[n]] / 4;
  }
  return { pressure: mean[3], speed: Math.hypot(mean[0], mean[1], mean[2]) };
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
  { surfaceTension, wetting }: ViscousModel,
  { topology, embedding }: MeshParts,
  isFree: Uint8Array,
  scope: HeapScope,
): ViscousProblem['tension'] {
  if (surfaceTension === 0) return undefined;
  if (embedding) return { coefficient: surfaceTension, level: embedding.level };
  const triangle = listFaces(topology, (f) => isFree[f] === 1, scope);
  const surface = { coefficient: surfaceTension, triangle };
  if (wetting === 0) return surface;
  const isWall = (f: number) => topology.faceToTet[2 * f + 1] === NONE && isFree[f] === 0;
  return { ...surface, wetted: { triangle: listFaces(topology, isWall, scope), gain: wetting } };
}

/** (3 per face) vertices of the faces that are asked for. */
function listFaces(
  { faceCount, faceVertex }: MeshParts['topology'],
  isOne: (f: number) => boolean,
  scope: HeapScope,
): Int32Array {
  const faces: number[] = [];
  for (let f = 0; f < faceCount; f++) if (isOne(f)) faces.push(f);
  const triangle = scope.i32(3 * faces.length);
  faces.forEach((f, n) => {
    triangle.set(faceVertex.subarray(3 * f, 3 * f + 3), 3 * n);
  });
  return triangle;
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
