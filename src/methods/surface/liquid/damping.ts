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
 * of one vertex drives itself up. A vertex that stands out of a flat surface by the potential delta has the
 * velocity k delta, and |u|^2 / 2 raises delta at the rate (k delta)^2 / 2; on even triangles k is about
 * 2.5 / h. What shows it is how far the potential along an edge misses the velocities at its ends,
 *     d = phi_j - phi_i - (u_i + u_j) . (x_j - x_i) / 2,
 * which is delta there and of third order in the edge where the flow is resolved. A flow of own |d| d along
 * edges takes 16 own delta^2 / h^2 from such a vertex: with own = 0.2 what it would gain. It has no other
 * constant, and is of sixth order in the edge, and of second in the amplitude.
 */
import { COT_B, W } from '../../../math/triangle.ts';
import type { Body } from './body.ts';
import { computeLaplacian, forEachSide, type Gradients } from './gradients.ts';

const LARGEST = 3;
/** Share of an edge's miss that is its own viscosity, see above; of its miss it may lose this much in a step. */
const EDGE = { own: 0.2, mostLost: 0.2 };

/**
 * potential -= dt delta for a viscosity nu, m^2/s, in a body of this volume. Returns what it took of the
 * kinetic energy over the density, m^5/s^2, to first order.
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
 * Flows of 4 own |d| d along edges for dt. Returns what it took of the kinetic energy over the density, to
 * first order.
 */
export function smoothMisses(
  { position: p, triangle, vertexCount }: Body,
  { area }: Gradients,
  velocity: Float64Array,
  flux: Float64Array,
  dt: number,
  potential: Float64Array,
): number {
  const change = new Float64Array(vertexCount);
  forEachSide(p, triangle, (i, j, seen) => {
    // The edge from j to i is w of the corner at j.
    let along = 0;
    for (let n = 0; n < 3; n++) along -= 0.5 * (velocity[3 * i + n] + velocity[3 * j + n]) * seen[W + n];
    const miss = potential[j] - potential[i] - along;
    // Half the cotangent of the angle at k, and never below that of an even triangle's half.
    const weight = Math.min(MOST_WEIGHT, Math.max(LEAST_WEIGHT, 0.5 * seen[COT_B]));
    const most = EDGE.mostLost / (dt * (1 / area[i] + 1 / area[j]));
    const flow = Math.min(most, 4 * EDGE.own * Math.abs(miss) * weight) * miss;
    change[i] += flow;
    change[j] -= flow;
  });
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
