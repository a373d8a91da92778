/** Nozzles: the regions of emitters that are open, where they are at a time. */
import type { Seconds, Vec3 } from '../../core/types.ts';
import type { Implicit } from '../../geometry/implicit.ts';
import { computePointVelocity, rotateVector } from '../../geometry/rigid-motion.ts';
import { moveToPose } from '../../geometry/shapes.ts';
import type { Emitter } from '../../scene/scene.ts';
import type { LiquidModel } from '../liquid/model.ts';

export interface Nozzle {
  readonly shape: Implicit;
  /** Unit vector along which the liquid leaves. */
  readonly direction: Vec3;
  /** m/s, of the nozzle itself at a point */
  carryAt(x: number, y: number, z: number): Vec3;
}

const AT_REST: Vec3 = [0, 0, 0];

/** Where an emitter's region is at a time, and how it moves. */
export function poseNozzle({ shape, direction, motion }: Emitter, time: Seconds): Nozzle {
  if (!motion) return { shape, direction, carryAt: () => AT_REST };
  const pose = motion.poseAt(time);
  const velocity = motion.velocityAt(time);
  return {
    shape: moveToPose(shape, pose),
    direction: rotateVector(pose.rotation, direction),
    carryAt: (x, y, z) => computePointVelocity(velocity, [x, y, z]),
  };
}

/** The nozzles that are not shut for good at a time, where they are `at` another: their regions are full. */
export function findNozzles({ emitters }: LiquidModel, time: Seconds, at: Seconds = time): Nozzle[] {
  return emitters.filter(({ shutFrom }) => time < shutFrom).map((emitter) => poseNozzle(emitter, at));
}

/** Whether a nozzle that is open moves. */
export const hasMovingNozzle = ({ emitters }: LiquidModel, time: Seconds): boolean =>
  emitters.some(({ shutFrom, motion }) => motion !== undefined && time < shutFrom);

/** Velocity of what stands in an emitter's nozzle, at its mouth, and how high the mouth is, m. */
export function readMouth(emitter: Emitter, section: number, gravity: Vec3, time: Seconds) {
  const { shape, direction, carryAt } = poseNozzle(emitter, time);
  const { min, max } = shape.bounds;
  const speed = emitter.flowAt(time) / section;
  const middle = min.map((low, a) => (low + max[a]) / 2) as unknown as Vec3;
  const carry = carryAt(...middle);
  let length = 0;
  /** m^2/s^2, against gravity */
  let potential = 0;
  for (let a = 0; a < 3; a++) {
    length += Math.abs(direction[a]) * (max[a] - min[a]);
    potential -= gravity[a] * (middle[a] + (direction[a] * (max[a] - min[a])) / 2);
  }
  const velocity = direction.map((d, a) => speed * d + carry[a]) as unknown as Vec3;
  return { direction, carry, velocity, length, potential };
}
