/**
 * A number for a place, by which equals are told apart: the same for a place and its mirror images in the
 * planes through a middle, and for few others. Where choices between equals go by it, what is built from
 * something symmetric is symmetric too, but where an element is its own image.
 */
import type { Vec3 } from '../core/types.ts';

/** Weights of y and z, beside 1 for x: irrational, so that few places share a rank. */
const SKEW_Y = (Math.sqrt(5) - 1) / 2;
const SKEW_Z = Math.SQRT2 - 1;

/** `resolution`: the length, m, below which a difference is rounding. */
export function computePlaceRank(x: number, y: number, z: number, middle: Vec3, resolution: number): number {
  const skew = Math.abs(x - middle[0]) + SKEW_Y * Math.abs(y - middle[1]) + SKEW_Z * Math.abs(z - middle[2]);
  return Math.round(skew / resolution);
}
