import { afterAll, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import { createThreads } from '../../src/core/threads/node.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import * as vector from '../../src/linalg/vector.ts';

const heap = createHeap();
const teams = [createSingleThread(), await createThreads({ heap, count: 2 })];
afterAll(() => teams[1].close());

// none, one, within a chunk, exactly one chunk, one more, and many with an odd rest
const lengths = [0, 1, 1000, vector.VECTOR_GRAIN, vector.VECTOR_GRAIN + 1, 5 * vector.VECTOR_GRAIN + 77];

it.each(lengths)('primitives on %i entries do what they say, the same bits on 1 and 2 threads', (n) => {
  const outcomes = teams.map((threads) => {
    const scope = heap.scope('test');
    const random = createRandom(4);
    const [x, y, out] = [scope.f64(n), scope.f64(n), scope.f64(n)];
    for (let i = 0; i < n; i++) [x[i], y[i]] = [random.next() - 0.5, random.next() - 0.5];
    const [x0, y0] = [Float64Array.from(x), Float64Array.from(y)];
    const expectEach = (view: Float64Array, value: (i: number) => number) => {
      for (let i = 0; i < n; i++) if (view[i] !== value(i)) expect(view[i], `entry ${i}`).toBe(value(i));
    };

    vector.fill(threads, 3, out);
    expectEach(out, () => 3);
    vector.copy(threads, x, out);
    expectEach(out, (i) => x0[i]);
    vector.scale(threads, 2, out);
    expectEach(out, (i) => 2 * x0[i]);
    vector.combine(threads, 2, x, -3, y, out);
    expectEach(out, (i) => 2 * x0[i] + -3 * y0[i]);
    vector.multiply(threads, x, y, out);
    expectEach(out, (i) => x0[i] * y0[i]);
    vector.addScaled(threads, 0.5, x, y);
    expectEach(y, (i) => y0[i] + 0.5 * x0[i]);
    y.set(y0);
    vector.scaleAndAdd(threads, x, 0.5, y);
    expectEach(y, (i) => x0[i] + 0.5 * y0[i]);
    y.set(y0);
    const dot = vector.computeDot(threads, x, y);
    expect(dot).toBeCloseTo(
      x0.reduce((sum, value, i) => sum + value * y0[i], 0),
      10,
    );
    expect(vector.computeNorm(threads, x)).toBeCloseTo(
      Math.hypot(...x0.subarray(0, 1000)) || 0,
      n > 1000 ? -3 : 10,
    );
    expect(vector.computeMaxAbs(threads, x)).toBe(
      x0.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
    );
    const p = scope.f64(n).fill(1);
    const rr = vector.descend(threads, 0.25, p, y0.length ? y : p, x, out);
    expectEach(x, (i) => x0[i] + 0.25);
    expectEach(out, (i) => x0[i] * y0[i] - 0.25 * y0[i]);
    expect(rr).toBeCloseTo(
      out.reduce((sum, value) => sum + value * value, 0),
      9,
    );
    const result = [dot, rr, vector.computeNorm(threads, x)];
    scope.free();
    return result;
  });
  expect(outcomes[1]).toEqual(outcomes[0]);
});
