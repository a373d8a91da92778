import { describe, expect, it } from 'vitest';
import { box, intersection, sphere } from '../../../src/geometry/shapes.ts';
import { lattice } from '../../../src/methods/lattice/lattice.ts';
import { viscous } from '../../../src/methods/viscous/viscous.ts';
import { composeScene as composeViscous } from '../viscous/scenes.ts';
import { composeScene, heap, type SceneParts, startScene, threads } from './scenes.ts';

const g = 9.81;
/** Pa s */
const VISCOSITY = 300;
const column: SceneParts = {
  domain: [
    [0, 0, 0],
    [0.4, 0.4, 0.3],
  ],
  resolution: 0.025,
  gravity: [0, 0, -g],
  wall: 'no-slip',
  viscosity: VISCOSITY,
  liquids: [box([0.13, 0.13, -1], [0.27, 0.27, 0.21])],
};
const STEPS = 8;
/** Steps that count: the two methods set out differently from rest. */
const COUNTED = 6;
const DT = 0.015;

/** How far a column's middle falls, and the heat it makes. */
function fall(viscosity: boolean): { fallen: number; heat: number } {
  const { model, state, step } = startScene({ ...column, options: { viscosity } });
  const heightOf = () => lattice.measure(model, state).centreOfMass![2];
  let start = 0;
  let heat = 0;
  for (let n = 0; n < STEPS; n++) {
    if (n === STEPS - COUNTED) start = heightOf();
    const { solver, ledger } = step(DT);
    for (const { converged } of Object.values(solver)) expect(converged).toBe(true);
    expect('viscosity' in solver).toBe(viscosity);
    if (n >= STEPS - COUNTED) heat -= ledger!.energy!.viscosity ?? 0;
  }
  return { fallen: start - heightOf(), heat };
}

describe('viscosity in the lattice method', () => {
  it('lets a thick column fall as the viscous method does, in its split order', () => {
    const thick = fall(true);
    const thin = fall(false);
    const { domain, resolution } = column;
    const scene = {
      ...{ domain, resolution, gravity: [0, 0, -g] as const, viscosity: VISCOSITY },
      liquids: [{ shape: box([0.13, 0.13, -1], [0.27, 0.27, 0.21]) }],
      options: { order: 'viscosity-pressure', lineSlip: 0 },
    };
    const model = viscous.build(composeViscous(scene), { heap, threads });
    const state = viscous.start(model);
    const work = viscous.createWork(model);
    const heightOf = () => viscous.measure(model, state).centreOfMass![2];
    let start = 0;
    for (let n = 0; n < STEPS; n++) {
      if (n === STEPS - COUNTED) start = heightOf();
      viscous.step(model, state, work, DT);
    }
    expect(Math.abs(thick.fallen / (start - heightOf()) - 1)).toBeLessThan(0.05);
    expect(thin.fallen).toBeGreaterThan(2 * thick.fallen);
    expect(thin.heat).toBe(0);
    // Heat takes what gravity gives.
    const given = 1000 * 0.14 * 0.14 * 0.21 * g * thick.fallen;
    expect(thick.heat / given).toBeGreaterThan(0.8);
    expect(thick.heat / given).toBeLessThan(1.2);
  });

  it('slows a shear down and keeps its momentum', () => {
    const half = (from: number, to: number, speed: number) => ({
      shape: intersection(sphere([0.2, 0.2, 0.2], 0.1), box([-1, -1, from], [1, 1, to])),
      velocity: [speed, 0, 0] as const,
    });
    const run = (viscosity: boolean) => {
      const { model, state, step } = startScene({
        ...column,
        gravity: [0, 0, 0],
        viscosity: 30,
        // They overlap by a contouring cell and more: halves that only touch have a crack of air between them.
        liquids: [half(-1, 0.2, 0.3), half(0.18, 1, -0.1)],
        options: { viscosity },
      });
      const measure = () => lattice.measure(model, state);
      step(0.01);
      const before = measure();
      for (let n = 0; n < 4; n++) step(0.01);
      const after = measure();
      const momentum = after.momentum![0] / before.momentum![0];
      const own = (m: typeof before) => m.kineticEnergy! - m.momentum![0] ** 2 / (2 * m.mass!);
      return { momentum, left: own(after) / own(before) };
    };
    const [thick, thin] = [run(true), run(false)];
    expect(Math.abs(thick.momentum - 1)).toBeLessThan(0.02);
    expect(thick.left).toBeLessThan(0.8 * thin.left);
  });

  it('refuses liquids of different viscosity', () => {
    const scene = composeScene({ ...column, options: { viscosity: true } });
    const [first] = scene.liquids;
    const other = { ...first, material: { ...first.material, viscosity: 7 } };
    expect(() => lattice.check!({ ...scene, liquids: [first, other] })).toThrow(
      /one viscosity.*300 and 7 Pa s/,
    );
  });
});
