/**
 * Normals per corner of a triangle mesh: smooth over curved sides, broken at sharp edges. For showing and
 * exporting solids.
 */
import { computeAngle } from '../math/triangle.ts';
import { addUnitNormal } from './pseudo-normals.ts';
import { SHARP } from './sharp-edges.ts';
import type { Triangles } from './triangles.ts';

/**
 * (triangleCount x 9) unit normals of the corners: the mean, weighted by angle, of the triangles at the
 * vertex whose normals are within 30 degrees of the corner's own. Zero where a triangle has no area.
 */
export function buildCornerNormals(mesh: Triangles): Float64Array {
  const { position, triangle, triangleCount, vertexCount } = mesh;
  const faceNormal = new Float64Array(3 * triangleCount);
  const angle = new Float64Array(3 * triangleCount);
  const corner = new Float64Array(9);
  // Corners at each vertex, as CSR.
  const start = new Int32Array(vertexCount + 1);
  for (let t = 0; t < triangleCount; t++) {
    for (let i = 0; i < 3; i++) {
      start[triangle[3 * t + i] + 1]++;
      for (let k = 0; k < 3; k++) corner[3 * i + k] = position[3 * triangle[3 * t + i] + k];
    }
    addUnitNormal(corner, 0, faceNormal.subarray(3 * t, 3 * t + 3));
    for (let i = 0; i < 3; i++)
      angle[3 * t + i] = computeAngle(corner, 3 * i, 3 * ((i + 1) % 3), 3 * ((i + 2) % 3));
  }
  for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];
  const at = new Int32Array(3 * triangleCount);
  const fill = start.slice();
  for (let c = 0; c < 3 * triangleCount; c++) at[fill[triangle[c]]++] = c;

  const out = new Float64Array(9 * triangleCount);
  for (let c = 0; c < 3 * triangleCount; c++) {
    const own = 3 * Math.floor(c / 3);
    const sum = [0, 0, 0];
    for (let i = start[triangle[c]]; i < start[triangle[c] + 1]; i++) {
      const other = 3 * Math.floor(at[i] / 3);
      let cosine = 0;
      for (let k = 0; k < 3; k++) cosine += faceNormal[own + k] * faceNormal[other + k];
      if (cosine <= SHARP && other !== own) continue;
      for (let k = 0; k < 3; k++) sum[k] += angle[at[i]] * faceNormal[other + k];
    }
    const length = Math.hypot(...sum);
    if (length > 0) for (let k = 0; k < 3; k++) out[3 * c + k] = sum[k] / length;
  }
  return out;
}
