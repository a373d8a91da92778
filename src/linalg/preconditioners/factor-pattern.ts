/**
 * The order and the triangles of a matrix cut into independent blocks and an interface
 * (incomplete-cholesky.ts). The pattern of the matrix must be symmetric. Time and memory are linear in the
 * entries.
 */
import { RunError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import type { CsrMatrix } from '../csr.ts';

export interface FactorPattern {
  /** (rowCount) the matrix's row at each place of the new order */
  readonly order: Int32Array;
  /** (blockCount + 1) first place of each block; the interface starts at the last one and ends at rowCount */
  readonly blockStart: Int32Array;
  /** (rowCount) entry of the matrix with the diagonal of each place */
  readonly diagonalEntry: Int32Array;
  /** Strict upper triangle in the new order, columns ascending; upperEntry is the entry of the matrix */
  readonly upperStart: Int32Array;
  readonly upperColumn: Int32Array;
  readonly upperEntry: Int32Array;
  /**
   * Strict lower triangle in the new order, columns ascending; mirror is the same entry in the upper triangle
   */
  readonly lowerStart: Int32Array;
  readonly lowerColumn: Int32Array;
  readonly mirror: Int32Array;
}

/** Rows that couple to a later block go behind all blocks; apart from that the order stays. */
function buildOrder(scope: HeapScope, a: CsrMatrix, blockCount: number) {
  const { rowCount } = a;
  const blockRows = Math.max(1, Math.ceil(rowCount / blockCount));
  const order = scope.i32(rowCount);
  const place = scope.i32(rowCount);
  const blockStart = scope.i32(blockCount + 1);
  const isInterface = scope.u8(rowCount);
  let next = 0;
  for (let block = 0; block < blockCount; block++) {
    blockStart[block] = next;
    const end = Math.min(rowCount, (block + 1) * blockRows);
    for (let i = Math.min(rowCount, block * blockRows); i < end; i++) {
      if (a.column[a.rowStart[i + 1] - 1] >= end) isInterface[i] = 1;
      else {
        place[i] = next;
        order[next++] = i;
      }
    }
  }
  blockStart[blockCount] = next;
  for (let i = 0; i < rowCount; i++) {
    if (isInterface[i] === 0) continue;
    place[i] = next;
    order[next++] = i;
  }
  return { order, place, blockStart };
}

export function buildFactorPattern(scope: HeapScope, a: CsrMatrix, blockCount: number): FactorPattern {
  const { rowCount, rowStart, column } = a;
  const { order, place, blockStart } = buildOrder(scope, a, blockCount);
  const interfaceStart = blockStart[blockCount];

  const diagonalEntry = scope.i32(rowCount);
  const upperStart = scope.i32(rowCount + 1);
  const lowerStart = scope.i32(rowCount + 1);
  for (let k = 0; k < rowCount; k++) {
    const i = order[k];
    diagonalEntry[k] = a.diagonal[i];
    let upper = 0;
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) if (place[column[j]] > k) upper++;
    upperStart[k + 1] = upperStart[k] + upper;
    lowerStart[k + 1] = lowerStart[k] + rowStart[i + 1] - rowStart[i] - 1 - upper;
  }

  // The places of a row's columns ascend among block rows and among interface rows, and the latter come last.
  const upperColumn = scope.i32(upperStart[rowCount]);
  const upperEntry = scope.i32(upperStart[rowCount]);
  for (let k = 0; k < rowCount; k++) {
    const i = order[k];
    let at = upperStart[k];
    for (let pass = 0; pass < 2; pass++) {
      for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
        const p = place[column[j]];
        if (p <= k || p >= interfaceStart !== (pass === 1)) continue;
        upperColumn[at] = p;
        upperEntry[at++] = j;
      }
    }
  }

  // Walking the upper rows in order meets each lower row's columns in order.
  const lowerColumn = scope.i32(lowerStart[rowCount]);
  const mirror = scope.i32(lowerStart[rowCount]);
  const next = Int32Array.from(lowerStart);
  for (let k = 0; k < rowCount; k++) {
    for (let j = upperStart[k]; j < upperStart[k + 1]; j++) {
      const row = upperColumn[j];
      if (next[row] === lowerStart[row + 1])
        throw new RunError(
          'incomplete cholesky',
          `entry (${order[k]}, ${order[row]}) has no mirror image`,
          'the pattern of the matrix must be symmetric',
        );
      lowerColumn[next[row]] = k;
      mirror[next[row]++] = j;
    }
  }
  return {
    order,
    blockStart,
    diagonalEntry,
    upperStart,
    upperColumn,
    upperEntry,
    lowerStart,
    lowerColumn,
    mirror,
  };
}
