import { expect, it } from 'vitest';
import { createSets, findRoot, unite } from '../../src/core/disjoint-sets.ts';
import { createRandom } from '../../src/core/random.ts';

it('names each set by its least member, as flooding a graph does', () => {
  const random = createRandom(7);
  const count = 200;
  const parent = createSets(count);
  const name = Array.from({ length: count }, (_, n) => n);
  for (let k = 0; k < 260; k++) {
    const [m, n] = [random.nextInt(count), random.nextInt(count)];
    unite(parent, m, n);
    const [low, high] = [Math.min(name[m], name[n]), Math.max(name[m], name[n])];
    for (let i = 0; i < count; i++) if (name[i] === high) name[i] = low;
    if (k % 20 === 0) expect(name.map((_, i) => findRoot(parent, i))).toEqual(name);
  }
  expect(name.map((_, i) => findRoot(parent, i))).toEqual(name);
  expect(new Set(name).size).toBeLessThan(40);
  expect(new Set(name).size).toBeGreaterThan(1);
});
