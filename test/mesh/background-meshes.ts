/** Graded background meshes for tests. */
import type { HeapScope } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import { type BackgroundMesh, buildBackground } from '../../src/mesh/background/mesh.ts';
import type { OctreeBox } from '../../src/mesh/octree/octree.ts';
import { buildOctree, createSizing } from '../../src/mesh/octree/sizing.ts';

/** Around a few random seeds, at most so many; finest cells of 1 m at the origin. */
export function buildRandom(
  seed: number,
  roots: [number, number, number],
  maxLevel: number,
  most = 4,
): BackgroundMesh {
  const random = createRandom(seed);
  const count = 1 + random.nextInt(most);
  const position = Float64Array.from(
    { length: 3 * count },
    (_, n) => random.next() * (roots[n % 3] << maxLevel),
  );
  const size = Float64Array.from({ length: count }, () => 1 + 3 * random.next());
  const box: OctreeBox = { origin: [0, 0, 0], size: 1, roots, maxLevel };
  return buildBackground(buildOctree(box, { seeds: { count, position, size } }));
}

/** Fine at the surface of a ball, off the middle of a box whose numbers are not round. */
export function buildBall(scope?: HeapScope): BackgroundMesh {
  const size = (x: number, y: number, z: number) =>
    0.06 + Math.abs(Math.hypot(x - 0.6, y - 0.9, z - 0.3) - 0.3);
  const box: OctreeBox = { origin: [0.1, 0.2, -0.3], size: 0.06, roots: [5, 4, 4], maxLevel: 3 };
  return buildBackground(buildOctree(box, { sizing: createSizing(size, 1) }, scope), scope);
}
