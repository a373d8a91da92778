/**
 * The two sums over all faces that a velocity takes (15.4, chapter 18): vector potential at the middles of
 * faces, Biot-Savart at the vertices.
 */

import type { Metres } from '../../../core/types.ts';
import type { PreparedSum, SumResources } from '../../../integrals/direct-sum.ts';
import { createKernelSum, DEFAULT_TOLERANCE } from '../../../integrals/kernel-sum.ts';

export interface FilmSums {
  /** sum over all middles, its own too, of strength / (4 pi sqrt(r^2 + softening^2)); all (faces x 3) */
  addUpPotential(middle: Float64Array, strength: Float64Array, softening: Metres, out: Float64Array): void;
  /** The same for many strengths at the same middles; the caller frees it. */
  preparePotential(middle: Float64Array, softening: Metres): PreparedSum;
  /** Regularised velocity at targets (n x 3), eq. (15.3) */
  addUpVelocity(
    middle: Float64Array,
    strength: Float64Array,
    target: Float64Array,
    blur: Metres,
    out: Float64Array,
  ): void;
}

/** Sums in single precision err by about a tenth of this. */
const SINGLE_FLOOR = 1e-5;

/** `tolerance`: relative error of the sums. */
export function createFilmSums(resources: SumResources, tolerance = DEFAULT_TOLERANCE): FilmSums {
  const precision = tolerance < SINGLE_FLOOR ? 'double' : 'single';
  const potential = createKernelSum(resources, { kernel: 'vectorPotential', precision, tolerance });
  const biotSavart = createKernelSum(resources, { kernel: 'biotSavart', precision, tolerance });
  return {
    addUpPotential: (middle, strength, softening, out) =>
      potential.evaluate(middle, strength, middle, softening, out),
    preparePotential: (middle, softening) => potential.prepare(middle, middle, softening),
    addUpVelocity: (middle, strength, target, blur, out) =>
      biotSavart.evaluate(middle, strength, target, blur, out),
  };
}
