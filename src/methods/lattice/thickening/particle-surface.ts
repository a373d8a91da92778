/**
 * L_par, the surface around particles after Zhu and Bridson 2005, and its union with the contoured distance
 * ([chentanez-2007] 3.4.3): f**(p) = max(f(p), L_par(p)).
 *
 * With weights w_i = a_i k(|p - x_i| / R), k(s) = (1 - s^2)^3, a_i the surface each particle stands for, made
 * to sum to one: L_par(p) = sum w_i r_i - |p - sum w_i x_i|, positive inside. For particles in a plane this
 * is exactly the slab of their radii, however they are spaced.
 *
 * Deviations: particles may also thin the liquid they stand for, so that what is grown elsewhere can be taken
 * back: the distance f is lowered by their mean `cut` first. Between two sheets nearer than R the weighted
 * centre lies in the gap, and the formula would fill it: a point farther than SHARE.slack outside every
 * particle is outside whatever the formula says, a particle being a disc across its normal, as wide as
 * neighbours may be apart, rounded by its radius.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { ValuesOf } from '../../../core/records.ts';
import { defineTask, type Threads } from '../../../core/threads/task.ts';
import {
  buildParticleGrid,
  type ParticleGrid,
  ParticleSearch,
  type Particles,
  particleRecord,
} from './particles.ts';

/**
 * Shares of the kernel's reach: how far outside the discs the blended surface may lie, a tenth of a cell, and
 * the radius of the discs. The particles of a sheet along the grid are a cell apart and 0.71 cells from
 * the places between them, a little more once the flow has stretched it; with R = 2 cells the discs are 0.9.
 */
const SHARE = { slack: 0.05, disc: 0.45 };
const GRAIN = 512;

export class ParticleSurface {
  /** How far the liquid around the last point is to be drawn in, m. */
  cut = 0;
  private readonly search: ParticleSearch;
  private readonly reach: number;

  constructor(grid: ValuesOf<typeof particleRecord>) {
    this.search = new ParticleSearch(grid);
    this.reach = grid.place[0];
  }

  /** L_par, m, positive inside; -Infinity where no particle is within reach. */
  value(x: number, y: number, z: number): number {
    const { search, reach } = this;
    search.find(x, y, z);
    this.cut = 0;
    if (search.count === 0) return Number.NEGATIVE_INFINITY;
    const { position, radius, normal, weight, cut: ownCut, found, squared } = search;
    const disc = SHARE.disc * reach;
    const scale = 1 / (reach * reach);
    let sum = 0;
    let mx = 0;
    let my = 0;
    let mz = 0;
    let mr = 0;
    let cut = 0;
    let inDisc = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < search.count; n++) {
      const p = found[n];
      const s = 1 - squared[n] * scale;
      const w = weight[p] * s * s * s;
      sum += w;
      // Relative to the query, so that far from the origin nothing cancels.
      const dx = position[3 * p] - x;
      const dy = position[3 * p + 1] - y;
      const dz = position[3 * p + 2] - z;
      mx += w * dx;
      my += w * dy;
      mz += w * dz;
      mr += w * radius[p];
      cut += w * ownCut[p];
      const along = dx * normal[3 * p] + dy * normal[3 * p + 1] + dz * normal[3 * p + 2];
      const beside = Math.sqrt(Math.max(0, squared[n] - along * along)) - disc;
      const off = beside > 0 ? Math.sqrt(along * along + beside * beside) : Math.abs(along);
      inDisc = Math.max(inDisc, radius[p] - off);
    }
    if (sum === 0) return Number.NEGATIVE_INFINITY;
    // The mean wherever particles are near, fading to zero at the edge of their reach.
    this.cut = cut / Math.max(1, sum);
    return Math.min((mr - Math.sqrt(mx * mx + my * my + mz * mz)) / sum, inDisc + SHARE.slack * reach);
  }
}

const unite = defineTask(
  'lattice/unite-with-particles',
  { grid: particleRecord, point: 'f64', value: 'f64' },
  (begin, end, { grid, point, value }) => {
    const particles = new ParticleSurface(grid);
    for (let n = begin; n < end; n++) {
      const par = particles.value(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
      value[n] = Math.max(value[n] - particles.cut, par);
    }
  },
);

/** The particles' surface, ready to be united with a sampled function. */
export interface ParticleUnion {
  readonly particles: Particles;
  readonly grid: ParticleGrid;
}

/**
 * `cut` (count): how far each particle draws in the surface around it, m; `spacing`: a contouring cell's
 * edge, m.
 */
export function buildParticleUnion(
  particles: Particles,
  cut: Float64Array,
  kernelRadius: number,
  spacing: number,
  scope: HeapScope,
): ParticleUnion {
  // Without the areas the mean place would lean towards where the contour's vertices crowd, and dent the
  // sheet.
  const weight = particles.area.map((area) => area / (spacing * spacing));
  return { particles, grid: buildParticleGrid(particles, kernelRadius * spacing, scope, weight, cut) };
}

/** f** in place: value[n] = max(value[n] - cut, L_par(point n)) for n < count; arrays on the heap. */
export function uniteWithParticles(
  union: ParticleUnion,
  threads: Threads,
  point: Float64Array,
  count: number,
  value: Float64Array,
): void {
  threads.run(unite, count, GRAIN, { grid: union.grid, point, value });
}

/** What is given boxes that may hold surface: the contour's builder. */
export interface BoxSeeds {
  addBox(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): void;
}

/** L_par may be positive where the contour has no cells yet: seeds the cells around every particle's ball. */
export function seedParticles({ particles }: ParticleUnion, seeds: BoxSeeds): void {
  const { count, position, radius } = particles;
  for (let p = 0; p < count; p++) {
    const r = radius[p];
    const x = position[3 * p];
    const y = position[3 * p + 1];
    const z = position[3 * p + 2];
    seeds.addBox(x - r, y - r, z - r, x + r, y + r, z + r);
  }
}
