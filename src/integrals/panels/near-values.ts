/**
 * Values of the near part: the closed form of a panel at a point, less what the far sum takes for it (the
 * same points, the same softening). Without far sum (rule of 0 points) the closed form alone.
 */
import { defineTask } from '../../core/threads/task.ts';
import { type RulePoints, triangleRules } from '../../math/triangle-rules.ts';
import { INVERSE_FOUR_PI } from '../sum-kernels.ts';
import { findEntry } from './near-matrix.ts';
import {
  computePanelGradients,
  computePanelPotentials,
  DOUBLE,
  GRADIENTS,
  NORMAL,
  PANEL,
  POTENTIALS,
} from './panel-potentials.ts';

/**
 * What operators there are, with G = 1 / (4 pi r): `single` int G q, `double` int n_y . grad_y G q, `adjoint`
 * n_x . grad_x int G q.
 */
export type Layer = 'single' | 'double' | 'adjoint';
export const layerCodes: Record<Layer, number> = { single: 0, double: 1, adjoint: 2 };

/** Numbers of a target: position, normal. */
export const TARGET = 6;

/**
 * How values are computed, as a task reads it: layer, columns per panel (1 or 3), points of the rule, square
 * of the softening.
 */
export type NearRule = Float64Array;

const potential = new Float64Array(POTENTIALS);
const gradient = new Float64Array(GRADIENTS);
/** Of the constant density and of the three corners. */
const exact = new Float64Array(4);

/** Fills `exact` with the layer of the panel at the target. */
function setExact(rule: NearRule, panel: Float64Array, at: number, target: Float64Array, x: number): void {
  const layer = rule[0];
  if (layer === 2) {
    computePanelGradients(panel, at, target[x], target[x + 1], target[x + 2], gradient);
    for (let i = 0; i < 4; i++)
      exact[i] =
        gradient[3 * i] * target[x + 3] +
        gradient[3 * i + 1] * target[x + 4] +
        gradient[3 * i + 2] * target[x + 5];
    return;
  }
  computePanelPotentials(panel, at, target[x], target[x + 1], target[x + 2], potential, rule[1] === 1);
  for (let i = 0; i < 4; i++) exact[i] = potential[4 * layer + i];
}

/** Takes from `exact` what the points of the rule stand for. */
function subtractRule(
  rule: NearRule,
  panel: Float64Array,
  at: number,
  target: Float64Array,
  x: number,
): void {
  const layer = rule[0];
  const points = rule[2];
  const softening = rule[3];
  if (points === 0) return;
  const { weight, share } = triangleRules[points as RulePoints];
  const area = 0.5 * panel[at + DOUBLE];
  for (let q = 0; q < points; q++) {
    const a = weight[3 * q];
    const b = weight[3 * q + 1];
    const c = weight[3 * q + 2];
    const dx = target[x] - (a * panel[at] + b * panel[at + 3] + c * panel[at + 6]);
    const dy = target[x + 1] - (a * panel[at + 1] + b * panel[at + 4] + c * panel[at + 7]);
    const dz = target[x + 2] - (a * panel[at + 2] + b * panel[at + 5] + c * panel[at + 8]);
    const inverse = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz + softening);
    let value = share[q] * area * inverse;
    if (layer !== 0) {
      const n = layer === 1 ? at + NORMAL : x + 3;
      const normal = layer === 1 ? panel : target;
      const along = dx * normal[n] + dy * normal[n + 1] + dz * normal[n + 2];
      value *= (layer === 1 ? along : -along) * inverse * inverse;
    }
    exact[0] -= value;
    exact[1] -= a * value;
    exact[2] -= b * value;
    exact[3] -= c * value;
  }
}

/** Entry of each corner of each near panel: slot (near panels x 3). */
export const slotTask = defineTask(
  'integrals/near-slots',
  (
    begin,
    end,
    near: Int32Array,
    triangle: Int32Array,
    rowStart: Int32Array,
    column: Int32Array,
    slot: Int32Array,
  ) => {
    for (let r = begin; r < end; r++)
      for (let n = near[r]; n < near[r + 1]; n++)
        for (let i = 0; i < 3; i++) {
          const v = triangle[3 * near[n] + i];
          slot[3 * (n - near[0]) + i] = findEntry(column, rowStart[r], rowStart[r + 1], v);
        }
  },
);

/** Adds the near panels' values into the entries of each target's row. */
export const collocationTask = defineTask(
  'integrals/near-collocation',
  (
    begin,
    end,
    rule: Float64Array,
    target: Float64Array,
    panel: Float64Array,
    near: Int32Array,
    slot: Int32Array,
    value: Float64Array,
  ) => {
    const size = rule[1];
    for (let r = begin; r < end; r++)
      for (let n = near[r]; n < near[r + 1]; n++) {
        const at = PANEL * near[n];
        setExact(rule, panel, at, target, TARGET * r);
        subtractRule(rule, panel, at, target, TARGET * r);
        const entry = n - near[0];
        if (size === 1) value[entry] += INVERSE_FOUR_PI * exact[0];
        else for (let i = 0; i < 3; i++) value[slot[3 * entry + i]] += INVERSE_FOUR_PI * exact[1 + i];
      }
  },
);
