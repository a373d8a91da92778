/**
 * The paper's own way ([batty-houston-2011] 3 and 5): velocities live on faces, viscosity is solved at
 * vertices just before the projection, with another projection before it where asked for. Between faces and
 * vertices velocities pass by increments (FLIP), as a whole (PIC), or inside the solve, eqs. (10) and (11).
 * What splitting costs: docs/notebook/viscous.md.
 */
import type { HeapScope } from '../../core/heap.ts';
import { timed } from '../../core/stages.ts';
import { classifyFaces } from '../../flow/boundary/conditions.ts';
import { projectWithContact } from '../../flow/boundary/contact.ts';
import { addSources } from '../../flow/boundary/sources.ts';
import { measureEnergy } from '../../flow/liquid/ledger.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { type Conditions, WALL } from '../../flow/pressure/pressure.ts';
import { addBodyForce, advectVelocity, computeAcceleration } from '../../flow/velocity/advection.ts';
import { computeVertexRates } from '../../flow/velocity/vertex-velocity.ts';
import { addFaceViscosity } from '../../flow/viscosity/face-step.ts';
import { HELD } from '../../flow/viscosity/problem.ts';
import type { SolverReport } from '../method.ts';
import { measureFlowEnergy } from './energy.ts';
import type { NewFlow, StepPlace } from './solve.ts';
import type { AdvectedLiquid, NewSurface } from './stages.ts';
import { findVertexConditions, type VertexConditions } from './vertex-conditions.ts';

export function solveSplit(
  place: StepPlace,
  { index }: NewSurface,
  parts: MeshParts,
  liquid: AdvectedLiquid,
): NewFlow {
  const { model, surroundings, state, clock, dt, time, scope } = place;
  const { mesh } = parts;
  const scratch = model.heap.scope('viscous split');
  try {
    const { velocity, former, formerPressure } = timed(clock, 'advect', () =>
      advectVelocity(model, state, liquid.flow, parts, dt, scope, scratch),
    );
    addBodyForce(model.gravity, parts, dt, velocity);
    const project = (into: HeapScope, guess?: Float64Array) =>
      timed(clock, 'pressure', () => {
        const conditions = classifyFaces(model, surroundings, parts, index, scratch, dt);
        conditions.former.set(former);
        if (model.options.friction === 'no-slip') holdWalls(conditions);
        const drainFlow = addSources(model, time, parts, conditions, velocity);
        const result = projectWithContact(model, parts, conditions, dt, velocity, into, guess);
        return { conditions, drainFlow, ...result };
      });
    if (model.options.order === 'pressure-viscosity-pressure') project(scratch, formerPressure);
    const { vertices, materials } = liquid;
    const conditions = findVertexConditions(
      place,
      parts,
      { expected: vertices.expected, viscosity: materials.viscosity },
      scope,
    );
    const viscosity = timed(clock, 'viscosity', () =>
      addViscosity(place, parts, liquid, conditions, scratch, velocity),
    );
    const pressure = project(scope, formerPressure);
    const faceAcceleration = computeAcceleration(former, velocity, dt, scope);
    const rates = timed(clock, 'extend', () =>
      computeVertexRates(parts, velocity, faceAcceleration, pressure.faceKind, model.threads, scope, scratch),
    );
    for (let v = 0; v < mesh.vertexCount; v++)
      if (conditions.constraint[v] === HELD)
        for (let n = 3 * v; n < 3 * v + 3; n++) {
          rates.velocity[n] = conditions.velocity[n];
          rates.acceleration[n] = 0;
        }
    const vertexPressure = scope.f64(mesh.vertexCount);
    const { dissipation, shearRate } = measureFlowEnergy(
      model,
      parts,
      conditions,
      {
        velocity: rates.velocity,
        advected: vertices.velocity,
        pressure: vertexPressure,
        viscosity: materials.viscosity,
      },
      dt,
      scope,
    );
    const own = measureEnergy(
      model,
      parts,
      pressure.conditions,
      pressure.facePressure,
      velocity,
      dt,
      scratch,
    );
    const { faceKind, facePressure } = pressure;
    return {
      rates,
      faces: { faceVelocity: velocity, faceAcceleration, faceKind, facePressure },
      vertexPressure,
      drainFlow: pressure.drainFlow,
      energy: { ...own, dissipation, shearRate },
      solver: { viscosity, pressure: pressure.report },
      events: { contactRounds: pressure.rounds },
    };
  } finally {
    scratch.free();
  }
}

/** Liquid that sticks does not let go of walls: only what is on its way to one changes with the contact. */
function holdWalls({ kind, gap }: Conditions): void {
  for (let f = 0; f < gap.length; f++) if (kind[f] === WALL) gap[f] = Number.POSITIVE_INFINITY;
}

/** The viscous step on faces; changes `outVelocity`. */
function addViscosity(
  { model, dt }: StepPlace,
  { mesh, topology }: MeshParts,
  { materials }: AdvectedLiquid,
  nodes: VertexConditions,
  scratch: HeapScope,
  outVelocity: Float64Array,
): SolverReport {
  const { options } = model;
  const { viscosity, density, laws } = materials;
  const { report } = addFaceViscosity(
    model,
    scratch,
    {
      ...{ mesh, topology, viscosity, density, nodes, dt },
      friction: { coefficient: nodes.friction, velocity: nodes.velocity },
    },
    {
      transfer: options.transfer,
      tolerance: options.viscosityTolerance,
      maxIterations: options.viscosityIterations,
      model: options.stress === 'full' ? 'stress' : 'laplacian',
      ...(laws ? { rheology: { ...laws, rounds: options.picardRounds } } : {}),
    },
    outVelocity,
  );
  const { converged, iterations, residual } = report;
  return { converged, iterations, residual };
}
