/**
 * The door to the sums of this folder: a kernel by name (sum-kernels.ts), points in, sums out.
 */

import { InputError } from '../core/errors.ts';
import type { F64View, Metres } from '../core/types.ts';
import { type PreparedSum, prepareDirectSum, type SumResources } from './direct-sum.ts';
import { type SumKernel, sumKernelShapes } from './sum-kernels.ts';

export interface KernelSumOptions {
  readonly kernel: SumKernel;
}

export interface KernelSum {
  /**
   * outSum (targetCount x sumSize), overwritten, from sourcePosition (sourceCount x 3) m, strength (sourceCount x strengthSize)
   * and targetPosition (targetCount x 3) m. The inputs may be any arrays, on the heap or not; so may outSum.
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

export function createKernelSum(resources: SumResources, options: KernelSumOptions): KernelSum {
  const { kernel } = options;
  const prepare: KernelSum['prepare'] = (sourcePosition, targetPosition, regularisation) => {
    requireMultiple(sourcePosition, 'source positions');
    requireMultiple(targetPosition, 'target positions');
    const prepared = prepareDirectSum(resources, kernel, sourcePosition, targetPosition, regularisation);
    const { strengthSize, sumSize } = sumKernelShapes[kernel];
    return {
      apply(strength, outSum) {
        requireLength(strength, (sourcePosition.length / 3) * strengthSize, 'strengths');
        requireLength(outSum, (targetPosition.length / 3) * sumSize, 'sums');
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

function requireMultiple(values: F64View, what: string): void {
  if (values.length % 3 !== 0)
    throw new InputError('kernel sum', `${values.length} entries of ${what}`, 'pass three per point');
}

function requireLength(values: F64View, length: number, what: string): void {
  if (values.length !== length)
    throw new InputError('kernel sum', `${values.length} entries of ${what}`, `pass ${length}`);
}
