/** The moment kernel of the vertex fits against its twin and against plain sums. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { twins } from '../../src/core/kernel-twins.ts';
import { kernels } from '../../src/core/kernels.ts';
import { createRandom } from '../../src/core/random.ts';

const FACES = 900;
const SUMS = 84;
const BATCH_LENGTH = 9 * 256;
const POINT = [0.3, -0.2, 0.1] as const;
const SCALE = 1.7;
const SOFTENING = 0.25;

describe.each([true, false])('moments, shared memory %s', (shared) => {
  const heap = createHeap({ shared, maximumBytes: 2 ** 24 });
  const random = createRandom(5);
  const record = heap.scope('test').f64(8 * FACES);
  for (let n = 0; n < record.length; n++) record[n] = (random.next() - 0.5) * 10 ** random.nextInt(4);
  const face = heap.scope('test').i32(FACES);
  const share = heap.scope('test').f64(FACES);
  for (let n = 0; n < FACES; n++) {
    face[n] = (n * 577) % FACES;
    share[n] = n % 3 === 0 ? 0.5 : 1;
  }

  // Odd and even, less than a batch, a batch, more than one.
  it.each([0, 1, 2, 37, 255, 256, 257, 513, FACES])('equal their twin, bit by bit: %i faces', (count) => {
    const fast = heap.scope('test').f64(SUMS).fill(0.25);
    const slow = new Float64Array(SUMS).fill(0.25);
    const batch = heap.scope('test').f64(BATCH_LENGTH).fill(Number.NaN);
    const loose = new Float64Array(BATCH_LENGTH);
    kernels.addMoments(count, face, share, record, ...POINT, SCALE, SOFTENING, batch, fast);
    twins.addMoments(count, face, share, record, ...POINT, SCALE, SOFTENING, loose, slow);
    expect(Array.from(fast)).toEqual(Array.from(slow));
  });

  it('are the sums they are said to be', () => {
    const sums = heap.scope('test').f64(SUMS);
    const count = 301;
    const batch = heap.scope('test').f64(BATCH_LENGTH);
    kernels.addMoments(count, face, share, record, ...POINT, SCALE, SOFTENING, batch, sums);
    const at = (column: number, n: number) => record[8 * face[n] + column];
    const d = (a: number, n: number) => (a === 0 ? 1 : (at(2 + a, n) - POINT[a - 1]) * SCALE);
    const weight = (n: number) => share[n] / (SOFTENING + d(1, n) ** 2 + d(2, n) ** 2 + d(3, n) ** 2);
    let entry = 0;
    const expectSum = (term: (n: number) => number) => {
      let sum = 0;
      let size = 0;
      for (let n = 0; n < count; n++) {
        sum += weight(n) * term(n);
        size += Math.abs(weight(n) * term(n));
      }
      expect(Math.abs(sums[entry++] - sum)).toBeLessThanOrEqual(1e-13 * size);
    };
    for (let i = 0; i < 3; i++)
      for (let j = i; j < 3; j++)
        for (let a = 0; a < 4; a++)
          for (let b = 0; b <= a; b++) expectSum((n) => at(i, n) * at(j, n) * d(a, n) * d(b, n));
    for (const value of [6, 7])
      for (let i = 0; i < 3; i++)
        for (let a = 0; a < 4; a++) expectSum((n) => at(value, n) * at(i, n) * d(a, n));
    expect(entry).toBe(SUMS);
  });
});
