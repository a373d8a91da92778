/** Vortex sheets with known flows. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { createVortexPanelSum } from '../../src/integrals/vortex-panels.ts';
import { randomPoints } from './naive.ts';
import { buildSphere, computeStrength } from './sphere.ts';

const resources = { heap: createHeap({ maximumBytes: 2 ** 28 }), threads: createSingleThread() };

/**
 * Gamma = c cos(theta) on a sphere of radius R: u = -2 c / (3 R) e_z inside, a dipole outside (potential flow
 * on both sides with equal normal velocity and a jump Gamma in potential, outside minus inside).
 */
function measureInside(splits: number, points: 1 | 3): number {
  const radius = 2;
  const [c, delta] = [3, 0];
  const sphere = buildSphere(splits, radius);
  const circulation = sphere.position.filter((_, i) => i % 3 === 2).map((z) => (c * z) / radius);
  const strength = computeStrength(sphere.position, sphere.triangle, circulation);
  const target = randomPoints(4, 50, radius); // within 0.87 of the radius
  const velocity = new Float64Array(target.length);
  createVortexPanelSum(resources, { points }).evaluate({ ...sphere, strength }, target, delta, velocity);
  const expected = -(2 * c) / (3 * radius);
  let worst = 0;
  for (let i = 0; i < velocity.length; i++)
    worst = Math.max(worst, Math.abs(velocity[i] - (i % 3 === 2 ? expected : 0)) / Math.abs(expected));
  return worst;
}

describe('a sheet Gamma = c cos(theta) on a sphere', () => {
  it.each([1, 3] as const)('moves the inside as a whole, to second order, with %i points', (points) => {
    const [coarse, fine] = [measureInside(3, points), measureInside(4, points)];
    expect(coarse).toBeLessThan(0.03);
    expect(fine).toBeLessThan(0.3 * coarse);
  });
});
