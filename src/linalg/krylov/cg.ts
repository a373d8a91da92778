/**
 * Preconditioned conjugate gradients (Hestenes and Stiefel 1952; Saad 2003, algorithm 9.1) for symmetric positive definite
 * matrices, in four passes per iteration: product with p . Ap, update of x and r with r . r, preconditioner with r . z, new
 * direction. The residual that is reported is recomputed as b - Ax; where it has drifted from the recurrence and misses
 * the tolerance, the iteration starts afresh from it. A semi-definite matrix works when b lies in its range.
 *
 * Cost per iteration: one product, one preconditioner, some 80 bytes of vector traffic per unknown; 4 vectors of work.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import { type CsrMatrix, computeResidual, multiplyMatrixDot } from '../csr.ts';
import type { Preconditioner } from '../preconditioners/preconditioner.ts';
import { computeNorm, copy, descend, fill, scaleAndAdd } from '../vector.ts';

export interface CgOptions {
  /** Bound on ||b - Ax|| / ||b||. */
  readonly tolerance: number;
  readonly maxIterations: number;
}

export interface CgReport {
  readonly iterations: number;
  /** ||b - Ax|| / ||b||, recomputed after the solve; 0 where b = 0, since x is then set to 0 */
  readonly residual: number;
  /** The recomputed residual meets the tolerance. */
  readonly converged: boolean;
  /** Why the iteration could not go on: not positive definite, or NaN. Absent otherwise. */
  readonly breakdown?: string;
}

export interface Cg {
  /** Solves A x = b from the x given. */
  solve(
    a: CsrMatrix,
    preconditioner: Preconditioner,
    b: Float64Array,
    outX: Float64Array,
    options: CgOptions,
  ): CgReport;
}

/** A fresh start must lower the true residual by this much, or rounding has the last word. */
const WORTHWHILE = 0.5;

/** A solver for systems of n unknowns with its work vectors. */
export function createCg(threads: Threads, scope: HeapScope, n: number): Cg {
  const r = scope.f64(n);
  const z = scope.f64(n);
  const p = scope.f64(n);
  const q = scope.f64(n);

  /** Iterates until the recurrence meets `target`; r holds b - Ax at the start. */
  function iterate(
    a: CsrMatrix,
    preconditioner: Preconditioner,
    x: Float64Array,
    target: number,
    iterationsLeft: number,
  ): { iterations: number; breakdown?: string } {
    let rz = preconditioner.apply(r, z);
    copy(threads, z, p);
    for (let iterations = 0; iterations < iterationsLeft; ) {
      if (!(rz > 0))
        return { iterations, breakdown: `r . M^-1 r = ${rz}: the preconditioner is not positive definite` };
      const curvature = multiplyMatrixDot(threads, a, p, q);
      if (!(curvature > 0))
        return { iterations, breakdown: `p . A p = ${curvature}: the matrix is not positive definite` };
      const rr = descend(threads, rz / curvature, p, q, x, r);
      iterations++;
      if (Math.sqrt(rr) <= target) return { iterations };
      const previous = rz;
      rz = preconditioner.apply(r, z);
      scaleAndAdd(threads, z, rz / previous, p);
    }
    return { iterations: iterationsLeft };
  }

  function solve(
    a: CsrMatrix,
    preconditioner: Preconditioner,
    b: Float64Array,
    x: Float64Array,
    { tolerance, maxIterations }: CgOptions,
  ): CgReport {
    const scale = computeNorm(threads, b);
    if (scale === 0) {
      fill(threads, 0, x);
      return { iterations: 0, residual: 0, converged: true };
    }
    let norm = Math.sqrt(computeResidual(threads, a, x, b, r));
    if (!Number.isFinite(norm))
      return {
        iterations: 0,
        residual: Number.NaN,
        converged: false,
        breakdown: `||b - Ax|| = ${norm} before the first iteration: NaN or infinity in the matrix, b or the first guess`,
      };
    const target = tolerance * scale;
    let iterations = 0;
    let breakdown: string | undefined;
    while (norm > target && iterations < maxIterations && breakdown === undefined) {
      const pass = iterate(a, preconditioner, x, target, maxIterations - iterations);
      iterations += pass.iterations;
      breakdown = pass.breakdown;
      const before = norm;
      norm = Math.sqrt(computeResidual(threads, a, x, b, r));
      if (!(norm < WORTHWHILE * before)) break;
    }
    const converged = norm <= target;
    const residual = norm / scale;
    return {
      iterations,
      residual,
      converged,
      ...(breakdown !== undefined && !converged ? { breakdown } : {}),
    };
  }

  return { solve };
}
