/**
 * Rigid motions as functions of time: turning at a rate, moving at a velocity, swinging to and fro. Each
 * holds still before its start and after its end; the pose is continuous always, and the velocity too where a
 * ramp is given. Velocities are the exact derivatives.
 */
import { InputError } from '../core/errors.ts';
import type { Box, Metres, MetresPerSecond, Seconds, Vec3 } from '../core/types.ts';
import {
  computePointVelocity,
  computePoseAbout,
  computeVelocityAbout,
  movePoint,
  type RigidMotion,
} from './rigid-motion.ts';
import { checkFinite, checkPoint, computeUnit } from './shapes/check.ts';
import { computeRotation } from './shapes/transform.ts';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const ORIGIN: Vec3 = [0, 0, 0];

/** When a motion acts. */
export interface TimeSpan {
  /** Default: 0. */
  readonly start?: Seconds | undefined;
  /** Default: never. */
  readonly end?: Seconds | undefined;
}

/** A span whose rate rises linearly during `ramp` after the start and falls during `ramp` before the end. */
export interface RampedSpan extends TimeSpan {
  readonly ramp?: Seconds | undefined;
}

/** Turns about an axis through a point of the rest shape, counter-clockwise seen from the axis' tip. */
export function buildRotation(
  axis: Vec3,
  pivot: Vec3,
  revolutionsPerSecond: number,
  span: RampedSpan = {},
): RigidMotion {
  const unit = computeUnit('rotate', 'axis', axis);
  checkPoint('rotate', 'pivot', pivot);
  checkFinite('rotate', 'revolutionsPerSecond', revolutionsPerSecond);
  const rate = 2 * Math.PI * revolutionsPerSecond;
  const course = buildCourse('rotate', span);
  return {
    poseAt(time) {
      return computePoseAbout(computeRotation(unit, rate * course.lengthAt(time)), pivot, ORIGIN);
    },
    velocityAt(time) {
      return computeVelocityAbout(multiply(unit, rate * course.rateAt(time)), pivot, ORIGIN, ORIGIN);
    },
  };
}

/** Moves along a straight line. */
export function buildTranslation(velocity: Vec3, span: RampedSpan = {}): RigidMotion {
  checkPoint('translate', 'velocity', velocity);
  const course = buildCourse('translate', span);
  return {
    poseAt: (time) => ({ rotation: IDENTITY, translation: multiply(velocity, course.lengthAt(time)) }),
    velocityAt: (time) => ({ linear: multiply(velocity, course.rateAt(time)), angular: ORIGIN }),
  };
}

/**
 * Displaced by amplitude sin(2 pi frequency (t - start) + phase) along a direction; phase in radians. Before
 * the start it stands where the phase puts it, so that a phase of a quarter turn sets out from rest.
 */
export function buildOscillation(
  direction: Vec3,
  amplitude: Metres,
  frequency: number,
  phase = 0,
  span: TimeSpan = {},
): RigidMotion {
  const unit = computeUnit('oscillate', 'direction', direction);
  checkFinite('oscillate', 'amplitude', amplitude);
  checkFinite('oscillate', 'frequency', frequency);
  checkFinite('oscillate', 'phase', phase);
  const course = buildCourse('oscillate', { start: span.start, end: span.end });
  const rate = 2 * Math.PI * frequency;
  const angleAt = (time: Seconds) => rate * course.lengthAt(time) + phase;
  return {
    poseAt: (time) => ({
      rotation: IDENTITY,
      translation: multiply(unit, amplitude * Math.sin(angleAt(time))),
    }),
    velocityAt: (time) => ({
      linear: multiply(unit, amplitude * rate * course.rateAt(time) * Math.cos(angleAt(time))),
      angular: ORIGIN,
    }),
  };
}

/** How long a motion has acted at full rate by time t, in seconds, and the derivative of that: 0 to 1. */
interface Course {
  lengthAt(time: Seconds): Seconds;
  rateAt(time: Seconds): number;
}

function buildCourse(where: string, { start = 0, end = Infinity, ramp = 0 }: RampedSpan): Course {
  if (!(Number.isFinite(start) && end > start)) {
    throw new InputError(where, `it acts from ${start} s to ${end} s`, 'give an end after the start');
  }
  if (!(Number.isFinite(ramp) && ramp >= 0 && 2 * ramp <= end - start)) {
    const most = (end - start) / 2;
    throw new InputError(where, `ramp is ${ramp} s`, `give a time from 0 to half the span: ${most} s`);
  }
  return {
    lengthAt(time) {
      const since = time - start;
      const left = end - time;
      if (since <= 0) return 0;
      if (left <= 0) return end - start - ramp;
      if (since < ramp) return (0.5 * since * since) / ramp;
      if (left < ramp) return end - start - ramp - (0.5 * left * left) / ramp;
      return since - 0.5 * ramp;
    },
    rateAt(time) {
      const since = time - start;
      const left = end - time;
      if (since < 0 || left <= 0) return 0;
      if (since < ramp) return since / ramp;
      return left < ramp ? left / ramp : 1;
    },
  };
}

/** Where a sampled motion takes a body and how fast: found at `samples` + 1 times from 0 to `duration`. */
export interface MotionExtent {
  /** Greatest speed of any point of the rest box, m/s. */
  readonly topSpeed: MetresPerSecond;
  /**
   * Whether the body's box meets the given one at any time, as far as the samples tell; never wrongly "no".
   */
  readonly meets: boolean;
}

/**
 * `rest` holds the body at rest and must be finite. Speeds are greatest at corners, since |v| is convex in x.
 */
export function measureMotion(
  motion: RigidMotion,
  rest: Box,
  duration: Seconds,
  samples: number,
  target: Box,
): MotionExtent {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (n): Vec3 => [
      (n & 1 ? rest.max : rest.min)[0],
      (n & 2 ? rest.max : rest.min)[1],
      (n & 4 ? rest.max : rest.min)[2],
    ],
  );
  const boxes: { min: number[]; max: number[] }[] = [];
  let topSpeed = 0;
  for (let n = 0; n <= samples; n++) {
    const time = (duration * n) / samples;
    const pose = motion.poseAt(time);
    const velocity = motion.velocityAt(time);
    const moved = corners.map((c) => movePoint(pose, c));
    for (const x of moved) topSpeed = Math.max(topSpeed, Math.hypot(...computePointVelocity(velocity, x)));
    boxes.push({
      min: [0, 1, 2].map((a) => Math.min(...moved.map((x) => x[a]))),
      max: [0, 1, 2].map((a) => Math.max(...moved.map((x) => x[a]))),
    });
  }
  // Between two samples nothing gets further than this.
  const reach = (topSpeed * duration) / samples;
  const meets = boxes.some((b) =>
    [0, 1, 2].every((a) => b.min[a] - reach < target.max[a] && b.max[a] + reach > target.min[a]),
  );
  return { topSpeed, meets };
}

const multiply = (v: Vec3, s: number): Vec3 => [v[0] * s, v[1] * s, v[2] * s];
