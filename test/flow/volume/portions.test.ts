/** Portions of the liquid: they add up to it, and each has what its hat function covers. */
import { describe, expect, it } from 'vitest';
import { Portions } from '../../../src/flow/volume/portions.ts';
import { tessellateEllipsoid } from '../../../src/mesh/tessellate.ts';
import type { TrackedSurface } from '../../../src/tracking/contouring/surface.ts';

const domain = [0, 0, 0, 1, 1, 1];
const CELL = 1 / 12;
const centre = [0.45, 0.5, 0.4] as const;
const radii = [0.3, 0.25, 0.35] as const;

function buildEllipsoid(): TrackedSurface {
  const mesh = tessellateEllipsoid(centre, radii);
  return { ...mesh, wall: new Uint8Array(mesh.triangleCount) };
}

/** By brute force: the hats summed over points of a fine grid inside the ellipsoid. */
function sumPoints(portions: Portions, count: number): { share: Float64Array; volume: number } {
  const share = new Float64Array(portions.count);
  const value = 1 / count ** 3;
  let volume = 0;
  for (let k = 0; k < count; k++)
    for (let j = 0; j < count; j++)
      for (let i = 0; i < count; i++) {
        const [x, y, z] = [i, j, k].map((n) => (n + 0.5) / count);
        const inside = [x, y, z].reduce((sum, at, a) => sum + ((at - centre[a]) / radii[a]) ** 2, 0) < 1;
        if (!inside) continue;
        portions.add(x, y, z, value, share);
        volume += value;
      }
  return { share, volume };
}

describe('portions', () => {
  const surface = buildEllipsoid();
  const bounds = [0, 1, 2]
    .map((a) => centre[a] - radii[a])
    .concat([0, 1, 2].map((a) => centre[a] + radii[a]));

  for (const [name, around] of [
    ['over the whole domain', domain],
    ['around the liquid', bounds],
  ] as const)
    it(`${name}: add up to the volume, and each holds its own part`, () => {
      const portions = new Portions(domain, CELL, around);
      const share = new Float64Array(portions.count);
      portions.addVolume(surface, 1, share);
      const exact = (4 / 3) * Math.PI * radii[0] * radii[1] * radii[2];
      expect(share.reduce((a, b) => a + b)).toBeCloseTo(exact, 2);
      const points = sumPoints(portions, 96);
      const scale = exact / points.volume;
      for (let n = 0; n < share.length; n++)
        expect(Math.abs(share[n] - scale * points.share[n])).toBeLessThan(2e-3 * exact);
      expect(Math.max(...share)).toBeGreaterThan(0.05 * exact);
    });

  it('share the free area, and leave out walls', () => {
    const portions = new Portions(domain, CELL, domain);
    const area = new Float64Array(portions.count);
    portions.addFreeArea(surface, area);
    const whole = area.reduce((a, b) => a + b);
    const half = new Float64Array(portions.count);
    portions.addFreeArea({ ...surface, wall: surface.wall.map((_, f) => f & 1) }, half);
    expect(half.reduce((a, b) => a + b)).toBeCloseTo(whole / 2, 2);
    const marked = portions.markAround(area);
    portions.add(0.45, 0.5, 0.05, 0, half);
    expect(portions.isMarked(marked)).toBe(true);
    expect(area.some((a, n) => a > 0 && marked[n] === 0)).toBe(false);
  });

  it('at a box are cleared', () => {
    const portions = new Portions(domain, CELL, domain);
    const field = new Float64Array(portions.count).fill(1);
    portions.clear({ min: [0.3, 0.3, 0.3], max: [0.4, 0.4, 0.4] }, field);
    expect(portions.read(0.35, 0.35, 0.35, field)).toBe(0);
    expect(portions.read(0.9, 0.9, 0.9, field)).toBe(1);
  });
});
