/**
 * The extended velocity beside walls: a corner of the lattice on or behind a wall does not move away from it,
 * so that no path that leads a front along a floor begins below the floor. Towards the wall it may move:
 * liquid must be able to land.
 */
import { NONE, type Vec3 } from '../../core/types.ts';
import { BlockGrid } from '../../tracking/contouring/block-grid.ts';
import { ClearanceSampler } from '../../tracking/contouring/clearance.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { VelocityExtension } from './extension.ts';

/** Distance from a wall, in lattice cells, within which a corner is on it. */
const ON_WALL = 1e-6;

/** domain: [min x, y, z, max x, y, z] m */
export function slideAlongWalls(
  { place, directory, places, velocity, known }: VelocityExtension,
  surroundings: Surroundings,
  domain: Float64Array,
): void {
  const origin: Vec3 = [place[0], place[1], place[2]];
  const grid = new BlockGrid(origin, place[3], place[4], place[5], place[6], directory, places);
  const near = ON_WALL * place[3];
  const { solids } = surroundings;
  const sampler = solids && new ClearanceSampler(solids.place, solids.directory, solids.clearance);
  const node = new Int32Array(3);
  const wall = new Float64Array(3);
  const p = new Float64Array(3);
  for (let slot = 0; slot < known.length; slot++) {
    if (known[slot] === 0) continue;
    grid.nodeOfSlot(slot, node);
    for (let a = 0; a < 3; a++) {
      p[a] = origin[a] + place[3] * node[a];
      const u = velocity[3 * slot + a];
      if ((p[a] < domain[a] + near && u > 0) || (p[a] > domain[a + 3] - near && u < 0))
        velocity[3 * slot + a] = 0;
    }
    if (!sampler || !(sampler.value(p[0], p[1], p[2]) < near)) continue;
    const solid = surroundings.findSolid(p[0], p[1], p[2]);
    if (solid === NONE) continue;
    sampler.findGradient();
    const { gradientX: x, gradientY: y, gradientZ: z } = sampler;
    surroundings.velocityAt(solid, p[0], p[1], p[2], wall);
    const across =
      (velocity[3 * slot] - wall[0]) * x +
      (velocity[3 * slot + 1] - wall[1]) * y +
      (velocity[3 * slot + 2] - wall[2]) * z;
    if (across <= 0) continue;
    velocity[3 * slot] -= across * x;
    velocity[3 * slot + 1] -= across * y;
    velocity[3 * slot + 2] -= across * z;
  }
}
