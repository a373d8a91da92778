import { describe, expect, it } from 'vitest';
import { box, rotate } from '../../../src/geometry/shapes.ts';
import { startScene } from '../../methods/lattice/scenes.ts';

/** m, cells */
const CELL = 0.1;
const SIDES = [0.5, 0.37, 0.44];
const ROOM = 0.5 * 0.37 * 0.44;
/** m, its twelve edges */
const EDGES = 4 * (0.5 + 0.37 + 0.44);

/**
 * m^2, section of liquid where the block is, along its edges; without the snapping it is 0.07 to 0.09 cells
 * squared.
 */
const CUT = 0.04 * CELL ** 2;

/**
 * A block turned about an axis in a vessel full of liquid: the volume of the tets beside it and the smallest
 * tet.
 */
function fillAround(axis: [number, number, number], angle: number): { block: number; least: number } {
  const half = SIDES.map((s) => s / 2);
  const block = rotate(box([-half[0], -half[1], -half[2]], [half[0], half[1], half[2]]), axis, angle);
  const { state } = startScene({
    domain: [
      [-0.5, -0.5, -0.5],
      [0.5, 0.5, 0.5],
    ],
    resolution: CELL,
    liquids: [box([-1, -1, -1], [1, 1, 1])],
    solids: [block],
  });
  const volume = state.derived.geometry.volume.subarray(0, state.mesh.tetCount);
  return { block: 1 - volume.reduce((a, b) => a + b, 0), least: Math.min(...volume) };
}

describe('sharp edges of solids', () => {
  it('are vertices of the mesh, so that the liquid leaves a turned block its room', () => {
    for (const [axis, angle] of [
      [[0, 0, 1], 0.35],
      [[1, 1, 0], 0.6],
      [[1, 2, 3], 0.9],
      [[3, -1, 1], 1.3],
    ] as [[number, number, number], number][]) {
      const { block, least } = fillAround(axis, angle);
      expect(Math.abs(ROOM - block) / EDGES).toBeLessThan(CUT);

      expect(least).toBeGreaterThan(0);
    }
  });
});
