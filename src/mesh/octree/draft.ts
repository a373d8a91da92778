/**
 * An octree in the making: blocks are split one by one, in any order, and it is balanced after each. Leaves
 * that share a face, an edge or a corner differ by one level at most (26 neighbours), which the tets of
 * leaves need (mesh/background).
 *
 * A block of level l that is split has leaves of level l - 1 at every side of it, so all its 26 neighbours
 * must exist, and their parents must be split. These are eight blocks of level l + 1, the block's own parent
 * one of them. Nothing else is split: the result is the smallest balanced octree with the wanted splits,
 * whatever their order. Cost: one descent per leaf.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import { allocateI32, allocateU8, type Octree, type OctreeBox, validateOctreeBox } from './octree.ts';

export class OctreeDraft {
  /** Per node: its first child or NONE. The roots come first, in scan order. */
  private child: Int32Array<ArrayBuffer>;
  private nodeCount: number;
  private readonly rootCount: number;

  constructor(readonly box: OctreeBox) {
    validateOctreeBox(box);
    this.rootCount = box.roots[0] * box.roots[1] * box.roots[2];
    this.nodeCount = this.rootCount;
    this.child = new Int32Array(Math.max(1024, this.rootCount)).fill(NONE);
  }

  /**
   * Splits the block (x, y, z) of the grid of level >= 1, and what contains it. Blocks outside the box are
   * left alone.
   */
  split(level: number, x: number, y: number, z: number): void {
    const { roots, maxLevel } = this.box;
    const up = maxLevel - level;
    const rx = x >> up;
    const ry = y >> up;
    const rz = z >> up;
    if (rx < 0 || ry < 0 || rz < 0 || rx >= roots[0] || ry >= roots[1] || rz >= roots[2]) return;
    let node = rx + roots[0] * (ry + roots[1] * rz);
    for (let shift = up; ; shift--) {
      if (this.child[node] === NONE)
        this.addChildren(node, level + shift, x >> shift, y >> shift, z >> shift);
      if (shift === 0) return;
      const below = shift - 1;
      node = this.child[node] + ((x >> below) & 1) + 2 * ((y >> below) & 1) + 4 * ((z >> below) & 1);
    }
  }

  private addChildren(node: number, level: number, x: number, y: number, z: number): void {
    const first = this.nodeCount;
    this.nodeCount += 8;
    if (this.nodeCount > this.child.length) {
      const grown = new Int32Array(Math.max(this.nodeCount, 2 * this.child.length)).fill(NONE, first);
      grown.set(this.child.subarray(0, first));
      this.child = grown;
    }
    this.child[node] = first;
    if (level === this.box.maxLevel) return;
    const sx = x & 1 ? 1 : -1;
    const sy = y & 1 ? 1 : -1;
    const sz = z & 1 ? 1 : -1;
    for (let side = 1; side < 8; side++)
      this.split(
        level + 1,
        (x >> 1) + (side & 1 ? sx : 0),
        (y >> 1) + (side & 2 ? sy : 0),
        (z >> 1) + (side & 4 ? sz : 0),
      );
  }

  /** The octree as it is now, its leaves in Z-order. The draft may be split further afterwards. */
  finish(scope?: HeapScope): Octree {
    const leafCount = this.rootCount + (7 * (this.nodeCount - this.rootCount)) / 8;
    const writer = new OctreeWriter(this.box, this.child, {
      ...this.box,
      child: allocateI32(this.nodeCount, scope),
      leafCount,
      leafCorner: allocateI32(3 * leafCount, scope),
      leafLevel: allocateU8(leafCount, scope),
    });
    return writer.write();
  }
}

/** Copies the nodes of a draft depth first. */
class OctreeWriter {
  private next: number;
  private leaf = 0;

  constructor(
    private readonly box: OctreeBox,
    private readonly from: Int32Array,
    private readonly octree: Octree,
  ) {
    this.next = box.roots[0] * box.roots[1] * box.roots[2];
  }

  write(): Octree {
    this.visitRoots(Math.ceil(Math.log2(Math.max(...this.box.roots))), 0, 0, 0);
    return this.octree;
  }

  /** The roots in a block of 2^above along each side, in Z-order. */
  private visitRoots(above: number, x: number, y: number, z: number): void {
    const { roots, maxLevel } = this.box;
    if (x << above >= roots[0] || y << above >= roots[1] || z << above >= roots[2]) return;
    if (above === 0) {
      const root = x + roots[0] * (y + roots[1] * z);
      this.visit(root, root, maxLevel, x, y, z);
      return;
    }
    for (let octant = 0; octant < 8; octant++)
      this.visitRoots(above - 1, 2 * x + (octant & 1), 2 * y + ((octant >> 1) & 1), 2 * z + (octant >> 2));
  }

  private visit(old: number, node: number, level: number, x: number, y: number, z: number): void {
    const { child } = this.octree;
    const oldChild = this.from[old];
    if (oldChild === NONE) {
      child[node] = -1 - this.leaf;
      this.addLeaf(level, x << level, y << level, z << level);
      return;
    }
    const first = this.next;
    this.next += 8;
    child[node] = first;
    if (level === 1) {
      for (let octant = 0; octant < 8; octant++) {
        child[first + octant] = -1 - this.leaf;
        this.addLeaf(0, 2 * x + (octant & 1), 2 * y + ((octant >> 1) & 1), 2 * z + (octant >> 2));
      }
      return;
    }
    for (let octant = 0; octant < 8; octant++)
      this.visit(
        oldChild + octant,
        first + octant,
        level - 1,
        2 * x + (octant & 1),
        2 * y + ((octant >> 1) & 1),
        2 * z + (octant >> 2),
      );
  }

  private addLeaf(level: number, i: number, j: number, k: number): void {
    const { leafCorner, leafLevel } = this.octree;
    const leaf = this.leaf++;
    leafCorner[3 * leaf] = i;
    leafCorner[3 * leaf + 1] = j;
    leafCorner[3 * leaf + 2] = k;
    leafLevel[leaf] = level;
  }
}
