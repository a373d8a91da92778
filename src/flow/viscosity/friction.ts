/**
 * Friction at vertices: the force -c (u - w) of a wall that moves with w on liquid that slides along it,
 * implicit. Where c is mu A / l for a vertex with the area A on the wall, the liquid slips as if it were held
 * at the depth l in it (Navier 1823).
 */
import { NONE } from '../../core/types.ts';
import type { ViscousDomain } from './domain.ts';
import type { Equations } from './equations.ts';
import type { WallFriction } from './problem.ts';

/** Adds it to the diagonal blocks. Sequential: one pass over the rows. */
export function addFriction(
  { rowToVertex, pattern: { rowStart, column } }: ViscousDomain,
  { coefficient, velocity: wall }: WallFriction,
  { velocity: { value }, right }: Equations,
): void {
  for (let i = 0; i < rowToVertex.length; i++) {
    const v = rowToVertex[i];
    const c = coefficient[v];
    if (c === 0) continue;
    let entry = NONE;
    for (let n = rowStart[i]; n < rowStart[i + 1]; n++) if (column[n] === i) entry = n;
    for (let r = 0; r < 3; r++) {
      value[9 * entry + 4 * r] += c;
      right[3 * i + r] += c * wall[3 * v + r];
    }
  }
}
