/** The direct sums against their plain forms, bit by bit. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { addPointSums } from '../../src/integrals/point-sum-kernels.ts';
import { addPointSumsSingle } from '../../src/integrals/point-sum-single-kernels.ts';
import { type SumKernel, sumKernelCodes, sumKernelShapes } from '../../src/integrals/sum-kernels.ts';
import { expectSameBits } from './same-bits.ts';

const BLOCKS = 37;
const TARGETS = 9;
describe('point sums', () => {
  const random = createRandom(3);
  const target = Float64Array.from({ length: 3 * TARGETS }, () => random.next() - 0.5);

  /** Adds to sums in `columns` columns from the second target on; some blocks are left out. */
  function expectSums(
    run: (begin: number, end: number, out: Float64Array) => { values: { readonly out: Float64Array } },
    columns: number,
  ): void {
    const { out } = run(1, TARGETS, new Float64Array(columns * TARGETS).fill(0.25)).values;
    expect(out[0]).toBe(0.25); // not in the range of targets
    expect(out[1]).not.toBe(0.25);
    expect(out.every(Number.isFinite)).toBe(true);
  }

  it.each([0, 1e-3, 2])('equal their plain forms with softening %d', (softening) => {
    const make = (size: number) => {
      const source = Float64Array.from(
        { length: BLOCKS * 2 * size },
        () => (random.next() - 0.5) * 10 ** -random.nextInt(3),
      );
      // Two targets coincide with a source of either lane.
      const own = target.slice();
      for (let a = 0; a < 3; a++) {
        own[a * TARGETS + 2] = source[5 * 2 * size + 2 * a];
        own[a * TARGETS + 3] = source[9 * 2 * size + 2 * a + 1];
      }
      const ranges = { rangeBegin: 0, rangeEnd: 3, range: Int32Array.of(3, 8, 8, 8, 9, BLOCKS) };
      return { ...ranges, source, stride: TARGETS, target: own, softening };
    };
    const [scalar, vector] = [make(4), make(6)];
    for (const [kernel, code] of Object.entries(sumKernelCodes)) {
      const { strengthSize, sumSize } = sumKernelShapes[kernel as SumKernel];
      const values = { code, ...(strengthSize === 1 ? scalar : vector) };
      expectSums((begin, end, out) => expectSameBits(addPointSums, begin, end, { ...values, out }), sumSize);
    }
  });

  it.each([0.01, 0])('in single precision equal their plain forms with softening %d', (softening) => {
    const source = Float32Array.from({ length: BLOCKS * 24 }, () => random.next() - 0.5);
    const centre = Float64Array.from({ length: 9 }, () => random.next());
    const own = target.slice();
    // One target coincides with a source, but for rounding none in single precision either.
    for (let a = 0; a < 3; a++) own[a * TARGETS + 2] = source[5 * 24 + 4 * a] + centre[6 + a];
    const ranges = { rangeBegin: 0, rangeEnd: 3, range: Int32Array.of(3, 8, 2, 8, 8, 0, 9, BLOCKS, 1) };
    const values = { ...ranges, source, stride: TARGETS, target: own, centre, softening };
    for (const kernel of ['potential', 'vectorPotential', 'biotSavart'] as const) {
      if (softening === 0 && kernel === 'biotSavart') continue; // needs one
      const code = sumKernelCodes[kernel];
      expectSums(
        (begin, end, out) => expectSameBits(addPointSumsSingle, begin, end, { code, ...values, out }),
        sumKernelShapes[kernel].sumSize,
      );
    }
  });
});
