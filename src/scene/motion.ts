/** From a solid's `motion` in the scene file to the rigid motion it means. */
import type { Vec3 } from '../core/types.ts';
import { buildKeyframeMotion } from '../geometry/motion-keyframes.ts';
import { buildOscillation, buildRotation, buildTranslation } from '../geometry/motions.ts';
import { composeMotions, type RigidMotion } from '../geometry/rigid-motion.ts';
import type { MotionSpec } from './schema.ts';

const RADIANS_PER_DEGREE = Math.PI / 180;

/** The solid turns about its own pivot first, is displaced then, and keyframes carry all of that. */
export function buildMotion(spec: MotionSpec): RigidMotion {
  const parts: RigidMotion[] = [];
  if (spec.keyframes) {
    const keyframes = spec.keyframes.map(({ time, translate, rotate }) => ({
      time,
      translate: translate as Vec3,
      rotate: rotate && { axis: rotate.axis, angle: rotate.degrees * RADIANS_PER_DEGREE },
    }));
    parts.push(buildKeyframeMotion(keyframes, spec));
  }
  if (spec.oscillate) {
    const { direction, amplitude, frequency, phase } = spec.oscillate;
    const radians = phase * RADIANS_PER_DEGREE;
    parts.push(buildOscillation(direction, amplitude, frequency, radians, spec.oscillate));
  }
  if (spec.translate) parts.push(buildTranslation(spec.translate.velocity, spec.translate));
  if (spec.rotate) {
    const { axis, pivot, revolutionsPerSecond } = spec.rotate;
    parts.push(buildRotation(axis, pivot, revolutionsPerSecond, spec.rotate));
  }
  return parts.reduce((outer, inner) => composeMotions(outer, inner));
}
