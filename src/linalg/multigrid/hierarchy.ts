/**
 * The levels of a multigrid method and its cycles ([chentanez-2007] 3.5). A level is a matrix laid out for
 * Gauss-Seidel sweeps, its vectors, and the way to the next coarser one; the coarsest is solved directly. Two
 * ways to coarsen:
 *     greedy        the paper's coarse and fine variables with simple averages
 *     aggregation   smoothed aggregation: fewer, somewhat denser levels, faster convergence
 * Levels here count from the finest, 0. All inside a cycle is single precision; who needs more corrects a
 * residual in double.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { CsrMatrix } from '../csr.ts';
import { buildSmoothedAggregation } from './aggregation.ts';
import { buildAverages, labelVariables } from './coarse-fine.ts';
import { createDenseCholesky, type DenseCholesky } from './dense-cholesky.ts';
import { buildGalerkin } from './galerkin.ts';
import { buildSplitMatrix, type SplitMatrix } from './split-matrix.ts';
import { createTransfer, type Transfer, transposeWeights, type Weights } from './transfer.ts';

export type Coarsening = 'greedy' | 'aggregation';

export interface Level {
  readonly rowCount: number;
  readonly entryCount: number;
  readonly matrix: SplitMatrix;
  /** (rowCount + 1) right-hand side, solution; the last entry is zero and stands for known values */
  readonly w: Float32Array;
  readonly x: Float32Array;
  readonly residual: Float32Array;
  /** To the next coarser level; absent on the coarsest. */
  readonly transfer?: Transfer;
}

export interface Hierarchy {
  readonly levels: readonly Level[];
  /**
   * Solves the coarsest level; absent where coarsening came to a halt above its size, and sweeps have to do.
   */
  readonly coarsest?: DenseCholesky;
  /** Entries of all matrices over those of the finest. */
  readonly operatorComplexity: number;
}

/** Systems up to this size are solved directly: half a millisecond. */
const DIRECT_ROWS = 300;
const MOST_LEVELS = 24;
/** A coarser level with more than this part of the rows is not worth having. */
const LEAST_REDUCTION = 0.8;
/**
 * Threshold of strong couplings on the finest level, halved on each coarser one, where couplings even out:
 * 0.04 gave 12 iterations on vertex Laplacians of dams and balls, 0 gave 14, and 0.08 the same 12 with denser
 * levels.
 */
const STRENGTH = 0.04;

/** A level without a way down, with its vectors. */
export function buildLevel(threads: Threads, scope: HeapScope, a: CsrMatrix): Level {
  return {
    rowCount: a.rowCount,
    entryCount: a.rowStart[a.rowCount],
    matrix: buildSplitMatrix(threads, scope, a),
    w: scope.f32(a.rowCount + 1),
    x: scope.f32(a.rowCount + 1),
    residual: scope.f32(a.rowCount + 1),
  };
}

/** Prolongation from the next coarser level; chosen by the matrix alone. */
export function buildProlongation(
  scope: HeapScope,
  a: CsrMatrix,
  coarsening: Coarsening,
  depth: number,
): Weights {
  return coarsening === 'greedy'
    ? buildAverages(scope, a, labelVariables(a))
    : buildSmoothedAggregation(scope, a, STRENGTH * 0.5 ** depth);
}

/**
 * Galerkin matrices on ever fewer variables, down to a size that is solved directly. They are in `setUp`,
 * which may be freed afterwards; what the cycles need is in `scope`.
 */
export function buildHierarchy(
  threads: Threads,
  scope: HeapScope,
  finest: CsrMatrix,
  coarsening: Coarsening,
  setUp: HeapScope,
): Hierarchy {
  const levels: Level[] = [];
  let a = finest;
  let halted = false;
  while (a.rowCount > DIRECT_ROWS && levels.length < MOST_LEVELS && !halted) {
    const p = buildProlongation(scope, a, coarsening, levels.length);
    halted = p.columnCount > LEAST_REDUCTION * a.rowCount;
    if (halted) break;
    const r = transposeWeights(scope, p);
    levels.push({ ...buildLevel(threads, scope, a), transfer: createTransfer(threads, p, r) });
    a = buildGalerkin(threads, setUp, a, p, r);
  }
  levels.push(buildLevel(threads, scope, a));
  let entries = 0;
  for (const level of levels) entries += level.entryCount;
  return {
    levels,
    ...(a.rowCount <= DIRECT_ROWS ? { coarsest: createDenseCholesky(a) } : {}),
    operatorComplexity: levels[0].entryCount === 0 ? 1 : entries / levels[0].entryCount,
  };
}
