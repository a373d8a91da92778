/**
 * One step of a body on a mesh of fixed topology: positions and potential by Bernoulli's equation on vertices
 * that move with the liquid,
 *     d phi / dt = m . u - |u|^2 / 2 - p / rho + g . x,      d x / dt = m,
 * with u the velocity of the liquid and m the motion of the vertex, which is u but for the error of the mesh
 * (flow.ts).
 *
 * Leapfrog: the pressure of tension acts for half a step, the liquid moves for a whole one, the pressure acts
 * for half a step again. The motion is that at the middle of the step, for which the shape is drawn on by the
 * velocity of the step before: second order, one solve of the flow, and small waves neither grow nor fade.
 *
 * The mean flow U is held apart (moments.ts). Gravity changes U alone, and nothing else does: what pressures
 * and |u|^2 / 2 add to it is an error of the discretisation and is taken out; angular momentum likewise by
 * the least change.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { KilogramsPerCubicMetre, Metres, Seconds, Vec3 } from '../../../core/types.ts';
import type { SolveReport } from '../../../linalg/krylov/solver.ts';
import type { Resources } from '../../method.ts';
import { slowDown } from '../../slow-down.ts';
import type { Body } from './body.ts';
import { addViscosity, smoothMisses } from './damping.ts';
import { createFlow, type FlowAccuracy, solveFlow } from './flow.ts';
import { computeGradients, createGradients, type Gradients, sharpen } from './gradients.ts';
import { addTurn, measureMoments, measureVolume, type Triple, takeMeanFlow } from './moments.ts';
import { followSwirl, measureSwirlEnergy, type Swirl, takeSwirlVelocity } from './swirl.ts';

export interface LiquidConstants {
  readonly density: KilogramsPerCubicMetre;
  /** N/m */
  readonly tension: number;
  /** Kinematic viscosity and the scheme's own damping together, m^2/s */
  readonly viscosity: number;
  readonly gravity: Vec3;
  readonly accuracy: FlowAccuracy;
}

export interface BodyMotion {
  readonly body: Body;
  /** Vertices around each cavity. */
  readonly cavities: readonly Int32Array[];
  /** (vertices) m^2/s; at first the whole potential, after the step without the mean flow */
  readonly potential: Float64Array;
  /** (vertices x 3) m/s without the mean flow: of the step before, then of this one */
  readonly velocity: Float64Array;
  /** Too small for a flow of its own: goes as a whole. */
  readonly isMote: boolean;
  /**
   * What goes around the body's hole; `potential` is then that of the rest (swirl.ts). It moves with the mean
   * flow.
   */
  readonly swirl?: Swirl | undefined;
}

export interface BodyReport {
  /** Mean velocity at the end of the step, m/s */
  readonly mean: Triple;
  /** J, at the end of the step */
  readonly kineticEnergy: number;
  /** m^3 */
  readonly volume: number;
  /** Momentum that pressures had added and that was taken out, kg m/s */
  readonly stray: Triple;
  /** J that viscosity took */
  readonly dissipated: number;
  readonly stopped: number;
  /** Largest change of an edge in the step, in its length, before anything was stopped */
  readonly strain: number;
  readonly solve: SolveReport | undefined;
  /** It touches walls: momentum is theirs to take. */
  readonly isOnWalls?: true;
}

/**
 * Advances the body's positions and potential by dt; no vertex goes farther than `longest` beside the mean
 * flow.
 */
export function integrateBody(
  resources: Resources,
  constants: LiquidConstants,
  motion: BodyMotion,
  dt: Seconds,
  longest: Metres,
): BodyReport {
  const scope = resources.heap.scope('surface body');
  try {
    return integrate(resources, constants, motion, dt, longest, scope);
  } finally {
    scope.free();
  }
}

function integrate(
  resources: Resources,
  constants: LiquidConstants,
  motion: BodyMotion,
  dt: Seconds,
  longest: Metres,
  scope: HeapScope,
): BodyReport {
  const { threads } = resources;
  const { density, gravity, viscosity, accuracy } = constants;
  const { body, potential, velocity, cavities, isMote, swirl } = motion;
  const { position } = body;
  const gradients = createGradients(body, scope);
  computeGradients(body, threads, gradients);
  const mean = takeMeanFlow(body, gradients, potential, swirl);
  const { volume, centre } = measureVolume(body, gradients);
  const half = mean.map((u, k) => u + (dt / 2) * gravity[k]);
  const end = mean.map((u, k) => u + dt * gravity[k]) as Triple;
  const drift = (share: number) => {
    for (let n = 0; n < position.length; n++) position[n] += share * dt * half[n % 3];
  };
  const wholeEnergy = 0.5 * density * volume * (end[0] ** 2 + end[1] ** 2 + end[2] ** 2);
  if (isMote) {
    drift(1);
    potential.fill(0);
    velocity.fill(0);
    return {
      mean: end,
      kineticEnergy: wholeEnergy,
      volume,
      stray: [0, 0, 0],
      dissipated: 0,
      stopped: 0,
      strain: 0,
      solve: undefined,
    };
  }
  const { turn } = measureMoments(body, gradients, potential, centre, swirl);
  const pressure = scope.f64(body.vertexCount);
  kick(body, gradients, constants, dt / 2, pressure, potential);
  const stray = takeMeanFlow(body, gradients, potential, swirl);

  // The middle of the step.
  const begin = scope.f64(position.length);
  begin.set(position);
  const before = scope.f64(body.vertexCount);
  before.set(potential);
  const turnsBefore = swirl?.angle.slice();
  for (let n = 0; n < position.length; n++) position[n] += 0.5 * dt * velocity[n];
  addAdvection(velocity, velocity, dt / 2, potential);
  if (swirl) followSwirl(body, swirl, potential);
  computeGradients(body, threads, gradients);
  takeMeanFlow(body, gradients, potential, swirl);
  const flow = createFlow(body, scope);
  setFirstGuess(body, swirl ? takeSwirlVelocity(position, swirl, velocity) : velocity, flow.normalVelocity);
  const held = scope.f64(cavities.length > 0 ? body.vertexCount : 0);
  held.set(potential.subarray(0, held.length));
  const solve = solveFlow(resources, { body, gradients, cavities, swirl }, potential, accuracy, flow);
  let middleEnergy = 0;
  for (let v = 0; v < body.vertexCount; v++) middleEnergy += 0.5 * density * potential[v] * flow.flux[v];
  if (swirl) middleEnergy += 0.5 * density * measureSwirlEnergy(body, swirl, potential);
  // What the cavities' pressures added is theirs for the whole step.
  for (let v = 0; v < held.length; v++) before[v] += potential[v] - held[v];
  const strain = dt * measureStrain(body, flow.velocity);
  const stopped = slowDown(flow.motion, longest / dt);
  velocity.set(flow.velocity);

  // Its end.
  for (let n = 0; n < position.length; n++) position[n] = begin[n] + dt * flow.motion[n];
  potential.set(before);
  addAdvection(velocity, flow.motion, dt, potential);
  if (swirl) {
    swirl.angle.set(turnsBefore!);
    followSwirl(body, swirl, potential);
  }
  let dissipated = 0;
  computeGradients(body, threads, gradients);
  const rest = swirl ? takeSwirlVelocity(begin, swirl, velocity) : velocity;
  const { flux } = flow;
  if (viscosity > 0) {
    const own = { flux, velocity: rest };
    dissipated = density * addViscosity(body, gradients, own, { nu: viscosity, volume }, dt, potential);
  }
  dissipated += density * smoothMisses(body, gradients, rest, flow.flux, dt, potential);
  const middle = scope.f64(body.vertexCount);
  middle.set(potential);
  kick(body, gradients, constants, dt / 2, pressure, potential);
  const after = takeMeanFlow(body, gradients, potential, swirl);
  const { centre: there } = measureVolume(body, gradients);
  const { turn: turned } = measureMoments(body, gradients, potential, there, swirl);
  addTurn(body, gradients, there, [turn[0] - turned[0], turn[1] - turned[1], turn[2] - turned[2]], potential);
  takeMeanFlow(body, gradients, potential, swirl);
  let gain = 0;
  for (let v = 0; v < body.vertexCount; v++) gain += density * (potential[v] - middle[v]) * flow.flux[v];
  drift(1);
  return {
    mean: end,
    kineticEnergy: wholeEnergy + computeEndEnergy(middleEnergy - dissipated, gain),
    volume,
    stray: stray.map((u, k) => density * volume * (u + after[k])) as Triple,
    dissipated,
    stopped,
    strain,
    solve,
  };
}

/**
 * Kinetic energy after a kick whose work on the flow of before it is `gain`, to second order (films'
 * integrate.ts has the argument).
 */
export function computeEndEnergy(before: number, gain: number): number {
  return before > 0 ? Math.max(0, before + gain / 2) ** 2 / before : 0;
}

/** potential -= dt p / rho, p sharpened. */
function kick(
  body: Body,
  gradients: Gradients,
  { tension, density }: LiquidConstants,
  dt: Seconds,
  pressure: Float64Array,
  potential: Float64Array,
): void {
  sharpen(body, gradients, gradients.curvature, false, pressure);
  for (let v = 0; v < potential.length; v++) potential[v] -= (dt * tension * pressure[v]) / density;
}

/** potential += dt (m . u - |u|^2 / 2) */
export function addAdvection(
  velocity: Float64Array,
  motion: Float64Array,
  dt: Seconds,
  potential: Float64Array,
): void {
  for (let n = 0; n < velocity.length; n++)
    potential[(n / 3) | 0] += dt * (motion[n] - 0.5 * velocity[n]) * velocity[n];
}

/** Normal velocity of faces by that of their corners. */
export function setFirstGuess(
  { position: p, triangle, faceCount }: Body,
  u: Float64Array,
  out: Float64Array,
): void {
  for (let f = 0; f < faceCount; f++) {
    const a = 3 * triangle[3 * f];
    const b = 3 * triangle[3 * f + 1];
    const c = 3 * triangle[3 * f + 2];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [wx, wy, wz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [x, y, z] = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
    const length = Math.hypot(x, y, z);
    out[f] =
      length > 0
        ? ((u[a] + u[b] + u[c]) * x +
            (u[a + 1] + u[b + 1] + u[c + 1]) * y +
            (u[a + 2] + u[b + 2] + u[c + 2]) * z) /
          (3 * length)
        : 0;
  }
}

/** Largest difference of velocity along an edge over its length, 1/s. */
export function measureStrain({ position: p, triangle }: Body, u: Float64Array): number {
  let most = 0;
  for (let c = 0; c < triangle.length; c++) {
    const a = 3 * triangle[c];
    const b = 3 * triangle[c % 3 === 2 ? c - 2 : c + 1];
    let rise = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      rise += (u[b + k] - u[a + k]) ** 2;
      square += (p[b + k] - p[a + k]) ** 2;
    }
    most = Math.max(most, rise / square);
  }
  return Math.sqrt(most);
}
