/**
 * What accuracy costs: order and opening of the multipole method for a wanted error, from measurements
 * (bench/integrals/multipole.ts): relative L2 error of Biot-Savart sums on spheres, clusters and random
 * clouds of 10k vertices, the worst of them.
 */
import { InputError } from '../../core/errors.ts';
import { type SumKernel, sumKernelShapes } from '../sum-kernels.ts';
import type { FarCriterion } from './interactions.ts';
import { countMultiIndices, countTerms } from './multi-index.ts';

export interface Accuracy {
  /** Highest degree of the expansions. */
  readonly order: number;
  /**
   * What an interaction may leave: kappa^q of a pair of cells with ratio kappa at order q (interactions.ts).
   */
  readonly remainder: number;
  /** Points of a full leaf. */
  readonly leafPoints: number;
  /** Single precision in translations and near sums. */
  readonly isSingle: boolean;
}

/** Relative L2 error, and the cheapest setting that keeps below it. */
const measuredAccuracies: readonly (Accuracy & { readonly tolerance: number })[] = [
  { tolerance: 1e-2, order: 3, remainder: 0.1, leafPoints: 64, isSingle: true },
  { tolerance: 1e-3, order: 5, remainder: 0.025, leafPoints: 96, isSingle: true },
  { tolerance: 1e-4, order: 8, remainder: 4e-3, leafPoints: 128, isSingle: true },
  { tolerance: 1e-5, order: 10, remainder: 6e-4, leafPoints: 160, isSingle: true },
  { tolerance: 1e-6, order: 12, remainder: 1e-4, leafPoints: 192, isSingle: false },
  { tolerance: 1e-7, order: 14, remainder: 2e-5, leafPoints: 256, isSingle: false },
  { tolerance: 1e-8, order: 16, remainder: 3e-6, leafPoints: 320, isSingle: false },
];

/** The setting for a tolerance: the loosest of the table that is not looser. */
export function findAccuracy(tolerance: number): Accuracy {
  const found = measuredAccuracies.find((row) => row.tolerance <= tolerance);
  if (found) return found;
  const strictest = measuredAccuracies[measuredAccuracies.length - 1].tolerance;
  throw new InputError(
    'kernel sum',
    `tolerance ${tolerance}`,
    `pass ${strictest} or more, or method "direct", which is exact up to rounding`,
  );
}

/**
 * Pairs of points whose direct sum takes as long as a term, and as a multi-index, of a translation; measured.
 */
const PAIRS_PER_TERM = 0.2;
const PAIRS_PER_INDEX = 1.7;
export function computeFarCriterion(kernel: SumKernel, { order, remainder }: Accuracy): FarCriterion {
  const { decay } = sumKernelShapes[kernel];
  const largestRatio = new Float64Array(order + 1);
  const worthPairs = new Float64Array(order + 1);
  for (let q = 1; q <= order; q++) {
    // A derivative of the kernel loses one order. Potentials of clouds and clusters then come out three to
    // four times better than asked for, but not those of foams: 6.7e-5 at the default, most of their sources
    // cancel.
    largestRatio[q] = remainder ** (2 / (decay === 2 ? q : q + 1));
    worthPairs[q] = PAIRS_PER_TERM * countTerms(q) + PAIRS_PER_INDEX * countMultiIndices(q);
  }
  return { largestRatio, worthPairs };
}
