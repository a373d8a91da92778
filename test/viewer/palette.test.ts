import { describe, expect, it } from 'vitest';
import { PALETTE_SIZE, regionColor, seeColor } from '../../viewer/src/view/palette.ts';

/** OKLab distance of the nearest two among the first n colours, as each kind of eye sees them. */
function measureNearest(n: number): number[] {
  const nearest = [9, 9, 9];
  const seen = Array.from({ length: n }, (_, i) => seeColor(regionColor(i + 1).map((c) => c / 255)));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [seen[i][k], seen[j][k]];
        nearest[k] = Math.min(nearest[k], Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
      }
    }
  }
  return nearest;
}

describe('colours of regions', () => {
  // A difference of 0.02 in OKLab is just seen, side by side.
  it('differ for everyone, with and without all kinds of cones', () => {
    expect(Math.min(...measureNearest(4))).toBeGreaterThan(0.12);
    expect(Math.min(...measureNearest(8))).toBeGreaterThan(0.06);
    expect(Math.min(...measureNearest(PALETTE_SIZE))).toBeGreaterThan(0.03);
  });

  it('stay with their label', () => {
    expect(regionColor(3)).toEqual(regionColor(3));
    expect(regionColor(PALETTE_SIZE + 1)).toEqual(regionColor(1));
    expect(regionColor(2)).not.toEqual(regionColor(1));
  });
});
