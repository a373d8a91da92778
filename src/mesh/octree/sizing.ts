/**
 * The balanced octree of a sizing function ([ando-2013] 4): the coarsest one in which no leaf is larger than
 * the size wanted anywhere in it, finest leaves apart.
 *
 * A size given at points says nothing of what lies between them, and a descent from coarse blocks would miss
 * a small place that wants small cells. So a sizing function is asked for whole cubes: the least size in the
 * cube, or a bound below it. Sizes at scattered points, as particles have them, are given as seeds. Cost: one
 * question per block that is looked at, by leaves.
 */
import { InputError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import type { F64View, Metres } from '../../core/types.ts';
import { OctreeDraft } from './draft.ts';
import type { Octree, OctreeBox } from './octree.ts';

export interface Sizing {
  /**
   * Least edge of leaves wanted anywhere in each cube, or less, m. cube (count x 4): centre and half edge, m.
   */
  leastIn(cube: Float64Array, count: number, outSize: Float64Array): void;
}

/** Sizes wanted at points: the leaf around a point is no larger. */
export interface Seeds {
  readonly count: number;
  /** (count x 3) m, in the box */
  readonly position: F64View;
  /** (count) m */
  readonly size: F64View;
}

/** Cubes that are asked for together. */
const BATCH = 8192;
const HALF_DIAGONAL = Math.sqrt(3);

/** The sizing function of a size at points that changes by at most `slope` per metre. */
export function createSizing(size: (x: number, y: number, z: number) => Metres, slope: number): Sizing {
  return {
    leastIn(cube, count, outSize) {
      for (let n = 0; n < count; n++) {
        const c = 4 * n;
        const reach = slope * HALF_DIAGONAL * cube[c + 3];
        outSize[n] = size(cube[c], cube[c + 1], cube[c + 2]) - reach;
      }
    },
  };
}

/** The octree of a box for a sizing function, for seeds, or for both. */
export function buildOctree(
  box: OctreeBox,
  wanted: { readonly sizing?: Sizing; readonly seeds?: Seeds },
  scope?: HeapScope,
): Octree {
  const draft = new OctreeDraft(box);
  if (wanted.sizing) splitBySizing(draft, wanted.sizing);
  if (wanted.seeds) splitBySeeds(draft, wanted.seeds);
  return draft.finish(scope);
}

/**
 * Level by level from the roots: a block that wants smaller cells is split, and its children are asked next.
 * Blocks split for balance alone lie in one that was content, so their children need no question.
 */
function splitBySizing(draft: OctreeDraft, sizing: Sizing): void {
  const { roots, maxLevel } = draft.box;
  let block = new Int32Array(3 * roots[0] * roots[1] * roots[2]);
  let count = 0;
  for (let z = 0; z < roots[2]; z++)
    for (let y = 0; y < roots[1]; y++) for (let x = 0; x < roots[0]; x++) block.set([x, y, z], 3 * count++);
  for (let level = maxLevel; level > 0; level--) {
    count = keepLarge(draft.box, sizing, level, block, count);
    for (let b = 0; b < count; b++) draft.split(level, block[3 * b], block[3 * b + 1], block[3 * b + 2]);
    if (level === 1) break;
    const children = new Int32Array(24 * count);
    for (let b = 0, c = 0; b < count; b++)
      for (let octant = 0; octant < 8; octant++, c += 3) {
        children[c] = 2 * block[3 * b] + (octant & 1);
        children[c + 1] = 2 * block[3 * b + 1] + ((octant >> 1) & 1);
        children[c + 2] = 2 * block[3 * b + 2] + (octant >> 2);
      }
    block = children;
    count *= 8;
  }
}

/** Moves the blocks that are larger than wanted to the front; returns how many there are. */
function keepLarge(box: OctreeBox, sizing: Sizing, level: number, block: Int32Array, count: number): number {
  const edge = box.size * 2 ** level;
  const cube = new Float64Array(4 * Math.min(BATCH, count));
  const size = new Float64Array(Math.min(BATCH, count));
  let kept = 0;
  for (let begin = 0; begin < count; begin += BATCH) {
    const n = Math.min(BATCH, count - begin);
    for (let b = 0; b < n; b++) {
      for (let a = 0; a < 3; a++) cube[4 * b + a] = box.origin[a] + edge * (block[3 * (begin + b) + a] + 0.5);
      cube[4 * b + 3] = 0.5 * edge;
    }
    sizing.leastIn(cube, n, size);
    for (let b = 0; b < n; b++) {
      if (Number.isNaN(size[b])) {
        const at = Array.from(cube.subarray(4 * b, 4 * b + 3)).join(', ');
        throw new InputError('octree', `the sizing function is not a number at (${at}) m`, 'check it');
      }
      if (!(size[b] < edge)) continue;
      block.copyWithin(3 * kept, 3 * (begin + b), 3 * (begin + b) + 3);
      kept++;
    }
  }
  return kept;
}

function splitBySeeds(draft: OctreeDraft, seeds: Seeds): void {
  const { origin, size, roots, maxLevel } = draft.box;
  const cell = [0, 0, 0];
  for (let s = 0; s < seeds.count; s++) {
    if (!(seeds.size[s] > 0))
      throw new InputError('octree', `seed ${s} wants ${seeds.size[s]} m`, 'give positive sizes');
    for (let a = 0; a < 3; a++) {
      const cells = roots[a] * 2 ** maxLevel;
      const place = (seeds.position[3 * s + a] - origin[a]) / size;
      if (!(place >= 0 && place <= cells))
        throw new InputError(
          'octree',
          `seed ${s} lies at ${seeds.position[3 * s + a]} m along ${'xyz'[a]}, outside the box`,
          'leave it out or enlarge the box',
        );
      cell[a] = Math.min(cells - 1, Math.floor(place));
    }
    // Level of the largest leaf that is no larger than wanted; its parent must be split.
    let level = 0;
    while (level < maxLevel && size * 2 ** (level + 1) <= seeds.size[s]) level++;
    if (level < maxLevel)
      draft.split(level + 1, cell[0] >> (level + 1), cell[1] >> (level + 1), cell[2] >> (level + 1));
  }
}
