/**
 * Weak viscosity of a body on walls: that of one in free space (liquid/damping.ts) which walls are mirrors
 * of. Three things differ.
 *
 *   mean flow       only what goes along the walls is not damped: a drop that spreads has some towards them
 *   contact line    the free surface ends there. With w = d phi/dn, the velocity u_t along the surface and nu
 *                   out of it across its edge, the weak Laplacian leaves
 *                       D = 2 mu (int 2 grad w . grad phi - H w^2 - u_t . kappa u_t - int_line w u_t . nu)
 *                   and nothing goes through the wall, so that u_t . nu = w cot theta
 *   curvature       of lines is that of the free surface beside them, not the pressure of their angle
 *
 * Without them drops on walls gained energy by their viscosity.
 */
import type { Seconds } from '../../../core/types.ts';
import { NONE } from '../../../core/types.ts';
import { setNormal } from '../../../math/triangle.ts';
import type { Body } from '../liquid/body.ts';
import { addViscosity, smoothMisses } from '../liquid/damping.ts';
import type { Gradients } from '../liquid/gradients.ts';
import { addMeanFlow, type Triple } from '../liquid/moments.ts';
import { meanAround, measureClosed, ROLE, removeAlong } from './contact.ts';
import type { ContactMotion } from './integrate.ts';

/** Largest cotangent of an angle at a line: within 27 degrees of flat it is not known better. */
const STEEPEST = 2;
/** Sine between the normals of a wall beyond which liquid does not slide along it as a whole. */
const BENT = 0.2;

/** Damps the potential for dt; returns what that took of the kinetic energy over the density, m^5/s^2. */
export function damp(
  motion: ContactMotion,
  gradients: Gradients,
  { viscosity, volume }: { readonly viscosity: number; readonly volume: number },
  flux: Float64Array,
  dt: Seconds,
  potential: Float64Array,
): number {
  const { body, contact, velocity } = motion;
  const { free, role } = contact;
  let taken = 0;
  if (viscosity > 0) {
    const mean = measureMean(body, potential, volume);
    for (const normal of listNormals(motion)) removeAlong(normal, mean, 0);
    const { centre } = measureClosed(body);
    const rest = { flux: flux.slice(), velocity: velocity.slice() };
    for (let n = 0; n < velocity.length; n++) {
      if (flux[(n / 3) | 0] !== 0) rest.flux[(n / 3) | 0] -= mean[n % 3] * gradients.volumeGradient[n];
      rest.velocity[n] -= mean[n % 3];
    }
    addMeanFlow(body, mean.map((u) => -u) as Triple, centre, potential);
    const curvature = gradients.curvature.slice();
    for (let v = 0; v < role.length; v++)
      if (role[v] === ROLE.line) curvature[v] = meanAround(free, role, gradients.curvature, v);
    const viscous = { nu: viscosity, volume, slant: measureSlant(motion) };
    taken = addViscosity(free, { ...gradients, curvature }, rest, viscous, dt, potential);
    addMeanFlow(body, mean, centre, potential);
  }
  return taken + smoothMisses(free, gradients, velocity, flux, dt, potential);
}

/** (vertices) integral of cot theta over the contact line, half of each edge to either end, m. */
function measureSlant({ body, contact, setting: { walls } }: ContactMotion): Float64Array {
  const { position: p, triangle, vertexCount } = body;
  const { free, wallOf } = contact;
  const wallAt = new Map<number, number>();
  for (let c = 0; c < triangle.length; c++) {
    const n = wallOf[(c / 3) | 0];
    if (n !== NONE) wallAt.set(triangle[c] * vertexCount + triangle[c % 3 === 2 ? c - 2 : c + 1], n);
  }
  const slant = new Float64Array(vertexCount);
  const normal = new Float64Array(3);
  for (let c = 0; c < free.triangle.length; c++) {
    const f = c - (c % 3);
    const [a, b] = [free.triangle[c], free.triangle[c % 3 === 2 ? f : c + 1]];
    const n = wallAt.get(b * vertexCount + a);
    if (n === undefined) continue;
    setNormal(p, 3 * free.triangle[f], 3 * free.triangle[f + 1], 3 * free.triangle[f + 2], normal);
    const [x, y, z] = walls.walls[n].normal(p[3 * a], p[3 * a + 1], p[3 * a + 2], walls.time);
    const cosine = (x * normal[0] + y * normal[1] + z * normal[2]) / Math.hypot(...normal);
    const cotangent = cosine / Math.sqrt(Math.max(Number.MIN_VALUE, 1 - cosine * cosine));
    const length = Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);
    const share = 0.5 * length * Math.max(-STEEPEST, Math.min(STEEPEST, cotangent));
    slant[a] += share;
    slant[b] += share;
  }
  return slant;
}

/** Directions in which walls of the body stop its mean flow, at right angles to each other. */
function listNormals({ contact: { normals } }: ContactMotion): number[][] {
  const found: number[][] = [];
  for (const own of normals.flat()) {
    const normal = [...own];
    for (const other of found) removeAlong(other, normal, 0);
    const length = Math.hypot(...normal);
    if (length > BENT) found.push(normal.map((x) => x / length));
    if (found.length === 3) break;
  }
  return found;
}

/** Impulse over volume: the integral of phi n over the whole surface. */
function measureMean({ position: p, triangle }: Body, potential: Float64Array, volume: number): Triple {
  const sum: Triple = [0, 0, 0];
  const normal = new Float64Array(3);
  for (let c = 0; c < triangle.length; c += 3) {
    const [a, b, d] = triangle.subarray(c, c + 3);
    const share = (potential[a] + potential[b] + potential[d]) / (6 * volume);
    setNormal(p, 3 * a, 3 * b, 3 * d, normal);
    for (let k = 0; k < 3; k++) sum[k] += share * normal[k];
  }
  return sum;
}
