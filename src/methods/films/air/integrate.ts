/**
 * Time integration on a sheet of fixed topology ([da-2017] 15.2, chapter 16): circulations by tension,
 * positions by the air's velocity.
 *
 *   symplectic-euler   kick dt, move dt: the thesis
 *   leapfrog           kick dt/2, move dt, kick dt/2: second order for small waves, whose velocity does not depend on where the films are; first order for large ones; one evaluation of the velocity
 *   runge-kutta        the classical method of fourth order on both: four evaluations; not symplectic, so the shortest waves fade. What wires ask of the circulation is not integrated but
 *                      solved for in every stage (wire-solve.ts), and that of the last stage stays
 *
 * No vertex goes farther than it is allowed: where a junction of slivers has next to no volume to move, the
 * motion that would move the air's flux is without bound, and once threw a vertex by thirty edges. What it
 * leaves undone is made up for with the volumes (tracking/multimaterial/conservation/volumes.ts). Held
 * vertices move to where their wires take them (`hold` of air.ts).
 *
 * Leapfrog knows the kinetic energy in the middle of a step; at the end, where the films' energy is known, it
 * is that and what the second kick d adds. With W the flux of the potentials phi,
 *     T = rho/2 sum phi W,   g = rho sum d W,   T(phi + d) >= T (1 + g / 2T)^2,
 * equal where d is along phi, as from rest, at a turn, and for a single mode. Moving along with the films
 * does not change it: without tension the air keeps its energy.
 */

import type { Metres, Seconds } from '../../../core/types.ts';
import { slowDown } from '../../slow-down.ts';
import {
  type Air,
  clearRims,
  kick,
  measureKineticEnergy,
  move,
  setPotentialRate,
  updateGradients,
} from './air.ts';

export type Integrator = 'symplectic-euler' | 'leapfrog' | 'runge-kutta';

export interface IntegrationReport {
  /** Vertices that were to go farther than they may. */
  readonly stopped: number;
  /** J, at the end of the step */
  readonly kineticEnergy: number;
}

/**
 * Advances the sheet's positions and potentials by dt, no vertex by more than `longest`; leaves the last
 * velocities in the air.
 */
export function integrate(
  air: Air,
  scheme: Integrator,
  dt: Seconds,
  longest: Metres = Infinity,
): IntegrationReport {
  if (scheme === 'runge-kutta') return integrateRungeKutta(air, dt, longest / dt);
  const isLeapfrog = scheme === 'leapfrog';
  updateGradients(air);
  kick(air, isLeapfrog ? dt / 2 : dt);
  move(air);
  const stopped = slowDown(air.velocity, longest / dt);
  const { position } = air.sheet;
  for (let n = 0; n < position.length; n++) position[n] += dt * air.velocity[n];
  const kineticEnergy = measureKineticEnergy(air);
  if (!isLeapfrog) return { stopped, kineticEnergy };
  const [before, flux] = [air.sheet.potential.slice(), air.flux.slice()];
  updateGradients(air);
  kick(air, dt / 2);
  const gain = measureGain(air, before, flux);
  return { stopped, kineticEnergy: kineticEnergy > 0 ? (kineticEnergy + gain / 2) ** 2 / kineticEnergy : 0 };
}

/**
 * Kinetic energy that the potentials have won since they were `before` and made this flux (entries both), to
 * first order, J.
 */
function measureGain({ sheet, constants }: Air, before: Float64Array, flux: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < before.length; n++) sum += (sheet.potential[n] - before[n]) * flux[n];
  return constants.density * sum;
}

/** Weights of the four slopes, and where the next one is taken. */
const WEIGHT = [1 / 6, 1 / 3, 1 / 3, 1 / 6];
const NEXT = [0.5, 0.5, 1, 0];

function integrateRungeKutta(air: Air, dt: Seconds, most: number): IntegrationReport {
  clearRims(air.sheet);
  const { position, potential } = air.sheet;
  const x0 = position.slice();
  const p0 = potential.slice();
  const x = x0.slice();
  const p = p0.slice();
  const rate = new Float64Array(potential.length);
  const wired = listWiredEntries(air);
  let stopped = 0;
  for (let stage = 0; stage < 4; stage++) {
    updateGradients(air);
    setPotentialRate(air, rate);
    move(air);
    stopped += slowDown(air.velocity, most);
    for (const n of wired) {
      p0[n] = potential[n];
      p[n] = potential[n];
      rate[n] = 0;
    }
    const w = dt * WEIGHT[stage];
    for (let n = 0; n < x.length; n++) x[n] += w * air.velocity[n];
    for (let n = 0; n < p.length; n++) p[n] += w * rate[n];
    const s = dt * NEXT[stage];
    for (let n = 0; n < x.length; n++) position[n] = x0[n] + s * air.velocity[n];
    for (let n = 0; n < p.length; n++) potential[n] = p0[n] + s * rate[n];
  }
  position.set(x);
  potential.set(p);
  // The last stage was evaluated where the step ends, but for terms of higher order.
  return { stopped, kineticEnergy: measureKineticEnergy(air) };
}

/** Entries whose potentials follow from the motion of wires. */
function listWiredEntries({ sheet, hold }: Air): number[] {
  const entries: number[] = [];
  for (const w of hold?.wired ?? [])
    for (let n = sheet.entryStart[hold!.vertex[w]]; n < sheet.entryStart[hold!.vertex[w] + 1]; n++)
      entries.push(n);
  return entries;
}
