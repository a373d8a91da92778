/**
 * The surface's curl C phi = n x grad phi on faces, of values linear from vertices, and its transpose: with
 * e_i the edge opposite corner i, C phi = -sum phi_i e_i / 2A. N = C^T V C is the hypersingular operator
 * (Nedelec 1982), and C^T V (n x u) the thesis' n . rot A (23.7).
 */
import { computeDoubleArea } from '../../math/triangle.ts';
import type { PanelSurface } from './surface-points.ts';

/** By coordinates, (faces) each. */
export function computeCurl(
  surface: PanelSurface,
  potential: Float64Array,
  out: readonly Float64Array[],
): void {
  forEachEdge(surface, (f, v, k, e) => {
    out[k][f] -= potential[v] * e;
  });
}

/** flux += C^T density */
export function addCurlTransposed(
  surface: PanelSurface,
  density: readonly Float64Array[],
  flux: Float64Array,
): void {
  forEachEdge(surface, (f, v, k, e) => {
    flux[v] -= density[k][f] * e;
  });
}

/**
 * Visits corner v of face f with coordinate k of the edge opposite, over twice the area; not faces without
 * area.
 */
function forEachEdge(
  { position: p, triangle }: PanelSurface,
  visit: (f: number, v: number, k: number, e: number) => void,
): void {
  for (let f = 0; 3 * f < triangle.length; f++) {
    const double = computeDoubleArea(
      p,
      3 * triangle[3 * f],
      3 * triangle[3 * f + 1],
      3 * triangle[3 * f + 2],
    );
    if (double === 0) continue;
    for (let i = 0; i < 3; i++) {
      const begin = 3 * triangle[3 * f + ((i + 1) % 3)];
      const end = 3 * triangle[3 * f + ((i + 2) % 3)];
      for (let k = 0; k < 3; k++) visit(f, triangle[3 * f + i], k, (p[end + k] - p[begin + k]) / double);
    }
  }
}
