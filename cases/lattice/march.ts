/** What the referees of the lattice method share: scenes without files, and steps of a chosen length. */
import { RunError } from '../../src/core/errors.ts';
import type { Seconds, Vec3 } from '../../src/core/types.ts';
import { measureMaxSpeed } from '../../src/flow/liquid/measure.ts';
import type { LiquidState } from '../../src/flow/liquid/state.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import { lattice } from '../../src/methods/lattice/lattice.ts';
import type { LatticeModel } from '../../src/methods/lattice/model.ts';
import type { Diagnostics, Resources, StepReport, Work } from '../../src/methods/method.ts';
import type { Scene } from '../../src/scene/scene.ts';
import { buildLiquidScene, type LiquidSetup } from '../shared/scene.ts';

export { GRAVITY, STANDARD_GRAVITY } from '../shared/scene.ts';

export type LatticeSetup = LiquidSetup;

export const buildScene = (setup: LatticeSetup): Scene => ({ ...buildLiquidScene('lattice', setup), fps: 1 });

/** A run of the lattice method taken step by step, with its state in view. */
export interface March {
  readonly model: LatticeModel;
  readonly state: LiquidState;
  readonly work: Work;
  readonly time: Seconds;
  readonly steps: number;
  /**
   * One step of dt; a pressure solve that does not converge throws, since a referee must not halve dt in
   * silence.
   */
  step(dt: Seconds): StepReport;
  /** The stable time step, or `most` where that is shorter. */
  stableStep(most: Seconds): Seconds;
  measure(): Diagnostics;
  /** Fastest tet or vertex, m/s */
  fastest(): number;
  free(): void;
}

export function startMarch(setup: LatticeSetup, resources: Resources): March {
  const model = lattice.build(buildScene(setup), resources);
  const state = lattice.start(model);
  const work = lattice.createWork(model);
  let time = 0;
  let steps = 0;
  return {
    model,
    state,
    work,
    get time() {
      return time;
    },
    get steps() {
      return steps;
    },
    step(dt) {
      const report = lattice.step(model, state, work, dt);
      const { converged, iterations, residual } = report.solver['pressure'];
      if (!converged)
        throw new RunError(
          `step ${steps + 1}`,
          `the pressure solve is at ${residual} after ${iterations} iterations`,
          'see the mesh of this step',
        );
      time += dt;
      steps++;
      return report;
    },
    stableStep: (most) => Math.min(most, lattice.stableTimeStep(model, state)),
    measure: () => lattice.measure(model, state),
    fastest: () => Math.max(lattice.measure(model, state).maxSpeed!, measureMaxSpeed(state)),
    free: () => lattice.release!(state),
  };
}

/** Marches to a time in even steps, so that none is left over that is much shorter than the others. */
export function marchTo(march: March, time: Seconds, most: Seconds, look: () => void = () => {}): void {
  const least = 1e-9 * most;
  while (march.time < time - least) {
    const left = time - march.time;
    march.step(left / Math.ceil(left / march.stableStep(most) - 1e-9));
    look();
  }
}

/**
 * Largest |distance| of the tracked surface from the boundary of a shape that has been displaced by `by`, m
 */
export function measureDistance(state: LiquidState, shape: Implicit, by: Vec3): number {
  const { position, vertexCount } = state.surface;
  let most = 0;
  for (let v = 0; v < vertexCount; v++) {
    const d = shape.value(position[3 * v] - by[0], position[3 * v + 1] - by[1], position[3 * v + 2] - by[2]);
    most = Math.max(most, Math.abs(d));
  }
  return most;
}
