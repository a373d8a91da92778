/**
 * How far from the origin a thing may be. Numbers there lie apart from each other: 1e9 m away by 0.1
 * micrometres, 1e15 m away by 13 cm, and a mesh moved there loses a quarter of its volume. Measured on a
 * bunny and a sphere meshed with cells of a tenth of their size: at the bound below, volumes are off by less
 * than 1e-7.
 */
import { InputError } from '../core/errors.ts';
import type { Box, Metres } from '../core/types.ts';

/** Greatest distance between neighbouring numbers, as a share of the length that matters. */
const MOST_ROUNDOFF = 1e-5;

/**
 * Distance between neighbouring numbers at the farthest coordinate of a box; 0 where that is infinite, as
 * nothing is there.
 */
export function measureRoundoff({ min, max }: Box): Metres {
  const farthest = Math.max(...[...min, ...max].filter(Number.isFinite).map(Math.abs), 0);
  return farthest * Number.EPSILON;
}

/** What is wrong where coordinates of a box are too coarse for a length; undefined where they are not. */
export function describeRoundoff(box: Box, length: Metres, name: string): string | undefined {
  const apart = measureRoundoff(box);
  if (apart <= MOST_ROUNDOFF * length) return undefined;
  const show = (x: number) => Number(x.toPrecision(3));
  return `so far from the origin that numbers are ${show(apart)} m apart, ${show(apart / length)} of ${name} (${show(length)} m)`;
}

export function refuseRoundoff(box: Box, length: Metres, where: string, name: string): void {
  const what = describeRoundoff(box, length, name);
  if (what !== undefined) throw new InputError(where, `it lies ${what}`, 'move it to the origin');
}
