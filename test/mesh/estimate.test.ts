import { expect, it } from 'vitest';
import { estimateTets } from '../../src/mesh/lattice/estimate.ts';

it('of liquid whose area is not known the tets are still a number', () => {
  const tets = estimateTets({ volume: 1e-6, area: 0 }, 0.06, 3);
  expect(tets).toBeGreaterThan(0);
  expect(tets).toBeLessThan(1);
});
