/**
 * Mean curvature by dihedral angles (23.4; Cohen-Steiner and Morvan 2003): the sum of both curvatures over
 * the neighbourhood of a vertex is half of length times angle of each of its edges; over the vertex's area
 * that is the curvature, 1/m.
 */
import { setUnitNormal } from '../../../math/triangle.ts';
import type { Body } from '../liquid/body.ts';
import type { Gradients } from '../liquid/gradients.ts';

export function computeDihedralCurvature(
  { position: p, triangle, faceCount, cornerStart, vertexCorner }: Body,
  { area }: Gradients,
  out: Float64Array,
): void {
  const normal = new Float64Array(3 * faceCount);
  for (let f = 0; f < faceCount; f++)
    setUnitNormal(p, 3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2], normal, 3 * f);
  out.fill(0);
  for (let c = 0; c < triangle.length; c++) {
    // The edge from a to b of this face; the face that has it from b to a.
    const a = triangle[c];
    const b = triangle[c % 3 === 2 ? c - 2 : c + 1];
    for (let n = cornerStart[b]; n < cornerStart[b + 1]; n++) {
      const d = vertexCorner[n];
      if (triangle[d % 3 === 2 ? d - 2 : d + 1] !== a) continue;
      const [f, g] = [3 * Math.floor(c / 3), 3 * Math.floor(d / 3)];
      const [x, y, z] = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]);
      const cx = normal[f + 1] * normal[g + 2] - normal[f + 2] * normal[g + 1];
      const cy = normal[f + 2] * normal[g] - normal[f] * normal[g + 2];
      const cz = normal[f] * normal[g + 1] - normal[f + 1] * normal[g];
      const cosine = normal[f] * normal[g] + normal[f + 1] * normal[g + 1] + normal[f + 2] * normal[g + 2];
      const length = Math.hypot(x, y, z);
      const sine = (cx * x + cy * y + cz * z) / (length || 1);
      // Each edge is met from both of its faces: once for each end.
      out[a] += 0.5 * length * Math.atan2(sine, cosine);
    }
  }
  for (let v = 0; v < out.length; v++) out[v] = area[v] > 0 ? out[v] / area[v] : 0;
}
