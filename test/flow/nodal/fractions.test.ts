import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { computeTetFraction } from '../../../src/flow/nodal/fractions.ts';

/** By points spread evenly over the tet: sorted uniform numbers are barycentric coordinates. */
function sampleFraction(values: readonly number[], samples: number): number {
  const random = createRandom(7);
  let inside = 0;
  for (let n = 0; n < samples; n++) {
    const cut = [random.next(), random.next(), random.next()].sort((a, b) => a - b);
    const b = [cut[0], cut[1] - cut[0], cut[2] - cut[1], 1 - cut[2]];
    if (b.reduce((sum, share, i) => sum + share * values[i], 0) > 0) inside++;
  }
  return inside / samples;
}

describe('the part of a tet where a linear function is positive', () => {
  it('is what points spread over it say, whatever corners are inside', () => {
    const random = createRandom(3);
    for (let signs = 0; signs < 16; signs++) {
      const v = [0, 1, 2, 3].map((i) => ((signs >> i) & 1 ? 1 : -1) * (0.05 + random.next()));
      expect(Math.abs(computeTetFraction(v[0], v[1], v[2], v[3]) - sampleFraction(v, 40_000))).toBeLessThan(
        0.01,
      );
    }
  });

  it('and the part where it is negative make one', () => {
    const random = createRandom(4);
    for (let n = 0; n < 1000; n++) {
      const [a, b, c, d] = [0, 1, 2, 3].map(() => random.next() - 0.5);
      expect(computeTetFraction(a, b, c, d) + computeTetFraction(-a, -b, -c, -d)).toBeCloseTo(1, 12);
    }
  });

  it('a wall through a face or an edge leaves all or nothing', () => {
    expect(computeTetFraction(1, 0, 0, 0)).toBe(1);
    expect(computeTetFraction(-1, 0, 0, 0)).toBe(0);
    expect(computeTetFraction(1, 1, 0, 0)).toBe(1);
    for (let zero = 0; zero < 4; zero++) {
      const [a, b, c, d] = [0, 1, 2, 3].map((i) => (i === zero ? 0 : 0.2));
      expect(computeTetFraction(a, b, c, d)).toBe(1);
    }
  });
});
