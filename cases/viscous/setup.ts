/** Scenes of the viscous method without files, and steps of a chosen length: for its tests and referees. */
import { RunError } from '../../src/core/errors.ts';
import type { Seconds, Vec3 } from '../../src/core/types.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import type { RigidMotion } from '../../src/geometry/rigid-motion.ts';
import type { Diagnostics, Resources, StepReport } from '../../src/methods/method.ts';
import type { ViscousModel } from '../../src/methods/viscous/model.ts';
import type { ViscousState } from '../../src/methods/viscous/state.ts';
import { viscous } from '../../src/methods/viscous/viscous.ts';
import type { Material, Scene } from '../../src/scene/scene.ts';
import { emptyRoom } from '../shared/scene.ts';

/** kg/m^3 */
export const DENSITY = 1000;

export interface SceneParts {
  readonly domain: readonly [Vec3, Vec3];
  readonly resolution: number;
  /** Of the domain; no slip by default */
  readonly wall?: Scene['wall'];
  readonly gravity?: Vec3;
  /** Pa s */
  readonly viscosity?: number;
  readonly liquids: readonly { shape: Implicit; velocity?: Vec3; viscosity?: number }[];
  readonly solids?: Scene['solids'];
  readonly nozzle?: { shape: Implicit; direction: Vec3; flow: number; motion?: RigidMotion };
  readonly drain?: { shape: Implicit; flow: number };
  readonly options?: Record<string, unknown>;
  /** N/m */
  readonly surfaceTension?: number;
}

export function composeScene(parts: SceneParts): Scene {
  const materials = new Map<number, Material>();
  const materialOf = (viscosity: number): Material => {
    const known = materials.get(viscosity);
    if (known) return known;
    const surfaceTension = parts.surfaceTension ?? 0;
    const material = { name: `${viscosity} Pa s`, density: DENSITY, viscosity, surfaceTension };
    materials.set(viscosity, material);
    return material;
  };
  const own = parts.viscosity ?? 1;
  const { nozzle, drain } = parts;
  return {
    ...emptyRoom('viscous', { min: parts.domain[0], max: parts.domain[1] }, parts.resolution),
    wall: parts.wall ?? 'no-slip',
    gravity: parts.gravity ?? [0, 0, 0],
    liquids: parts.liquids.map(({ shape, velocity = [0, 0, 0], viscosity = own }) => ({
      shape,
      velocity,
      material: materialOf(viscosity),
    })),
    solids: parts.solids ?? [],
    emitters: nozzle
      ? [
          {
            name: 'nozzle',
            shape: nozzle.shape,
            direction: nozzle.direction,
            material: materialOf(own),
            flowAt: () => nozzle.flow,
            emittedUntil: (time) => nozzle.flow * time,
            shutFrom: Number.POSITIVE_INFINITY,
            ...(nozzle.motion && { motion: nozzle.motion }),
          },
        ]
      : [],
    drains: drain
      ? [
          {
            name: 'drain',
            shape: drain.shape,
            flowAt: () => drain.flow,
            drainedUntil: (time) => drain.flow * time,
          },
        ]
      : [],
    options: parts.options ?? {},
  };
}

/** A run of the viscous method taken step by step, with its state in view. */
export interface ViscousMarch {
  readonly model: ViscousModel;
  readonly state: ViscousState;
  step(dt: Seconds): StepReport;
  /** Even steps to a time, none longer than the method wants nor than `most`; a solve that fails throws. */
  marchTo(time: Seconds, most: Seconds): void;
  measure(): Required<Diagnostics>;
  free(): void;
}

export function startMarch(parts: SceneParts, resources: Resources): ViscousMarch {
  const model = viscous.build(composeScene(parts), resources);
  const state = viscous.start(model);
  const work = viscous.createWork(model);
  const step = (dt: Seconds) => viscous.step(model, state, work, dt);
  return {
    model,
    state,
    step,
    marchTo(time, most) {
      while (time - state.time > 1e-9 * most) {
        const left = time - state.time;
        const stable = Math.min(most, viscous.stableTimeStep(model, state));
        for (const [name, { converged, residual }] of Object.entries(
          step(left / Math.ceil(left / stable - 1e-9)).solver,
        ))
          if (!converged)
            throw new RunError(
              `${state.time} s`,
              `${name} at a residual of ${residual}`,
              'use shorter steps',
            );
      }
    },
    measure: () => viscous.measure(model, state) as Required<Diagnostics>,
    free: () => viscous.release!(state),
  };
}
