/**
 * Scenes of the flip method without files, and steps of a chosen length: for its tests, referees and
 * benchmarks.
 */
import { RunError } from '../../src/core/errors.ts';
import type { Seconds } from '../../src/core/types.ts';
import { flip } from '../../src/methods/flip/flip.ts';
import type { FlipModel } from '../../src/methods/flip/model.ts';
import type { FlipState } from '../../src/methods/flip/state.ts';
import type { Diagnostics, Resources, StepReport, Work } from '../../src/methods/method.ts';
import type { Scene } from '../../src/scene/scene.ts';
import { buildLiquidScene, type LiquidSetup } from '../shared/scene.ts';

export { GRAVITY, STANDARD_GRAVITY } from '../shared/scene.ts';

export type FlipSetup = LiquidSetup;

export const buildScene = (setup: FlipSetup): Scene => ({
  ...buildLiquidScene('flip', setup),
  fps: 30,
  seed: 0,
});

export class FlipMarch {
  readonly model: FlipModel;
  readonly state: FlipState;
  readonly work: Work;
  steps = 0;

  constructor(setup: FlipSetup, resources: Resources) {
    this.model = flip.build(buildScene(setup), resources);
    this.state = flip.start(this.model);
    this.work = flip.createWork(this.model);
  }

  step(dt: Seconds): StepReport {
    const report = flip.step(this.model, this.state, this.work, dt);
    this.steps++;
    const { pressure } = report.solver;
    if (!pressure.converged)
      throw new RunError(
        `step ${this.steps}`,
        `the pressure did not converge: residual ${pressure.residual}`,
        'use shorter steps',
      );
    return report;
  }

  /** The step the method wants, at most so long. */
  stableStep(most: Seconds): Seconds {
    return Math.min(most, flip.stableTimeStep(this.model, this.state));
  }

  /** Steps of equal length to a time, none longer than the method wants now nor than `most`. */
  marchTo(time: Seconds, most: Seconds): void {
    while (time - this.state.time > 1e-9 * time) {
      const left = time - this.state.time;
      this.step(left / Math.ceil(left / this.stableStep(most) - 1e-9));
    }
  }

  measure(): Required<Diagnostics> {
    return flip.measure(this.model, this.state) as Required<Diagnostics>;
  }

  free(): void {
    flip.release!(this.state);
  }
}
