/** The contour's triangulation before it is stored: plain arrays that grow where edges are split. */
import { lengthened } from '../../core/doubled.ts';
import { NONE, type Vec3 } from '../../core/types.ts';
import { readPoint } from '../../geometry/sharp-edges.ts';
import { computeDistance, cross, normalise, subtract } from '../../math/vectors.ts';

/** A surface while it is made: plain arrays, in use up to the counts. */
export interface DraftSurface {
  vertexCount: number;
  triangleCount: number;
  position: Float64Array;
  triangle: Int32Array;
  /** Per triangle: 1 along solids. */
  wall: Uint8Array;
  /** Per vertex: 1 where liquid meets air. */
  free: Uint8Array;
}

/** Room made when a draft is full, as a multiple of what is in use. */
const GROWTH = 1.1;

/** Vertices no two ids of which share a key, as long as there are fewer than 2^26. */
const KEY = 2 ** 26;
export const keyOf = (a: number, b: number) => (a < b ? a * KEY + b : b * KEY + a);

/** Divides triangles at the new middles of their edges, in place and at the list's end. */
export function splitTriangles(
  draft: DraftSurface,
  active: number[],
  middles: ReadonlyMap<number, number>,
): void {
  const before = active.length;
  for (let i = 0; i < before; i++) {
    const f = active[i];
    const { triangle } = draft;
    const corner = [triangle[3 * f], triangle[3 * f + 1], triangle[3 * f + 2]];
    const middle = corner.map((v, n) => middles.get(keyOf(v, corner[(n + 1) % 3])) ?? NONE);
    const count = middle.filter((v) => v !== NONE).length;
    if (count === 0) continue;
    const parts = divide(draft, corner, middle, count);
    triangle.set(parts[0], 3 * f);
    for (let n = 1; n < parts.length; n++) active.push(addTriangle(draft, parts[n]));
  }
}

/** The parts of a triangle with `count` split edges; middle[n] lies between corners n and n + 1. */
function divide(draft: DraftSurface, corner: number[], middle: number[], count: number): number[][] {
  if (count === 3)
    return [
      [middle[0], middle[1], middle[2]],
      [corner[0], middle[0], middle[2]],
      [corner[1], middle[1], middle[0]],
      [corner[2], middle[2], middle[1]],
    ];
  // Turned so that the first edge is split, and with two split edges the last is not.
  const first = middle.findIndex((v, n) => v !== NONE && (count === 1 || middle[(n + 1) % 3] !== NONE));
  const [a, b, c] = [0, 1, 2].map((n) => corner[(first + n) % 3]);
  const [ab, bc] = [0, 1].map((n) => middle[(first + n) % 3]);
  if (count === 1)
    return [
      [a, ab, c],
      [ab, b, c],
    ];
  const shorter =
    computeDistance(readPoint(draft.position, ab), readPoint(draft.position, c)) <
    computeDistance(readPoint(draft.position, a), readPoint(draft.position, bc));
  return shorter
    ? [
        [ab, b, bc],
        [a, ab, c],
        [ab, bc, c],
      ]
    : [
        [ab, b, bc],
        [a, ab, bc],
        [a, bc, c],
      ];
}

/** Room for a row more in a column and in one of three numbers a row. */
function makeRoom(
  draft: DraftSurface,
  count: number,
  one: 'free' | 'wall',
  three: 'position' | 'triangle',
): void {
  if (count < draft[one].length) return;
  const capacity = Math.ceil(GROWTH * (count + 1));
  draft[one] = lengthened(draft[one], capacity);
  Object.assign(draft, { [three]: lengthened<Float64Array | Int32Array>(draft[three], 3 * capacity) });
}

export function addVertex(draft: DraftSurface, place: Vec3): number {
  const v = draft.vertexCount++;
  makeRoom(draft, v, 'free', 'position');
  draft.position.set(place, 3 * v);
  draft.free[v] = 0;
  return v;
}

function addTriangle(draft: DraftSurface, corners: readonly number[]): number {
  const f = draft.triangleCount++;
  makeRoom(draft, f, 'wall', 'triangle');
  draft.triangle.set(corners, 3 * f);
  draft.wall[f] = 1;
  return f;
}

/** Unit normal of a triangle, outward of the liquid; zero if it is degenerate. */
export function computeTriangleNormal(draft: DraftSurface, f: number): Vec3 {
  const { triangle } = draft;
  return computeNormalOf(
    readPoint(draft.position, triangle[3 * f]),
    readPoint(draft.position, triangle[3 * f + 1]),
    readPoint(draft.position, triangle[3 * f + 2]),
  );
}

export function computeNormalOf(p: Vec3, q: Vec3, r: Vec3): Vec3 {
  return normalise(cross(subtract(q, p), subtract(r, p)));
}
