/**
 * The fast multipole method for the regularised Laplace kernels ([da-2017] chapter 18). For source and target in far cells the
 * kernel Phi(r) = (|r|^2 + delta^2)^(-1/2) is replaced by its Taylor polynomial of degree q around the line R between the centres,
 *   Phi(R + h - d) = sum over |k| + |l| <= q of D^(k+l) Phi(R) h^k / k! (-d)^l / l!,
 * which separates target (h) from source (d): moments M_l = sum s (-d)^l / l! go up the tree (M2M, exact), L_k = sum_l D^(k+l) Phi(R) M_l
 * crosses (M2L), and sum_k L_k h^k / k! goes down (L2L, exact). The regularisation is in D, so order alone decides the error. The derivatives
 * follow the three-term recurrence of Lindsay and Krasny (2001) for the Rosenhead-Moore kernel. Biot-Savart is the curl of a vector
 * potential: three charges share tree, lists and derivatives, and the curl is taken once per leaf.
 *
 * Deviation from the paper: it calls a library whose far field is not regularised. Cost: linear in the number of points.
 */
import type { F64View, Metres } from '../../core/types.ts';
import type { PreparedSum, SumResources } from '../direct-sum.ts';
import { computeFrame, type SumFrame, validateFinite } from '../frame.ts';
import { INVERSE_FOUR_PI, type SumKernel, sumKernelShapes } from '../sum-kernels.ts';
import type { Accuracy } from './accuracy.ts';
import { computeFarCriterion } from './accuracy.ts';
import { buildInteractions } from './interactions.ts';
import { buildMultiIndexTables } from './multi-index.ts';
import { buildPasses } from './passes.ts';
import { buildSlots, type Slots } from './slots.ts';
import { buildPointTree } from './tree.ts';

export function prepareMultipoleSum(
  { heap, threads }: SumResources,
  kernel: SumKernel,
  sourcePosition: F64View,
  targetPosition: F64View,
  regularisation: Metres,
  accuracy: Accuracy,
): PreparedSum {
  const frame = computeFrame(sourcePosition, targetPosition, regularisation);
  const scope = heap.scope('multipole sum');
  const sourceCount = sourcePosition.length / 3;
  const targetCount = targetPosition.length / 3;
  const point = new Float64Array(3 * (sourceCount + targetCount));
  fillFramePoints(sourcePosition, frame, point, 0);
  fillFramePoints(targetPosition, frame, point, 3 * sourceCount);
  const tree = buildPointTree(scope, point, sourceCount, accuracy.leafPoints);
  const slots = buildSlots(scope, tree, point, sourceCount, targetCount, sumKernelShapes[kernel]);
  const criterion = computeFarCriterion(kernel, accuracy);
  const interactions = buildInteractions(scope, tree, frame.softening, criterion);
  const tables = buildMultiIndexTables(scope, accuracy.order);
  const passes = buildPasses(scope, kernel, tree, slots, interactions, tables, frame.softening);
  return {
    apply(strength, outSum) {
      const { strengthSize } = sumKernelShapes[kernel];
      validateFinite(strength, strengthSize * sourceCount, strengthSize, 'strength of source');
      packStrengths(strength, frame.scale * INVERSE_FOUR_PI, strengthSize, slots);
      passes.run(threads);
      unpackSums(slots, kernel, frame, targetCount, outSum);
    },
    free: () => scope.free(),
  };
}

function fillFramePoints(position: F64View, frame: SumFrame, out: Float64Array, at: number): void {
  const { centreX, centreY, centreZ, scale } = frame;
  for (let i = 0; i < position.length; i += 3) {
    out[at + i] = (position[i] - centreX) * scale;
    out[at + i + 1] = (position[i + 1] - centreY) * scale;
    out[at + i + 2] = (position[i + 2] - centreZ) * scale;
  }
}

function packStrengths(strength: F64View, factor: number, size: number, slots: Slots): void {
  const { source, sourceToSlot } = slots;
  for (let i = 0; i < sourceToSlot.length; i++) {
    const slot = sourceToSlot[i];
    const at = (slot >> 1) * 2 * (3 + size) + (slot & 1) + 6;
    for (let c = 0; c < size; c++) source[at + 2 * c] = factor * strength[size * i + c];
  }
}

function unpackSums(
  { targetToSlot, stride, column }: Slots,
  kernel: SumKernel,
  frame: SumFrame,
  count: number,
  outSum: Float64Array,
): void {
  const { sumSize, decay } = sumKernelShapes[kernel];
  // One factor of the scale went into the strengths; kernels of decay 2 have another.
  const factor = decay === 2 ? frame.scale : 1;
  for (let i = 0; i < count; i++)
    for (let c = 0; c < sumSize; c++) outSum[sumSize * i + c] = factor * column[c * stride + targetToSlot[i]];
}
