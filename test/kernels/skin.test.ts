/** Kernels of the skin of particles against their plain forms, bit by bit. */
import { expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { indexTriangles } from '../../src/tracking/skinning/level.ts';
import { orderBalls } from '../../src/tracking/skinning/order.ts';
import { buildSkin } from '../../src/tracking/skinning/skin.ts';
import { buildStars, countScratch, STARS, TABLE } from '../../src/tracking/skinning/stars.ts';
import { buildStacks, findSkinValues, POINTS, SKIPPED } from '../../src/tracking/skinning/value.ts';
import { expectSameBits } from './same-bits.ts';

const heap = createHeap({ maximumBytes: 2 ** 26 });
const scope = heap.scope('test');

/** Balls of several sizes, some of them inside others and some alone. */
function scatter(count: number) {
  const random = createRandom(11);
  const radius = Float64Array.from({ length: count }, () => 0.04 * 20 ** -random.next());
  const position = Float64Array.from({ length: 3 * count }, () => 0.5 * random.next());
  position.set(position.subarray(0, 3), 3);
  return { position, radius };
}

const balls = scatter(600);

it('buildStars', () => {
  const ordered = orderBalls(balls, scope);
  for (const { room, most } of [
    { room: 64 * STARS, most: 256 },
    { room: 1000, most: 256 },
    { room: 64 * STARS, most: 8 },
  ]) {
    const { values } = expectSameBits(buildStars, 0, STARS, {
      ...ordered,
      first: 300,
      room,
      most,
      table: TABLE,
      out: new Int32Array(room),
      size: new Int32Array(600),
      needed: new Int32Array(2),
      scratch: new Int32Array(countScratch(most)),
    });
    expect(values.needed[most === 8 ? 1 : 0]).toBeGreaterThan(most === 8 ? 8 : 1000);
  }
});

it('findSkinValues', () => {
  const threads = createSingleThread();
  const skin = buildSkin(balls, { heap, threads }, scope);
  const random = createRandom(2);
  const point = Float64Array.from({ length: 3 * POINTS }, () => 1.2 * random.next() - 0.3);
  const bound = Float64Array.from({ length: POINTS }, (_, n) =>
    n % 7 === 3 ? SKIPPED : n % 3 === 0 ? Number.NEGATIVE_INFINITY : -0.02,
  );
  for (const follows of [0, 1])
    expectSameBits(findSkinValues, 0, POINTS, {
      ...skin,
      follows,
      point,
      bound,
      value: new Float64Array(POINTS),
      element: new Int32Array(POINTS),
      scratch: buildStacks(POINTS, scope).slice(),
    });
  // A mesh: of triangles there is the distance to both sides.
  const mesh = {
    vertexCount: 600,
    triangleCount: 200,
    position: balls.position,
    triangle: Int32Array.from({ length: 600 }, (_, n) => n),
  };
  expectSameBits(findSkinValues, 0, POINTS, {
    ...indexTriangles(mesh, threads, scope),
    follows: 1,
    point,
    bound,
    value: new Float64Array(POINTS),
    element: new Int32Array(POINTS),
    scratch: buildStacks(POINTS, scope).slice(),
  });
});
