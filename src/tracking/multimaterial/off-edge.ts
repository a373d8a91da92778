/**
 * How far a place of subdivision, or one that walls hold, lies from its edge's own point: the way that
 * attributes interpolated along the edge have still to go (`onMove` of policy.ts).
 */
import type { F64View } from '../../core/types.ts';

/** Shares of an edge below which it is rounding. */
const ROUNDING = 1e-12;

/** outOffset (3), m, from weight s of b on edge a b to a place (3); false where there is none. */
export function computeOffset(
  position: F64View,
  a: number,
  b: number,
  s: number,
  place: F64View,
  outOffset: Float64Array,
): boolean {
  let [offset, edge] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const along = position[3 * b + k] - position[3 * a + k];
    outOffset[k] = place[k] - position[3 * a + k] - s * along;
    offset += outOffset[k] ** 2;
    edge += along ** 2;
  }
  return offset > ROUNDING ** 2 * edge;
}
