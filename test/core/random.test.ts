import { expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';

it('repeats itself for a seed and differs between seeds', () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 10 }, random.nextUint32);
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(new Set(draw(0)).size).toBe(10);
});

it('is uniform: mean, variance and serial correlation of 100,000 numbers', () => {
  const random = createRandom(3);
  const n = 100_000;
  let sum = 0;
  let square = 0;
  let serial = 0;
  let last = random.next();
  for (let i = 0; i < n; i++) {
    const x = random.next();
    expect(x >= 0 && x < 1).toBe(true);
    sum += x;
    square += x * x;
    serial += (x - 0.5) * (last - 0.5);
    last = x;
  }
  const mean = sum / n;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.004); // four standard errors
  expect(Math.abs(square / n - mean * mean - 1 / 12)).toBeLessThan(0.001);
  expect(Math.abs(serial / n)).toBeLessThan(0.001);
});

it('continues from a saved state', () => {
  const random = createRandom(5);
  random.next();
  const saved = random.save();
  const expected = [random.next(), random.next()];
  const other = createRandom(99);
  other.restore(saved);
  expect([other.next(), other.next()]).toEqual(expected);
});
