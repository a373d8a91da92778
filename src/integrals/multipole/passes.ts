/**
 * The passes of the multipole method over a prepared tree: moments of the leaves, up, across, down, and the sums at the targets. Each
 * cell writes its own coefficients only, and reads its list in a fixed order, so the bytes do not depend on the threads.
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

export function buildPasses(
  scope: HeapScope,
  kernel: SumKernel,
  tree: PointTree,
  slots: Slots,
  interactions: Interactions,
  tables: MultiIndexTables,
  softening: number,
  isSingle: boolean,
): Passes {
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
  const head = (count: number) => [count, computeGrain(count), computeGrain(count), scratchSize] as const;
  const addNear = buildNear(scope, kernel, tree, slots, interactions, softening, targetLeaf);
  const translate = buildTranslation(
    ...([scope, tree, interactions, tables, components, isDerivative ? 1 : 0, softening] as const),
    ...([moment, local, isSingle] as const),
  );

  return {
    run(threads) {
      threads.run(
        gatherTask,
        ...head(sourceLeaf.length),
        ...([strengthSize, isDipole ? 1 : 0, order, sourceLeaf, cellBlock, centre, source] as const),
        ...([steps, recur, constants, moment, scratch] as const),
      );
      const shift = [family, centre, steps, sums, constants] as const;
      for (const parents of parentsByLevel.toReversed())
        threads.run(
          ...([shiftMomentsTask, ...head(parents.length), components, order, parents] as const),
          ...([...shift, moment, scratch] as const),
        );
      translate(threads);
      for (const parents of parentsByLevel)
        threads.run(
          ...([shiftLocalTask, ...head(parents.length), components, order, parents] as const),
          ...([...shift, local, scratch] as const),
        );
      threads.run(
        evaluateTask,
        ...head(targetLeaf.length),
        ...([kind, order, stride, targetLeaf, cellTarget, target, centre] as const),
        ...([steps, sums, constants, local, column, scratch] as const),
      );
      addNear(threads);
    },
  };
}

const computeGrain = (count: number) => Math.max(1, Math.ceil(count / CHUNKS));

/** M2L for all cells, in double or single precision. */
function buildTranslation(
  scope: HeapScope,
  { cellCount, centre, radius }: PointTree,
  { farStart, far }: Interactions,
  { order, count: n, sums, recur, constants }: MultiIndexTables,
  components: number,
  firstRow: number,
  softening: number,
  moment: Float64Array,
  local: Float64Array,
  isSingle: boolean,
): (threads: Threads) => void {
  const vectors = n + 1 + 2 * components * n + 5;
  const grain = computeGrain(cellCount);
  const numbers = [components, order, firstRow, softening, farStart, far, centre] as const;
  if (!isSingle) {
    const scratch = scope.f64(2 * CHUNKS * vectors);
    return (threads) =>
      threads.run(
        ...([translateTask, cellCount, grain, grain, 2 * vectors, ...numbers, sums] as const),
        ...([recur, constants, moment, local, scratch] as const),
      );
  }
  const unit = scope.f64(cellCount);
  unit.set(radius);
  const single = scope.f32(moment.length);
  const scratch = scope.f32(4 * CHUNKS * vectors);
  return (threads) => {
    threads.run(demoteTask, cellCount, grain, components, order, unit, moment, single);
    threads.run(
      ...([translateSingleTask, cellCount, grain, grain, 4 * vectors, ...numbers, unit, sums] as const),
      ...([recur, constants, single, local, scratch] as const),
    );
  };
}

/** P2P for all leaves, in double or single precision. */
function buildNear(
  scope: HeapScope,
  kernel: SumKernel,
  { centre }: PointTree,
  slots: Slots,
  interactions: Interactions,
  softening: number,
  targetLeaf: Int32Array,
): (threads: Threads) => void {
  const { cellTarget, source, sourceSingle, target, stride, column } = slots;
  const range = buildRanges(scope, interactions, slots);
  const leaves = [targetLeaf.length, computeGrain(targetLeaf.length)] as const;
  const places = [targetLeaf, cellTarget, interactions.nearStart, range] as const;
  const code = sumKernelCodes[kernel];
  return (threads) => {
    if (sourceSingle.length > 0)
      threads.run(
        ...([nearSingleTask, ...leaves, code, softening, stride, ...places, sourceSingle] as const),
        ...([target, centre, column] as const),
      );
    else
      threads.run(
        ...([nearTask, ...leaves, code, softening, stride, ...places, source, target, column] as const),
      );
  };
}

/** Leaves with sources, leaves with targets, the children of every cell (first, count), and the cells with children level by level. */
function listFamilies(scope: HeapScope, tree: PointTree) {
  const { cellCount, levelStart, childCount, firstChild, sourceCount, targetCount } = tree;
  const family = scope.i32(2 * cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    family[2 * cell] = firstChild[cell];
    family[2 * cell + 1] = childCount[cell];
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

/** The near lists as ranges of source blocks: pairs for double precision, triples with the leaf for single. */
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
