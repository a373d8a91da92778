/** Pressure correction: solves for the pressure and makes the velocity divergence-free ([chentanez-2007] 3.1, 3.5). */
import type { HeapScope } from '../../core/heap.ts';
import { createCg } from '../../linalg/krylov/cg.ts';
import { createIncompleteCholesky } from '../../linalg/preconditioners/incomplete-cholesky.ts';
import { createJacobi } from '../../linalg/preconditioners/jacobi.ts';
import type { SolverReport } from '../method.ts';
import type { LatticeModel } from './model.ts';
import {
  assemblePressure,
  type Conditions,
  computeCellVelocity,
  subtractPressureGradient,
} from './pressure.ts';
import type { MeshParts } from './state.ts';

export interface Projection {
  /** (faceCount) pressure potential p dt / rho, m^2/s */
  readonly facePressure: Float64Array;
  readonly report: SolverReport;
}

/** Projects faceVelocity in place, eqs. (5) and (6). */
export function project(
  model: LatticeModel,
  parts: MeshParts,
  conditions: Conditions,
  faceVelocity: Float64Array,
  scope: HeapScope,
  scratch: HeapScope,
): Projection {
  const { mesh, topology, geometry } = parts;
  const { threads, options } = model;
  const facePressure = scope.f64(topology.faceCount);
  if (mesh.tetCount === 0) return { facePressure, report: { iterations: 0, residual: 0, converged: true } };
  const cellVelocity = scratch.f64(3 * mesh.tetCount);
  computeCellVelocity(mesh, topology, geometry, faceVelocity, threads, cellVelocity);
  const system = assemblePressure(topology, geometry, conditions, cellVelocity, threads, scratch);
  const { matrix, right, unknownToFace, source } = system;
  const preconditioner =
    options.preconditioner === 'jacobi'
      ? createJacobi(threads, scratch, matrix)
      : createIncompleteCholesky(threads, scratch, matrix);
  const solution = scratch.f64(matrix.rowCount);
  const report = createCg(threads, scratch, matrix.rowCount).solve(matrix, preconditioner, right, solution, {
    tolerance: options.pressureTolerance,
    maxIterations: options.pressureIterations,
  });
  for (let u = 0; u < matrix.rowCount; u++) facePressure[unknownToFace[u]] = solution[u];
  subtractPressureGradient(
    topology,
    geometry,
    conditions,
    source,
    facePressure,
    threads,
    cellVelocity,
    faceVelocity,
  );
  return { facePressure, report };
}
