import { expect, test } from 'vitest';
import { buildParticleFrame } from '../../../src/flow/volume/droplet-frame.ts';
import { validateParticleFrame } from '../../../src/io/check-frame.ts';
import type { LatticeModel } from '../../../src/methods/lattice/model.ts';

test('droplets are particles with their velocity, volume and the radius of a ball of it', () => {
  const droplets = Float64Array.of(1, 2, 3, 4, 5, 6, 1e-6, -1, -2, -3, -4, -5, -6, 8e-6);
  const frame = buildParticleFrame({} as LatticeModel, { droplets });
  validateParticleFrame(frame, 'droplets');
  expect(frame.count).toBe(2);
  expect([...frame.position]).toEqual([1, 2, 3, -1, -2, -3]);
  expect([...frame.fields['velocity'].values]).toEqual([4, 5, 6, -4, -5, -6]);
  const [small, large] = frame.fields['radius'].values;
  expect((4 / 3) * Math.PI * small ** 3).toBeCloseTo(1e-6, 12);
  expect(large / small).toBeCloseTo(2, 6);
  expect(buildParticleFrame({} as LatticeModel, { droplets: new Float64Array(0) }).count).toBe(0);
});
