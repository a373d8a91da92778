/**
 * The thesis' Helmholtz projection (22.9), (22.10) of velocities at vertices: the tangential part stays, the
 * normal one becomes, integrated with the hat functions (23.1) to (23.7),
 *     a_i w_i = int theta_i (n . rot A - n . grad Phi)
 *             = sum over faces of (n x grad theta_i) . V (n x u) + (M/2 + K)^T (n . u),
 * Phi and A the single layers of n . u and n x u, which are constant on faces here as in the thesis, whose
 * inner rule has one point. Double integrals over near pairs are those of the first-kind equation: closed
 * forms inside, Duffy's transform outside. One sweep, nothing is solved.
 *
 * Then sharpened by (23.8) to (23.11), a Laplacian smoothing with coefficient -0.45.
 */

import type { HeapScope } from '../../../core/heap.ts';
import { addCurlTransposed } from '../../../integrals/panels/curl.ts';
import { createFirstKind } from '../../../integrals/panels/first-kind.ts';
import type { Resources } from '../../method.ts';
import type { Body } from '../liquid/body.ts';
import { type Gradients, sharpen } from '../liquid/gradients.ts';

/** velocity (vertices x 3) becomes that of a flow without divergence. */
export function projectVelocity(
  resources: Resources,
  body: Body,
  gradients: Gradients,
  sums: number,
  scope: HeapScope,
  velocity: Float64Array,
): void {
  const { position, triangle, faceCount, vertexCount } = body;
  const equation = createFirstKind(resources, { position, triangle }, { tolerance: sums });
  try {
    const normal = scope.f64(faceCount);
    const across = [0, 1, 2].map(() => scope.f64(faceCount));
    setFaceDensities(body, velocity, normal, across);
    const flux = scope.f64(vertexCount);
    equation.applyDoubleTransposed(normal, flux);
    const sum = [0, 1, 2].map(() => scope.f64(faceCount));
    equation.applyThreeSingles(across, sum);
    addCurlTransposed(body, sum, flux);
    const sharp = scope.f64(vertexCount);
    for (let v = 0; v < vertexCount; v++) flux[v] /= gradients.area[v];
    sharpen(body, gradients, flux, false, sharp);
    replaceNormalPart(gradients, sharp, velocity);
  } finally {
    equation.free();
  }
}

/** n . u, and n x u by coordinates, with the mean velocity of the corners. */
function setFaceDensities(
  { position: p, triangle, faceCount }: Body,
  velocity: Float64Array,
  normal: Float64Array,
  across: readonly Float64Array[],
): void {
  for (let f = 0; f < faceCount; f++) {
    const [a, b, c] = [3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [wx, wy, wz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const n = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
    const length = Math.hypot(...n) || 1;
    const u = [0, 1, 2].map((k) => (velocity[a + k] + velocity[b + k] + velocity[c + k]) / 3);
    normal[f] = (n[0] * u[0] + n[1] * u[1] + n[2] * u[2]) / length;
    across[0][f] = (n[1] * u[2] - n[2] * u[1]) / length;
    across[1][f] = (n[2] * u[0] - n[0] * u[2]) / length;
    across[2][f] = (n[0] * u[1] - n[1] * u[0]) / length;
  }
}

/** u becomes P u + w n, n along the gradient of the volume. */
function replaceNormalPart({ volumeGradient: g }: Gradients, w: Float64Array, velocity: Float64Array): void {
  for (let v = 0; v < w.length; v++) {
    const length = Math.hypot(g[3 * v], g[3 * v + 1], g[3 * v + 2]);
    if (length === 0) continue;
    let has = 0;
    for (let k = 3 * v; k < 3 * v + 3; k++) has += (velocity[k] * g[k]) / length;
    for (let k = 3 * v; k < 3 * v + 3; k++) velocity[k] += ((w[v] - has) * g[k]) / length;
  }
}
