/**
 * Liquids that touch walls at the start: the contour of what of the shape is in the open, with the vertices
 * near a wall on it and those near two surfaces on both, so that contact lines and the creases of vessels are
 * lines of the mesh.
 */
import type { Metres, Vec3 } from '../../../core/types.ts';
import type { Implicit } from '../../../geometry/implicit.ts';
import { computeClearanceNormal } from '../../../geometry/sharp-edges.ts';
import { computeDoubleArea } from '../../../math/triangle.ts';
import {
  buildMultiMesh,
  extractTriangles,
  type LabelledTriangles,
} from '../../../tracking/multimaterial/build.ts';
import { improveMesh } from '../../../tracking/multimaterial/improve.ts';
import { resolveOptions } from '../../../tracking/multimaterial/options.ts';
import { Tracker } from '../../../tracking/multimaterial/tracker.ts';
import { projectOnto, type SolidWall } from '../walls/solids.ts';
import { WallVertices } from '../walls/wall-vertices.ts';
import { drawOnto } from './contour.ts';
import { relaxFree } from './relax.ts';

/** Surfaces that differ in distance by less than this, in resolutions, meet at a vertex. */
const MEETING = 0.4;
const ROUNDS = 30;
const TURNS = 6;
const NORMAL_STEP = 1e-4;

export interface Settled {
  readonly surface: LabelledTriangles;
  /** (vertices) walls, as bits */
  readonly onWalls: Int32Array;
}

/** A wall with its number. */
export interface NumberedWall {
  readonly wall: SolidWall;
  readonly bit: number;
}

/** What of a shape is in the open at the start. */
export function clipShape(shape: Implicit, walls: readonly SolidWall[]): Implicit {
  return {
    bounds: shape.bounds,
    value: (x, y, z) => {
      let least = shape.value(x, y, z);
      for (const wall of walls) least = Math.min(least, wall.clearance(x, y, z, 0));
      return least;
    },
  };
}

export function settleOnWalls(
  contoured: LabelledTriangles,
  shape: Implicit,
  walls: readonly NumberedWall[],
  edge: Metres,
): Settled {
  const position = Float64Array.from(contoured.position);
  const bits = new Int32Array(position.length / 3);
  for (let v = 0; v < bits.length; v++) bits[v] = settleVertex(position, v, shape, walls, edge);
  const mesh = buildMultiMesh({ ...contoured, position });
  const list: SolidWall[] = [];
  for (const { wall, bit } of walls) list[bit] = wall;
  for (let n = 0; n < list.length; n++) list[n] ??= walls[0].wall;
  const onWalls = new WallVertices(mesh, list, 0, 0, bits);
  onWalls.forgetLeft();
  const tracker = new Tracker(
    mesh,
    resolveOptions({ minEdge: 0.6 * edge, maxEdge: 1.4 * edge, topology: false, smoothAngle: 60 }),
    onWalls,
  );
  tracker.walls = onWalls;
  for (let turn = 0; turn < TURNS; turn++) {
    improveMesh(tracker);
    tracker.compact();
    onWalls.forgetLeft();
    drawOnto(shape, mesh.position, mesh.vertexFill, edge, (v) => onWalls.bitsOf(v) === 0);
    tracker.rebuildGrid();
  }
  tracker.free();
  relaxFree(mesh, onWalls);
  const { debt: _, ...surface } = extractTriangles(mesh);
  return { surface, onWalls: onWalls.save() };
}

/** Puts a vertex on what it is nearest to; returns the walls among that. */
function settleVertex(
  position: Float64Array,
  v: number,
  shape: Implicit,
  walls: readonly NumberedWall[],
  edge: Metres,
): number {
  const at = (): Vec3 => [position[3 * v], position[3 * v + 1], position[3 * v + 2]];
  const [x, y, z] = at();
  const depth = shape.value(x, y, z);
  const distances = walls.map(({ wall }) => wall.clearance(x, y, z, 0));
  const near = Math.min(depth, ...distances) + MEETING * edge;
  const own = walls.filter((_, n) => distances[n] < near);
  if (own.length === 0) return 0;
  const solids = own.map(({ wall }) => wall);
  for (let round = 0; round < ROUNDS && depth < near; round++) {
    const height = shape.value(...at());
    const normal = computeClearanceNormal((a, b, c) => -shape.value(a, b, c), at(), NORMAL_STEP * edge);
    for (let k = 0; k < 3; k++) position[3 * v + k] += height * normal[k];
    projectOnto(solids, 0, position, 3 * v);
  }
  projectOnto(solids, 0, position, 3 * v);
  return own.reduce((bits, { bit }) => bits | (1 << bit), 0);
}

/** Area of the faces on a wall, m^2. */
export function measureMouth({ surface: { position, triangle }, onWalls }: Settled, bit: number): number {
  let area = 0;
  for (let c = 0; c < triangle.length; c += 3) {
    const [i, j, k] = [triangle[c], triangle[c + 1], triangle[c + 2]];
    if ((onWalls[i] & onWalls[j] & onWalls[k] & (1 << bit)) === 0) continue;
    area += computeDoubleArea(Float64Array.from(position), 3 * i, 3 * j, 3 * k) / 2;
  }
  return area;
}
