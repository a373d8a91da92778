/**
 * Points in the order of the leaves, as the kernels want them: sources in blocks of two, targets in columns, each leaf with an even
 * number of both. A place left over repeats the leaf's last point; such a source has no strength, such a target no reader.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { SumKernelShape } from '../sum-kernels.ts';
import type { PointTree } from './tree.ts';

export interface Slots {
  /** Packed sources (kernels/point-sums.ts); strengths are filled in later */
  readonly source: Float64Array;
  readonly sourceToSlot: Int32Array;
  /** (cellCount x 2) first and end block of a leaf's sources */
  readonly cellBlock: Int32Array;
  /** Columns x, y, z of `stride` targets */
  readonly target: Float64Array;
  readonly targetToSlot: Int32Array;
  /** (cellCount x 2) first and end slot of a leaf's targets */
  readonly cellTarget: Int32Array;
  readonly stride: number;
  /** Columns of sums */
  readonly column: Float64Array;
}

const toEven = (count: number) => count + (count & 1);

export function buildSlots(
  scope: HeapScope,
  tree: PointTree,
  point: Float64Array,
  sourceCount: number,
  targetCount: number,
  { strengthSize, sumSize }: SumKernelShape,
): Slots {
  const cellBlock = scope.i32(2 * tree.cellCount);
  const cellTarget = scope.i32(2 * tree.cellCount);
  let blocks = 0;
  let stride = 0;
  for (let cell = 0; cell < tree.cellCount; cell++) {
    if (tree.childCount[cell] > 0) continue;
    cellBlock[2 * cell] = blocks;
    blocks += toEven(tree.sourceCount[cell]) / 2;
    cellBlock[2 * cell + 1] = blocks;
    cellTarget[2 * cell] = stride;
    stride += toEven(tree.targetCount[cell]);
    cellTarget[2 * cell + 1] = stride;
  }
  const slots: Slots = {
    source: scope.f64(2 * blocks * (3 + strengthSize)),
    sourceToSlot: new Int32Array(sourceCount),
    cellBlock,
    target: scope.f64(3 * stride),
    targetToSlot: new Int32Array(targetCount),
    cellTarget,
    stride,
    column: scope.f64(sumSize * stride),
  };
  for (let cell = 0; cell < tree.cellCount; cell++)
    if (tree.childCount[cell] === 0) fillLeaf(tree, cell, point, sourceCount, 3 + strengthSize, slots);
  return slots;
}

function fillLeaf(
  tree: PointTree,
  cell: number,
  point: Float64Array,
  sourceCount: number,
  recordSize: number,
  slots: Slots,
): void {
  const { source, sourceToSlot, cellBlock, target, targetToSlot, cellTarget, stride } = slots;
  const putSource = (slot: number, id: number) => {
    const at = (slot >> 1) * 2 * recordSize + (slot & 1);
    for (let a = 0; a < 3; a++) source[at + 2 * a] = point[3 * id + a];
  };
  const putTarget = (slot: number, id: number) => {
    for (let a = 0; a < 3; a++) target[a * stride + slot] = point[3 * id + a];
  };
  const start = tree.pointStart[cell];
  const end = start + tree.sourceCount[cell] + tree.targetCount[cell];
  let nextSource = 2 * cellBlock[2 * cell];
  let nextTarget = cellTarget[2 * cell];
  let lastSource = 0;
  let lastTarget = 0;
  for (let i = start; i < end; i++) {
    const id = tree.order[i];
    if (id < sourceCount) {
      lastSource = id;
      sourceToSlot[id] = nextSource;
      putSource(nextSource++, id);
    } else {
      lastTarget = id;
      targetToSlot[id - sourceCount] = nextTarget;
      putTarget(nextTarget++, id);
    }
  }
  if (nextSource < 2 * cellBlock[2 * cell + 1]) putSource(nextSource, lastSource);
  if (nextTarget < cellTarget[2 * cell + 1]) putTarget(nextTarget, lastTarget);
}
