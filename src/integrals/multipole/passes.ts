/**
 * The passes of the multipole method over a prepared tree: moments of the leaves, up, across, down, and the sums at the targets. Each
 * cell writes its own coefficients only, and reads its list in a fixed order, so the bytes do not depend on the threads.
 */
import type { HeapScope } from '../../core/heap.ts';
import { kernels } from '../../core/kernels.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { addDirectSums, type SumKernel, sumKernelCodes, sumKernelShapes } from '../sum-kernels.ts';
import type { Interactions } from './interactions.ts';
import type { MultiIndexTables } from './multi-index.ts';
import type { Slots } from './slots.ts';
import type { PointTree } from './tree.ts';

/** Every pass is cut into at most so many chunks: enough to share, and each has scratch of its own. */
const CHUNKS = 64;

/** What L2P takes of the local expansion (kernels/expansions.ts). */
const evaluationKinds: Record<SumKernel, number> = {
  potential: 0,
  gradient: 1,
  biotSavart: 2,
  doubleLayer: 0,
};

const gatherTask = defineTask(
  'integrals/gather-moments',
  (
    begin: number,
    end: number,
    grain: number,
    scratchSize: number,
    strengthSize: number,
    isDipole: number,
    order: number,
    leaf: Int32Array,
    cellBlock: Int32Array,
    centre: Float64Array,
    source: Float64Array,
    steps: Int32Array,
    recur: Int32Array,
    constants: Float64Array,
    moment: Float64Array,
    scratch: Float64Array,
  ) => {
    const own = takeScratch(scratch, scratchSize, begin / grain);
    for (let i = begin; i < end; i++) {
      const cell = leaf[i];
      const [first, last] = [cellBlock[2 * cell], cellBlock[2 * cell + 1]];
      const tables = [steps, recur, constants] as const;
      kernels.gatherMoments(
        ...([cell, first, last, strengthSize, isDipole, order, centre, source] as const),
        ...tables,
        moment,
        own,
      );
    }
  },
);

const takeScratch = (scratch: Float64Array, size: number, chunk: number) =>
  scratch.subarray(size * chunk, size * (chunk + 1));

const shiftMomentsTask = defineTask(
  'integrals/shift-moments',
  (
    begin: number,
    end: number,
    grain: number,
    scratchSize: number,
    components: number,
    order: number,
    parents: Int32Array,
    family: Int32Array,
    centre: Float64Array,
    steps: Int32Array,
    sums: Int32Array,
    constants: Float64Array,
    moment: Float64Array,
    scratch: Float64Array,
  ) => {
    const own = takeScratch(scratch, scratchSize, begin / grain);
    const size = components * (constants.length / 3);
    for (let i = begin; i < end; i++) {
      const cell = parents[i];
      moment.fill(0, cell * size, (cell + 1) * size);
      for (let child = family[2 * cell]; child < family[2 * cell + 1]; child++)
        kernels.shiftMoments(child, cell, components, order, centre, steps, sums, constants, moment, own);
    }
  },
);

const translateTask = defineTask(
  'integrals/translate-moments',
  (
    begin: number,
    end: number,
    grain: number,
    scratchSize: number,
    components: number,
    order: number,
    firstRow: number,
    softening: number,
    farStart: Int32Array,
    far: Int32Array,
    centre: Float64Array,
    sums: Int32Array,
    recur: Int32Array,
    constants: Float64Array,
    moment: Float64Array,
    local: Float64Array,
    scratch: Float64Array,
  ) => {
    const own = takeScratch(scratch, scratchSize, begin / grain);
    const size = components * (constants.length / 3);
    local.fill(0, begin * size, end * size);
    for (let cell = begin; cell < end; cell++) {
      if (farStart[cell] === farStart[cell + 1]) continue;
      kernels.translateMoments(
        ...([cell, farStart[cell], farStart[cell + 1], components, order, firstRow, softening] as const),
        ...([far, centre, sums, recur, constants, moment, local, own] as const),
      );
    }
  },
);

const shiftLocalTask = defineTask(
  'integrals/shift-local',
  (
    begin: number,
    end: number,
    grain: number,
    scratchSize: number,
    components: number,
    order: number,
    children: Int32Array,
    parent: Int32Array,
    centre: Float64Array,
    steps: Int32Array,
    sums: Int32Array,
    constants: Float64Array,
    local: Float64Array,
    scratch: Float64Array,
  ) => {
    const own = takeScratch(scratch, scratchSize, begin / grain);
    for (let i = begin; i < end; i++) {
      const cell = children[i];
      kernels.shiftLocal(parent[cell], cell, components, order, centre, steps, sums, constants, local, own);
    }
  },
);

const evaluateTask = defineTask(
  'integrals/evaluate-leaves',
  (
    begin: number,
    end: number,
    grain: number,
    scratchSize: number,
    code: number,
    kind: number,
    order: number,
    softening: number,
    stride: number,
    leaf: Int32Array,
    cellTarget: Int32Array,
    rangeStart: Int32Array,
    range: Int32Array,
    source: Float64Array,
    target: Float64Array,
    centre: Float64Array,
    steps: Int32Array,
    sums: Int32Array,
    constants: Float64Array,
    local: Float64Array,
    column: Float64Array,
    scratch: Float64Array,
  ) => {
    const own = takeScratch(scratch, scratchSize, begin / grain);
    const addDirect = addDirectSums[code];
    const columns = column.length / stride;
    for (let i = begin; i < end; i++) {
      const cell = leaf[i];
      const [first, last] = [cellTarget[2 * cell], cellTarget[2 * cell + 1]];
      for (let c = 0; c < columns; c++) column.fill(0, c * stride + first, c * stride + last);
      kernels.evaluateLocal(
        ...([cell, first, last, kind, order, stride, centre, target, steps, sums, constants] as const),
        ...([local, column, own] as const),
      );
      const ranges = [rangeStart[cell], rangeStart[cell + 1]] as const;
      addDirect(first, last, ...ranges, range, source, stride, target, softening, column);
    }
  },
);

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
): Passes {
  const { strengthSize } = sumKernelShapes[kernel];
  const kind = evaluationKinds[kernel];
  const isDipole = kernel === 'doubleLayer';
  const components = isDipole ? 1 : strengthSize;
  const { order, count: n, steps, sums, recur, constants } = tables;
  const { cellCount, levelStart, centre } = tree;
  const moment = scope.f64(cellCount * components * n);
  const local = scope.f64(cellCount * components * n);
  const scratchSize = 2 * (n + 1 + Math.max(3, 2 * components) * n);
  const scratch = scope.f64(CHUNKS * scratchSize);
  const sourceLeaf = listCells(
    scope,
    0,
    cellCount,
    (c) => tree.childCount[c] === 0 && tree.sourceCount[c] > 0,
  );
  const targetLeaf = listCells(
    scope,
    0,
    cellCount,
    (c) => tree.childCount[c] === 0 && tree.targetCount[c] > 0,
  );
  const levels = levelStart.slice(1).map((to, level) => ({
    parents: listCells(
      scope,
      levelStart[level],
      to,
      (c) => tree.childCount[c] > 0 && tree.sourceCount[c] > 0,
    ),
    children: listCells(scope, Math.max(1, levelStart[level]), to, (c) => tree.targetCount[c] > 0),
  }));
  const family = scope.i32(2 * cellCount);
  const parent = scope.i32(cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    family[2 * cell] = tree.firstChild[cell];
    family[2 * cell + 1] = tree.firstChild[cell] + tree.childCount[cell];
    parent[cell] = tree.parent[cell];
  }
  const { far, farStart, nearStart } = interactions;
  const range = buildRanges(scope, interactions, slots);
  const grainOf = (count: number) => Math.max(1, Math.ceil(count / CHUNKS));

  return {
    run(threads) {
      const { cellBlock, cellTarget, source, target, stride, column } = slots;
      const head = (count: number) => [count, grainOf(count), grainOf(count), scratchSize] as const;
      threads.run(
        gatherTask,
        ...head(sourceLeaf.length),
        ...([strengthSize, isDipole ? 1 : 0, order, sourceLeaf, cellBlock, centre, source] as const),
        ...([steps, recur, constants, moment, scratch] as const),
      );
      const shift = [centre, steps, sums, constants] as const;
      for (const { parents } of levels.toReversed())
        threads.run(
          ...([shiftMomentsTask, ...head(parents.length), components, order, parents, family] as const),
          ...shift,
          moment,
          scratch,
        );
      threads.run(
        translateTask,
        ...head(cellCount),
        ...([components, order, kind === 0 ? 0 : 1, softening, farStart, far, centre, sums] as const),
        ...([recur, constants, moment, local, scratch] as const),
      );
      for (const { children } of levels)
        threads.run(
          ...([shiftLocalTask, ...head(children.length), components, order, children, parent] as const),
          ...shift,
          local,
          scratch,
        );
      threads.run(
        evaluateTask,
        ...head(targetLeaf.length),
        ...([sumKernelCodes[kernel], kind, order, softening, stride, targetLeaf, cellTarget] as const),
        ...([
          nearStart,
          range,
          source,
          target,
          centre,
          steps,
          sums,
          constants,
          local,
          column,
          scratch,
        ] as const),
      );
    },
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

/** The near lists as ranges of source blocks. */
function buildRanges(scope: HeapScope, { near }: Interactions, { cellBlock }: Slots): Int32Array {
  const range = scope.i32(2 * near.length);
  for (let i = 0; i < near.length; i++) {
    range[2 * i] = cellBlock[2 * near[i]];
    range[2 * i + 1] = cellBlock[2 * near[i] + 1];
  }
  return range;
}
