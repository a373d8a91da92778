/**
 * Near-null spaces: vectors that a matrix takes to almost nothing, which the coarse levels of multigrid must
 * contain. Mode c of unknown u is number u modeCount + c.
 */
import type { HeapScope } from '../../core/heap.ts';

export interface Modes {
  readonly modeCount: number;
  /** (unknowns x modeCount) */
  readonly value: Float64Array;
}

/** One constant per component: Laplacians. */
export function buildConstantModes(scope: HeapScope, rowCount: number, blockSize = 1): Modes {
  const value = scope.f64(rowCount * blockSize * blockSize);
  for (let i = 0; i < rowCount; i++)
    for (let r = 0; r < blockSize; r++) value[(i * blockSize + r) * blockSize + r] = 1;
  return { modeCount: blockSize, value };
}

/**
 * Three translations and three rotations of points (rowCount x 3): elasticity, viscous stress. Rotations are
 * about the points' mean, with lengths in units of their spread, so that the six modes are of one size.
 */
export function buildRigidModes(scope: HeapScope, position: Float64Array): Modes {
  const rowCount = position.length / 3;
  const mean = [0, 0, 0];
  for (let n = 0; n < position.length; n++) mean[n % 3] += position[n] / rowCount;
  let spread = 0;
  for (let n = 0; n < position.length; n++) spread = Math.max(spread, Math.abs(position[n] - mean[n % 3]));
  const scale = spread > 0 ? 1 / spread : 1;
  const value = scope.f64(rowCount * 18);
  for (let i = 0; i < rowCount; i++) {
    const [x, y, z] = [0, 1, 2].map((k) => (position[3 * i + k] - mean[k]) * scale);
    // Rows are the components of displacement; the last three columns are unit vectors times the position.
    value.set([1, 0, 0, 0, z, -y], 18 * i);
    value.set([0, 1, 0, -z, 0, x], 18 * i + 6);
    value.set([0, 0, 1, y, -x, 0], 18 * i + 12);
  }
  return { modeCount: 6, value };
}
