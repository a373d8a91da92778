/**
 * Walls and solids at an instant, read at the nodes of the mesh: the distance to the nearest of them, which
 * one it is, and how it moves. Inside tets the distance is linear. Tasks read these arrays; shapes are asked
 * on the main thread alone.
 */
import type { Metres, Seconds } from '../../core/types.ts';
import { NONE } from '../../core/types.ts';
import { domainClearance, PosedSolid } from '../../flow/boundary/surroundings.ts';
import type { FlipModel } from './model.ts';

export interface Obstacles {
  readonly time: Seconds;
  /** Distance to the nearest wall or solid, positive in open space. */
  clearanceAt(x: number, y: number, z: number): Metres;
  /** The same of solids alone; infinite where there are none. */
  solidClearanceAt(x: number, y: number, z: number): Metres;
  /** The solid nearest to a point, NONE where a wall of the domain is nearer. */
  findSolid(x: number, y: number, z: number): number;
  velocityAt(solid: number, x: number, y: number, z: number, out: Float64Array): void;
  sticks(solid: number): boolean;
  readonly hasSolids: boolean;
  /** Fastest any solid moves inside the domain, m/s */
  readonly topSpeed: number;
}

export function poseObstacles(
  { domain, solids, sticky = false }: Pick<FlipModel, 'domain' | 'solids'> & { readonly sticky?: boolean },
  time: Seconds,
  lead: Seconds,
): Obstacles {
  const posed = solids.map((solid) => new PosedSolid(solid, time, lead));
  const wall = domainClearance(domain);
  const solidClearanceAt = (x: number, y: number, z: number) => {
    let least = Number.POSITIVE_INFINITY;
    for (let s = 0; s < posed.length; s++) least = Math.min(least, posed[s].clearanceAt(x, y, z));
    return least;
  };
  return {
    time,
    solidClearanceAt,
    clearanceAt: (x, y, z) => Math.min(wall(x, y, z), solidClearanceAt(x, y, z)),
    findSolid: (x, y, z) => {
      let least = wall(x, y, z);
      let nearest = NONE;
      for (let s = 0; s < posed.length; s++) {
        const clearance = posed[s].clearanceAt(x, y, z);
        if (clearance >= least) continue;
        least = clearance;
        nearest = s;
      }
      return nearest;
    },
    velocityAt: (s, x, y, z, out) => {
      if (s === NONE) out.fill(0);
      else posed[s].velocityAt(x, y, z, out);
    },
    sticks: (s) => (s === NONE ? sticky : solids[s].wall === 'no-slip'),
    hasSolids: posed.length > 0,
    topSpeed: posed.reduce((top, p) => Math.max(top, p.topSpeed(domain)), 0),
  };
}
