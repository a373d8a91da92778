/**
 * Surface thickening ([chentanez-2007] 3.4.3): what the medial particles become after they have been
 * advected.
 *
 * Particles of liquid at most beta_slc thick are small, the others big. A small one with big ones within
 * r_redis gives them its radius in equal parts and goes, which makes thin sheets tear rather than thin out;
 * then big ones grow by r_ib and the small ones left by r_is.
 *
 * The paper compares the thickness d_i with beta_slc = gamma / 2. A ray that hits within gamma has its
 * midpoint at most gamma / 2 from the surface, so with d_i read as a radius no particle would ever be big; we
 * read it as the full thickness, twice the radius.
 *
 * Deviation: growth by r_ib and r_is at every step holds a sheet at gamma however far it is stretched, which
 * makes volume (two thirds more than was emitted in the spray). `growth` scales both: guided by the volume,
 * particles grow as far as liquid is missing, and shrink where there is too much, so that the sheet thins out
 * by itself. Cost: O(particles) times those within r_redis.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { ThickeningOptions } from './options.ts';
import { buildParticleGrid, ParticleSearch, type Particles } from './particles.ts';

export interface ThickenedParticles extends Particles {
  /** Small particles that gave their radius away. */
  readonly merged: number;
}

/** Farthest a surface is drawn in per step, in cells: no more than it may grow. */
const MOST_CUT = 0.1;

/**
 * Growth, as a share of the options' own in [0, 1], that makes up for a `deficit` of volume, m^3: each
 * particle stands for a piece of surface.
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
    gain += particles.area[p] * (2 * particles.radius[p] <= beta ? options.smallGrowth : options.bigGrowth);
  gain *= spacing;
  return gain > 0 ? Math.max(0, Math.min(1, deficit / gain)) : 0;
}

/**
 * How far each particle draws the surface in to give back a `surplus` of volume, m^3: in proportion to what
 * it has above the least thickness, at most MOST_CUT of a cell. Shortens the radii by as much. Returns
 * (count) m.
 */
export function takeSurplus(
  particles: Particles,
  options: ThickeningOptions,
  spacing: number,
  surplus: number,
  outRadius: Float64Array,
  scope: HeapScope,
): Float64Array {
  const { count } = particles;
  const cut = scope.f64(Math.max(1, count));
  if (!(surplus > 0)) return cut;
  let most = 0;
  for (let p = 0; p < count; p++) {
    cut[p] = Math.max(
      0,
      Math.min(MOST_CUT * spacing, outRadius[p] - findLeastRadius(particles, p, options, spacing)),
    );
    most += particles.area[p] * cut[p];
  }
  const share = Math.min(1, surplus / most);
  for (let p = 0; p < count; p++) {
    cut[p] *= most > 0 ? share : 0;
    outRadius[p] -= cut[p];
  }
  return cut;
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
  for (let p = 0; p < count; p++) isBig[p] = 2 * particles.radius[p] > beta ? 1 : 0;
  const radius = particles.radius.slice(0, count);
  const gone = new Uint8Array(count);
  const reach = options.redistributionRadius * spacing;
  if (reach > 0) giveRadii(particles, isBig, reach, radius, gone, scope);
  for (let p = 0; p < count; p++)
    radius[p] += growth * (isBig[p] === 1 ? options.bigGrowth : options.smallGrowth) * spacing;
  const left = selectParticles({ ...particles, radius }, gone, 0, scope);
  return { ...left, merged: count - left.count };
}

/**
 * Lets no particle be thinner than `leastThickness` contouring cells along the grid axis nearest to the
 * sheet's normal: then every line of grid nodes along that axis that crosses the sheet has a node in it, and
 * the contour has no hole.
 */
export function keepThickness(
  particles: Particles,
  options: ThickeningOptions,
  spacing: number,
  outRadius: Float64Array,
): void {
  for (let p = 0; p < particles.count; p++)
    outRadius[p] = Math.max(outRadius[p], findLeastRadius(particles, p, options, spacing));
}

function findLeastRadius(
  { normal }: Particles,
  p: number,
  options: ThickeningOptions,
  spacing: number,
): number {
  const facing = Math.max(Math.abs(normal[3 * p]), Math.abs(normal[3 * p + 1]), Math.abs(normal[3 * p + 2]));
  return 0.5 * options.leastThickness * facing * spacing;
}

/**
 * Each small particle's radius in equal parts to the big ones within reach; marks the givers in `outGone`.
 */
function giveRadii(
  particles: Particles,
  isBig: Uint8Array,
  reach: number,
  outRadius: Float64Array,
  outGone: Uint8Array,
  scope: HeapScope,
): void {
  const bigToOld = listMarked(isBig, 1);
  const grid = buildParticleGrid(selectParticles(particles, isBig, 1, scope), reach, scope);
  const search = new ParticleSearch(grid);
  for (let p = 0; p < particles.count; p++) {
    if (isBig[p] === 1) continue;
    search.find(particles.position[3 * p], particles.position[3 * p + 1], particles.position[3 * p + 2]);
    if (search.count === 0) continue;
    const share = particles.radius[p] / search.count;
    for (let n = 0; n < search.count; n++) outRadius[bigToOld[grid.newToOld[search.found[n]]]] += share;
    outGone[p] = 1;
  }
}

function listMarked(mark: Uint8Array, wanted: number): Int32Array {
  const list = new Int32Array(mark.length);
  let count = 0;
  for (let p = 0; p < mark.length; p++) if (mark[p] === wanted) list[count++] = p;
  return list.subarray(0, count);
}

function selectParticles(
  particles: Particles,
  mark: Uint8Array,
  wanted: number,
  scope: HeapScope,
): Particles {
  const newToOld = listMarked(mark, wanted);
  const count = newToOld.length;
  const position = scope.f64(Math.max(1, 3 * count));
  const radius = scope.f64(Math.max(1, count));
  const normal = scope.f64(Math.max(1, 3 * count));
  const area = scope.f64(Math.max(1, count));
  for (let n = 0; n < count; n++) {
    const p = newToOld[n];
    position.set(particles.position.subarray(3 * p, 3 * p + 3), 3 * n);
    radius[n] = particles.radius[p];
    area[n] = particles.area[p];
    normal.set(particles.normal.subarray(3 * p, 3 * p + 3), 3 * n);
  }
  return { count, position, radius, normal, area };
}
