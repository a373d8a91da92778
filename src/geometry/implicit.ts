import type { Box, F64View } from '../core/types.ts';

/**
 * A region of space as a scalar field. The sign convention of the whole house ([chentanez-2007] 3.2):
 * **positive inside, negative outside, zero on the boundary**, in metres.
 * |value| never exceeds the true distance to the boundary (1-Lipschitz), so it is safe for pruning;
 * for primitives, their transforms, and meshes it is the exact distance.
 */
export interface Implicit {
  /** Bounds of the region where the field is positive; entries may be infinite (half-space). */
  readonly bounds: Box;
  value(x: number, y: number, z: number): number;
  /** What a value costs, in those of a sphere; absent: 1. For budgets alone. */
  readonly cost?: number;
  /** Many points at once (point: count x 3): the parallel path for costly fields such as meshes. */
  sample?(point: F64View, count: number, out: Float64Array): void;
}

export const costOf = ({ cost = 1 }: Implicit): number => cost;
