import { afterEach, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { isEdgeEdgeApart, isVertexTriangleApart, margin } from '../../../src/geometry/collision/filter.ts';
import { edgeEdgeDistance, vertexTriangleDistance } from '../../../src/geometry/collision/proximity.ts';

afterEach(() => {
  margin.fill(0);
});

const weights = new Float64Array(3);

it('with a margin, apart means farther than it at the start and at the end', () => {
  const random = createRandom(11);
  const kinds = [
    [isVertexTriangleApart, vertexTriangleDistance],
    [isEdgeEdgeApart, edgeEdgeDistance],
  ] as const;
  for (const [isApart, distance] of kinds) {
    let apart = 0;
    let near = 0;
    let wrong = 0;
    for (let n = 0; n < 30_000; n++) {
      const offset = n % 3 === 0 ? 1e4 : 0;
      const x0 = Float64Array.from({ length: 12 }, () => offset + random.next());
      const x1 = x0.map((x) => x + 0.2 * (random.next() - 0.5));
      margin[0] = 0.3 * random.next();
      margin[1] = 0.3 * random.next();
      const start = Math.sqrt(distance(x0, 0, 1, 2, 3, weights));
      const end = Math.sqrt(distance(x1, 0, 1, 2, 3, weights));
      if (!isApart(x0, x1, 0, 1, 2, 3)) {
        near++;
        continue;
      }
      apart++;
      // The distances themselves round.
      if (!(start > margin[0] * (1 - 1e-9) && end > margin[1] * (1 - 1e-9))) wrong++;
    }
    expect(wrong).toBe(0);
    expect(apart).toBeGreaterThan(2000);
    expect(near).toBeGreaterThan(2000);
  }
});
