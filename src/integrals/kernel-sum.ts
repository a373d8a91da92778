/**
 * The door to the sums of this folder: a kernel by name (sum-kernels.ts), points in, sums out; by the direct
 * sum or by the multipole method, whichever is faster for the number of points. Cost: sources times targets,
 * or linear in their number.
 */
import { InputError } from '../core/errors.ts';
import type { F64View, Metres } from '../core/types.ts';
import { type PreparedSum, prepareDirectSum, type SumResources } from './direct-sum.ts';
import { findAccuracy } from './multipole/accuracy.ts';
import { prepareMultipoleSum } from './multipole/multipole-sum.ts';
import { prepareSingleSum, type SingleKernel } from './single-sum.ts';
import { type SumKernel, sumKernelShapes } from './sum-kernels.ts';

export interface KernelSumOptions {
  readonly kernel: SumKernel;
  /**
   * Wanted relative L2 error of the multipole method; default 1e-4. The direct sum is exact up to rounding.
   */
  readonly tolerance?: number;
  /** Default auto: the faster one for the number of points. */
  readonly method?: 'auto' | 'direct' | 'multipole';
  /**
   * Of the direct sum, and of the near part of the multipole method's potential and vectorPotential. Single
   * (these and biotSavart alone; direct sums of potential stay double) is faster and errs by about 1e-6;
   * biotSavart without regularisation stays double. Default double.
   */
  readonly precision?: 'double' | 'single';
}

export interface KernelSum {
  /**
   * outSum (targetCount x sumSize), overwritten, from sourcePosition (sourceCount x 3) m, strength
   * (sourceCount x strengthSize) and targetPosition (targetCount x 3) m. The inputs may be any arrays, on the
   * heap or not; so may outSum.
   */
  evaluate(
    sourcePosition: F64View,
    strength: F64View,
    targetPosition: F64View,
    regularisation: Metres,
    outSum: Float64Array,
  ): void;
  /** The same for many strengths of the same points. The caller frees it. */
  prepare(sourcePosition: F64View, targetPosition: F64View, regularisation: Metres): PreparedSum;
}

export const DEFAULT_TOLERANCE = 1e-4;
/**
 * Pairs of source and target above which the multipole method is faster at the default tolerance: measured on
 * spheres by bench/integrals/multipole.ts (about 2,000 vertices with 4,000 triangles).
 */
export const MULTIPOLE_PAIRS = 8e6;
/** The same against the direct sum in single precision: about 2,500 and 2,200 vertices. */
export const MULTIPOLE_PAIRS_SINGLE: Record<SingleKernel, number> = {
  vectorPotential: 2.4e7,
  biotSavart: 1e7,
};

export function createKernelSum(resources: SumResources, options: KernelSumOptions): KernelSum {
  const { kernel, tolerance = DEFAULT_TOLERANCE, method = 'auto', precision = 'double' } = options;
  const wantsSingle = precision === 'single';
  if (wantsSingle) requireSingle(kernel);
  const single = wantsSingle && kernel !== 'potential' ? (kernel as SingleKernel) : undefined;
  const most = single ? MULTIPOLE_PAIRS_SINGLE[single] : MULTIPOLE_PAIRS;
  const { strengthSize, sumSize } = sumKernelShapes[kernel];
  const accuracy = findAccuracy(tolerance);

  const prepare: KernelSum['prepare'] = (sourcePosition, targetPosition, regularisation) => {
    requireTriples(sourcePosition, 'source positions');
    requireTriples(targetPosition, 'target positions');
    const [sources, targets] = [sourcePosition.length / 3, targetPosition.length / 3];
    const isMultipole = method === 'auto' ? sources * targets > most : method === 'multipole';
    const points = { sourcePosition, targetPosition, regularisation };
    const prepared = isMultipole
      ? prepareMultipoleSum(resources, kernel, points, accuracy, wantsSingle)
      : single && (single !== 'biotSavart' || regularisation > 0)
        ? prepareSingleSum(resources, single, points)
        : prepareDirectSum(resources, kernel, points);
    return {
      apply(strength, outSum) {
        requireLength(strength, sources * strengthSize, 'strengths');
        requireLength(outSum, targets * sumSize, 'sums');
        prepared.apply(strength, outSum);
      },
      free: prepared.free,
    };
  };
  return {
    prepare,
    evaluate(sourcePosition, strength, targetPosition, regularisation, outSum) {
      const prepared = prepare(sourcePosition, targetPosition, regularisation);
      try {
        prepared.apply(strength, outSum);
      } finally {
        prepared.free();
      }
    },
  };
}

function requireSingle(kernel: SumKernel): void {
  if (kernel === 'vectorPotential' || kernel === 'biotSavart' || kernel === 'potential') return;
  throw new InputError(
    'kernel sum',
    `${kernel} in single precision`,
    'only potential, vectorPotential and biotSavart have it: ask for double',
  );
}

function requireTriples(values: F64View, what: string): void {
  if (values.length % 3 !== 0)
    throw new InputError('kernel sum', `${values.length} entries of ${what}`, 'pass three per point');
}

function requireLength(values: F64View, length: number, what: string): void {
  if (values.length !== length)
    throw new InputError('kernel sum', `${values.length} entries of ${what}`, `pass ${length}`);
}
