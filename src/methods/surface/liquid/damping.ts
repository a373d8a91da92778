/**
 * Weak viscosity in potential flow. The flow dissipates  D = 2 mu int (grad grad phi)^2,  which on the surface, with w = d phi/dn, H the
 * sum of the curvatures and u_t the velocity along the surface, is
 *     D = 2 mu (int w (-2 lap phi - H w) - int u_t . kappa u_t)
 * A change of the potential d phi/dt = -delta takes rho int w delta, so
 *     delta = nu (-4 lap phi - 3 H w - 2 phi / R^2)
 * takes D: exactly on a sphere of radius R, where mode n decays with (n - 1)(2 n + 1) nu / R^2 as Lundgren and Mansour (1988) have it with
 * the vortical layer (normal stress alone gives n (n - 1)); and for short waves on any shape, 2 nu k^2. Elsewhere curvature enters with
 * its mean, and R is 3 volume / area. Curvature beyond LARGEST times that of the sphere counts as so much: rims are not waves.
 *
 * The damping of the scheme that a scene may add (surface.damping, m^2/s) is the same with its own nu.
 */
import type { Body } from './body.ts';
import { computeLaplacian, type Gradients } from './gradients.ts';
import { measureVolume } from './moments.ts';

const LARGEST = 3;

/** potential -= dt delta; `normalVelocity` by vertex, m/s. Returns what it took of the kinetic energy over the density, m^5/s^2, to first order. */
export function addViscosity(
  body: Body,
  gradients: Gradients,
  flux: Float64Array,
  nu: number,
  dt: number,
  potential: Float64Array,
): number {
  const { area, curvature } = gradients;
  const laplacian = new Float64Array(body.vertexCount);
  computeLaplacian(body, gradients, potential, laplacian);
  const whole = area.reduce((sum, a) => sum + a, 0);
  const radius = (3 * measureVolume(body, gradients).volume) / whole;
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
