/**
 * Whether a starting surface of several shapes is what the tracker can move: no triangle without area, none
 * through another, every part in the region it says is around it. Problems name the shapes. Cost: O(n log n),
 * and linear per part in the box of another.
 */
import { InputError } from '../../../core/errors.ts';
import { NONE, type Vec3 } from '../../../core/types.ts';
import { buildBvh } from '../../../geometry/bvh.ts';
import { findFlatTriangles, findSelfIntersection } from '../../../geometry/self-intersection.ts';
import { buildTriangleEdges, type Triangles } from '../../../geometry/triangles.ts';
import type { LabelledTriangles } from '../build.ts';
import { findMisplaced } from './nesting.ts';

/** A surface and where it comes from. */
export interface Start {
  readonly surface: LabelledTriangles;
  /** (faces) entry of the start that each face comes from */
  readonly faceToShape: Int32Array;
}

/** What a method calls its shapes, and what it advises. */
export interface StartNames {
  nameShape(n: number): string;
  /** What it is that meets where shapes overlap, and the advice. */
  readonly surfaces: string;
  readonly apart: string;
  /** Where one lies in another without saying so. */
  readonly out: string;
}

/** Rounded, also to zero beside larger coordinates. */
export const showPoint = (x: readonly number[]) => {
  const size = Math.max(...x.map(Math.abs));
  return `[${x.map((c) => (Math.abs(c) < 1e-9 * size ? 0 : Number(c.toPrecision(4)))).join(', ')}] m`;
};

export function findCorner({ position, triangle }: LabelledTriangles, f: number): Vec3 {
  const v = 3 * triangle[3 * f];
  return [position[v], position[v + 1], position[v + 2]];
}

export function refuseFlat({ surface, faceToShape }: Start, { nameShape }: StartNames): void {
  const flat = findFlatTriangles(toTriangles(surface)).indexOf(1);
  if (flat === NONE) return;
  throw new InputError(
    nameShape(faceToShape[flat]),
    `has a triangle without area at ${showPoint(findCorner(surface, flat))}`,
    'make it wider there',
  );
}

export function refuseCrossings(
  { surface, faceToShape }: Start,
  { nameShape, surfaces, apart }: StartNames,
): void {
  const mesh = toTriangles(surface);
  const isFlat = new Uint8Array(mesh.triangleCount);
  const found = findSelfIntersection(mesh, buildTriangleEdges(mesh), buildBvh(mesh), isFlat);
  if (!found) return;
  const [a, b] = [faceToShape[found.triangleA], faceToShape[found.triangleB]];
  const at = showPoint(found.point);
  if (a === b)
    throw new InputError(
      nameShape(a),
      `meets itself at ${at}`,
      'part what meets there, or make the resolution finer',
    );
  throw new InputError(`${nameShape(a)} and ${nameShape(b)}`, `overlap: ${surfaces} meet at ${at}`, apart);
}

export function refuseMisplaced({ surface, faceToShape }: Start, { nameShape, out }: StartNames): void {
  const found = findMisplaced(surface);
  if (!found) return;
  const { face, around, region, holder } = found;
  const name = nameShape(faceToShape[face]);
  if (holder === NONE)
    throw new InputError(
      name,
      `region ${around} is around it, but the air outside is region ${region}`,
      `number what is around it ${region}, or swap left and right of its sheets`,
    );
  throw new InputError(
    name,
    `region ${around} is around it, but it lies in region ${region} of ${nameShape(faceToShape[holder])}`,
    out,
  );
}

function toTriangles({ position, triangle }: LabelledTriangles): Triangles {
  return {
    vertexCount: position.length / 3,
    triangleCount: triangle.length / 3,
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
  };
}
