import { describe, expect, it } from 'vitest';
import { box } from '../../../src/geometry/shapes.ts';
import { lattice } from '../../../src/methods/lattice/lattice.ts';
import { type SceneParts, startScene } from './scenes.ts';

const G = 9.81;
/** Contouring cells per lattice cell: what an unaided sheet loses hangs on it. */
const REFINED = { surfaceRefinement: 2 };
/** Lattice cells of 0.1 m, contouring cells of 0.05 m: the sheet is 0.6 and 1.2 of them thick. */
const sheet: SceneParts = {
  domain: [
    [0, 0, 0],
    [1, 1, 1],
  ],
  resolution: 0.1,
  gravity: [0, 0, -G],
  liquids: [box([0.22, 0.22, 0.71], [0.78, 0.78, 0.77])],
  options: { ...REFINED, volumeCorrection: false, thickening: { mesh: true, surface: true } },
};

/** Cells of a thinner sheet, such that no point of the BCC lattice lies in it. */
const film: SceneParts = { ...sheet, liquids: [box([0.22, 0.22, 0.71], [0.78, 0.78, 0.74])] };

describe('thickening in the step', () => {
  it('gives a sheet thinner than the lattice its tets, lets it fall along the parabola and slows its loss', () => {
    const fallen = 0.5 * G * 0.2 ** 2;
    const left = [false, true].map((surface) => {
      const thickening = { mesh: true, surface, thinness: 1.75 };
      const { model, state, step } = startScene({
        ...sheet,
        options: { ...REFINED, volumeCorrection: false, thickening },
      });
      const before = lattice.measure(model, state);
      expect(before.tets).toBeGreaterThan(500);
      for (let n = 0; n < 10; n++) expect(step(0.02).events!['droplets']).toBe(0);
      const after = lattice.measure(model, state);
      const way = before.centreOfMass![2] - after.centreOfMass![2];
      expect(Math.abs(way - fallen)).toBeLessThan(0.02 * fallen);
      state.scope.free();
      return after.volume! / before.volume!;
    });
    // A square plate of 11 x 11 x 1.2 contouring cells loses its sharp rim; unaided it loses half of itself.
    expect(left[0]).toBeLessThan(0.7);
    expect(left[1]).toBeGreaterThan(0.8);
    expect(left[1]).toBeLessThan(1.05);
  });

  it('encloses the surface with the mesh: every vertex of the sheet lies among tets', () => {
    const { state } = startScene(sheet);
    const low = Math.min(...zOf(state.mesh.position));
    const high = Math.max(...zOf(state.mesh.position));
    expect(low).toBeLessThan(0.71 - 0.02);
    expect(high).toBeGreaterThan(0.77 + 0.02);
    state.scope.free();
  });

  it('without it a film holds no tets, and says so', () => {
    const bare = { ...film, options: { ...REFINED, thickening: { mesh: false } } };
    expect(() => startScene(bare)).toThrow(/thin|no liquid/);
  });

  it('continues from a saved state to the last bit: particles are no part of it', () => {
    const straight = startScene(sheet);
    straight.step(0.02);
    const restored = lattice.restore(straight.model, structuredClone(lattice.save(straight.state)));
    const work = lattice.createWork(straight.model);
    straight.step(0.02);
    lattice.step(straight.model, restored, work, 0.02);
    expect(restored.surface.position).toEqual(straight.state.surface.position);
    expect(restored.faceVelocity).toEqual(straight.state.faceVelocity);
    restored.scope.free();
    straight.state.scope.free();
  });
});

function zOf(position: Float64Array): number[] {
  return Array.from({ length: position.length / 3 }, (_, v) => position[3 * v + 2]);
}
