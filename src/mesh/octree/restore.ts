/**
 * An octree from its nodes alone, as a checkpoint holds it: what each leaf is follows from the way down to
 * it.
 */
import type { HeapScope } from '../../core/heap.ts';
import { allocateI32, allocateU8, type Octree, type OctreeBox, validateOctreeBox } from './octree.ts';

export function restoreOctree(box: OctreeBox, saved: Int32Array, scope?: HeapScope): Octree {
  validateOctreeBox(box);
  const { roots, maxLevel } = box;
  const rootCount = roots[0] * roots[1] * roots[2];
  const leafCount = rootCount + (7 * (saved.length - rootCount)) / 8;
  const child = allocateI32(saved.length, scope);
  child.set(saved);
  const leafCorner = allocateI32(3 * leafCount, scope);
  const leafLevel = allocateU8(leafCount, scope);
  const visit = (node: number, level: number, x: number, y: number, z: number): void => {
    const next = child[node];
    if (next < 0) {
      const leaf = -1 - next;
      leafCorner[3 * leaf] = x << level;
      leafCorner[3 * leaf + 1] = y << level;
      leafCorner[3 * leaf + 2] = z << level;
      leafLevel[leaf] = level;
      return;
    }
    for (let octant = 0; octant < 8; octant++)
      visit(
        next + octant,
        level - 1,
        2 * x + (octant & 1),
        2 * y + ((octant >> 1) & 1),
        2 * z + (octant >> 2),
      );
  };
  for (let root = 0; root < rootCount; root++)
    visit(
      root,
      maxLevel,
      root % roots[0],
      Math.floor(root / roots[0]) % roots[1],
      Math.floor(root / (roots[0] * roots[1])),
    );
  return { ...box, child, leafCount, leafCorner, leafLevel };
}
