/**
 * Which region points and connected parts of a labelled surface lie in, by winding numbers: the faces of a
 * region, normals outwards, wind once around each of its points and not around others. Those of the region
 * around a part wind -1 times where that is not, and not at all where it is, so that it is what remains.
 * Cost: linear per point.
 */

import { NONE, type Vec3 } from '../../../core/types.ts';
import { computeWindingNumber } from '../../../geometry/inside.ts';
import { labelConnected } from '../../../geometry/mesh-components.ts';
import type { Triangles } from '../../../geometry/triangles.ts';
import type { LabelledTriangles } from '../build.ts';
import { computeTetVolume6 } from '../measure.ts';

/** Winding numbers of closed surfaces are whole but for rounding; on the surface they are between. */
const INSIDE = 0.75;
/** What is around everything. */
const OUTSIDE = 0;

interface Part {
  readonly faces: number[];
  /** min x y z, max x y z, m */
  readonly box: number[];
  /** The region around it */
  around: number;
}

export interface Misplaced {
  /** A face of the part. */
  readonly face: number;
  /** The region that the part says is around it, and the one it lies in. */
  readonly around: number;
  readonly region: number;
  /** A face of the part that has it inside; NONE: it lies outside of all. */
  readonly holder: number;
}

/** Is a point in a bounded region, and not on its films? */
export function isInRegion(surface: LabelledTriangles, region: number, x: Vec3): boolean {
  const everything = new Array(surface.triangle.length / 3).keys();
  const faces = gatherRegions(surface, everything).get(region);
  return faces !== undefined && computeWindingNumber(faces, ...x) > INSIDE;
}

/** The first part that lies in another region than it says; parts are closed and do not meet. */
export function findMisplaced(surface: LabelledTriangles): Misplaced | undefined {
  const parts = findParts(surface);
  for (const part of parts) {
    const [face] = part.faces;
    const holder = findHolder(surface, parts, part);
    const region = holder?.region ?? OUTSIDE;
    if (region !== part.around)
      return { face, around: part.around, region, holder: holder?.part.faces[0] ?? NONE };
  }
  return undefined;
}

/** The innermost part with this one inside: of those, as they do not meet, the one with the smallest box. */
function findHolder(
  surface: LabelledTriangles,
  parts: readonly Part[],
  part: Part,
): { part: Part; region: number } | undefined {
  const { position, triangle } = surface;
  const v = 3 * triangle[3 * part.faces[0]];
  const x: Vec3 = [position[v], position[v + 1], position[v + 2]];
  const size = ({ box }: Part) => (box[3] - box[0]) * (box[4] - box[1]) * (box[5] - box[2]);
  const around = parts
    .filter((other) => other !== part && [0, 1, 2].every((k) => holds(other.box, part.box, k)))
    .sort((a, b) => size(a) - size(b));
  for (const other of around) {
    for (const [region, faces] of gatherRegions(surface, other.faces))
      if (region !== other.around && computeWindingNumber(faces, ...x) > INSIDE)
        return { part: other, region };
  }
  return undefined;
}

const holds = (outer: readonly number[], inner: readonly number[], k: number) =>
  outer[k] <= inner[k] && outer[3 + k] >= inner[3 + k];

/** Faces of each region with their normals outwards. */
function gatherRegions(
  { position, triangle, label }: LabelledTriangles,
  faces: Iterable<number>,
): Map<number, Triangles> {
  const corners = new Map<number, number[]>();
  const add = (region: number, a: number, b: number, c: number) => {
    const list = corners.get(region);
    if (list) list.push(a, b, c);
    else corners.set(region, [a, b, c]);
  };
  for (const f of faces) {
    const [a, b, c] = [triangle[3 * f], triangle[3 * f + 1], triangle[3 * f + 2]];
    add(label[2 * f], a, c, b);
    add(label[2 * f + 1], a, b, c);
  }
  const toTriangles = (list: number[]): Triangles => ({
    vertexCount: position.length / 3,
    triangleCount: list.length / 3,
    position: position as Float64Array,
    triangle: Int32Array.from(list),
  });
  return new Map([...corners].map(([region, list]) => [region, toTriangles(list)]));
}

function findParts(surface: LabelledTriangles): Part[] {
  const { position, triangle } = surface;
  const root = labelConnected(position.length / 3, triangle as Int32Array);
  const parts = new Map<number, Part>();
  for (let f = 0; 3 * f < triangle.length; f++) {
    const r = root[triangle[3 * f]];
    const part = parts.get(r) ?? {
      faces: [],
      box: [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity],
      around: NONE,
    };
    parts.set(r, part);
    part.faces.push(f);
    const [a, b, c] = [3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2]];
    for (let k = 0; k < 3; k++) {
      part.box[k] = Math.min(part.box[k], position[a + k], position[b + k], position[c + k]);
      part.box[3 + k] = Math.max(part.box[3 + k], position[a + k], position[b + k], position[c + k]);
    }
  }
  for (const part of parts.values()) part.around = findAround(surface, part.faces);
  return [...parts.values()];
}

/** Of all regions at a part only the one around it has a negative volume. */
function findAround({ position: p, triangle, label }: LabelledTriangles, faces: readonly number[]): number {
  const volume = new Map<number, number>();
  // About a vertex of the part itself, so that distance from the origin costs no digits.
  const o = triangle[3 * faces[0]];
  for (const f of faces) {
    const tet = computeTetVolume6(p, triangle[3 * f], triangle[3 * f + 1], triangle[3 * f + 2], o);
    volume.set(label[2 * f], (volume.get(label[2 * f]) ?? 0) + tet);
    volume.set(label[2 * f + 1], (volume.get(label[2 * f + 1]) ?? 0) - tet);
  }
  let least = NONE;
  for (const [region, v] of volume) if (least === NONE || v < volume.get(least)!) least = region;
  return least;
}
