/**
 * Boxes of vertices, edges and triangles in linear motion between two sets of positions, for box-grid.ts.
 * Exact minima and maxima of the ends, which hold the whole motion, then widened by `reach` on all sides
 * (rounded so that nothing within reach is lost). Pass the same positions twice for a body at rest.
 */
import type { F64View } from '../../core/types.ts';

/** One ulp up of a sum, relative: enough to cover its rounding. */
const ROUND_UP = 2 ** -52;

export function setVertexBox(x0: F64View, x1: F64View, v: number, reach: number, outBox: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const p = x0[3 * v + k];
    const q = x1[3 * v + k];
    setWidened(outBox, k, Math.min(p, q), Math.max(p, q), reach);
  }
}

export function setEdgeBox(
  x0: F64View,
  x1: F64View,
  a: number,
  b: number,
  reach: number,
  outBox: Float64Array,
): void {
  setTriangleBox(x0, x1, a, b, b, reach, outBox);
}

export function setTriangleBox(
  x0: F64View,
  x1: F64View,
  a: number,
  b: number,
  c: number,
  reach: number,
  outBox: Float64Array,
): void {
  for (let k = 0; k < 3; k++) {
    const a0 = x0[3 * a + k];
    const a1 = x1[3 * a + k];
    const b0 = x0[3 * b + k];
    const b1 = x1[3 * b + k];
    const c0 = x0[3 * c + k];
    const c1 = x1[3 * c + k];
    setWidened(outBox, k, Math.min(a0, a1, b0, b1, c0, c1), Math.max(a0, a1, b0, b1, c0, c1), reach);
  }
}

function setWidened(outBox: Float64Array, k: number, low: number, high: number, reach: number): void {
  if (reach === 0) {
    outBox[k] = low;
    outBox[3 + k] = high;
    return;
  }
  outBox[k] = low - reach - ROUND_UP * Math.abs(low);
  outBox[3 + k] = high + reach + ROUND_UP * Math.abs(high);
}
