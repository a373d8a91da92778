/**
 * Who is near: particles of any sizes, found by grids of cells that double from level to level. A particle is
 * in the grid whose cells are the least that are no smaller than 4 of its radii. Cells are found by hashing;
 * they and their members are numbered in the order of the particles, so answers come in the same order on any
 * thread. Cost: linear to build; a query looks at the cells that its reach covers.
 */
import type { HeapScope } from '../core/heap.ts';
import { defineRecord, type ValuesOf } from '../core/records.ts';
import { NONE } from '../core/types.ts';
import { CellSorter, findCell, makeRoom } from './cells.ts';

export const neighboursRecord = defineRecord('neighbours', {
  x: 'number',
  y: 'number',
  z: 'number',
  /** Least radius, m */
  least: 'number',
  levels: 'number',
  /** Slots of the hash less one: a power of two less one. */
  mask: 'number',
  slot: 'i32',
  /** (cells x 4) level and place */
  cell: 'i32',
  start: 'i32',
  member: 'i32',
  /** Members of each level: empty ones are not asked. */
  inLevel: 'i32',
});

export type Neighbours = ValuesOf<typeof neighboursRecord>;

/** Edge of a cell, in the least radius of its level, and how many levels there are at most. */
const GRID = { cell: 4, levels: 24 };

/** `isMember`: which particles can be found; all where it is empty. */
export function buildNeighbours(
  position: Float64Array,
  radius: Float64Array,
  isMember: Uint8Array,
  scope: HeapScope,
): Neighbours {
  const count = radius.length;
  let least = Number.POSITIVE_INFINITY;
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let p = 0; p < count; p++) {
    least = Math.min(least, radius[p]);
    for (let k = 0; k < 3; k++) low[k] = Math.min(low[k], position[3 * p + k]);
  }
  if (count === 0) least = 1;
  const cells = new CellSorter(count, scope);
  const inLevel = scope.i32(GRID.levels);
  let levels = 0;
  for (let p = 0; p < count; p++) {
    if (isMember.length > 0 && isMember[p] === 0) continue;
    let level = 0;
    while (level < GRID.levels - 1 && least * 2 ** level < radius[p] * (1 - 1e-12)) level++;
    levels = Math.max(levels, level + 1);
    inLevel[level]++;
    const per = 1 / (GRID.cell * least * 2 ** level);
    const i = Math.floor((position[3 * p] - low[0]) * per);
    const j = Math.floor((position[3 * p + 1] - low[1]) * per);
    const k = Math.floor((position[3 * p + 2] - low[2]) * per);
    cells.add(p, level, i, j, k);
  }
  const { mask, slot, cell, start, member } = cells.finish();
  return { x: low[0], y: low[1], z: low[2], least, levels, mask, slot, cell, start, member, inLevel };
}

/** Asks for neighbours; lives within one chunk of a task. */
export class NeighbourQuery {
  /** The answer of the last question: particles in `found[0, count)`. */
  found = new Int32Array(256);
  count = 0;
  constructor(private readonly index: Neighbours) {}

  /**
   * Particles whose cells come within reach + perRadius times (at least) their own radius of a point:
   * candidates, to be measured by the caller.
   */
  ask(x: number, y: number, z: number, reach: number, perRadius: number): number {
    const { index } = this;
    const { levels, least, inLevel } = index;
    this.count = 0;
    for (let level = 0; level < levels; level++) {
      if (inLevel[level] === 0) continue;
      const radius = least * 2 ** level;
      const edge = GRID.cell * radius;
      const far = reach + perRadius * radius;
      const i0 = Math.floor((x - far - index.x) / edge);
      const i1 = Math.floor((x + far - index.x) / edge);
      const j0 = Math.floor((y - far - index.y) / edge);
      const j1 = Math.floor((y + far - index.y) / edge);
      const k0 = Math.floor((z - far - index.z) / edge);
      const k1 = Math.floor((z + far - index.z) / edge);
      for (let k = k0; k <= k1; k++)
        for (let j = j0; j <= j1; j++) for (let i = i0; i <= i1; i++) this.addCell(level, i, j, k);
    }
    return this.count;
  }

  private addCell(level: number, i: number, j: number, k: number): void {
    const { start, member } = this.index;
    const c = findCell(this.index, level, i, j, k);
    if (c === NONE) return;
    const end = start[c + 1];
    this.found = makeRoom(this.found, this.count + end - start[c]);
    for (let m = start[c]; m < end; m++) this.found[this.count++] = member[m];
  }
}
