/**
 * Droplets (volume/droplets.ts) as the particles of a frame. The surface shows them too, each as an
 * icosahedron of its volume.
 */
import type { ParticleFrame } from '../../mesh/fields.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { LiquidState } from '../liquid/state.ts';
import { DROPLET_SIZE, dropletRadius } from './droplets.ts';

export function buildParticleFrame(
  _: LiquidModel,
  { droplets }: Pick<LiquidState, 'droplets'>,
): ParticleFrame {
  const count = droplets.length / DROPLET_SIZE;
  const position = new Float64Array(3 * count);
  const velocity = new Float32Array(3 * count);
  const radius = new Float32Array(count);
  const volume = new Float32Array(count);
  for (let d = 0; d < count; d++) {
    const at = DROPLET_SIZE * d;
    for (let k = 0; k < 3; k++) {
      position[3 * d + k] = droplets[at + k];
      velocity[3 * d + k] = droplets[at + 3 + k];
    }
    volume[d] = droplets[at + 6];
    radius[d] = dropletRadius(droplets[at + 6]);
  }
  return {
    count,
    position,
    fields: {
      velocity: { components: 3, unit: 'm/s', values: velocity },
      radius: { components: 1, unit: 'm', values: radius },
      volume: { components: 1, unit: 'm^3', values: volume },
    },
  };
}
