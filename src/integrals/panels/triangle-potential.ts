/**
 * Integrals of 1/r over flat triangles. Closed forms: the potential of a uniform triangle at a point (Wilton
 * et al. 1984) and the mean over a triangle and itself (Eibert and Hansen 1995). Pairs of neighbours combine
 * the first with three points on the other triangle: kernels/near-faces.ts does that two at a time, and is
 * held to the plain form here. Triangles as nine numbers in `p` from an offset.
 */
import { setSeen } from '../../math/triangle.ts';

const corners = new Float64Array(9);

/** Integral of 1/|x - y| over the triangle, m. */
export function computeTrianglePotential(
  p: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
): number {
  setSeen(p, at, at + 3, at + 6, x, y, z, corners);
  const { 0: ax, 1: ay, 2: az, 3: bx, 4: by, 5: bz, 6: cx, 7: cy, 8: cz } = corners;
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
  const normal = { x: nx, y: ny, z: nz };
  let sum =
    edgePart(ax, ay, az, bx, by, bz, normal) +
    edgePart(bx, by, bz, cx, cy, cz, normal) +
    edgePart(cx, cy, cz, ax, ay, az, normal);
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

/**
 * Share of the edge from a to b, both seen from the point: distance from the edge times the logarithm along
 * it.
 */
function edgePart(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  n: { readonly x: number; readonly y: number; readonly z: number },
): number {
  const ex = bx - ax;
  const ey = by - ay;
  const ez = bz - az;
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
  // Distance of the edge from the foot of the point, positive when the foot lies inside of it, times the
  // length.
  const t = ax * (ey * n.z - ez * n.y) + ay * (ez * n.x - ex * n.z) + az * (ex * n.y - ey * n.x);
  if (Math.abs(t) < ON_LINE * length * length) return 0;
  const sum = Math.sqrt(ax * ax + ay * ay + az * az) + Math.sqrt(bx * bx + by * by + bz * bz);
  return (t / length) * Math.log((sum + length) / (sum - length));
}

/**
 * Mean of 1/|x - y| over the triangle and itself, 1/m: 4/3 of the sum of log(s / (s - 2 e)) / e over the
 * edges, with s their sum. The area has cancelled, so that slivers keep their digits; of a triangle without
 * area the mean is not finite.
 */
export function computeSelfMean(p: Float64Array, at: number): number {
  const ax = p[at + 3] - p[at];
  const ay = p[at + 4] - p[at + 1];
  const az = p[at + 5] - p[at + 2];
  const bx = p[at + 6] - p[at + 3];
  const by = p[at + 7] - p[at + 4];
  const bz = p[at + 8] - p[at + 5];
  const cx = p[at] - p[at + 6];
  const cy = p[at + 1] - p[at + 7];
  const cz = p[at + 2] - p[at + 8];
  const a = Math.sqrt(ax * ax + ay * ay + az * az);
  const b = Math.sqrt(bx * bx + by * by + bz * bz);
  const c = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const s = a + b + c;
  return (
    (4 / 3) *
    (selfPart(a, computeDetour(bx, by, bz, cx, cy, cz, b * c, s)) +
      selfPart(b, computeDetour(cx, cy, cz, ax, ay, az, c * a, s)) +
      selfPart(c, computeDetour(ax, ay, az, bx, by, bz, a * b, s)))
  );
}

/** log(s / (s - 2 e)) / e of an edge; `detour` is s - 2 e. */
function selfPart(e: number, detour: number): number {
  return Math.log1p((2 * e) / detour) / e;
}

/**
 * How much longer the way along two edges is than the straight one: |u| + |w| - |u + w| = 2 (|u| |w| - u . w)
 * / s. Where both edges go one way, the difference is taken as |u x w|^2 / (|u| |w| + u . w). `lengths` is
 * |u| |w|.
 */
function computeDetour(
  ux: number,
  uy: number,
  uz: number,
  wx: number,
  wy: number,
  wz: number,
  lengths: number,
  s: number,
): number {
  const dot = ux * wx + uy * wy + uz * wz;
  if (dot <= 0) return (2 * (lengths - dot)) / s;
  const x = uy * wz - uz * wy;
  const y = uz * wx - ux * wz;
  const z = ux * wy - uy * wx;
  return (2 * (x * x + y * y + z * z)) / ((lengths + dot) * s);
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
