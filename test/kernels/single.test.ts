/**
 * The single-precision kernels against their plain forms: the same bits, matrices of all shapes, ordinary and
 * extreme numbers.
 */
import { describe, it } from 'vitest';
import { createRandom, type Random } from '../../src/core/random.ts';
import * as sweep from '../../src/linalg/multigrid/sweep-kernels.ts';
import { createGenerators, type Generator } from './generators.ts';
import { expectSameBits } from './same-bits.ts';

const generators = createGenerators(15, 1e-39);
const SIZE = 300;
const ranges = [
  [0, 0],
  [0, 1],
  [7, 8],
  [3, 40],
  [0, SIZE],
];

const f32 = (random: Random, generate: Generator, n: number) =>
  Float32Array.from({ length: n }, () => generate(random));

/** Rows of 0 to 9 columns within [low(i), high(i)). */
function buildRows(
  random: Random,
  generate: Generator,
  low: (i: number) => number,
  high: (i: number) => number,
) {
  const start = new Int32Array(SIZE + 1);
  const column: number[] = [];
  for (let i = 0; i < SIZE; i++) {
    const room = high(i) - low(i);
    const list = Array.from(
      { length: Math.min(room, random.nextInt(10)) },
      () => low(i) + random.nextInt(room),
    );
    column.push(...list.sort((a, b) => a - b));
    start[i + 1] = column.length;
  }
  return { start, column: Int32Array.from(column), value: f32(random, generate, column.length) };
}

describe('single-precision kernels', () => {
  it.each(Object.keys(generators))('equal their plain forms: %s', (name) => {
    const random = createRandom(21);
    const generate = generators[name];
    const lower = buildRows(
      random,
      generate,
      () => 0,
      (i) => i,
    );
    const upper = buildRows(
      random,
      generate,
      (i) => i + 1,
      () => SIZE,
    );
    const any = buildRows(
      random,
      generate,
      () => 0,
      () => SIZE,
    );
    const three = Int32Array.from({ length: 3 * SIZE }, () => random.nextInt(SIZE));
    const inverse = f32(random, generate, SIZE);
    const split = {
      ...{ lowerStart: lower.start, lowerColumn: lower.column, lowerValue: lower.value },
      ...{ upperStart: upper.start, upperColumn: upper.column, upperValue: upper.value },
      inverse,
    };
    const rows = { rowStart: any.start, column: any.column, value: any.value };
    const [w, x, y] = [0, 1, 2].map(() => f32(random, generate, SIZE));
    const [r, z] = [0, 1].map(() => Float64Array.from({ length: SIZE }, () => generate(random)));
    for (const [begin, end] of ranges) {
      expectSameBits(sweep.relaxFromZero, begin, end, { ...split, w, x });
      expectSameBits(sweep.relaxForward, begin, end, { ...split, w, x });
      expectSameBits(sweep.relaxBackward, begin, end, { ...split, w, x });
      expectSameBits(sweep.residualSplit, begin, end, { ...split, w, x, out: y });
      expectSameBits(sweep.residualUpper, begin, end, { ...split, x, out: y });
      const gather = { start: any.start, column: any.column, scale: 1 / 3 };
      expectSameBits(sweep.gatherSum, begin, end, { ...gather, x, out: y });
      expectSameBits(sweep.addThree, begin, end, { column: three, scale: 1 / 3, coarse: x, x: y });
      expectSameBits(sweep.spmvSingle, begin, end, { ...rows, x, y });
      expectSameBits(sweep.spmvSingleAdd, begin, end, { ...rows, x, y });
      expectSameBits(sweep.demote, begin, end, { r, w: x });
      expectSameBits(sweep.promoteDot, begin, end, { x, r, z });
    }
  });
});
