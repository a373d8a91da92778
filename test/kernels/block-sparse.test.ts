/**
 * The kernels of block matrices against their plain forms: the same bits, for all sizes of blocks and ranges
 * of rows.
 */
import { describe, it } from 'vitest';
import { createRandom, type Random } from '../../src/core/random.ts';
import * as block from '../../src/linalg/block/block-kernels.ts';
import * as tall from '../../src/linalg/block-multigrid/tall-kernels.ts';
import { createGenerators, type Generator } from './generators.ts';
import { expectSameBits } from './same-bits.ts';

const generators = createGenerators(30, 1e-310);
const ROWS = 60;
const COARSE = 9;
const sizes = [1, 2, 3, 4, 5, 6];
const ranges = [
  [0, ROWS],
  [0, 1],
  [17, 43],
  [7, 7],
];

const numbers = (random: Random, generate: Generator, n: number) =>
  Float64Array.from({ length: n }, () => generate(random));

/** Rows of up to `most` columns; with `square`, the diagonal among them. */
function buildRows(random: Random, rows: number, columns: number, most: number, square: boolean) {
  const rowStart = new Int32Array(rows + 1);
  const diagonal = new Int32Array(rows);
  const column: number[] = [];
  for (let i = 0; i < rows; i++) {
    const list = new Set(Array.from({ length: random.nextInt(most + 1) }, () => random.nextInt(columns)));
    if (square) list.add(i);
    for (const j of [...list].sort((a, b) => a - b)) {
      if (j === i) diagonal[i] = column.length;
      column.push(j);
    }
    rowStart[i + 1] = column.length;
  }
  return { rowStart, diagonal, column: Int32Array.from(column) };
}

/** Columns of a product: those of all members' rows. */
function unite(start: Int32Array, member: Int32Array, listStart: Int32Array, list: Int32Array) {
  const rowStart = new Int32Array(start.length);
  const column: number[] = [];
  for (let i = 0; i + 1 < start.length; i++) {
    const all = new Set<number>();
    for (let j = start[i]; j < start[i + 1]; j++)
      for (let m = listStart[member[j]]; m < listStart[member[j] + 1]; m++) all.add(list[m]);
    column.push(...[...all].sort((a, b) => a - b));
    rowStart[i + 1] = column.length;
  }
  return { rowStart, column: Int32Array.from(column) };
}

describe('block kernels', () => {
  it.each(Object.keys(generators))('of square blocks equal their plain forms: %s', (name) => {
    const generate = generators[name];
    for (const size of sizes) {
      const random = createRandom(size);
      const { rowStart, column, diagonal } = buildRows(random, ROWS, ROWS, 12, true);
      const value = numbers(random, generate, column.length * size * size);
      // A sweep multiplies from row to row: what could overflow is made small, since NaN has no bits of its
      // own.
      const damping = name === 'all magnitudes' ? 1e-32 : 1;
      const inverse = numbers(random, (r) => damping * generate(r), ROWS * size * size);
      const [w, old, x, r] = [0, 1, 2, 3].map(() => numbers(random, generate, ROWS * size));
      const sweep = { size, rowStart, column, diagonal, value };
      for (const [begin, end] of ranges) {
        expectSameBits(block.blockProduct, begin, end, { size, rowStart, column, value, x, y: r });
        expectSameBits(block.blockSweepDown, begin, end, { ...sweep, inverse, w, x, r });
        expectSameBits(block.blockFinishResidual, begin, end, { ...sweep, x, r });
        expectSameBits(block.blockSweepUp, begin, end, { ...sweep, inverse, w, old, x, r });
      }
    }
  });

  it.each(Object.keys(generators))('of prolongations equal their plain forms: %s', (name) => {
    const generate = generators[name];
    for (const size of sizes)
      for (const modes of [1, 2, 3, 6, 7]) {
        const random = createRandom(10 * size + modes);
        const a = buildRows(random, ROWS, ROWS, 8, true);
        const p = buildRows(random, ROWS, COARSE, 3, false);
        const value = numbers(random, generate, a.column.length * size * size);
        const tallValue = numbers(random, generate, p.column.length * size * modes);
        const ap = unite(a.rowStart, a.column, p.rowStart, p.column);
        const right = numbers(random, generate, ap.column.length * size * modes);
        // The entries of P by coarse rows.
        const places = Array.from({ length: COARSE }, () => [] as number[][]);
        for (let i = 0; i < ROWS; i++)
          for (let j = p.rowStart[i]; j < p.rowStart[i + 1]; j++) places[p.column[j]].push([i, j]);
        const start = Int32Array.from({ length: COARSE + 1 }, (_, c) => places.slice(0, c).flat().length);
        const row = Int32Array.from(places.flat(), ([i]) => i);
        const entry = Int32Array.from(places.flat(), ([, j]) => j);
        const coarse = unite(start, row, ap.rowStart, ap.column);
        const out = numbers(random, generate, coarse.column.length * modes * modes);
        const place = new Int32Array(COARSE);
        const x = numbers(random, generate, ROWS * size);
        const e = numbers(random, generate, COARSE * modes);
        const { rowStart, column } = p;
        for (const [begin, end] of [
          [0, ROWS],
          [11, 40],
        ])
          expectSameBits(tall.tallProlong, begin, end, {
            ...{ size, modes, rowStart, column, value: tallValue },
            ...{ e, x },
          });
        const turned = { size, modes, start, row, entry };
        expectSameBits(tall.tallRestrict, 2, COARSE, { ...turned, value: tallValue, x, out: e });
        expectSameBits(tall.tallProduct, 5, ROWS, {
          ...{ size, modes, rowStart: a.rowStart, column: a.column, value },
          ...{ tallStart: rowStart, tallColumn: column, tallValue },
          ...{ outStart: ap.rowStart, outColumn: ap.column, outValue: right, place },
        });
        expectSameBits(tall.tallGalerkin, 0, COARSE - 1, {
          ...{ ...turned, tallValue },
          ...{ rightStart: ap.rowStart, rightColumn: ap.column, rightValue: right },
          ...{ outStart: coarse.rowStart, outColumn: coarse.column, outValue: out, place },
        });
      }
  });
});
