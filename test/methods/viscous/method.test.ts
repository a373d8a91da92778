import { describe, expect, it } from 'vitest';
import { oddWall, type Pool, stillPool, stirPool, tiltedPool } from '../../../cases/viscous/pool.ts';
import type { Vec3 } from '../../../src/core/types.ts';
import { sphere } from '../../../src/geometry/shapes.ts';
import { column, heap, startScene, threads } from './scenes.ts';

describe('a column', () => {
  it('falls, spreads and keeps its volume; heat takes what gravity gives', () => {
    const { state, step, measure } = startScene(column(100));
    const start = measure();
    let heat = 0;
    for (let n = 0; n < 14; n++) {
      const { ledger, solver } = step(0.02);
      expect(solver['viscosity'].converged).toBe(true);
      const before = heat;
      heat -= ledger!.energy!.viscosity!;
      expect(heat).toBeGreaterThan(before);
      expect(Math.abs(measure().volume / start.volume - 1)).toBeLessThan(2e-3);
    }
    const end = measure();
    const fallen = start.centreOfMass[2] - end.centreOfMass[2];
    expect(fallen).toBeGreaterThan(0.02);
    expect(fallen).toBeLessThan(0.06);
    // Symmetric, and not yet at the walls.
    expect(Math.abs(end.centreOfMass[0] - 0.2)).toBeLessThan(1e-3);
    let reach = 0;
    for (let v = 0; v < 3 * state.surface.vertexCount; v += 3)
      reach = Math.max(reach, state.surface.position[v] - 0.2);
    expect(reach).toBeGreaterThan(0.09);
    expect(reach).toBeLessThan(0.19);
    const given = start.potentialEnergy - end.potentialEnergy - end.kineticEnergy;
    expect(heat / given).toBeGreaterThan(0.8);
    expect(heat / given).toBeLessThan(1.2);
  });

  it('falls the slower the thicker it is', () => {
    const heights = [5, 50, 500].map((viscosity) => {
      const { step, measure } = startScene(column(viscosity));
      for (let n = 0; n < 8; n++) step(0.02);
      return measure().centreOfMass[2];
    });
    expect(heights[1] - heights[0]).toBeGreaterThan(0.005);
    expect(heights[2] - heights[1]).toBeGreaterThan(0.005);
  });
});

describe('a ball without gravity', () => {
  const R = 0.1;
  const centre: Vec3 = [0.2, 0.2, 0.2];
  const spin = 2;

  /** Turns as a rigid body; returns what is left of its angular momentum. */
  function turn(options: Record<string, unknown>): number {
    const started = startScene({
      domain: [
        [0, 0, 0],
        [0.4, 0.4, 0.4],
      ],
      resolution: 0.04,
      viscosity: 100,
      liquids: [{ shape: sphere(centre, R) }],
      options,
    });
    const { state, step, measure } = started;
    const { position, vertexCount } = state.mesh;
    const { velocity } = state.derived.rates;
    for (let v = 0; v < 3 * vertexCount; v += 3) {
      velocity[v] = -spin * (position[v + 1] - centre[1]);
      velocity[v + 1] = spin * (position[v] - centre[0]);
    }
    const about = () => {
      step(0.02);
      return measure().angularMomentum[2];
    };
    const first = about();
    for (let n = 0; n < 5; n++) about();
    return about() / first;
  }

  it('goes on turning as a rigid body, however viscous it is', () => {
    expect(Math.abs(turn({}) - 1)).toBeLessThan(0.05);
  });

  it('stops turning with the Laplacian, which is for comparison only', () => {
    expect(Math.abs(turn({ stress: 'laplacian' }))).toBeLessThan(0.5);
  });
});

describe('the surface', () => {
  it('moves by its vertices where it creeps, and is contoured anew after enough of that', () => {
    const { state, step, measure } = startScene(column(5000));
    let contoured = 0;
    let kept = 0;
    let height = measure().centreOfMass[2];
    const steps = 16;
    for (let n = 0; n < steps; n++) {
      const before = state.surface.triangle.slice();
      const { events } = step(0.025);
      contoured += events['contoured'];
      if (events['contoured'] === 0) {
        expect(
          Buffer.compare(Buffer.from(before.buffer), Buffer.from(state.surface.triangle.slice().buffer)),
        ).toBe(0);
        kept++;
      }
      const now = measure().centreOfMass[2];
      if (n > 1) expect(now).toBeLessThan(height);
      height = now;
    }
    expect(kept).toBeGreaterThan(steps / 2);
    expect(contoured).toBeLessThan(steps / 2);
  });
});

describe('a graded pool', () => {
  const stir = (pool: Pool) => stirPool({ ...pool, options: { interiorLevels: 3 } }, { heap, threads });

  it('stays still, level and tilted, between lattice planes too', () => {
    expect(stir(stillPool)).toBeLessThan(1e-6);
    expect(stir(tiltedPool)).toBeLessThan(1e-6);
    expect(stir(oddWall)).toBeLessThan(1e-6);
  });
});
