import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { OctreeDraft } from '../../src/mesh/octree/draft.ts';
import { findLeaf, type Octree, type OctreeBox } from '../../src/mesh/octree/octree.ts';
import { buildOctree, createSizing } from '../../src/mesh/octree/sizing.ts';
import { validateOctree } from '../../src/mesh/octree/validate.ts';
import { balanceDensely } from './exhaustive.ts';

const box = (roots: [number, number, number], maxLevel: number, size = 1): OctreeBox => ({
  origin: [0, 0, 0],
  size,
  roots,
  maxLevel,
});

/** Levels of all finest cells. */
function paint(octree: Octree): Int8Array {
  const [nx, ny, nz] = octree.roots.map((n) => n << octree.maxLevel);
  const level = new Int8Array(nx * ny * nz).fill(-1);
  for (let leaf = 0; leaf < octree.leafCount; leaf++) {
    const edge = 1 << octree.leafLevel[leaf];
    const [i, j, k] = octree.leafCorner.subarray(3 * leaf, 3 * leaf + 3);
    for (let z = k; z < k + edge; z++)
      for (let y = j; y < j + edge; y++)
        level.fill(octree.leafLevel[leaf], i + nx * (y + ny * z), i + edge + nx * (y + ny * z));
  }
  return level;
}

describe('octree', () => {
  it('is the least balanced one for seeds, like the dense form', () => {
    const random = createRandom(7);
    for (let round = 0; round < 12; round++) {
      const roots: [number, number, number] = [
        1 + random.nextInt(3),
        1 + random.nextInt(2),
        1 + random.nextInt(2),
      ];
      const maxLevel = 1 + random.nextInt(4);
      const count = 1 + random.nextInt(3);
      const position = new Float64Array(3 * count);
      const size = new Float64Array(count);
      for (let s = 0; s < count; s++) {
        for (let a = 0; a < 3; a++) position[3 * s + a] = random.next() * (roots[a] << maxLevel);
        size[s] = 0.7 + random.next() * 2 ** maxLevel;
      }
      const octree = buildOctree(box(roots, maxLevel), { seeds: { count, position, size } });
      validateOctree(octree);
      const dense = balanceDensely(roots, maxLevel, (i, j, k) => {
        let level = maxLevel;
        for (let s = 0; s < count; s++)
          if ([i, j, k].every((c, a) => Math.floor(position[3 * s + a]) === c))
            level = Math.min(level, Math.max(0, Math.floor(Math.log2(size[s]))));
        return level;
      });
      expect(paint(octree)).toEqual(dense);
    }
  });

  it('does not depend on the order of splits', () => {
    const random = createRandom(3);
    const blocks = Array.from({ length: 20 }, () => [0, 1, 2].map(() => random.nextInt(16)));
    const build = (list: number[][]) => {
      const draft = new OctreeDraft(box([2, 2, 2], 4));
      for (const [x, y, z] of list) draft.split(1, x, y, z);
      return draft.finish();
    };
    const octree = build(blocks);
    expect(build(blocks.toReversed())).toEqual(octree);
    expect(octree.leafCount).toBeGreaterThan(500);
  });

  it('is the least balanced one for a sizing function, like the dense form, at any scale', () => {
    for (const scale of [1, 1e-3, 1e3]) {
      const roots: [number, number, number] = [2, 1, 1];
      const maxLevel = 4;
      const size = (x: number, y: number, z: number) =>
        scale * (0.9 + 1.5 * Math.abs(Math.hypot(x / scale - 20.3, y / scale - 9.1, z / scale - 3.2) - 3));
      const slope = 1.5;
      const octree = buildOctree(box(roots, maxLevel, scale), { sizing: createSizing(size, slope) });
      const levels = validateOctree(octree);
      expect(levels.slice(0, maxLevel).every((count) => count > 0)).toBe(true);
      const dense = balanceDensely(roots, maxLevel, (i, j, k) => {
        let level = maxLevel;
        for (; level > 0; level--) {
          const edge = 2 ** level;
          const [x, y, z] = [i, j, k].map((c) => scale * (((c >> level) << level) + edge / 2));
          if (size(x, y, z) - slope * Math.sqrt(0.75) * edge * scale >= edge * scale) break;
        }
        return level;
      });
      expect(paint(octree)).toEqual(dense);
      // The bound is below the size everywhere, so no leaf is larger than wanted at any place in it.
      const random = createRandom(5);
      let tooLarge = 0;
      for (let n = 0; n < 1e4; n++) {
        const [x, y, z] = [32, 16, 16].map((cells) => cells * random.next());
        const leaf = findLeaf(octree, Math.floor(x), Math.floor(y), Math.floor(z));
        const edge = 2 ** octree.leafLevel[leaf] * scale;
        if (octree.leafLevel[leaf] > 0 && edge > size(x * scale, y * scale, z * scale)) tooLarge++;
      }
      expect(tooLarge).toBe(0);
    }
  });

  it('finds a small place that a descent over points would miss', () => {
    // The only fine place is a ball of radius 0.4 cells, off every centre of a block.
    const size = (x: number, y: number, z: number) =>
      1 + Math.max(0, Math.hypot(x - 41.3, y - 7.7, z - 99.2) - 0.4);
    const octree = buildOctree(box([2, 2, 2], 6), { sizing: createSizing(size, 1) });
    expect(octree.leafLevel[findLeaf(octree, 41, 7, 99)]).toBe(0);
  });

  it('finds the leaf of every cell', () => {
    const octree = buildOctree(box([3, 1, 2], 3), {
      seeds: { count: 1, position: Float64Array.of(9.5, 2.5, 12.5), size: Float64Array.of(1) },
    });
    for (let k = 0; k < 16; k++)
      for (let j = 0; j < 8; j++)
        for (let i = 0; i < 24; i++) {
          const leaf = findLeaf(octree, i, j, k);
          const shift = octree.leafLevel[leaf];
          const low = [i, j, k].map((c) => (c >> shift) << shift);
          expect([...octree.leafCorner.subarray(3 * leaf, 3 * leaf + 3)]).toEqual(low);
        }
  });

  it('takes memory by its leaves, not by the finest grid', () => {
    // 2^14 cells across: a dense directory of a bit per cell would be half a terabyte.
    const octree = buildOctree(box([4, 4, 4], 12), {
      seeds: { count: 1, position: Float64Array.of(5000.5, 9000.5, 12000.5), size: Float64Array.of(1) },
    });
    const levels = validateOctree(octree);
    expect(levels.every((count) => count > 0)).toBe(true);
    expect(octree.leafCount).toBeLessThan(5000);
    expect(octree.child.length).toBeLessThan((8 / 7) * octree.leafCount + 64);
  });

  it('refuses what it cannot build', () => {
    const nowhere = { seeds: { count: 1, position: [-1, 0, 0], size: [1] } };
    expect(() => buildOctree(box([1, 1, 1], 2), nowhere)).toThrow(
      'seed 0 lies at -1 m along x, outside the box',
    );
    expect(() =>
      buildOctree(box([1, 1, 1], 2), { seeds: { count: 1, position: [1, 1, 1], size: [0] } }),
    ).toThrow('wants 0 m');
    expect(() => buildOctree(box([1, 0, 1], 2), {})).toThrow('1 x 0 x 1 roots');
    expect(() => buildOctree(box([1, 1, 1], 25), {})).toThrow('finest cells along an axis');
    expect(() => buildOctree(box([1, 1, 1], 2, Number.NaN), {})).toThrow('finest cells are NaN m');
    expect(() => buildOctree(box([1, 1, 1], 2), { sizing: createSizing(() => Number.NaN, 0) })).toThrow(
      'the sizing function is not a number at (2, 2, 2) m',
    );
  });

  it('is refused by its validator where leaves do not fit', () => {
    const octree = buildOctree(box([1, 1, 1], 3), {
      seeds: { count: 1, position: [0.5, 0.5, 0.5], size: [1] },
    });
    validateOctree(octree);
    const leafLevel = octree.leafLevel.slice();
    leafLevel[0] = 1;
    expect(() => validateOctree({ ...octree, leafLevel })).toThrow('overlaps');
    // Eight cells next to a leaf of edge 4: balance is broken and nothing else.
    const corner: number[] = [];
    const level: number[] = [];
    const add = (l: number, x: number, y: number, z: number) => {
      corner.push(x, y, z);
      level.push(l);
    };
    for (let n = 0; n < 8; n++) {
      const [x, y, z] = [4 * (n & 1), 4 * ((n >> 1) & 1), 4 * (n >> 2)];
      if (n > 0) {
        add(2, x, y, z);
        continue;
      }
      for (let m = 0; m < 8; m++) {
        const [u, v, w] = [2 * (m & 1), 2 * ((m >> 1) & 1), 2 * (m >> 2)];
        if (m < 7) add(1, u, v, w);
        else for (let c = 0; c < 8; c++) add(0, u + (c & 1), v + ((c >> 1) & 1), w + (c >> 2));
      }
    }
    const unbalanced = {
      ...octree,
      leafCount: level.length,
      leafCorner: Int32Array.from(corner),
      leafLevel: Uint8Array.from(level),
    };
    expect(() => validateOctree(unbalanced)).toThrow('of levels 0 and 2');
  });
});
