/**
 * Near pairs of faces for both layers at once: what galerkin.ts computes for one, V of constant and K of linear densities share their
 * closed forms, so that a first-kind equation (first-kind.ts) needs them once. Values are the exact integrals less what the far rule
 * takes for the pair. Cost: some 300 closed forms a face.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import { type RulePoints, triangleRules } from '../../math/triangle-rules.ts';
import type { SumResources } from '../direct-sum.ts';
import { INVERSE_FOUR_PI } from '../sum-kernels.ts';
import { buildPattern, growBalls } from './layer-operator.ts';
import { findNearPanels, joinTransposed } from './near-list.ts';
import { findEntry, type NearMatrix } from './near-matrix.ts';
import { computePairIntegrals } from './pair-integrals.ts';
import { DOUBLE, NORMAL, PANEL, POTENTIALS } from './panel-potentials.ts';
import type { PanelSources } from './panel-sources.ts';

const GRAIN = 16;

export interface NearBoth {
  /** V, less the far rule; symmetric */
  readonly single: NearMatrix;
  /** (entries of single) V itself */
  readonly exact: Float64Array;
  /** K, less the far rule */
  readonly double: NearMatrix;
}

/** `near`: reaches within which faces are near each other. */
export function buildNearBoth(
  { heap, threads }: SumResources,
  sources: PanelSources,
  near: number,
  scope: HeapScope,
): NearBoth {
  const scratch = heap.scope('near pairs of panels');
  try {
    const { panelCount, panel, triangle, ball, points, softening } = sources;
    const middle = scratch.f64(3 * panelCount);
    for (let t = 0; t < panelCount; t++) for (let k = 0; k < 3; k++) middle[3 * t + k] = ball[4 * t + k];
    const found = findNearPanels(middle, growBalls(sources, near, scratch), threads, scratch, scratch);
    const rows = joinTransposed(found, panelCount, scope);
    const { matrix: single } = buildPattern(threads, sources, rows, panelCount, 'constant', scope, scratch);
    const { matrix: double, slot } = buildPattern(
      threads,
      sources,
      rows,
      panelCount,
      'linear',
      scope,
      scratch,
    );
    const exact = scope.f64(single.value.length);
    threads.run(pairTask, panelCount, GRAIN, {
      points,
      softening: softening ** 2,
      panel,
      triangle,
      near: rows,
      slot,
      exact,
      single: single.value,
      double: double.value,
    });
    const { rowStart, column } = single;
    threads.run(mirrorTask, panelCount, GRAIN, { rowStart, column, exact, single: single.value });
    return { single, exact, double };
  } finally {
    scratch.free();
  }
}

const integrals = new Float64Array(POTENTIALS);
/** What the rule takes for a pair: single, double of the three corners. */
const ruled = new Float64Array(4);

const pairTask = defineTask(
  'integrals/near-both-layers',
  {
    points: 'number',
    softening: 'number',
    panel: 'f64',
    triangle: 'i32',
    near: 'i32',
    slot: 'i32',
    exact: 'f64',
    single: 'f64',
    double: 'f64',
  },
  (begin, end, { points, softening, panel, triangle, near, slot, exact, single, double }) => {
    for (let f = begin; f < end; f++)
      for (let n = near[f]; n < near[f + 1]; n++) {
        const g = near[n];
        const entry = n - near[0];
        computePairIntegrals(panel, triangle, f, g, 'double', integrals);
        setRuled(points as RulePoints, softening, panel, PANEL * f, PANEL * g);
        // Of the symmetric one the upper triangle, which the lower then follows.
        if (g >= f) {
          exact[entry] = INVERSE_FOUR_PI * integrals[0];
          single[entry] = INVERSE_FOUR_PI * (integrals[0] - ruled[0]);
        }
        for (let i = 0; i < 3; i++)
          double[slot[3 * entry + i]] += INVERSE_FOUR_PI * (integrals[5 + i] - ruled[1 + i]);
      }
  },
);

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

const mirrorTask = defineTask(
  'integrals/mirror-both-layers',
  { rowStart: 'i32', column: 'i32', exact: 'f64', single: 'f64' },
  (begin, end, { rowStart, column, exact, single }) => {
    for (let f = begin; f < end; f++)
      for (let n = rowStart[f]; n < rowStart[f + 1] && column[n] < f; n++) {
        const m = findEntry(column, rowStart[column[n]], rowStart[column[n] + 1], f);
        exact[n] = exact[m];
        single[n] = single[m];
      }
  },
);
