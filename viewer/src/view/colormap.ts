/**
 * Colour maps built in OKLab (Ottosson 2020), whose lightness is perceptual: a sequential map climbs in
 * lightness by equal steps, a diverging one falls away equally on both sides of its middle. Hue sweeps along;
 * chroma is cut back to the sRGB gamut by bisection, which leaves lightness and hue alone.
 */
export interface ColorMap {
  readonly name: string;
  /** Its middle means 0. */
  readonly diverging: boolean;
  /** (256 x 4) sRGB bytes */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const SIZE = 256;

/** OKLCH (lightness 0..1, chroma, hue in degrees) to gamma-encoded sRGB; entries may leave 0..1. */
export function oklchToSrgb(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encodeGamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encodeGamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encodeGamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** OKLab lightness of an sRGB colour in 0..1: what the uniformity test measures. */
export function measureLightness(red: number, green: number, blue: number): number {
  const [r, g, b] = [decodeGamma(red), decodeGamma(green), decodeGamma(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
}

function encodeGamma(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

function decodeGamma(encoded: number): number {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}

function inGamut(rgb: readonly number[]): boolean {
  return rgb.every((value) => value >= -1e-4 && value <= 1 + 1e-4);
}

function fitGamut(lightness: number, chroma: number, hue: number): [number, number, number] {
  let rgb = oklchToSrgb(lightness, chroma, hue);
  if (inGamut(rgb)) return rgb;
  let low = 0;
  let high = chroma;
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (inGamut(oklchToSrgb(lightness, middle, hue))) low = middle;
    else high = middle;
  }
  rgb = oklchToSrgb(lightness, low, hue);
  return rgb;
}

function buildMap(name: string, curve: (t: number) => [number, number, number], diverging = false): ColorMap {
  const bytes = new Uint8Array(4 * SIZE);
  for (let i = 0; i < SIZE; i++) {
    const rgb = fitGamut(...curve(i / (SIZE - 1)));
    for (let k = 0; k < 3; k++) bytes[4 * i + k] = Math.round(255 * Math.min(1, Math.max(0, rgb[k])));
    bytes[4 * i + 3] = 255;
  }
  return { name, diverging, bytes };
}

export const COLOR_MAPS: readonly ColorMap[] = [
  // Violet through teal to yellow: the order that colour-blind readers can follow too. The chroma dips where
  // sRGB has least, about t = 0.4, so that nothing is cut and no band shows.
  buildMap('lagoon', (t) => [0.24 + 0.7 * t, 0.095 + 0.21 * (t - 0.4) ** 2, 300 - 195 * t]),
  // Ink through red to cream.
  buildMap('ember', (t) => [0.14 + 0.82 * t, 0.175 * Math.sin(Math.PI * (0.12 + 0.8 * t)), 305 + 155 * t]),
  // Blue, near-white, red: for fields with a meaningful zero.
  buildMap(
    'tide',
    (t) => {
      const side = Math.abs(2 * t - 1);
      return [0.96 - 0.5 * side, 0.19 * side, t < 0.5 ? 250 : 28];
    },
    true,
  ),
  buildMap('grey', (t) => [0.18 + 0.79 * t, 0, 0]),
];

export function findColorMap(name: string): ColorMap {
  return COLOR_MAPS.find((map) => map.name === name) ?? COLOR_MAPS[0];
}

/** Values nearer to each other than this, relative to their size, are the same but for roundoff. */
const ROUNDOFF = 1e-6;
/** How far the map spans beside a value that is the same everywhere, relative to it. */
const BESIDE = 0.01;

/**
 * What the map spans when nobody says: the values as they are, or as far below 0 as above where its middle
 * means 0. Where all values are one, that one is in the middle: roundoff is no picture.
 */
export function fitRange({ diverging }: ColorMap, [min, max]: readonly [number, number]): [number, number] {
  const reach = Math.max(Math.abs(min), Math.abs(max)) || 1;
  if (diverging) return [-reach, reach];
  if (max - min > ROUNDOFF * reach) return [min, max];
  return [min - BESIDE * reach, max + BESIDE * reach];
}

/** A CSS gradient of the map, for the legend. */
export function colorMapGradient(map: ColorMap, direction: string): string {
  const stops: string[] = [];
  for (let i = 0; i <= 16; i++) {
    const k = 4 * Math.round((i / 16) * (SIZE - 1));
    stops.push(`rgb(${map.bytes[k]} ${map.bytes[k + 1]} ${map.bytes[k + 2]})`);
  }
  return `linear-gradient(${direction}, ${stops.join(', ')})`;
}
