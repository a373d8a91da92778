/**
 * Velocity of a vortex sheet on triangles, [da-2017] eq. (15.3): the strength gamma is constant on a
 * triangle, and the integral over it is taken by one point at the barycentre (15.4), or by three for closer
 * evaluation. Cost: see kernel-sum.ts.
 */
import type { F64View, I32View, Metres } from '../core/types.ts';
import type { SumResources } from './direct-sum.ts';
import { createKernelSum, type KernelSumOptions } from './kernel-sum.ts';

/** A triangulated sheet. */
export interface VortexPanels {
  /** (vertexCount x 3) m */
  readonly position: F64View;
  /** (triangleCount x 3) vertex ids */
  readonly triangle: I32View;
  /** gamma times the triangle's area (triangleCount x 3) m^3/s */
  readonly strength: F64View;
}

export interface VortexPanelSumOptions extends Omit<KernelSumOptions, 'kernel'> {
  /**
   * Quadrature points of a triangle: 1, the barycentre (as in the paper), or 3, exact for quadratics. Default
   * 1.
   */
  readonly points?: 1 | 3;
}

export interface VortexPanelSum {
  /**
   * outVelocity (targetCount x 3) m/s, overwritten: the velocity the sheet induces at targetPosition
   * (targetCount x 3) m, most often the sheet's own vertices. regularisation is delta (alpha in the paper):
   * about half the mean edge.
   */
  evaluate(
    sheet: VortexPanels,
    targetPosition: F64View,
    regularisation: Metres,
    outVelocity: Float64Array,
  ): void;
}

/** Barycentric weights of the three-point rule: one corner 2/3, the others 1/6. */
const MAIN = 2 / 3;
const SIDE = 1 / 6;

export function createVortexPanelSum(
  resources: SumResources,
  options: VortexPanelSumOptions = {},
): VortexPanelSum {
  const { points = 1, ...rest } = options;
  const sum = createKernelSum(resources, { ...rest, kernel: 'biotSavart' });
  return {
    evaluate(sheet, targetPosition, regularisation, outVelocity) {
      const count = points * (sheet.triangle.length / 3);
      const source = new Float64Array(3 * count);
      const strength = new Float64Array(3 * count);
      computePanelSources(sheet, points, source, strength);
      sum.evaluate(source, strength, targetPosition, regularisation, outVelocity);
    },
  };
}

/** Quadrature points (points per triangle x 3) m and their share of the strength. */
export function computePanelSources(
  { position, triangle, strength }: VortexPanels,
  points: 1 | 3,
  outPosition: Float64Array,
  outStrength: Float64Array,
): void {
  const share = 1 / points;
  for (let t = 0; 3 * t < triangle.length; t++) {
    for (let q = 0; q < points; q++) {
      const at = 3 * (points * t + q);
      const main = 3 * triangle[3 * t + q];
      const left = 3 * triangle[3 * t + ((q + 1) % 3)];
      const right = 3 * triangle[3 * t + ((q + 2) % 3)];
      for (let a = 0; a < 3; a++) {
        const x = position[main + a];
        const sides = position[left + a] + position[right + a];
        outPosition[at + a] = points === 1 ? (x + sides) / 3 : MAIN * x + SIDE * sides;
        outStrength[at + a] = share * strength[3 * t + a];
      }
    }
  }
}
