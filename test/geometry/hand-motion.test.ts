import { describe, expect, it } from 'vitest';
import { HandMotion } from '../../src/geometry/hand-motion.ts';
import { buildKeyframeMotion } from '../../src/geometry/motion-keyframes.ts';

const at = (motion: HandMotion, time: number) => motion.poseAt(time).translation;

describe('a motion led by hand', () => {
  it('holds still until it is led, and where it arrives', () => {
    const motion = new HandMotion();
    expect(at(motion, 3)).toEqual([0, 0, 0]);
    motion.lead([1, 2, 0], 5, 0.5);
    expect(at(motion, 4)).toEqual([0, 0, 0]);
    expect(at(motion, 5.25)).toEqual([0.5, 1, 0]);
    expect(motion.velocityAt(5.25).linear).toEqual([2, 4, 0]);
    expect(motion.velocityAt(5).linear).toEqual([2, 4, 0]);
    expect(at(motion, 9)).toEqual([1, 2, 0]);
    expect(motion.velocityAt(5.5).linear).toEqual([0, 0, 0]);
  });

  it('changes its mind on the way, and leaves what was as it was', () => {
    const motion = new HandMotion();
    motion.lead([1, 0, 0], 1, 1);
    motion.lead([0.5, 3, 0], 1.5, 1);
    expect(at(motion, 1.25)).toEqual([0.25, 0, 0]);
    expect(at(motion, 1.5)).toEqual([0.5, 0, 0]);
    expect(at(motion, 2)).toEqual([0.5, 1.5, 0]);
    expect(motion.velocityAt(1.4).linear).toEqual([1, 0, 0]);
    expect(motion.velocityAt(1.5).linear).toEqual([0, 3, 0]);
  });

  it('goes no faster and no farther than it may', () => {
    const motion = new HandMotion(0.5, { min: [-1, -1, 0], max: [2, 1, 1] });
    const leg = motion.lead([4, 0, -3], 0, 0.1);
    expect(leg.end).toEqual([2, 0, 0]);
    expect(leg.until).toBe(4);
    expect(Math.hypot(...motion.velocityAt(1).linear)).toBeCloseTo(0.5, 12);
  });

  it('is the same motion as keyframes from its waypoints', () => {
    const motion = new HandMotion(3);
    let time = 0.3;
    for (const [x, y, z] of [
      [1, 0, 0],
      [0, 2, 1],
      [0, 2, 1],
      [-1, 0, 3],
    ] as const) {
      motion.lead([x, y, z], time, 0.2);
      time += 0.35;
    }
    const written = buildKeyframeMotion(motion.waypoints, { interpolation: 'linear' });
    for (let t = 0; t < 4; t += 0.0317) {
      const [a, b] = [motion.poseAt(t).translation, written.poseAt(t).translation];
      for (let i = 0; i < 3; i++) expect(a[i]).toBeCloseTo(b[i], 12);
    }
  });

  it('is the same where its legs are followed elsewhere', () => {
    const [here, there] = [new HandMotion(2), new HandMotion()];
    for (const [n, to] of [
      [0, [1, 1, 0]],
      [1, [0, 0, 2]],
      [2, [3, 0, 0]],
    ] as const)
      there.follow(here.lead(to, 0.1 * n, 0.04));
    expect(there.waypoints).toEqual(here.waypoints);
  });
});
