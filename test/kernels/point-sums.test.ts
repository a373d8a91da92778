/** The direct sums against their twins, bit by bit, on shared and plain memory. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { twins } from '../../src/core/kernel-twins.ts';
import { kernels } from '../../src/core/kernels.ts';
import { createRandom } from '../../src/core/random.ts';

const BLOCKS = 37;
const TARGETS = 9;
const sums = [
  ['sumCharges', 4, 1],
  ['sumChargeGradients', 4, 3],
  ['sumVortices', 6, 3],
  ['sumDipoles', 6, 1],
  ['sumVectorCharges', 6, 3],
] as const;

describe.each([true, false])('point sums, shared memory %s', (shared) => {
  const scope = createHeap({ shared, maximumBytes: 2 ** 22 }).scope('test');
  describe.each(sums)('%s', (name, size, columns) => {
    it.each([0, 1e-3, 2])('equals its twin with softening %d', (softening) => {
      const random = createRandom(3);
      const source = scope.f64(BLOCKS * 2 * size);
      for (let i = 0; i < source.length; i++) source[i] = (random.next() - 0.5) * 10 ** -random.nextInt(3);
      const target = scope.f64(3 * TARGETS);
      for (let i = 0; i < target.length; i++) target[i] = random.next() - 0.5;
      // Two targets coincide with a source of either lane.
      for (let a = 0; a < 3; a++) {
        target[a * TARGETS + 2] = source[5 * 2 * size + 2 * a];
        target[a * TARGETS + 3] = source[9 * 2 * size + 2 * a + 1];
      }
      const range = scope.i32(6);
      range.set([3, 8, 8, 8, 9, BLOCKS]);
      const fast = scope.f64(columns * TARGETS).fill(0.25);
      const slow = new Float64Array(columns * TARGETS).fill(0.25);
      kernels[name](1, TARGETS, 0, 3, range, source, TARGETS, target, softening, fast);
      twins[name](1, TARGETS, 0, 3, range, source, TARGETS, target, softening, slow);
      expect(Array.from(fast)).toEqual(Array.from(slow));
      expect(fast[0]).toBe(0.25); // not in the range of targets
      expect(fast[1]).not.toBe(0.25);
      expect(fast.every(Number.isFinite)).toBe(true);
    });
  });

  it.each([
    ['sumVorticesSingle', 0.01],
    ['sumVectorChargesSingle', 0.01],
    ['sumVectorChargesSingle', 0],
  ] as const)('%s, softening %d, equals its twin', (name, softening) => {
    const random = createRandom(4);
    const source = scope.f32(BLOCKS * 24);
    for (let i = 0; i < source.length; i++) source[i] = random.next() - 0.5;
    const target = scope.f64(3 * TARGETS);
    for (let i = 0; i < target.length; i++) target[i] = random.next() - 0.5;
    const centre = scope.f64(9);
    for (let i = 0; i < centre.length; i++) centre[i] = random.next();
    const range = scope.i32(9);
    range.set([3, 8, 2, 8, 8, 0, 9, BLOCKS, 1]);
    // One target coincides with a source, but for rounding none in single precision either.
    for (let a = 0; a < 3; a++) target[a * TARGETS + 2] = source[5 * 24 + 4 * a] + centre[6 + a];
    const fast = scope.f64(3 * TARGETS).fill(0.25);
    const slow = new Float64Array(3 * TARGETS).fill(0.25);
    const points = [range, source, TARGETS, target, centre, softening] as const;
    kernels[name](1, TARGETS, 0, 3, ...points, fast);
    twins[name](1, TARGETS, 0, 3, ...points, slow);
    expect(Array.from(fast)).toEqual(Array.from(slow));
    expect(fast[0]).toBe(0.25);
    expect(fast[1]).not.toBe(0.25);
    expect(fast.every(Number.isFinite)).toBe(true);
  });
});
