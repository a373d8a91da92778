/** How long a step may be. */
import type { Seconds } from '../../core/types.ts';
import { readMouth } from '../../flow/boundary/nozzles.ts';
import { measureMaxSpeed } from '../../flow/liquid/measure.ts';
import type { ViscousModel } from './model.ts';
import type { ViscousState } from './state.ts';

/**
 * Largest time step in sqrt(h/g), where gravity's waves are hardly damped: it is explicit, and so are they.
 * Viscosity nu damps the wave of number k at the rate 2 nu k^2, and nothing grows while g k dt^2 < 4 + 4 nu
 * k^2 dt for all k, that is up to dt = 4 (nu / g^2)^(1/3): DAMPED_STEP is half of that.
 */
const WAVE_STEP = 1;
const DAMPED_STEP = 2;

/**
 * The liquid may cross `cfl` cells per step, at the speed it will have reached on the way if it goes on
 * getting faster as it does; and a step sees gravity's waves. Viscosity and surface tension bound nothing:
 * they are implicit.
 */
export function stableTimeStep(model: ViscousModel, state: ViscousState): Seconds {
  const emitted = model.emitters.map((e, n) =>
    Math.hypot(...readMouth(e, model.emitterSection[n], model.gravity, state.time).velocity),
  );
  const speed = Math.max(measureMaxSpeed(state), state.derived.surroundings.topSpeed, ...emitted);
  const g = Math.hypot(...model.gravity);
  return boundStep(model, speed, state.time > 0 ? Math.min(g, measureTopAcceleration(state)) : g);
}

/** The step that liquid at a speed (m/s) may take which is pulled on (m/s^2). */
export function boundStep(model: ViscousModel, speed: number, pull: number): Seconds {
  const g = Math.hypot(...model.gravity);
  const reach = model.options.cfl * model.lattice.size;
  // speed t + pull t^2 / 2 = reach
  const crossing = (2 * reach) / (speed + Math.sqrt(speed * speed + 2 * pull * reach));
  const waves = Math.max(
    WAVE_STEP * Math.sqrt(model.lattice.size / g),
    DAMPED_STEP * Math.cbrt(model.leastViscosity / model.density / (g * g)),
  );
  return Math.min(crossing || Number.POSITIVE_INFINITY, waves);
}

/** Greatest acceleration of a vertex over the last step, m/s^2. */
function measureTopAcceleration({ derived, mesh }: ViscousState): number {
  const a = derived.rates.acceleration;
  let most = 0;
  for (let v = 0; v < 3 * mesh.vertexCount; v += 3)
    most = Math.max(most, a[v] * a[v] + a[v + 1] * a[v + 1] + a[v + 2] * a[v + 2]);
  return Math.sqrt(most);
}
