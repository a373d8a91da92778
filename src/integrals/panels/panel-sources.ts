/**
 * A surface as sources of the far part: panels made ready and the points of a quadrature rule on each, with
 * shares of area and normals; and the two ways between densities on the surface and strengths of those
 * points.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { F64View, Metres } from '../../core/types.ts';
import { type RulePoints, triangleRules } from '../../math/triangle-rules.ts';
import { DOUBLE, NORMAL, PANEL, setPanel } from './panel-potentials.ts';
import type { PanelSurface } from './surface-points.ts';

const GRAIN = 512;
/**
 * Softening of the far sums, in the smallest reach (middle to farthest corner): a target may lie next to a
 * point of the rule. What it adds there is taken away again with the near part; at the distances that remain,
 * it changes 1/r by less than a ten-millionth.
 */
const SOFTENING = 2 ** -11;

/** A density: one number per triangle, or per vertex and linear between. */
export type Density = 'constant' | 'linear';

export interface PanelSources {
  readonly panelCount: number;
  readonly vertexCount: number;
  /** (panels x 3) vertices */
  readonly triangle: Int32Array;
  /** (panels x PANEL) */
  readonly panel: Float64Array;
  /** (panels x 4) middle and reach (distance of the farthest corner), m */
  readonly ball: Float64Array;
  readonly points: RulePoints;
  /** (panels x points x 3) m */
  readonly position: Float64Array;
  /** Between points, m */
  readonly softening: Metres;
}

const panelTask = defineTask(
  'integrals/prepare-panels',
  (
    begin,
    end,
    position: Float64Array,
    triangle: Int32Array,
    panel: Float64Array,
    ball: Float64Array,
    points: number,
    rulePosition: Float64Array,
  ) => {
    const { weight } = triangleRules[points as RulePoints];
    for (let t = begin; t < end; t++) {
      const at = PANEL * t;
      setPanel(position, triangle, t, panel, at);
      let far = 0;
      for (let k = 0; k < 3; k++)
        ball[4 * t + k] = (panel[at + k] + panel[at + 3 + k] + panel[at + 6 + k]) / 3;
      for (let i = at; i < at + 9; i += 3) {
        const x = panel[i] - ball[4 * t];
        const y = panel[i + 1] - ball[4 * t + 1];
        const z = panel[i + 2] - ball[4 * t + 2];
        far = Math.max(far, x * x + y * y + z * z);
      }
      ball[4 * t + 3] = Math.sqrt(far);
      for (let q = 0; q < points; q++)
        for (let k = 0; k < 3; k++)
          rulePosition[3 * (points * t + q) + k] =
            weight[3 * q] * panel[at + k] +
            weight[3 * q + 1] * panel[at + 3 + k] +
            weight[3 * q + 2] * panel[at + 6 + k];
    }
  },
);

export function buildPanelSources(
  surface: PanelSurface,
  points: RulePoints,
  threads: Threads,
  scope: HeapScope,
): PanelSources {
  const panelCount = surface.triangle.length / 3;
  const vertex = scope.f64(surface.position.length);
  vertex.set(surface.position as ArrayLike<number>);
  const triangle = scope.i32(surface.triangle.length);
  triangle.set(surface.triangle as ArrayLike<number>);
  const panel = scope.f64(PANEL * panelCount);
  const ball = scope.f64(4 * panelCount);
  const position = scope.f64(3 * points * panelCount);
  threads.run(panelTask, panelCount, GRAIN, vertex, triangle, panel, ball, points, position);
  let smallest = Infinity;
  for (let t = 0; t < panelCount; t++)
    if (ball[4 * t + 3] > 0) smallest = Math.min(smallest, ball[4 * t + 3]);
  const softening = Number.isFinite(smallest) ? SOFTENING * smallest : 0;
  const vertexCount = surface.position.length / 3;
  return { panelCount, vertexCount, triangle, panel, ball, points, position, softening };
}

/** Density times share of area at each point of the rule; times the normal (x 3) for the double layer. */
export function computeStrengths(
  { panelCount, triangle, panel, points }: PanelSources,
  kind: Density,
  density: F64View,
  isNormal: boolean,
  outStrength: Float64Array,
): void {
  const { weight, share } = triangleRules[points];
  for (let t = 0; t < panelCount; t++) {
    const at = PANEL * t;
    const area = 0.5 * panel[at + DOUBLE];
    for (let q = 0; q < points; q++) {
      let value = density[t];
      if (kind === 'linear')
        value =
          weight[3 * q] * density[triangle[3 * t]] +
          weight[3 * q + 1] * density[triangle[3 * t + 1]] +
          weight[3 * q + 2] * density[triangle[3 * t + 2]];
      const strength = share[q] * area * value;
      const n = points * t + q;
      if (isNormal) for (let k = 0; k < 3; k++) outStrength[3 * n + k] = strength * panel[at + NORMAL + k];
      else outStrength[n] = strength;
    }
  }
}

/**
 * The transpose: adds up what arrives at the points of the rule; as vectors, of which the normal part counts,
 * where isNormal.
 */
export function gatherStrengths(
  { panelCount, triangle, panel, points }: PanelSources,
  kind: Density,
  sum: F64View,
  isNormal: boolean,
  outDensity: Float64Array,
): void {
  const { weight, share } = triangleRules[points];
  outDensity.fill(0);
  for (let t = 0; t < panelCount; t++) {
    const at = PANEL * t;
    const area = 0.5 * panel[at + DOUBLE];
    for (let q = 0; q < points; q++) {
      const n = points * t + q;
      let value = sum[n];
      if (isNormal)
        value =
          sum[3 * n] * panel[at + NORMAL] +
          sum[3 * n + 1] * panel[at + NORMAL + 1] +
          sum[3 * n + 2] * panel[at + NORMAL + 2];
      value *= share[q] * area;
      if (kind === 'constant') outDensity[t] += value;
      else for (let i = 0; i < 3; i++) outDensity[triangle[3 * t + i]] += weight[3 * q + i] * value;
    }
  }
}
