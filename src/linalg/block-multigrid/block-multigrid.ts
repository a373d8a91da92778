/**
 * Smoothed aggregation multigrid for symmetric positive (semi-)definite matrices of blocks with a given
 * near-null space: constants, or six rigid modes (Vanek, Mandel and Brezina 1996). Double precision
 * throughout: rigid motions may weigh 1e-9 of what strains do, and single precision would lose them. One
 * V-cycle, a block Gauss-Seidel sweep down and one up on each level, is a symmetric positive definite
 * preconditioner for conjugate gradients and MINRES.
 *
 * Memory of the cycles: the coarse matrices and the prolongations, 1.3 times the finest matrix for
 * elasticity, 1.9 times where stiffness jumps (validation/linalg/block-multigrid.ts); set-up takes 2 to 3
 * times the matrix more.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { BlockCsrMatrix } from '../block/block-csr.ts';
import { type BlockSweeps, buildBlockSweeps, sweepDown, sweepUp } from '../block/block-sweeps.ts';
import type { Preconditioner } from '../preconditioners/preconditioner.ts';
import { computeDot } from '../vector.ts';
import { type Coarsest, createCoarsest } from './coarsest.ts';
import { coarsenRowScale, computeRowScale, groundUnknowns } from './grounding.ts';
import type { Modes } from './modes.ts';
import { smoothProlongation } from './smoothed.ts';
import {
  buildBlockGalerkin,
  multiplyTall,
  prolongBlocks,
  restrictBlocks,
  type TallMatrix,
  type Transpose,
  transposeTall,
} from './tall.ts';
import { buildTentative } from './tentative.ts';

export interface BlockLevel {
  readonly matrix: BlockCsrMatrix;
  /** Absent where the level is solved directly. */
  readonly sweeps?: BlockSweeps;
  /** Right-hand side and solution; unused on the finest level, which works in the caller's vectors */
  readonly w: Float64Array;
  readonly x: Float64Array;
  readonly r: Float64Array;
  /** To the next coarser level; absent on the coarsest. */
  readonly prolongation?: TallMatrix;
  readonly transpose?: Transpose;
}

export interface BlockMultigrid extends Preconditioner {
  readonly levels: readonly BlockLevel[];
  /**
   * Solves the coarsest level; absent where coarsening came to a halt above its size, and sweeps have to do.
   */
  readonly coarsest?: Coarsest;
  /** Numbers in all matrices over those of the finest. */
  readonly operatorComplexity: number;
}

export interface BlockMultigridOptions {
  /** Threshold of strong couplings on the finest level, halved on each coarser one. */
  readonly strength?: number;
}

/** Systems up to so many unknowns are solved directly: half a millisecond. */
const DIRECT_UNKNOWNS = 600;
const MOST_LEVELS = 24;
/** A coarser level with more than this part of the unknowns is not worth having. */
const LEAST_REDUCTION = 0.8;
/**
 * Iterations for 86k unknowns of elasticity, and numbers in all matrices over those of the finest, with
 * Poisson's ratio 0.3, 0.45, and with contrast 1e6: 25, 37, 35 (1.5) at 1e-4; 16, 28, 29 (1.5 to 1.7) at
 * 0.02; 16, 26, 27 (1.5 to 1.9) at 0.05; 14, 24, 21 (1.6 to 2.6) at 0.08.
 */
export const DEFAULT_STRENGTH = 0.02;

function buildVectors(scope: HeapScope, matrix: BlockCsrMatrix) {
  const n = matrix.rowCount * matrix.blockSize;
  return { matrix, w: scope.f64(n), x: scope.f64(n), r: scope.f64(n) };
}

/** `setUp`: for what is not needed once this has returned. The matrix itself must stay. */
export function createBlockMultigrid(
  threads: Threads,
  scope: HeapScope,
  finest: BlockCsrMatrix,
  finestModes: Modes,
  { strength = DEFAULT_STRENGTH }: BlockMultigridOptions = {},
  setUp = scope,
): BlockMultigrid {
  const levels: BlockLevel[] = [];
  let matrix = finest;
  let modes = finestModes;
  let rowScale = computeRowScale(finest);
  while (matrix.rowCount * matrix.blockSize > DIRECT_UNKNOWNS && levels.length < MOST_LEVELS) {
    const tentative = buildTentative(threads, setUp, matrix, modes, strength * 0.5 ** levels.length);
    const coarseUnknowns = tentative.prolongation.columnCount * modes.modeCount;
    if (coarseUnknowns === 0 || coarseUnknowns > LEAST_REDUCTION * matrix.rowCount * matrix.blockSize) break;
    const prolongation = smoothProlongation(threads, scope, setUp, matrix, tentative.prolongation);
    const transpose = transposeTall(scope, prolongation);
    const sweeps = buildBlockSweeps(threads, scope, matrix, setUp);
    levels.push({ ...buildVectors(scope, matrix), sweeps, prolongation, transpose });
    const product = multiplyTall(threads, setUp, setUp, matrix, prolongation);
    matrix = buildBlockGalerkin(threads, scope, setUp, prolongation, transpose, product);
    rowScale = coarsenRowScale(tentative.prolongation, rowScale);
    groundUnknowns(matrix, rowScale);
    modes = tentative.modes;
  }
  const coarsest = matrix.rowCount * matrix.blockSize <= DIRECT_UNKNOWNS ? createCoarsest(matrix) : undefined;
  levels.push({
    ...buildVectors(scope, matrix),
    ...(coarsest ? {} : { sweeps: buildBlockSweeps(threads, scope, matrix, setUp) }),
  });
  const last = levels.length - 1;

  /** x of level k from w, by one V-cycle from zero. */
  function cycle(k: number, w: Float64Array, x: Float64Array): void {
    const { matrix: a, sweeps, r, prolongation, transpose } = levels[k];
    if (k === last && coarsest) {
      coarsest.solve(w, x);
      return;
    }
    sweepDown(threads, a, sweeps!, w, x, r);
    if (k < last) {
      const coarser = levels[k + 1];
      restrictBlocks(threads, prolongation!, transpose!, r, coarser.w);
      cycle(k + 1, coarser.w, coarser.x);
      prolongBlocks(threads, prolongation!, coarser.x, x);
    }
    sweepUp(threads, a, sweeps!, w, x, r);
  }

  const countNumbers = levels.reduce((sum, level) => sum + level.matrix.value.length, 0);
  return {
    name: 'block multigrid',
    levels,
    ...(coarsest ? { coarsest } : {}),
    operatorComplexity: finest.value.length === 0 ? 1 : countNumbers / finest.value.length,
    apply(r, outZ) {
      cycle(0, r, outZ);
      return computeDot(threads, r, outZ);
    },
  };
}
