/**
 * How a sum is scaled: coordinates relative to the middle of all points, times a power of two that brings the
 * farthest one within 1. Rounding is then the same at any scale and place, and no power of a distance leaves
 * the range of doubles. Also the border where points that are not finite are named.
 */
import { RunError } from '../core/errors.ts';
import type { F64View, Metres } from '../core/types.ts';

export interface SumScaling {
  readonly centreX: Metres;
  readonly centreY: Metres;
  readonly centreZ: Metres;
  /** Scaled coordinate = (coordinate - centre) scale; a power of two, 1/m. */
  readonly scale: number;
  /** delta^2, scaled. */
  readonly softening: number;
}

const axes = ['x', 'y', 'z'];

function requireFinite(value: number, index: number, size: number, what: string): void {
  if (Number.isFinite(value)) return;
  const item = Math.floor(index / size);
  const component = size === 3 ? ` (${axes[index % 3]})` : '';
  throw new RunError(
    'kernel sum',
    `${what} ${item}${component} is ${value}`,
    'the state broke down earlier: look for the first step with a number that is not finite, and take smaller steps',
  );
}

/** Throws where an entry is not finite; names the item and its component. */
export function validateFinite(values: F64View, count: number, size: number, what: string): void {
  for (let i = 0; i < count; i++) if (values[i] - values[i] !== 0) requireFinite(values[i], i, size, what);
}

/** Positions (count x 3) m. */
export function computeScaling(source: F64View, target: F64View, regularisation: Metres): SumScaling {
  if (!(regularisation >= 0 && Number.isFinite(regularisation)))
    throw new RunError('kernel sum', `regularisation ${regularisation} m`, 'pass a finite length >= 0');
  validateFinite(source, source.length, 3, 'position of source');
  validateFinite(target, target.length, 3, 'position of target');
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const position of [source, target]) {
    for (let i = 0; i < position.length; i += 3) {
      for (let a = 0; a < 3; a++) {
        const x = position[i + a];
        if (x < low[a]) low[a] = x;
        if (x > high[a]) high[a] = x;
      }
    }
  }
  if (source.length + target.length === 0) {
    low.fill(0);
    high.fill(0);
  }
  // Halves first: the sum of two large coordinates may overflow.
  const centre = low.map((x, a) => 0.5 * x + 0.5 * high[a]);
  const reach = Math.max(...centre.map((c, a) => Math.max(high[a] - c, c - low[a])), regularisation);
  const scale = computePowerOfTwo(reach);
  return {
    centreX: centre[0],
    centreY: centre[1],
    centreZ: centre[2],
    scale,
    softening: (regularisation * scale) ** 2,
  };
}

/** The power of two that brings `reach` into [1/2, 1], as far as doubles go; 1 for 0. */
export function computePowerOfTwo(reach: number): number {
  if (reach === 0) return 1;
  const largest = 2 ** 1000; // and its inverse: reciprocals of normal numbers, well within range
  const exponent = -Math.ceil(Math.log2(reach));
  return Math.min(Math.max(2 ** exponent, 1 / largest), largest);
}

/** Targets, scaled, a coordinate after the other: (3 x targets). */
export function packTargets(position: F64View, scaling: SumScaling, target: Float64Array): void {
  const count = position.length / 3;
  for (let i = 0; i < count; i++) {
    target[i] = (position[3 * i] - scaling.centreX) * scaling.scale;
    target[count + i] = (position[3 * i + 1] - scaling.centreY) * scaling.scale;
    target[2 * count + i] = (position[3 * i + 2] - scaling.centreZ) * scaling.scale;
  }
}
