/**
 * Surface thickening ([chentanez-2007] 3.4.3): what the medial particles become after they have been advected.
 *
 * Particles of liquid at most beta_slc thick are small, the others big. A small one with big ones within r_redis gives them its
 * radius in equal parts and goes, which makes thin sheets tear rather than thin out; then big ones grow by r_ib
 * and the small ones left by r_is.
 *
 * The paper compares the thickness d_i with beta_slc = gamma / 2. A ray that hits within gamma has its midpoint at most
 * gamma / 2 from the surface, so with d_i read as a radius no particle would ever be big; we read it as the full
 * thickness, twice the radius.
 *
 * Deviation: growth by r_ib and r_is at every step holds a sheet at gamma however far it is stretched, which makes volume (two
 * thirds more than was emitted in the spray). `growth` scales both: guided by the volume, particles grow as far as liquid
 * is missing, and shrink where there is too much, so that the sheet thins out by itself. Cost: O(particles) times those within r_redis.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { ThickeningOptions } from './options.ts';
import { buildParticleGrid, ParticleSearch, type Particles, particleGridArgs } from './particles.ts';

export interface ThickenedParticles extends Particles {
  /** Small particles that gave their radius away. */
  readonly merged: number;
}

/** Free surface per vertex of the contour, in cells^2: measured on plates of any tilt. */
const VERTEX_AREA = 0.6;

/**
 * Growth, as a share of the options' own in [-1, 1], that makes up for a `deficit` of volume, m^3: each particle stands for the
 * surface of one vertex.
 */
export function computeGrowth(
  particles: Particles,
  options: ThickeningOptions,
  spacing: number,
  deficit: number,
): number {
  const beta = options.smallThickness * options.thinness * spacing;
  let gain = 0;
  for (let p = 0; p < particles.count; p++)
    gain += 2 * particles.radius[p] <= beta ? options.smallGrowth : options.bigGrowth;
  gain *= VERTEX_AREA * spacing * spacing * spacing;
  return gain > 0 ? Math.max(-1, Math.min(1, deficit / gain)) : 0;
}

/** The particles whose union thickens the surface; `spacing` is the edge of a contouring cell, m. */
export function redistributeRadii(
  particles: Particles,
  options: ThickeningOptions,
  spacing: number,
  growth: number,
  scope: HeapScope,
): ThickenedParticles {
  const { count } = particles;
  const beta = options.smallThickness * options.thinness * spacing;
  const isBig = new Uint8Array(count);
  let bigCount = 0;
  for (let p = 0; p < count; p++) {
    if (2 * particles.radius[p] <= beta) continue;
    isBig[p] = 1;
    bigCount++;
  }
  const big = selectParticles(particles, isBig, 1, bigCount, scope);
  const gone = new Uint8Array(count);
  const reach = options.redistributionRadius * spacing;
  const received = reach > 0 ? giveRadii(particles, isBig, big, reach, gone, scope) : undefined;
  let merged = 0;
  for (let p = 0; p < count; p++) merged += gone[p];

  const position = scope.f64(Math.max(1, 3 * (count - merged)));
  const radius = scope.f64(Math.max(1, count - merged));
  const source = received ?? big;
  for (let p = 0; p < bigCount; p++) {
    position.set(source.position.subarray(3 * p, 3 * p + 3), 3 * p);
    radius[p] = source.radius[p] + growth * options.bigGrowth * spacing;
  }
  for (let p = 0, n = bigCount; p < count; p++) {
    if (isBig[p] === 1 || gone[p] === 1) continue;
    position.set(particles.position.subarray(3 * p, 3 * p + 3), 3 * n);
    radius[n++] = particles.radius[p] + growth * options.smallGrowth * spacing;
  }
  return { count: count - merged, position, radius, merged };
}

/** Each small particle's radius in equal parts to the big ones within reach; marks the givers in `outGone`. */
function giveRadii(
  particles: Particles,
  isBig: Uint8Array,
  big: Particles,
  reach: number,
  outGone: Uint8Array,
  scope: HeapScope,
): Particles {
  const grid = buildParticleGrid(big, reach, scope);
  const search = new ParticleSearch(...particleGridArgs(grid));
  const radius = grid.radius.slice();
  for (let p = 0; p < particles.count; p++) {
    if (isBig[p] === 1) continue;
    search.find(particles.position[3 * p], particles.position[3 * p + 1], particles.position[3 * p + 2]);
    if (search.count === 0) continue;
    const share = particles.radius[p] / search.count;
    for (let n = 0; n < search.count; n++) radius[search.found[n]] += share;
    outGone[p] = 1;
  }
  return { count: big.count, position: grid.position, radius };
}

function selectParticles(
  particles: Particles,
  mark: Uint8Array,
  wanted: number,
  count: number,
  scope: HeapScope,
): Particles {
  const position = scope.f64(Math.max(1, 3 * count));
  const radius = scope.f64(Math.max(1, count));
  for (let p = 0, n = 0; p < particles.count; p++) {
    if (mark[p] !== wanted) continue;
    position.set(particles.position.subarray(3 * p, 3 * p + 3), 3 * n);
    radius[n++] = particles.radius[p];
  }
  return { count, position, radius };
}
