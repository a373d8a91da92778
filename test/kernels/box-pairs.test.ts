import { expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { BLOCK_CELLS, CELL_BITS, findBoxPairs, PAIR_RECORD } from '../../src/geometry/collision/box-pairs.ts';
import { expectSameBits } from './same-bits.ts';

const VERTICES = 60;
const FACES = 100;
const CAPACITY = 100_000;

/**
 * Triangles of random vertices with random boxes, all faces in every bucket of a block: what does not belong
 * there must be left out.
 */
function buildCase(seed: number) {
  const random = createRandom(seed);
  const draw = (n: number) => Math.floor(n * random.next());
  const face = new Int32Array(3 * FACES);
  const vertexBox = new Int32Array(6 * VERTICES + 1);
  const faceBox = new Int32Array(6 * FACES + 1);
  const owned = new Uint8Array(FACES);
  const start = new Int32Array(BLOCK_CELLS + 1);
  const list = new Int32Array(BLOCK_CELLS * FACES);
  for (let v = 0; v < VERTICES; v++) {
    for (let k = 0; k < 3; k++) {
      // Some beyond the block, and some on either side of zero.
      vertexBox[6 * v + k] = draw(6 << CELL_BITS) - (1 << CELL_BITS);
      vertexBox[6 * v + 3 + k] = vertexBox[6 * v + k] + draw(1 << (CELL_BITS - 2));
    }
  }
  for (let f = 0; f < FACES; f++) {
    const a = draw(VERTICES);
    const b = (a + 1 + draw(VERTICES - 2)) % VERTICES;
    let c = draw(VERTICES);
    while (c === a || c === b) c = draw(VERTICES);
    face.set([a, b, c], 3 * f);
    owned[f] = draw(64);
    for (let k = 0; k < 3; k++) {
      faceBox[6 * f + k] = Math.min(...[a, b, c].map((v) => vertexBox[6 * v + k]));
      faceBox[6 * f + 3 + k] = Math.max(...[a, b, c].map((v) => vertexBox[6 * v + 3 + k]));
    }
  }
  for (let bucket = 0; bucket <= BLOCK_CELLS; bucket++) start[bucket] = FACES * bucket;
  for (let n = 0; n < list.length; n++) list[n] = n % FACES;
  return { start, list, faceBox, vertexBox, face, owned };
}

it('finds the same pairs in the same order compiled and in TypeScript, all that meet and each once', () => {
  for (let seed = 1; seed <= 4; seed++) {
    const faces = buildCase(seed);
    const { faceBox, vertexBox, face, owned } = faces;
    const room = { out: new Int32Array(PAIR_RECORD * CAPACITY), outBegin: 0, capacity: CAPACITY };
    const { result: count, values } = expectSameBits(findBoxPairs, 0, BLOCK_CELLS, { ...faces, ...room });
    expect(count).toBeGreaterThan(500);
    expect(count).toBeLessThan(CAPACITY);
    // Pairs by brute force: vertices that a face owns against the box of another.
    const meets = (p: Int32Array, o: number, q: Int32Array, w: number) =>
      [0, 1, 2].every((k) => p[o + k] <= q[w + 3 + k] && q[w + k] <= p[o + 3 + k]);
    let expected = 0;
    for (let f = 0; f < FACES; f++) {
      for (let g = 0; g < FACES; g++) {
        if (f === g || !meets(faceBox, 6 * f, faceBox, 6 * g)) continue;
        for (let i = 0; i < 3; i++) {
          const v = face[3 * f + i];
          if ((owned[f] & (1 << i)) === 0 || face.subarray(3 * g, 3 * g + 3).includes(v)) continue;
          if (meets(vertexBox, 6 * v, faceBox, 6 * g)) expected++;
        }
      }
    }
    let vertices = 0;
    for (let n = 0; n < count; n++) if (values.out[PAIR_RECORD * n + 2] < 6) vertices++;
    expect(vertices).toBe(expected);
  }
});

it('counts on when there is no room, and writes no further', () => {
  const faces = buildCase(7);
  const room = { out: new Int32Array(PAIR_RECORD * CAPACITY), outBegin: 0, capacity: CAPACITY };
  const all = expectSameBits(findBoxPairs, 0, BLOCK_CELLS, { ...faces, ...room });
  const little = { out: new Int32Array(PAIR_RECORD * 20), outBegin: PAIR_RECORD * 2, capacity: 10 };
  const few = expectSameBits(findBoxPairs, 0, BLOCK_CELLS, { ...faces, ...little });
  expect(few.result).toBe(all.result);
  const { out } = few.values;
  expect(out.slice(0, PAIR_RECORD * 2).every((n) => n === 0)).toBe(true);
  expect(out.slice(PAIR_RECORD * 2, PAIR_RECORD * 12)).toEqual(all.values.out.slice(0, PAIR_RECORD * 10));
  expect(out.slice(PAIR_RECORD * 12).every((n) => n === 0)).toBe(true);
});
