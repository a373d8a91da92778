/**
 * Clusters of block rows, and the tentative prolongation on them (Vanek, Mandel and Brezina 1996): on each
 * cluster the modes are made orthonormal, B = Q R; Q is the prolongation's piece there, and R the modes of
 * the coarse level, so that the coarse space contains the modes exactly. A cluster too small for all its
 * modes (one vertex cannot rotate) leaves some columns zero, and with them rows of R; what becomes of those
 * coarse unknowns: grounding.ts.
 */
import type { HeapScope } from '../../core/heap.ts';
import { createRandom } from '../../core/random.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { factorQr } from '../../math/dense-solve.ts';
import { type BlockCsrMatrix, multiplyBlocks } from '../block/block-csr.ts';
import type { CsrMatrix } from '../csr.ts';
import { buildAggregates, findStrong } from '../multigrid/aggregation.ts';
import type { Modes } from './modes.ts';
import type { TallMatrix } from './tall.ts';

export interface Tentative {
  readonly prolongation: TallMatrix;
  /** Modes of the coarse level. */
  readonly modes: Modes;
}

/** A mode that keeps less than this of its length beside the others is one of them, to rounding. */
const DEPENDENT = 1e-10;
/** Part of a row's own diagonal that is left of it on the modes, from which on relaxation is enough. */
const DOMINANT = 0.6;
const SEED = 2;
const GRAIN = 256;

const normTask = defineTask(
  'linalg/compute-block-norms',
  { numbers: 'number', value: 'f64', outNorm: 'f64' },
  (begin, end, { numbers, value, outNorm }) => {
    for (let j = begin; j < end; j++) {
      let square = 0;
      for (let n = j * numbers; n < (j + 1) * numbers; n++) square += value[n] * value[n];
      outNorm[j] = Math.sqrt(square);
    }
  },
);

/** The size of each block as a matrix of numbers: what says which rows are strongly coupled. */
function buildNorms(threads: Threads, scope: HeapScope, a: BlockCsrMatrix): CsrMatrix {
  const value = scope.f64(a.column.length);
  const blocks = { numbers: a.blockSize ** 2, value: a.value };
  threads.run(normTask, value.length, 16 * GRAIN, { ...blocks, outNorm: value });
  return { rowCount: a.rowCount, rowStart: a.rowStart, column: a.column, diagonal: a.diagonal, value };
}

/**
 * The modes of each cluster, made orthonormal in the order given. q: (unknowns x modes) the modes,
 * overwritten by the orthonormal ones; r: (clusters x modes x modes), row by row.
 */
const orthonormaliseTask = defineTask(
  'linalg/orthonormalise-modes',
  { size: 'number', modes: 'number', memberStart: 'i32', member: 'i32', q: 'f64', r: 'f64' },
  (begin, end, { size, modes, memberStart, member, q, r }) => {
    const numbers = size * modes;
    const square = modes * modes;
    for (let g = begin; g < end; g++) {
      const members = member.subarray(memberStart[g], memberStart[g + 1]);
      const own = new Float64Array(members.length * numbers);
      members.forEach((i, m) => {
        own.set(q.subarray(i * numbers, (i + 1) * numbers), m * numbers);
      });
      factorQr(own, members.length * size, modes, r.subarray(g * square, (g + 1) * square), DEPENDENT);
      members.forEach((i, m) => {
        q.set(own.subarray(m * numbers, (m + 1) * numbers), i * numbers);
      });
    }
  },
);

/**
 * Rows that relaxation alone solves: the matrix does not take the modes to nothing there. With v a mixture of
 * the modes, ||(A v)_i|| is close to ||A_ii v_i|| where inertia outweighs viscosity, and zero where nothing
 * but stress acts. A coarse level of such rows would cost more than it gains.
 */
function findDominant(threads: Threads, scope: HeapScope, a: BlockCsrMatrix, modes: Modes): Uint8Array {
  const { rowCount, blockSize: b, diagonal, value } = a;
  const { modeCount } = modes;
  const random = createRandom(SEED);
  const weight = Array.from({ length: modeCount }, () => random.next() + 0.5);
  const v = scope.f64(rowCount * b);
  for (let u = 0; u < v.length; u++)
    for (let c = 0; c < modeCount; c++) v[u] += weight[c] * modes.value[u * modeCount + c];
  const product = scope.f64(v.length);
  multiplyBlocks(threads, a, v, product);
  const isDominant = new Uint8Array(rowCount);
  for (let i = 0; i < rowCount; i++) {
    let whole = 0;
    let own = 0;
    for (let r = 0; r < b; r++) {
      let sum = 0;
      for (let s = 0; s < b; s++) sum += value[(diagonal[i] * b + s) * b + r] * v[i * b + s];
      own += sum * sum;
      whole += product[i * b + r] ** 2;
    }
    if (whole > DOMINANT ** 2 * own) isDominant[i] = 1;
  }
  return isDominant;
}

/** Rows of each cluster, ascending: a counting sort. */
function listMembers(scope: HeapScope, aggregate: Int32Array, count: number) {
  const memberStart = scope.i32(count + 1);
  for (const g of aggregate) if (g !== NONE) memberStart[g + 1]++;
  for (let g = 0; g < count; g++) memberStart[g + 1] += memberStart[g];
  const next = Int32Array.from(memberStart);
  const member = scope.i32(memberStart[count]);
  for (let i = 0; i < aggregate.length; i++) if (aggregate[i] !== NONE) member[next[aggregate[i]]++] = i;
  return { memberStart, member };
}

/**
 * `theta`: blocks are strong where their norm exceeds theta times the root of the product of their diagonals'
 * norms.
 */
export function buildTentative(
  threads: Threads,
  scope: HeapScope,
  a: BlockCsrMatrix,
  modes: Modes,
  theta: number,
): Tentative {
  const { modeCount, value } = modes;
  const { rowCount, blockSize } = a;
  const norms = buildNorms(threads, scope, a);
  const strong = findStrong(norms, theta);
  const isDominant = findDominant(threads, scope, a, modes);
  for (let i = 0; i < rowCount; i++)
    for (let j = a.rowStart[i]; j < a.rowStart[i + 1]; j++)
      if (isDominant[i] === 1 || isDominant[a.column[j]] === 1) strong[j] = 0;
  const { aggregate, aggregateCount } = buildAggregates(norms, strong);
  const { memberStart, member } = listMembers(scope, aggregate, aggregateCount);
  const q = scope.f64(value.length);
  q.set(value);
  const r = scope.f64(aggregateCount * modeCount * modeCount);
  const clusters = { size: blockSize, modes: modeCount, memberStart, member, q, r };
  threads.run(orthonormaliseTask, aggregateCount, GRAIN >> 2, clusters);

  // Rows without strong couplings belong to no cluster: relaxation solves them, and they leave the hierarchy.
  const rowStart = scope.i32(rowCount + 1);
  const column = scope.i32(member.length);
  const packed = member.length === rowCount ? q : scope.f64(member.length * blockSize * modeCount);
  const numbers = blockSize * modeCount;
  for (let i = 0, at = 0; i < rowCount; i++) {
    if (aggregate[i] !== NONE) {
      column[at] = aggregate[i];
      if (packed !== q) packed.set(q.subarray(i * numbers, (i + 1) * numbers), at * numbers);
      at++;
    }
    rowStart[i + 1] = at;
  }
  return {
    prolongation: {
      rowCount,
      columnCount: aggregateCount,
      blockSize,
      modeCount,
      rowStart,
      column,
      value: packed,
    },
    modes: { modeCount, value: r },
  };
}
