/**
 * The pressure of external forces (22.11) to (22.14) on a free surface: sigma H given at vertices, its normal
 * derivative q from linear elements collocated at vertices (23.12),
 *     sum S q = (Theta + D) p,     S = int theta / 4 pi r,  D = int theta h / 4 pi r^3,
 * Theta the solid angle inside, by which a constant pressure has q = 0. All integrals in closed form; the
 * dense system by GMRES where the thesis has BiCGStab. Then velocity -= dt grad p / rho: q along the normal,
 * along the surface the mean of the gradients on faces (23.5). Cost: vertices times faces.
 */
import type { HeapScope } from '../../../core/heap.ts';
import {
  computePanelPotentials,
  PANEL,
  POTENTIALS,
  setPanel,
} from '../../../integrals/panels/panel-potentials.ts';
import { INVERSE_FOUR_PI } from '../../../integrals/sum-kernels.ts';
import { createGmres } from '../../../linalg/krylov/gmres.ts';
import type { SolveReport } from '../../../linalg/krylov/solver.ts';
import { createOperator } from '../../../linalg/operator.ts';
import { createIdentity } from '../../../linalg/preconditioners/identity.ts';
import { CORNER, NORMAL, setCorner, U, W } from '../../../math/triangle.ts';
import type { Resources } from '../../method.ts';
import type { Body } from '../liquid/body.ts';
import type { Gradients } from '../liquid/gradients.ts';

const RESTART = 40;
const MOST_ITERATIONS = 200;

/** d p / d n at vertices for p at vertices. */
export function solveNormalDerivative(
  { threads }: Resources,
  { position, triangle, vertexCount, faceCount }: Body,
  pressure: Float64Array,
  residual: number,
  scope: HeapScope,
  out: Float64Array,
): SolveReport {
  const single = scope.f64(vertexCount * vertexCount);
  const right = scope.f64(vertexCount);
  const panel = new Float64Array(PANEL * faceCount);
  for (let f = 0; f < faceCount; f++) setPanel(position, triangle, f, panel, PANEL * f);
  const potential = new Float64Array(POTENTIALS);
  for (let v = 0; v < vertexCount; v++) {
    const row = vertexCount * v;
    const [x, y, z] = position.subarray(3 * v, 3 * v + 3);
    // Theta p + D p with Theta = -D 1.
    for (let f = 0; f < faceCount; f++) {
      computePanelPotentials(panel, PANEL * f, x, y, z, potential);
      for (let i = 0; i < 3; i++) {
        const w = triangle[3 * f + i];
        single[row + w] += INVERSE_FOUR_PI * potential[1 + i];
        right[v] += INVERSE_FOUR_PI * potential[5 + i] * (pressure[w] - pressure[v]);
      }
    }
  }
  const operator = createOperator(threads, vertexCount, (q, product) => {
    for (let v = 0; v < vertexCount; v++) {
      let sum = 0;
      for (let w = 0; w < vertexCount; w++) sum += single[vertexCount * v + w] * q[w];
      product[v] = sum;
    }
  });
  const solver = createGmres(threads, scope, vertexCount, RESTART);
  return solver.solve(operator, createIdentity(threads), right, out, {
    tolerance: residual,
    maxIterations: MOST_ITERATIONS,
  });
}

/** velocity -= scale grad p, from its values and normal derivatives at vertices. */
export function subtractGradient(
  { position: p, triangle, faceCount, vertexCount }: Body,
  { area, volumeGradient: g }: Gradients,
  pressure: Float64Array,
  derivative: Float64Array,
  scale: number,
  velocity: Float64Array,
): void {
  const mean = new Float64Array(3 * vertexCount);
  const seen = new Float64Array(CORNER);
  for (let f = 0; f < faceCount; f++) {
    const corner = triangle.subarray(3 * f, 3 * f + 3);
    const double = setCorner(p, 3 * corner[0], 3 * corner[1], 3 * corner[2], seen);
    if (double === 0) continue;
    const db = pressure[corner[1]] - pressure[corner[0]];
    const dc = pressure[corner[2]] - pressure[corner[0]];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const slope =
        (seen[NORMAL + i] * (dc * seen[U + j] - db * seen[W + j]) -
          seen[NORMAL + j] * (dc * seen[U + i] - db * seen[W + i])) /
        (6 * double);
      for (const v of corner) mean[3 * v + k] += slope / area[v];
    }
  }
  for (let v = 0; v < vertexCount; v++) {
    const length = Math.hypot(g[3 * v], g[3 * v + 1], g[3 * v + 2]);
    if (length === 0) continue;
    let along = 0;
    for (let k = 0; k < 3; k++) along += (mean[3 * v + k] * g[3 * v + k]) / length;
    for (let k = 0; k < 3; k++)
      velocity[3 * v + k] -= scale * (mean[3 * v + k] + ((derivative[v] - along) * g[3 * v + k]) / length);
  }
}
