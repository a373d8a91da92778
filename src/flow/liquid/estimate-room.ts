/**
 * What the room itself takes, whatever liquid is in it: signs and clearances of contouring cells along its
 * walls, directories over all lattice cells, asking the solids about each node near them, and measuring nozzles. Constants were
 * measured on runs of the bundled scenes (tools/try-estimates.js).
 */
import type { Seconds } from '../../core/types.ts';
import { estimateShadowTime } from '../../geometry/shapes.ts';
import type { Emitter, Scene } from '../../scene/scene.ts';
import { measureCost } from './measure-liquids.ts';

/** Heap of a contouring cell along the walls, plain arrays of a lattice cell, bytes. */
const HEAP_OF_WALL_CELL = 60;
const PLAIN_OF_CELL = 1;
/** Nodes asked per contouring cell along the walls, and seconds of each question. */
const WALL_NODES = 10;
const QUESTION = 0.06e-6;

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
    heapBytes: HEAP_OF_WALL_CELL * wallCells,
    plainBytes: PLAIN_OF_CELL * x * y * z,
    seconds:
      QUESTION * WALL_NODES * wallCells * measureCost(solids.map((s) => s.shape)) + estimateNozzles(emitters),
  };
}

/** Measuring the sections of nozzles while the model is built. */
export const estimateNozzles = (emitters: readonly Emitter[]): Seconds =>
  emitters.reduce((sum, { shape }) => sum + estimateShadowTime(shape), 0);
