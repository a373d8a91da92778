/**
 * Algebraic multigrid for symmetric positive definite matrices ([chentanez-2007] 3.5): as a preconditioner of
 * conjugate gradients, and as a solver of its own, x += cycle(b - Ax) with the residual in double precision.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { type CsrMatrix, computeResidual } from '../csr.ts';
import type { SolveOptions, SolveReport } from '../krylov/solver.ts';
import type { Preconditioner } from '../preconditioners/preconditioner.ts';
import { addScaled, computeNorm, fill, VECTOR_GRAIN } from '../vector.ts';
import { runFullCycle, runVCycle } from './cycle.ts';
import { buildHierarchy, type Coarsening, type Hierarchy } from './hierarchy.ts';
import * as kernels from './sweep-kernels.ts';

export interface MultigridOptions {
  readonly coarsening?: Coarsening;
  /** Gauss-Seidel sweeps before and after each coarse correction. */
  readonly sweeps?: number;
}

export interface Multigrid extends Preconditioner {
  readonly hierarchy: Hierarchy;
  /** Solves A x = b from the x given, without conjugate gradients; `iterations` counts cycles. */
  solve(b: Float64Array, outX: Float64Array, options: SolveOptions, cycle: 'v' | 'full'): SolveReport;
}

/** The paper: "two Gauss-Seidel iterations". */
export const PAPER_SWEEPS = 2;
/** A cycle that leaves more than this of the residual gets nowhere any more. */
const WORTHWHILE = 0.999;

const demoteTask = defineTask('linalg/demote', kernels.demote);
const promoteTask = defineTask('linalg/promote-dot', kernels.promoteDot);

/** w = r in single precision */
export function demote(threads: Threads, r: Float64Array, outW: Float32Array): void {
  threads.run(demoteTask, r.length, VECTOR_GRAIN, { r, w: outW });
}

/** z = x in double precision; returns r . z */
export function promoteDot(threads: Threads, x: Float32Array, r: Float64Array, outZ: Float64Array): number {
  return threads.sum(promoteTask, r.length, VECTOR_GRAIN, { x, r, z: outZ });
}

/** `setUp`: for what is not needed once this has returned. */
export function createMultigrid(
  threads: Threads,
  scope: HeapScope,
  a: CsrMatrix,
  { coarsening = 'greedy', sweeps = PAPER_SWEEPS }: MultigridOptions = {},
  setUp = scope,
): Multigrid {
  const hierarchy = buildHierarchy(threads, scope, a, coarsening, setUp);
  const [finest] = hierarchy.levels;
  let work: { r: Float64Array; z: Float64Array } | undefined;

  function solve(b: Float64Array, x: Float64Array, options: SolveOptions, cycle: 'v' | 'full'): SolveReport {
    work ??= { r: scope.f64(a.rowCount), z: scope.f64(a.rowCount) };
    const { r, z } = work;
    const scale = computeNorm(threads, b);
    if (scale === 0) {
      fill(threads, 0, x);
      return { iterations: 0, residual: 0, converged: true };
    }
    const target = options.tolerance * scale;
    let iterations = 0;
    let norm = Math.sqrt(computeResidual(threads, a, x, b, r));
    while (norm > target && iterations < options.maxIterations) {
      demote(threads, r, finest.w);
      if (cycle === 'v') runVCycle(threads, hierarchy, 0, sweeps);
      else runFullCycle(threads, hierarchy, sweeps);
      promoteDot(threads, finest.x, r, z);
      addScaled(threads, 1, z, x);
      iterations++;
      const before = norm;
      norm = Math.sqrt(computeResidual(threads, a, x, b, r));
      if (!(norm < WORTHWHILE * before)) break;
    }
    const residual = norm / scale;
    const converged = norm <= target;
    return {
      iterations,
      residual,
      converged,
      ...(converged || iterations === options.maxIterations
        ? {}
        : { breakdown: `cycle ${iterations} left ||b - Ax|| / ||b|| at ${residual}` }),
    };
  }

  return {
    name: `multigrid, ${coarsening}`,
    hierarchy,
    apply(r, outZ) {
      demote(threads, r, finest.w);
      runVCycle(threads, hierarchy, 0, sweeps);
      return promoteDot(threads, finest.x, r, outZ);
    },
    solve,
  };
}
