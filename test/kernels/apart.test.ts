import { expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { dropApart } from '../../src/geometry/collision/apart.ts';
import { FIRST_EDGES, PAIR_RECORD } from '../../src/geometry/collision/box-pairs.ts';
import { edgeEdgeDistance, vertexTriangleDistance } from '../../src/geometry/collision/proximity.ts';
import { expectSameBits } from './same-bits.ts';

const weights = new Float64Array(3);

/**
 * Pairs of four vertices each, in a random order, moving a little; every third far from the origin, every
 * seventh flat.
 */
function buildPairs(seed: number, count: number) {
  const random = createRandom(seed);
  const x0 = new Float64Array(12 * count);
  const x1 = new Float64Array(12 * count);
  const records = new Int32Array(PAIR_RECORD * count);
  for (let n = 0; n < count; n++) {
    const offset = n % 3 === 0 ? 1e4 : 0;
    for (let k = 12 * n; k < 12 * n + 12; k++) {
      x0[k] = n % 7 === 0 && k % 3 === 2 ? offset : offset + random.next();
      x1[k] = n % 7 === 0 && k % 3 === 2 ? offset : x0[k] + 0.2 * (random.next() - 0.5);
    }
    const turn = Math.floor(4 * random.next());
    const vertices = [0, 1, 2, 3].map((i) => 4 * n + ((i * (n % 2 === 0 ? 1 : 3) + turn) % 4));
    const kind = Math.floor(15 * random.next());
    records.set([n, n + 1, kind, ...vertices, 0], PAIR_RECORD * n);
  }
  return { x0, x1, records };
}

it('drops the same pairs compiled and in TypeScript', () => {
  for (const [near0, near1] of [
    [0, 0],
    [1e-3, 0.1],
    [0.2, 0],
  ]) {
    const count = 20_000;
    const { x0, x1, records } = buildPairs(3, count);
    const values = { records, x0, x1, near0, near1 };
    const { result: left, values: after } = expectSameBits(dropApart, 1, count, values);
    expect(after.records.subarray(0, PAIR_RECORD)).toEqual(records.subarray(0, PAIR_RECORD));
    expect(left).toBeGreaterThan(1000);
    expect(left).toBeLessThan(0.9 * count);
  }
});

it('apart means farther than asked for at the start and at the end', () => {
  const random = createRandom(11);
  const count = 60_000;
  const { x0, x1, records } = buildPairs(12, count);
  const apart = [0, 0];
  const near = [0, 0];
  let wrong = 0;
  for (let n = 0; n < count; n++) {
    const near0 = 0.3 * random.next();
    const near1 = 0.3 * random.next();
    const record = records.slice(PAIR_RECORD * n, PAIR_RECORD * (n + 1));
    const [a, b, c, d] = record.subarray(3);
    const isEdges = record[2] >= FIRST_EDGES ? 1 : 0;
    if (dropApart(0, 1, { records: record, x0, x1, near0, near1 }) === 1) {
      near[isEdges]++;
      continue;
    }
    apart[isEdges]++;
    const distance = isEdges ? edgeEdgeDistance : vertexTriangleDistance;
    const start = Math.sqrt(distance(x0, a, b, c, d, weights));
    const end = Math.sqrt(distance(x1, a, b, c, d, weights));
    // The distances themselves round.
    if (!(start > near0 * (1 - 1e-9) && end > near1 * (1 - 1e-9))) wrong++;
  }
  expect(wrong).toBe(0);
  expect(Math.min(...apart, ...near)).toBeGreaterThan(2000);
});
