import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { NodeFit } from '../../../src/methods/flip/node-fit.ts';

describe('the fit at a node', () => {
  const random = createRandom(4);
  const linear = (x: number, y: number, z: number) => [1 + 2 * x - y, 3 * z, 0.5 - x + y + z];

  it('reads a linear function at the edge of its points, where their mean is far off', () => {
    const fit = new NodeFit();
    fit.begin();
    const value = new Float64Array(3);
    const mean = new Float64Array(3);
    for (let n = 0; n < 24; n++) {
      const at = Float64Array.of(2 * random.next() - 1, 2 * random.next() - 1, random.next());
      value.set(linear(at[0], at[1], at[2]));
      for (let a = 0; a < 3; a++) mean[a] += value[a] / 24;
      fit.add(1 + random.next(), at, value, 0);
    }
    const out = new Float64Array(3);
    expect(fit.finish(out, 0)).toBe(true);
    linear(0, 0, 0).forEach((expected, a) => {
      expect(Math.abs(out[a] - expected)).toBeLessThan(0.1);
    });
    // What it was before: z lies half a unit inside.
    expect(Math.abs(mean[1] - linear(0, 0, 0)[1])).toBeGreaterThan(1);
  });

  it('of one point is its value, and of none is nothing', () => {
    const fit = new NodeFit();
    const out = new Float64Array(3);
    fit.begin();
    expect(fit.finish(out, 0)).toBe(false);
    fit.add(2, Float64Array.of(0.3, 0.1, 0.2), Float64Array.of(9, 5, 6, 7), 1);
    expect(fit.finish(out, 0)).toBe(true);
    expect(Array.from(out)).toEqual([5, 6, 7]);
  });
});
