/**
 * One step of a body that touches walls: liquid/integrate.ts with these differences.
 *
 *   frame     that of the walls: no mean flow is held apart, and gravity acts on the potential as g . x
 *   walls     potentials there are solved for, so that nothing goes through; what is stored is the first guess
 *   tension   of the free surface, with the contact angles' share on contact lines (contact.ts)
 *
 * Momentum is the walls' to take: what gravity did not give has come from them.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { Metres, Seconds } from '../../../core/types.ts';
import type { Resources } from '../../method.ts';
import { slowDown } from '../../slow-down.ts';
import { createFlow } from '../liquid/flow.ts';
import { createGradients, type Gradients, sharpen } from '../liquid/gradients.ts';
import {
  addAdvection,
  type BodyMotion,
  type BodyReport,
  computeEndEnergy,
  type LiquidConstants,
  measureStrain,
  setFirstGuess,
} from '../liquid/integrate.ts';
import { centrePotential } from '../liquid/moments.ts';
import {
  buildContact,
  type Contact,
  type ContactSetting,
  computeContactGradients,
  measureClosed,
} from './contact.ts';
import { damp } from './damping.ts';
import { solveContactFlow } from './flow.ts';

/** Undefined for a body that touches nothing; else as integrateBody. */
export function integrateOnWalls(
  resources: Resources,
  setting: ContactSetting & { readonly constants: LiquidConstants },
  motion: BodyMotion,
  dt: Seconds,
  longest: Metres,
): BodyReport | undefined {
  const scope = resources.heap.scope('surface body');
  try {
    const contact = buildContact(setting, motion.body, scope, setting.walls.time + dt / 2);
    if (!contact) return undefined;
    if (motion.isMote) return stick(motion);
    return integrate(resources, setting.constants, { ...motion, setting, contact }, dt, longest, scope);
  } finally {
    scope.free();
  }
}

/** What is too small for a flow of its own stays where it came to a wall. */
function stick({ body, potential, velocity }: BodyMotion): BodyReport {
  potential.fill(0);
  velocity.fill(0);
  return {
    mean: [0, 0, 0],
    kineticEnergy: 0,
    volume: measureClosed(body).volume,
    stray: [0, 0, 0],
    dissipated: 0,
    stopped: 0,
    strain: 0,
    solve: undefined,
    isOnWalls: true,
  };
}

export interface ContactMotion extends BodyMotion {
  readonly setting: ContactSetting;
  readonly contact: Contact;
}

function integrate(
  resources: Resources,
  constants: LiquidConstants,
  motion: ContactMotion,
  dt: Seconds,
  longest: Metres,
  scope: HeapScope,
): BodyReport {
  const { threads } = resources;
  const { density, viscosity, accuracy } = constants;
  const { body, potential, velocity, setting, contact } = motion;
  const { position } = body;
  const gradients = createGradients(body, scope);
  const pressure = scope.f64(body.vertexCount);
  const computeAll = () => computeContactGradients(body, setting, contact, threads, gradients);
  computeAll();
  const { volume } = measureClosed(body);
  kick(motion, gradients, constants, dt / 2, pressure);
  centrePotential(gradients, potential);

  // The middle of the step.
  const begin = scope.f64(position.length);
  begin.set(position);
  const before = scope.f64(body.vertexCount);
  before.set(potential);
  for (let n = 0; n < position.length; n++) position[n] += 0.5 * dt * velocity[n];
  addAdvection(velocity, velocity, dt / 2, potential);
  computeAll();
  const flow = createFlow(body, scope);
  setFirstGuess(body, velocity, flow.normalVelocity);
  const domain = { body, gradients, contact };
  const { report: solve, energy } = solveContactFlow(resources, domain, potential, accuracy, flow);
  setting.walls.pin(body.vertexId.filter((_, v) => contact.isPinned[v]));
  const strain = dt * measureStrain(body, flow.velocity);
  const stopped = slowDown(flow.motion, longest / dt);
  velocity.set(flow.velocity);

  // Its end. Potentials of walls stay those of the middle: the next guess.
  for (let n = 0; n < position.length; n++) position[n] = begin[n] + dt * flow.motion[n];
  for (let v = 0; v < body.vertexCount; v++) if (!contact.isWallVertex[v]) potential[v] = before[v];
  addAdvection(velocity, flow.motion, dt, potential);
  computeAll();
  const damped = scope.f64(body.vertexCount);
  damped.set(potential);
  const dissipated = density * damp(motion, gradients, { viscosity, volume }, flow.flux, dt, damped);
  let gain = 0;
  for (let v = 0; v < body.vertexCount; v++) if (!contact.isWallVertex[v]) potential[v] = damped[v];
  damped.set(potential);
  kick(motion, gradients, constants, dt / 2, pressure);
  for (let v = 0; v < body.vertexCount; v++) gain += density * (potential[v] - damped[v]) * flow.flux[v];
  centrePotential(gradients, potential);
  return {
    mean: [0, 0, 0],
    kineticEnergy: computeEndEnergy(density * energy - dissipated, gain),
    volume,
    stray: [0, 0, 0],
    dissipated,
    stopped,
    strain,
    solve,
    isOnWalls: true,
  };
}

/** potential -= dt (p / rho - g . x) where it is not the walls' to say. */
function kick(
  { body: { position: p }, contact, potential }: ContactMotion,
  gradients: Gradients,
  { tension, density, gravity }: LiquidConstants,
  dt: Seconds,
  pressure: Float64Array,
): void {
  sharpen(contact.free, gradients, gradients.curvature, false, pressure);
  for (let v = 0; v < potential.length; v++) {
    if (contact.isWallVertex[v]) continue;
    const lift =
      gravity[0] * (p[3 * v] - p[0]) +
      gravity[1] * (p[3 * v + 1] - p[1]) +
      gravity[2] * (p[3 * v + 2] - p[2]);
    potential[v] -= dt * ((tension * pressure[v]) / density - lift);
  }
}
