/**
 * The hypersingular part N = C^T V C of an equation of the first kind, with C phi = n x grad phi on faces
 * (Nedelec 1982): the sum over the edges e_i opposite a face's corners of -phi_i e_i / 2A. N 1 = 0 exactly.
 * Cost: three products with V.
 */
import type { HeapScope } from '../../core/heap.ts';
import { computeDoubleArea } from '../../math/triangle.ts';
import type { FirstKind } from './first-kind.ts';
import type { PanelSurface } from './surface-points.ts';

/** Returns a function that adds N phi to `flux` (both by vertex, on the heap). */
export function createHypersingular(
  equation: Pick<FirstKind, 'faceCount' | 'applySingle'>,
  { triangle, position: p }: PanelSurface,
  scope: HeapScope,
): (phi: Float64Array, flux: Float64Array) => void {
  const { faceCount } = equation;
  const curl = scope.f64(faceCount);
  const sum = scope.f64(faceCount);
  const double = scope.f64(faceCount);
  for (let f = 0; f < faceCount; f++)
    double[f] = computeDoubleArea(p, 3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2]);
  return (phi, flux) => {
    for (let k = 0; k < 3; k++) {
      for (let f = 0; f < faceCount; f++) {
        const a = triangle[3 * f];
        const b = triangle[3 * f + 1];
        const c = triangle[3 * f + 2];
        const [x, y, z] = [p[3 * a + k], p[3 * b + k], p[3 * c + k]];
        curl[f] = double[f] > 0 ? -(phi[a] * (z - y) + phi[b] * (x - z) + phi[c] * (y - x)) / double[f] : 0;
      }
      equation.applySingle(curl, sum);
      for (let f = 0; f < faceCount; f++) {
        if (double[f] === 0) continue;
        const a = triangle[3 * f];
        const b = triangle[3 * f + 1];
        const c = triangle[3 * f + 2];
        const [x, y, z] = [p[3 * a + k], p[3 * b + k], p[3 * c + k]];
        const s = sum[f] / double[f];
        flux[a] -= (z - y) * s;
        flux[b] -= (x - z) * s;
        flux[c] -= (y - x) * s;
      }
    }
  };
}
