/**
 * Vertices that come to walls, and those that leave them.
 *
 *   capture   a vertex that the motion would take through a wall is put on it. Where three of a face are there,
 *             the face is wet from then on; single ones go on freely and are put back again
 *   release   where nothing but contact lines is left of a wet patch, and the liquid draws off it, it comes off
 *   drift     a vertex that collisions kept from the wall is not on it
 */
import { NONE } from '../../../core/types.ts';
import { faceOf, type MultiMesh, nextCorner } from '../../../tracking/multimaterial/mesh.ts';
import type { SurfaceModel } from '../model.ts';
import { type SurfaceState, sumBits } from '../state.ts';
import type { WallVertices } from './wall-vertices.ts';

/** Off a wall by more than this, in shortest edges, is not on it. */
const OFF = 1e-6;

/** Puts vertices on walls in positions to be reached (vertices x 3); returns how many are new there. */
export function captureVertices(
  { tracker: { mesh } }: SurfaceState,
  walls: WallVertices,
  { nozzles }: SurfaceModel,
  proposed: Float64Array,
): number {
  const nozzleBits = sumBits(nozzles);
  let captured = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v) || walls.isHeld(v)) continue;
    const known = walls.bitsOf(v) | nozzleBits;
    let bits = 0;
    for (let n = 0; n < walls.walls.length; n++) {
      if ((known >> n) & 1) continue;
      const [x, y, z] = [proposed[3 * v], proposed[3 * v + 1], proposed[3 * v + 2]];
      if (walls.walls[n].clearance(x, y, z, walls.time) <= 0) bits |= 1 << n;
    }
    if (bits === 0) continue;
    walls.capture(v, bits);
    captured++;
  }
  walls.holdAllProposed(proposed);
  return captured;
}

/** After the motion: takes vertices off walls that they did not reach. */
export function dropDrifted(mesh: MultiMesh, walls: WallVertices, length: number): void {
  const { position: p } = mesh;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v) || walls.bitsOf(v) === 0 || walls.isHeld(v)) continue;
    const isOff = walls
      .list(walls.bitsOf(v))
      .some(
        (wall) => Math.abs(wall.clearance(p[3 * v], p[3 * v + 1], p[3 * v + 2], walls.time)) > OFF * length,
      );
    if (isOff) walls.release(v);
  }
  walls.forgetLeft();
}

/**
 * Lets go of patches of contact lines alone that the liquid draws off; returns how many vertices that were.
 */
export function releasePatches({ tracker, values }: SurfaceState, walls: WallVertices): number {
  const { mesh } = tracker;
  const patch = new Int32Array(mesh.vertexFill).fill(NONE);
  let released = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v) || patch[v] !== NONE || walls.bitsOf(v) === 0 || walls.isHeld(v)) continue;
    const members = [v];
    patch[v] = v;
    let isAllLine = true;
    let pull = 0;
    for (const w of members) {
      if (walls.isHeld(w) || !walls.isLine(w)) isAllLine = false;
      const normal = walls.findNormals(w)[0];
      for (let c = mesh.vertexCorner[w]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
        const next = mesh.face[nextCorner(c)];
        if (walls.wallOfFace(faceOf(c)) !== NONE) {
          for (let i = 3 * faceOf(c); i < 3 * faceOf(c) + 3; i++) {
            const other = mesh.face[i];
            if (patch[other] !== NONE) continue;
            patch[other] = v;
            members.push(other);
          }
        } else if (walls.bitsOf(next) === 0)
          for (let k = 0; k < 3; k++) pull += normal[k] * values.velocity.data[3 * next + k];
      }
    }
    if (!isAllLine || !(pull > 0)) continue;
    for (const w of members) walls.release(w);
    released += members.length;
  }
  return released;
}
