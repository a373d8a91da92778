/**
 * Checks an octree from its list of leaves alone, with nothing that built it: the leaves tile the box, in
 * Z-order, and any two that share a face, an edge or a corner differ by one level at most. Cost: 26 binary
 * searches per leaf.
 */
import { RunError } from '../../core/errors.ts';
import type { Octree } from './octree.ts';

/** Bits of a coordinate of which Z-order keys are made: three of them fit a double exactly. */
const KEY_BITS = 17;
const LOW_BITS = 10;

/** Puts two zeros between the bits of a number of ten bits. */
function spread(x: number): number {
  let s = (x | (x << 16)) & 0x030000ff;
  s = (s | (s << 8)) & 0x0300f00f;
  s = (s | (s << 4)) & 0x030c30c3;
  return (s | (s << 2)) & 0x09249249;
}

const weave = (i: number, j: number, k: number) => spread(i) + 2 * spread(j) + 4 * spread(k);

/** Place of a finest cell in Z-order. */
function keyOf(i: number, j: number, k: number): number {
  const mask = (1 << LOW_BITS) - 1;
  const high = weave(i >> LOW_BITS, j >> LOW_BITS, k >> LOW_BITS);
  return high * 2 ** (3 * LOW_BITS) + weave(i & mask, j & mask, k & mask);
}

/** Throws unless the leaves tile the box and are balanced; returns how many there are of each level. */
export function validateOctree(octree: Octree): Int32Array {
  const { leafCount, leafCorner, leafLevel, maxLevel } = octree;
  const fail = (what: string) => new RunError('octree', what, 'the octree is built wrongly');
  const cells = octree.roots.map((n) => n * 2 ** maxLevel);
  if (Math.max(...cells) > 2 ** KEY_BITS) throw fail(`has more than 2^${KEY_BITS} cells along an axis`);
  const levelCount = new Int32Array(maxLevel + 1);
  const key = new Float64Array(leafCount);
  let volume = 0;
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const edge = 2 ** leafLevel[leaf];
    if (leafLevel[leaf] > maxLevel) throw fail(`leaf ${leaf} has level ${leafLevel[leaf]}`);
    for (let a = 0; a < 3; a++) {
      const low = leafCorner[3 * leaf + a];
      if (low % edge !== 0 || low < 0 || low + edge > cells[a])
        throw fail(`leaf ${leaf} of edge ${edge} starts at ${low} of ${cells[a]} along ${'xyz'[a]}`);
    }
    key[leaf] = keyOf(leafCorner[3 * leaf], leafCorner[3 * leaf + 1], leafCorner[3 * leaf + 2]);
    if (leaf > 0 && !(key[leaf - 1] + 8 ** leafLevel[leaf - 1] <= key[leaf]))
      throw fail(`leaf ${leaf} overlaps the one before or comes after it in Z-order`);
    volume += edge ** 3;
    levelCount[leafLevel[leaf]]++;
  }
  if (volume !== cells[0] * cells[1] * cells[2]) throw fail(`the leaves fill ${volume} cells of the box`);
  validateBalance(octree, cells, key, fail);
  return levelCount;
}

/** A leaf two levels larger covers one of the 26 equal cubes around a leaf: it is enough to look there. */
function validateBalance(
  octree: Octree,
  cells: readonly number[],
  key: Float64Array,
  fail: (what: string) => RunError,
): void {
  const { leafCount, leafCorner, leafLevel } = octree;
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const edge = 2 ** leafLevel[leaf];
    for (let d = 0; d < 27; d++) {
      const i = leafCorner[3 * leaf] + edge * ((d % 3) - 1);
      const j = leafCorner[3 * leaf + 1] + edge * ((Math.floor(d / 3) % 3) - 1);
      const k = leafCorner[3 * leaf + 2] + edge * (Math.floor(d / 9) - 1);
      if (i < 0 || j < 0 || k < 0 || i >= cells[0] || j >= cells[1] || k >= cells[2]) continue;
      const there = findLast(key, keyOf(i, j, k));
      if (leafLevel[there] > leafLevel[leaf] + 1)
        throw fail(`leaves ${leaf} and ${there} touch, of levels ${leafLevel[leaf]} and ${leafLevel[there]}`);
    }
  }
}

/** The last entry that is not above the value. */
function findLast(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
