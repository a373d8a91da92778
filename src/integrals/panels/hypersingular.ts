/**
 * The hypersingular part N = C^T V C of an equation of the first kind (curl.ts). N 1 = 0 exactly. Cost: a
 * product of V with three densities.
 */
import type { HeapScope } from '../../core/heap.ts';
import { addCurlTransposed, computeCurl } from './curl.ts';
import type { FirstKind } from './first-kind.ts';
import type { PanelSurface } from './surface-points.ts';

/** Returns a function that adds N phi to `flux` (both by vertex, on the heap). */
export function createHypersingular(
  equation: Pick<FirstKind, 'faceCount' | 'applyThreeSingles'>,
  surface: PanelSurface,
  scope: HeapScope,
): (phi: Float64Array, flux: Float64Array) => void {
  const curl = [0, 1, 2].map(() => scope.f64(equation.faceCount));
  const sum = [0, 1, 2].map(() => scope.f64(equation.faceCount));
  return (phi, flux) => {
    for (const density of curl) density.fill(0);
    computeCurl(surface, phi, curl);
    equation.applyThreeSingles(curl, sum);
    addCurlTransposed(surface, sum, flux);
  };
}
