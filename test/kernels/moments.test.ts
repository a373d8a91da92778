/** The moment kernel of the vertex fits against its twin and against plain sums. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { twins } from '../../src/core/kernel-twins.ts';
import { kernels } from '../../src/core/kernels.ts';
import { createRandom } from '../../src/core/random.ts';

const STRIDE = 64;
const SUMS = 84;

describe.each([true, false])('moments, shared memory %s', (shared) => {
  const heap = createHeap({ shared, maximumBytes: 2 ** 24 });
  const random = createRandom(5);
  const rows = heap.scope('test').f64(9 * STRIDE);
  for (let n = 0; n < rows.length; n++) rows[n] = (random.next() - 0.5) * 10 ** random.nextInt(6);

  it.each([0, 2, 4, 38, STRIDE])('equal their twin, bit by bit: %i faces', (count) => {
    const fast = heap.scope('test').f64(SUMS).fill(0.25);
    const slow = new Float64Array(SUMS).fill(0.25);
    kernels.addMoments(count, STRIDE, rows, fast);
    twins.addMoments(count, STRIDE, Float64Array.from(rows), slow);
    expect(Array.from(fast)).toEqual(Array.from(slow));
  });

  it('are the sums they are said to be', () => {
    const sums = heap.scope('test').f64(SUMS);
    const count = 10;
    kernels.addMoments(count, STRIDE, rows, sums);
    const at = (column: number, r: number) => rows[column * STRIDE + r];
    let entry = 0;
    const expectSum = (term: (r: number) => number) => {
      let sum = 0;
      let size = 0;
      for (let r = 0; r < count; r++) {
        sum += term(r);
        size += Math.abs(term(r));
      }
      expect(Math.abs(sums[entry++] - sum)).toBeLessThanOrEqual(1e-13 * size);
    };
    const d = (a: number, r: number) => (a === 0 ? 1 : at(3 + a, r));
    for (let i = 1; i <= 3; i++)
      for (let j = i; j <= 3; j++)
        for (let a = 0; a < 4; a++)
          for (let b = 0; b <= a; b++) expectSum((r) => at(0, r) * at(i, r) * at(j, r) * d(a, r) * d(b, r));
    for (const value of [7, 8])
      for (let i = 1; i <= 3; i++)
        for (let a = 0; a < 4; a++) expectSum((r) => at(0, r) * at(value, r) * at(i, r) * d(a, r));
    expect(entry).toBe(SUMS);
  });
});
