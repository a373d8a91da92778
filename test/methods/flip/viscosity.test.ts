import { describe, expect, it } from 'vitest';
import { FlipMarch } from '../../../cases/flip/setup.ts';
import { TORSION_RATE, torsionAt } from '../../../cases/flow/torsion.ts';
import { box, sphere } from '../../../src/geometry/shapes.ts';
import { materialPresets } from '../../../src/scene/materials.ts';
import { openThreads } from '../../threads.ts';

const { heap, one: threads } = await openThreads();
const thick = (viscosity: number) => ({ ...materialPresets['water'], viscosity });

describe('viscosity', () => {
  it('lets the torsion of a free ball decay with 6.25566 nu / R^2', () => {
    const R = 0.2;
    const nu = 0.1;
    const march = new FlipMarch(
      {
        domain: { min: [0, 0, 0], max: [1, 1, 1] },
        resolution: R / 4,
        liquid: sphere([0.5, 0.5, 0.5], R),
        gravity: [0, 0, 0],
        material: thick(1000 * nu),
      },
      { heap, threads },
    );
    const modeOf = (p: number) => {
      const { position: x } = march.state;
      return torsionAt((x[3 * p] - 0.5) / R, (x[3 * p + 1] - 0.5) / R, (x[3 * p + 2] - 0.5) / R);
    };
    const { velocity, volume } = march.state;
    for (let p = 0; p < volume.length; p++)
      velocity.set(
        modeOf(p).map((u) => 0.05 * u),
        3 * p,
      );
    const measure = () => {
      const { velocity: u, volume: v } = march.state;
      let sum = 0;
      for (let p = 0; p < v.length; p++) {
        const mode = modeOf(p);
        for (let a = 0; a < 3; a++) sum += v[p] * mode[a] * u[3 * p + a];
      }
      return sum;
    };
    march.step(0.01);
    const before = measure();
    for (let n = 0; n < 2; n++) march.step(0.01);
    // Backward Euler divides by 1 + rate dt.
    const rate = (Math.sqrt(before / measure()) - 1) / 0.01;
    // 4.1 % too slow at this size (docs/notebook/viscous.md); by eq. (14) it was 34 % too fast.
    expect(Math.abs(rate / ((TORSION_RATE * nu) / R ** 2) - 1)).toBeLessThan(0.06);
    march.free();
  });

  it('holds a thick liquid at a wall that it sticks to, and not at one that it slides along', () => {
    const fall = (wall: 'slip' | 'no-slip', steps: number) => {
      const march = new FlipMarch(
        {
          domain: { min: [0, 0, 0], max: [0.3, 0.3, 0.6] },
          resolution: 0.05,
          liquid: box([-1, -1, 0.2], [2, 2, 0.5]),
          material: thick(1000),
          wall,
        },
        { heap, threads },
      );
      const start = march.measure().centreOfMass[2];
      for (let n = 0; n < steps; n++) march.step(0.01);
      const fallen = start - march.measure().centreOfMass[2];
      march.free();
      return fallen / (0.5 * 9.81 * (0.01 * steps) ** 2);
    };
    // A plug in a shaft falls freely. One that sticks to a long square shaft falls 0.075 of that: the series
    // for the flow that gravity sets going in it. Its ends are free, which makes it a little faster.
    expect(fall('slip', 2)).toBeGreaterThan(0.97);
    expect(fall('no-slip', 8)).toBeLessThan(0.09);
  });
});
