/**
 * Momentum, angular momentum and kinetic energy of a flow without divergence and curl, over the density, from
 * velocities at vertices alone:
 *     int u = int x (u . n),   int x x u = 1/2 int x^2 n x u,
 *     int u^2 = int u^2 (x . n) - 2 (x . u)(u . n)          (Rellich 1940)
 * on the surface, by one rule of three points a face. x is from the middle of the vertices.
 */
import { triangleRules } from '../../../math/triangle-rules.ts';
import type { Body } from '../liquid/body.ts';
import type { Triple } from '../liquid/moments.ts';

const POINTS = 3;

export interface VelocityMoments {
  /** m^4/s; m^5/s about the origin */
  readonly impulse: Triple;
  readonly turn: Triple;
  /** Integral of u^2, m^5/s^2 */
  readonly square: number;
}

export function measureVelocity(
  { position: p, triangle, vertexCount, faceCount }: Body,
  velocity: Float64Array,
): VelocityMoments {
  const { weight, share } = triangleRules[POINTS];
  const centre: Triple = [0, 0, 0];
  for (let n = 0; n < 3 * vertexCount; n++) centre[n % 3] += p[n] / vertexCount;
  const impulse: Triple = [0, 0, 0];
  const turn: Triple = [0, 0, 0];
  let square = 0;
  for (let f = 0; f < faceCount; f++) {
    const [a, b, c] = [3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [wx, wy, wz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const n = [(uy * wz - uz * wy) / 2, (uz * wx - ux * wz) / 2, (ux * wy - uy * wx) / 2];
    for (let q = 0; q < POINTS; q++) {
      const mix = (values: Float64Array, k: number) =>
        weight[3 * q] * values[a + k] + weight[3 * q + 1] * values[b + k] + weight[3 * q + 2] * values[c + k];
      const x = [0, 1, 2].map((k) => mix(p, k) - centre[k]);
      const u = [0, 1, 2].map((k) => mix(velocity, k));
      const dot = (s: readonly number[], t: readonly number[]) => s[0] * t[0] + s[1] * t[1] + s[2] * t[2];
      const through = share[q] * dot(u, n);
      const half = 0.5 * share[q] * dot(x, x);
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        impulse[k] += x[k] * through;
        turn[k] += half * (n[i] * u[j] - n[j] * u[i]);
      }
      square += share[q] * dot(u, u) * dot(x, n) - 2 * dot(x, u) * through;
    }
  }
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    turn[k] += centre[i] * impulse[j] - centre[j] * impulse[i];
  }
  return { impulse, turn, square };
}
