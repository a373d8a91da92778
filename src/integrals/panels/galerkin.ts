/**
 * Layer operators in Galerkin's form: a row per face, the mean potential on it times its area. What a
 * first-kind solve of a surface-only liquid needs: with q constant on faces and phi linear from vertices
 *
 *     V q = (M/2 + K) phi,      V_fg = int_f int_g G,   K_fv = int_f int n_y . grad_y G theta_v,   M_fv = int_f theta_v
 *
 * V is symmetric, to the last bit in its near part. On a closed surface the rows of K are corrected so that K
 * 1 = -1/2 area. Far pairs take the same points of a rule on both faces; near ones (middles closer than
 * `near` times the larger reach) the integrals of pair-integrals.ts less those points. Touching pairs are
 * near at any distance allowed. Cost: as layer-operator.ts, with some hundred closed forms a face for the
 * near part.
 */
import { InputError } from '../../core/errors.ts';
import { buildInScope, type HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import type { F64View } from '../../core/types.ts';
import { computeDoubleArea } from '../../math/triangle.ts';
import { type RulePoints, triangleRules } from '../../math/triangle-rules.ts';
import type { PreparedSum, SumResources } from '../direct-sum.ts';
import { createKernelSum } from '../kernel-sum.ts';
import { INVERSE_FOUR_PI } from '../sum-kernels.ts';
import {
  buildPattern,
  createOperator,
  type FarPart,
  growBalls,
  type LayerOperator,
  type LayerOptions,
  pickAccuracy,
} from './layer-operator.ts';
import { findNearPanels, joinTransposed, type Rows } from './near-list.ts';
import { findEntry, type NearMatrix } from './near-matrix.ts';
import { computePairIntegrals } from './pair-integrals.ts';
import { DOUBLE, NORMAL, PANEL, POTENTIALS } from './panel-potentials.ts';
import { buildPanelSources, computeStrengths, gatherStrengths, type PanelSources } from './panel-sources.ts';
import type { PanelSurface } from './surface-points.ts';

export interface GalerkinOptions extends LayerOptions {
  readonly layer: 'single' | 'double';
  /** Of the surface: the double layer's rows are corrected to -1/2 of the area. Default true. */
  readonly isClosed?: boolean;
}

/**
 * Near distance in reaches, of the larger face: far pairs of three points then err by some 1e-4. Touching
 * faces are near: their middles lie within the sum of both reaches, 2 at most.
 */
const NEAR = { usual: 3, least: 2 };
const GRAIN = 16;

export function createGalerkinOperator(
  resources: SumResources,
  surface: PanelSurface,
  options: GalerkinOptions,
): LayerOperator {
  const { near = NEAR.usual } = options;
  if (!(near >= NEAR.least && Number.isFinite(near)))
    throw new InputError('panels', `near distance of ${near} reaches`, 'pass a finite number of at least 2');
  return buildInScope(resources.heap, 'Galerkin operator', (scope) => {
    const { layer, density, points = 3, isClosed = true } = options;
    const sources = buildPanelSources(surface, points, resources.threads, scope);
    const matrix = buildPairs(resources, sources, { ...options, near }, scope);
    const far = createFarPart(resources, sources, options);
    const free = () => {
      far.free();
      scope.free();
    };
    const operator = createOperator(resources, matrix, far, scope, free);
    if (layer === 'double' && isClosed) correctRows(operator, matrix, sources, density);
    return operator;
  });
}

/** Sums over all pairs of points of the rule, weighted on both sides. */
export function createFarPart(
  resources: SumResources,
  sources: PanelSources,
  options: GalerkinOptions,
): FarPart {
  const { layer, density } = options;
  const { position, softening } = sources;
  const count = position.length / 3;
  const isDouble = layer === 'double';
  const strength = new Float64Array(isDouble ? 3 * count : count);
  const sum = new Float64Array(count);
  const accuracy = pickAccuracy(options);
  const forward = createKernelSum(resources, { ...accuracy, kernel: isDouble ? 'doubleLayer' : 'potential' });
  const prepared = forward.prepare(position, position, softening);
  let back: PreparedSum | undefined = isDouble ? undefined : prepared;
  return {
    apply(values, out) {
      computeStrengths(sources, density, values, isDouble, strength);
      prepared.apply(strength, sum);
      gatherStrengths(sources, 'constant', sum, false, out);
    },
    applyTransposed(values, out) {
      back ??= createKernelSum(resources, { ...accuracy, kernel: 'gradient' }).prepare(
        position,
        position,
        softening,
      );
      computeStrengths(sources, 'constant', values, false, sum);
      back.apply(sum, strength);
      gatherStrengths(sources, density, strength, isDouble, out);
    },
    free() {
      prepared.free();
      if (back !== prepared) back?.free();
    },
  };
}

function buildPairs(
  { heap, threads }: SumResources,
  sources: PanelSources,
  { layer, density, near }: GalerkinOptions & { near: number },
  scope: HeapScope,
): NearMatrix {
  const scratch = heap.scope('near pairs of panels');
  try {
    const { panelCount, panel, triangle, ball } = sources;
    const middle = scratch.f64(3 * panelCount);
    for (let t = 0; t < panelCount; t++) for (let k = 0; k < 3; k++) middle[3 * t + k] = ball[4 * t + k];
    const found = findNearPanels(middle, growBalls(sources, near, scratch), threads, scratch, scratch);
    const rows: Rows = joinTransposed(found, panelCount, scope);
    const { matrix, slot } = buildPattern(threads, sources, rows, panelCount, density, scope, scratch);
    const rule = scratch.f64(4);
    rule.set([
      layer === 'double' ? 1 : 0,
      density === 'linear' ? 3 : 1,
      sources.points,
      sources.softening ** 2,
    ]);
    threads.run(pairTask, panelCount, GRAIN, rule, panel, triangle, rows, slot, matrix.value);
    if (layer === 'single' && density === 'constant')
      threads.run(mirrorTask, panelCount, GRAIN, matrix.rowStart, matrix.column, matrix.value);
    return matrix;
  } finally {
    scratch.free();
  }
}

const exact = new Float64Array(POTENTIALS);

/**
 * Values of the near pairs of each face; of the symmetric operator those with the face itself and later ones.
 */
const pairTask = defineTask(
  'integrals/near-galerkin',
  (
    begin,
    end,
    rule: Float64Array,
    panel: Float64Array,
    triangle: Int32Array,
    near: Int32Array,
    slot: Int32Array,
    value: Float64Array,
  ) => {
    const [layer, size] = rule;
    const isSymmetric = layer === 0 && size === 1;
    const wanted = size === 1 ? 'constant' : layer === 0 ? 'single' : 'double';
    for (let f = begin; f < end; f++)
      for (let n = near[f]; n < near[f + 1]; n++) {
        const g = near[n];
        if (isSymmetric && g < f) continue;
        computePairIntegrals(panel, triangle, f, g, wanted, exact);
        subtractRules(rule, panel, PANEL * f, PANEL * g);
        const entry = n - near[0];
        const at = 4 * layer;
        if (size === 1) value[entry] += INVERSE_FOUR_PI * exact[at];
        else for (let i = 0; i < 3; i++) value[slot[3 * entry + i]] += INVERSE_FOUR_PI * exact[at + 1 + i];
      }
  },
);

/** Takes from `exact` what the points of the rule on both faces stand for. */
function subtractRules(rule: Float64Array, panel: Float64Array, f: number, g: number): void {
  const layer = rule[0];
  const points = rule[2];
  const softening = rule[3];
  const { weight, share } = triangleRules[points as RulePoints];
  const areas = 0.25 * panel[f + DOUBLE] * panel[g + DOUBLE];
  const mix = (at: number, q: number, k: number) =>
    weight[3 * q] * panel[at + k] +
    weight[3 * q + 1] * panel[at + 3 + k] +
    weight[3 * q + 2] * panel[at + 6 + k];
  for (let p = 0; p < points; p++) {
    const x = mix(f, p, 0);
    const y = mix(f, p, 1);
    const z = mix(f, p, 2);
    for (let q = 0; q < points; q++) {
      const dx = x - mix(g, q, 0);
      const dy = y - mix(g, q, 1);
      const dz = z - mix(g, q, 2);
      const inverse = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz + softening);
      let value = share[p] * share[q] * areas * inverse;
      if (layer === 1)
        value *=
          (dx * panel[g + NORMAL] + dy * panel[g + NORMAL + 1] + dz * panel[g + NORMAL + 2]) *
          inverse *
          inverse;
      const at = 4 * layer;
      exact[at] -= value;
      for (let i = 0; i < 3; i++) exact[at + 1 + i] -= weight[3 * q + i] * value;
    }
  }
}

/** Copies the upper triangle to the lower one. */
const mirrorTask = defineTask(
  'integrals/mirror-galerkin',
  (begin, end, rowStart: Int32Array, column: Int32Array, value: Float64Array) => {
    for (let f = begin; f < end; f++)
      for (let n = rowStart[f]; n < rowStart[f + 1] && column[n] < f; n++) {
        const g = column[n];
        value[n] = value[findEntry(column, rowStart[g], rowStart[g + 1], f)];
      }
  },
);

/** Changes each row at its own face, so that the density 1 gives -1/2 of its area. */
function correctRows(
  operator: LayerOperator,
  { rowStart, column, value }: NearMatrix,
  { triangle, panel }: PanelSources,
  density: LayerOptions['density'],
): void {
  const sum = new Float64Array(operator.rowCount);
  operator.apply(new Float64Array(operator.columnCount).fill(1), sum);
  for (let f = 0; f < operator.rowCount; f++) {
    const miss = -0.25 * panel[PANEL * f + DOUBLE] - sum[f];
    const add = (c: number, part: number) => {
      value[findEntry(column, rowStart[f], rowStart[f + 1], c)] += part;
    };
    if (density === 'constant') add(f, miss);
    else for (let i = 0; i < 3; i++) add(triangle[3 * f + i], miss / 3);
  }
}

/**
 * M phi: integrals over the faces of a density linear from vertices; with isTransposed from faces to
 * vertices.
 */
export function multiplyMass(
  { position, triangle }: PanelSurface,
  values: F64View,
  isTransposed: boolean,
  out: Float64Array,
): void {
  out.fill(0);
  for (let t = 0; 3 * t < triangle.length; t++) {
    const a = triangle[3 * t];
    const b = triangle[3 * t + 1];
    const c = triangle[3 * t + 2];
    const third = computeDoubleArea(position, 3 * a, 3 * b, 3 * c) / 6;
    if (!isTransposed) out[t] = third * (values[a] + values[b] + values[c]);
    else for (const v of [a, b, c]) out[v] += third * values[t];
  }
}
