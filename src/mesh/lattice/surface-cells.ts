/**
 * Finest cells that may touch the zero set, found from the top of the octree down. A block whose centre is
 * farther from the surface (1-Lipschitz bound) than any of its cells could matter is dropped with all below
 * it, so the cost is proportional to the surface: about five evaluations per cell found.
 */
import type { Lattice } from './lattice.ts';
import { Sampler } from './sampler.ts';

/** Half the space diagonal of a unit cube. */
const HALF_DIAGONAL = Math.sqrt(3) / 2;
/** Covers rounding in the field and in the block centres. */
const ROUNDING = 1e-9;

/**
 * Indices i + nx (j + ny k) of every cell of the lattice whose centre is within one edge h of the surface:
 * all cells with a background edge (at most h long from the centre) that the surface crosses. In scan order
 * within each block.
 */
export function findSurfaceCells(field: Sampler | Sampler['field'], lattice: Lattice): Int32Array {
  const sampler = field instanceof Sampler ? field : new Sampler(field);
  const { origin, size: h, cells } = lattice;
  let level = Math.ceil(Math.log2(Math.max(...cells)));
  let found = new Int32Array(3);
  let count = 1;
  for (; level >= 0; level--) {
    const side = h * 2 ** level;
    const reach = (HALF_DIAGONAL * (side - h) + h) * (1 + ROUNDING);
    const point = new Float64Array(3 * count);
    for (let b = 0; b < count; b++)
      for (let a = 0; a < 3; a++) point[3 * b + a] = origin[a] + side * (found[3 * b + a] + 0.5);
    const value = new Float64Array(count);
    sampler.sample(point, count, value);
    let kept = 0;
    for (let b = 0; b < count; b++) {
      if (Math.abs(value[b]) > reach) continue;
      found.copyWithin(3 * kept, 3 * b, 3 * b + 3);
      kept++;
    }
    if (level === 0) {
      count = kept;
      break;
    }
    [found, count] = splitBlocks(found, kept, level - 1, cells);
  }
  const out = new Int32Array(count);
  for (let c = 0; c < count; c++)
    out[c] = found[3 * c] + cells[0] * (found[3 * c + 1] + cells[1] * found[3 * c + 2]);
  return out;
}

/** The children of the kept blocks that overlap the lattice. */
function splitBlocks(
  parent: Int32Array,
  parentCount: number,
  level: number,
  cells: readonly number[],
): [Int32Array<ArrayBuffer>, number] {
  const child = new Int32Array(24 * parentCount);
  let count = 0;
  for (let b = 0; b < parentCount; b++)
    for (let octant = 0; octant < 8; octant++) {
      const x = 2 * parent[3 * b] + (octant & 1);
      const y = 2 * parent[3 * b + 1] + ((octant >> 1) & 1);
      const z = 2 * parent[3 * b + 2] + (octant >> 2);
      if (x << level >= cells[0] || y << level >= cells[1] || z << level >= cells[2]) continue;
      child[3 * count] = x;
      child[3 * count + 1] = y;
      child[3 * count + 2] = z;
      count++;
    }
  return [child, count];
}
