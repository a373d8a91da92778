/**
 * Which faces of a labelled surface are drawn, and which pieces of its curves. A region that is switched off
 * counts as air.
 */
import type { RegionData, SurfaceData } from '../data/types.ts';
import type { SlicePlane } from './slice.ts';

export interface Visibility {
  /** Labels of regions switched off. */
  readonly hidden: readonly number[];
  /** Faces that touch the outside, label 0, are taken away. */
  readonly hideOuter: boolean;
}

/** Ids of the faces to draw, ascending. */
export function listDrawnFaces(surface: SurfaceData, { hidden, hideOuter }: Visibility): Uint32Array {
  const { regions } = surface;
  const faces = surface.triangle.length / 3;
  if (!regions || (hidden.length === 0 && !hideOuter))
    return Uint32Array.from({ length: faces }, (_, f) => f);
  const off = new Set([0, ...hidden]);
  const drawn = new Uint32Array(faces);
  let count = 0;
  for (let f = 0; f < faces; f++) {
    // The lower label is in front, so only that one can be the outside.
    if (hideOuter && regions.front[f] === 0) continue;
    if (off.has(regions.front[f]) && off.has(regions.back[f])) continue;
    drawn[count++] = f;
  }
  return drawn.slice(0, count);
}

/**
 * Pieces of curves: segments (n x 2 x 3) and junctions (n x 3), and which of the surface's own each one is.
 */
export interface DrawnCurves {
  readonly segments: Float32Array;
  readonly points: Float32Array;
  readonly segmentIds: Uint32Array;
  readonly pointIds: Uint32Array;
}

/** The curves that touch a drawn face. */
export function listDrawnCurves(
  regions: RegionData,
  faceCount: number,
  drawnFaces: Uint32Array,
): DrawnCurves {
  if (drawnFaces.length === faceCount) {
    return {
      segments: regions.curve,
      points: regions.junction,
      segmentIds: Uint32Array.from({ length: regions.curve.length / 6 }, (_, s) => s),
      pointIds: Uint32Array.from({ length: regions.junction.length / 3 }, (_, j) => j),
    };
  }
  const drawn = new Uint8Array(faceCount);
  for (const f of drawnFaces) drawn[f] = 1;
  const { curve, curveFace, curveFaceStart, curveToJunction, junction } = regions;
  const segments: number[] = [];
  const segmentIds: number[] = [];
  const keep = new Uint8Array(junction.length / 3);
  for (let s = 0; s + 1 < curveFaceStart.length; s++) {
    let seen = false;
    for (let i = curveFaceStart[s]; i < curveFaceStart[s + 1]; i++) seen ||= drawn[curveFace[i]] === 1;
    if (!seen) continue;
    segmentIds.push(s);
    for (let k = 0; k < 6; k++) segments.push(curve[6 * s + k]);
    for (let k = 0; k < 2; k++) if (curveToJunction[2 * s + k] >= 0) keep[curveToJunction[2 * s + k]] = 1;
  }
  return {
    segments: Float32Array.from(segments),
    points: junction.filter((_, i) => keep[(i / 3) | 0] === 1),
    segmentIds: Uint32Array.from(segmentIds),
    pointIds: Uint32Array.from(keep.keys()).filter((j) => keep[j] === 1),
  };
}

/** Where the plane meets the drawn faces: segments (n x 2 x 3). */
export function computeSection(
  surface: SurfaceData,
  drawnFaces: Uint32Array,
  { axis, offset }: SlicePlane,
): Float32Array {
  const { position, triangle } = surface;
  const out: number[] = [];
  for (const f of drawnFaces) {
    const corner = [3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2]];
    let ends = 0;
    const start = out.length;
    for (let i = 0; i < 3; i++) {
      const [a, b] = [corner[i], corner[(i + 1) % 3]];
      const [da, db] = [position[a + axis] - offset, position[b + axis] - offset];
      // A vertex on the plane counts as above it, so that each face gives two ends or none.
      if (da >= 0 === db >= 0) continue;
      const t = da / (da - db);
      for (let k = 0; k < 3; k++) out.push(position[a + k] + t * (position[b + k] - position[a + k]));
      ends++;
    }
    if (ends !== 2) out.length = start;
  }
  return Float32Array.from(out);
}
