/**
 * V and K of Galerkin's form as full matrices, for surfaces of some thousand faces: the far rule over all pairs of points, and the near
 * pairs' values (near-both.ts) added in. Rows of V: faces by faces; of K: faces by vertices. Products on all threads, each row by one
 * of them. Cost: 9 distances for each pair of faces.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { INVERSE_FOUR_PI } from '../sum-kernels.ts';
import type { NearBoth } from './near-both.ts';
import { fillPanelRows, setPanelRule } from './panel-pair-kernels.ts';
import { DOUBLE, NORMAL, PANEL } from './panel-potentials.ts';
import type { PanelSources } from './panel-sources.ts';

const ROW_GRAIN = 8;
const PRODUCT_GRAIN = 32;
/** Columns that a task adds up at a time in transposed products. */
const COLUMN_GRAIN = 64;
/** Faces that a kernel takes at a time. */
const LANES = 4;
/** Weights of the rule of three points: its own corner, the others. */
const MAIN = 2 / 3;
const SIDE = 1 / 6;

export interface FullMatrices {
  /** Columns of a row of `single`: faces, filled up with zeros. */
  readonly stride: number;
  /** (faces x stride) V */
  readonly single: Float32Array;
  /** (faces x vertices) K */
  readonly double: Float32Array;
}

/** The sources must have three points a face. */
export function buildFullMatrices(
  threads: Threads,
  sources: PanelSources,
  near: NearBoth,
  scope: HeapScope,
): FullMatrices {
  const { panelCount, vertexCount } = sources;
  const stride = LANES * Math.ceil(panelCount / LANES);
  const single = scope.f32(panelCount * stride);
  const double = scope.f32(panelCount * vertexCount);
  const faces = packFaces(sources, stride, scope);
  const rule = { stride, vertexCount, main: MAIN, side: SIDE, ...faces };
  threads.run(rowTask, panelCount, ROW_GRAIN, { ...rule, single, double });
  threads.run(nearTask, panelCount, ROW_GRAIN, { ...rule, ...near, single, double });
  return { stride, single, double };
}

/** Faces by columns in single precision, about their own middle, so that no digits are lost far from the origin. */
function packFaces(
  { panelCount, panel, triangle, position, softening }: PanelSources,
  stride: number,
  scope: HeapScope,
) {
  const points = scope.f32(9 * stride);
  const normal = scope.f32(3 * stride);
  const weight = scope.f32(stride);
  const ids = scope.i32(3 * stride);
  ids.set(triangle);
  const centre = [0, 0, 0];
  for (let n = 0; n < position.length; n++) centre[n % 3] += (3 * position[n]) / position.length;
  for (let g = 0; g < panelCount; g++) {
    for (let q = 0; q < 3; q++)
      for (let k = 0; k < 3; k++)
        points[(3 * q + k) * stride + g] = position[3 * (3 * g + q) + k] - centre[k];
    for (let k = 0; k < 3; k++) normal[k * stride + g] = panel[PANEL * g + NORMAL + k];
    // The shares of the points, a third each, go with the areas.
    weight[g] = (Math.sqrt(INVERSE_FOUR_PI) / 3) * 0.5 * panel[PANEL * g + DOUBLE];
  }
  return { softening: softening ** 2, position: points, normal, weight, triangle: ids };
}

const rowTask = defineTask('integrals/fill-panel-rows', fillPanelRows);

/** V of near pairs as it is; K more by what the rule of the row task lacks, in its own arithmetic. */
const nearTask = defineTask(
  'integrals/set-near-rows',
  { ...fillPanelRows.columns, rows: 'i32', integral: 'f64' },
  (begin, end, values) => {
    const { stride, vertexCount, triangle, rows, integral, single, double } = values;
    const ruled = new Float32Array(4);
    for (let f = begin; f < end; f++)
      for (let n = rows[f]; n < rows[f + 1]; n++) {
        const g = rows[n];
        const entry = 4 * (n - rows[0]);
        single[stride * f + g] = integral[entry];
        setPanelRule(values, f, g, ruled);
        for (let i = 0; i < 3; i++)
          double[vertexCount * f + triangle[3 * g + i]] += integral[entry + 1 + i] - ruled[1 + i];
      }
  },
);

/** out (rows) = A x; rows of A are `stride` apart */
export function multiplyFull(
  threads: Threads,
  matrix: Float32Array,
  stride: number,
  x: Float64Array,
  out: Float64Array,
): void {
  threads.run(productTask, out.length, PRODUCT_GRAIN, { stride, columns: x.length, matrix, x, out });
}

const productTask = defineTask(
  'integrals/multiply-full',
  { stride: 'number', columns: 'number', matrix: 'f32', x: 'f64', out: 'f64' },
  (begin, end, { stride, columns, matrix, x, out }) => {
    for (let r = begin; r < end; r++) {
      const row = stride * r;
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      let n = 0;
      for (; n + 3 < columns; n += 4) {
        a += matrix[row + n] * x[n];
        b += matrix[row + n + 1] * x[n + 1];
        c += matrix[row + n + 2] * x[n + 2];
        d += matrix[row + n + 3] * x[n + 3];
      }
      for (; n < columns; n++) a += matrix[row + n] * x[n];
      out[r] = a + b + (c + d);
    }
  },
);

/** out (columns) = A^T x */
export function multiplyFullTransposed(
  threads: Threads,
  matrix: Float32Array,
  x: Float64Array,
  out: Float64Array,
): void {
  const columns = out.length;
  threads.run(transposedTask, columns, COLUMN_GRAIN, { rows: x.length, columns, matrix, x, out });
}

const transposedTask = defineTask(
  'integrals/multiply-full-transposed',
  { rows: 'number', columns: 'number', matrix: 'f32', x: 'f64', out: 'f64' },
  (begin, end, { rows, columns, matrix, x, out }) => {
    for (let c = begin; c < end; c++) out[c] = 0;
    for (let r = 0; r < rows; r++) {
      const row = columns * r;
      const factor = x[r];
      for (let c = begin; c < end; c++) out[c] += factor * matrix[row + c];
    }
  },
);
