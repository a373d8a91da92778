/**
 * Near pairs of faces for both layers at once: what galerkin.ts computes for one, V of constant and K of linear densities share their
 * closed forms, so that a first-kind equation (first-kind.ts) needs them once. Cost: some 300 closed forms a face, two at a time.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import { type RulePoints, triangleRules } from '../../math/triangle-rules.ts';
import type { SumResources } from '../direct-sum.ts';
import { INVERSE_FOUR_PI } from '../sum-kernels.ts';
import { buildPattern, growBalls } from './layer-operator.ts';
import { findNearPanels, joinTransposed, type Rows } from './near-list.ts';
import { findEntry, type NearMatrix } from './near-matrix.ts';
import { chooseRule, pairTables } from './pair-tables.ts';
import { sumPanelPairs } from './panel-pair-kernels.ts';
import { DOUBLE, NORMAL, PANEL } from './panel-potentials.ts';
import type { PanelSources } from './panel-sources.ts';
import { computeSelfMean } from './triangle-potential.ts';

const GRAIN = 16;

export interface NearBoth {
  /** Near faces of each face, itself among them; symmetric. */
  readonly rows: Rows;
  /** (pairs x 4) V, and K of the inner face's corners */
  readonly integral: Float64Array;
}

/** `near`: reaches within which faces are near each other. */
export function buildNearBoth(
  { heap, threads }: SumResources,
  { panelCount, panel, triangle, ball }: PanelSources,
  near: number,
  scope: HeapScope,
): NearBoth {
  const scratch = heap.scope('near pairs of panels');
  try {
    const middle = scratch.f64(3 * panelCount);
    for (let t = 0; t < panelCount; t++) for (let k = 0; k < 3; k++) middle[3 * t + k] = ball[4 * t + k];
    const found = findNearPanels(middle, growBalls({ ball }, near, scratch), threads, scratch, scratch);
    const rows = joinTransposed(found, panelCount, scope);
    const count = rows.length - rows[0];
    const integral = scope.f64(4 * count);
    const code = scratch.i32(count);
    const tableStart = scratch.i32(pairTables.start.length);
    tableStart.set(pairTables.start);
    const table = scratch.f64(pairTables.table.length);
    table.set(pairTables.table);
    threads.run(codeTask, panelCount, GRAIN, { panel, triangle, near: rows, code });
    threads.run(sumTask, panelCount, GRAIN, { near: rows, code, panel, tableStart, table, out: integral });
    threads.run(scaleTask, panelCount, GRAIN, { panel, near: rows, integral });
    threads.run(mirrorTask, panelCount, GRAIN, { near: rows, integral });
    return { rows, integral };
  } finally {
    scratch.free();
  }
}

/** What multipole sums do not have of near pairs: sparse matrices of V and K less the far rule in double precision. */
export function subtractFarRule(
  { heap, threads }: SumResources,
  sources: PanelSources,
  { rows, integral }: NearBoth,
  scope: HeapScope,
): { single: NearMatrix; double: NearMatrix } {
  const scratch = heap.scope('near pairs of panels');
  try {
    const { panelCount, panel, points, softening } = sources;
    const { matrix: single } = buildPattern(threads, sources, rows, panelCount, 'constant', scope, scratch);
    const linear = buildPattern(threads, sources, rows, panelCount, 'linear', scope, scratch);
    threads.run(pairTask, panelCount, GRAIN, {
      points,
      softening: softening ** 2,
      panel,
      near: rows,
      slot: linear.slot,
      integral,
      single: single.value,
      double: linear.matrix.value,
    });
    return { single, double: linear.matrix };
  } finally {
    scratch.free();
  }
}

const sumTask = defineTask('integrals/sum-panel-pairs', sumPanelPairs);

const codeTask = defineTask(
  'integrals/choose-pair-rules',
  { panel: 'f64', triangle: 'i32', near: 'i32', code: 'i32' },
  (begin, end, { panel, triangle, near, code }) => {
    for (let f = begin; f < end; f++)
      for (let n = near[f]; n < near[f + 1]; n++) code[n - near[0]] = chooseRule(panel, triangle, f, near[n]);
  },
);

/** Means over the outer face become integrals, with the constant of the kernel; a face with itself has its closed form. */
const scaleTask = defineTask(
  'integrals/scale-panel-pairs',
  { panel: 'f64', near: 'i32', integral: 'f64' },
  (begin, end, { panel, near, integral }) => {
    for (let f = begin; f < end; f++) {
      const area = 0.5 * panel[PANEL * f + DOUBLE];
      for (let n = near[f]; n < near[f + 1]; n++) {
        const entry = 4 * (n - near[0]);
        if (near[n] === f && area > 0) integral[entry] = area * computeSelfMean(panel, PANEL * f);
        for (let i = entry; i < entry + 4; i++) integral[i] *= INVERSE_FOUR_PI * area;
      }
    }
  },
);

/** V of the lower triangle follows the upper one. */
const mirrorTask = defineTask(
  'integrals/mirror-panel-pairs',
  { near: 'i32', integral: 'f64' },
  (begin, end, { near, integral }) => {
    for (let f = begin; f < end; f++)
      for (let n = near[f]; n < near[f + 1] && near[n] < f; n++) {
        const m = findEntry(near, near[near[n]], near[near[n] + 1], f);
        integral[4 * (n - near[0])] = integral[4 * (m - near[0])];
      }
  },
);

const pairTask = defineTask(
  'integrals/subtract-far-rule',
  {
    points: 'number',
    softening: 'number',
    panel: 'f64',
    near: 'i32',
    slot: 'i32',
    integral: 'f64',
    single: 'f64',
    double: 'f64',
  },
  (begin, end, { points, softening, panel, near, slot, integral, single, double }) => {
    for (let f = begin; f < end; f++)
      for (let n = near[f]; n < near[f + 1]; n++) {
        const entry = n - near[0];
        setRuled(points as RulePoints, softening, panel, PANEL * f, PANEL * near[n]);
        single[entry] = integral[4 * entry] - INVERSE_FOUR_PI * ruled[0];
        for (let i = 0; i < 3; i++)
          double[slot[3 * entry + i]] += integral[4 * entry + 1 + i] - INVERSE_FOUR_PI * ruled[1 + i];
      }
  },
);

/** What the rule takes for a pair: single, double of the three corners. */
const ruled = new Float64Array(4);

function setRuled(points: RulePoints, softening: number, panel: Float64Array, f: number, g: number): void {
  const { weight, share } = triangleRules[points];
  const areas = 0.25 * panel[f + DOUBLE] * panel[g + DOUBLE];
  ruled.fill(0);
  for (let p = 0; p < points; p++) {
    const a = weight[3 * p];
    const b = weight[3 * p + 1];
    const c = weight[3 * p + 2];
    const x = a * panel[f] + b * panel[f + 3] + c * panel[f + 6];
    const y = a * panel[f + 1] + b * panel[f + 4] + c * panel[f + 7];
    const z = a * panel[f + 2] + b * panel[f + 5] + c * panel[f + 8];
    for (let q = 0; q < points; q++) {
      const i = weight[3 * q];
      const j = weight[3 * q + 1];
      const k = weight[3 * q + 2];
      const dx = x - (i * panel[g] + j * panel[g + 3] + k * panel[g + 6]);
      const dy = y - (i * panel[g + 1] + j * panel[g + 4] + k * panel[g + 7]);
      const dz = z - (i * panel[g + 2] + j * panel[g + 5] + k * panel[g + 8]);
      const inverse = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz + softening);
      const value = share[p] * share[q] * areas * inverse;
      const along = dx * panel[g + NORMAL] + dy * panel[g + NORMAL + 1] + dz * panel[g + NORMAL + 2];
      const doubled = value * along * inverse * inverse;
      ruled[0] += value;
      ruled[1] += i * doubled;
      ruled[2] += j * doubled;
      ruled[3] += k * doubled;
    }
  }
}
