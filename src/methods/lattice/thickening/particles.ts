/**
 * Particles near the medial axis of thin liquid ([chentanez-2007] 3.4), and the search among them.
 *
 * The search is a hash of cells as wide as the query's reach: a query reads the 27 cells around its point.
 * Particles are stored in the order of their buckets, so a cell is read as one run; the order within a bucket
 * is that of the input, so sums over neighbours have the same bits on any thread. Cost: linear to build; a
 * query, the particles of 27 cells.
 */
import { lengthened } from '../../../core/doubled.ts';
import type { HeapScope } from '../../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../../core/records.ts';

/** Centres and radii, on the heap. */
export interface Balls {
  readonly count: number;
  /** (count x 3) m */
  readonly position: Float64Array;
  /** (count) m: distance from the medial axis to the surface, d_i in the paper */
  readonly radius: Float64Array;
}

/** What stands for a piece of a thin sheet. */
export interface Particles extends Balls {
  /** (count x 3) unit normal of the sheet, either way */
  readonly normal: Float64Array;
  /** (count) m^2 of surface that each stands for */
  readonly area: Float64Array;
}

/** Particles in cells, on the heap, in the order of their buckets: what tasks on other threads are given. */
export const particleRecord = defineRecord('particle grid', {
  place: { type: 'f64', stride: 2, meaning: '[cell edge m, number of buckets - 1]' },
  bucketStart: { type: 'i32', meaning: '(bucketCount + 1) first particle of each bucket' },
  position: { type: 'f64', per: 'particle', stride: 3, unit: 'm', meaning: 'of particles' },
  radius: { type: 'f64', per: 'particle', unit: 'm', meaning: 'of particles' },
  weight: { type: 'f64', per: 'particle', meaning: 'how much each counts' },
  cut: {
    type: 'f64',
    per: 'particle',
    unit: 'm',
    meaning: 'how far each draws in the surface around it (particle-surface.ts)',
  },
  normal: { type: 'f64', per: 'particle', stride: 3, meaning: 'unit normals of the sheet; zero for balls' },
});

export interface ParticleGrid extends ValuesOf<typeof particleRecord> {
  /** (count) the particle of the input at each place of bucket order; not on the heap */
  readonly newToOld: Int32Array;
}

/**
 * Sorts particles into cells of edge `reach`, the farthest a query may look. `weight` defaults to one each,
 * `cut` to zero.
 */
export function buildParticleGrid(
  particles: Balls & Partial<Particles>,
  reach: number,
  scope: HeapScope,
  weight?: Float64Array,
  cut?: Float64Array,
): ParticleGrid {
  const { count } = particles;
  let buckets = 16;
  while (buckets < 2 * count) buckets *= 2;
  const bucketStart = scope.i32(buckets + 1);
  const bucketOf = new Int32Array(count);
  const inverse = 1 / reach;
  for (let p = 0; p < count; p++) {
    const i = Math.floor(particles.position[3 * p] * inverse);
    const j = Math.floor(particles.position[3 * p + 1] * inverse);
    const k = Math.floor(particles.position[3 * p + 2] * inverse);
    bucketOf[p] = hashCell(i, j, k) & (buckets - 1);
    bucketStart[bucketOf[p] + 1]++;
  }
  for (let b = 0; b < buckets; b++) bucketStart[b + 1] += bucketStart[b];
  const fill = bucketStart.slice(0, buckets);
  const position = scope.f64(Math.max(1, 3 * count));
  const radius = scope.f64(Math.max(1, count));
  const sortedWeight = scope.f64(Math.max(1, count));
  const sortedCut = scope.f64(Math.max(1, count));
  const normal = scope.f64(Math.max(1, 3 * count));
  const newToOld = new Int32Array(count);
  for (let p = 0; p < count; p++) {
    const n = fill[bucketOf[p]]++;
    position[3 * n] = particles.position[3 * p];
    position[3 * n + 1] = particles.position[3 * p + 1];
    position[3 * n + 2] = particles.position[3 * p + 2];
    radius[n] = particles.radius[p];
    if (particles.normal !== undefined) normal.set(particles.normal.subarray(3 * p, 3 * p + 3), 3 * n);
    newToOld[n] = p;
    sortedWeight[n] = weight === undefined ? 1 : weight[p];
    if (cut !== undefined) sortedCut[n] = cut[p];
  }
  const place = scope.f64(2);
  place.set([reach, buckets - 1]);
  return { place, bucketStart, position, radius, weight: sortedWeight, normal, cut: sortedCut, newToOld };
}

/**
 * Three large primes mix the cell's coordinates, as is customary for spatial hashing (Teschner et al. 2003).
 */
function hashCell(i: number, j: number, k: number): number {
  return Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791);
}

/** Finds the particles within reach of a point. One per thread and loop: it holds the last answer. */
export class ParticleSearch {
  /** Number of particles found, and for each its place in bucket order and its squared distance, m^2. */
  count = 0;
  found = new Int32Array(64);
  squared = new Float64Array(64);

  private readonly reach: number;
  private readonly mask: number;

  private readonly bucketStart: Int32Array;
  readonly position: Float64Array;
  readonly radius: Float64Array;
  readonly weight: Float64Array;
  readonly normal: Float64Array;
  readonly cut: Float64Array;

  constructor({
    place,
    bucketStart,
    position,
    radius,
    weight,
    normal,
    cut,
  }: ValuesOf<typeof particleRecord>) {
    this.bucketStart = bucketStart;
    this.position = position;
    this.radius = radius;
    this.weight = weight;
    this.normal = normal;
    this.cut = cut;
    this.reach = place[0];
    this.mask = place[1];
  }

  /** All particles nearer than `reach`, in a fixed order. */
  find(x: number, y: number, z: number): void {
    const { reach, mask, bucketStart, position } = this;
    const ci = Math.floor(x / reach);
    const cj = Math.floor(y / reach);
    const ck = Math.floor(z / reach);
    const most = reach * reach;
    this.count = 0;
    for (let k = ck - 1; k <= ck + 1; k++)
      for (let j = cj - 1; j <= cj + 1; j++)
        for (let i = ci - 1; i <= ci + 1; i++) {
          const bucket = hashCell(i, j, k) & mask;
          for (let n = bucketStart[bucket]; n < bucketStart[bucket + 1]; n++) {
            const dx = position[3 * n] - x;
            const dy = position[3 * n + 1] - y;
            const dz = position[3 * n + 2] - z;
            const squared = dx * dx + dy * dy + dz * dz;
            if (squared >= most) continue;
            // Another cell of the neighbourhood may share the bucket: each particle is read with its own cell
            // only.
            if (Math.floor(position[3 * n] / reach) !== i) continue;
            if (Math.floor(position[3 * n + 1] / reach) !== j) continue;
            if (Math.floor(position[3 * n + 2] / reach) !== k) continue;
            this.push(n, squared);
          }
        }
  }

  private push(n: number, squared: number): void {
    if (this.count === this.found.length) {
      this.found = lengthened(this.found, 2 * this.count);
      this.squared = lengthened(this.squared, 2 * this.count);
    }
    this.found[this.count] = n;
    this.squared[this.count++] = squared;
  }
}
