/**
 * Clearance from solids at any point, by trilinear interpolation of the stored nodes: what paths on all
 * threads read.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import { BLOCK_EDGE, BlockGrid } from './block-grid.ts';
import type { ContourSpace } from './space.ts';

export interface ClearanceGrid {
  /** [origin x, y, z, spacing, nodesX, nodesY, nodesZ] */
  readonly place: Float64Array;
  readonly directory: Int32Array;
  readonly clearance: Float64Array;
}

export function buildClearanceGrid(space: ContourSpace, scope: HeapScope): ClearanceGrid {
  const { place, directory } = space.walls.copyPlace(scope);
  return { place, directory, clearance: space.clearance };
}

export class ClearanceSampler {
  /** Unit direction away from the solids, where findGradient was last called. */
  gradientX = 0;
  gradientY = 0;
  gradientZ = 0;
  private readonly grid: BlockGrid;
  private readonly corner = new Float64Array(8);
  /** Place of the last value in its cell. */
  private u = 0;
  private v = 0;
  private w = 0;

  constructor(
    place: Float64Array,
    directory: Int32Array,
    private readonly clearance: Float64Array,
  ) {
    this.grid = BlockGrid.at(place, directory);
  }

  /** Metres to the nearest solid, negative inside one; NaN away from walls, where nothing is stored. */
  value(x: number, y: number, z: number): number {
    const grid = this.grid;
    const gx = (x - grid.origin[0]) / grid.spacing;
    const gy = (y - grid.origin[1]) / grid.spacing;
    const gz = (z - grid.origin[2]) / grid.spacing;
    const i = Math.floor(gx);
    const j = Math.floor(gy);
    const k = Math.floor(gz);
    if (!grid.contains(i, j, k) || !grid.contains(i + 1, j + 1, k + 1)) return Number.NaN;
    if (!this.readCorners(i, j, k)) return Number.NaN;
    const c = this.corner;
    const u = gx - i;
    const v = gy - j;
    const w = gz - k;
    this.u = u;
    this.v = v;
    this.w = w;
    const x00 = c[0] + u * (c[1] - c[0]);
    const x10 = c[2] + u * (c[3] - c[2]);
    const x01 = c[4] + u * (c[5] - c[4]);
    const x11 = c[6] + u * (c[7] - c[6]);
    const y0 = x00 + v * (x10 - x00);
    const y1 = x01 + v * (x11 - x01);
    return y0 + w * (y1 - y0);
  }

  /** Sets the gradient at the place of the last value. */
  findGradient(): void {
    const { corner: c, u, v, w } = this;
    const x00 = c[0] + u * (c[1] - c[0]);
    const x10 = c[2] + u * (c[3] - c[2]);
    const x01 = c[4] + u * (c[5] - c[4]);
    const x11 = c[6] + u * (c[7] - c[6]);
    const dx =
      (1 - w) * ((1 - v) * (c[1] - c[0]) + v * (c[3] - c[2])) +
      w * ((1 - v) * (c[5] - c[4]) + v * (c[7] - c[6]));
    const dy = (1 - w) * (x10 - x00) + w * (x11 - x01);
    const dz = x01 + v * (x11 - x01) - (x00 + v * (x10 - x00));
    const length = Math.hypot(dx, dy, dz) || 1;
    this.gradientX = dx / length;
    this.gradientY = dy / length;
    this.gradientZ = dz / length;
  }

  /** Reads the eight nodes of a cell; false where one is not stored. */
  private readCorners(i: number, j: number, k: number): boolean {
    const { grid, corner: c, clearance } = this;
    const slot = grid.findSlot(i, j, k);
    if (slot === NONE) return false;
    const last = BLOCK_EDGE - 1;
    if ((i & last) < last && (j & last) < last && (k & last) < last) {
      // All in one block, where slots are fixed steps apart.
      for (let n = 0; n < 8; n++)
        c[n] = clearance[slot + (n & 1) + ((n >> 1) & 1) * BLOCK_EDGE + (n >> 2) * BLOCK_EDGE * BLOCK_EDGE];
      return true;
    }
    for (let n = 0; n < 8; n++) {
      const s = grid.findSlot(i + (n & 1), j + ((n >> 1) & 1), k + (n >> 2));
      if (s === NONE) return false;
      c[n] = clearance[s];
    }
    return true;
  }
}
