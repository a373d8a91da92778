/**
 * Sizes that grow with the distance from marked cells: those of a surface, say, which want to be fine while
 * what lies away from them may be coarse. A block is asked for with all it holds (sizing.ts), so the marks
 * are kept for the blocks of every level.
 */
import type { Metres, Vec3 } from '../../core/types.ts';
import type { OctreeBox } from './octree.ts';
import type { Sizing } from './sizing.ts';

/** Blocks by which a marked block is nearer than the difference of their numbers. */
const NEARER = 0.5;

/** A size wanted in a box, growing with the distance from it. */
export interface SizeField {
  readonly min: Vec3;
  readonly max: Vec3;
  /** m */
  readonly size: Metres;
  /** m per metre of distance */
  readonly slope: number;
}

/** The least size that any of the fields wants within `reach` of a point, m; Infinity without fields. */
export function sizeInFields(fields: readonly SizeField[], at: Vec3, reach: Metres): Metres {
  let least = Number.POSITIVE_INFINITY;
  for (const { min, max, size, slope } of fields) {
    let square = 0;
    for (let a = 0; a < 3; a++) square += Math.max(0, min[a] - at[a], at[a] - max[a]) ** 2;
    least = Math.min(least, size + slope * Math.max(0, Math.sqrt(square) - reach));
  }
  return least;
}

export interface GrownSizes {
  /** (count x 3) the marked cells, in finest cells of the box */
  readonly cell: Int32Array;
  /** m, in them */
  readonly size: Metres;
  /** m per metre of distance from them */
  readonly growth: number;
  readonly fields: readonly SizeField[];
}

export function createGrownSizing(box: OctreeBox, { cell, size, growth, fields }: GrownSizes): Sizing {
  const marks = markBlocks(box, cell);
  const at: [number, number, number] = [0, 0, 0];
  return {
    leastIn(cube, count, outSize) {
      for (let n = 0; n < count; n++) {
        const half = cube[4 * n + 3];
        const edge = 2 * half;
        const level = Math.round(Math.log2(edge / box.size));
        for (let a = 0; a < 3; a++) at[a] = cube[4 * n + a];
        const inFields = sizeInFields(fields, at, Math.sqrt(3) * half);
        outSize[n] = Math.min(inFields, marks.leastAround(level, at, edge, size, growth));
      }
    },
  };
}

/** Which blocks of each level from 1 on hold a marked cell. */
function markBlocks(box: OctreeBox, cell: Int32Array): BlockMarks {
  const marks = new BlockMarks(box);
  for (let n = 0; n < cell.length; n += 3) marks.mark(cell[n], cell[n + 1], cell[n + 2]);
  return marks;
}

class BlockMarks {
  private readonly marked: Uint8Array[] = [];

  constructor(private readonly box: OctreeBox) {
    for (let level = 0; level <= box.maxLevel; level++) {
      const [nx, ny, nz] = this.sizeOf(level);
      this.marked.push(new Uint8Array(level === 0 ? 0 : nx * ny * nz));
    }
  }

  private sizeOf(level: number): Vec3 {
    const { roots, maxLevel } = this.box;
    const across = 2 ** (maxLevel - level);
    return [roots[0] * across, roots[1] * across, roots[2] * across];
  }

  mark(i: number, j: number, k: number): void {
    for (let level = 1; level <= this.box.maxLevel; level++) {
      const [nx, ny] = this.sizeOf(level);
      const block = (i >> level) + nx * ((j >> level) + ny * (k >> level));
      if (this.marked[level][block] === 1) return;
      this.marked[level][block] = 1;
    }
  }

  /** size + growth times the distance of the nearest marked block, as far as that is below the edge. */
  leastAround(level: number, centre: Vec3, edge: Metres, size: Metres, growth: number): Metres {
    const { origin } = this.box;
    const [i, j, k] = [0, 1, 2].map((a) => Math.floor((centre[a] - origin[a]) / edge));
    const most = Math.max(...this.sizeOf(level));
    for (let ring = 0; ring < most; ring++) {
      const wanted = size + growth * Math.max(0, ring - NEARER) * edge;
      if (wanted >= edge) return edge;
      if (this.hasInRing(level, i, j, k, ring)) return wanted;
    }
    return edge;
  }

  private hasInRing(level: number, i: number, j: number, k: number, ring: number): boolean {
    const marked = this.marked[level];
    const [nx, ny, nz] = this.sizeOf(level);
    for (let c = Math.max(0, k - ring); c <= Math.min(nz - 1, k + ring); c++)
      for (let b = Math.max(0, j - ring); b <= Math.min(ny - 1, j + ring); b++) {
        const isSide = Math.abs(c - k) === ring || Math.abs(b - j) === ring;
        const step = isSide || ring === 0 ? 1 : 2 * ring;
        for (let a = i - ring; a <= i + ring; a += step)
          if (a >= 0 && a < nx && marked[a + nx * (b + ny * c)] === 1) return true;
      }
    return false;
  }
}
