/**
 * Weak viscosity in potential flow. The flow dissipates D = 2 mu int (grad grad phi)^2, which on the surface,
 * with w = d phi/dn, H the sum of the curvatures, kappa their tensor and u_t the velocity along the surface, is
 *     D = 2 mu (int w (-2 lap phi - H w) - int u_t . kappa u_t)
 * A change of the potential d phi/dt = -delta takes rho int w delta, so
 *     delta = nu (-4 lap phi - 2 H w) - m w,      m int w^2 = 2 nu int u_t . kappa u_t
 * takes D, on any shape. On a sphere of radius R mode n decays with (n - 1)(2 n + 1) nu / R^2 as Lundgren and
 * Mansour (1988) have it with the vortical layer (normal stress alone gives n (n - 1)), for m is then
 * 2 nu (n + 1) / (n R); and short waves on any shape with 2 nu k^2. kappa is summed over edges: each bends by
 * its angle, across itself. Curvature H beyond LARGEST times that of the sphere of this volume and area counts
 * as so much: rims are not waves. Viscosity never gives energy: where the mesh does not resolve D it is 0.
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
import { NONE } from '../../../core/types.ts';
import { COT_B, setNormal, W } from '../../../math/triangle.ts';
import type { Body } from './body.ts';
import type { Flow } from './flow.ts';
import { computeLaplacian, forEachSide, type Gradients } from './gradients.ts';

const LARGEST = 3;
/** Share of an edge's miss that is its own viscosity, see above; of its miss it may lose this much in a step. */
const EDGE = { own: 0.2, mostLost: 0.2 };

export interface Viscosity {
  /** m^2/s */
  readonly nu: number;
  /** Of the body, m^3 */
  readonly volume: number;
  /** (vertices) what the free surface's own edge adds to the weak Laplacian, m (walls/damping.ts) */
  readonly slant?: Float64Array | undefined;
}

/**
 * potential -= dt delta. Flux and velocity are those of the potential's flow. Returns what it took of the
 * kinetic energy over the density, m^5/s^2, to first order.
 */
export function addViscosity(
  body: Body,
  gradients: Gradients,
  { flux, velocity }: Pick<Flow, 'flux' | 'velocity'>,
  { nu, volume, slant }: Viscosity,
  dt: number,
  potential: Float64Array,
): number {
  const { area, curvature } = gradients;
  const delta = new Float64Array(body.vertexCount);
  computeLaplacian(body, gradients, potential, delta);
  const whole = area.reduce((sum, a) => sum + a, 0);
  const most = (2 * LARGEST * whole) / (3 * volume);
  let taken = 0;
  let square = 0;
  for (let v = 0; v < delta.length; v++) {
    if (!(area[v] > 0)) continue;
    const w = flux[v] / area[v];
    const bend = Math.max(-most, Math.min(most, curvature[v]));
    delta[v] = nu * (-4 * delta[v] - 2 * w * (bend + (slant ? slant[v] / area[v] : 0)));
    taken += delta[v] * flux[v];
    square += w * flux[v];
  }
  if (!(taken > 0 && square > 0)) return 0;
  // The most that may be given back of it is all.
  const along = Math.min(taken, 2 * nu * sumBendAlong(body, velocity));
  const share = along / square;
  for (let v = 0; v < delta.length; v++)
    if (area[v] > 0) potential[v] -= dt * (delta[v] - (share * flux[v]) / area[v]);
  return dt * (taken - along);
}

/** Integral of u_t . kappa u_t, m^3/s^2. */
function sumBendAlong({ position: p, triangle, cornerStart, vertexCorner }: Body, u: Float64Array): number {
  const here = new Float64Array(3);
  const there = new Float64Array(3);
  let sum = 0;
  for (let c = 0; c < triangle.length; c++) {
    const f = c - (c % 3);
    const [a, b] = [triangle[c], triangle[c % 3 === 2 ? f : c + 1]];
    // Each edge once, with the face on its other side.
    if (a > b) continue;
    let other: number = NONE;
    for (let n = cornerStart[b]; n < cornerStart[b + 1]; n++) {
      const d = vertexCorner[n];
      if (triangle[d % 3 === 2 ? d - 2 : d + 1] === a) other = d - (d % 3);
    }
    if (other === NONE) continue;
    setNormal(p, 3 * triangle[f], 3 * triangle[f + 1], 3 * triangle[f + 2], here);
    setNormal(p, 3 * triangle[other], 3 * triangle[other + 1], 3 * triangle[other + 2], there);
    const [one, two] = [Math.hypot(...here), Math.hypot(...there)];
    if (one === 0 || two === 0) continue;
    const edge = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]);
    const length = Math.hypot(...edge);
    let cosine = 0;
    let sine = 0;
    let across = 0;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const mean = (m: number) => here[m] / one + there[m] / two;
      cosine += (here[k] * there[k]) / (one * two);
      sine += ((here[i] * there[j] - here[j] * there[i]) * edge[k]) / (one * two * length);
      across += 0.5 * (u[3 * a + k] + u[3 * b + k]) * (edge[i] * mean(j) - edge[j] * mean(i));
    }
    // `across` is u . (edge x sum of unit normals), and that sum is 2 cos(half the bend) long.
    const squared = Math.max(0, 2 + 2 * cosine) * length * length;
    if (squared > 0) sum += (Math.atan2(sine, cosine) * length * (across * across)) / squared;
  }
  return sum;
}

/**
 * Flows of 4 own |d| d along edges for dt. Returns what it took of the kinetic energy over the density, to
 * first order.
 */
export function smoothMisses(
  body: Body,
  { area }: Gradients,
  velocity: Float64Array,
  flux: Float64Array,
  dt: number,
  potential: Float64Array,
): number {
  const change = new Float64Array(body.vertexCount);
  forEachSide(body.position, body.triangle, (i, j, seen) => {
    let along = 0;
    for (let n = 0; n < 3; n++) along -= 0.5 * (velocity[3 * i + n] + velocity[3 * j + n]) * seen[W + n];
    const miss = potential[j] - potential[i] - along;
    // Half the cotangent of the angle opposite, and never below that of an even triangle's half.
    const weight = Math.min(MOST_WEIGHT, Math.max(LEAST_WEIGHT, 0.5 * seen[COT_B]));
    const most = EDGE.mostLost / (dt * (1 / area[i] + 1 / area[j]));
    const flow = Math.min(most, 4 * EDGE.own * Math.abs(miss) * weight) * miss;
    change[i] += flow;
    change[j] -= flow;
  });
  let taken = 0;
  for (let v = 0; v < change.length; v++) {
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
