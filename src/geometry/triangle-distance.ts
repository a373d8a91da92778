/**
 * Closest point of a triangle, by the seven Voronoi regions of its vertices, edges and face
 * (Ericson, Real-Time Collision Detection, 5.1.5). Degenerate triangles fall through to their edges.
 */

/** Feature codes of a closest point: the face, the edges ab, bc, ca, the vertices a, b, c. */
export const FACE = 0;
export const EDGE_AB = 1;
export const EDGE_BC = 2;
export const EDGE_CA = 3;
export const VERTEX_A = 4;
export const VERTEX_B = 5;
export const VERTEX_C = 6;

/** Entries of `outClosest`: weights of corners b and c (a's is 1 - both), and the feature code. */
export const CLOSEST_WEIGHT_B = 0;
export const CLOSEST_WEIGHT_C = 1;
export const CLOSEST_FEATURE = 2;

/**
 * Squared distance from the point to the triangle whose nine corner coordinates start at corner[o].
 * Everything is formed from differences to corner a or b or c, so the error scales with the triangle and its
 * distance, not with how far both are from the origin. The point comes in an array because three numbers
 * would be boxed on every call.
 */
export function computeClosestOnTriangle(
  corner: Float64Array,
  o: number,
  point: Float64Array,
  outClosest: Float64Array,
): number {
  const { 0: px, 1: py, 2: pz } = point;
  const ax = corner[o];
  const ay = corner[o + 1];
  const az = corner[o + 2];
  const abx = corner[o + 3] - ax;
  const aby = corner[o + 4] - ay;
  const abz = corner[o + 5] - az;
  const acx = corner[o + 6] - ax;
  const acy = corner[o + 7] - ay;
  const acz = corner[o + 8] - az;
  const apx = px - ax;
  const apy = py - ay;
  const apz = pz - az;

  let s = 0;
  let t = 0;
  let feature = VERTEX_A;
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  if (d1 > 0 || d2 > 0) {
    const bpx = px - corner[o + 3];
    const bpy = py - corner[o + 4];
    const bpz = pz - corner[o + 5];
    const d3 = abx * bpx + aby * bpy + abz * bpz;
    const d4 = acx * bpx + acy * bpy + acz * bpz;
    const cpx = px - corner[o + 6];
    const cpy = py - corner[o + 7];
    const cpz = pz - corner[o + 8];
    const d5 = abx * cpx + aby * cpy + abz * cpz;
    const d6 = acx * cpx + acy * cpy + acz * cpz;
    const va = d3 * d6 - d5 * d4;
    const vb = d5 * d2 - d1 * d6;
    const vc = d1 * d4 - d3 * d2;
    if (d3 >= 0 && d4 <= d3) {
      s = 1;
      feature = VERTEX_B;
    } else if (d6 >= 0 && d5 <= d6) {
      t = 1;
      feature = VERTEX_C;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
      s = d1 / (d1 - d3);
      feature = EDGE_AB;
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
      t = d2 / (d2 - d6);
      feature = EDGE_CA;
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      t = (d4 - d3) / (d4 - d3 + (d5 - d6));
      s = 1 - t;
      feature = EDGE_BC;
    } else {
      const sum = va + vb + vc;
      if (!(sum > 0)) return computeClosestOnEdges(corner, o, px, py, pz, outClosest);
      s = vb / sum;
      t = vc / sum;
      feature = FACE;
    }
  }
  outClosest[CLOSEST_WEIGHT_B] = s;
  outClosest[CLOSEST_WEIGHT_C] = t;
  outClosest[CLOSEST_FEATURE] = feature;
  const x = apx - s * abx - t * acx;
  const y = apy - s * aby - t * acy;
  const z = apz - s * abz - t * acz;
  return x * x + y * y + z * z;
}

/** The same for a triangle without area, whose three edges are all there is to it. */
function computeClosestOnEdges(
  corner: Float64Array,
  o: number,
  px: number,
  py: number,
  pz: number,
  outClosest: Float64Array,
): number {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const a = o + 3 * i;
    const b = o + 3 * ((i + 1) % 3);
    const ex = corner[b] - corner[a];
    const ey = corner[b + 1] - corner[a + 1];
    const ez = corner[b + 2] - corner[a + 2];
    const dx = px - corner[a];
    const dy = py - corner[a + 1];
    const dz = pz - corner[a + 2];
    const length2 = ex * ex + ey * ey + ez * ez;
    const along = ex * dx + ey * dy + ez * dz;
    const w = along <= 0 || length2 === 0 ? 0 : along >= length2 ? 1 : along / length2;
    const x = dx - w * ex;
    const y = dy - w * ey;
    const z = dz - w * ez;
    const distance2 = x * x + y * y + z * z;
    if (distance2 >= best) continue;
    best = distance2;
    // Weights of corners i and i + 1 on this edge are 1 - w and w.
    outClosest[CLOSEST_WEIGHT_B] = i === 0 ? w : i === 1 ? 1 - w : 0;
    outClosest[CLOSEST_WEIGHT_C] = i === 1 ? w : i === 2 ? 1 - w : 0;
    outClosest[CLOSEST_FEATURE] = w === 0 ? VERTEX_A + i : w === 1 ? VERTEX_A + ((i + 1) % 3) : EDGE_AB + i;
  }
  return best;
}
