/** The two sums over all faces that a velocity takes (15.4, chapter 18): vector potential at the middles of faces, Biot-Savart at the vertices. */

import type { Metres } from '../../core/types.ts';
import type { SumResources } from '../../integrals/direct-sum.ts';
import { createKernelSum } from '../../integrals/kernel-sum.ts';

export interface FilmSums {
  /** sum over the other middles of strength / (4 pi r); all (faces x 3) */
  addUpPotential(middle: Float64Array, strength: Float64Array, out: Float64Array): void;
  /** Regularised velocity at targets (n x 3), eq. (15.3) */
  addUpVelocity(
    middle: Float64Array,
    strength: Float64Array,
    target: Float64Array,
    blur: Metres,
    out: Float64Array,
  ): void;
}

export function createFilmSums(resources: SumResources): FilmSums {
  const potential = createKernelSum(resources, { kernel: 'vectorPotential', precision: 'single' });
  const biotSavart = createKernelSum(resources, { kernel: 'biotSavart', precision: 'single' });
  return {
    addUpPotential: (middle, strength, out) => potential.evaluate(middle, strength, middle, 0, out),
    addUpVelocity: (middle, strength, target, blur, out) =>
      biotSavart.evaluate(middle, strength, target, blur, out),
  };
}
