/**
 * Points in the order of the leaves, as the kernels want them: sources in blocks of two (and again, in single
 * precision from the leaf's centre, in blocks of four), targets in columns. A leaf's sources fill blocks of
 * four, its targets pairs; a place left over repeats the leaf's last point, and such a source has no
 * strength, such a target no reader.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { F64View } from '../../core/types.ts';
import type { SumKernelShape } from '../sum-kernels.ts';
import type { PointTree } from './tree.ts';

export interface Slots {
  /** Packed sources (kernels/point-sums.ts); strengths are filled in later */
  readonly source: Float64Array;
  /** The same for near sums in single precision (kernels/expansions-single.ts); empty when they are double */
  readonly sourceSingle: Float32Array;
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
  sourceCount: number,
  targetCount: number,
  { strengthSize, sumSize }: SumKernelShape,
  isNearSingle: boolean,
  isShared: boolean,
): Slots {
  const cellBlock = scope.i32(2 * tree.cellCount);
  const cellTarget = scope.i32(2 * tree.cellCount);
  let blocks = 0;
  let stride = 0;
  for (let cell = 0; cell < tree.cellCount; cell++) {
    if (tree.childCount[cell] > 0) continue;
    cellBlock[2 * cell] = blocks;
    blocks += 2 * Math.ceil(tree.sourceCount[cell] / 4);
    cellBlock[2 * cell + 1] = blocks;
    cellTarget[2 * cell] = stride;
    stride += toEven(tree.targetCount[cell]);
    cellTarget[2 * cell + 1] = stride;
  }
  const slots: Slots = {
    source: scope.f64(2 * blocks * (3 + strengthSize)),
    sourceSingle: scope.f32(isNearSingle ? 2 * blocks * (3 + strengthSize) : 0),
    sourceToSlot: new Int32Array(sourceCount),
    cellBlock,
    target: scope.f64(3 * stride),
    targetToSlot: new Int32Array(targetCount),
    cellTarget,
    stride,
    column: scope.f64(sumSize * stride),
  };
  for (let cell = 0; cell < tree.cellCount; cell++)
    if (tree.childCount[cell] === 0) fillLeaf(tree, cell, sourceCount, 3 + strengthSize, isShared, slots);
  return slots;
}

function fillLeaf(
  tree: PointTree,
  cell: number,
  sourceCount: number,
  recordSize: number,
  isShared: boolean,
  slots: Slots,
): void {
  const { source, sourceSingle, sourceToSlot, cellBlock, target, targetToSlot, cellTarget, stride } = slots;
  const putSource = (slot: number, place: number) => {
    const at = (slot >> 1) * 2 * recordSize + (slot & 1);
    for (let a = 0; a < 3; a++) source[at + 2 * a] = tree.point[3 * place + a];
    if (sourceSingle.length === 0) return;
    const single = (slot >> 2) * 4 * recordSize + (slot & 3);
    for (let a = 0; a < 3; a++)
      sourceSingle[single + 4 * a] = tree.point[3 * place + a] - tree.centre[3 * cell + a];
  };
  const putTarget = (slot: number, place: number) => {
    for (let a = 0; a < 3; a++) target[a * stride + slot] = tree.point[3 * place + a];
  };
  const start = tree.pointStart[cell];
  const end = start + tree.sourceCount[cell] + (isShared ? 0 : tree.targetCount[cell]);
  let nextSource = 2 * cellBlock[2 * cell];
  let nextTarget = cellTarget[2 * cell];
  let lastSource = 0;
  let lastTarget = 0;
  for (let i = start; i < end; i++) {
    const id = tree.id[i];
    if (id < sourceCount) {
      lastSource = i;
      sourceToSlot[id] = nextSource;
      putSource(nextSource++, i);
    }
    if (isShared || id >= sourceCount) {
      lastTarget = i;
      targetToSlot[isShared ? id : id - sourceCount] = nextTarget;
      putTarget(nextTarget++, i);
    }
  }
  while (nextSource < 2 * cellBlock[2 * cell + 1]) putSource(nextSource++, lastSource);
  if (nextTarget < cellTarget[2 * cell + 1]) putTarget(nextTarget, lastTarget);
}

/** Strengths (sourceCount x size) times factor, into their places. */
export function packStrengths(strength: F64View, factor: number, size: number, slots: Slots): void {
  const { source, sourceSingle, sourceToSlot } = slots;
  for (let i = 0; i < sourceToSlot.length; i++) {
    const slot = sourceToSlot[i];
    const at = (slot >> 1) * 2 * (3 + size) + (slot & 1) + 6;
    for (let c = 0; c < size; c++) source[at + 2 * c] = factor * strength[size * i + c];
    if (sourceSingle.length === 0) continue;
    const single = (slot >> 2) * 4 * (3 + size) + (slot & 3) + 12;
    for (let c = 0; c < size; c++) sourceSingle[single + 4 * c] = factor * strength[size * i + c];
  }
}
