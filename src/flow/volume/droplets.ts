/**
 * Droplets: liquid that the lattice cannot hold. A piece without tets that hangs in the air or on a wall, and
 * a piece that the contour misses, becomes a droplet with its volume and velocity. It falls freely, slides
 * along walls, and gives its volume to the first piece of liquid that it meets. So nothing is lost below the
 * resolution, and nothing hangs.
 */
import type { Seconds, Vec3 } from '../../core/types.ts';
import { NONE } from '../../core/types.ts';
import { computeClearanceNormal } from '../../geometry/sharp-edges.ts';
import { SurfaceDistance } from '../../tracking/contouring/distance.ts';
import { SignSampler } from '../../tracking/contouring/signs.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { LiquidState } from '../liquid/state.ts';

/** Numbers per droplet: place (m), velocity (m/s), volume (m^3). */
export const DROPLET_SIZE = 7;
const VOLUME = 6;
/** Rings of contouring cells searched for the liquid that a droplet meets. */
const SEARCH_RINGS = 2;
/** Contouring cells over which a wall's normal is differenced. */
const DIFFERENCE = 1e-2;
/** Contouring cells that the middle of a droplet rests above a wall at most. */
const MOST_REST = 1;

/** m */
export const dropletRadius = (volume: number): number => Math.cbrt((3 * volume) / (4 * Math.PI));

export function sumDroplets(droplets: Float64Array): number {
  let sum = 0;
  for (let d = VOLUME; d < droplets.length; d += DROPLET_SIZE) sum += droplets[d];
  return sum;
}

/** Gives droplets that touch the liquid to its pieces; returns the others. */
export function absorbDroplets(state: LiquidState, outTarget: Float64Array): Float64Array {
  const { droplets } = state;
  if (droplets.length === 0 || outTarget.length === 0) return droplets;
  const surface = new SurfaceDistance(state.derived.surfaceIndex);
  const signs = new SignSampler(state.signs);
  const { vertexPiece, volume } = state.derived.pieces;
  const left: number[] = [];
  for (let d = 0; d < droplets.length; d += DROPLET_SIZE) {
    const [x, y, z] = droplets.subarray(d, d + 3);
    const value = surface.signedDistance(x, y, z, SEARCH_RINGS);
    let piece = NONE;
    if (surface.found) {
      if (value > -dropletRadius(droplets[d + VOLUME])) piece = vertexPiece[surface.nearestVertex()];
    } else if (signs.isInside(x, y, z)) piece = volume.indexOf(Math.max(...volume));
    if (piece === NONE) for (let n = 0; n < DROPLET_SIZE; n++) left.push(droplets[d + n]);
    else outTarget[piece] += droplets[d + VOLUME];
  }
  return Float64Array.from(left);
}

/**
 * Where droplets are after dt: in free fall, or along the walls that they meet. A droplet rests on a wall,
 * its middle a radius above it.
 */
export function moveDroplets(
  { gravity, contour }: LiquidModel,
  surroundings: Surroundings,
  droplets: Float64Array,
  dt: Seconds,
): Float64Array {
  const out = droplets.slice();
  const step = DIFFERENCE * contour.walls.spacing;
  const wall = new Float64Array(3);
  for (let d = 0; d < out.length; d += DROPLET_SIZE) {
    for (let a = 0; a < 3; a++) {
      out[d + a] += dt * (out[d + 3 + a] + 0.5 * dt * gravity[a]);
      out[d + 3 + a] += dt * gravity[a];
    }
    const radius = Math.min(dropletRadius(out[d + VOLUME]), MOST_REST * contour.walls.spacing);
    // Out of one wall may be into another; in a gap too narrow for it a droplet keeps its middle clear of
    // them at least.
    for (const rest of [radius, radius, 0]) {
      const place: Vec3 = [out[d], out[d + 1], out[d + 2]];
      const clearance = surroundings.clearanceAt(...place) - rest;
      if (clearance > step) continue;
      const normal = computeClearanceNormal(surroundings.clearanceAt, place, step);
      surroundings.velocityAt(surroundings.findSolid(...place), ...place, wall);
      let into = 0;
      for (let a = 0; a < 3; a++) into += (out[d + 3 + a] - wall[a]) * normal[a];
      for (let a = 0; a < 3; a++) {
        if (clearance < 0) out[d + a] -= clearance * normal[a];
        if (into < 0) out[d + 3 + a] -= into * normal[a];
      }
    }
  }
  return out;
}

/** Corners of a regular icosahedron, and its faces, counter-clockwise seen from outside. */
const GOLDEN = (1 + Math.sqrt(5)) / 2;
const CORNER = [
  [-1, GOLDEN, 0],
  [1, GOLDEN, 0],
  [-1, -GOLDEN, 0],
  [1, -GOLDEN, 0],
  [0, -1, GOLDEN],
  [0, 1, GOLDEN],
  [0, -1, -GOLDEN],
  [0, 1, -GOLDEN],
  [GOLDEN, 0, -1],
  [GOLDEN, 0, 1],
  [-GOLDEN, 0, -1],
  [-GOLDEN, 0, 1],
];
const FACE = Int32Array.of(
  ...[0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8],
  ...[3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1],
);
/** Volume of that icosahedron: 5/12 (3 + sqrt 5) times its edge, 2, cubed. */
const ICOSAHEDRON = (10 / 3) * (3 + Math.sqrt(5));
export const DROPLET_CORNERS = CORNER.length;
export const DROPLET_FACES = FACE.length / 3;

/** Writes droplets as icosahedra of their own volume, from vertex `first` on: what frames show of them. */
export function writeDroplets(
  droplets: Float64Array,
  first: number,
  outPosition: Float64Array,
  outVelocity: Float32Array,
  outTriangle: Int32Array,
): void {
  const count = droplets.length / DROPLET_SIZE;
  const firstFace = outTriangle.length - count * FACE.length;
  for (let d = 0; d < count; d++) {
    const at = d * DROPLET_SIZE;
    const scale = Math.cbrt(droplets[at + VOLUME] / ICOSAHEDRON);
    const v = first + d * DROPLET_CORNERS;
    for (let c = 0; c < DROPLET_CORNERS; c++)
      for (let a = 0; a < 3; a++) {
        outPosition[3 * (v + c) + a] = droplets[at + a] + scale * CORNER[c][a];
        outVelocity[3 * (v + c) + a] = droplets[at + 3 + a];
      }
    for (let n = 0; n < FACE.length; n++) outTriangle[firstFace + d * FACE.length + n] = v + FACE[n];
  }
}
