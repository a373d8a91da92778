/**
 * Weak viscosity in potential flow. The flow dissipates D = 2 mu int (grad grad phi)^2, which on the surface,
 * with w = d phi/dn, H the sum of the curvatures and u_t the velocity along the surface, is
 *     D = 2 mu (int w (-2 lap phi - H w) - int u_t . kappa u_t)
 * A change of the potential d phi/dt = -delta takes rho int w delta, so
 *     delta = nu (-4 lap phi - 3 H w - 2 phi / R^2)
 * takes D: exactly on a sphere of radius R, where mode n decays with (n - 1)(2 n + 1) nu / R^2 as Lundgren
 * and Mansour (1988) have it with the vortical layer (normal stress alone gives n (n - 1)); and for short
 * waves on any shape, 2 nu k^2. Elsewhere curvature enters with its mean, and R is 3 volume / area. Curvature
 * beyond LARGEST times that of the sphere counts as so much: rims are not waves.
 *
 * The damping of the scheme that a scene may add (surface.damping, m^2/s) is the same with its own nu.
 *
 * Where the mesh does not resolve the flow, at necks just formed, at cusps, on rims about to pinch, |u|^2 / 2
 * of one vertex drives itself up. There an eddy viscosity acts, RESOLVED times edge times the difference of
 * the velocities at its ends, on edges one by one: nothing for small waves, of which it is of second order,
 * and less with every refinement (Smagorinsky 1963 has the form).
 */
import { CORNER, COT_B, setCorner, WW } from '../../../math/triangle.ts';
import type { Body } from './body.ts';
import { computeLaplacian, type Gradients } from './gradients.ts';

const LARGEST = 3;
/** Eddy viscosity in edges times differences of velocity along them. */
const RESOLVED = 0.05;

/**
 * potential -= dt delta for a viscosity nu, m^2/s, in a body of this volume. Returns what it took of the kinetic energy over the
 * density, m^5/s^2, to first order.
 */
export function addViscosity(
  body: Body,
  gradients: Gradients,
  flux: Float64Array,
  { nu, volume }: { readonly nu: number; readonly volume: number },
  dt: number,
  potential: Float64Array,
): number {
  const { area, curvature } = gradients;
  const laplacian = new Float64Array(body.vertexCount);
  computeLaplacian(body, gradients, potential, laplacian);
  const whole = area.reduce((sum, a) => sum + a, 0);
  const radius = (3 * volume) / whole;
  const most = (2 * LARGEST) / radius;
  let taken = 0;
  for (let v = 0; v < potential.length; v++) {
    const bend = Math.max(-most, Math.min(most, curvature[v]));
    const w = area[v] > 0 ? flux[v] / area[v] : 0;
    const delta = nu * (-4 * laplacian[v] - 3 * bend * w - (2 * potential[v]) / (radius * radius));
    potential[v] -= dt * delta;
    taken += dt * delta * flux[v];
  }
  return taken;
}

/**
 * potential += dt 4 div(nu grad potential) with the eddy viscosity of each edge. Returns what it took of the
 * kinetic energy over the density, to first order.
 */
export function addEddyViscosity(
  { position: p, triangle, vertexCount }: Body,
  { area }: Gradients,
  velocity: Float64Array,
  flux: Float64Array,
  dt: number,
  potential: Float64Array,
): number {
  const change = new Float64Array(vertexCount);
  const seen = new Float64Array(CORNER);
  for (let c = 0; c < triangle.length; c++) {
    const f = c - (c % 3);
    const i = triangle[c];
    const j = triangle[f + ((c - f + 1) % 3)];
    const k = triangle[f + ((c - f + 2) % 3)];
    if (setCorner(p, 3 * j, 3 * k, 3 * i, seen) === 0) continue;
    let rise = 0;
    for (let n = 0; n < 3; n++) rise += (velocity[3 * j + n] - velocity[3 * i + n]) ** 2;
    // The edge from j to i is w of the corner at j; its weight is half the cotangent of the angle at k, and
    // never below that of an even triangle's half.
    const nu = RESOLVED * Math.sqrt(seen[WW] * rise);
    const weight = Math.min(MOST_WEIGHT, Math.max(LEAST_WEIGHT, 0.5 * seen[COT_B]));
    const flow = 4 * nu * weight * (potential[j] - potential[i]);
    change[i] += flow;
    change[j] -= flow;
  }
  let taken = 0;
  for (let v = 0; v < vertexCount; v++) {
    if (!(area[v] > 0)) continue;
    const rise = (dt * change[v]) / area[v];
    potential[v] += rise;
    taken -= rise * flux[v];
  }
  return taken;
}

/** Half cotangents of 75 and 20 degrees: slivers are to be damped too, and not more than others. */
const LEAST_WEIGHT = 0.13;
const MOST_WEIGHT = 1.4;
