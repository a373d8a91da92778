/**
 * Coarse unknowns that have no energy of their own: columns that a small cluster left empty, and the rigid
 * motions of a piece of liquid that nothing holds, once it is a single cluster. Their part of the diagonal
 * block is zero, or rounding of what the finer level had there; its inverse would be noise. They get an
 * equation of their own, x = 0, which costs nothing: a right-hand side that the system can be solved for has
 * nothing in them.
 */
import type { BlockCsrMatrix } from '../block/block-csr.ts';
import type { TallMatrix } from './tall.ts';

/** Energy below this part of the finest diagonals that went into a row is rounding. */
const NO_ENERGY = 1e-12;

/** (rowCount) the largest diagonal number of each row: what energies are measured by. */
export function computeRowScale({ blockSize: b, rowCount, diagonal, value }: BlockCsrMatrix): Float64Array {
  const scale = new Float64Array(rowCount);
  for (let i = 0; i < rowCount; i++)
    for (let r = 0; r < b; r++) scale[i] = Math.max(scale[i], value[diagonal[i] * b * b + r * (b + 1)]);
  return scale;
}

/** The scale of coarse rows: the largest of their members'. */
export function coarsenRowScale(
  { rowCount, columnCount, rowStart, column }: TallMatrix,
  scale: Float64Array,
) {
  const coarse = new Float64Array(columnCount);
  for (let i = 0; i < rowCount; i++)
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++)
      coarse[column[j]] = Math.max(coarse[column[j]], scale[i]);
  return coarse;
}

/** Gives unknowns without energy their equation; returns how many there are. */
export function groundUnknowns(
  { blockSize: b, rowCount, diagonal, value }: BlockCsrMatrix,
  scale: Float64Array,
): number {
  const work = new Float64Array(b * b);
  const isDone = new Uint8Array(b);
  let grounded = 0;
  for (let i = 0; i < rowCount; i++) {
    const at = diagonal[i] * b * b;
    for (let n = 0; n < b * b; n++) work[n] = value[at + n];
    isDone.fill(0);
    // Elimination, the largest diagonal first, until what is left of it is rounding.
    for (let step = 0; step < b; step++) {
      let pivot = -1;
      for (let r = 0; r < b; r++)
        if (isDone[r] === 0 && (pivot < 0 || work[r * (b + 1)] > work[pivot * (b + 1)])) pivot = r;
      const left = work[pivot * (b + 1)];
      if (!(left > NO_ENERGY * scale[i])) break;
      isDone[pivot] = 1;
      for (let r = 0; r < b; r++) {
        if (isDone[r] === 1) continue;
        const factor = work[pivot * b + r] / left;
        for (let s = 0; s < b; s++) if (isDone[s] === 0) work[s * b + r] -= factor * work[s * b + pivot];
      }
    }
    for (let r = 0; r < b; r++) {
      if (isDone[r] === 1) continue;
      value[at + r * (b + 1)] += scale[i];
      grounded++;
    }
  }
  return grounded;
}
