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
  const potential = createKernelSum(resources, { kernel: 'potential' });
  const biotSavart = createKernelSum(resources, { kernel: 'biotSavart' });
  return {
    addUpPotential(middle, strength, out) {
      const count = middle.length / 3;
      const part = new Float64Array(count);
      const sum = new Float64Array(count);
      const prepared = potential.prepare(middle, middle, 0);
      try {
        for (let k = 0; k < 3; k++) {
          for (let f = 0; f < count; f++) part[f] = strength[3 * f + k];
          prepared.apply(part, sum);
          for (let f = 0; f < count; f++) out[3 * f + k] = sum[f];
        }
      } finally {
        prepared.free();
      }
    },
    addUpVelocity: (middle, strength, target, blur, out) =>
      biotSavart.evaluate(middle, strength, target, blur, out),
  };
}
