/**
 * The passes of the multipole method over a prepared tree: moments of the leaves, up, across, down, and the
 * sums at the targets. Each cell writes its own coefficients only, and reads its list in a fixed order, so
 * the bytes do not depend on the threads.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import { type SumKernel, sumKernelCodes, sumKernelShapes } from '../sum-kernels.ts';
import type { Interactions } from './interactions.ts';
import type { MultiIndexTables } from './multi-index.ts';
import type { Slots } from './slots.ts';
import {
  demoteTask,
  evaluateTask,
  gatherTask,
  nearSingleTask,
  nearTask,
  shiftLocalTask,
  shiftMomentsTask,
  translateSingleTask,
  translateTask,
} from './tasks.ts';
import type { PointTree } from './tree.ts';

/** Every pass is cut into at most so many chunks: enough to share, and each has scratch of its own. */
const CHUNKS = 64;

/** What L2P takes of the local expansion (kernels/expansions.ts). */
const evaluationKinds: Record<SumKernel, number> = {
  potential: 0,
  gradient: 1,
  biotSavart: 2,
  doubleLayer: 0,
  vectorPotential: 3,
};

export interface Passes {
  /** From the packed strengths to the columns of sums. */
  run(threads: Threads): void;
}

/** What the passes work on. */
export interface PassSources {
  readonly kernel: SumKernel;
  readonly tree: PointTree;
  readonly slots: Slots;
  readonly interactions: Interactions;
  readonly tables: MultiIndexTables;
  /** delta^2, in the units of the tree. */
  readonly softening: number;
  /** Translations and near sums in single precision. */
  readonly isSingle: boolean;
}

export function buildPasses(scope: HeapScope, sources: PassSources): Passes {
  const { kernel, tree, slots, tables } = sources;
  const { strengthSize } = sumKernelShapes[kernel];
  const kind = evaluationKinds[kernel];
  const isDerivative = kernel === 'gradient' || kernel === 'biotSavart';
  const isDipole = kernel === 'doubleLayer';
  const components = isDipole ? 1 : strengthSize;
  const { order, count: n, steps, sums, recur, constants } = tables;
  const { cellCount, centre } = tree;
  const { cellBlock, cellTarget, source, target, stride, column } = slots;
  const moment = scope.f64(cellCount * components * n);
  const local = scope.f64(cellCount * components * n);
  const scratchSize = 2 * (n + 1 + Math.max(3, 2 * components) * n);
  const scratch = scope.f64(CHUNKS * scratchSize);
  const { sourceLeaf, targetLeaf, family, parentsByLevel } = listFamilies(scope, tree);
  const cut = (count: number) => ({ grain: computeGrain(count), scratchSize, scratch });
  const index = { order, centre, steps, sums, recur, constants };
  const addNear = buildNear(scope, sources, targetLeaf);
  const expansions = { components, firstRow: isDerivative ? 1 : 0, moment, local };
  const translate = buildTranslation(scope, sources, expansions);
  const sourceLeaves = cut(sourceLeaf.length);
  const targetLeaves = cut(targetLeaf.length);

  return {
    run(threads) {
      threads.run(gatherTask, sourceLeaf.length, sourceLeaves.grain, {
        ...{ ...sourceLeaves, ...index, leaf: sourceLeaf, cellBlock, source, moment },
        ...{ components: strengthSize, dipole: isDipole ? 1 : 0 },
      });
      const shift = (parents: Int32Array, expansion: Float64Array) => ({
        ...{ ...cut(parents.length), ...index, components, parents, family, expansion },
      });
      for (const parents of parentsByLevel.toReversed()) {
        const values = shift(parents, moment);
        threads.run(shiftMomentsTask, parents.length, values.grain, values);
      }
      translate(threads);
      for (const parents of parentsByLevel) {
        const values = shift(parents, local);
        threads.run(shiftLocalTask, parents.length, values.grain, values);
      }
      threads.run(evaluateTask, targetLeaf.length, targetLeaves.grain, {
        ...{ ...targetLeaves, ...index, kind, stride, leaf: targetLeaf, cellTarget, target, local },
        out: column,
      });
      addNear(threads);
    },
  };
}

const computeGrain = (count: number) => Math.max(1, Math.ceil(count / CHUNKS));

interface Expansions {
  readonly components: number;
  /** First row of a local expansion that is asked for. */
  readonly firstRow: number;
  readonly moment: Float64Array;
  readonly local: Float64Array;
}

/** M2L for all cells, in double or single precision. */
function buildTranslation(
  scope: HeapScope,
  { tree, interactions, tables, softening, isSingle }: PassSources,
  { components, firstRow, moment, local }: Expansions,
): (threads: Threads) => void {
  const { cellCount, centre, radius } = tree;
  const { farStart, far } = interactions;
  const { order, count: n, sums, recur, constants } = tables;
  const vectors = n + 1 + 2 * components * n + 5;
  const grain = computeGrain(cellCount);
  const numbers = { grain, components, order, firstRow, softening };
  const lists = { farStart, far, centre, sums, recur, constants, local };
  if (!isSingle) {
    const scratch = scope.f64(2 * CHUNKS * vectors);
    const values = { ...numbers, ...lists, moment, scratchSize: 2 * vectors, scratch };
    return (threads) => threads.run(translateTask, cellCount, grain, values);
  }
  const unit = scope.f64(cellCount);
  unit.set(radius);
  const momentSingle = scope.f32(moment.length);
  const scratch = scope.f32(4 * CHUNKS * vectors);
  const values = { ...numbers, ...lists, unit, moment: momentSingle, scratchSize: 4 * vectors, scratch };
  return (threads) => {
    threads.run(demoteTask, cellCount, grain, { components, order, unit, moment, momentSingle });
    threads.run(translateSingleTask, cellCount, grain, values);
  };
}

/** P2P for all leaves, in double or single precision. */
function buildNear(
  scope: HeapScope,
  { kernel, tree, slots, interactions, softening }: PassSources,
  leaf: Int32Array,
): (threads: Threads) => void {
  const { cellTarget, source, sourceSingle, target, stride, column } = slots;
  const range = buildRanges(scope, interactions, slots);
  const grain = computeGrain(leaf.length);
  const numbers = { code: sumKernelCodes[kernel], softening, stride };
  const lists = { leaf, cellTarget, nearStart: interactions.nearStart, range, target, out: column };
  const values = { ...numbers, ...lists };
  const { centre } = tree;
  return (threads) => {
    if (sourceSingle.length > 0)
      threads.run(nearSingleTask, leaf.length, grain, { ...values, source: sourceSingle, centre });
    else threads.run(nearTask, leaf.length, grain, { ...values, source });
  };
}

/**
 * Leaves with sources, leaves with targets, the children of every cell (first, end), and the cells with
 * children level by level.
 */
function listFamilies(scope: HeapScope, tree: PointTree) {
  const { cellCount, levelStart, childCount, firstChild, sourceCount, targetCount } = tree;
  const family = scope.i32(2 * cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    family[2 * cell] = firstChild[cell];
    family[2 * cell + 1] = firstChild[cell] + childCount[cell];
  }
  return {
    family,
    sourceLeaf: listCells(scope, 0, cellCount, (c) => childCount[c] === 0 && sourceCount[c] > 0),
    targetLeaf: listCells(scope, 0, cellCount, (c) => childCount[c] === 0 && targetCount[c] > 0),
    parentsByLevel: levelStart
      .slice(1)
      .map((end, level) => listCells(scope, levelStart[level], end, (c) => childCount[c] > 0)),
  };
}

function listCells(
  scope: HeapScope,
  begin: number,
  end: number,
  isListed: (cell: number) => boolean,
): Int32Array {
  let count = 0;
  for (let cell = begin; cell < end; cell++) if (isListed(cell)) count++;
  const list = scope.i32(count);
  count = 0;
  for (let cell = begin; cell < end; cell++) if (isListed(cell)) list[count++] = cell;
  return list;
}

/**
 * The near lists as ranges of source blocks: pairs for double precision, triples with the leaf for single.
 */
function buildRanges(scope: HeapScope, { near }: Interactions, slots: Slots): Int32Array {
  const { cellBlock, sourceSingle } = slots;
  const isSingle = sourceSingle.length > 0;
  const size = isSingle ? 3 : 2;
  const range = scope.i32(size * near.length);
  for (let i = 0; i < near.length; i++) {
    const [first, end] = [cellBlock[2 * near[i]], cellBlock[2 * near[i] + 1]];
    // Blocks of four are two blocks of two.
    range[size * i] = isSingle ? first / 2 : first;
    range[size * i + 1] = isSingle ? end / 2 : end;
    if (isSingle) range[size * i + 2] = near[i];
  }
  return range;
}
