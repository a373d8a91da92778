/**
 * Potential flow inside a closed surface of which a part is wall: the equation of the first kind
 * (first-kind.ts) in its mixed form. On free faces the normal derivative q is unknown and the potential phi
 * known; inside walls it is the other way round:
 *
 *     [ V_ff   -B_fw ] [ q_f   ]   [ B phi - V q of what is known, on free faces          ]
 *     [ B_wf^T  N_ww ] [ phi_w ] = [ load - B^T q - N phi of what is known, at wall vertices ]     B = M/2 + K
 *
 * With the sign of the second row changed this is symmetric; as it stands x . A x = q . V q + phi . N phi is
 * positive, which GMRES likes better. q is constant on faces, so that it may jump where a wall begins: no
 * double nodes. The load of a vertex is what its hat function takes of the flux through walls: then the
 * fluxes W at wall vertices are exactly that.
 *
 * Preconditioned by local inverses of V, and of N + B^T V^-1 B, which acts as |k|, by 2 M^-1 V M^-1, which
 * acts as 1 / |k|. Cost of an iteration: three products with V, one with three densities at once, and three
 * with K.
 */
import type { HeapScope } from '../../core/heap.ts';
import { createGmres } from '../../linalg/krylov/gmres.ts';
import type { SolveReport } from '../../linalg/krylov/solver.ts';
import { createOperator } from '../../linalg/operator.ts';
import { computeDot } from '../../linalg/vector.ts';
import { computeDoubleArea } from '../../math/triangle.ts';
import type { SumResources } from '../direct-sum.ts';
import type { FirstKind } from './first-kind.ts';
import { createHypersingular } from './hypersingular.ts';
import type { PanelSurface } from './surface-points.ts';

const MOST_ITERATIONS = 200;
/**
 * Means over faces hardly see what goes up and down from vertex to vertex. There 1 / |k| is about this many
 * roots of the vertex's area.
 */
const SAWTOOTH = 1;

export interface MixedKind {
  /**
   * Solves for phi at wall vertices and q on free faces, from what stands there; what is known is left as it
   * is. `load` (vertices), m^3/s. `outFlux` (vertices) becomes W. All on the heap.
   */
  solve(
    potential: Float64Array,
    normalDerivative: Float64Array,
    load: Float64Array,
    residual: number,
    outFlux: Float64Array,
  ): SolveReport;
}

export interface MixedParts {
  /** (faces) 1 where q is known */
  readonly isWallFace: Uint8Array;
  /** (vertices) 1 where phi is unknown */
  readonly isWallVertex: Uint8Array;
}

export function createMixedKind(
  resources: SumResources,
  surface: PanelSurface,
  equation: FirstKind,
  { isWallFace, isWallVertex }: MixedParts,
  scope: HeapScope,
): MixedKind {
  const { threads } = resources;
  const { faceCount, vertexCount } = equation;
  const { triangle, position } = surface;
  const freeFace = listWhere(isWallFace, 0);
  const wallVertex = listWhere(isWallVertex, 1);
  const split = freeFace.length;
  const size = split + wallVertex.length;
  const area = Float64Array.from(
    { length: faceCount },
    (_, f) =>
      computeDoubleArea(position, 3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2]) / 2,
  );
  const vertexArea = new Float64Array(vertexCount);
  for (let c = 0; c < triangle.length; c++) vertexArea[triangle[c]] += area[(c / 3) | 0] / 3;
  // Potentials are divided by a length, and the first rows too, so that all unknowns are velocities and all
  // rows fluxes.
  const length = Math.sqrt(area.reduce((sum, a) => sum + a, 0) / faceCount);
  const addHypersingular = createHypersingular(equation, surface, scope);
  const q = scope.f64(faceCount);
  const phi = scope.f64(vertexCount);
  const byFace = scope.f64(faceCount);
  const other = scope.f64(faceCount);
  const byVertex = scope.f64(vertexCount);

  const spread = (x: Float64Array) => {
    q.fill(0);
    phi.fill(0);
    freeFace.forEach((f, n) => {
      q[f] = x[n];
    });
    wallVertex.forEach((v, n) => {
      phi[v] = length * x[split + n];
    });
  };
  /** Rows of V q - B phi and of B^T q + N phi, for the q and phi that stand there. */
  const applyRows = (out: Float64Array) => {
    equation.applySingle(q, byFace);
    equation.applyDouble(phi, other);
    equation.applyDoubleTransposed(q, byVertex);
    addHypersingular(phi, byVertex);
    freeFace.forEach((f, n) => {
      out[n] = (byFace[f] - other[f]) / length;
    });
    wallVertex.forEach((v, n) => {
      out[split + n] = byVertex[v];
    });
  };
  const operator = createOperator(threads, size, (x, out) => {
    spread(x);
    applyRows(out);
  });
  const preconditioner = {
    name: 'local inverses and the opposite order',
    apply(r: Float64Array, z: Float64Array) {
      byFace.fill(0);
      freeFace.forEach((f, n) => {
        byFace[f] = length * r[n];
      });
      equation.precondition(byFace, other);
      q.fill(0);
      freeFace.forEach((f, n) => {
        z[n] = other[f];
        q[f] = other[f];
      });
      // What the velocities just found bring to the walls is taken off there.
      equation.applyDoubleTransposed(q, byVertex);
      phi.fill(0);
      wallVertex.forEach((v, n) => {
        phi[v] = (r[split + n] - byVertex[v]) / vertexArea[v];
      });
      for (let f = 0; f < faceCount; f++)
        byFace[f] = (phi[triangle[3 * f]] + phi[triangle[3 * f + 1]] + phi[triangle[3 * f + 2]]) / 3;
      equation.applySingle(byFace, other);
      byVertex.fill(0);
      for (let c = 0; c < triangle.length; c++) byVertex[triangle[c]] += other[(c / 3) | 0] / 3;
      wallVertex.forEach((v, n) => {
        z[split + n] =
          (2 * byVertex[v]) / (vertexArea[v] * length) +
          (SAWTOOTH * phi[v] * Math.sqrt(vertexArea[v])) / length;
      });
      return computeDot(threads, r, z);
    },
  };
  const gmres = createGmres(threads, scope, size, 60);
  const right = scope.f64(size);
  const x = scope.f64(size);
  return {
    solve(potential, normalDerivative, load, residual, outFlux) {
      q.set(normalDerivative);
      phi.set(potential);
      for (const f of freeFace) q[f] = 0;
      for (const v of wallVertex) phi[v] = 0;
      applyRows(right);
      for (let n = 0; n < size; n++) right[n] = -right[n];
      wallVertex.forEach((v, n) => {
        right[split + n] += load[v];
      });
      freeFace.forEach((f, n) => {
        x[n] = normalDerivative[f];
      });
      wallVertex.forEach((v, n) => {
        x[split + n] = potential[v] / length;
      });
      const report = gmres.solve(operator, preconditioner, right, x, {
        tolerance: residual,
        maxIterations: MOST_ITERATIONS,
      });
      freeFace.forEach((f, n) => {
        normalDerivative[f] = x[n];
      });
      wallVertex.forEach((v, n) => {
        potential[v] = length * x[split + n];
      });
      equation.applyDoubleTransposed(normalDerivative, outFlux);
      addHypersingular(potential, outFlux);
      return report;
    },
  };
}

function listWhere(flags: Uint8Array, wanted: number): Int32Array {
  const list: number[] = [];
  flags.forEach((flag, n) => {
    if (flag === wanted) list.push(n);
  });
  return Int32Array.from(list);
}
