/** The exact double bubble that films are held to: its own checks. */
import { describe, expect, it } from 'vitest';
import { computeDoubleBubble } from '../../../cases/films/double-bubble.ts';

describe('the double bubble', () => {
  it('of equal volumes has the known area', () => {
    const { radii, area } = computeDoubleBubble((9 / 8) * Math.PI, (9 / 8) * Math.PI);
    expect(radii[0]).toBeCloseTo(1, 6);
    expect(radii[1]).toBeCloseTo(1, 6);
    expect(area).toBeCloseTo((27 / 4) * Math.PI, 6);
  });

  it.each([
    [1, 1.2],
    [1, 3],
    [0.01, 7],
  ])('of volumes %d and %d: the area grows with each volume by its pressure, 2 / radius', (small, large) => {
    const { radii, area } = computeDoubleBubble(small, large);
    const measureSlope = (grow: (h: number) => [number, number], h: number) =>
      (computeDoubleBubble(...grow(h)).area - computeDoubleBubble(...grow(-h)).area) / (2 * h);
    expect(measureSlope((h) => [small + h, large], 1e-4 * small) * radii[0]).toBeCloseTo(2, 6);
    expect(measureSlope((h) => [small, large + h], 1e-4 * large) * radii[1]).toBeCloseTo(2, 6);
    // sum p V = 2/3 A
    expect((2 * small) / radii[0] + (2 * large) / radii[1]).toBeCloseTo((2 / 3) * area, 6);
  });
});
