/**
 * The cutaway of the papers: whole tetrahedra whose centroid lies behind the plane, drawn as a solid of
 * little tets. Only faces between a kept tet and a removed one (or the outside) can be seen, so only those
 * are built; with a shrink factor every kept tet is drawn apart from its neighbours. O(tets) for each new
 * plane.
 */

import { setNormal } from '../../../src/math/triangle.ts';
import type { VolumeData } from '../data/types.ts';
import type { CornerMesh } from './paint.ts';

export interface CutPlane {
  readonly axis: 0 | 1 | 2;
  /** metres along the axis */
  readonly offset: number;
  /** +1 keeps the side below the offset, -1 the side above */
  readonly side: 1 | -1;
  /** 0 keeps tets whole and touching; 0.2 draws each at 80 % of its size */
  readonly shrink: number;
}

/** Corners of the visible faces, with the tet and vertex behind each for colouring and picking. */
export interface CutMesh extends CornerMesh {
  /** (corners) vertex id */
  readonly cornerToVertex: Uint32Array;
  /** (corners / 3) tet id */
  readonly faceToTet: Uint32Array;
  readonly keptTets: number;
}

/** Local face i, opposite vertex i, counter-clockwise from outside when det(b-a, c-a, d-a) > 0. */
const FACE = [1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1] as const;

export function buildCut(volume: VolumeData, plane: CutPlane): CutMesh {
  const { tet, neighbour, centroid, position } = volume;
  const tetCount = tet.length / 4;
  const kept = new Uint8Array(tetCount);
  let keptTets = 0;
  for (let t = 0; t < tetCount; t++) {
    if (plane.side * (centroid[3 * t + plane.axis] - plane.offset) <= 0) {
      kept[t] = 1;
      keptTets++;
    }
  }
  const apart = plane.shrink > 0;
  let faces = 0;
  for (let t = 0; t < tetCount; t++) {
    if (!kept[t]) continue;
    for (let i = 0; i < 4; i++) if (apart || isExposed(neighbour[4 * t + i], kept)) faces++;
  }
  const outPosition = new Float32Array(9 * faces);
  const cornerToVertex = new Uint32Array(3 * faces);
  const faceToTet = new Uint32Array(faces);
  const keep = 1 - plane.shrink;
  let f = 0;
  for (let t = 0; t < tetCount; t++) {
    if (!kept[t]) continue;
    for (let i = 0; i < 4; i++) {
      if (!apart && !isExposed(neighbour[4 * t + i], kept)) continue;
      faceToTet[f] = t;
      for (let k = 0; k < 3; k++) {
        const v = tet[4 * t + FACE[3 * i + k]];
        const corner = 3 * f + k;
        cornerToVertex[corner] = v;
        for (let d = 0; d < 3; d++) {
          const centre = centroid[3 * t + d];
          outPosition[3 * corner + d] = centre + keep * (position[3 * v + d] - centre);
        }
      }
      f++;
    }
  }
  return {
    position: outPosition,
    normal: computeFaceNormals(outPosition),
    value: new Float32Array(3 * faces),
    cornerToVertex,
    faceToTet,
    keptTets,
  };
}

function isExposed(neighbour: number, kept: Uint8Array): boolean {
  return neighbour < 0 || kept[neighbour] === 0;
}

/** One value per corner of a cut, from a scalar on vertices or tets. */
export function computeCutValues(cut: CutMesh, scalar: Float32Array, on: 'vertex' | 'cell'): Float32Array {
  const out = new Float32Array(cut.cornerToVertex.length);
  for (let c = 0; c < out.length; c++) {
    out[c] = on === 'vertex' ? scalar[cut.cornerToVertex[c]] : scalar[cut.faceToTet[(c / 3) | 0]];
  }
  return out;
}

function computeFaceNormals(position: Float32Array): Float32Array {
  const out = new Float32Array(position.length);
  const normal = new Float64Array(3);
  for (let i = 0; i < position.length; i += 9) {
    setNormal(position, i, i + 3, i + 6, normal);
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    const length = Math.hypot(nx, ny, nz) || 1;
    for (let k = 0; k < 9; k += 3) {
      out[i + k] = nx / length;
      out[i + k + 1] = ny / length;
      out[i + k + 2] = nz / length;
    }
  }
  return out;
}
