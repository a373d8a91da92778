/**
 * The fast multipole method for the regularised Laplace kernels ([da-2017] chapter 18). For source and target
 * in far cells the kernel Phi(r) = (|r|^2 + delta^2)^(-1/2) is replaced by its Taylor polynomial of degree q
 * around the line R between the centres,
 *   Phi(R + h - d) = sum over |k| + |l| <= q of D^(k+l) Phi(R) h^k / k! (-d)^l / l!,
 * which separates target (h) from source (d): moments M_l = sum s (-d)^l / l! go up the tree (M2M, exact),
 * L_k = sum_l D^(k+l) Phi(R) M_l crosses (M2L), and sum_k L_k h^k / k! goes down (L2L, exact). The
 * regularisation is in D, so order alone decides the error. The derivatives follow the three-term recurrence
 * of Lindsay and Krasny (2001) for the Rosenhead-Moore kernel. Biot-Savart is the curl of a vector potential:
 * three charges share tree, lists and derivatives, and the curl is taken once per leaf.
 *
 * Deviation from the paper: it calls a library whose far field is not regularised. Cost: linear in the number
 * of points.
 */
import type { F64View } from '../../core/types.ts';
import { computePowerOfTwo, type SumScaling, validateFinite } from '../scaling.ts';
import { INVERSE_FOUR_PI, type SumKernel, type SumKernelShape, sumKernelShapes } from '../sum-kernels.ts';
import { definePreparation } from '../sum-points.ts';
import { type Accuracy, computeFarCriterion } from './accuracy.ts';
import { buildInteractions } from './interactions.ts';
import { buildMultiIndexTables } from './multi-index.ts';
import { buildPasses } from './passes.ts';
import { buildSlots, packStrengths, type Slots } from './slots.ts';
import { buildPointTree, type PointTree } from './tree.ts';

export const prepareMultipoleSum = definePreparation(
  'multipole sum',
  (scope, threads, kernel: SumKernel, points, accuracy: Accuracy, wantsSingle?: boolean) => {
    const { sourcePosition, targetPosition, sourceCount, targetCount, scaling } = points;
    const isShared = sourcePosition === targetPosition;
    const point = new Float64Array(3 * (sourceCount + (isShared ? 0 : targetCount)));
    fillScaledPoints(sourcePosition, scaling, point, 0);
    if (!isShared) fillScaledPoints(targetPosition, scaling, point, 3 * sourceCount);
    const tree = buildPointTree(scope, point, sourceCount, accuracy.leafPoints, isShared);
    const { isSingle } = accuracy;
    const isSafe = kernel === 'biotSavart' && isNearSafeInSingle(tree, scaling.softening);
    const isNearSingle = isSingle && (isSafe || (wantsSingle === true && kernel !== 'biotSavart'));
    const shape = sumKernelShapes[kernel];
    const slots = buildSlots(scope, tree, sourceCount, targetCount, shape, isNearSingle, isShared);
    const criterion = computeFarCriterion(kernel, accuracy);
    const interactions = buildInteractions(scope, tree, scaling.softening, criterion);
    const tables = buildMultiIndexTables(scope, accuracy.order);
    const { softening } = scaling;
    const passes = buildPasses(scope, { kernel, tree, slots, interactions, tables, softening, isSingle });
    return {
      apply(strength, outSum) {
        const { strengthSize } = shape;
        validateFinite(strength, strengthSize * sourceCount, strengthSize, 'strength of source');
        // Strengths within 1, for single precision.
        const normaliser = computePowerOfTwo(findLargest(strength));
        packStrengths(strength, normaliser * INVERSE_FOUR_PI, strengthSize, slots);
        passes.run(threads);
        unpackSums(
          slots,
          shape,
          (scaling.scale / normaliser) * (shape.decay === 2 ? scaling.scale : 1),
          outSum,
        );
      },
      free: () => scope.free(),
    };
  },
);

function fillScaledPoints(position: F64View, scaling: SumScaling, out: Float64Array, at: number): void {
  const { centreX, centreY, centreZ, scale } = scaling;
  for (let i = 0; i < position.length; i += 3) {
    out[at + i] = (position[i] - centreX) * scale;
    out[at + i + 1] = (position[i + 1] - centreY) * scale;
    out[at + i + 2] = (position[i + 2] - centreZ) * scale;
  }
}

/**
 * Single precision resolves 6e-8 of the distance to a source leaf's centre, a few leaf radii; the
 * regularisation must be long against that, and its inverse cube within range.
 */
const LEAST_REGULARISATION_OF_LEAF = 1 / 64;
const LEAST_REGULARISATION_OF_FRAME = 2 ** -30;

function isNearSafeInSingle(tree: PointTree, softening: number): boolean {
  let largest = 0;
  for (let cell = 0; cell < tree.cellCount; cell++)
    if (tree.childCount[cell] === 0) largest = Math.max(largest, tree.radius[cell]);
  const least = Math.max(LEAST_REGULARISATION_OF_LEAF * largest, LEAST_REGULARISATION_OF_FRAME);
  return softening >= least * least;
}

function findLargest(values: F64View): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  return largest;
}

function unpackSums(
  { targetToSlot, stride, column }: Slots,
  { sumSize }: SumKernelShape,
  factor: number,
  outSum: Float64Array,
): void {
  for (let i = 0; i < targetToSlot.length; i++)
    for (let c = 0; c < sumSize; c++) outSum[sumSize * i + c] = factor * column[c * stride + targetToSlot[i]];
}
