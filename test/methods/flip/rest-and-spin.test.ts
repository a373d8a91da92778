import { describe, expect, it } from 'vitest';
import { FlipMarch, GRAVITY } from '../../../cases/flip/setup.ts';
import { SPIN, spinBall } from '../../../cases/flip/spin.ts';
import { box } from '../../../src/geometry/shapes.ts';
import { measureVolume } from '../../../src/mesh/trimesh-measure.ts';
import { flip } from '../../../src/methods/flip/flip.ts';
import { openThreads } from '../../threads.ts';

const { heap, one: threads } = await openThreads();

describe('what should last', () => {
  it('a pool with its skin and its density correction lies still, and its surface holds what the particles hold', () => {
    const height = 0.32;
    const march = new FlipMarch(
      {
        domain: { min: [0, 0, 0], max: [0.64, 0.64, 0.64] },
        resolution: 0.08,
        liquid: box([-1, -1, -1], [2, 2, height]),
      },
      { heap, threads },
    );
    let fastest = 0;
    for (let n = 0; n < 12; n++) {
      march.step(march.stableStep(1 / 30));
      fastest = Math.max(fastest, march.measure().maxSpeed);
    }
    // It was 4e-3 before particles counted as cubes.
    expect(fastest / Math.sqrt(GRAVITY * height)).toBeLessThan(1e-5);
    const { mesh } = flip.surface!(march.model, march.state);
    expect(Math.abs(measureVolume(mesh) / march.measure().volume - 1)).toBeLessThan(1e-4);
    march.free();
  });

  it.each(['flip', 'apic'] as const)('a ball that spins keeps its angular momentum (%s)', (transfer) => {
    const march = spinBall(transfer, { heap, threads });
    const before = march.measure().angularMomentum[2];
    march.marchTo((0.05 * 2 * Math.PI) / SPIN, 0.02);
    // In a twentieth of a turn; before, 1.2 % with flip and 7 % with apic.
    expect(Math.abs(march.measure().angularMomentum[2] / before - 1)).toBeLessThan(6e-3);
    march.free();
  });
});
