import { expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { LARGER, Neighbours, OUTSIDE } from '../../src/mesh/octree/neighbours.ts';
import { findLeaf } from '../../src/mesh/octree/octree.ts';
import { buildRandom } from './background-meshes.ts';

it('the 26 neighbours of leaves are those that descents from the root find, in any order of the leaves', () => {
  for (let seed = 0; seed < 12; seed++) {
    const random = createRandom(seed);
    const maxLevel = random.nextInt(5);
    const { octree } = buildRandom(seed, [1 + random.nextInt(3), 1 + random.nextInt(3), 2], maxLevel);
    const cells = octree.roots.map((n) => n << maxLevel);
    const neighbours = new Neighbours(octree);
    const wrong: string[] = [];
    for (let n = 0; n < 2 * octree.leafCount; n++) {
      const leaf = n < octree.leafCount ? n : random.nextInt(octree.leafCount);
      neighbours.turnTo(leaf);
      const level = octree.leafLevel[leaf];
      for (let d = 0; d < 27; d++) {
        const [i, j, k] = [1, 3, 9].map(
          (power, a) => octree.leafCorner[3 * leaf + a] + ((Math.floor(d / power) % 3) - 1) * 2 ** level,
        );
        const found = neighbours.find(d);
        const isOutside = [i, j, k].some((c, a) => c < 0 || c >= cells[a]);
        const there = isOutside ? 0 : findLeaf(octree, i, j, k);
        const isRight = isOutside
          ? found === OUTSIDE
          : octree.leafLevel[there] > level
            ? found === LARGER
            : octree.leafLevel[there] === level
              ? found === -1 - there
              : found >= 0;
        if (!isRight) wrong.push(`${seed}: leaf ${leaf}, direction ${d}: ${found}`);
      }
    }
    expect(wrong).toEqual([]);
  }
});
