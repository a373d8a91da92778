/**
 * Integrals of 1/r over flat triangles. Closed forms: the potential of a uniform triangle at a point (Wilton et al. 1984) and the
 * energy of a uniform triangle with itself (Eibert and Hansen 1995). Pairs of neighbours combine the first with three points on the other triangle: kernels/near-faces.ts
 * does that two at a time, and is held to the plain form here.
 * Triangles as nine numbers in `p` from an offset.
 */

/** Integral of 1/|x - y| over the triangle, m. */
export function computeTrianglePotential(
  p: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
): number {
  const ax = p[at] - x;
  const ay = p[at + 1] - y;
  const az = p[at + 2] - z;
  const bx = p[at + 3] - x;
  const by = p[at + 4] - y;
  const bz = p[at + 5] - z;
  const cx = p[at + 6] - x;
  const cy = p[at + 7] - y;
  const cz = p[at + 8] - z;
  let nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
  let ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
  let nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const double = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (double === 0) return 0;
  nx /= double;
  ny /= double;
  nz /= double;
  const height = nx * ax + ny * ay + nz * az;
  const ra = Math.sqrt(ax * ax + ay * ay + az * az);
  const rb = Math.sqrt(bx * bx + by * by + bz * bz);
  const rc = Math.sqrt(cx * cx + cy * cy + cz * cz);
  let sum =
    edgePart(ax, ay, az, bx, by, bz, nx, ny, nz, ra, rb) +
    edgePart(bx, by, bz, cx, cy, cz, nx, ny, nz, rb, rc) +
    edgePart(cx, cy, cz, ax, ay, az, nx, ny, nz, rc, ra);
  if (height !== 0) {
    // The arctangents of the three edges add up to the solid angle (Van Oosterom and Strackee 1983).
    const triple = double * height;
    const ab = ax * bx + ay * by + az * bz;
    const bc = bx * cx + by * cy + bz * cz;
    const ca = cx * ax + cy * ay + cz * az;
    sum -= height * 2 * Math.atan2(triple, ra * rb * rc + ab * rc + bc * ra + ca * rb);
  }
  return sum;
}

/** Relative distance from an edge's line at which its logarithm, times the distance, is nothing. */
const ON_LINE = 1e-12;

/** Share of the edge from a to b, both seen from the point: distance from the edge times the logarithm along it. */
function edgePart(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  nx: number,
  ny: number,
  nz: number,
  ra: number,
  rb: number,
): number {
  const ex = bx - ax;
  const ey = by - ay;
  const ez = bz - az;
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
  // Distance of the edge from the foot of the point, positive when the foot lies inside of it, times the length.
  const t = ax * (ey * nz - ez * ny) + ay * (ez * nx - ex * nz) + az * (ex * ny - ey * nx);
  if (Math.abs(t) < ON_LINE * length * length) return 0;
  const sum = ra + rb;
  return (t / length) * Math.log((sum + length) / (sum - length));
}

/** Double integral of 1/|x - y| over the triangle and itself, m^3. */
export function computeSelfEnergy(p: Float64Array, at: number): number {
  const a = edgeLength(p, at, at + 3);
  const b = edgeLength(p, at + 3, at + 6);
  const c = edgeLength(p, at + 6, at);
  const s = a + b + c;
  const area2 = ((s / 2) * (s / 2 - a) * (s / 2 - b) * (s / 2 - c)) as number;
  const term = (e: number) => -Math.log(1 - (2 * e) / s) / e;
  return ((4 * area2) / 3) * (term(a) + term(b) + term(c));
}

function edgeLength(p: Float64Array, i: number, j: number): number {
  return Math.sqrt((p[i] - p[j]) ** 2 + (p[i + 1] - p[j + 1]) ** 2 + (p[i + 2] - p[j + 2]) ** 2);
}

/** Barycentric weights of the three-point rule of degree two: 2/3 of one corner, 1/6 of the others. */
const MAJOR = 2 / 3;
const MINOR = 1 / 6;

/** The points of the rule on a triangle, nine numbers each from `at` and `out`. */
export function setRulePoints(p: Float64Array, at: number, point: Float64Array, out: number): void {
  for (let k = 0; k < 3; k++) {
    const minor = MINOR * (p[at + k] + p[at + 3 + k] + p[at + 6 + k]);
    for (let i = k; i < 9; i += 3) point[out + i] = minor + (MAJOR - MINOR) * p[at + i];
  }
}

export function triangleArea(p: Float64Array, at: number): number {
  const ux = p[at + 3] - p[at];
  const uy = p[at + 4] - p[at + 1];
  const uz = p[at + 5] - p[at + 2];
  const wx = p[at + 6] - p[at];
  const wy = p[at + 7] - p[at + 1];
  const wz = p[at + 8] - p[at + 2];
  return 0.5 * Math.sqrt((uy * wz - uz * wy) ** 2 + (uz * wx - ux * wz) ** 2 + (ux * wy - uy * wx) ** 2);
}
