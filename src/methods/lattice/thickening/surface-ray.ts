/**
 * Rays through the cells of a SurfaceIndex: where a ray into the liquid leaves it again ([chentanez-2007]
 * 3.4.1, figure 5).
 *
 * Every free triangle lies in one cell of the contouring grid, so a short ray meets only triangles of the
 * cells its line passes. Cells it merely touches are read as well: rays from a surface aligned with the grid
 * run along cell edges. Cost: some ten cells for a ray of a cell or two.
 */
import { NONE } from '../../../core/types.ts';
import { BlockGrid } from '../../../tracking/contouring/block-grid.ts';

/** Barycentric tolerance: a ray through an edge hits at least one of the two triangles. */
const ON_EDGE = 1e-9;
/** Half the space diagonal of a unit cell, widened so that touching counts. */
const CELL_REACH = (Math.sqrt(3) / 2) * (1 + 1e-6);
/** Cells by which the ray's box is widened, for the same reason. */
const BOX_MARGIN = 1e-6;

export class SurfaceRay {
  private readonly grid: BlockGrid;
  private readonly spacing: number;
  private nearest = Number.POSITIVE_INFINITY;
  private leaves = false;

  constructor(
    frame: Float64Array,
    directory: Int32Array,
    private readonly cellStart: Int32Array,
    private readonly cellTriangle: Int32Array,
    private readonly position: Float64Array,
    private readonly triangle: Int32Array,
  ) {
    this.spacing = frame[3];
    this.grid = BlockGrid.at(frame, directory);
  }

  /**
   * Distance from vertex v along the unit direction (dx, dy, dz) to the first free triangle not at v, if it
   * lies within `reach` and the ray leaves the liquid there; Infinity otherwise.
   */
  exitDistance(v: number, dx: number, dy: number, dz: number, reach: number): number {
    const { grid, spacing } = this;
    const p = this.position;
    const { origin } = grid;
    // In units of cells from the grid's origin.
    const x = (p[3 * v] - origin[0]) / spacing;
    const y = (p[3 * v + 1] - origin[1]) / spacing;
    const z = (p[3 * v + 2] - origin[2]) / spacing;
    const length = reach / spacing;
    this.nearest = reach;
    this.leaves = false;
    const i0 = Math.max(0, Math.floor(Math.min(x, x + length * dx) - BOX_MARGIN));
    const j0 = Math.max(0, Math.floor(Math.min(y, y + length * dy) - BOX_MARGIN));
    const k0 = Math.max(0, Math.floor(Math.min(z, z + length * dz) - BOX_MARGIN));
    const i1 = Math.min(grid.nodesX - 1, Math.floor(Math.max(x, x + length * dx) + BOX_MARGIN));
    const j1 = Math.min(grid.nodesY - 1, Math.floor(Math.max(y, y + length * dy) + BOX_MARGIN));
    const k1 = Math.min(grid.nodesZ - 1, Math.floor(Math.max(z, z + length * dz) + BOX_MARGIN));
    for (let k = k0; k <= k1; k++)
      for (let j = j0; j <= j1; j++)
        for (let i = i0; i <= i1; i++) {
          const slot = grid.findSlot(i, j, k);
          if (slot === NONE) continue;
          const first = this.cellStart[slot];
          const last = this.cellStart[slot + 1];
          if (first === last) continue;
          const cx = i + 0.5 - x;
          const cy = j + 0.5 - y;
          const cz = k + 0.5 - z;
          const along = cx * dx + cy * dy + cz * dz;
          const off = cx * cx + cy * cy + cz * cz - along * along;
          if (off > CELL_REACH * CELL_REACH) continue;
          for (let n = first; n < last; n++) this.consider(this.cellTriangle[n], v, dx, dy, dz);
        }
    return this.leaves ? this.nearest : Number.POSITIVE_INFINITY;
  }

  /** Keeps the hit with triangle f if it is the nearest so far (Moller and Trumbore 1997). */
  private consider(f: number, v: number, dx: number, dy: number, dz: number): void {
    const va = this.triangle[3 * f];
    const vb = this.triangle[3 * f + 1];
    const vc = this.triangle[3 * f + 2];
    if (va === v || vb === v || vc === v) return;
    const p = this.position;
    const ax = p[3 * va];
    const ay = p[3 * va + 1];
    const az = p[3 * va + 2];
    const ux = p[3 * vb] - ax;
    const uy = p[3 * vb + 1] - ay;
    const uz = p[3 * vb + 2] - az;
    const wx = p[3 * vc] - ax;
    const wy = p[3 * vc + 1] - ay;
    const wz = p[3 * vc + 2] - az;
    const hx = dy * wz - dz * wy;
    const hy = dz * wx - dx * wz;
    const hz = dx * wy - dy * wx;
    // Twice the area seen along the ray, positive where the ray meets the front: where it enters the liquid.
    const det = ux * hx + uy * hy + uz * hz;
    if (det === 0) return;
    const inverse = 1 / det;
    const sx = p[3 * v] - ax;
    const sy = p[3 * v + 1] - ay;
    const sz = p[3 * v + 2] - az;
    const s = (sx * hx + sy * hy + sz * hz) * inverse;
    if (s < -ON_EDGE || s > 1 + ON_EDGE) return;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const t = (dx * qx + dy * qy + dz * qz) * inverse;
    if (t < -ON_EDGE || s + t > 1 + ON_EDGE) return;
    const distance = (wx * qx + wy * qy + wz * qz) * inverse;
    if (!(distance > 0 && distance <= this.nearest)) return;
    this.nearest = distance;
    this.leaves = det < 0;
  }
}
