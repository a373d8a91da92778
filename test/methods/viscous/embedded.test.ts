import { describe, expect, it } from 'vitest';
import { oddCorner, type Pool, stillPool, stirPool, tiltedPool } from '../../../cases/viscous/pool.ts';
import type { SceneParts } from '../../../cases/viscous/setup.ts';
import { ellipsoid, sphere } from '../../../src/geometry/shapes.ts';
import { viscous } from '../../../src/methods/viscous/viscous.ts';
import { copyState, expectSameState } from '../same-state.ts';
import { column, composeScene, heap, startScene, threads } from './scenes.ts';

const mesh = 'embedded';

describe('on an embedded mesh', () => {
  it('a column falls as on a stuffed one, and heat takes what gravity gives', () => {
    const [stuffed, embedded] = ['stuffed', mesh].map((kind) => {
      const { step, measure } = startScene({ ...column(100), options: { mesh: kind } });
      const start = measure();
      let heat = 0;
      for (let n = 0; n < 7; n++) {
        const { ledger, solver } = step(0.02);
        expect(solver['viscosity'].converged).toBe(true);
        heat -= ledger!.energy!.viscosity!;
        expect(Math.abs(measure().volume / start.volume - 1)).toBeLessThan(2e-3);
      }
      const end = measure();
      const given = start.potentialEnergy - end.potentialEnergy - end.kineticEnergy;
      return { fallen: start.centreOfMass[2] - end.centreOfMass[2], heat: heat / given, end };
    });
    expect(stuffed.fallen).toBeGreaterThan(0.02);
    expect(Math.abs(embedded.fallen / stuffed.fallen - 1)).toBeLessThan(0.05);
    expect(Math.abs(embedded.heat - 1)).toBeLessThan(0.1);
    expect(Math.abs(embedded.end.centreOfMass[0] - 0.2)).toBeLessThan(1e-3);
  });

  it('pools stay still, level and tilted, between lattice planes too', () => {
    const stir = (pool: Pool) => stirPool({ ...pool, options: { mesh, ...pool.options } }, { heap, threads });
    const sizing = { fields: [{ min: [0.1, 0.1, 0.1], max: [0.2, 0.2, 0.2], size: 0.04, slope: 0.5 }] };
    expect(stir({ ...stillPool, options: { sizing } })).toBeLessThan(1e-6);
    expect(stir(tiltedPool)).toBeLessThan(1e-6);
    expect(stir(oddCorner)).toBeLessThan(1e-3);
  });

  const ball = (options: Record<string, unknown>): SceneParts => ({
    domain: [
      [0, 0, 0],
      [0.4, 0.4, 0.4],
    ],
    resolution: 0.04,
    viscosity: 100,
    liquids: [{ shape: sphere([0.2, 0.2, 0.2], 0.1) }],
    options: { mesh, ...options },
  });

  it('a ball goes on turning as a rigid body', () => {
    const turn = (options: Record<string, unknown>): number => {
      const { state, step, measure } = startScene(ball(options));
      const { position, vertexCount } = state.mesh;
      const { velocity } = state.derived.rates;
      for (let v = 0; v < 3 * vertexCount; v += 3) {
        velocity[v] = -2 * (position[v + 1] - 0.2);
        velocity[v + 1] = 2 * (position[v] - 0.2);
      }
      step(0.02);
      const first = measure().angularMomentum[2];
      for (let n = 0; n < 4; n++) step(0.02);
      return measure().angularMomentum[2] / first;
    };
    expect(Math.abs(turn({}) - 1)).toBeLessThan(0.05);
    expect(Math.abs(turn({ stress: 'laplacian' }))).toBeLessThan(0.5);
  });

  it('surface tension rounds a drop as fast as on a stuffed mesh', () => {
    const [stuffed, embedded] = ['stuffed', mesh].map((kind) => {
      const { step, measure } = startScene({
        ...ball({ mesh: kind }),
        liquids: [{ shape: ellipsoid([0.2, 0.2, 0.2], [0.15, 0.12, 0.12]) }],
        surfaceTension: 100,
      });
      const before = measure().surfaceArea;
      for (let n = 0; n < 3; n++) step(0.02);
      return before - measure().surfaceArea;
    });
    expect(stuffed).toBeGreaterThan(0);
    expect(Math.abs(embedded / stuffed - 1)).toBeLessThan(0.2);
  });

  it('takes fewer tets where sizes ask for less, and asks for the coupled order', () => {
    const count = (options: Record<string, unknown>) => {
      const { state } = startScene({ ...column(100), resolution: 0.02, options: { mesh, ...options } });
      return state.mesh.tetCount;
    };
    const fine = count({});
    const fields = [{ min: [0, 0, 0], max: [0.4, 0.4, 0.02], size: 0.02, slope: 1 }];
    const coarse = count({ sizing: { surfaceLevels: 1, fields } });
    expect(coarse).toBeLessThan(0.75 * fine);
    const split = composeScene({ ...column(100), options: { mesh, order: 'viscosity-pressure' } });
    expect(() => viscous.check!(split)).toThrow(/one solve.*viscosity-pressure/);
    const unread = composeScene({ ...column(100), options: { sizing: { surfaceLevels: 1 } } });
    const notes = viscous.ignores!.flatMap((i) =>
      typeof i.notes === 'string' ? [i.notes] : i.notes(unread),
    );
    expect(notes.join()).toContain('viscous.sizing is read by embedded meshes alone');
  });

  it('the same bytes come after saving and restoring', () => {
    const scene = { ...column(20), options: { mesh } };
    const { state, step } = startScene(scene);
    step(0.02);
    const half = copyState(viscous.save(state));
    step(0.02);
    const model = viscous.build(composeScene(scene), { heap, threads });
    const restored = viscous.restore(model, half);
    viscous.step(model, restored, viscous.createWork(model), 0.02);
    expectSameState(viscous.save(restored), viscous.save(state));
  });
});
