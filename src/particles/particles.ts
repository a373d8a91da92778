/**
 * Particles of liquid on the heap ([ando-2013] 3). A particle stands for a volume v of liquid; its radius is
 * half the edge of the cube of that volume, v = (2 r)^3, so that a cell of edge 4 r holds eight. Volumes are
 * what is stored: they are conserved exactly.
 */
import type { HeapScope } from '../core/heap.ts';
import { allocateViews, defineRecord, type ValuesOf } from '../core/records.ts';
import type { Metres } from '../core/types.ts';

export const particlesRecord = defineRecord('particles', {
  position: { type: 'f64', per: 'particle', stride: 3, unit: 'm', meaning: 'centre' },
  velocity: { type: 'f64', per: 'particle', stride: 3, unit: 'm/s', meaning: 'of the liquid it stands for' },
  volume: { type: 'f64', per: 'particle', unit: 'm^3', meaning: 'of that liquid' },
});

export type Particles = ValuesOf<typeof particlesRecord>;

export const countParticles = ({ volume }: Particles): number => volume.length;

export function buildParticles(count: number, scope: HeapScope): Particles {
  return allocateViews(particlesRecord, scope, { particle: count });
}

export const radiusOfVolume = (volume: number): Metres => 0.5 * Math.cbrt(volume);

export const volumeOfRadius = (radius: Metres): number => 8 * radius ** 3;

/** Volume, momentum over density, and moment of position: what splitting and merging keep. */
export function measureSums({ position, velocity, volume }: Particles) {
  const sums = { volume: 0, momentum: [0, 0, 0], moment: [0, 0, 0] };
  for (let p = 0; p < volume.length; p++) {
    sums.volume += volume[p];
    for (let k = 0; k < 3; k++) {
      sums.momentum[k] += volume[p] * velocity[3 * p + k];
      sums.moment[k] += volume[p] * position[3 * p + k];
    }
  }
  return sums;
}
