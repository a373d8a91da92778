import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../../src/core/types.ts';
import { buildKeyframeMotion, type Keyframe } from '../../src/geometry/motion-keyframes.ts';
import {
  buildOscillation,
  buildRotation,
  buildTranslation,
  measureMotion,
} from '../../src/geometry/motions.ts';
import {
  composeMotions,
  computePointVelocity,
  movePoint,
  type RigidMotion,
} from '../../src/geometry/rigid-motion.ts';
import { box, moveToPose } from '../../src/geometry/shapes.ts';
import { computeDistance } from '../../src/math/vectors.ts';

const runs = { seed: 7, numRuns: 200 };
// fc.double prefers tiny numbers, of which none makes a motion.
const number = (min: number, max: number) =>
  fc.integer({ min: 0, max: 1e6 }).map((n) => min + (n / 1e6) * (max - min));
const vector = fc.tuple(number(-2, 2), number(-2, 2), number(-2, 2)) as fc.Arbitrary<Vec3>;
const axis = vector.filter((v) => Math.hypot(...v) > 0.1);
const span = fc.record({ start: number(0, 1), length: number(1, 3), part: number(0, 0.45) }).map((s) => ({
  start: s.start,
  end: s.start + s.length,
  ramp: s.part * s.length,
}));

const rotation = fc.tuple(axis, vector, number(-3, 3), span).map((a) => buildRotation(...a));
const translation = fc.tuple(vector, span).map((a) => buildTranslation(...a));
const oscillation = fc
  .tuple(axis, number(0.1, 1), number(0.1, 3), number(-3, 3), span)
  .map((a) => buildOscillation(...a));

const keyframes = (axes: fc.Arbitrary<Vec3>) =>
  fc
    .array(fc.record({ gap: number(0.2, 1), translate: vector, axis: axes, angle: number(-9, 9) }), {
      minLength: 2,
      maxLength: 5,
    })
    .map((list) => {
      let time = 0;
      return list.map(({ gap, translate, axis, angle }): Keyframe => {
        time += gap;
        return { time, translate, rotate: { axis, angle } };
      });
    });
const keyed = fc
  .tuple(fc.oneof(keyframes(axis), keyframes(fc.constant([1, 2, -0.5]))), vector, fc.boolean())
  .map(([list, pivot, smooth]) =>
    buildKeyframeMotion(list, { pivot, interpolation: smooth ? 'smooth' : 'linear' }),
  );
const anyMotion = fc.oneof(rotation, translation, oscillation, keyed);
const combined = fc.tuple(anyMotion, anyMotion).map(([a, b]) => composeMotions(a, b));

describe('velocityAt is the derivative of poseAt', () => {
  test.each([
    ['rotation', rotation],
    ['translation', translation],
    ['oscillation', oscillation],
    ['keyframes', keyed],
    ['one carried by another', combined],
  ] as [string, fc.Arbitrary<RigidMotion>][])('%s', (_, motions) => {
    let moved = 0;
    fc.assert(
      fc.property(motions, number(0, 3.5), vector, (motion, time, rest) => {
        const h = 1e-5;
        const before = movePoint(motion.poseAt(time - h), rest);
        const after = movePoint(motion.poseAt(time + h), rest);
        const velocity = computePointVelocity(motion.velocityAt(time), movePoint(motion.poseAt(time), rest));
        // The quotient is an average of velocities in between; across a kink (a start without ramp) it tells
        // nothing.
        const early = computePointVelocity(motion.velocityAt(time - h), before);
        const late = computePointVelocity(motion.velocityAt(time + h), after);
        if (computeDistance(early, late) > 0.02) return;
        const speed = Math.hypot(...velocity);
        if (speed > 0.1) moved++;
        const quotient = after.map((x, a) => (x - before[a]) / (2 * h)) as unknown as Vec3;
        expect(computeDistance(quotient, velocity)).toBeLessThan(
          1e-6 * (1 + speed) + computeDistance(early, late),
        );
      }),
      runs,
    );
    expect(moved).toBeGreaterThan(40);
  });
});

describe('keyframes', () => {
  const list: Keyframe[] = [
    { time: 1, translate: [0, 0, 0] },
    { time: 2, translate: [1, 0, 2], rotate: { axis: [0, 0, 1], angle: 4 * Math.PI } },
    { time: 4, translate: [3, 0, 1], rotate: { axis: [0, 0, -2], angle: -5 * Math.PI } },
  ];

  test('are met, with rest before and after', () => {
    const motion = buildKeyframeMotion(list, { pivot: [1, 0, 0] });
    expectClose(movePoint(motion.poseAt(-3), [2, 0, 0]), [2, 0, 0]);
    expectClose(movePoint(motion.poseAt(2), [2, 0, 0]), [3, 0, 2]);
    // Two and a half turns: the point across the pivot.
    expectClose(movePoint(motion.poseAt(9), [2, 0, 0]), [3, 0, 1]);
    for (const time of [0.9, 1, 4, 8]) expect(motion.velocityAt(time)).toEqual(atRest());
  });

  test('smooth ones have a continuous velocity and do not overshoot', () => {
    const motion = buildKeyframeMotion(list);
    for (const { time } of list) {
      const before = motion.velocityAt(time - 1e-9);
      const after = motion.velocityAt(time + 1e-9);
      expect(computeDistance(after.linear, before.linear)).toBeLessThan(1e-6);
      expect(computeDistance(after.angular, before.angular)).toBeLessThan(1e-6);
    }
    for (let time = 0; time <= 5; time += 0.003) {
      const { translation } = motion.poseAt(time);
      expect(translation[2]).toBeLessThanOrEqual(2 + 1e-12);
      expect(translation[0]).toBeLessThanOrEqual(3 + 1e-12);
    }
    // The x displacement keeps going at the middle keyframe, z turns back there.
    expect(motion.velocityAt(2).linear[0]).toBeGreaterThan(0.9);
    expect(motion.velocityAt(2).linear[2]).toBe(0);
  });

  test('linear ones go at constant velocity, about one axis past a full turn', () => {
    const motion = buildKeyframeMotion(list, { interpolation: 'linear' });
    expect(motion.velocityAt(1.3).angular[2]).toBeCloseTo(4 * Math.PI, 10);
    expect(motion.velocityAt(3).angular[2]).toBeCloseTo(Math.PI / 2, 10);
    expectClose(motion.poseAt(3).translation, [2, 0, 1.5]);
  });

  test('repeated ones return, with the same velocity every time round', () => {
    const circle: Keyframe[] = [0, 1, 2, 3, 4].map((n) => ({
      time: 0.5 + n,
      translate: [[0, 1, 0, -1, 0][n], [1, 0, -1, 0, 1][n], 0],
      rotate: { axis: [0, 0, 1], angle: (n * Math.PI) / 2 },
    }));
    const motion = buildKeyframeMotion(circle, { repeat: true });
    for (const time of [0, 0.5, 1.7, 4.4999]) {
      expectClose(motion.poseAt(time + 8).translation, motion.poseAt(time).translation);
      expectClose(motion.velocityAt(time + 8).angular, motion.velocityAt(time).angular);
    }
    expect(motion.velocityAt(0.5).angular[2]).toBeCloseTo(Math.PI / 2, 10);
    expect(motion.velocityAt(4.5 - 1e-9).linear[0]).toBeCloseTo(motion.velocityAt(4.5).linear[0], 6);
    expect(() => buildKeyframeMotion(list, { repeat: true })).toThrow(/end with the pose of the first/);
  });

  test('about several axes turn the shortest way', () => {
    const quarter = Math.PI / 2;
    const motion = buildKeyframeMotion([
      { time: 0, rotate: { axis: [0, 0, 1], angle: quarter } },
      { time: 2, rotate: { axis: [1, 0, 0], angle: quarter } },
    ]);
    expectClose(movePoint(motion.poseAt(0), [1, 0, 0]), [0, 1, 0]);
    expectClose(movePoint(motion.poseAt(2), [0, 1, 0]), [0, 0, 1]);
    // From one to the other: a third of a turn about (1, -1, -1), at its fastest half way.
    const { angular } = motion.velocityAt(1);
    expect(Math.hypot(...angular)).toBeCloseTo((1.5 / 2) * ((2 * Math.PI) / 3), 9);
    expect(motion.velocityAt(0).angular.map(Math.abs)).toEqual([0, 0, 0]);
  });

  test.each([
    [[{ time: 0 }], /there are 1; give at least two/],
    [[{ time: 0 }, { time: 0 }], /time 0 s follows time 0 s/],
    [[{ time: 0 }, { time: NaN }], /time is NaN/],
    [[{ time: 0 }, { time: 1, translate: [0, Infinity, 0] }], /translate is Infinity/],
  ] as [Keyframe[], RegExp][])('bad ones are refused %#', (bad, message) => {
    expect(() => buildKeyframeMotion(bad)).toThrow(message);
  });
});

describe('functions of time', () => {
  test('a ramped rotation turns as far as its rate says', () => {
    const motion = buildRotation([0, 0, 2], [1, 0, 0], 0.5, { start: 1, end: 4, ramp: 1 });
    // 3 s less one ramp at half a turn per second: one turn; half way it has done half.
    expectClose(movePoint(motion.poseAt(5), [2, 0, 0]), [2, 0, 0]);
    expectClose(movePoint(motion.poseAt(2.5), [2, 0, 0]), [0, 0, 0]);
    expectClose(motion.velocityAt(2.5).angular, [0, 0, Math.PI]);
    expectClose(motion.velocityAt(1.5).angular, [0, 0, Math.PI / 2]);
    expectClose(computePointVelocity(motion.velocityAt(2.5), [1, 0, 0]), [0, 0, 0]);
    expect(() => buildRotation([0, 0, 1], [0, 0, 0], 1, { end: 1, ramp: 0.6 })).toThrow(
      /half the span: 0.5 s/,
    );
  });

  test('an oscillation starts where its phase puts it', () => {
    const motion = buildOscillation([0, 0, 3], 0.2, 2, Math.PI / 2, { start: 1 });
    expectClose(motion.poseAt(0).translation, [0, 0, 0.2]);
    expectClose(motion.poseAt(1.25).translation, [0, 0, -0.2]);
    expect(Math.abs(motion.velocityAt(1).linear[2])).toBeLessThan(1e-12);
    expect(motion.velocityAt(1.125).linear[2]).toBeCloseTo(-0.2 * 4 * Math.PI, 10);
  });

  test('a paddle that turns while it is lowered turns about its lowered pivot', () => {
    const spin = buildRotation([0, 0, 1], [1, 1, 0], 1);
    const motion = composeMotions(buildTranslation([0, 0, -1]), spin);
    expectClose(movePoint(motion.poseAt(0.25), [2, 1, 0]), [1, 2, -0.25]);
    expectClose(computePointVelocity(motion.velocityAt(0.25), [1, 1, 5]), [0, 0, -1]);
  });
});

test('measureMotion finds the top speed and whether a target is met', () => {
  const rest = { min: [0.9, -0.1, 0], max: [1, 0.1, 1] } as const;
  const spin = buildRotation([0, 0, 1], [0, 0, 0], 1);
  const near = measureMotion(spin, rest, 2, 100, { min: [-2, -0.1, 0], max: [-0.95, 0.1, 1] });
  expect(near.topSpeed).toBeCloseTo(2 * Math.PI * Math.hypot(1, 0.1), 10);
  expect(near.meets).toBe(true);
  expect(measureMotion(spin, rest, 2, 100, { min: [-2, -2, 1.5], max: [2, 2, 2] }).meets).toBe(false);
});

test('moveToPose carries a shape as movePoint carries its points', () => {
  const shape = box([0, 0, 0], [1, 2, 3]);
  const pose = buildRotation([1, 1, 0], [0.3, 0, 0], 0.17).poseAt(1.3);
  const moved = moveToPose(shape, pose);
  fc.assert(
    fc.property(vector, (rest) => {
      const x = movePoint(pose, rest);
      expect(moved.value(...x)).toBeCloseTo(shape.value(...rest), 10);
      if (shape.value(...rest) > 0) {
        for (let a = 0; a < 3; a++) {
          expect(x[a]).toBeGreaterThanOrEqual(moved.bounds.min[a]);
          expect(x[a]).toBeLessThanOrEqual(moved.bounds.max[a]);
        }
      }
    }),
    runs,
  );
});

const atRest = () => ({
  linear: [expect.closeTo(0, 12), expect.closeTo(0, 12), expect.closeTo(0, 12)],
  angular: [expect.closeTo(0, 12), expect.closeTo(0, 12), expect.closeTo(0, 12)],
});
function expectClose(a: Vec3, b: Vec3): void {
  expect(computeDistance(a, b), `${a} against ${b}`).toBeLessThan(1e-9);
}
