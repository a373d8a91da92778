/** A free ball that spins like a solid, without gravity: for tests and referees of its angular momentum. */
import type { Vec3 } from '../../src/core/types.ts';
import { sphere } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import { FlipMarch } from './setup.ts';

/** 1/s */
export const SPIN = 6;
const CENTRE: Vec3 = [0.5, 0.5, 0.5];

/** 20 cells to a metre, 4 to the radius. */
export function startSpin(transfer: 'flip' | 'apic', resources: Resources): FlipMarch {
  const march = new FlipMarch(
    {
      domain: { min: [0, 0, 0], max: [1, 1, 1] },
      resolution: 0.05,
      liquid: sphere(CENTRE, 0.2),
      gravity: [0, 0, 0],
      options: { transfer, picShare: 0 },
    },
    resources,
  );
  const { position, velocity, affine } = march.state;
  for (let p = 0; p < velocity.length; p += 3) {
    velocity[p] = -SPIN * (position[p + 1] - CENTRE[1]);
    velocity[p + 1] = SPIN * (position[p] - CENTRE[0]);
  }
  for (let c = 0; c < affine.length; c += 9) {
    affine[c + 1] = -SPIN;
    affine[c + 3] = SPIN;
  }
  return march;
}
