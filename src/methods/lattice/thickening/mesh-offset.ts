/**
 * Mesh thickening ([chentanez-2007] 3.4.2): an offset added to the signed distance that the mesher fills, so
 * that the mesh encloses thin liquid with at least gamma_mesh to both sides of its medial axis. With
 * gamma_mesh = 0.6 cells every drop holds a point of the BCC lattice (its covering radius is sqrt(5)/4 =
 * 0.559 cells), and so tetrahedra.
 *
 *     offset(p) = sum_i W(p - m_i) (gamma_mesh - d_i) / sum_i W(p - m_i),   W: the poly6 kernel of Mueller et al. 2003.
 *
 * Deviations:
 * - The quotient keeps its value up to the very edge of the kernels and jumps there. It is scaled by min(1,
 *   sum_i W / W(0)), which is one wherever a few particles are near and fades to zero at the edge.
 * - Particles of one lattice cell are merged into one that stands for all (mean place, mean d_i): with h = 4
 *   cells the sums change by a percent and cost a tenth.
 * Cost: O(particles) to build; a value costs the merged particles within h, about fifty on a sheet.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { ValuesOf } from '../../../core/records.ts';
import { defineTask, type Threads } from '../../../core/threads/task.ts';
import {
  type Balls,
  buildParticleGrid,
  type ParticleGrid,
  ParticleSearch,
  particleRecord,
} from './particles.ts';

const GRAIN = 512;

export class OffsetField {
  private readonly search: ParticleSearch;
  private readonly reach: number;

  constructor(
    private readonly halfThickness: number,
    grid: ValuesOf<typeof particleRecord>,
  ) {
    this.search = new ParticleSearch(grid);
    this.reach = grid.place[0];
  }

  /** offset(p) >= 0, m; zero away from thin liquid. */
  value(x: number, y: number, z: number): number {
    const { search, halfThickness } = this;
    search.find(x, y, z);
    const scale = 1 / (this.reach * this.reach);
    let sum = 0;
    let missing = 0;
    for (let n = 0; n < search.count; n++) {
      const p = search.found[n];
      const s = 1 - search.squared[n] * scale;
      const w = search.weight[p] * s * s * s;
      sum += w;
      // Thickening never thins: liquid thicker than wanted asks for nothing.
      missing += w * Math.max(0, halfThickness - search.radius[p]);
    }
    return sum > 1 ? missing / sum : missing;
  }
}

const addOffset = defineTask(
  'lattice/add-mesh-offset',
  { grid: particleRecord, halfThickness: 'number', point: 'f64', value: 'f64' },
  (begin, end, { grid, halfThickness, point, value }) => {
    const field = new OffsetField(halfThickness, grid);
    for (let n = begin; n < end; n++) {
      // NaN marks points far from the surface.
      if (!Number.isNaN(value[n])) value[n] += field.value(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
    }
  },
);

/** The offset of one surface's thin parts. */
export interface MeshOffset {
  /** The merged particles, one per lattice cell that holds any. */
  readonly particles: Balls;
  readonly grid: ParticleGrid;
  /** gamma_mesh, m */
  readonly halfThickness: number;
}

/** `cell` is the lattice's edge, `reach` the kernel's h and `halfThickness` gamma_mesh, all m. */
export function buildMeshOffset(
  particles: Balls,
  cell: number,
  reach: number,
  halfThickness: number,
  scope: HeapScope,
): MeshOffset {
  const { merged, weight } = mergePerCell(particles, cell, scope);
  return { particles: merged, grid: buildParticleGrid(merged, reach, scope, weight), halfThickness };
}

export function createOffsetField(offset: MeshOffset): OffsetField {
  return new OffsetField(offset.halfThickness, offset.grid);
}

/** value[n] += offset(point n) for n < count, NaN left alone; arrays on the heap. */
export function addMeshOffset(
  offset: MeshOffset,
  threads: Threads,
  point: Float64Array,
  count: number,
  value: Float64Array,
): void {
  const { grid, halfThickness } = offset;
  threads.run(addOffset, count, GRAIN, { grid, halfThickness, point, value });
}

function mergePerCell(
  particles: Balls,
  cell: number,
  scope: HeapScope,
): { merged: Balls; weight: Float64Array } {
  const { count } = particles;
  const sorted = buildParticleGrid(particles, cell, scope);
  const position = scope.f64(Math.max(1, 3 * count));
  const radius = scope.f64(Math.max(1, count));
  const weight = scope.f64(Math.max(1, count));
  const cellOf = new Int32Array(3 * count);
  let mergedCount = 0;
  for (let b = 0; b + 1 < sorted.bucketStart.length; b++) {
    const first = mergedCount;
    for (let n = sorted.bucketStart[b]; n < sorted.bucketStart[b + 1]; n++) {
      const i = Math.floor(sorted.position[3 * n] / cell);
      const j = Math.floor(sorted.position[3 * n + 1] / cell);
      const k = Math.floor(sorted.position[3 * n + 2] / cell);
      let m = first;
      while (m < mergedCount && !(cellOf[3 * m] === i && cellOf[3 * m + 1] === j && cellOf[3 * m + 2] === k))
        m++;
      if (m === mergedCount) {
        cellOf.set([i, j, k], 3 * m);
        mergedCount++;
      }
      position[3 * m] += sorted.position[3 * n];
      position[3 * m + 1] += sorted.position[3 * n + 1];
      position[3 * m + 2] += sorted.position[3 * n + 2];
      radius[m] += sorted.radius[n];
      weight[m]++;
    }
  }
  for (let m = 0; m < mergedCount; m++) {
    position[3 * m] /= weight[m];
    position[3 * m + 1] /= weight[m];
    position[3 * m + 2] /= weight[m];
    radius[m] /= weight[m];
  }
  return { merged: { count: mergedCount, position, radius }, weight };
}
