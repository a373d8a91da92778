/**
 * The pieces of a tracked surface: closed parts that hang together, with the volume each holds. A cavity, an
 * air bubble with its surface turned inwards, belongs to the piece around it.
 */

import { NONE } from '../../core/types.ts';
import { labelConnected } from '../../geometry/mesh-components.ts';
import { computeTriple } from '../../math/triangle.ts';
import type { TrackedSurface } from './surface.ts';

export interface Pieces {
  readonly count: number;
  /** (vertexCount) numbered by their lowest vertex; NONE for cavities outside all pieces */
  readonly vertexPiece: Int32Array;
  /** (vertexCount) 1 on the surface of a cavity */
  readonly inCavity: Uint8Array;
  /** (count) m^3 */
  readonly volume: Float64Array;
}

export function findPieces(surface: TrackedSurface): Pieces {
  const { vertexCount, triangleCount, triangle, position } = surface;
  const root = labelParts(surface);
  const partOfRoot = new Int32Array(vertexCount).fill(NONE);
  let parts = 0;
  for (let v = 0; v < vertexCount; v++) if (root[v] === v) partOfRoot[v] = parts++;
  const partVolume = new Float64Array(parts);
  const box = new Float64Array(6 * parts);
  for (let p = 0; p < parts; p++) box.fill(Number.POSITIVE_INFINITY, 6 * p, 6 * p + 3);
  for (let p = 0; p < parts; p++) box.fill(Number.NEGATIVE_INFINITY, 6 * p + 3, 6 * p + 6);
  for (let v = 0; v < vertexCount; v++) {
    const p = 6 * partOfRoot[root[v]];
    for (let a = 0; a < 3; a++) {
      box[p + a] = Math.min(box[p + a], position[3 * v + a]);
      box[p + 3 + a] = Math.max(box[p + 3 + a], position[3 * v + a]);
    }
  }
  for (let f = 0; f < triangleCount; f++)
    partVolume[partOfRoot[root[triangle[3 * f]]]] += triangleVolume(surface, f);
  const pieceOfPart = new Int32Array(parts).fill(NONE);
  let count = 0;
  for (let p = 0; p < parts; p++) if (partVolume[p] >= 0) pieceOfPart[p] = count++;
  const volume = new Float64Array(count);
  for (let p = 0; p < parts; p++) {
    if (partVolume[p] < 0) pieceOfPart[p] = findAround(p, partVolume, box, pieceOfPart);
    if (pieceOfPart[p] !== NONE) volume[pieceOfPart[p]] += partVolume[p];
  }
  const vertexPiece = new Int32Array(vertexCount);
  const inCavity = new Uint8Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const p = partOfRoot[root[v]];
    vertexPiece[v] = pieceOfPart[p];
    inCavity[v] = partVolume[p] < 0 ? 1 : 0;
  }
  return { count, vertexPiece, inCavity, volume };
}

/** The piece of the smallest part whose box holds that of the cavity. */
function findAround(
  cavity: number,
  partVolume: Float64Array,
  box: Float64Array,
  pieceOfPart: Int32Array,
): number {
  let best = NONE;
  for (let p = 0; p < partVolume.length; p++) {
    if (partVolume[p] < 0 || (best !== NONE && partVolume[p] >= partVolume[best])) continue;
    let holds = true;
    for (let a = 0; a < 3; a++)
      if (box[6 * p + a] > box[6 * cavity + a] || box[6 * p + 3 + a] < box[6 * cavity + 3 + a]) holds = false;
    if (holds) best = p;
  }
  return best === NONE ? NONE : pieceOfPart[best];
}

/**
 * What a triangle adds to the volume inside a closed surface, m^3; relative to the first vertex, which keeps
 * cancellation small.
 */
export function triangleVolume({ position, triangle }: TrackedSurface, f: number): number {
  const a = 3 * triangle[3 * f];
  const b = 3 * triangle[3 * f + 1];
  const c = 3 * triangle[3 * f + 2];
  return computeTriple(position, a, b, c, position[0], position[1], position[2]) / 6;
}

/** The lowest vertex of each vertex's connected part. */
export const labelParts = ({ vertexCount, triangle }: TrackedSurface): Int32Array =>
  labelConnected(vertexCount, triangle);
