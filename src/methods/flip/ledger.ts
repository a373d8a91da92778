/**
 * What a step did to volume and energy, by cause (methods/ledger.ts). Particles hold the volume, and nothing
 * but sources changes it.
 */
import type { StepLedger } from '../ledger.ts';
import type { FlipModel } from './model.ts';
import type { Seeds } from './sources.ts';

export function buildLedger(
  { density, gravity }: FlipModel,
  work: { readonly walls: number; readonly sources: number },
  emitted: Seeds,
  drained: { readonly volume: number; readonly kinetic: number; readonly potential: number },
): StepLedger {
  let volume = 0;
  let kinetic = 0;
  let potential = 0;
  for (let p = 0; p < emitted.volume.length; p++) {
    volume += emitted.volume[p];
    for (let a = 0; a < 3; a++) {
      kinetic += 0.5 * emitted.volume[p] * emitted.velocity[3 * p + a] ** 2;
      potential -= emitted.volume[p] * gravity[a] * emitted.position[3 * p + a];
    }
  }
  return {
    volume: { emitted: volume, drained: -drained.volume },
    energy: {
      walls: work.walls,
      sources: work.sources + density * (kinetic - drained.kinetic),
      sourcePotential: density * (potential - drained.potential),
      rest: 'numerics',
    },
  };
}
