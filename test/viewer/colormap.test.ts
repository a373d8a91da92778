import { describe, expect, it } from 'vitest';
import { COLOR_MAPS, findColorMap, fitRange, measureLightness } from '../../viewer/src/view/colormap.ts';

function lightnessOf(name: string): number[] {
  const { bytes } = findColorMap(name);
  return Array.from({ length: 256 }, (_, i) =>
    measureLightness(bytes[4 * i] / 255, bytes[4 * i + 1] / 255, bytes[4 * i + 2] / 255),
  );
}

describe('colour maps', () => {
  it.each(['lagoon', 'ember', 'grey'])('%s climbs in lightness by equal steps', (name) => {
    const lightness = lightnessOf(name);
    const mean = (lightness[255] - lightness[0]) / 255;
    expect(mean).toBeGreaterThan(0.6 / 255);
    // Eight steps at a time: bytes are coarse. Half the mean step would be a visible plateau.
    for (let i = 8; i < 256; i += 8) {
      const step = (lightness[i] - lightness[i - 8]) / 8;
      expect(step).toBeGreaterThan(0.7 * mean);
      expect(step).toBeLessThan(1.3 * mean);
    }
  });

  it('tide is as dark at one end as at the other and lightest in the middle', () => {
    const lightness = lightnessOf('tide');
    expect(Math.abs(lightness[0] - lightness[255])).toBeLessThan(0.02);
    expect(Math.max(...lightness)).toBeCloseTo(Math.max(lightness[127], lightness[128]), 2);
  });

  it('only a map with a middle puts it at 0, whatever the values', () => {
    const tide = findColorMap('tide');
    expect(fitRange(tide, [-1, 3])).toEqual([-3, 3]);
    expect(fitRange(tide, [2, 3])).toEqual([-3, 3]);
    expect(fitRange(tide, [-5, -4])).toEqual([-5, 5]);
    expect(fitRange(tide, [0, 0])).toEqual([-1, 1]);
    for (const name of ['lagoon', 'ember', 'grey'])
      expect(fitRange(findColorMap(name), [-1, 3])).toEqual([-1, 3]);
  });

  it('a field that is the same everywhere has one colour, not that of its roundoff', () => {
    const lagoon = findColorMap('lagoon');
    for (const value of [100, -3, 1e-7, 0]) {
      const [min, max] = fitRange(lagoon, [value, Math.fround(value * (1 + 2e-7))]);
      expect((value - min) / (max - min)).toBeCloseTo(0.5, 4);
    }
    expect(fitRange(lagoon, [101_320, 101_330])).toEqual([101_320, 101_330]);
  });

  it('maps differ from one another', () => {
    const middles = COLOR_MAPS.map(({ bytes }) => bytes.slice(4 * 80, 4 * 80 + 3).join());
    expect(new Set(middles).size).toBe(COLOR_MAPS.length);
  });
});
