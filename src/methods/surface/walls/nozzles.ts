/**
 * Nozzles: flat faces held in their places through which liquid comes in, with their rim pinned. To the
 * flow a nozzle is a wall with a given normal velocity, the same over its mouth.
 */
import type { Metres, Seconds, Vec3 } from '../../../core/types.ts';
import type { SolidWall } from './solids.ts';

export interface Nozzle {
  /** Its number among the walls. */
  readonly wall: number;
  readonly name: string;
  /** Velocity of the liquid through the mouth at time t, m/s. */
  speedAt(time: Seconds): number;
  /** m^3 that come in between two times. */
  volumeBetween(from: Seconds, to: Seconds): number;
}

export interface BuiltNozzle {
  readonly nozzle: Nozzle;
  readonly plane: SolidWall;
}

/** A nozzle on the plane direction . x = place; liquid leaves along the direction. Not yet fed. */
export function buildNozzle(name: string, direction: Vec3, place: Metres, wall: number): BuiltNozzle {
  return {
    nozzle: { wall, name, speedAt: () => 0, volumeBetween: () => 0 },
    plane: {
      name,
      angles: { advancing: 0, receding: 0 },
      clearance: (x, y, z) => direction[0] * x + direction[1] * y + direction[2] * z - place,
      normal: () => direction,
    },
  };
}

/** What comes through a mouth of this area, m^2. */
export const feed = (
  area: number,
  flowAt: (time: Seconds) => number,
  emittedUntil: (time: Seconds) => number,
): Pick<Nozzle, 'speedAt' | 'volumeBetween'> => ({
  speedAt: (time) => flowAt(time) / area,
  volumeBetween: (from, to) => emittedUntil(to) - emittedUntil(from),
});
