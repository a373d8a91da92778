/**
 * Sharp edges of a solid given by its distance alone: normals by differences, and the line where the planes
 * of two sides meet.
 */
import type { Vec3 } from '../core/types.ts';
import { dot, normalise } from '../math/vectors.ts';

/** Distance to solids, positive in open space. */
type Clearance = (x: number, y: number, z: number) => number;

/**
 * Cosine between the normals on both sides of a sharp edge, at most: 30 degrees, as creases are told
 * elsewhere.
 */
export const SHARP = Math.cos(Math.PI / 6);

/** Unit gradient of a clearance, by differences over e; zero where it is flat. */
export function computeClearanceNormal(at: Clearance, [x, y, z]: Vec3, e: number): Vec3 {
  return normalise([
    at(x + e, y, z) - at(x - e, y, z),
    at(x, y + e, z) - at(x, y - e, z),
    at(x, y, z + e) - at(x, y, z - e),
  ]);
}

/**
 * The point nearest to x on the line where the plane through p with unit normal m meets the one through q
 * with unit normal n.
 */
export function meetPlanes(x: Vec3, p: Vec3, m: Vec3, q: Vec3, n: Vec3): Vec3 {
  const cosine = dot(m, n);
  const toP = dot(m, p) - dot(m, x);
  const toQ = dot(n, q) - dot(n, x);
  const rest = 1 - cosine * cosine;
  const alongM = (toP - cosine * toQ) / rest;
  const alongN = (toQ - cosine * toP) / rest;
  return [
    x[0] + alongM * m[0] + alongN * n[0],
    x[1] + alongM * m[1] + alongN * n[1],
    x[2] + alongM * m[2] + alongN * n[2],
  ];
}

export function readPoint(position: Float64Array, v: number): Vec3 {
  return [position[3 * v], position[3 * v + 1], position[3 * v + 2]];
}
