/**
 * Block matrices assembled from elements, as in csr-build.ts: gathered row by row in the order of the
 * elements, on all threads, to the same bits always. Element matrices are asked for in batches, since all at
 * once they would be larger than the matrix (1.2 kB for a tetrahedron with three unknowns per vertex).
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { type Assembly, buildPattern } from '../csr-build.ts';
import type { BlockCsrMatrix } from './block-csr.ts';

/** Elements of a batch: 10 MB of tetrahedra with three unknowns per vertex. */
const BATCH = 8192;
const ROW_GRAIN = 1024;

/** The zero matrix with the pattern of the given elements (buildPattern), and the way to fill it. */
export function buildBlocks(
  threads: Threads,
  scope: HeapScope,
  blockSize: number,
  rowCount: number,
  elementUnknown: Int32Array,
  elementSize: number,
): { matrix: BlockCsrMatrix; assembly: Assembly } {
  const { pattern, assembly } = buildPattern(threads, scope, rowCount, elementUnknown, elementSize);
  const value = scope.f64(pattern.column.length * blockSize * blockSize);
  return { matrix: { ...pattern, blockSize, value }, assembly };
}

const gatherTask = defineTask(
  'linalg/gather-blocks',
  {
    ...{ k: 'number', b: 'number', firstSlot: 'number', lastSlot: 'number' },
    ...{ next: 'i32', slotStart: 'i32', rowToSlot: 'i32', elementToEntry: 'i32' },
    ...{ elementMatrix: 'f64', outValue: 'f64' },
  },
  (begin, end, values) => {
    const { k, b, firstSlot, lastSlot, next, slotStart, rowToSlot, elementToEntry } = values;
    const { elementMatrix, outValue } = values;
    for (let i = begin; i < end; i++) {
      let s = next[i];
      for (; s < slotStart[i + 1] && rowToSlot[s] < lastSlot; s++) {
        const slot = rowToSlot[s];
        // Row r of the slot's block row in the element matrix begins at (slot b + r) (k b).
        const from = (slot - firstSlot) * b * k * b;
        for (let other = 0; other < k; other++) {
          const entry = elementToEntry[slot * k + other];
          if (entry === NONE) continue;
          const to = entry * b * b;
          for (let r = 0; r < b; r++)
            for (let c = 0; c < b; c++)
              outValue[to + c * b + r] += elementMatrix[from + (r * k + other) * b + c];
        }
      }
      next[i] = s;
    }
  },
);

/**
 * Sets the matrix to the sum of its elements. `fillElements(first, end, out)` writes the matrices of the
 * elements [first, end), each (k b x k b) row by row, number (a b + r, c b + s) for unknown r of its place a
 * and unknown s of its place c; those of places that are no unknowns are not read. `scratch` is for the
 * batch.
 */
export function assembleBlocks(
  threads: Threads,
  scratch: HeapScope,
  assembly: Assembly,
  fillElements: (first: number, end: number, out: Float64Array) => void,
  outMatrix: BlockCsrMatrix,
): void {
  const { elementCount, elementSize: k, slotStart, rowToSlot, elementToEntry } = assembly;
  const { blockSize: b, rowCount, value } = outMatrix;
  const batch = scratch.f64(Math.min(BATCH, elementCount) * (k * b) ** 2);
  const next = scratch.i32(rowCount);
  next.set(slotStart.subarray(0, rowCount));
  value.fill(0);
  for (let first = 0; first < elementCount; first += BATCH) {
    const end = Math.min(first + BATCH, elementCount);
    fillElements(first, end, batch);
    const slots = { firstSlot: first * k, lastSlot: end * k, next, slotStart, rowToSlot, elementToEntry };
    threads.run(gatherTask, rowCount, ROW_GRAIN, { k, b, ...slots, elementMatrix: batch, outValue: value });
  }
}
