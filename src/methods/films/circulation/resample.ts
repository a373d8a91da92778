/**
 * Circulation at vertices that remeshing moves along the films, by smoothing or to a place of subdivision off
 * its edge: its value at the new place, from the gradient on the faces around. The thesis does without
 * smoothing (16.1), for it takes the circulation along. On curves the value is interpolated along the curve.
 * Exact for what is linear on a flat film. No value leaves the range of those around it here (conserve.ts may
 * take it a little farther, to keep sums): on slivers the gradient has no bound, and one such vertex once
 * blew up a foam.
 */
import { NONE } from '../../../core/types.ts';
import { faceOf, type MultiMesh, nextCorner, previousCorner } from '../../../tracking/multimaterial/mesh.ts';
import type { VertexPolicy } from '../../../tracking/multimaterial/policy.ts';
import type { RegionPotentials } from './potentials.ts';

export function createResampling(mesh: () => MultiMesh, rows: RegionPotentials): VertexPolicy {
  return {
    onMove(v, dx, dy, dz) {
      const regions = listRegions(mesh(), rows, v);
      if (regions.length > 2) slideAlongCurve(mesh(), rows, regions, v, dx, dy, dz);
      else if (regions.length === 2)
        rows.value[rows.find(v, regions[0])] += computeChange(mesh(), rows, regions, v, dx, dy, dz);
    },
  };
}

/**
 * The regions that meet at a vertex and have circulation there (openings have none): two amid a film. Its row
 * may know more: a split of an edge that leaves a curve takes over all that the curve knows.
 */
function listRegions(mesh: MultiMesh, rows: RegionPotentials, v: number): number[] {
  const regions: number[] = [];
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
    for (let h = 2 * faceOf(c); h < 2 * faceOf(c) + 2; h++)
      if (!regions.includes(mesh.label[h]) && rows.find(v, mesh.label[h]) !== NONE)
        regions.push(mesh.label[h]);
  return regions;
}

/**
 * Area-weighted mean of grad(potential of the first side - that of the second) . d over the faces at v,
 * within what the differences at the vertices around allow.
 */
function computeChange(
  mesh: MultiMesh,
  rows: RegionPotentials,
  [i, j]: readonly number[],
  v: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const p = mesh.position;
  let sum = 0;
  let area = 0;
  let least = 0;
  let most = 0;
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
    const corners = [c, nextCorner(c), previousCorner(c)];
    const [a, b, d] = corners.map((k) => 3 * mesh.face[k]);
    const jump = corners.map((k) => {
      const [m, n] = [rows.find(mesh.face[k], i), rows.find(mesh.face[k], j)];
      return m === NONE || n === NONE ? Number.NaN : rows.value[m] - rows.value[n];
    });
    if (jump.some(Number.isNaN)) continue;
    least = Math.min(least, jump[1] - jump[0], jump[2] - jump[0]);
    most = Math.max(most, jump[1] - jump[0], jump[2] - jump[0]);
    const u = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const w = [p[d] - p[a], p[d + 1] - p[a + 1], p[d + 2] - p[a + 2]];
    const uu = u[0] ** 2 + u[1] ** 2 + u[2] ** 2;
    const ww = w[0] ** 2 + w[1] ** 2 + w[2] ** 2;
    const uw = u[0] * w[0] + u[1] * w[1] + u[2] * w[2];
    const det = uu * ww - uw * uw;
    if (!(det > 0)) continue;
    const du = u[0] * dx + u[1] * dy + u[2] * dz;
    const dw = w[0] * dx + w[1] * dy + w[2] * dz;
    // d in the face is s u + t w.
    const s = (du * ww - dw * uw) / det;
    const t = (dw * uu - du * uw) / det;
    const weight = Math.sqrt(det);
    sum += weight * (s * (jump[1] - jump[0]) + t * (jump[2] - jump[0]));
    area += weight;
  }
  return area > 0 ? Math.max(least, Math.min(most, sum / area)) : 0;
}

/** Towards the neighbour on the curve that lies the way of the slide, if it knows all the regions. */
function slideAlongCurve(
  mesh: MultiMesh,
  rows: RegionPotentials,
  regions: readonly number[],
  v: number,
  dx: number,
  dy: number,
  dz: number,
): void {
  const p = mesh.position;
  let best = NONE;
  let share = 0;
  for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
    if (mesh.edgeValence[d >> 1] < 3) continue;
    const w = mesh.edgeVertex[d ^ 1];
    // Seen from where the vertex came from.
    const [x, y, z] = [
      p[3 * w] - p[3 * v] + dx,
      p[3 * w + 1] - p[3 * v + 1] + dy,
      p[3 * w + 2] - p[3 * v + 2] + dz,
    ];
    const s = (x * dx + y * dy + z * dz) / (x * x + y * y + z * z);
    if (s > share && regions.every((region) => rows.find(w, region) !== NONE)) {
      share = s;
      best = w;
    }
  }
  if (best !== NONE) rows.blend(v, v, best, Math.min(1, share));
}
