/**
 * The passes of the multipole method as tasks over leaves or cells: each writes its own cells' coefficients,
 * or its own leaves' sums, and nothing else. Arrays as in kernels/expansions.ts; a chunk works in its own
 * part of scratch.
 */
import { omitColumns } from '../../core/records.ts';
import { defineTask } from '../../core/threads/task.ts';
import { addPointSums } from '../point-sum-kernels.ts';
import { addPointSumsSingle } from '../point-sum-single-kernels.ts';
import {
  evaluateLocal,
  gatherMoments,
  shiftLocal,
  shiftMoments,
  translateMoments,
} from './expansion-kernels.ts';
import { translateMomentsSingle } from './expansion-single-kernels.ts';
import { countMultiIndices } from './multi-index.ts';

/** Cells per chunk, and numbers of scratch for each chunk. */
const shared = { grain: 'number', scratchSize: 'number' } as const;

const takeScratch = (scratch: Float64Array, size: number, chunk: number) =>
  scratch.subarray(size * chunk, size * (chunk + 1));

const gatherColumns = omitColumns(gatherMoments.columns, 'cell');
export const gatherTask = defineTask(
  'integrals/gather-moments',
  { ...shared, leaf: 'i32', cellBlock: 'i32', ...gatherColumns },
  (begin, end, values) => {
    const { grain, scratchSize, leaf, cellBlock, scratch } = values;
    const cells = { ...values, cell: 0, scratch: takeScratch(scratch, scratchSize, begin / grain) };
    for (let i = begin; i < end; i++) {
      cells.cell = leaf[i];
      gatherMoments(cellBlock[2 * leaf[i]], cellBlock[2 * leaf[i] + 1], cells);
    }
  },
);

const shiftColumns = omitColumns(shiftMoments.columns, 'cell');
/** family: (cells x 2) first child and end of the children */
const familyColumns = { ...shared, parents: 'i32', family: 'i32', ...shiftColumns } as const;

const defineShift = (name: string, shift: typeof shiftMoments) =>
  defineTask(name, familyColumns, (begin, end, values) => {
    const { grain, scratchSize, parents, family, scratch } = values;
    const cells = { ...values, cell: 0, scratch: takeScratch(scratch, scratchSize, begin / grain) };
    for (let i = begin; i < end; i++) {
      cells.cell = parents[i];
      shift(family[2 * parents[i]], family[2 * parents[i] + 1], cells);
    }
  });

export const shiftMomentsTask = defineShift('integrals/shift-moments', shiftMoments);
export const shiftLocalTask = defineShift('integrals/shift-local', shiftLocal);

/** What both translations are given, with scratch in the precision of theirs. */
interface Translation<S> {
  readonly grain: number;
  readonly scratchSize: number;
  readonly farStart: Int32Array;
  readonly components: number;
  readonly constants: Float64Array;
  readonly local: Float64Array;
  readonly scratch: S;
}

/** The local expansions of the cells [begin, end), anew, from all cells far from each. */
function translateCells<S extends Float32Array | Float64Array, V extends Translation<S>>(
  translate: (first: number, last: number, values: V & { readonly target: number }) => unknown,
  begin: number,
  end: number,
  values: V,
): void {
  const { grain, scratchSize, farStart, components, constants, local, scratch } = values;
  const chunk = begin / grain;
  const own = scratch.subarray(scratchSize * chunk, scratchSize * (chunk + 1));
  const cells = { ...values, target: 0, scratch: own };
  const size = components * (constants.length / 3);
  local.fill(0, begin * size, end * size);
  for (let cell = begin; cell < end; cell++) {
    if (farStart[cell] === farStart[cell + 1]) continue;
    cells.target = cell;
    translate(farStart[cell], farStart[cell + 1], cells);
  }
}

const translateColumns = omitColumns(translateMoments.columns, 'target');
export const translateTask = defineTask(
  'integrals/translate-moments',
  { ...shared, farStart: 'i32', ...translateColumns },
  (begin, end, values) => translateCells(translateMoments, begin, end, values),
);

export const demoteTask = defineTask(
  'integrals/demote-moments',
  { components: 'number', order: 'number', unit: 'f64', moment: 'f64', momentSingle: 'f32' },
  (begin, end, { components, order, unit, moment, momentSingle }) => {
    const n = countMultiIndices(order);
    for (let cell = begin; cell < end; cell++) {
      for (let i = 0; i < components; i++) {
        const at = (cell * components + i) * n;
        // A cell that is a point has moments of degree 0 only.
        const step = unit[cell] > 0 ? 1 / unit[cell] : 0;
        for (let degree = 0, k = 0, factor = 1; degree <= order; degree++, factor *= step)
          for (const next = countMultiIndices(degree); k < next; k++)
            momentSingle[at + k] = moment[at + k] * factor;
      }
    }
  },
);

const singleColumns = omitColumns(translateMomentsSingle.columns, 'target');
export const translateSingleTask = defineTask(
  'integrals/translate-moments-single',
  { ...shared, farStart: 'i32', ...singleColumns },
  (begin, end, values) => translateCells(translateMomentsSingle, begin, end, values),
);

const evaluateColumns = omitColumns(evaluateLocal.columns, 'cell');
export const evaluateTask = defineTask(
  'integrals/evaluate-local',
  { ...shared, leaf: 'i32', cellTarget: 'i32', ...evaluateColumns },
  (begin, end, values) => {
    const { grain, scratchSize, leaf, cellTarget, stride, out, scratch } = values;
    const cells = { ...values, cell: 0, scratch: takeScratch(scratch, scratchSize, begin / grain) };
    const columns = out.length / stride;
    for (let i = begin; i < end; i++) {
      const cell = leaf[i];
      const [first, last] = [cellTarget[2 * cell], cellTarget[2 * cell + 1]];
      for (let c = 0; c < columns; c++) out.fill(0, c * stride + first, c * stride + last);
      cells.cell = cell;
      evaluateLocal(first, last, cells);
    }
  },
);

/** Leaves, where their targets are, and the ranges of sources near each cell. */
const nearColumns = {
  code: 'number',
  softening: 'number',
  stride: 'number',
  leaf: 'i32',
  cellTarget: 'i32',
  nearStart: 'i32',
  range: 'i32',
  target: 'f64',
  out: 'f64',
} as const;

/** Where the leaves' targets and the ranges of sources near them are. */
interface NearRanges {
  readonly leaf: Int32Array;
  readonly cellTarget: Int32Array;
  readonly nearStart: Int32Array;
}

/** Sums over the sources near the leaves [begin, end). */
function addNear<V extends NearRanges>(
  add: (first: number, last: number, values: V & { rangeBegin: number; rangeEnd: number }) => unknown,
  begin: number,
  end: number,
  values: V,
): void {
  const { leaf, cellTarget, nearStart } = values;
  const sums = { ...values, rangeBegin: 0, rangeEnd: 0 };
  for (let i = begin; i < end; i++) {
    const cell = leaf[i];
    sums.rangeBegin = nearStart[cell];
    sums.rangeEnd = nearStart[cell + 1];
    add(cellTarget[2 * cell], cellTarget[2 * cell + 1], sums);
  }
}

export const nearTask = defineTask(
  'integrals/add-near',
  { ...nearColumns, source: 'f64' },
  (begin, end, values) => addNear(addPointSums, begin, end, values),
);

export const nearSingleTask = defineTask(
  'integrals/add-near-single',
  { ...nearColumns, source: 'f32', centre: 'f64' },
  (begin, end, values) => addNear(addPointSumsSingle, begin, end, values),
);
