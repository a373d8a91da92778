/** Kernels of near triangles against their plain forms, bit by bit, and both against plain arithmetic. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { NONE } from '../../src/core/types.ts';
import {
  addNearSums,
  computeAngle,
  computeLog,
  computeNearValues,
  computeTouchingValues,
  findNearFaces,
  mirrorTouchingValues,
} from '../../src/integrals/panels/near-face-kernels.ts';
import { sortIntoCells } from '../../src/integrals/panels/near-grid.ts';
import { computeNearPairs, findNearPairs, GRAIN, NEAR, ROOM } from '../../src/integrals/panels/near-pairs.ts';
import { computeTrianglePotential } from '../../src/integrals/panels/triangle-potential.ts';
import { computeDoubleArea } from '../../src/math/triangle.ts';
import { expectSameBits } from './same-bits.ts';

const triangleArea = (p: Float64Array, at: number) => 0.5 * computeDoubleArea(p, at, at + 3, at + 6);

const SIDE = 12;

/**
 * A crumpled square of triangles that share corners; folded, its rows ask for more room than they are first
 * given, and then fill it to the last entry.
 */
function buildPatch(isFolded: boolean) {
  const fold = (i: number) => (isFolded ? i % 2 : i);
  const random = createRandom(5);
  const position: number[] = [];
  const corner: number[] = [];
  for (let i = 0; i <= SIDE; i++)
    for (let j = 0; j <= SIDE; j++)
      position.push(fold(i) + 0.4 * random.next(), fold(j) + 0.4 * random.next(), 1.5 * random.next());
  for (let i = 0; i < SIDE; i++)
    for (let j = 0; j < SIDE; j++) {
      const v = i * (SIDE + 1) + j;
      corner.push(v, v + 1, v + SIDE + 2, v, v + SIDE + 2, v + SIDE + 1);
    }
  return { position, corner };
}

function findPairs(shared: boolean, isFolded: boolean) {
  const heap = createHeap({ shared, maximumBytes: 2 ** 24 });
  const scope = heap.scope('test');
  const patch = buildPatch(isFolded);
  const position = scope.f64(patch.position.length);
  position.set(patch.position);
  const corner = scope.i32(patch.corner.length);
  corner.set(patch.corner);
  const middle = scope.f64(corner.length);
  for (let n = 0; n < middle.length; n++)
    for (let i = 0; i < 3; i++) middle[n] += position[3 * corner[n - (n % 3) + i] + (n % 3)] / 3;
  const threads = createSingleThread();
  const pairs = findNearPairs(corner, position, middle, threads, scope);
  computeNearPairs(pairs, corner, position, threads);
  return { scope, position, corner, middle, pairs };
}

const distance = (a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number) =>
  Math.hypot(a[i] - b[j], a[i + 1] - b[j + 1], a[i + 2] - b[j + 2]);

function expectRows({ position, corner, middle, pairs }: ReturnType<typeof findPairs>): void {
  const { sorted, place, rowStart, rowTouch, rowEnd, rowPlace } = pairs;
  const count = sorted.length;
  const touches = (f: number, g: number) =>
    [0, 1, 2].some((i) => [0, 1, 2].some((j) => corner[3 * f + i] === corner[3 * g + j]));
  const reach = (f: number) =>
    Math.max(...[0, 1, 2].map((i) => distance(middle, 3 * f, position, 3 * corner[3 * f + i])));

  for (let f = 0; f < count; f++) {
    const near: number[] = [];
    for (let g = 0; g < count; g++)
      if (g !== f && distance(middle, 3 * f, middle, 3 * g) < NEAR * (reach(f) + reach(g))) near.push(g);
    const m = place[f];
    expect(sorted[m]).toBe(f);
    const row = Array.from(rowPlace.subarray(rowStart[m], rowEnd[m]), (n) => sorted[n]);
    expect(row.slice().sort((a, b) => a - b)).toEqual(near);
    row.forEach((g, n) => {
      expect(touches(f, g)).toBe(rowStart[m] + n >= rowTouch[m]);
    });
  }
}

describe.each([true, false])('near triangles, shared memory %s', (shared) => {
  const found = findPairs(shared, false);
  const { middle, pairs } = found;
  const { sorted, rowStart, rowTouch, rowEnd, rowPlace, value } = pairs;
  const count = sorted.length;

  it('rows hold the pairs of balls that meet, touching ones last', () => {
    expectRows(found);
    expect(rowEnd[count - 1] - rowStart[0]).toBeGreaterThan(20 * count);
  });

  it('values are means of 1/r less that of the middles, and symmetric', () => {
    let touching = 0;
    const soften = (r: number) => Math.hypot(r, pairs.softening);
    for (let m = 0; m < count; m++) {
      for (let e = rowStart[m]; e < rowEnd[m]; e++) {
        const n = rowPlace[e];
        const back = rowPlace.indexOf(m, rowStart[n]);
        expect(back).toBeLessThan(rowEnd[n]);
        expect(Math.abs(value[back] - value[e])).toBeLessThan(1e-6);
        const isTouching = e >= rowTouch[m];
        if (isTouching) touching++;
        const [a, b] = m < n ? [m, n] : [n, m];
        let mean = 0;
        for (let i = 0; i < 9; i += 3) {
          const [x, y, z] = pairs.point.subarray(9 * b + i, 9 * b + i + 3);
          if (isTouching)
            mean +=
              computeTrianglePotential(pairs.triangle, 9 * a, x, y, z) /
              (3 * triangleArea(pairs.triangle, 9 * a));
          else
            for (let j = 0; j < 9; j += 3)
              mean += 1 / soften(distance(pairs.point, 9 * a + j, pairs.point, 9 * b + i)) / 9;
        }
        const truth = mean - 1 / soften(distance(middle, 3 * sorted[m], middle, 3 * sorted[n]));
        expect(Math.abs(value[e] - truth)).toBeLessThan(1e-6 * mean);
      }
    }
    expect(touching).toBeGreaterThan(8 * count);
  });

  it('equal their plain forms', () => {
    const { triangle, point, record, scratch, self, strength } = pairs;
    const rows = { start: rowStart, touch: rowTouch, stop: rowEnd, list: rowPlace };
    const softening = pairs.softening ** 2;
    const empty = new Float32Array(value.length);
    const near = expectSameBits(computeNearValues, 0, count, { ...rows, record, value: empty, softening });
    const touching = { ...rows, triangle, point, value: near.values.value, scratch, softening };
    const both = expectSameBits(computeTouchingValues, 0, count, touching);
    const all = expectSameBits(mirrorTouchingValues, 0, count, { ...rows, value: both.values.value });
    expect(Array.from(all.values.value)).toEqual(Array.from(value));
    for (let n = 0; n < strength.length; n++) strength[n] = n % 4 === 3 ? 0 : Math.sin(n);
    const out = new Float64Array(3 * count).fill(0.25);
    const product = { factor: 0.7, ...rows, value, self, strength, sorted, out };
    const { values } = expectSameBits(addNearSums, 3, count, product);
    expect(values.out[3 * sorted[0]]).toBe(0.25);
    expect(values.out[3 * sorted[4]]).not.toBe(0.25);
  });
});

it('rows that fill their room to the last entry are whole, and those of the plain form the same', () => {
  const found = findPairs(false, true);
  expectRows(found);
  const { position, corner, middle, pairs } = found;
  const { sorted, rowStart, rowTouch, rowEnd, rowPlace } = pairs;
  const count = sorted.length;
  expect(rowEnd[GRAIN - 1]).toBeGreaterThan(ROOM * GRAIN);
  const reach = Float64Array.from({ length: count }, (_, f) =>
    Math.max(...[0, 1, 2].map((i) => distance(middle, 3 * f, position, 3 * corner[3 * f + i]))),
  );
  const cells = sortIntoCells(middle, reach, NEAR, Math.max(...reach), found.scope);
  const ids = new Int32Array(4 * count).fill(NONE);
  for (let m = 0; m < count; m++)
    for (let i = 0; i < 3; i++) ids[4 * m + i] = corner[3 * cells.sorted[m] + i];
  const room = rowPlace.length / Math.ceil(count / GRAIN);
  const rows = [rowStart, rowTouch, rowEnd, rowPlace].map((list) => new Int32Array(list.length));
  for (let begin = 0; begin < count; begin += GRAIN) {
    const end = Math.min(count, begin + GRAIN);
    const part = { first: (room * begin) / GRAIN, limit: room * (begin / GRAIN + 1) };
    const { stride, layout, cellStart, ball } = cells;
    const [start, touch, stop, list] = rows;
    const lists = { start, touch, stop, list, needed: new Int32Array(1) };
    const values = { ...part, stride, layout, cellStart, ball, corner: ids, ...lists };
    expectSameBits(findNearFaces, begin, end, values);
    findNearFaces(begin, end, values);
  }
  expect(rows.slice(0, 3).map((list) => Array.from(list))).toEqual(
    [rowStart, rowTouch, rowEnd].map((list) => Array.from(list)),
  );
  for (let m = 0; m < count; m++)
    for (let e = rowStart[m]; e < rowEnd[m]; e++) expect(rows[3][e]).toBe(rowPlace[e]);
});

it('the logarithm and the angle of the kernels are right to 1e-12', () => {
  const random = createRandom(9);
  for (let n = 0; n < 2000; n++) {
    const x = 10 ** (12 * random.next() - 3);
    expect(Math.abs(computeLog(x) - Math.log(x))).toBeLessThan(1e-12 * Math.max(1, Math.abs(Math.log(x))));
    const angle = 2 * Math.PI * random.next();
    const [a, b] = [x * Math.cos(angle), x * Math.sin(angle)];
    expect(Math.abs(computeAngle(b, a) - Math.atan2(b, a))).toBeLessThan(1e-12);
  }
});
