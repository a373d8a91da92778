import { describe, expect, test } from 'vitest';
import { buildBalance, describeBalance, EnergyRises, VolumeKept } from '../../src/run/balance.ts';

/** Volumes frame by frame, and what was meant where it is not 1. */
function followVolume(volumes: readonly number[], meant = volumes.map(() => 1), growth = 0) {
  const kept = new VolumeKept();
  volumes.forEach((volume, frame) => {
    kept.judge(volume, meant[frame], growth, frame);
  });
  return buildBalance({ volume: { ...kept, now: volumes.at(-1)!, meant: meant.at(-1)! } });
}

describe('volume', () => {
  test('up to one per cent is kept; beyond, the first frame is named though it comes back', () => {
    const fine = followVolume([1, 0.991, 1.009]);
    expect(fine.within).toBe(true);
    expect(describeBalance(fine)).toEqual([{ text: 'volume kept 100.9 %', bad: false }]);
    const lossy = followVolume([1, 0.98, 1.3, 1]);
    expect(lossy.within).toBe(false);
    expect(lossy.volume).toMatchObject({ kept: 1, beyondFrom: 1, worst: { kept: 1.3, frame: 2 } });
    expect(describeBalance(lossy)[0]).toEqual({
      text: 'volume kept 100 % of what should be there: off by more than 1 % from frame 1 on, at worst 130 % in frame 2',
      bad: true,
    });
  });

  test('what is drained by design is no loss, nor is the last drop of it', () => {
    const drained = followVolume([1, 0.5, 0.0101, 0], [1, 0.5, 0.01, 0]);
    expect(drained.within).toBe(true);
    expect(describeBalance(drained)).toEqual([
      { text: 'volume kept 100 %', bad: false },
      { text: 'nothing is left from frame 3 on, as the scene asks', bad: false },
    ]);
  });

  test('liquid that is gone is said to be', () => {
    const gone = followVolume([1, 0.4, 0, 0]);
    const lines = describeBalance(gone);
    expect(lines.every(({ bad }) => bad)).toBe(true);
    expect(lines[1].text).toBe('nothing is left from frame 2 on, though it should be there');
  });

  test('where flows change volumes, errors are measured against the most there was', () => {
    const [volumes, meant] = [
      [1, 10.05, 0.15],
      [1, 10, 0.1],
    ];
    expect(followVolume(volumes, meant, -9.9).within).toBe(true);
    expect(followVolume(volumes, meant).within).toBe(false);
  });
});

describe('energy', () => {
  /** Energy that nothing accounts for, as a function of time, in steps of 0.01 s. */
  function followEnergy(change: (time: number) => number, seconds: number) {
    const rises = new EnergyRises();
    rises.given = 100;
    const steps = Math.round(seconds / 0.01);
    for (let n = 1; n <= steps; n++) {
      const time = n * 0.01;
      rises.judge(change(time), { frame: Math.ceil(time * 30 - 1e-9), time, dt: 0.01 });
    }
    return buildBalance({ energy: { ...rises.upToNow(), change: change(seconds) } });
  }

  test('falls are free, and so is a jolt that is over within a tenth of a second', () => {
    const falling = followEnergy((t) => -20 * t, 1);
    expect(falling.within).toBe(true);
    expect(falling.energy!.rise).toBe(0);
    expect(describeBalance(falling)[0].text).toBe('energy within 0 %, 20 % dissipated');
    const jolt = followEnergy((t) => (Math.abs(t - 0.5) < 0.015 ? 1 : 0), 1);
    expect(jolt.within).toBe(true);
    expect(jolt.energy!.rise).toBeGreaterThan(0);
  });

  test('a slow rise passes the bound of the sum, a fast one that of a tenth of a second', () => {
    const slow = followEnergy((t) => 2 * t, 2);
    // 0.2 in each tenth: 2 % of 100 J are reached after a second, in frame 30 or 33.
    expect(slow.within).toBe(false);
    expect(slow.energy!.largestRise).toBeLessThan(0.005);
    expect(slow.energy!.beyondFrom).toBeGreaterThanOrEqual(30);
    expect(slow.energy!.beyondFrom).toBeLessThanOrEqual(36);
    const fast = followEnergy((t) => (t > 0.6 ? 0.8 : 0), 1);
    expect(fast.energy).toMatchObject({ beyondFrom: 21, largestRise: expect.closeTo(0.008, 6) });
    expect(describeBalance(fast)[0].bad).toBe(true);
  });

  test('a run shorter than the window is judged as well', () => {
    expect(followEnergy(() => 3, 0.04).within).toBe(false);
  });

  test('work that cannot be measured is named and not judged', () => {
    const rises = Object.assign(new EnergyRises(), { given: 10 });
    const balance = buildBalance({ energy: { ...rises, change: 0, work: 5 } });
    expect(balance.within).toBe(true);
    expect(describeBalance(balance)[0].text).toBe(
      'energy within 0 % (and work from outside, 50 %, unmeasured)',
    );
  });
});
