/**
 * Pressure correction: solves for the pressure and makes the velocity divergence-free ([chentanez-2007] 3.1,
 * 3.5).
 */
import type { Heap, HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import { createCsrOperator } from '../../linalg/csr.ts';
import { createCg } from '../../linalg/krylov/cg.ts';
import type { SolveReport } from '../../linalg/krylov/solver.ts';
import { createAuxiliaryPreconditioner } from '../../linalg/multigrid/auxiliary-space.ts';
import { createMultigrid } from '../../linalg/multigrid/multigrid.ts';
import { createIncompleteCholesky } from '../../linalg/preconditioners/incomplete-cholesky.ts';
import { createJacobi } from '../../linalg/preconditioners/jacobi.ts';
import type { Preconditioner } from '../../linalg/preconditioners/preconditioner.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { LiquidOptions } from '../liquid/options.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import {
  assemblePressure,
  type Conditions,
  computeCellVelocity,
  type PressureSystem,
  subtractPressureGradient,
} from './pressure.ts';
import { buildVertexSpace } from './pressure-space.ts';

export interface Projection {
  /** (faceCount) pressure potential p dt / rho, m^2/s */
  readonly facePressure: Float64Array;
  readonly report: SolveReport;
}

/** What the preconditioner needs to know of the mesh. */
type MeshGeometry = { readonly mesh: TetMesh } & Pick<MeshParts, 'topology' | 'geometry'>;

/** Projects faceVelocity in place, eqs. (5) and (6). `guess`: face pressures to start the search from. */
export function project(
  model: LiquidModel,
  parts: MeshParts,
  conditions: Conditions,
  faceVelocity: Float64Array,
  scope: HeapScope,
  scratch: HeapScope,
  guess?: Float64Array,
): Projection {
  const { mesh, topology, geometry } = parts;
  const { threads, options } = model;
  const facePressure = scope.f64(topology.faceCount);
  if (mesh.tetCount === 0) return { facePressure, report: { iterations: 0, residual: 0, converged: true } };
  const cellVelocity = scratch.f64(3 * mesh.tetCount);
  computeCellVelocity(mesh, topology, geometry, faceVelocity, threads, cellVelocity);
  const system = assemblePressure(topology, geometry, conditions, cellVelocity, threads, scratch);
  const { matrix, unknownToFace, source } = system;
  const solution = scratch.f64(matrix.rowCount);
  if (guess) for (let u = 0; u < matrix.rowCount; u++) solution[u] = guess[unknownToFace[u]];
  const report = solvePressure(
    options,
    parts,
    system,
    conditions.fixed,
    threads,
    model.heap,
    scratch,
    solution,
  );
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

/** Solves the system by the means that the options name. */
export function solvePressure(
  options: LiquidOptions,
  parts: MeshGeometry,
  system: PressureSystem,
  fixed: Uint8Array,
  threads: Threads,
  heap: Heap,
  scratch: HeapScope,
  outSolution: Float64Array,
): SolveReport {
  const { matrix, right } = system;
  const limits = { tolerance: options.pressureTolerance, maxIterations: options.pressureIterations };
  const setUp = heap.scope('pressure set-up');
  try {
    if (options.pressureSolver !== 'conjugate-gradients') {
      const cycle = options.pressureSolver === 'multigrid-v' ? 'v' : 'full';
      const multigrid = createMultigrid(threads, scratch, matrix, {}, setUp);
      return multigrid.solve(right, outSolution, limits, cycle);
    }
    const preconditioner = createPreconditioner(options, parts, system, fixed, threads, scratch, setUp);
    setUp.free();
    const cg = createCg(threads, scratch, matrix.rowCount);
    return cg.solve(createCsrOperator(threads, matrix), preconditioner, right, outSolution, limits);
  } finally {
    setUp.free();
  }
}

function createPreconditioner(
  { preconditioner }: LiquidOptions,
  { mesh, topology, geometry }: MeshGeometry,
  system: PressureSystem,
  fixed: Uint8Array,
  threads: Threads,
  scratch: HeapScope,
  setUp: HeapScope,
): Preconditioner {
  const { matrix } = system;
  switch (preconditioner) {
    case 'vertex-multigrid': {
      const space = buildVertexSpace(mesh, topology, geometry, system, fixed, threads, scratch, setUp);
      return createAuxiliaryPreconditioner(threads, scratch, matrix, space, setUp);
    }
    case 'multigrid':
      return createMultigrid(threads, scratch, matrix, {}, setUp);
    case 'aggregation-multigrid':
      return createMultigrid(threads, scratch, matrix, { coarsening: 'aggregation', sweeps: 1 }, setUp);
    case 'incomplete-cholesky':
      return createIncompleteCholesky(threads, scratch, matrix);
    case 'jacobi':
      return createJacobi(threads, scratch, matrix);
  }
}
