/**
 * Preconditioner by an auxiliary space (Xu 1996): the unknowns' own matrix is only relaxed, one Gauss-Seidel
 * sweep forward and one backward, and what is smooth is corrected in a smaller space that contains it, here
 * vertex values of which every unknown is the mean of three. Face values of continuous piecewise linear
 * functions are a subspace of Crouzeix-Raviart elements, so the vertex Laplacian is the Galerkin matrix
 * exactly, with a tenth of the unknowns; what it misses lives on single tets, and relaxation removes it at a
 * rate that does not depend on the mesh's size. The vertex matrix gets a V-cycle of smoothed aggregation.
 *
 * Measured on pressure matrices (dam, 22k to 200k tets): 11 to 12 iterations of conjugate gradients to 1e-6
 * with one sweep, 7 with two, 14 with damped Jacobi, 30 where relaxation and correction are added up instead
 * of alternated.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { CsrMatrix } from '../csr.ts';
import type { Preconditioner } from '../preconditioners/preconditioner.ts';
import { runVCycle, smoothDown, smoothUp } from './cycle.ts';
import { beginSweeps } from './gauss-seidel.ts';
import { buildHierarchy, buildLevel, type Hierarchy } from './hierarchy.ts';
import { demote, promoteDot } from './multigrid.ts';
import { followDiagonal } from './split-matrix.ts';
import { createMeanTransfer, type MeanOfThree } from './transfer.ts';

/** A smaller space: how it maps to the unknowns, and its Galerkin matrix. */
export interface AuxiliarySpace {
  readonly mean: MeanOfThree;
  readonly matrix: CsrMatrix;
}

export interface AuxiliaryPreconditioner extends Preconditioner {
  /** Levels of the smaller space. */
  readonly hierarchy: Hierarchy;
  /**
   * Takes the diagonals of some rows anew from the matrix. The smaller space stays as it is: relaxation alone
   * sees them, which is enough for a few rows here and there.
   */
  followDiagonal(rows: Int32Array): void;
}

const SWEEPS = 1;

/** `setUp`: for what is not needed once this has returned; the space's own matrix may be there too. */
export function createAuxiliaryPreconditioner(
  threads: Threads,
  scope: HeapScope,
  a: CsrMatrix,
  space: AuxiliarySpace,
  setUp = scope,
): AuxiliaryPreconditioner {
  const fine = buildLevel(threads, scope, a);
  const hierarchy = buildHierarchy(threads, scope, space.matrix, 'aggregation', setUp);
  const transfer = createMeanTransfer(threads, space.mean);
  const [coarse] = hierarchy.levels;
  return {
    name: 'auxiliary-space',
    hierarchy,
    followDiagonal: (rows) => followDiagonal(fine.matrix, a, rows),
    apply(r, outZ) {
      demote(threads, r, fine.w);
      beginSweeps(fine.matrix, fine.w);
      smoothDown(threads, fine, SWEEPS, true);
      transfer.restrict(fine.residual, coarse.w);
      runVCycle(threads, hierarchy, 0, SWEEPS);
      transfer.prolong(coarse.x, fine.x);
      smoothUp(threads, fine, SWEEPS);
      return promoteDot(threads, fine.x, r, outZ);
    },
  };
}
