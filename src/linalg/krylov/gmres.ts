/**
 * Restarted generalised minimal residuals (Saad and Schultz 1986), preconditioned from the right, for any
 * regular operator:
 *     min ||b - A M^-1 u|| over the Krylov space of A M^-1,   x += M^-1 u.
 * From the right the residual that is minimised is that of x itself, and the preconditioner need not be
 * symmetric. The basis is orthogonal by modified Gram-Schmidt, done twice where a vector loses most of its
 * length. Every restart begins with b - Ax computed afresh (solver.ts); one that gains nothing is reported as
 * stagnation.
 *
 * Cost of iteration j of a restart: one product, one preconditioner, 2 j dot products and updates; 3 vectors
 * of work, and one more for each iteration of the longest restart.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { Preconditioner } from '../preconditioners/preconditioner.ts';
import { createThreadedSpace, type VectorSpace } from '../vector-space.ts';
import { type KrylovSolver, type LinearSystem, type Pass, solveByPasses } from './solver.ts';

export const DEFAULT_RESTART = 40;
/**
 * Keeps less than this of its length: rounding is then as large as what is left, and it is made orthogonal
 * again (Parlett).
 */
const CANCELLED = 0.7;
/** A new basis vector below this part of the product's length is rounding: the space is complete. */
const COMPLETE = 1e-14;
/** A restart that leaves more than this of the residual is stagnation. */
const WORTHWHILE = 0.999;

interface Work {
  readonly r: Float64Array;
  readonly z: Float64Array;
  readonly restart: number;
  /** The basis vectors that were needed so far, restart + 1 at most. */
  readonly basis: Float64Array[];
  /**
   * (restart + 1 x restart) Hessenberg matrix by columns, turned to a triangle; the rotations; the right-hand
   * side
   */
  readonly hessenberg: Float64Array;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  readonly right: Float64Array;
}

/**
 * Makes w orthogonal to the basis; coefficients are added to out[0..count). Returns the length of what is
 * left.
 */
function orthogonalise(
  space: VectorSpace,
  basis: readonly Float64Array[],
  count: number,
  w: Float64Array,
  out: Float64Array,
): number {
  for (let i = 0; i < count; i++) {
    const h = space.dot(basis[i], w);
    out[i] += h;
    space.addScaled(-h, basis[i], w);
  }
  return Math.sqrt(space.dot(w, w));
}

/** One restart from work.r = b - Ax; x moves to the minimum over its space. */
function restartOnce(system: LinearSystem, work: Work, x: Float64Array, target: number, most: number): Pass {
  const { space, operator, preconditioner } = system;
  const { restart, r, z, basis, hessenberg, cosine, sine, right } = work;
  const stride = restart + 1;
  const start = Math.sqrt(space.dot(r, r));
  space.combine(1 / start, r, 0, r, basis[0]);
  right.fill(0);
  right[0] = start;
  let count = 0;
  let breakdown: string | undefined;
  while (count < stride - 1 && count < most && Math.abs(right[count]) > target) {
    if (basis.length < count + 2) basis.push(space.create(r.length));
    const w = basis[count + 1];
    if (preconditioner) preconditioner.apply(basis[count], z);
    operator.apply(preconditioner ? z : basis[count], w);
    const column = hessenberg.subarray(count * stride, (count + 1) * stride).fill(0);
    const length = Math.sqrt(space.dot(w, w));
    if (!Number.isFinite(length)) {
      breakdown = `||A v|| = ${length}: NaN or infinity in the matrix or the preconditioner`;
      break;
    }
    let left = orthogonalise(space, basis, count + 1, w, column);
    if (left < CANCELLED * length) left = orthogonalise(space, basis, count + 1, w, column);
    const isComplete = left <= COMPLETE * length;
    column[count + 1] = isComplete ? 0 : left;
    for (let i = 0; i < count; i++) {
      const [a, b] = [column[i], column[i + 1]];
      column[i] = cosine[i] * a + sine[i] * b;
      column[i + 1] = cosine[i] * b - sine[i] * a;
    }
    const diagonal = Math.hypot(column[count], column[count + 1]);
    if (diagonal <= COMPLETE * length) {
      breakdown = `the space of ${count + 1} vectors is complete and does not hold the solution: the matrix is singular`;
      break;
    }
    cosine[count] = column[count] / diagonal;
    sine[count] = column[count + 1] / diagonal;
    column[count] = diagonal;
    right[count + 1] = -sine[count] * right[count];
    right[count] *= cosine[count];
    count++;
    if (isComplete) break;
    space.scale(1 / left, w);
  }
  addCombination(space, preconditioner, work, count, x);
  return {
    iterations: count,
    ...(breakdown === undefined ? {} : { breakdown }),
  };
}

/** x += M^-1 V y where the triangle times y is the right-hand side. */
function addCombination(
  space: VectorSpace,
  preconditioner: Preconditioner | undefined,
  { restart, r, z, basis, hessenberg, right }: Work,
  count: number,
  x: Float64Array,
): void {
  const stride = restart + 1;
  for (let i = count - 1; i >= 0; i--) {
    let sum = right[i];
    for (let j = i + 1; j < count; j++) sum -= hessenberg[j * stride + i] * right[j];
    right[i] = sum / hessenberg[i * stride + i];
  }
  if (count === 0) return;
  const u = r; // b - Ax is computed afresh before it is read again
  space.combine(right[0], basis[0], 0, basis[0], u);
  for (let j = 1; j < count; j++) space.addScaled(right[j], basis[j], u);
  if (preconditioner) preconditioner.apply(u, z);
  space.addScaled(1, preconditioner ? z : u, x);
}

/** A solver for systems of n unknowns with its work vectors; `restart` is the largest size of its basis. */
export function createGmres(
  threads: Threads,
  scope: HeapScope,
  n: number,
  restart = DEFAULT_RESTART,
): KrylovSolver {
  const space = createThreadedSpace(threads, scope);
  const size = Math.max(1, Math.min(restart, n));
  const work: Work = {
    r: space.create(n),
    z: space.create(n),
    restart: size,
    basis: [space.create(n)],
    hessenberg: new Float64Array((size + 1) * size),
    cosine: new Float64Array(size),
    sine: new Float64Array(size),
    right: new Float64Array(size + 1),
  };
  return {
    solve(operator, preconditioner, b, x, options) {
      const system = { space, operator, preconditioner };
      /** Restarts until one gains nothing: the recomputed residual then decides. */
      const pass = (target: number, iterationsLeft: number): Pass => {
        let iterations = 0;
        let norm = Math.sqrt(space.dot(work.r, work.r));
        while (norm > target && iterations < iterationsLeft) {
          const once = restartOnce(system, work, x, target, iterationsLeft - iterations);
          iterations += once.iterations;
          const before = norm;
          norm = Math.sqrt(operator.applyResidual(x, b, work.r));
          if (once.breakdown !== undefined) return { iterations, breakdown: once.breakdown };
          if (norm > target && !(norm < WORTHWHILE * before) && iterations < iterationsLeft)
            return {
              iterations,
              breakdown: `stagnation: a restart of ${once.iterations} took ||b - Ax|| from ${before} to ${norm} (target ${target})`,
            };
        }
        return { iterations };
      };
      return solveByPasses(space, operator, b, { x, r: work.r }, options, pass, true);
    },
  };
}
