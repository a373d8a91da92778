/**
 * Whether the films at time 0 are what the tracker can move: every region closed, no film through another, every part in the region it says is around it. Each
 * problem is named with its entry of films.start. Cost: O(n log n), and linear per part in the box of another.
 */
import { InputError } from '../../../core/errors.ts';
import { NONE, type Vec3 } from '../../../core/types.ts';
import { buildBvh } from '../../../geometry/bvh.ts';
import { findFlatTriangles, findSelfIntersection } from '../../../geometry/self-intersection.ts';
import { buildTriangleEdges, type Triangles } from '../../../geometry/triangles.ts';
import { buildMultiMesh, type LabelledTriangles } from '../../../tracking/multimaterial/build.ts';
import { faceOf, type MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import { findDefects } from '../../../tracking/multimaterial/validate.ts';
import { findMisplaced } from './nesting.ts';
import type { StartSpec } from './options.ts';
import type { Start } from './start.ts';

export function checkStart(specs: readonly StartSpec[], start: Start): void {
  refuseFlat(start);
  refuseDefects(specs, start, buildMultiMesh(start.surface));
  refuseCrossings(start);
  refuseMisplaced(start);
}

/** The same of films that were well before they were drawn onto a wire. */
export function checkAttached(specs: readonly StartSpec[], start: Start, wire: number): void {
  try {
    checkStart(specs, start);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      `films.wires[${wire}]`,
      `drawn onto it, ${error.where} ${error.what}`,
      'move it onto one film and away from other wires, or make the resolution finer',
      { cause: error },
    );
  }
}

export const nameShape = (n: number) => `films.start[${n}]`;
/** Rounded, also to zero beside larger coordinates. */
export const showPoint = (x: readonly number[]) => {
  const size = Math.max(...x.map(Math.abs));
  return `[${x.map((c) => (Math.abs(c) < 1e-9 * size ? 0 : Number(c.toPrecision(4)))).join(', ')}] m`;
};

function refuseFlat({ surface, faceToShape }: Start): void {
  const flat = findFlatTriangles(toTriangles(surface)).indexOf(1);
  if (flat === NONE) return;
  throw new InputError(
    nameShape(faceToShape[flat]),
    `has a triangle without area at ${showPoint(findCorner(surface, flat))}`,
    'make it wider there',
  );
}

function refuseDefects(specs: readonly StartSpec[], { surface, faceToShape }: Start, mesh: MultiMesh): void {
  const { unchained, duplicate, open } = findDefects(mesh);
  if (unchained.length > 0) {
    const e = unchained[0];
    const n = faceToShape[faceOf(mesh.edgeCorner[e])];
    const v = 3 * mesh.edgeVertex[2 * e];
    const what = open.length > 0 ? `leave region ${open.join(' and ')} open` : 'have regions that do not fit';
    throw new InputError(
      nameShape(n),
      `${unchained.length} edges, the first at ${showPoint([...mesh.position.subarray(v, v + 3)])}, ${what}`,
      specs[n].type === 'revolution'
        ? 'let every profile end on the axis or where others end, with one region between neighbours; close open films by sheets to a region in films.openings'
        : 'change its measures, or make the resolution finer',
    );
  }
  if (duplicate.length > 0)
    throw new InputError(
      nameShape(faceToShape[duplicate[0]]),
      `${duplicate.length} triangles lie on others, the first at ${showPoint(findCorner(surface, duplicate[0]))}`,
      'do not cover a film twice',
    );
}

function refuseCrossings({ surface, faceToShape }: Start): void {
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
  throw new InputError(
    `${nameShape(a)} and ${nameShape(b)}`,
    `overlap: their films, or what closes openings, meet at ${at}`,
    'move them apart; bubbles that share films are one shape: double-bubble, boxes, voronoi or revolution',
  );
}

function refuseMisplaced({ surface, faceToShape }: Start): void {
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
    'move it out of there, or describe both as one revolution with the regions between them',
  );
}

function findCorner({ position, triangle }: LabelledTriangles, f: number): Vec3 {
  const v = 3 * triangle[3 * f];
  return [position[v], position[v + 1], position[v + 2]];
}

export function toTriangles({ position, triangle }: LabelledTriangles): Triangles {
  return {
    vertexCount: position.length / 3,
    triangleCount: triangle.length / 3,
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
  };
}
