/**
 * The passes of the multipole method as tasks over leaves or cells: each writes its own cells' coefficients, or its own leaves' sums, and
 * nothing else. Arrays as in kernels/expansions.ts; a chunk works in its own part of scratch.
 */
import { kernels } from '../../core/kernels.ts';
import { defineTask } from '../../core/threads/task.ts';
import { addDirectSums, sumKernelCodes } from '../sum-kernels.ts';
import { countMultiIndices } from './multi-index.ts';

const takeScratch = (scratch: Float64Array, size: number, chunk: number) =>
  scratch.subarray(size * chunk, size * (chunk + 1));

export const gatherTask = defineTask(
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

export const shiftMomentsTask = defineTask(
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
    for (let i = begin; i < end; i++) {
      const children = [family[2 * parents[i]], family[2 * parents[i] + 1]] as const;
      const tables = [centre, steps, sums, constants] as const;
      kernels.shiftMoments(parents[i], ...children, components, order, ...tables, moment, own);
    }
  },
);

export const translateTask = defineTask(
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

export const demoteTask = defineTask(
  'integrals/demote-moments',
  (
    begin: number,
    end: number,
    components: number,
    order: number,
    unit: Float64Array,
    moment: Float64Array,
    momentSingle: Float32Array,
  ) => {
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

export const translateSingleTask = defineTask(
  'integrals/translate-moments-single',
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
    unit: Float64Array,
    sums: Int32Array,
    recur: Int32Array,
    constants: Float64Array,
    moment: Float32Array,
    local: Float64Array,
    scratch: Float32Array,
  ) => {
    const own = scratch.subarray((scratchSize * begin) / grain, scratchSize * (begin / grain + 1));
    const size = components * (constants.length / 3);
    local.fill(0, begin * size, end * size);
    for (let cell = begin; cell < end; cell++) {
      if (farStart[cell] === farStart[cell + 1]) continue;
      kernels.translateMomentsSingle(
        ...([cell, farStart[cell], farStart[cell + 1], components, order, firstRow, softening] as const),
        ...([far, centre, unit, sums, recur, constants, moment, local, own] as const),
      );
    }
  },
);

export const shiftLocalTask = defineTask(
  'integrals/shift-local',
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
    local: Float64Array,
    scratch: Float64Array,
  ) => {
    const own = takeScratch(scratch, scratchSize, begin / grain);
    for (let i = begin; i < end; i++) {
      const children = [family[2 * parents[i]], family[2 * parents[i] + 1]] as const;
      const tables = [centre, steps, sums, constants] as const;
      kernels.shiftLocal(parents[i], ...children, components, order, ...tables, local, own);
    }
  },
);

export const evaluateTask = defineTask(
  'integrals/evaluate-local',
  (
    begin: number,
    end: number,
    grain: number,
    scratchSize: number,
    kind: number,
    order: number,
    stride: number,
    leaf: Int32Array,
    cellTarget: Int32Array,
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
    const columns = column.length / stride;
    for (let i = begin; i < end; i++) {
      const cell = leaf[i];
      const [first, last] = [cellTarget[2 * cell], cellTarget[2 * cell + 1]];
      for (let c = 0; c < columns; c++) column.fill(0, c * stride + first, c * stride + last);
      kernels.evaluateLocal(
        ...([cell, first, last, kind, order, stride, centre, target, steps, sums, constants] as const),
        ...([local, column, own] as const),
      );
    }
  },
);

export const nearTask = defineTask(
  'integrals/add-near',
  (
    begin: number,
    end: number,
    code: number,
    softening: number,
    stride: number,
    leaf: Int32Array,
    cellTarget: Int32Array,
    nearStart: Int32Array,
    range: Int32Array,
    source: Float64Array,
    target: Float64Array,
    column: Float64Array,
  ) => {
    for (let i = begin; i < end; i++) {
      const cell = leaf[i];
      const targets = [cellTarget[2 * cell], cellTarget[2 * cell + 1]] as const;
      const ranges = [nearStart[cell], nearStart[cell + 1]] as const;
      addDirectSums[code](...targets, ...ranges, range, source, stride, target, softening, column);
    }
  },
);

export const nearSingleTask = defineTask(
  'integrals/add-near-single',
  (
    begin: number,
    end: number,
    code: number,
    softening: number,
    stride: number,
    leaf: Int32Array,
    cellTarget: Int32Array,
    nearStart: Int32Array,
    range: Int32Array,
    source: Float32Array,
    target: Float64Array,
    centre: Float64Array,
    column: Float64Array,
  ) => {
    const add =
      code === sumKernelCodes.biotSavart ? kernels.sumVorticesSingle : kernels.sumVectorChargesSingle;
    for (let i = begin; i < end; i++) {
      const cell = leaf[i];
      const targets = [cellTarget[2 * cell], cellTarget[2 * cell + 1]] as const;
      const ranges = [nearStart[cell], nearStart[cell + 1]] as const;
      const points = [range, source, stride, target, centre, softening] as const;
      add(...targets, ...ranges, ...points, column);
    }
  },
);
