/** The moment kernel of the vertex fits against its plain form and against plain sums. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { addMoments } from '../../src/flow/velocity/moments-kernel.ts';
import { expectSameBits } from './same-bits.ts';

const FACES = 900;
const SUMS = 84;
const BATCH_LENGTH = 9 * 256;
const POINT = [0.3, -0.2, 0.1] as const;
const SCALE = 1.7;
const SOFTENING = 0.25;

describe('moments', () => {
  const random = createRandom(5);
  const record = new Float64Array(8 * FACES);
  for (let n = 0; n < record.length; n++) record[n] = (random.next() - 0.5) * 10 ** random.nextInt(4);
  const face = new Int32Array(FACES);
  const share = new Float64Array(FACES);
  for (let n = 0; n < FACES; n++) {
    face[n] = (n * 577) % FACES;
    share[n] = n % 3 === 0 ? 0.5 : 1;
  }
  const [px, py, pz] = POINT;
  const values = { face, share, record, px, py, pz, scale: SCALE, softening: SOFTENING };

  // Odd and even, less than a batch, a batch, more than one, and not from the first.
  it.each([...[0, 1, 2, 37, 255, 256, 257, 513, FACES].map((count) => [0, count]), [3, 40], [255, 600]])(
    'equal their plain form, bit by bit: faces %i to %i',
    (begin, end) => {
      const batch = new Float64Array(BATCH_LENGTH).fill(Number.NaN);
      expectSameBits(addMoments, begin, end, { ...values, batch, sums: new Float64Array(SUMS).fill(0.25) });
    },
  );

  it('are the sums they are said to be', () => {
    const count = 301;
    const batch = new Float64Array(BATCH_LENGTH);
    const { sums } = expectSameBits(addMoments, 0, count, {
      ...values,
      batch,
      sums: new Float64Array(SUMS),
    }).values;
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
