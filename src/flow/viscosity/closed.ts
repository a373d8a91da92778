/**
 * Liquid that nothing lets out: in a vessel whose walls hold it all around, a constant pressure does nothing,
 * and velocities given at the walls may ask for a volume that cannot be. There the rows of the pressure are
 * singular. They are made solvable by spreading what the walls take in over all rows of the piece.
 */
import type { ViscousDomain } from './domain.ts';
import type { Equations } from './equations.ts';

/**
 * Of the sum of |G_ij| of a row: its sum below this part is rounding, and pressure there pushes nothing
 * outward.
 */
const NO_PUSH = 1e-9;

/** Number of each row's connected piece of liquid. */
function findPieces({ pattern }: ViscousDomain): { piece: Int32Array; pieceCount: number } {
  const { rowCount, rowStart, column } = pattern;
  const piece = new Int32Array(rowCount).fill(-1);
  const stack: number[] = [];
  let pieceCount = 0;
  for (let seed = 0; seed < rowCount; seed++) {
    if (piece[seed] >= 0) continue;
    piece[seed] = pieceCount;
    stack.push(seed);
    for (let i = stack.pop(); i !== undefined; i = stack.pop())
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++)
        if (piece[column[e]] < 0) {
          piece[column[e]] = pieceCount;
          stack.push(column[e]);
        }
    pieceCount++;
  }
  return { piece, pieceCount };
}

/** Makes the pressure's rows of closed pieces add up to zero; returns how many pieces are closed. */
export function closeVessels(domain: ViscousDomain, { coupling, right }: Equations): number {
  const { rowCount, rowStart } = domain.pattern;
  const { piece, pieceCount } = findPieces(domain);
  const isOpen = new Uint8Array(pieceCount);
  for (let i = 0; i < rowCount; i++) {
    if (isOpen[piece[i]] === 1) continue;
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      let whole = 0;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        sum += coupling[7 * e + k];
        whole += Math.abs(coupling[7 * e + k]);
      }
      if (Math.abs(sum) > NO_PUSH * whole) isOpen[piece[i]] = 1;
    }
  }
  const sum = new Float64Array(pieceCount);
  const weight = new Float64Array(pieceCount);
  // Rows with more |G| have more volume: the surplus is spread by it.
  const measure = (i: number) => {
    let whole = 0;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++)
      for (let k = 3; k < 6; k++) whole += Math.abs(coupling[7 * e + k]);
    return whole;
  };
  for (let i = 0; i < rowCount; i++) {
    if (isOpen[piece[i]] === 1) continue;
    sum[piece[i]] += right[3 * rowCount + i];
    weight[piece[i]] += measure(i);
  }
  for (let i = 0; i < rowCount; i++)
    if (isOpen[piece[i]] === 0 && weight[piece[i]] > 0)
      right[3 * rowCount + i] -= (sum[piece[i]] * measure(i)) / weight[piece[i]];
  return isOpen.reduce((count, open) => count + (1 - open), 0);
}
