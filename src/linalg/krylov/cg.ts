/**
 * Preconditioned conjugate gradients (Hestenes and Stiefel 1952; Saad 2003, algorithm 9.1) for symmetric
 * positive definite operators, in four passes per iteration: product with p . Ap, update of x and r with r .
 * r, preconditioner with r . z, new direction. The residual that is reported is recomputed as b - Ax
 * (solver.ts). A semi-definite operator works when b lies in its range.
 *
 * Cost per iteration: one product, one preconditioner, some 80 bytes of vector traffic per unknown; 4 vectors
 * of work.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { LinearOperator } from '../operator.ts';
import type { Preconditioner } from '../preconditioners/preconditioner.ts';
import { createThreadedSpace, type VectorSpace } from '../vector-space.ts';
import { type KrylovSolver, type Pass, solveByPasses } from './solver.ts';

/** Work vectors of the recurrence. z is needed with a preconditioner only. */
export interface CgWork {
  readonly z?: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
}

export interface CgPass extends Pass {
  /** r . r of the recurrence. */
  readonly square: number;
}

/** Work vectors for n unknowns. */
export function createCgWork(space: VectorSpace, n: number, isPreconditioned: boolean): CgWork {
  return { ...(isPreconditioned ? { z: space.create(n) } : {}), p: space.create(n), q: space.create(n) };
}

/**
 * The recurrence by itself: moves x and r = b - Ax together until `isSmall(r . r)` or so many iterations. For
 * callers that have the residual at hand and judge the result by a measure of their own; all others take
 * createCg.
 */
export function iterateCg(
  space: VectorSpace,
  operator: LinearOperator,
  preconditioner: Preconditioner | undefined,
  { x, r }: { readonly x: Float64Array; readonly r: Float64Array },
  work: CgWork,
  isSmall: (square: number) => boolean,
  maxIterations: number,
): CgPass {
  const { p, q } = work;
  const z = preconditioner ? work.z! : r;
  let square = Number.NaN;
  let rz = preconditioner ? preconditioner.apply(r, z) : space.dot(r, r);
  space.copy(z, p);
  for (let iterations = 0; iterations < maxIterations; ) {
    if (!(rz > 0))
      return {
        iterations,
        square,
        breakdown: `r . M^-1 r = ${rz}: the preconditioner is not positive definite`,
      };
    const curvature = operator.applyDot(p, q);
    if (!(curvature > 0))
      return { iterations, square, breakdown: `p . A p = ${curvature}: the matrix is not positive definite` };
    square = space.descend(rz / curvature, p, q, x, r);
    iterations++;
    if (isSmall(square)) return { iterations, square };
    const previous = rz;
    rz = preconditioner ? preconditioner.apply(r, z) : square;
    space.scaleAndAdd(z, rz / previous, p);
  }
  return { iterations: maxIterations, square };
}

/** A solver for systems of n unknowns with its work vectors. */
export function createCg(threads: Threads, scope: HeapScope, n: number): KrylovSolver {
  const space = createThreadedSpace(threads, scope);
  const r = space.create(n);
  const work = createCgWork(space, n, true);
  return {
    solve(operator, preconditioner, b, x, options) {
      const vectors = { x, r };
      const { look, tolerance } = options;
      let looked = look === undefined;
      const iterate = (target: number, iterationsLeft: number) => {
        let isEnough = false;
        const isSmall = (square: number) => {
          const size = Math.sqrt(square);
          if (!looked && size > target && size <= target * (look!.tolerance / tolerance)) {
            looked = true;
            isEnough = look!.isEnough();
          }
          return isEnough || size <= target;
        };
        const pass = iterateCg(space, operator, preconditioner, vectors, work, isSmall, iterationsLeft);
        return { ...pass, isEnough };
      };
      return solveByPasses(space, operator, b, vectors, options, iterate, false);
    },
  };
}
