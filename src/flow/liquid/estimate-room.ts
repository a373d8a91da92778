/**
 * What the room itself takes, whatever liquid is in it: signs and clearances of contouring cells along its
 * walls, directories over all lattice cells, asking the solids about each node near them, and measuring
 * nozzles. Constants were measured on runs of the bundled scenes (tools/try-estimates.js).
 */
import type { Seconds } from '../../core/types.ts';
import { estimateShadowTime } from '../../geometry/shapes.ts';
import type { Emitter, Scene } from '../../scene/scene.ts';
import { measureCost } from './measure-liquids.ts';

/** A contouring cell along the walls: bytes on the heap, nodes asked, and seconds of each question. */
const WALL_CELL = { heap: 60, nodes: 10, question: 0.06e-6 };
/** Plain arrays of a lattice cell, bytes. */
const PLAIN_OF_CELL = 1;

export interface RoomNeeds {
  readonly heapBytes: number;
  readonly plainBytes: number;
  /** Of the start, on one thread. */
  readonly seconds: Seconds;
}

export function estimateRoom(
  { domain, resolution, solids, emitters }: Scene,
  surfaceRefinement: number,
): RoomNeeds {
  const [x, y, z] = domain.max.map((high, a) => (high - domain.min[a]) / resolution);
  const wallCells = 2 * surfaceRefinement ** 2 * (x * y + y * z + z * x);
  return {
    heapBytes: WALL_CELL.heap * wallCells,
    plainBytes: PLAIN_OF_CELL * x * y * z,
    seconds:
      WALL_CELL.question * WALL_CELL.nodes * wallCells * measureCost(solids.map((s) => s.shape)) +
      estimateNozzles(emitters),
  };
}

/** Measuring the sections of nozzles while the model is built. */
export const estimateNozzles = (emitters: readonly Emitter[]): Seconds =>
  emitters.reduce((sum, { shape }) => sum + estimateShadowTime(shape), 0);
