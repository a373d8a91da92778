import { type StageClock, timed } from '../../../core/stages.ts';
import type { Seconds } from '../../../core/types.ts';
import { type AdvanceReport, advanceVertices } from '../../../tracking/multimaterial/advance.ts';
import { computeDisplacement } from '../../../tracking/multimaterial/merge.ts';
import type { Diagnostics, StepReport } from '../../method.ts';
import { createEditStages } from '../edit-stages.ts';
import { SurfaceLedger } from '../ledger.ts';
import { findBodies } from '../liquid/body.ts';
import { forEachBody, type Visited } from '../liquid/gradients.ts';
import type { SurfaceModel } from '../model.ts';
import { type SurfaceState, sizeEdges } from '../state.ts';
import { computeDihedralCurvature } from './curvature.ts';
import { measureVelocity } from './moments.ts';
import { solveNormalDerivative, subtractGradient } from './pressure.ts';
import { projectVelocity } from './projection.ts';

export interface ThesisStages {
  advect(): void;
  mergeSurfaces(): void;
  improveMesh(): void;
  separateVertices(): void;
  project(): void;
  integrateForces(): void;
  accept(): StepReport;
}

export function beginThesisStages(
  model: SurfaceModel,
  state: SurfaceState,
  clock: StageClock,
  dt: Seconds,
): ThesisStages {
  const { tracker, values } = state;
  const { mesh } = tracker;
  const solver: StepReport['solver'] = {};
  const figures: Diagnostics = {};
  const ledger = new SurfaceLedger(state);
  const bodies = findBodies(mesh);
  // Velocities are whole, and bodies do not matter to edits.
  values.begin(
    bodies.ofVertex,
    bodies.faces.map(() => [0, 0, 0]),
    bodies.faces.map(() => false),
    bodies.volume,
  );
  const edits = createEditStages(model, state, clock, ledger);
  let advance: AdvanceReport | undefined;
  let motion: Float64Array | undefined;
  return {
    advect: () =>
      timed(clock, 'collisions', () => {
        const u = values.velocity.data;
        const proposed = mesh.position.slice(0, 3 * mesh.vertexFill).map((x, n) => x + dt * u[n]);
        motion = computeDisplacement(tracker, proposed);
        ledger.bookProposed(proposed);
        advance = advanceVertices(tracker, proposed);
        ledger.bookMotion();
      }),

    mergeSurfaces: () => edits.merge(motion),
    improveMesh: edits.improveMesh,
    separateVertices: edits.separateVertices,

    project: () =>
      timed(clock, 'flow', () =>
        forEachVelocity(model, state, ({ body, gradients, scope }, velocity) =>
          projectVelocity(model, body, gradients, model.options.accuracy, scope, velocity),
        ),
      ),

    integrateForces: () =>
      timed(clock, 'flow', () => {
        let energy = 0;
        let fastest = 0;
        forEachVelocity(model, state, (liquid, velocity) => {
          const { body } = liquid;
          for (let n = 0; n < velocity.length; n++) velocity[n] += dt * model.gravity[n % 3];
          solver['forces'] = addTension(model, liquid, dt, velocity);
          energy += 0.5 * model.constants.density * measureVelocity(body, velocity).square;
          for (let n = 0; n < velocity.length; n += 3)
            fastest = Math.max(fastest, Math.hypot(velocity[n], velocity[n + 1], velocity[n + 2]));
        });
        figures.kineticEnergy = energy;
        state.maxSpeed = fastest;
      }),

    accept: () =>
      timed(clock, 'packing', () => {
        const booked = ledger.close();
        values.follow(tracker.compact().vertex);
        sizeEdges(model, state);
        state.time += dt;
        const { proximityImpulses, collisionImpulses, zoned, frozen } = advance!;
        const events = { ...tracker.takeEvents(), bodies: bodies.count };
        return {
          dt,
          solver,
          events: { ...events, proximityImpulses, collisionImpulses, zoned, frozen },
          ledger: booked,
          figures,
        };
      }),
  };
}

type Liquid = Omit<Visited, 'cavities'>;

/** Visits every body with the velocities of its vertices, which it may change. */
function forEachVelocity(
  model: SurfaceModel,
  { tracker: { mesh }, values }: SurfaceState,
  visit: (liquid: Liquid, velocity: Float64Array) => void,
): void {
  forEachBody(model, mesh, ({ body, gradients, scope }) => {
    const velocity = scope.f64(3 * body.vertexCount);
    const { data } = values.velocity;
    body.vertexId.forEach((id, v) => {
      velocity.set(data.subarray(3 * id, 3 * id + 3), 3 * v);
    });
    visit({ body, gradients, scope }, velocity);
    body.vertexId.forEach((id, v) => {
      data.set(velocity.subarray(3 * v, 3 * v + 3), 3 * id);
    });
  });
}

/** (22.12), (22.14) */
function addTension(
  model: SurfaceModel,
  { body, gradients, scope }: Liquid,
  dt: Seconds,
  velocity: Float64Array,
): StepReport['solver'][string] {
  const { tension, density, accuracy } = model.constants;
  const pressure = scope.f64(body.vertexCount);
  computeDihedralCurvature(body, gradients, pressure);
  for (let v = 0; v < pressure.length; v++) pressure[v] *= tension;
  const derivative = scope.f64(body.vertexCount);
  const report = solveNormalDerivative(model, body, pressure, accuracy.residual, scope, derivative);
  subtractGradient(body, gradients, pressure, derivative, dt / density, velocity);
  return { ...report, shorterStepHelps: false };
}
