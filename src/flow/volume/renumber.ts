/**
 * Targets by the pieces of the surface as it is after the shift. Pieces are told from cavities by the sign of
 * their volume, and a shift may turn a sliver inside out: without this, every piece after it would take over
 * the target of its neighbour.
 */
import { NONE } from '../../core/types.ts';
import type { Pieces } from '../../tracking/contouring/pieces.ts';

export interface Renumbered {
  /** (now.count) m^3 */
  readonly target: Float64Array;
  /** (before.count) 1 for a piece that is gone: turned inside out, with no liquid around it */
  readonly isGone: Uint8Array;
}

/** `vertices`: of the surface before, in the order of those of the surface now. */
export function renumberTargets(
  before: Pieces,
  target: Float64Array,
  vertices: readonly number[],
  now: Pieces,
): Renumbered {
  const heir = new Int32Array(before.count).fill(NONE);
  vertices.forEach((v, n) => {
    const piece = before.vertexPiece[v];
    if (piece !== NONE && heir[piece] === NONE && before.inCavity[v] === 0) heir[piece] = now.vertexPiece[n];
  });
  const out = new Float64Array(now.count);
  const isGone = new Uint8Array(before.count);
  heir.forEach((piece, p) => {
    if (piece === NONE) isGone[p] = 1;
    else out[piece] += target[p];
  });
  return { target: out, isGone };
}
