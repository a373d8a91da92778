/**
 * Distances between the primitives of a moving surface: vertex against triangle, edge against edge, each with
 * the weights of the closest points. Safe for triangles without area and edges without length: every answer
 * is the residual at weights that lie on the primitives, and where the interior solution is badly conditioned
 * the best of the boundary candidates is taken as well.
 *
 * All is formed from differences of positions, so errors scale with the primitives and their distance, not
 * with how far they are from the origin. About 60 ns a call. The scratch is the module's own; nothing here
 * calls back, so calls cannot interleave.
 */
import type { F64View } from '../../core/types.ts';

/**
 * Sine squared of the angle below which the interior solution of a triangle or of two edges is not trusted
 * alone.
 */
const THIN = 1e-10;

/** Three difference vectors handed to the two cores below. */
export const proximityVectors = new Float64Array(9);

/** Of two primitives with four vertices together. */
type Distance = (
  position: F64View,
  ...of: [a: number, b: number, c: number, d: number, outWeights: Float64Array]
) => number;

/**
 * Squared distance from vertex v to triangle abc, m^2. `outWeights[0..2]` gets the weights of a, b, c at the
 * closest point: each in [0, 1] and together 1 to rounding. The closest point is their weighted sum.
 */
export const vertexTriangleDistance: Distance = (position, v, a, b, c, outWeights) => {
  const d = proximityVectors;
  for (let k = 0; k < 3; k++) {
    const origin = position[3 * a + k];
    d[k] = position[3 * b + k] - origin;
    d[3 + k] = position[3 * c + k] - origin;
    d[6 + k] = position[3 * v + k] - origin;
  }
  return computeTriangleWeights(outWeights);
};

/**
 * Squared distance between edges ab and cd, m^2. `outWeights[0]` gets the place of the closest point on ab (0
 * at a, 1 at b) and `outWeights[1]` that on cd (0 at c, 1 at d). Among the many closest pairs of parallel
 * edges one is chosen.
 */
export const edgeEdgeDistance: Distance = (position, a, b, c, d, outWeights) => {
  const difference = proximityVectors;
  for (let k = 0; k < 3; k++) {
    difference[k] = position[3 * b + k] - position[3 * a + k];
    difference[3 + k] = position[3 * d + k] - position[3 * c + k];
    difference[6 + k] = position[3 * a + k] - position[3 * c + k];
  }
  return computeEdgeWeights(outWeights);
};

/** Core of vertexTriangleDistance over `proximityVectors` = b - a, c - a, v - a. */
export function computeTriangleWeights(outWeights: Float64Array): number {
  const { 0: ux, 1: uy, 2: uz, 3: wx, 4: wy, 5: wz, 6: px, 7: py, 8: pz } = proximityVectors;

  // Foot of the perpendicular on the plane: weights are ratios of signed areas.
  const nx = uy * wz - uz * wy;
  const ny = uz * wx - ux * wz;
  const nz = ux * wy - uy * wx;
  const area2 = nx * nx + ny * ny + nz * nz;
  const u2 = ux * ux + uy * uy + uz * uz;
  const w2 = wx * wx + wy * wy + wz * wz;
  let best = Infinity;
  if (area2 > 0) {
    const inverse = 1 / area2;
    const s = ((py * wz - pz * wy) * nx + (pz * wx - px * wz) * ny + (px * wy - py * wx) * nz) * inverse;
    const t = ((uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz) * inverse;
    if (s >= 0 && t >= 0 && s + t <= 1) {
      const rx = px - s * ux - t * wx;
      const ry = py - s * uy - t * wy;
      const rz = pz - s * uz - t * wz;
      best = rx * rx + ry * ry + rz * rz;
      outWeights[0] = 1 - s - t;
      outWeights[1] = s;
      outWeights[2] = t;
      if (area2 > THIN * u2 * w2) return best;
    }
  }

  // Edge ab, then ac, then bc.
  let distance2 = measureToEdge(ux, uy, uz, px, py, pz);
  if (distance2 < best) {
    best = distance2;
    outWeights[0] = 1 - foot[0];
    outWeights[1] = foot[0];
    outWeights[2] = 0;
  }
  distance2 = measureToEdge(wx, wy, wz, px, py, pz);
  if (distance2 < best) {
    best = distance2;
    outWeights[0] = 1 - foot[0];
    outWeights[1] = 0;
    outWeights[2] = foot[0];
  }
  distance2 = measureToEdge(wx - ux, wy - uy, wz - uz, px - ux, py - uy, pz - uz);
  if (distance2 < best) {
    best = distance2;
    outWeights[0] = 0;
    outWeights[1] = 1 - foot[0];
    outWeights[2] = foot[0];
  }
  return best;
}

/** Weight of the far end at the point of an edge that is nearest. */
const foot = new Float64Array(1);

/** Squared distance of the point p from the edge from 0 to u; sets `foot`. */
function measureToEdge(ux: number, uy: number, uz: number, px: number, py: number, pz: number): number {
  const u2 = ux * ux + uy * uy + uz * uz;
  const along = ux * px + uy * py + uz * pz;
  const weight = along <= 0 || !(u2 > 0) ? 0 : along >= u2 ? 1 : along / u2;
  foot[0] = weight;
  const x = px - weight * ux;
  const y = py - weight * uy;
  const z = pz - weight * uz;
  return x * x + y * y + z * z;
}

/** Core of edgeEdgeDistance over `proximityVectors` = b - a, d - c, a - c. */
export function computeEdgeWeights(outWeights: Float64Array): number {
  const { 0: ux, 1: uy, 2: uz, 3: wx, 4: wy, 5: wz, 6: rx, 7: ry, 8: rz } = proximityVectors;

  const u2 = ux * ux + uy * uy + uz * uz;
  const w2 = wx * wx + wy * wy + wz * wz;
  const uw = ux * wx + uy * wy + uz * wz;
  const ur = ux * rx + uy * ry + uz * rz;
  const wr = wx * rx + wy * ry + wz * rz;
  // Sine squared times both lengths squared, as the norm of the cross product: u2 w2 - uw^2 would cancel.
  const nx = uy * wz - uz * wy;
  const ny = uz * wx - ux * wz;
  const nz = ux * wy - uy * wx;
  const sine2 = nx * nx + ny * ny + nz * nz;
  let best = Infinity;
  if (sine2 > 0) {
    // Crossing of the lines seen along their common perpendicular.
    const inverse = 1 / sine2;
    const s = -((ry * wz - rz * wy) * nx + (rz * wx - rx * wz) * ny + (rx * wy - ry * wx) * nz) * inverse;
    const t = -((ry * uz - rz * uy) * nx + (rz * ux - rx * uz) * ny + (rx * uy - ry * ux) * nz) * inverse;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      const x = rx + s * ux - t * wx;
      const y = ry + s * uy - t * wy;
      const z = rz + s * uz - t * wz;
      best = x * x + y * y + z * z;
      outWeights[0] = s;
      outWeights[1] = t;
      if (sine2 > THIN * u2 * w2) return best;
    }
  }

  // Each end against the other edge: a, b, then c, d.
  for (let end = 0; end < 4; end++) {
    let s = end === 1 ? 1 : 0;
    let t = end === 3 ? 1 : 0;
    if (end < 2) {
      const along = wr + s * uw;
      t = along <= 0 || !(w2 > 0) ? 0 : along >= w2 ? 1 : along / w2;
    } else {
      const along = t * uw - ur;
      s = along <= 0 || !(u2 > 0) ? 0 : along >= u2 ? 1 : along / u2;
    }
    const x = rx + s * ux - t * wx;
    const y = ry + s * uy - t * wy;
    const z = rz + s * uz - t * wz;
    const distance2 = x * x + y * y + z * z;
    if (distance2 >= best) continue;
    best = distance2;
    outWeights[0] = s;
    outWeights[1] = t;
  }
  return best;
}
