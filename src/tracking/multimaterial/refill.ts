/**
 * Replaces the faces of a vertex by others on the same rim, with several new vertices in the place of the
 * one: the edit behind changes of topology that are made of several separations, none of which could stand
 * alone. Its area is known before it is done.
 *
 *      w4   w3            w4    w3
 *       \  /              \   /
 *        v        ->       q--p        the rim w stays; v becomes p, and q is new
 *       /  \              /   \
 *      w1   w2            w1    w2
 *
 * For volumes and collisions the new faces grow from where the vertex was. Cost: linear in the faces of the
 * vertex.
 */
import { NONE } from '../../core/types.ts';
import { cross, dot, subtract } from '../../math/vectors.ts';
import type { Bounds, Refusal } from './edit.ts';
import type { MultiMesh } from './mesh.ts';
import type { Tracker } from './tracker.ts';

export type Point = readonly [number, number, number];

/** Corners: a vertex of the rim by its id, or new vertex n as -1 - n. */
export interface RefillFace {
  readonly corner: readonly [number, number, number];
  readonly front: number;
  readonly back: number;
}

export interface Refill {
  /** The vertex that is replaced. */
  readonly v: number;
  /** All its faces. */
  readonly old: readonly number[];
  readonly fresh: readonly RefillFace[];
}

export const newVertex = (n: number) => -1 - n;

/** Share of the area at a vertex that rounding may leave of differences. */
const NOISE = 1e-12;

/**
 * Area that the refill takes off the surface with its new vertices at these places, m^2; 0 where that is but
 * rounding.
 */
export function computeRefillLoss(mesh: MultiMesh, { old, fresh }: Refill, places: readonly Point[]): number {
  const { face } = mesh;
  const at = (v: number) => (v < 0 ? places[newVertex(v)] : pointAt(mesh, v));
  let loss = 0;
  for (const f of old) loss += computeArea(at(face[3 * f]), at(face[3 * f + 1]), at(face[3 * f + 2]));
  const noise = NOISE * loss;
  for (const { corner } of fresh) loss -= computeArea(at(corner[0]), at(corner[1]), at(corner[2]));
  return Math.abs(loss) > noise ? loss : 0;
}

export function pointAt({ position: p }: MultiMesh, v: number): Point {
  return [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
}

function computeArea(a: Point, b: Point, c: Point): number {
  const normal = cross(subtract(b, a), subtract(c, a));
  return 0.5 * Math.sqrt(dot(normal, normal));
}

/** Carries the refill out, or says why not; `outVertex`: the vertices at the places, the old one first. */
export function refill(
  tracker: Tracker,
  { v, old, fresh }: Refill,
  places: readonly Point[],
  bounds: Bounds,
  outVertex: number[],
): Refusal | undefined {
  const { mesh, edit } = tracker;
  const before = pointAt(mesh, v);
  edit.begin();
  for (const f of old) edit.take(f);
  outVertex.length = 0;
  for (const [x, y, z] of places) outVertex.push(outVertex.length === 0 ? v : mesh.addVertex(x, y, z));
  mesh.setPosition(v, ...places[0]);
  for (const f of old) mesh.removeFace(f);
  for (const { corner, front, back } of fresh) {
    const [a, b, c] = corner.map((w) => (w < 0 ? outVertex[newVertex(w)] : w));
    edit.put(mesh.addFace(a, b, c, front, back), NONE);
    // What it swept from the old vertex is what it would sweep backwards, with the sides exchanged.
    edit.sweep(a, b, c, back, front, ...before);
  }
  return edit.finish(bounds);
}
