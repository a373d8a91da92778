/**
 * Prescribed rigid motions: where a body is and how it moves at any time, and how two of them add up.
 * Implementations: motions.ts (functions of time), motion-keyframes.ts.
 */
import type { Seconds, Vec3 } from '../core/types.ts';
import { add, cross, subtract } from '../math/vectors.ts';

/** World = rotation (row-major 3 x 3) * rest + translation. */
export interface RigidPose {
  readonly rotation: readonly number[];
  readonly translation: Vec3;
}

/** v(x) = linear + angular x x, with x from the world's origin. */
export interface RigidVelocity {
  /** m/s, of the body's point at the world's origin */
  readonly linear: Vec3;
  /** rad/s */
  readonly angular: Vec3;
}

/** A prescribed rigid motion: where a body is and how it moves at any time. */
export interface RigidMotion {
  poseAt(time: Seconds): RigidPose;
  /** The exact derivative of `poseAt`; where that jumps, the one of the time after. */
  velocityAt(time: Seconds): RigidVelocity;
}

/** R v for a row-major R. */
export function rotateVector(r: readonly number[], v: Vec3): Vec3 {
  return [
    r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
    r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
    r[6] * v[0] + r[7] * v[1] + r[8] * v[2],
  ];
}

/** Where the pose puts a point of the rest shape. */
export function movePoint({ rotation, translation }: RigidPose, rest: Vec3): Vec3 {
  return add(rotateVector(rotation, rest), translation);
}

/** Velocity of the body at a point of the world, m/s. */
export function computePointVelocity({ linear, angular }: RigidVelocity, x: Vec3): Vec3 {
  return add(linear, cross(angular, x));
}

/** The pose of a body turned about a pivot of its rest shape and then displaced. */
export function computePoseAbout(rotation: readonly number[], pivot: Vec3, displacement: Vec3): RigidPose {
  const turned = rotateVector(rotation, pivot);
  return { rotation, translation: add(subtract(pivot, turned), displacement) };
}

/** The velocity of such a body: the pivot moves at `speed`, everything else turns about it. */
export function computeVelocityAbout(
  angular: Vec3,
  pivot: Vec3,
  displacement: Vec3,
  speed: Vec3,
): RigidVelocity {
  return { linear: subtract(speed, cross(angular, add(pivot, displacement))), angular };
}

/** First `inner`, in the frame that `outer` carries. */
export function composeMotions(outer: RigidMotion, inner: RigidMotion): RigidMotion {
  return {
    poseAt(time) {
      const a = outer.poseAt(time);
      const b = inner.poseAt(time);
      return { rotation: multiplyMatrices(a.rotation, b.rotation), translation: movePoint(a, b.translation) };
    },
    velocityAt(time) {
      const pose = outer.poseAt(time);
      const a = outer.velocityAt(time);
      const b = inner.velocityAt(time);
      // v = va(x) + R (lb + wb x y) with x = R y + t
      const spin = rotateVector(pose.rotation, b.angular);
      const carried = subtract(rotateVector(pose.rotation, b.linear), cross(spin, pose.translation));
      return { linear: add(a.linear, carried), angular: add(a.angular, spin) };
    },
  };
}

/** a b, both row-major. */
function multiplyMatrices(a: readonly number[], b: readonly number[]): number[] {
  const out = new Array<number>(9);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return out;
}
