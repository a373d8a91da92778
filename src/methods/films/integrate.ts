/**
 * Time integration on a sheet of fixed topology ([da-2017] 15.2, chapter 16): circulations by tension, positions by the air's velocity.
 *
 *   symplectic-euler   kick dt, move dt: the thesis
 *   leapfrog           kick dt/2, move dt, kick dt/2: second order for small waves, one evaluation of the velocity
 *   runge-kutta        the classical method of fourth order on both: four evaluations; not symplectic, so the shortest waves fade
 *
 * Held vertices move to where their wires take them, `held` (vertices x 3) m/s.
 */
import type { Seconds } from '../../core/types.ts';
import { type Air, kick, move, setPotentialRate, updateFrames } from './air.ts';

export type Integrator = 'symplectic-euler' | 'leapfrog' | 'runge-kutta';

/** Advances the sheet's positions and potentials by dt; leaves the last velocities in the air. */
export function integrate(air: Air, scheme: Integrator, dt: Seconds): void {
  if (scheme === 'runge-kutta') {
    integrateRungeKutta(air, dt);
    return;
  }
  const isLeapfrog = scheme === 'leapfrog';
  updateFrames(air);
  kick(air, isLeapfrog ? dt / 2 : dt);
  move(air);
  const { position } = air.sheet;
  for (let n = 0; n < position.length; n++) position[n] += dt * air.velocity[n];
  if (!isLeapfrog) return;
  updateFrames(air);
  kick(air, dt / 2);
}

/** Weights of the four slopes, and where the next one is taken. */
const WEIGHT = [1 / 6, 1 / 3, 1 / 3, 1 / 6];
const NEXT = [0.5, 0.5, 1, 0];

function integrateRungeKutta(air: Air, dt: Seconds): void {
  const { position, potential } = air.sheet;
  const x0 = position.slice();
  const p0 = potential.slice();
  const x = x0.slice();
  const p = p0.slice();
  const rate = new Float64Array(potential.length);
  for (let stage = 0; stage < 4; stage++) {
    updateFrames(air);
    setPotentialRate(air, rate);
    move(air);
    const w = dt * WEIGHT[stage];
    for (let n = 0; n < x.length; n++) x[n] += w * air.velocity[n];
    for (let n = 0; n < p.length; n++) p[n] += w * rate[n];
    const s = dt * NEXT[stage];
    for (let n = 0; n < x.length; n++) position[n] = x0[n] + s * air.velocity[n];
    for (let n = 0; n < p.length; n++) potential[n] = p0[n] + s * rate[n];
  }
  position.set(x);
  potential.set(p);
}
