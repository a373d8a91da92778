/**
 * A sparse octree over a box: a grid of equal roots, each split into eight again and again down to its
 * leaves. A node is one Int32, and the eight children of a node are neighbours in memory. Cost and memory: by
 * leaves.
 *
 * Levels count from the finest up: a leaf of level l is a cube of edge size 2^l, a root has level maxLevel.
 * Places inside are whole numbers of finest cells from the low corner of the box. Leaves are numbered in
 * Z-order.
 */
import { InputError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import type { Metres, Vec3 } from '../../core/types.ts';

/** Where an octree lies: the box is `roots` cubes of edge size 2^maxLevel. */
export interface OctreeBox {
  /** Low corner, m. */
  readonly origin: Vec3;
  /** Edge of the finest leaves, m. */
  readonly size: Metres;
  readonly roots: readonly [number, number, number];
  readonly maxLevel: number;
}

export interface Octree extends OctreeBox {
  /** Per node: its first child, or -1 - leaf. The roots come first, in scan order. */
  readonly child: Int32Array;
  readonly leafCount: number;
  /** (leafCount x 3) low corner in finest cells */
  readonly leafCorner: Int32Array;
  readonly leafLevel: Uint8Array;
}

/** Finest cells along an axis: half cells and their sums stay whole numbers of 32 bits. */
export const MOST_CELLS = 2 ** 20;
/** Roots of a box: each is a leaf at least. */
const MOST_ROOTS = 2 ** 27;

export function validateOctreeBox(box: OctreeBox): void {
  const where = 'octree';
  const { size, roots, maxLevel } = box;
  if (!(size > 0) || !Number.isFinite(size))
    throw new InputError(where, `the finest cells are ${size} m`, 'give a positive finite size');
  if (!box.origin.every(Number.isFinite))
    throw new InputError(where, `its low corner is (${box.origin.join(', ')}) m`, 'give finite numbers');
  if (!Number.isInteger(maxLevel) || maxLevel < 0)
    throw new InputError(where, `maxLevel is ${maxLevel}`, 'give a whole number from 0 on');
  for (const n of roots) {
    if (!Number.isInteger(n) || n < 1)
      throw new InputError(where, `has ${roots.join(' x ')} roots`, 'give whole positive numbers of roots');
    if (n * 2 ** maxLevel > MOST_CELLS)
      throw new InputError(
        where,
        `has ${n * 2 ** maxLevel} finest cells along an axis, more than ${MOST_CELLS}`,
        'use a larger size or fewer levels',
      );
  }
  const rootCount = roots[0] * roots[1] * roots[2];
  if (rootCount > MOST_ROOTS)
    throw new InputError(
      where,
      `has ${rootCount} roots, more than ${MOST_ROOTS}`,
      'use more levels and fewer roots',
    );
}

/** The leaf that holds a finest cell of the box. */
export function findLeaf(octree: Octree, i: number, j: number, k: number): number {
  const { child, roots } = octree;
  let shift = octree.maxLevel;
  let next = child[(i >> shift) + roots[0] * ((j >> shift) + roots[1] * (k >> shift))];
  while (next >= 0) {
    shift--;
    next = child[next + ((i >> shift) & 1) + 2 * ((j >> shift) & 1) + 4 * ((k >> shift) & 1)];
  }
  return -1 - next;
}

/** Where the arrays of an octree are made: on the heap, or plain ones. */
export const allocateI32 = (length: number, scope?: HeapScope) =>
  scope ? scope.i32(length) : new Int32Array(length);
export const allocateU8 = (length: number, scope?: HeapScope) =>
  scope ? scope.u8(length) : new Uint8Array(length);
export const allocateF64 = (length: number, scope?: HeapScope) =>
  scope ? scope.f64(length) : new Float64Array(length);
