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
  const { source, bits } = weld(contoured, settleVertices(contoured, shape, walls, edge), edge);
  const mesh = buildMultiMesh(source);
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

/** What a vertex is to lie on: walls as bits, and the shape's own surface. */
interface Place {
  readonly bits: number;
  readonly onShape: boolean;
  /** How much farther than the nearest the farthest of these is, m */
  readonly reach: number;
  /** The nearest alone. */
  readonly nearest: { readonly bits: number; readonly onShape: boolean };
}

/**
 * Positions and walls of all vertices. No face has its corners on two surfaces that meet: it would be flat.
 */
function settleVertices(
  { position, triangle }: LabelledTriangles,
  shape: Implicit,
  walls: readonly NumberedWall[],
  edge: Metres,
): { position: Float64Array; bits: Int32Array } {
  const count = position.length / 3;
  const settled = Float64Array.from(position);
  const places = Array.from({ length: count }, (_, v) => findPlace(settled, v, shape, walls, edge));
  for (let c = 0; c < triangle.length; c += 3) {
    const corners = [places[triangle[c]], places[triangle[c + 1]], places[triangle[c + 2]]];
    const bits = corners.reduce((all, place) => all & place.bits, -1);
    const onShape = corners.every((place) => place.onShape);
    if (countBits(bits) + (onShape ? 1 : 0) < 2) continue;
    const farthest = corners.reduce((found, place) => (place.reach > found.reach ? place : found));
    Object.assign(farthest, farthest.nearest);
  }
  places.forEach(({ bits, onShape }, v) => {
    if (bits === 0) return;
    const solids = walls.filter(({ bit }) => (bits >> bit) & 1).map(({ wall }) => wall);
    for (let round = 0; round < ROUNDS && onShape; round++) {
      const [x, y, z] = settled.subarray(3 * v, 3 * v + 3);
      const height = shape.value(x, y, z);
      const normal = findNormal(shape, [x, y, z], edge);
      for (let k = 0; k < 3; k++) settled[3 * v + k] += height * normal[k];
      projectOnto(solids, 0, settled, 3 * v);
    }
    projectOnto(solids, 0, settled, 3 * v);
  });
  return { position: settled, bits: Int32Array.from(places, ({ bits }) => bits) };
}

/** What a vertex is near enough to. A shape that ends on a wall is that wall there. */
function findPlace(
  position: Float64Array,
  v: number,
  shape: Implicit,
  walls: readonly NumberedWall[],
  edge: Metres,
): Place {
  const at = [position[3 * v], position[3 * v + 1], position[3 * v + 2]] as const;
  const distances = walls.map(({ wall }) => wall.clearance(...at, 0));
  const depth = shape.value(...at);
  const least = Math.min(depth, ...distances);
  const near = least + MEETING * edge;
  const own = walls.filter((_, n) => distances[n] < near);
  const outward = findNormal(shape, at, edge);
  const isWall = own.some(({ wall }) => {
    const normal = wall.normal(...at, 0);
    return normal[0] * outward[0] + normal[1] * outward[1] + normal[2] * outward[2] < SAME;
  });
  const onShape = depth < near && !isWall;
  const bits = own.reduce((all, { bit }) => all | (1 << bit), 0);
  const closest = walls[distances.indexOf(Math.min(...distances))];
  const isNearest = onShape && depth <= Math.min(...distances);
  return {
    bits,
    onShape,
    reach: Math.max(onShape ? depth : least, ...distances.filter((d) => d < near)) - least,
    nearest: isNearest ? { bits: 0, onShape } : { bits: 1 << closest.bit, onShape: false },
  };
}

/** Cosine below which a surface that looks against a wall is that wall. */
const SAME = -0.97;

const findNormal = (shape: Implicit, at: Vec3, edge: Metres) =>
  computeClearanceNormal((a, b, c) => -shape.value(a, b, c), at, NORMAL_STEP * edge);

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** Vertices that came to one place become one; faces without area go. */
function weld(
  { triangle, label }: LabelledTriangles,
  { position, bits }: { position: Float64Array; bits: Int32Array },
  edge: Metres,
): { source: LabelledTriangles; bits: Int32Array } {
  const first = new Map<string, number>();
  const kept: number[] = [];
  const number = Array.from(bits, (_, v) => {
    const key = [0, 1, 2].map((k) => Math.round(position[3 * v + k] / (WELD * edge))).join();
    const found = first.get(key);
    if (found !== undefined) return found;
    first.set(key, kept.length);
    return kept.push(v) - 1;
  });
  const faces: number[] = [];
  const labels: number[] = [];
  for (let f = 0; 3 * f < triangle.length; f++) {
    const [a, b, c] = [0, 1, 2].map((k) => number[triangle[3 * f + k]]);
    if (a === b || b === c || c === a) continue;
    faces.push(a, b, c);
    labels.push(label[2 * f], label[2 * f + 1]);
  }
  return {
    source: {
      position: Float64Array.from(kept.flatMap((v) => [...position.subarray(3 * v, 3 * v + 3)])),
      triangle: Int32Array.from(faces),
      label: Int32Array.from(labels),
    },
    bits: Int32Array.from(kept, (v) => bits[v]),
  };
}

/** Of an edge. */
const WELD = 1e-6;

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
