/**
 * Rigid motion through keyframes: at given times the body is turned about a pivot of its rest shape and
 * displaced.
 *
 * Displacements are interpolated per component, and so is the angle where all keyframes turn about one axis
 * (so that it may pass 360 degrees). `smooth` is the monotone piecewise cubic of Fritsch and Butland (SIAM J.
 * Sci. Stat. Comput. 5, 1984): continuous velocity, no overshoot, at rest where a component turns back and at
 * both ends. Where the axes differ, each stretch turns about one fixed axis the shortest way (slerp);
 * `smooth` then eases in and out of every keyframe. Velocities are the exact derivatives.
 */
import { InputError } from '../core/errors.ts';
import type { Seconds, Vec3 } from '../core/types.ts';
import { dot, multiply } from '../math/vectors.ts';
import { computePoseAbout, computeVelocityAbout, type RigidMotion } from './rigid-motion.ts';
import { checkFinite, checkPoint, computeUnit } from './shapes/check.ts';
import { computeRotation } from './shapes/transform.ts';

export interface Keyframe {
  readonly time: Seconds;
  /** m, from the rest pose; default none */
  readonly translate?: Vec3 | undefined;
  /** About an axis through the pivot, radians; default none */
  readonly rotate?: { readonly axis: Vec3; readonly angle: number } | undefined;
}

export interface KeyframeOptions {
  /** The point of the rest shape it turns about; default the origin. */
  readonly pivot?: Vec3 | undefined;
  readonly interpolation?: 'smooth' | 'linear' | undefined;
  /** Run through again and again, before the first keyframe and after the last; else it holds still there. */
  readonly repeat?: boolean | undefined;
}

/**
 * Axes that differ by less than this are one axis; also how far the ends of a repeated motion may be apart.
 */
const SAME = 1e-9;

export function buildKeyframeMotion(
  keyframes: readonly Keyframe[],
  options: KeyframeOptions = {},
): RigidMotion {
  const { pivot = [0, 0, 0], interpolation = 'smooth', repeat = false } = options;
  checkPoint('keyframes', 'pivot', pivot);
  const time = readTimes(keyframes);
  const smooth = interpolation === 'smooth';
  const clock = buildClock(time, repeat);
  const displacement = [0, 1, 2].map((a) => {
    const value = keyframes.map((k) => k.translate?.[a] ?? 0);
    for (const x of value) checkFinite('keyframes', 'translate', x);
    return buildChannel(time, value, smooth, repeat);
  });
  const turning = buildTurning(keyframes, time, smooth, repeat);
  if (repeat) checkReturn(keyframes, turning);
  const sampleDisplacement = (at: Moment, order: 0 | 1): Vec3 => [
    displacement[0](at, order),
    displacement[1](at, order),
    displacement[2](at, order),
  ];
  return {
    poseAt(t) {
      const at = clock(t);
      return computePoseAbout(turning.rotationAt(at), pivot, sampleDisplacement(at, 0));
    },
    velocityAt(t) {
      const at = clock(t);
      const speed = sampleDisplacement(at, 1);
      return computeVelocityAbout(turning.angularAt(at), pivot, sampleDisplacement(at, 0), speed);
    },
  };
}

function readTimes(keyframes: readonly Keyframe[]): number[] {
  if (keyframes.length < 2) {
    throw new InputError('keyframes', `there are ${keyframes.length}`, 'give at least two');
  }
  const time = keyframes.map((k) => k.time);
  for (let i = 0; i < time.length; i++) {
    checkFinite('keyframes', 'time', time[i]);
    if (i > 0 && !(time[i] > time[i - 1])) {
      const what = `time ${time[i]} s follows time ${time[i - 1]} s`;
      throw new InputError('keyframes', what, 'give them in the order of their times');
    }
  }
  return time;
}

/**
 * A stretch between two keyframes and where in it: u from 0 to 1, and du/dt (0 where the motion holds still).
 */
interface Moment {
  readonly stretch: number;
  readonly u: number;
  readonly rate: number;
}

function buildClock(time: readonly number[], repeat: boolean): (t: Seconds) => Moment {
  const last = time.length - 1;
  const period = time[last] - time[0];
  return (t) => {
    let local = t;
    if (repeat) local = t - Math.floor((t - time[0]) / period) * period;
    // Rounding may leave a repeated time a hair outside its period.
    if (repeat) local = Math.min(Math.max(local, time[0]), time[last]);
    else if (local < time[0]) return { stretch: 0, u: 0, rate: 0 };
    else if (local >= time[last]) return { stretch: last - 1, u: 1, rate: 0 };
    let stretch = 0;
    while (stretch < last - 1 && local >= time[stretch + 1]) stretch++;
    const length = time[stretch + 1] - time[stretch];
    return { stretch, u: (local - time[stretch]) / length, rate: 1 / length };
  };
}

/** A number through the keyframes: its value (order 0) or time derivative (order 1). */
type Channel = (at: Moment, order: 0 | 1) => number;

function buildChannel(
  time: readonly number[],
  value: readonly number[],
  smooth: boolean,
  repeat: boolean,
): Channel {
  const slope = smooth ? computeSlopes(time, value, repeat) : undefined;
  return ({ stretch: i, u, rate }, order) => {
    const rise = value[i + 1] - value[i];
    if (!slope) return order === 0 ? value[i] + u * rise : rate * rise;
    const length = time[i + 1] - time[i];
    const a = length * slope[i];
    const b = length * slope[i + 1];
    // Cubic with given values and slopes at both ends, as value[i] + a u + p u^2 + q u^3.
    const p = 3 * rise - 2 * a - b;
    const q = a + b - 2 * rise;
    return order === 0 ? value[i] + u * (a + u * (p + u * q)) : rate * (a + u * (2 * p + u * 3 * q));
  };
}

/**
 * Fritsch and Butland's slopes: the weighted harmonic mean of the two neighbouring secants, 0 where they
 * disagree.
 */
function computeSlopes(time: readonly number[], value: readonly number[], repeat: boolean): number[] {
  const last = time.length - 1;
  const step = (i: number) => time[i + 1] - time[i];
  const secant = (i: number) => (value[i + 1] - value[i]) / step(i);
  const mean = (left: number, right: number) => {
    const a = secant(left);
    const b = secant(right);
    if (a * b <= 0) return 0;
    const wa = 2 * step(right) + step(left);
    const wb = step(right) + 2 * step(left);
    return (wa + wb) / (wa / a + wb / b);
  };
  const end = repeat ? mean(last - 1, 0) : 0;
  return time.map((_, i) => (i === 0 || i === last ? end : mean(i - 1, i)));
}

interface Turning {
  rotationAt(at: Moment): readonly number[];
  angularAt(at: Moment): Vec3;
  /** Whether the last keyframe faces the way the first does. */
  readonly returns: boolean;
}

function buildTurning(
  keyframes: readonly Keyframe[],
  time: readonly number[],
  smooth: boolean,
  repeat: boolean,
): Turning {
  for (const k of keyframes) if (k.rotate) checkFinite('keyframes', 'angle', k.rotate.angle);
  const axis = findCommonAxis(keyframes);
  if (axis === undefined) return buildSlerp(keyframes, smooth);
  const angle = keyframes.map(({ rotate }) =>
    rotate ? rotate.angle * Math.sign(dot(computeUnit('keyframes', 'axis', rotate.axis), axis)) : 0,
  );
  const channel = buildChannel(time, angle, smooth, repeat);
  const turns = (angle[angle.length - 1] - angle[0]) / (2 * Math.PI);
  return {
    rotationAt: (at) => computeRotation(axis, channel(at, 0)),
    angularAt: (at) => multiply(axis, channel(at, 1)),
    returns: Math.abs(turns - Math.round(turns)) < SAME,
  };
}

/** The axis of every keyframe that turns at all, up to its sign; undefined where they have several. */
function findCommonAxis(keyframes: readonly Keyframe[]): Vec3 | undefined {
  let axis: Vec3 | undefined;
  for (const { rotate } of keyframes) {
    if (!rotate || rotate.angle === 0) continue;
    const unit = computeUnit('keyframes', 'axis', rotate.axis);
    axis ??= unit;
    if (Math.abs(Math.abs(dot(axis, unit)) - 1) > SAME) return undefined;
  }
  return axis ?? [0, 0, 1];
}

type Quaternion = readonly [w: number, x: number, y: number, z: number];

/** Turns stretch by stretch about the axis that leads from one keyframe's orientation to the next. */
function buildSlerp(keyframes: readonly Keyframe[], smooth: boolean): Turning {
  const facing = keyframes.map(({ rotate }): Quaternion => {
    if (!rotate) return [1, 0, 0, 0];
    const [x, y, z] = computeUnit('keyframes', 'axis', rotate.axis);
    const s = Math.sin(rotate.angle / 2);
    return [Math.cos(rotate.angle / 2), s * x, s * y, s * z];
  });
  const arcs = facing.slice(1).map((to, i) => computeArc(facing[i], to));
  const ease = (u: number) => (smooth ? u * u * (3 - 2 * u) : u);
  const easeRate = (u: number) => (smooth ? 6 * u * (1 - u) : 1);
  return {
    rotationAt({ stretch, u }) {
      const { axis, angle } = arcs[stretch];
      const s = Math.sin((angle * ease(u)) / 2);
      const turn: Quaternion = [Math.cos((angle * ease(u)) / 2), s * axis[0], s * axis[1], s * axis[2]];
      return toMatrix(multiplyQuaternions(turn, facing[stretch]));
    },
    angularAt({ stretch, u, rate }) {
      const { axis, angle } = arcs[stretch];
      return multiply(axis, angle * easeRate(u) * rate);
    },
    returns: computeArc(facing[0], facing[facing.length - 1]).angle < SAME,
  };
}

/** The shortest turn from one orientation to another. */
function computeArc(from: Quaternion, to: Quaternion): { axis: Vec3; angle: number } {
  const [w, x, y, z] = multiplyQuaternions(to, [from[0], -from[1], -from[2], -from[3]]);
  const sign = w < 0 ? -1 : 1;
  const sine = Math.hypot(x, y, z);
  if (sine === 0) return { axis: [0, 0, 1], angle: 0 };
  return {
    axis: [(sign * x) / sine, (sign * y) / sine, (sign * z) / sine],
    angle: 2 * Math.atan2(sine, sign * w),
  };
}

function checkReturn(keyframes: readonly Keyframe[], turning: Turning): void {
  const first = keyframes[0].translate ?? [0, 0, 0];
  const last = keyframes[keyframes.length - 1].translate ?? [0, 0, 0];
  const size = Math.max(...keyframes.map((k) => Math.hypot(...(k.translate ?? [0, 0, 0]))));
  const gap = Math.hypot(last[0] - first[0], last[1] - first[1], last[2] - first[2]);
  if (gap > SAME * size || !turning.returns) {
    const what =
      'the last one leaves the solid elsewhere than the first, so repeating them would make it jump';
    throw new InputError(
      'keyframes',
      what,
      'end with the pose of the first keyframe, or set repeat to false',
    );
  }
}

function multiplyQuaternions(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

function toMatrix([w, x, y, z]: Quaternion): number[] {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}
