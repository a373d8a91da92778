import { describe, expect, it } from 'vitest';
import { measureRoundness } from '../../../cases/films/roundness.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';

/** A sphere of many faces with its radius changed by direction. */
function measure(radius: (x: number, y: number, z: number) => number) {
  const { position, triangle, label } = buildSpheres([{ levels: 4 }]);
  const p = Float64Array.from(position);
  for (let v = 0; v < p.length; v += 3) {
    const r = radius(p[v], p[v + 1], p[v + 2]);
    for (let k = v; k < v + 3; k++) p[k] = 3 + r * p[k];
  }
  return measureRoundness(p, triangle, label);
}

describe('roundness', () => {
  it('of a sphere off the origin is nothing', () => {
    const { shape, bumps, cornerOverFace } = measure(() => 2);
    expect(shape).toBeLessThan(1e-9);
    expect(bumps).toBeLessThan(1e-9);
    expect(Math.abs(cornerOverFace - 1)).toBeLessThan(1e-9);
  });

  it('sees an ellipsoid and a cube as shape', () => {
    // Legendre's P2 has a mean square of 1/5.
    const drawn = measure((_x, _y, z) => 1 + 0.05 * (1.5 * z * z - 0.5));
    expect(Math.abs(drawn.shape - 0.05 / Math.sqrt(5))).toBeLessThan(5e-4);
    const cube = measure((x, y, z) => 1 / Math.max(Math.abs(x), Math.abs(y), Math.abs(z)));
    expect(cube.shape).toBeGreaterThan(0.1);
    expect(cube.cornerOverFace).toBeGreaterThan(1.45);
  });

  it('leaves what is finer to the bumps', () => {
    // P6, mean square 1/13.
    const p6 = (z: number) => (231 * z ** 6 - 315 * z ** 4 + 105 * z * z - 5) / 16;
    const { shape, bumps } = measure((_x, _y, z) => 1 + 0.05 * p6(z));
    expect(shape).toBeLessThan(2e-3);
    expect(Math.abs(bumps - 0.05 / Math.sqrt(13))).toBeLessThan(1e-3);
  });
});
