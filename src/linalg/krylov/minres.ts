/**
 * Preconditioned minimal residuals (Paige and Saunders 1975) for symmetric operators, definite or not: saddle
 * points such as Stokes flow. The preconditioner must be symmetric positive definite. Each iteration
 * minimises ||b - Ax|| in the norm of the preconditioner; the residual vector itself follows by
 *     r_k = s^2 r_(k-1) - phi c v_(k+1)          (s, c the rotation, v the Lanczos vector)
 * so that the tolerance is on ||b - Ax|| / ||b|| in the plain norm, as with the other methods. The residual
 * that is reported is recomputed (solver.ts). A singular operator works when b lies in its range; where it
 * does not, that is found and reported.
 *
 * Cost per iteration: one product, one preconditioner, some 200 bytes of vector traffic per unknown; 8
 * vectors of work.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import { createThreadedSpace } from '../vector-space.ts';
import { type KrylovSolver, type LinearSystem, type Pass, solveByPasses } from './solver.ts';

/**
 * ||A r|| below this part of ||A|| ||r||, so many times in a row: an iteration then takes less than rounding
 * from r, because what is left of it is orthogonal to the range of A. (Rounding in the Lanczos vectors keeps
 * the ratio from falling much further.)
 */
const NO_DESCENT = 1e-8;
const PATIENCE = 5;

interface Work {
  /** b - Ax */
  readonly r: Float64Array;
  /**
   * Lanczos vectors before (previous, present) and after (v) the preconditioner, and the product that becomes
   * the next
   */
  previous: Float64Array;
  present: Float64Array;
  next: Float64Array;
  readonly v: Float64Array;
  readonly z: Float64Array;
  /** The last two directions of x */
  older: Float64Array;
  old: Float64Array;
}

/** One run of the recurrence from work.r = b - Ax. */
function iterate(system: LinearSystem, work: Work, x: Float64Array, target: number, most: number): Pass {
  const { space, operator, preconditioner } = system;
  const { r, v, z } = work;
  const precondition = (from: Float64Array): number => {
    if (preconditioner) return preconditioner.apply(from, z);
    space.copy(from, z);
    return space.dot(from, z);
  };
  const refusal = (square: number) => `r . M^-1 r = ${square}: the preconditioner is not positive definite`;
  space.copy(r, work.present);
  space.fill(0, work.previous);
  space.fill(0, work.older);
  space.fill(0, work.old);
  let square = precondition(work.present);
  if (!(square > 0)) return { iterations: 0, breakdown: refusal(square) };
  let beta = Math.sqrt(square);
  let betaBefore = 1;
  let phiBar = beta;
  // The rotation so far, and what it left of the tridiagonal matrix's columns to come.
  let cosine = -1;
  let sine = 0;
  let deltaBar = 0;
  let epsilon = 0;
  let normSquare = 0;
  let flat = 0;
  for (let iterations = 0; iterations < most; ) {
    // Lanczos: next = A v - alpha present - beta previous.
    space.combine(1 / beta, z, 0, z, v);
    const { present, previous, next } = work;
    const alpha = operator.applyDot(v, next);
    if (!Number.isFinite(alpha))
      return {
        iterations,
        breakdown: `v . A v = ${alpha}: NaN or infinity in the matrix or the preconditioner`,
      };
    if (iterations > 0) space.addScaled(-beta / betaBefore, previous, next);
    space.addScaled(-alpha / beta, present, next);
    work.previous = present;
    work.present = next;
    work.next = previous;
    square = precondition(next);
    if (!(square >= 0)) return { iterations, breakdown: refusal(square) };
    betaBefore = beta;
    beta = Math.sqrt(square);
    normSquare += alpha * alpha + beta * beta + (iterations > 0 ? betaBefore * betaBefore : 0);

    // The new column, turned by the last two rotations, and the rotation that removes its last entry.
    const epsilonBefore = epsilon;
    const delta = cosine * deltaBar + sine * alpha;
    const gammaBar = sine * deltaBar - cosine * alpha;
    epsilon = sine * beta;
    deltaBar = -cosine * beta;
    // ||A r|| of the residual before this iteration is |phiBar| times this (Paige and Saunders, section 6).
    const slope = Math.hypot(gammaBar, deltaBar);
    flat = slope <= NO_DESCENT * Math.sqrt(normSquare) ? flat + 1 : 0;
    if (flat === PATIENCE)
      return {
        iterations,
        breakdown: `||A r|| / (||A|| ||r||) = ${slope / Math.sqrt(normSquare)}: the matrix is singular, and b is not in its range`,
      };
    const gamma = Math.hypot(gammaBar, beta);
    cosine = gammaBar / gamma;
    sine = beta / gamma;
    const phi = cosine * phiBar;
    phiBar *= sine;

    // Direction (v - epsilon older - delta old) / gamma, in place of the older one.
    const direction = work.older;
    space.combine(-epsilonBefore / gamma, direction, 1 / gamma, v, direction);
    space.addScaled(-delta / gamma, work.old, direction);
    work.older = work.old;
    work.old = direction;
    space.addScaled(phi, direction, x);
    iterations++;
    if (beta === 0) return { iterations };
    space.combine(sine * sine, r, (-phiBar * cosine) / beta, next, r);
    if (Math.sqrt(space.dot(r, r)) <= target) return { iterations };
  }
  return { iterations: most };
}

/** A solver for systems of n unknowns with its work vectors. */
export function createMinres(threads: Threads, scope: HeapScope, n: number): KrylovSolver {
  const space = createThreadedSpace(threads, scope);
  const work: Work = {
    r: space.create(n),
    previous: space.create(n),
    present: space.create(n),
    next: space.create(n),
    v: space.create(n),
    z: space.create(n),
    older: space.create(n),
    old: space.create(n),
  };
  return {
    solve(operator, preconditioner, b, x, options) {
      const pass = (target: number, iterationsLeft: number) =>
        iterate({ space, operator, preconditioner }, work, x, target, iterationsLeft);
      return solveByPasses(space, operator, b, { x, r: work.r }, options, pass, true);
    },
  };
}
