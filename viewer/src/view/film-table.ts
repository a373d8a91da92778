/**
 * The colours of a soap film: how much of white light a layer of water in air reflects, by thickness and
 * angle, in linear sRGB.
 *
 * Light mirrored at the front and at the back of the film interferes. With r^2 the Fresnel reflectance of one
 * face for one polarisation and beta = 2 pi n d cos(inside angle) / wavelength, the Airy sum over all
 * reflections is
 *     R = 4 r^2 sin^2 beta / ((1 - r^2)^2 + 4 r^2 sin^2 beta),
 * the half wave lost at the front face being in the sine: a film much thinner than light is black. The mean
 * over both polarisations is integrated over the visible spectrum with the CIE 1931 matching functions (the
 * fit by lobes of Wyman, Sloan and Shirley 2013) under light of equal energy, and scaled so that a perfect
 * mirror is white. Colours outside sRGB stay negative until they are drawn.
 */
export const FILM_INDEX = 1.33;
/** nm; beyond about three wavelengths the colours wash out. */
export const MAX_THICKNESS = 1600;
export const TABLE_WIDTH = 512;
export const TABLE_HEIGHT = 64;

const FIRST_WAVELENGTH = 380;
const LAST_WAVELENGTH = 740;
/** nm; at the thickest film and the shortest wave the phase turns by under one radian a step. */
const WAVELENGTH_STEP = 5;

/** A lobe with one width below its middle and another above. */
function lobe(wavelength: number, middle: number, below: number, above: number): number {
  const t = (wavelength - middle) * (wavelength < middle ? below : above);
  return Math.exp(-0.5 * t * t);
}

/** CIE 1931 x, y, z at a wavelength in nm. */
export function matchColor(wavelength: number): [number, number, number] {
  return [
    1.056 * lobe(wavelength, 599.8, 0.0264, 0.0323) +
      0.362 * lobe(wavelength, 442, 0.0624, 0.0374) -
      0.065 * lobe(wavelength, 501.1, 0.049, 0.0382),
    0.821 * lobe(wavelength, 568.8, 0.0213, 0.0247) + 0.286 * lobe(wavelength, 530.9, 0.0613, 0.0322),
    1.217 * lobe(wavelength, 437, 0.0845, 0.0278) + 0.681 * lobe(wavelength, 459, 0.0385, 0.0725),
  ];
}

function toLinearRgb([x, y, z]: readonly number[]): [number, number, number] {
  return [
    3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
    -0.969266 * x + 1.8760108 * y + 0.041556 * z,
    0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
  ];
}

/** Fresnel reflectance of air to film, across and along the plane of incidence, and the cosine inside. */
export function computeFresnel(cosine: number): { across: number; along: number; inside: number } {
  const inside = Math.sqrt(1 - (1 - cosine * cosine) / (FILM_INDEX * FILM_INDEX));
  const across = (cosine - FILM_INDEX * inside) / (cosine + FILM_INDEX * inside);
  const along = (FILM_INDEX * cosine - inside) / (FILM_INDEX * cosine + inside);
  return { across: across * across, along: along * along, inside };
}

/** Share of unpolarised light of one wavelength that a film reflects. Lengths in nm. */
export function computeReflectance(thickness: number, cosine: number, wavelength: number): number {
  const { across, along, inside } = computeFresnel(cosine);
  const wave = Math.sin((2 * Math.PI * FILM_INDEX * thickness * inside) / wavelength) ** 2;
  const airy = (r: number) => (r >= 1 ? 1 : (4 * r * wave) / ((1 - r) ** 2 + 4 * r * wave));
  return (airy(across) + airy(along)) / 2;
}

/**
 * (TABLE_HEIGHT x TABLE_WIDTH x 4) linear RGB: thickness 0..MAX_THICKNESS along a row, cosine 0..1 from row
 * to row.
 */
export function buildFilmTable(): Float32Array<ArrayBuffer> {
  const waves: { wavelength: number; rgb: [number, number, number] }[] = [];
  const white = [0, 0, 0];
  for (let wavelength = FIRST_WAVELENGTH; wavelength <= LAST_WAVELENGTH; wavelength += WAVELENGTH_STEP) {
    const rgb = toLinearRgb(matchColor(wavelength));
    waves.push({ wavelength, rgb });
    for (let k = 0; k < 3; k++) white[k] += rgb[k];
  }
  const table = new Float32Array(4 * TABLE_WIDTH * TABLE_HEIGHT);
  for (let row = 0, at = 0; row < TABLE_HEIGHT; row++) {
    // At the very rim the film is a mirror for every wave: the limit, not the formula's 0/0.
    const { across, along, inside } = computeFresnel(Math.max(row / (TABLE_HEIGHT - 1), 1e-4));
    const [s, t] = [(1 - across) ** 2, (1 - along) ** 2];
    for (let column = 0; column < TABLE_WIDTH; column++, at += 4) {
      const path = 2 * Math.PI * FILM_INDEX * inside * (column / (TABLE_WIDTH - 1)) * MAX_THICKNESS;
      for (const { wavelength, rgb } of waves) {
        const wave = Math.sin(path / wavelength) ** 2;
        const a = 4 * across * wave;
        const b = 4 * along * wave;
        const reflectance = 0.5 * (a / (s + a) + b / (t + b));
        for (let k = 0; k < 3; k++) table[at + k] += (reflectance * rgb[k]) / white[k];
      }
      table[at + 3] = 1;
    }
  }
  return table;
}
