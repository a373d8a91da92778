/**
 * V and K of Galerkin's form as full matrices, for surfaces of some thousand faces: the far rule over all pairs of points, and the near
 * pairs' values (near-both.ts) added in. Rows of V: faces by faces; of K: faces by vertices. Products on all threads, each row by one
 * of them. Cost: 9 distances for each pair of faces.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { triangleRules } from '../../math/triangle-rules.ts';
import { INVERSE_FOUR_PI } from '../sum-kernels.ts';
import type { NearBoth } from './near-both.ts';
import { DOUBLE, NORMAL, PANEL } from './panel-potentials.ts';
import type { PanelSources } from './panel-sources.ts';

const ROW_GRAIN = 8;
const PRODUCT_GRAIN = 32;
/** Columns that a task adds up at a time in transposed products. */
const COLUMN_GRAIN = 64;

export interface FullMatrices {
  /** (faces x faces) V */
  readonly single: Float64Array;
  /** (faces x vertices) K */
  readonly double: Float64Array;
}

export function buildFullMatrices(
  threads: Threads,
  sources: PanelSources,
  near: NearBoth,
  scope: HeapScope,
): FullMatrices {
  const { panelCount, vertexCount, panel, triangle, position, points, softening } = sources;
  const single = scope.f64(panelCount * panelCount);
  const double = scope.f64(panelCount * vertexCount);
  threads.run(rowTask, panelCount, ROW_GRAIN, {
    panelCount,
    vertexCount,
    points,
    softening: softening ** 2,
    panel,
    triangle,
    position,
    rowStart: near.single.rowStart,
    column: near.single.column,
    value: near.single.value,
    doubleStart: near.double.rowStart,
    doubleColumn: near.double.column,
    doubleValue: near.double.value,
    single,
    double,
  });
  return { single, double };
}

const rowTask = defineTask(
  'integrals/fill-matrices',
  {
    panelCount: 'number',
    vertexCount: 'number',
    points: 'number',
    softening: 'number',
    panel: 'f64',
    triangle: 'i32',
    position: 'f64',
    rowStart: 'i32',
    column: 'i32',
    value: 'f64',
    doubleStart: 'i32',
    doubleColumn: 'i32',
    doubleValue: 'f64',
    single: 'f64',
    double: 'f64',
  },
  (begin, end, values) => {
    const { panelCount, vertexCount, points, softening, panel, triangle, position, single, double } = values;
    const { rowStart, column, value, doubleStart, doubleColumn, doubleValue } = values;
    const { weight, share } = triangleRules[points as 3];
    for (let f = begin; f < end; f++) {
      const row = panelCount * f;
      const doubleRow = vertexCount * f;
      const areaF = 0.5 * INVERSE_FOUR_PI * panel[PANEL * f + DOUBLE];
      for (let g = 0; g < panelCount; g++) {
        const at = PANEL * g;
        const nx = panel[at + NORMAL];
        const ny = panel[at + NORMAL + 1];
        const nz = panel[at + NORMAL + 2];
        let sum = 0;
        let sum0 = 0;
        let sum1 = 0;
        let sum2 = 0;
        for (let q = 0; q < points; q++) {
          const y = 3 * (points * g + q);
          const yx = position[y];
          const yy = position[y + 1];
          const yz = position[y + 2];
          let toSingle = 0;
          let toDouble = 0;
          for (let p = 0; p < points; p++) {
            const x = 3 * (points * f + p);
            const dx = position[x] - yx;
            const dy = position[x + 1] - yy;
            const dz = position[x + 2] - yz;
            const inverse = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz + softening);
            const part = share[p] * inverse;
            toSingle += part;
            toDouble += part * inverse * inverse * (dx * nx + dy * ny + dz * nz);
          }
          sum += share[q] * toSingle;
          const doubled = share[q] * toDouble;
          sum0 += weight[3 * q] * doubled;
          sum1 += weight[3 * q + 1] * doubled;
          sum2 += weight[3 * q + 2] * doubled;
        }
        const areas = 0.5 * areaF * panel[at + DOUBLE];
        single[row + g] = areas * sum;
        double[doubleRow + triangle[3 * g]] += areas * sum0;
        double[doubleRow + triangle[3 * g + 1]] += areas * sum1;
        double[doubleRow + triangle[3 * g + 2]] += areas * sum2;
      }
      for (let n = rowStart[f]; n < rowStart[f + 1]; n++) single[row + column[n]] += value[n];
      for (let n = doubleStart[f]; n < doubleStart[f + 1]; n++)
        double[doubleRow + doubleColumn[n]] += doubleValue[n];
    }
  },
);

/** out (rows) = A x */
export function multiplyFull(
  threads: Threads,
  matrix: Float64Array,
  rows: number,
  x: Float64Array,
  out: Float64Array,
): void {
  threads.run(productTask, rows, PRODUCT_GRAIN, { columns: matrix.length / rows, matrix, x, out });
}

const productTask = defineTask(
  'integrals/multiply-full',
  { columns: 'number', matrix: 'f64', x: 'f64', out: 'f64' },
  (begin, end, { columns, matrix, x, out }) => {
    for (let r = begin; r < end; r++) {
      const row = columns * r;
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
  matrix: Float64Array,
  rows: number,
  x: Float64Array,
  out: Float64Array,
): void {
  threads.run(transposedTask, out.length, COLUMN_GRAIN, { rows, columns: out.length, matrix, x, out });
}

const transposedTask = defineTask(
  'integrals/multiply-full-transposed',
  { rows: 'number', columns: 'number', matrix: 'f64', x: 'f64', out: 'f64' },
  (begin, end, { rows, columns, matrix, x, out }) => {
    for (let c = begin; c < end; c++) out[c] = 0;
    for (let r = 0; r < rows; r++) {
      const row = columns * r;
      const factor = x[r];
      for (let c = begin; c < end; c++) out[c] += factor * matrix[row + c];
    }
  },
);
