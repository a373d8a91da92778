/** Scenes of the flip method without files, and steps of a chosen length: for its tests, referees and benchmarks. */
import { RunError } from '../../src/core/errors.ts';
import type { Box, Seconds, Vec3 } from '../../src/core/types.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import type { RigidMotion } from '../../src/geometry/rigid-motion.ts';
import { flip } from '../../src/methods/flip/flip.ts';
import type { FlipModel } from '../../src/methods/flip/model.ts';
import type { FlipState } from '../../src/methods/flip/state.ts';
import type { Diagnostics, Resources, StepReport, Work } from '../../src/methods/method.ts';
import { materialPresets } from '../../src/scene/materials.ts';
import type { Drain, Emitter, Scene } from '../../src/scene/scene.ts';

/** m/s^2 */
export const GRAVITY = 9.81;
export const STANDARD_GRAVITY: Vec3 = [0, 0, -GRAVITY];

export interface FlipSetup {
  readonly domain: Box;
  readonly resolution: number;
  /** None where emitters bring it. */
  readonly liquid?: Implicit;
  readonly velocity?: Vec3;
  readonly solids?: readonly (Implicit | { readonly shape: Implicit; readonly motion: RigidMotion })[];
  readonly emitters?: readonly Emitter[];
  readonly drains?: readonly Drain[];
  readonly gravity?: Vec3;
  readonly options?: Record<string, unknown>;
}

export function buildScene(setup: FlipSetup): Scene {
  return {
    name: 'case',
    method: 'flip',
    duration: 1,
    fps: 30,
    gravity: setup.gravity ?? STANDARD_GRAVITY,
    domain: setup.domain,
    wall: 'slip',
    resolution: setup.resolution,
    liquids: setup.liquid
      ? [{ shape: setup.liquid, material: materialPresets['water'], velocity: setup.velocity ?? [0, 0, 0] }]
      : [],
    solids: (setup.solids ?? []).map((solid, n) => ({
      name: `solid ${n + 1}`,
      wall: 'slip',
      ...('shape' in solid ? solid : { shape: solid }),
    })),
    emitters: setup.emitters ?? [],
    drains: setup.drains ?? [],
    options: setup.options ?? {},
    seed: 0,
  };
}

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
