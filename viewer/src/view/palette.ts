/**
 * Colours of regions: chosen one after another, each as far as can be from those before it, as people with
 * normal vision, without red cones and without green cones see them; whichever sees the least difference
 * decides. Distances are in OKLab. A label keeps its colour for ever: the palette is fixed, and labels beyond
 * its end begin again.
 */
import { oklchToSrgb } from './colormap.ts';

/** As many as stay apart; neighbours in a foam of hundreds seldom share one. */
export const PALETTE_SIZE = 24;

/** Linear sRGB as seen without red cones and without green cones (Vienot, Brettel and Mollon 1999). */
const PROTANOPIA = [0.11238, 0.88762, 0, 0.11238, 0.88762, 0, 0.00401, -0.00401, 1];
const DEUTERANOPIA = [0.29275, 0.70725, 0, 0.29275, 0.70725, 0, -0.02234, 0.02234, 1];
const NORMAL = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** Differences that only normal vision sees count less than those that everyone sees. */
const NORMAL_WEIGHT = 0.7;

interface Swatch {
  readonly rgb: readonly [number, number, number];
  /** OKLab as the three kinds of eyes see it. */
  readonly seen: readonly (readonly [number, number, number])[];
}

const decode = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

function toOklab(rgb: readonly number[]): [number, number, number] {
  const [r, g, b] = rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** A colour as the three kinds of eyes see it; rgb gamma-encoded, 0..1. */
export function seeColor(rgb: readonly number[]): [number, number, number][] {
  const linear = rgb.map(decode);
  return [NORMAL, PROTANOPIA, DEUTERANOPIA].map((m) =>
    toOklab([0, 1, 2].map((i) => m[3 * i] * linear[0] + m[3 * i + 1] * linear[1] + m[3 * i + 2] * linear[2])),
  );
}

function measureApart(a: Swatch, b: Swatch): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    const [p, q] = [a.seen[k], b.seen[k]];
    const distance = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    least = Math.min(least, k === 0 ? NORMAL_WEIGHT * distance : distance);
  }
  return least;
}

function buildPalette(): Uint8Array {
  const candidates: Swatch[] = [];
  // Neither so dark nor so light that light and shade on the surface are lost; colourful, but not shrill.
  for (let lightness = 0.58; lightness < 0.9; lightness += 0.04) {
    for (const chroma of [0.08, 0.115, 0.15]) {
      for (let hue = 0; hue < 360; hue += 10) {
        // Dark yellows are mud, and light colours at full strength are neon.
        const muddy = hue >= 40 && hue <= 130 && lightness < 0.68;
        if (muddy || (lightness > 0.76 && chroma > 0.12)) continue;
        const rgb = oklchToSrgb(lightness, chroma, hue);
        if (rgb.every((c) => c >= 0 && c <= 1)) candidates.push({ rgb, seen: seeColor(rgb) });
      }
    }
  }
  const first = oklchToSrgb(0.7, 0.12, 240);
  const chosen: Swatch[] = [{ rgb: first, seen: seeColor(first) }];
  const nearest = candidates.map((candidate) => measureApart(candidate, chosen[0]));
  while (chosen.length < PALETTE_SIZE) {
    const best = nearest.indexOf(Math.max(...nearest));
    chosen.push(candidates[best]);
    for (let i = 0; i < candidates.length; i++)
      nearest[i] = Math.min(nearest[i], measureApart(candidates[i], candidates[best]));
  }
  return Uint8Array.from(chosen.flatMap(({ rgb }) => rgb.map((c) => Math.round(255 * c))));
}

const palette = buildPalette();

/** sRGB bytes of a region's colour; labels count from 1. */
export function regionColor(label: number): [number, number, number] {
  const i = 3 * ((label - 1) % PALETTE_SIZE);
  return [palette[i], palette[i + 1], palette[i + 2]];
}

export const regionCss = (label: number): string => `rgb(${regionColor(label).join(' ')})`;
