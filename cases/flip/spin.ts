/** A ball of flip liquid in free space, spun as a rigid body. */
import type { Vec3 } from '../../src/core/types.ts';
import { sphere } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import { FlipMarch } from './setup.ts';

/** rad/s about z */
export const SPIN = 6;

export function spinBall(transfer: 'flip' | 'apic', resources: Resources): FlipMarch {
  const centre: Vec3 = [0.5, 0.5, 0.5];
  const march = new FlipMarch(
    {
      domain: { min: [0, 0, 0], max: [1, 1, 1] },
      resolution: 0.05,
      liquid: sphere(centre, 0.2),
      gravity: [0, 0, 0],
      options: { transfer, picShare: 0 },
    },
    resources,
  );
  const { position, velocity, affine } = march.state;
  for (let p = 0; p < velocity.length; p += 3) {
    velocity[p] = -SPIN * (position[p + 1] - centre[1]);
    velocity[p + 1] = SPIN * (position[p] - centre[0]);
  }
  for (let c = 0; c < affine.length; c += 9) {
    affine[c + 1] = -SPIN;
    affine[c + 3] = SPIN;
  }
  return march;
}
