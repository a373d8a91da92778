/**
 * How many tetrahedra isosurface stuffing makes of a body, from its volume and boundary alone: to some ten
 * percent where it is some cells thick.
 */
import { LIMITS, refuseBeyond } from '../../core/limits.ts';
import type { Metres } from '../../core/types.ts';
import type { Implicit } from '../../geometry/implicit.ts';
import { measureRegion } from '../../geometry/shapes.ts';

const TETS = {
  /** Tets in a cell of the body-centred lattice. */
  perCell: 12,
  /** Tets that a cell along the boundary has more, for the cuts through it. */
  perCut: 3.5,
};
/** Depth of the finest cells below the boundary, cells; each coarser level is twice as deep. */
const FINEST_DEPTH = 2.75;
/** Samples along each axis of a shape's box. */
const SAMPLES = 48;

/** m^3 and m^2 */
export interface Body {
  readonly volume: number;
  readonly area: number;
}

/**
 * Graded cells inside, cut ones along the boundary. A body loses about (1 - depth area / 3 volume)^3 of
 * itself to a depth, a ball exactly.
 */
export function estimateTets({ volume, area }: Body, size: Metres, maxLevel: number): number {
  if (volume === 0) return 0;
  // Of liquid that is yet to come, no area may be known: nothing lies infinitely deep all the same.
  const below = (depth: number) =>
    depth === Infinity ? 0 : volume * Math.max(0, 1 - (depth * area) / (3 * volume)) ** 3;
  let cells = 0;
  for (let level = 0; level <= maxLevel; level++) {
    const from = FINEST_DEPTH * size * (2 ** level - 1);
    const to = level === maxLevel ? Infinity : FINEST_DEPTH * size * (2 ** (level + 1) - 1);
    cells += (below(from) - below(to)) / (size * 2 ** level) ** 3;
  }
  return TETS.perCell * cells + (TETS.perCut * area) / size ** 2;
}

/**
 * Refuses a size that would make more tets of a shape than a mesh may have; what has no end is left to the
 * mesher to refuse.
 */
export function checkMeshSize(shape: Implicit, size: Metres, maxLevel: number): void {
  const { bounds } = shape;
  if (![...bounds.min, ...bounds.max].every(Number.isFinite)) return;
  const body = measureRegion(shape, bounds, SAMPLES);
  const tets = estimateTets(body, size, maxLevel);
  const fits = size * (tets / LIMITS.meshTets) ** 0.5;
  refuseBeyond(
    LIMITS.meshTets,
    tets,
    `--size ${size}`,
    (n, most) => `it would make about ${n} tetrahedra, more than ${most}`,
    Number.isFinite(fits) ? `give a size of ${Number(fits.toPrecision(2))} m or more` : 'give a larger size',
  );
}
