/**
 * The 26 neighbours of leaves, without a descent from the root for each. Of every block on the way from the
 * root to the leaf the 27 blocks of its size around it are kept. Those around a child lie in those around its
 * parent, so each is two loads. Leaves asked for in their order share most of the way: the cost is some 27
 * loads per split block, and two per neighbour asked for.
 *
 * This rests on balance: around a block that is split no block is larger.
 */
import type { Octree } from './octree.ts';

/** Directions are (dx + 1) + 3 (dy + 1) + 9 (dz + 1) with steps of -1, 0, 1; this one stays. */
export const CENTRE = 13;
const DIRECTIONS = 27;
/**
 * Answers of `find` for which there is no block of the leaf's size: beyond the box, or in a leaf one level
 * larger.
 */
export const OUTSIDE = -(2 ** 31);
export const LARGER = OUTSIDE + 1;

/** By octant of a child and direction: which of the 27 blocks around the parent, and which octant in it. */
const BLOCK_THERE = new Uint8Array(8 * DIRECTIONS);
const OCTANT_THERE = new Uint8Array(8 * DIRECTIONS);
for (let octant = 0; octant < 8; octant++)
  for (let d = 0; d < DIRECTIONS; d++) {
    let block = 0;
    let there = 0;
    for (let a = 0, power = 1; a < 3; a++, power *= 3) {
      const place = ((octant >> a) & 1) + (Math.floor(d / power) % 3) - 1;
      block += power * (place < 0 ? 0 : place > 1 ? 2 : 1);
      there |= (place & 1) << a;
    }
    BLOCK_THERE[DIRECTIONS * octant + d] = block;
    OCTANT_THERE[DIRECTIONS * octant + d] = there;
  }

export class Neighbours {
  /** (level x 27) entry of octree.child of the blocks around the one that holds the leaf, or OUTSIDE */
  private readonly around: Int32Array;
  /** Lowest level for which `around` is set, for the leaf of this corner. */
  private ready: number;
  /** (level) 1 where all six blocks across the faces of that block are split */
  private readonly isAmongSplit: Uint8Array;
  private i = 0;
  private j = 0;
  private k = 0;
  /**
   * Offset in `around` of what is around the leaf's parent, and 27 times the leaf's octant; a root has
   * neither, but itself.
   */
  private parent = 0;
  private octant = 0;
  private isRoot = false;

  constructor(private readonly octree: Octree) {
    this.around = new Int32Array(DIRECTIONS * (octree.maxLevel + 1));
    this.isAmongSplit = new Uint8Array(octree.maxLevel + 1);
    this.ready = octree.maxLevel + 1;
  }

  turnTo(leaf: number): void {
    const { octree } = this;
    const { leafCorner, maxLevel } = octree;
    const i = leafCorner[3 * leaf];
    const j = leafCorner[3 * leaf + 1];
    const k = leafCorner[3 * leaf + 2];
    const level = octree.leafLevel[leaf];
    // Blocks of this level and larger are the ones that held the last leaf.
    const same = 32 - Math.clz32((i ^ this.i) | (j ^ this.j) | (k ^ this.k));
    let l = Math.max(same, this.ready);
    this.i = i;
    this.j = j;
    this.k = k;
    if (l > maxLevel) {
      this.setRoots();
      l = maxLevel;
    }
    for (; l > level + 1; l--) this.setChild(l - 1);
    this.ready = l;
    this.isRoot = level === maxLevel;
    this.parent = DIRECTIONS * (this.isRoot ? level : level + 1);
    this.octant = DIRECTIONS * this.octantAt(level);
  }

  /** In a direction from the leaf: the first child of a block that is split, -1 - leaf, LARGER or OUTSIDE. */
  find(direction: number): number {
    if (this.isRoot) return this.around[this.parent + direction];
    const there = this.around[this.parent + BLOCK_THERE[this.octant + direction]];
    if (there >= 0) return this.octree.child[there + OCTANT_THERE[this.octant + direction]];
    return there === OUTSIDE ? OUTSIDE : LARGER;
  }

  /**
   * Whether the leaf is a finest one and its parent lies among split blocks: then all six across its faces
   * are finest too.
   */
  get isAmongFinest(): boolean {
    return this.parent === DIRECTIONS && !this.isRoot && this.isAmongSplit[1] === 1;
  }

  private octantAt(level: number): number {
    return ((this.i >> level) & 1) + 2 * ((this.j >> level) & 1) + 4 * ((this.k >> level) & 1);
  }

  private setRoots(): void {
    const { roots, maxLevel, child } = this.octree;
    for (let d = 0; d < DIRECTIONS; d++) {
      const x = (this.i >> maxLevel) + (d % 3) - 1;
      const y = (this.j >> maxLevel) + (Math.floor(d / 3) % 3) - 1;
      const z = (this.k >> maxLevel) + Math.floor(d / 9) - 1;
      const isInside = x >= 0 && y >= 0 && z >= 0 && x < roots[0] && y < roots[1] && z < roots[2];
      this.around[DIRECTIONS * maxLevel + d] = isInside ? child[x + roots[0] * (y + roots[1] * z)] : OUTSIDE;
    }
    this.noteSplit(maxLevel);
  }

  /** Sets what is around the block of a level from what is around its parent. */
  private setChild(level: number): void {
    const { around } = this;
    const { child } = this.octree;
    const octant = DIRECTIONS * this.octantAt(level);
    const from = DIRECTIONS * (level + 1);
    for (let d = 0; d < DIRECTIONS; d++) {
      const there = around[from + BLOCK_THERE[octant + d]];
      around[from - DIRECTIONS + d] = there >= 0 ? child[there + OCTANT_THERE[octant + d]] : there;
    }
    this.noteSplit(level);
  }

  private noteSplit(level: number): void {
    const { around } = this;
    const o = DIRECTIONS * level + CENTRE;
    // Entries of split blocks are not negative.
    const all = around[o - 1] | around[o + 1] | around[o - 3] | around[o + 3] | around[o - 9] | around[o + 9];
    this.isAmongSplit[level] = all >= 0 ? 1 : 0;
  }
}
