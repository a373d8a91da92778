/**
 * The quick part of continuous.ts: pairs that a box or one of a few directions separates over the whole of [0, 1] (apart.ts). A pair that is not decided leaves its
 * differences there, for separation.ts.
 */

import type { F64View } from '../../core/types.ts';
import { isEdgeApart, isVertexApart } from './apart.ts';

export function isVertexTriangleApart(
  x0: F64View,
  x1: F64View,
  v: number,
  a: number,
  b: number,
  c: number,
): boolean {
  return isVertexApart(x0, x1, v, a, b, c, 0, 0);
}

export function isEdgeEdgeApart(
  x0: F64View,
  x1: F64View,
  a: number,
  b: number,
  c: number,
  d: number,
): boolean {
  return isEdgeApart(x0, x1, a, b, c, d, 0, 0);
}
