/**
 * Smoothed aggregation (Vanek, Mandel and Brezina 1996): coarse variables are clusters of strongly coupled
 * ones, and the prolongation is constant on each cluster, then smoothed by one Jacobi step with the strong
 * part of the matrix,
 *     P = (I - omega D^-1 A_strong) T.
 * Strong: a_ij^2 > theta^2 a_ii a_jj. Weak couplings are lumped into the diagonal of A_strong, so constants
 * stay exact. omega is 4/3 of the inverse of each row's own bound on the spectrum, sum |a_ij| / a_ii: no
 * eigenvalue is estimated. Rows without strong couplings are solved by relaxation alone and leave the
 * hierarchy. Linear in the entries.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import type { CsrMatrix } from '../csr.ts';
import type { Weights } from './transfer.ts';

/** 4/3 of the inverse of the spectrum's bound: the damping that smooths best (Vanek et al.). */
const OMEGA = 4 / 3;

/** Marks the strong entries. */
export function findStrong(a: CsrMatrix, theta: number): Uint8Array {
  const { rowCount, rowStart, column, diagonal, value } = a;
  const strong = new Uint8Array(rowStart[rowCount]);
  const root = new Float64Array(rowCount);
  for (let i = 0; i < rowCount; i++) root[i] = Math.sqrt(value[diagonal[i]]);
  for (let i = 0; i < rowCount; i++)
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++)
      if (column[j] !== i && Math.abs(value[j]) > theta * (root[i] * root[column[j]])) strong[j] = 1;
  return strong;
}

/** Cluster of each variable, NONE for one without strong couplings; clusters are numbered as they are met. */
export function buildAggregates(
  a: CsrMatrix,
  strong: Uint8Array,
): { aggregate: Int32Array; aggregateCount: number } {
  const { rowCount, rowStart, column, value } = a;
  const aggregate = new Int32Array(rowCount).fill(NONE);
  const isAlone = new Uint8Array(rowCount);
  let aggregateCount = 0;
  // A variable whose strong neighbours are all free founds a cluster with them.
  for (let i = 0; i < rowCount; i++) {
    let neighbours = 0;
    let taken = aggregate[i] !== NONE;
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
      if (strong[j] === 0) continue;
      neighbours++;
      if (aggregate[column[j]] !== NONE) taken = true;
    }
    if (neighbours === 0) isAlone[i] = 1;
    if (taken || neighbours === 0) continue;
    aggregate[i] = aggregateCount;
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++)
      if (strong[j] === 1) aggregate[column[j]] = aggregateCount;
    aggregateCount++;
  }
  // The rest joins the cluster of its strongest neighbour among those founded above.
  const founded = Int32Array.from(aggregate);
  for (let i = 0; i < rowCount; i++) {
    if (aggregate[i] !== NONE) continue;
    let best = 0;
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
      if (strong[j] === 0 || founded[column[j]] === NONE || Math.abs(value[j]) <= best) continue;
      best = Math.abs(value[j]);
      aggregate[i] = founded[column[j]];
    }
  }
  // Strength is symmetric, so every variable with a strong neighbour has joined by now, or founds a cluster
  // of its own.
  for (let i = 0; i < rowCount; i++)
    if (aggregate[i] === NONE && isAlone[i] === 0) aggregate[i] = aggregateCount++;
  return { aggregate, aggregateCount };
}

/** The smoothed prolongation. */
export function buildSmoothedAggregation(scope: HeapScope, a: CsrMatrix, theta: number): Weights {
  const { rowCount, rowStart, column, diagonal, value } = a;
  const strong = findStrong(a, theta);
  const { aggregate, aggregateCount } = buildAggregates(a, strong);
  const start = scope.i32(rowCount + 1);
  const seen = new Int32Array(aggregateCount).fill(NONE);
  for (let i = 0; i < rowCount; i++) {
    let count = 0;
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
      const cluster = aggregate[column[j]];
      if ((strong[j] === 0 && j !== diagonal[i]) || cluster === NONE || seen[cluster] === i) continue;
      seen[cluster] = i;
      count++;
    }
    start[i + 1] = start[i] + count;
  }
  const outColumn = scope.i32(start[rowCount]);
  const outValue = scope.f32(start[rowCount]);
  const sum = new Float64Array(aggregateCount);
  seen.fill(NONE);
  for (let i = 0; i < rowCount; i++) {
    let lumped = value[diagonal[i]];
    let bound = 0;
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
      bound += Math.abs(value[j]);
      if (strong[j] === 0 && j !== diagonal[i]) lumped += value[j];
    }
    let last = start[i];
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
      const cluster = aggregate[column[j]];
      if ((strong[j] === 0 && j !== diagonal[i]) || cluster === NONE) continue;
      if (seen[cluster] !== i) {
        seen[cluster] = i;
        sum[cluster] = 0;
        outColumn[last++] = cluster;
      }
      const entry = j === diagonal[i] ? lumped : value[j];
      // omega D^-1 with the row's bound: D cancels.
      sum[cluster] += (j === diagonal[i] ? 1 : 0) - (OMEGA / bound) * entry;
    }
    for (let e = start[i]; e < last; e++) outValue[e] = sum[outColumn[e]];
  }
  return { rowCount, columnCount: aggregateCount, rowStart: start, column: outColumn, value: outValue };
}
