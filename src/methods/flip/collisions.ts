/**
 * Particles that walls and solids stop: they are put back into the open, and keep no velocity into the wall.
 */
import type { Seconds } from '../../core/types.ts';
import { NONE } from '../../core/types.ts';
import { radiusOfVolume } from '../../particles/particles.ts';
import { findNormal } from './level.ts';
import type { FlipModel } from './model.ts';
import type { Obstacles } from './obstacles.ts';

/** Distance that particles keep from walls, radii. */
const KEPT = 0.25;
/** Tries to come out of solids that meet at an edge. */
const TRIES = 3;

/** Positions at the obstacles' time; velocities relative to theirs. */
export function stopAtWalls(
  { domain, finest }: FlipModel,
  obstacles: Obstacles,
  volume: Float64Array,
  position: Float64Array,
  velocity: Float64Array,
  rate: Float64Array,
  kick: Seconds,
): void {
  const { min, max } = domain;
  const normal = [0, 0, 0];
  const wall = new Float64Array(3);
  for (let p = 0; p < volume.length; p++) {
    const o = 3 * p;
    const kept = KEPT * radiusOfVolume(volume[p]);
    if (obstacles.hasSolids)
      for (let n = 0; n < TRIES; n++) {
        const x = position[o];
        const y = position[o + 1];
        const z = position[o + 2];
        const away = obstacles.solidClearanceAt(x, y, z);
        if (away >= kept) break;
        const solid = obstacles.findSolid(x, y, z);
        findNormal(obstacles.solidClearanceAt, x, y, z, 1e-3 * finest, normal);
        for (let a = 0; a < 3; a++) position[o + a] += (kept - away) * normal[a];
        if (solid === NONE) continue;
        obstacles.velocityAt(solid, x, y, z, wall);
        let into = 0;
        for (let a = 0; a < 3; a++) into += normal[a] * (velocity[o + a] - wall[a]);
        if (into < 0) stop(velocity, rate, o, normal, into, kick);
      }
    for (let a = 0; a < 3; a++) {
      const low = min[a] + kept;
      const high = max[a] - kept;
      const side = position[o + a] < low ? 1 : position[o + a] > high ? -1 : 0;
      if (side === 0) continue;
      position[o + a] = side > 0 ? low : high;
      normal.fill(0);
      normal[a] = side;
      const into = side * velocity[o + a];
      if (into < 0) stop(velocity, rate, o, normal, into, kick);
    }
  }
}

function stop(
  velocity: Float64Array,
  rate: Float64Array,
  o: number,
  normal: readonly number[],
  into: number,
  kick: Seconds,
): void {
  for (let a = 0; a < 3; a++) velocity[o + a] -= into * normal[a];
  // What stopped it was no acceleration to carry on with.
  let along = 0;
  for (let a = 0; a < 3; a++) along += normal[a] * rate[o + a];
  if (kick > 0 && along < 0) for (let a = 0; a < 3; a++) rate[o + a] -= along * normal[a];
}
