/**
 * Multigrid cycles ([chentanez-2007] 3.5, VCYCLEMULTIGRID and FULLCYCLEMULTIGRID). Before the coarse
 * correction sweeps run forward, after it backward, as many: from a zero guess a V-cycle is then a symmetric
 * positive definite operator, fit to precondition conjugate gradients. (The paper does not say which way its
 * sweeps run.) A full cycle is not symmetric.
 */
import type { Threads } from '../../core/threads/task.ts';
import {
  beginSweeps,
  computeFirstResidual,
  computeSplitResidual,
  relaxBackward,
  relaxForward,
  relaxFromZero,
} from './gauss-seidel.ts';
import type { Hierarchy, Level } from './hierarchy.ts';

/** Sweeps there and back where the coarsest level is too large for a direct solve. */
const COARSEST_SWEEPS = 8;

/** Sweeps down from x = 0: x and the residual that goes to the coarser level. */
export function smoothDown(threads: Threads, level: Level, sweeps: number, fromZero: boolean): void {
  const { matrix, w, x, residual } = level;
  if (fromZero) relaxFromZero(threads, matrix, w, x);
  for (let s = fromZero ? 1 : 0; s < sweeps; s++) relaxForward(threads, matrix, w, x);
  if (fromZero && sweeps === 1) computeFirstResidual(threads, matrix, x, residual);
  else computeSplitResidual(threads, matrix, w, x, residual);
}

/** Sweeps up. */
export function smoothUp(threads: Threads, level: Level, sweeps: number): void {
  for (let s = 0; s < sweeps; s++) relaxBackward(threads, level.matrix, level.w, level.x);
}

/** x of level k from its w; `fromZero` says that x counts as zero, whatever is in it. */
export function runVCycle(
  threads: Threads,
  hierarchy: Hierarchy,
  k: number,
  sweeps: number,
  fromZero = true,
): void {
  const level = hierarchy.levels[k];
  if (k === hierarchy.levels.length - 1) {
    solveCoarsest(threads, hierarchy, fromZero);
    return;
  }
  const coarser = hierarchy.levels[k + 1];
  beginSweeps(level.matrix, level.w);
  smoothDown(threads, level, sweeps, fromZero);
  level.transfer!.restrict(level.residual, coarser.w);
  runVCycle(threads, hierarchy, k + 1, sweeps);
  level.transfer!.prolong(coarser.x, level.x);
  smoothUp(threads, level, sweeps);
}

function solveCoarsest(threads: Threads, { levels, coarsest }: Hierarchy, fromZero: boolean): void {
  const { matrix, w, x } = levels[levels.length - 1];
  if (coarsest) {
    coarsest.solve(w, x);
    return;
  }
  beginSweeps(matrix, w);
  if (fromZero) relaxFromZero(threads, matrix, w, x);
  for (let s = fromZero ? 1 : 0; s < COARSEST_SWEEPS; s++) relaxForward(threads, matrix, w, x);
  for (let s = 0; s < COARSEST_SWEEPS; s++) relaxBackward(threads, matrix, w, x);
}

/** From the coarsest level up, each prolonged and improved by a V-cycle: x of level 0 from its w. */
export function runFullCycle(threads: Threads, hierarchy: Hierarchy, sweeps: number): void {
  const { levels } = hierarchy;
  const last = levels.length - 1;
  // V-cycles on the way up overwrite the coarser right-hand sides, so each level keeps its own.
  const right: Float32Array[] = [levels[0].w.slice()];
  for (let k = 0; k < last; k++) {
    levels[k].transfer!.restrict(levels[k].w, levels[k + 1].w);
    right.push(levels[k + 1].w.slice());
  }
  solveCoarsest(threads, hierarchy, true);
  for (let k = last - 1; k >= 0; k--) {
    levels[k].w.set(right[k]);
    levels[k].x.fill(0);
    levels[k].transfer!.prolong(levels[k + 1].x, levels[k].x);
    runVCycle(threads, hierarchy, k, sweeps, false);
  }
}
