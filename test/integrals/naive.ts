/**
 * Plain double loops to hold the sums to: written from the formulas alone, sharing no code with
 * src/integrals.
 */
import { createRandom } from '../../src/core/random.ts';
import type { SumKernel } from '../../src/integrals/sum-kernels.ts';
import { cross, dot } from '../../src/math/vectors.ts';

export const sizes: Record<SumKernel, { strength: number; sum: number }> = {
  potential: { strength: 1, sum: 1 },
  gradient: { strength: 1, sum: 3 },
  biotSavart: { strength: 3, sum: 3 },
  doubleLayer: { strength: 3, sum: 1 },
  vectorPotential: { strength: 3, sum: 3 },
};
export const allKernels = Object.keys(sizes) as SumKernel[];

type Vector = [number, number, number];
const vectorAt = (values: ArrayLike<number>, i: number): Vector => [
  values[3 * i],
  values[3 * i + 1],
  values[3 * i + 2],
];

export function sumNaively(
  kernel: SumKernel,
  source: ArrayLike<number>,
  strength: ArrayLike<number>,
  target: ArrayLike<number>,
  delta: number,
): Float64Array {
  const { sum } = sizes[kernel];
  const out = new Float64Array((target.length / 3) * sum);
  for (let i = 0; i < target.length / 3; i++) {
    const x = vectorAt(target, i);
    for (let j = 0; j < source.length / 3; j++) {
      const y = vectorAt(source, j);
      const d: Vector = [x[0] - y[0], x[1] - y[1], x[2] - y[2]];
      const rho = Math.sqrt(dot(d, d) + delta * delta);
      if (rho === 0) continue;
      const near = 1 / (4 * Math.PI * rho);
      const steep = near / (rho * rho);
      if (kernel === 'potential') out[i] += strength[j] * near;
      else if (kernel === 'vectorPotential')
        for (let a = 0; a < 3; a++) out[3 * i + a] += strength[3 * j + a] * near;
      else if (kernel === 'gradient')
        for (let a = 0; a < 3; a++) out[3 * i + a] -= strength[j] * steep * d[a];
      else if (kernel === 'doubleLayer') out[i] += dot(vectorAt(strength, j), d) * steep;
      else {
        const turned = cross(vectorAt(strength, j), d);
        for (let a = 0; a < 3; a++) out[3 * i + a] += turned[a] * steep;
      }
    }
  }
  return out;
}

/** |a - b| / |b| over all entries. */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let difference = 0;
  let size = 0;
  for (let i = 0; i < b.length; i++) {
    difference += (a[i] - b[i]) ** 2;
    size += b[i] ** 2;
  }
  return Math.sqrt(difference / size);
}

/** Uniform in a cube of edge 1 around the origin, times scale, plus offset. */
export function randomPoints(seed: number, count: number, scale = 1, offset = 0): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: 3 * count }, () => (random.next() - 0.5) * scale + offset);
}
