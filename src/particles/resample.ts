/**
 * Splitting and merging ([ando-2013] 4). Both keep volume, centre of volume and momentum: a particle becomes
 * two of half its volume at equal distances to both sides, and two become one in their common centre with
 * their mean velocity, by volume.
 *
 * The paper merges a particle with its nearest neighbour and places the halves where its neighbours leave
 * gaps. Here only pairs that are each other's nearest merge, so that the order of the list decides nothing;
 * the halves lie in a direction that turns from one to the next, along the surface where it is near, and
 * pushing apart (positions) does the rest. The energy that merging takes is returned.
 */
import type { HeapScope } from '../core/heap.ts';
import { NONE } from '../core/types.ts';
import { buildNeighbours, NeighbourQuery } from './neighbours.ts';
import { buildParticles, countParticles, type Particles, radiusOfVolume } from './particles.ts';

/**
 * Volumes beyond these multiples of the one wanted are split and merged: a half and a pair both lie between
 * them.
 */
const VOLUME = { most: 1.6, least: 0.6 };
/** Distance of each half from the middle, radii of the one that is split. */
const APART = 0.5;
/** Neighbours farther than this many sums of radii do not merge. */
const REACH = 1.5;

export interface Wishes {
  /** (particles) volume that each should have, m^3 */
  readonly volume: Float64Array;
  /**
   * (particles x 3) unit normal of the surface where the particle lies near it, else zeros: halves are laid
   * across it.
   */
  readonly normal: Float64Array;
}

export interface Resampled {
  readonly particles: Particles;
  /** (particles x 2) what each was made of: one particle before, or two of which NONE is missing. */
  readonly origin: Int32Array;
  readonly splits: number;
  readonly merges: number;
  /** Kinetic energy over density that merging took, m^5/s^2 */
  readonly lost: number;
}

/**
 * The particles with those split and merged whose volume is not the one wanted, in a scope. Each is split or
 * merged once at most.
 */
export function resample(
  particles: Particles,
  wishes: Wishes,
  scope: HeapScope,
  scratch: HeapScope,
): Resampled {
  const count = countParticles(particles);
  const { volume } = particles;
  const partner = findPartners(particles, wishes, scratch);
  let splits = 0;
  let merges = 0;
  for (let p = 0; p < count; p++) {
    if (partner[p] > p) merges++;
    if (partner[p] === NONE && volume[p] > VOLUME.most * wishes.volume[p]) splits++;
  }
  const next = buildParticles(count + splits - merges, scope);
  const origin = scratch.i32(2 * (count + splits - merges)).fill(NONE);
  const direction = new Float64Array(3);
  let lost = 0;
  let n = 0;
  for (let p = 0; p < count; p++) {
    if (partner[p] > p) {
      lost += merge(particles, p, partner[p], next, n);
      origin[2 * n] = p;
      origin[2 * n + 1] = partner[p];
      n += 1;
    } else if (partner[p] !== NONE) {
    } else if (volume[p] > VOLUME.most * wishes.volume[p]) {
      findDirection(wishes.normal, p, direction);
      split(particles, p, direction, next, n);
      origin[2 * n] = p;
      origin[2 * n + 2] = p;
      n += 2;
    } else {
      copy(particles, p, next, n);
      origin[2 * n] = p;
      n += 1;
    }
  }
  return { particles: next, origin, splits, merges, lost };
}

/** Of particles that are too small: the nearest, where it is too small as well and finds it nearest too. */
function findPartners(particles: Particles, wishes: Wishes, scratch: HeapScope): Int32Array {
  const { position, volume } = particles;
  const count = countParticles(particles);
  const radius = scratch.f64(count);
  const isSmall = scratch.u8(count);
  for (let p = 0; p < count; p++) {
    radius[p] = radiusOfVolume(volume[p]);
    isSmall[p] = volume[p] < VOLUME.least * wishes.volume[p] ? 1 : 0;
  }
  const query = new NeighbourQuery(buildNeighbours(position, radius, isSmall, scratch));
  const nearest = new Int32Array(count).fill(NONE);
  for (let p = 0; p < count; p++) {
    if (isSmall[p] === 0) continue;
    query.ask(position[3 * p], position[3 * p + 1], position[3 * p + 2], REACH * radius[p], REACH);
    let best = Number.POSITIVE_INFINITY;
    for (let m = 0; m < query.count; m++) {
      const q = query.found[m];
      if (q === p || volume[p] + volume[q] > VOLUME.most * Math.min(wishes.volume[p], wishes.volume[q]))
        continue;
      const dx = position[3 * q] - position[3 * p];
      const dy = position[3 * q + 1] - position[3 * p + 1];
      const dz = position[3 * q + 2] - position[3 * p + 2];
      const square = dx * dx + dy * dy + dz * dz;
      if (square < best && square < (REACH * (radius[p] + radius[q])) ** 2) {
        best = square;
        nearest[p] = q;
      }
    }
  }
  for (let p = 0; p < count; p++) if (nearest[p] !== NONE && nearest[nearest[p]] !== p) nearest[p] = NONE;
  return nearest;
}

function copy(from: Particles, p: number, to: Particles, n: number): void {
  to.volume[n] = from.volume[p];
  for (let k = 0; k < 3; k++) {
    to.position[3 * n + k] = from.position[3 * p + k];
    to.velocity[3 * n + k] = from.velocity[3 * p + k];
  }
}

/** Particles p and q of `from` as n of `to`; returns the kinetic energy lost over density. */
export function merge(from: Particles, p: number, q: number, to: Particles, n: number): number {
  const a = from.volume[p];
  const b = from.volume[q];
  const whole = a + b;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const u = from.velocity[3 * p + k];
    const v = from.velocity[3 * q + k];
    to.position[3 * n + k] = (a * from.position[3 * p + k] + b * from.position[3 * q + k]) / whole;
    to.velocity[3 * n + k] = (a * u + b * v) / whole;
    square += (u - v) ** 2;
  }
  to.volume[n] = whole;
  return (0.5 * a * b * square) / whole;
}

/** Particle p of `from` as n and n + 1 of `to`, along a unit direction. */
export function split(from: Particles, p: number, direction: Float64Array, to: Particles, n: number): void {
  const half = 0.5 * from.volume[p];
  const apart = APART * radiusOfVolume(from.volume[p]);
  for (let side = 0; side < 2; side++) {
    to.volume[n + side] = half;
    for (let k = 0; k < 3; k++) {
      to.position[3 * (n + side) + k] =
        from.position[3 * p + k] + (side === 0 ? -apart : apart) * direction[k];
      to.velocity[3 * (n + side) + k] = from.velocity[3 * p + k];
    }
  }
}

/**
 * A unit vector for the halves of p: by the golden angle from one to the next, turned across the surface's
 * normal where it is near.
 */
function findDirection(normal: Float64Array, p: number, out: Float64Array): void {
  // Directions of many particles spread evenly, and depend on nothing but the place in the list.
  const z = 1 - 2 * ((p * 0.6180339887498949) % 1);
  const angle = 2.399963229728653 * p;
  const r = Math.sqrt(Math.max(0, 1 - z * z));
  out[0] = r * Math.cos(angle);
  out[1] = r * Math.sin(angle);
  out[2] = z;
  const nx = normal[3 * p];
  const ny = normal[3 * p + 1];
  const nz = normal[3 * p + 2];
  if (nx === 0 && ny === 0 && nz === 0) return;
  const along = out[0] * nx + out[1] * ny + out[2] * nz;
  out[0] -= along * nx;
  out[1] -= along * ny;
  out[2] -= along * nz;
  let length = Math.hypot(out[0], out[1], out[2]);
  if (length < 1e-3) {
    // Along the normal: any direction across it.
    const axis = Math.abs(nx) < 0.6 ? 0 : 1;
    out[0] = axis === 0 ? 0 : -nz;
    out[1] = axis === 0 ? nz : 0;
    out[2] = axis === 0 ? -ny : nx;
    length = Math.hypot(out[0], out[1], out[2]);
  }
  for (let k = 0; k < 3; k++) out[k] /= length;
}
