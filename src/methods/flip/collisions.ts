/**
 * Particles that walls and solids stop. In two stages: after they moved those beyond a wall are put back into
 * the open; and what still goes into the wall after the next pressure is taken from them. So the pressure
 * turns the liquid that arrives, together with what lies around it. To stop each particle as it arrives would
 * take a tenth of the energy of a ball that lands.
 */
import type { Seconds } from '../../core/types.ts';
import { NONE } from '../../core/types.ts';
import { radiusOfVolume } from '../../particles/particles.ts';
import { findNormal } from './level.ts';
import type { FlipModel } from './model.ts';
import type { Obstacles } from './obstacles.ts';
import type { ParticleArrays } from './resampling.ts';

/** Distance that particles keep from walls, radii. */
const KEPT = 0.25;
/** Those nearer than this lie at the wall. */
const AT_WALL = 0.5;
/** Tries to come out of solids that meet at an edge. */
const TRIES = 3;

/** Puts particles back into the open, as it is at the obstacles' time. */
export function moveOutOfWalls(
  { domain: { min, max }, finest }: FlipModel,
  obstacles: Obstacles,
  { volume, position }: ParticleArrays,
): void {
  const normal = [0, 0, 0];
  for (let p = 0; p < volume.length; p++) {
    const o = 3 * p;
    const kept = KEPT * radiusOfVolume(volume[p]);
    if (obstacles.hasSolids)
      for (let n = 0; n < TRIES; n++) {
        const [x, y, z] = [position[o], position[o + 1], position[o + 2]];
        const away = obstacles.solidClearanceAt(x, y, z);
        if (away >= kept) break;
        findNormal(obstacles.solidClearanceAt, x, y, z, 1e-3 * finest, normal);
        for (let a = 0; a < 3; a++) position[o + a] += (kept - away) * normal[a];
      }
    for (let a = 0; a < 3; a++)
      position[o + a] = Math.min(max[a] - kept, Math.max(min[a] + kept, position[o + a]));
  }
}

/** Takes from particles at walls what of their velocity goes into the wall, relative to its own. */
export function stopAtWalls(
  { domain: { min, max }, finest }: FlipModel,
  obstacles: Obstacles,
  { volume, position, velocity, rate }: ParticleArrays,
  kick: Seconds,
): void {
  const normal = [0, 0, 0];
  const wall = new Float64Array(3);
  for (let p = 0; p < volume.length; p++) {
    const o = 3 * p;
    const near = AT_WALL * radiusOfVolume(volume[p]);
    const [x, y, z] = [position[o], position[o + 1], position[o + 2]];
    if (obstacles.hasSolids && obstacles.solidClearanceAt(x, y, z) < near) {
      const solid = obstacles.findSolid(x, y, z);
      if (solid !== NONE) {
        findNormal(obstacles.solidClearanceAt, x, y, z, 1e-3 * finest, normal);
        obstacles.velocityAt(solid, x, y, z, wall);
        stop(velocity, rate, o, normal, wall, kick);
      }
    }
    wall.fill(0);
    for (let a = 0; a < 3; a++) {
      const side = position[o + a] < min[a] + near ? 1 : position[o + a] > max[a] - near ? -1 : 0;
      if (side === 0) continue;
      normal.fill(0);
      normal[a] = side;
      stop(velocity, rate, o, normal, wall, kick);
    }
  }
}

function stop(
  velocity: Float64Array,
  rate: Float64Array,
  o: number,
  normal: readonly number[],
  wall: Float64Array,
  kick: Seconds,
): void {
  let into = 0;
  for (let a = 0; a < 3; a++) into += normal[a] * (velocity[o + a] - wall[a]);
  if (into >= 0) return;
  for (let a = 0; a < 3; a++) velocity[o + a] -= into * normal[a];
  // What stopped it was no acceleration to carry on with.
  let along = 0;
  for (let a = 0; a < 3; a++) along += normal[a] * rate[o + a];
  if (kick > 0 && along < 0) for (let a = 0; a < 3; a++) rate[o + a] -= along * normal[a];
}
