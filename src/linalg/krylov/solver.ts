/**
 * What the Krylov methods have in common: their options and report, and the frame around their iterations. A
 * method iterates on its own recurrences; whether a system is solved is decided by b - Ax, computed afresh
 * after each pass. Where that has drifted from the recurrence and misses the tolerance, the method starts
 * again from it, while that gains anything.
 */
import type { LinearOperator } from '../operator.ts';
import type { Preconditioner } from '../preconditioners/preconditioner.ts';
import type { VectorSpace } from '../vector-space.ts';

export interface SolveOptions {
  /** Bound on ||b - Ax|| / ||b||. */
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly look?: EarlyLook;
}

/**
 * A look at x on the way, once: by conjugate gradients when ||b - Ax|| / ||b|| has fallen to `tolerance`.
 * Where it is good enough the solve ends there, else it goes on as if nobody had looked.
 */
export interface EarlyLook {
  readonly tolerance: number;
  isEnough(): boolean;
}

export interface SolveReport {
  readonly iterations: number;
  /** ||b - Ax|| / ||b||, recomputed after the solve; 0 where b = 0, since x is then set to 0 */
  readonly residual: number;
  /** The recomputed residual meets the tolerance. */
  readonly converged: boolean;
  /**
   * Why the iteration could not go on: the matrix is not of the kind asked for, NaN, or it stagnates. Absent
   * otherwise.
   */
  readonly breakdown?: string;
}

export interface KrylovSolver {
  /** Solves A x = b from the x given. */
  solve(
    operator: LinearOperator,
    preconditioner: Preconditioner | undefined,
    b: Float64Array,
    outX: Float64Array,
    options: SolveOptions,
  ): SolveReport;
}

/** What a recurrence works with. */
export interface LinearSystem {
  readonly space: VectorSpace;
  readonly operator: LinearOperator;
  readonly preconditioner: Preconditioner | undefined;
}

/** One run of a method's recurrence. */
export interface Pass {
  readonly iterations: number;
  /** It ended early, by a look. */
  readonly isEnough?: boolean;
  readonly breakdown?: string;
}

/** A fresh start must lower the true residual by this much, or rounding has the last word. */
const WORTHWHILE = 0.5;

/**
 * Runs passes until ||b - Ax|| meets the tolerance. `iterate` lowers the residual of x from r = b - Ax to
 * `target`, in at most so many iterations; r is recomputed here before each. `saysWhy`: a residual that no
 * longer falls is a breakdown.
 */
export function solveByPasses(
  space: VectorSpace,
  operator: LinearOperator,
  b: Float64Array,
  { x, r }: { readonly x: Float64Array; readonly r: Float64Array },
  { tolerance, maxIterations }: SolveOptions,
  iterate: (target: number, iterationsLeft: number) => Pass,
  saysWhy: boolean,
): SolveReport {
  const scale = Math.sqrt(space.dot(b, b));
  if (scale === 0) {
    space.fill(0, x);
    return { iterations: 0, residual: 0, converged: true };
  }
  let norm = Math.sqrt(operator.applyResidual(x, b, r));
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
    const pass = iterate(target, maxIterations - iterations);
    iterations += pass.iterations;
    breakdown = pass.breakdown;
    const before = norm;
    norm = Math.sqrt(operator.applyResidual(x, b, r));
    if (pass.isEnough) break;
    if (norm < WORTHWHILE * before) continue;
    if (saysWhy && iterations < maxIterations)
      breakdown ??= `stagnation: ${pass.iterations} iterations took ||b - Ax|| / ||b|| from ${before / scale} to ${norm / scale}`;
    break;
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
