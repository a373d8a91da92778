/**
 * Volume, impulse and angular impulse of a body, and the mean flow in its potential: phi = U . x + phi',
 * where U is the velocity of the centre of mass, impulse over volume. phi' alone is solved for, so that a
 * translation is exact whatever the sums leave.
 *
 *   impulse            sum phi G           sum x_i G_j is the volume for i = j and 0 otherwise
 *   angular impulse    sum phi (x - c) x G
 *
 * A flow around a hole (swirl.ts) adds its own integrals to both.
 */
import { solveByElimination } from '../../../math/dense-solve.ts';
import type { Body } from './body.ts';
import type { Gradients } from './gradients.ts';
import { measureSwirl, type Swirl } from './swirl.ts';

export type Triple = [number, number, number];

/**
 * Eigenvalues of the rotations' matrix below this share of what it is where the surface crosses them at right
 * angles count as none: nothing turns a sphere.
 */
const ROUND = 1e-3;

/** m^3, and the middle of the vertices. */
export function measureVolume({ position: p, vertexCount }: Body, { volumeGradient: g }: Gradients) {
  const centre: Triple = [0, 0, 0];
  for (let n = 0; n < 3 * vertexCount; n++) centre[n % 3] += p[n] / vertexCount;
  let volume = 0;
  for (let n = 0; n < 3 * vertexCount; n++) volume += ((p[n] - centre[n % 3]) * g[n]) / 3;
  return { volume, centre };
}

/** sum phi G, m^5/s */
export function measureImpulse({ volumeGradient: g }: Gradients, potential: Float64Array): Triple {
  const sum: Triple = [0, 0, 0];
  for (let v = 0; v < potential.length; v++) {
    sum[0] += potential[v] * g[3 * v];
    sum[1] += potential[v] * g[3 * v + 1];
    sum[2] += potential[v] * g[3 * v + 2];
  }
  return sum;
}

/** sum phi (x - c) x G, m^6/s */
export function measureTurn(
  { position: p }: Body,
  { volumeGradient: g }: Gradients,
  potential: Float64Array,
  centre: Triple,
): Triple {
  const sum: Triple = [0, 0, 0];
  for (let v = 0; v < potential.length; v++) {
    const arm = computeArm(p, g, v, centre);
    for (let k = 0; k < 3; k++) sum[k] += potential[v] * arm[k];
  }
  return sum;
}

/** (x - c) x G */
function computeArm(p: Float64Array, g: Float64Array, v: number, c: Triple): Triple {
  const x = p[3 * v] - c[0];
  const y = p[3 * v + 1] - c[1];
  const z = p[3 * v + 2] - c[2];
  return [
    y * g[3 * v + 2] - z * g[3 * v + 1],
    z * g[3 * v] - x * g[3 * v + 2],
    x * g[3 * v + 1] - y * g[3 * v],
  ];
}

/** potential += u . (x - c) */
export function addMeanFlow(
  { position: p }: Body,
  u: Readonly<Triple>,
  centre: Readonly<Triple>,
  potential: Float64Array,
): void {
  for (let v = 0; v < potential.length; v++)
    for (let k = 0; k < 3; k++) potential[v] += u[k] * (p[3 * v + k] - centre[k]);
}

/** Takes a constant off that leaves the mean by area at 0. */
export function centrePotential({ area }: Gradients, potential: Float64Array): void {
  let sum = 0;
  let whole = 0;
  for (let v = 0; v < potential.length; v++) {
    sum += area[v] * potential[v];
    whole += area[v];
  }
  for (let v = 0; v < potential.length; v++) potential[v] -= sum / whole;
}

/** Impulse and angular impulse about a place of all flow. */
export function measureMoments(
  body: Body,
  gradients: Gradients,
  potential: Float64Array,
  about: Triple,
  swirl?: Swirl,
): { impulse: Triple; turn: Triple } {
  const impulse = measureImpulse(gradients, potential);
  const turn = measureTurn(body, gradients, potential, about);
  if (swirl) {
    const own = measureSwirl(body, swirl, about);
    for (let k = 0; k < 3; k++) {
      impulse[k] += own.impulse[k];
      turn[k] += own.turn[k];
    }
  }
  return { impulse, turn };
}

/** Takes the mean flow out of the potential; returns its velocity, m/s. */
export function takeMeanFlow(
  body: Body,
  gradients: Gradients,
  potential: Float64Array,
  swirl?: Swirl,
): Triple {
  const { volume, centre } = measureVolume(body, gradients);
  const { impulse } = measureMoments(body, gradients, potential, centre, swirl);
  const u: Triple = [impulse[0] / volume, impulse[1] / volume, impulse[2] / volume];
  if (!u.every(Number.isFinite)) return [0, 0, 0];
  addMeanFlow(body, [-u[0], -u[1], -u[2]], centre, potential);
  centrePotential(gradients, potential);
  return u;
}

/**
 * Adds the least change of the potential, by area, with which its angular impulse about the centre is larger
 * by `missing`, as far as the shape can be turned at all.
 */
export function addTurn(
  { position: p, vertexCount }: Body,
  { volumeGradient: g, area }: Gradients,
  centre: Triple,
  missing: Readonly<Triple>,
  potential: Float64Array,
): void {
  const matrix = new Float64Array(9);
  let whole = 0;
  for (let v = 0; v < vertexCount; v++) {
    const arm = computeArm(p, g, v, centre);
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) matrix[3 * i + j] += (arm[i] * arm[j]) / area[v];
    for (let k = 0; k < 3; k++) whole += area[v] * (p[3 * v + k] - centre[k]) ** 2;
  }
  // Held up by a little of what a plate would have: directions in which nothing turns take next to nothing.
  for (let k = 0; k < 3; k++) matrix[4 * k] += ROUND * whole;
  const turn = new Float64Array(missing);
  if (!solveByElimination(matrix, 3, turn)) return;
  for (let v = 0; v < vertexCount; v++) {
    const arm = computeArm(p, g, v, centre);
    potential[v] += (turn[0] * arm[0] + turn[1] * arm[1] + turn[2] * arm[2]) / area[v];
  }
}
