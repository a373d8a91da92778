import { expect, it } from 'vitest';
import { BLOCK_CELLS, CELL_BITS, findBoxPairsTwin, PAIR_RECORD } from '../../src/core/box-pairs-twin.ts';
import { createHeap } from '../../src/core/heap.ts';
import { isCompiled, kernels } from '../../src/core/kernels.ts';
import { createRandom } from '../../src/core/random.ts';

const VERTICES = 60;
const FACES = 100;
const CAPACITY = 100_000;

/** Triangles of random vertices with random boxes, all faces in every bucket of a block: what does not belong there must be left out. */
function buildCase(seed: number) {
  const random = createRandom(seed);
  const draw = (n: number) => Math.floor(n * random.next());
  const scope = createHeap().scope('test');
  const face = scope.i32(3 * FACES);
  const vertexBox = scope.i32(6 * VERTICES + 1);
  const faceBox = scope.i32(6 * FACES + 1);
  const owned = scope.u8(FACES);
  const start = scope.i32(BLOCK_CELLS + 1);
  const list = scope.i32(BLOCK_CELLS * FACES);
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
  return { start, list, faceBox, vertexBox, face, owned, out: scope.i32(PAIR_RECORD * CAPACITY), scope };
}

it('finds the same pairs in the same order compiled and in TypeScript, all that meet and each once', () => {
  for (let seed = 1; seed <= 4; seed++) {
    const { start, list, faceBox, vertexBox, face, owned, out } = buildCase(seed);
    const views = [start, list, faceBox, vertexBox, face, owned] as const;
    const count = kernels.findBoxPairs(0, BLOCK_CELLS, ...views, out, 0, CAPACITY);
    const twin = new Int32Array(out.length);
    expect(findBoxPairsTwin(0, BLOCK_CELLS, ...views, twin, 0, CAPACITY)).toBe(count);
    expect(out.subarray(0, PAIR_RECORD * count).every((n, i) => n === twin[i])).toBe(true);
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
    for (let n = 0; n < count; n++) if (twin[PAIR_RECORD * n + 2] < 6) vertices++;
    expect(vertices).toBe(expected);
  }
});

it('counts on when there is no room, and writes no further', () => {
  const { start, list, faceBox, vertexBox, face, owned, out, scope } = buildCase(7);
  const views = [start, list, faceBox, vertexBox, face, owned] as const;
  const count = kernels.findBoxPairs(0, BLOCK_CELLS, ...views, out, 0, CAPACITY);
  const small = scope.i32(PAIR_RECORD * 20);
  expect(kernels.findBoxPairs(0, BLOCK_CELLS, ...views, small, PAIR_RECORD * 2, 10)).toBe(count);
  expect(small.slice(0, PAIR_RECORD * 2).every((n) => n === 0)).toBe(true);
  expect(small.slice(PAIR_RECORD * 2, PAIR_RECORD * 12)).toEqual(out.slice(0, PAIR_RECORD * 10));
  expect(small.slice(PAIR_RECORD * 12).every((n) => n === 0)).toBe(true);
});

it('runs compiled where views lie on a heap', () => {
  expect(isCompiled(createHeap().memory)).toBe(true);
});
