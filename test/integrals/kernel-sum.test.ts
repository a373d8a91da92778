/** The sums against plain double loops, on odd and hostile sets of points. */
import { describe, expect, it } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { createKernelSum } from '../../src/integrals/kernel-sum.ts';
import { allKernels, randomPoints, relativeError, sizes, sumNaively } from './naive.ts';

/**
 * Rounding alone over a few hundred terms, or the default tolerance; the multipole method's own single
 * precision errs by 1e-6 at most.
 */
const bounds = { direct: 1e-12, multipole: 1e-4, single: 1e-5, 'multipole in single': 1e-4 };
const methods = ['direct', 'multipole'] as const;
const cases = [
  ...allKernels.flatMap((kernel) => methods.map((method) => [kernel, method] as const)),
  ['vectorPotential', 'single'] as const,
  ['vectorPotential', 'multipole in single'] as const,
  ['biotSavart', 'single'] as const,
];
const heap = createHeap({ maximumBytes: 2 ** 26 });
const resources = { heap, threads: createSingleThread() };

describe.each(cases)('%s, %s', (kernel, method) => {
  const sum = createKernelSum(
    resources,
    method === 'single'
      ? { kernel, method: 'direct', precision: 'single' }
      : method === 'multipole in single'
        ? { kernel, method: 'multipole', precision: 'single' }
        : { kernel, method },
  );
  const exact = bounds[method];
  const evaluate = (source: Float64Array, target: Float64Array, delta: number, strength: Float64Array) => {
    const out = new Float64Array((target.length / 3) * sizes[kernel].sum).fill(Number.NaN);
    sum.evaluate(source, strength, target, delta, out);
    return out;
  };
  const strengths = (count: number) =>
    randomPoints(7, count)
      .subarray(0, count * sizes[kernel].strength)
      .map((x) => 1 + x);

  it.each([
    [1, 1, 0.1],
    [2, 3, 0.1],
    [301, 77, 0.05],
    [600, 65, 0],
    [40, 513, 3],
  ])('of %i sources at %i targets, delta %d', (sources, targets, delta) => {
    const [source, target] = [randomPoints(1, sources), randomPoints(2, targets)];
    const strength = strengths(sources);
    const expected = sumNaively(kernel, source, strength, target, delta);
    expect(relativeError(evaluate(source, target, delta, strength), expected)).toBeLessThan(exact);
  });

  it.each([
    [1e-60, 0],
    [1e-9, 0],
    [1e9, 0],
    [1e60, 0],
    [1, 1e6],
  ])('at scale %d, place %d', (scale, offset) => {
    const source = randomPoints(1, 50, scale, offset);
    const target = randomPoints(2, 40, scale, offset);
    const strength = strengths(50);
    const expected = sumNaively(kernel, source, strength, target, 0.1 * scale);
    // Far away the coordinates themselves carry 1e-16 of the distance from the origin.
    const bound = offset === 0 ? exact : Math.max(exact, 1e-8);
    expect(relativeError(evaluate(source, target, 0.1 * scale, strength), expected)).toBeLessThan(bound);
  });

  it('leaves out coincident points without regularisation, and all points in one place', () => {
    const source = randomPoints(1, 30);
    const strength = strengths(30);
    const expected = sumNaively(kernel, source, strength, source, 0);
    expect(relativeError(evaluate(source, source, 0, strength), expected)).toBeLessThan(exact);
    const same = new Float64Array(90).fill(2);
    expect(evaluate(same, same, 0, strength).every((x) => x === 0)).toBe(true);
  });

  it('of nothing is zero, and at no target is empty', () => {
    const none = new Float64Array(0);
    expect(evaluate(none, randomPoints(1, 5), 0.1, none).every((x) => x === 0)).toBe(true);
    expect(evaluate(randomPoints(1, 5), none, 0.1, strengths(5)).length).toBe(0);
    expect(evaluate(none, none, 0, none).length).toBe(0);
  });

  it('names what is not finite', () => {
    const source = randomPoints(1, 8);
    const target = randomPoints(2, 8);
    const strength = strengths(8);
    const broken = (values: Float64Array, at: number) => values.map((x, i) => (i === at ? Number.NaN : x));
    expect(() => evaluate(broken(source, 16), target, 0.1, strength)).toThrow(/source 5 \(y\) is NaN/);
    expect(() => evaluate(source, broken(target, 23), 0.1, strength)).toThrow(/target 7 \(z\) is NaN/);
    expect(() => evaluate(source, target, 0.1, broken(strength, 3))).toThrow(RunError);
    expect(() => evaluate(source, target, Number.NaN, strength)).toThrow(/regularisation NaN/);
    expect(heap.bytesInUse).toBe(0);
  });
});

it.each(['double', 'single'] as const)(
  'in %s gives back what it took when the heap is too small',
  (precision) => {
    const small = createHeap({ maximumBytes: 2 ** 21 });
    small.scope('another').f64(1000);
    const before = small.bytesInUse;
    const sum = createKernelSum(
      { heap: small, threads: createSingleThread() },
      { kernel: 'biotSavart', method: 'direct', precision },
    );
    // The sources take 1.4 MB in double precision and 0.7 MB in single, each array of the targets 1 MB.
    const prepare = () => sum.prepare(randomPoints(1, 30_000), randomPoints(2, 40_000), 0.1);
    expect(prepare).toThrow(/heap/);
    expect(small.peakBytes).toBeGreaterThan(before + 2 ** 19);
    expect(small.bytesInUse).toBe(before);
  },
);
