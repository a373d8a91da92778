import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { buildBackground } from '../../../src/mesh/background/mesh.ts';
import { buildOctree } from '../../../src/mesh/octree/sizing.ts';
import { measureVolume } from '../../../src/mesh/trimesh-measure.ts';
import { computeSkinLevel } from '../../../src/tracking/skinning/level.ts';
import type { Balls } from '../../../src/tracking/skinning/order.ts';
import { openThreads } from '../../threads.ts';
import { countOpenSides } from './open-sides.ts';

const { heap, one, two } = await openThreads();

/**
 * A lattice of particles in a region, shaken, with the surface of the region one radius beyond the outermost.
 */
function fill(
  inside: (x: number, y: number, z: number) => boolean,
  r: number,
  shake: number,
  seed: number,
): Balls {
  const random = createRandom(seed);
  const position: number[] = [];
  const n = Math.ceil(0.5 / r);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      for (let k = 0; k < n; k++) {
        const at = [i, j, k].map((c) => r * (2 * c + 1 + shake * (2 * random.next() - 1)));
        if (inside(at[0], at[1], at[2])) position.push(...at);
      }
  return { position: Float64Array.from(position), radius: new Float64Array(position.length / 3).fill(r) };
}

function uniformMesh(cells: number, scope: ReturnType<typeof heap.scope>) {
  const box = {
    origin: [0, 0, 0] as const,
    size: 1 / cells,
    roots: [1, 1, 1] as const,
    maxLevel: Math.log2(cells),
  };
  return buildBackground(
    buildOctree(box, { sizing: { leastIn: (_c, n, out) => void out.fill(1 / cells, 0, n) } }),
    scope,
  );
}

describe('the skin at nodes', () => {
  it('wraps a ball of particles in one closed surface without holes, at one radius from them', () => {
    const scope = heap.scope('test');
    const mesh = uniformMesh(16, scope);
    const r = 1 / 64;
    const balls = fill((x, y, z) => Math.hypot(x - 0.5, y - 0.5, z - 0.5) < 0.3, r, 0.5, 1);
    const { surface, phi } = computeSkinLevel(mesh, balls, { heap, threads: one }, scope);
    expect(surface.vertexCount - surface.triangleCount / 2).toBe(2);
    expect(countOpenSides(surface.triangle)).toBe(0);
    const volume = 8 * r ** 3 * balls.radius.length;
    expect(measureVolume(surface) / volume).toBeGreaterThan(0.98);
    expect(measureVolume(surface) / volume).toBeLessThan(1.08);
    for (let v = 0; v < mesh.vertexCount; v++) {
      const at = mesh.position.subarray(3 * v, 3 * v + 3);
      const distance = 0.3 - Math.hypot(at[0] - 0.5, at[1] - 0.5, at[2] - 0.5);
      expect(Math.abs(phi[v] - distance)).toBeLessThan(1.2 * r);
    }
    const again = computeSkinLevel(mesh, balls, { heap, threads: two }, scope);
    expect(again.phi).toEqual(phi);
    scope.free();
  });
});
