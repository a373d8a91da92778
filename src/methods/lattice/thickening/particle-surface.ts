/**
 * L_par, the surface around particles after Zhu and Bridson 2005, and its union with the contoured distance
 * ([chentanez-2007] 3.4.3): f**(p) = max(f(p), L_par(p)).
 *
 * With weights w_i = k(|p - x_i| / R), k(s) = (1 - s^2)^3, summing to one: L_par(p) = sum w_i r_i - |p - sum w_i x_i|, positive inside. For
 * particles in a plane this is exactly the slab of their radii, however they are spaced.
 *
 * Deviation: between two sheets nearer than R the weighted centre lies in the gap, and the formula would fill it. A point
 * farther than SLACK outside every ball is outside whatever the formula says.
 */
import type { HeapScope } from '../../../core/heap.ts';
import { defineTask, type TaskArg, type Threads } from '../../../core/threads/task.ts';
import {
  buildParticleGrid,
  PARTICLE_ARG_COUNT,
  type ParticleGrid,
  type ParticleGridArgs,
  ParticleSearch,
  type Particles,
  particleGridArgs,
} from './particles.ts';

/**
 * How far outside the balls the blended surface may lie, as a share of the kernel's reach: two balls of 0.6 cells at a distance of a
 * cell leave a dimple of 0.18 cells between them, with R = 1.5 cells an eighth of R.
 */
const SLACK = 1 / 6;
const GRAIN = 512;

export class ParticleSurface {
  private readonly search: ParticleSearch;
  private readonly reach: number;

  constructor(...args: ParticleGridArgs) {
    this.search = new ParticleSearch(...args);
    this.reach = args[0][0];
  }

  /** L_par, m, positive inside; -Infinity where no particle is within reach. */
  value(x: number, y: number, z: number): number {
    const { search, reach } = this;
    search.find(x, y, z);
    if (search.count === 0) return Number.NEGATIVE_INFINITY;
    const { position, radius, found, squared } = search;
    const scale = 1 / (reach * reach);
    let sum = 0;
    let mx = 0;
    let my = 0;
    let mz = 0;
    let mr = 0;
    let inBall = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < search.count; n++) {
      const p = found[n];
      const s = 1 - squared[n] * scale;
      const w = s * s * s;
      sum += w;
      // Relative to the query, so that far from the origin nothing cancels.
      mx += w * (position[3 * p] - x);
      my += w * (position[3 * p + 1] - y);
      mz += w * (position[3 * p + 2] - z);
      mr += w * radius[p];
      inBall = Math.max(inBall, radius[p] - Math.sqrt(squared[n]));
    }
    if (sum === 0) return Number.NEGATIVE_INFINITY;
    return Math.min((mr - Math.sqrt(mx * mx + my * my + mz * mz)) / sum, inBall + SLACK * reach);
  }
}

const unite = defineTask('lattice.uniteWithParticles', (begin: number, end: number, ...args: TaskArg[]) => {
  const particles = new ParticleSurface(...(args.slice(0, PARTICLE_ARG_COUNT) as ParticleGridArgs));
  const point = args[PARTICLE_ARG_COUNT] as Float64Array;
  const value = args[PARTICLE_ARG_COUNT + 1] as Float64Array;
  for (let n = begin; n < end; n++) {
    const par = particles.value(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
    if (par > value[n]) value[n] = par;
  }
});

/** The particles' surface, ready to be united with a sampled function. */
export interface ParticleUnion {
  readonly particles: Particles;
  readonly grid: ParticleGrid;
}

export function buildParticleUnion(
  particles: Particles,
  kernelRadius: number,
  scope: HeapScope,
): ParticleUnion {
  return { particles, grid: buildParticleGrid(particles, kernelRadius, scope) };
}

/** f** in place: value[n] = max(value[n], L_par(point n)) for n < count; arrays on the heap. */
export function uniteWithParticles(
  union: ParticleUnion,
  threads: Threads,
  point: Float64Array,
  count: number,
  value: Float64Array,
): void {
  threads.run(unite, count, GRAIN, ...particleGridArgs(union.grid), point, value);
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
