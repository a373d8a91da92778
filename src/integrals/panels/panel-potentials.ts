/**
 * Closed forms of the layer potentials of one flat triangle at a point x, for densities that are constant or
 * linear on it. Without the factor 1 / (4 pi):
 *
 *   single     int 1/r             int theta_i / r
 *   double     int h / r^3         int theta_i h / r^3          h = n . (x - y): n . grad_y of 1/r
 *   gradient   grad_x int 1/r      grad_x int theta_i / r       n_x . gradient is the adjoint double layer
 *
 * With x0 the foot of x in the plane, nu_e the normal of edge e in the plane (outward), t_e the distance of
 * x0 from the edge (positive on the inner side), log_e = int_e 1/r, p_e = int_e r, Omega the solid angle and
 * g_i the gradient of theta_i:
 *
 *   S = int 1/r        = sum t_e log_e - h Omega                               (Wilton et al. 1984)
 *   int theta_i / r    = theta_i(x0) S + g_i . sum nu_e p_e                    as grad r = (y - x0) / r in the plane
 *   int theta_i h/r^3  = theta_i(x0) Omega - h g_i . sum nu_e log_e            as grad 1/r = -(y - x0) / r^3
 *   grad int 1/r       = -Omega n - sum nu_e log_e
 *   grad int theta_i/r = theta_i(x0) grad int 1/r + g_i S + h n (g_i . sum nu_e log_e)
 *                        - sum nu_e ((g_i . nu_e) t_e log_e + (g_i . s_e) (R_end - R_begin))
 *
 * A point in the plane, as far as rounding can tell, has Omega = 0: the mean of both sides. On an edge the
 * logarithm has no bound. It counts as 0 there, which is right wherever a vanishing factor stands before it;
 * the gradient on an edge is its finite part. Cost: three logarithms, one arctangent, about 0.2 us.
 */
import { setNormal, setSeen } from '../../math/triangle.ts';

/**
 * Numbers of a panel made ready: corners (9), n (3), nu (9), s along the edges (9), lengths (3), twice the
 * area.
 */
export const PANEL = 34;
export const NORMAL = 9;
const ACROSS = 12;
const ALONG = 21;
export const LENGTH = 30;
export const DOUBLE = 33;

/**
 * Numbers of `outPotential`: single constant, single of the three corners, double constant, double of the
 * three corners.
 */
export const POTENTIALS = 8;
/** Numbers of `outGradient`: of the constant density (3), of the three corners (9). */
export const GRADIENTS = 12;
/**
 * A point closer to the plane than this part of the longest edge lies in it; closer to an edge, of its
 * length, on it.
 */
const TOUCHING = { plane: 1e-10, edge: 1e-13 };

const normalOf = new Float64Array(3);

/**
 * Makes the triangle of three vertices ready, in panel from `at`. Without area it has no normal and no
 * potential.
 */
export function setPanel(
  position: ArrayLike<number>,
  triangle: ArrayLike<number>,
  t: number,
  panel: Float64Array,
  at: number,
): void {
  for (let i = 0; i < 9; i++) panel[at + i] = position[3 * triangle[3 * t + Math.floor(i / 3)] + (i % 3)];
  setNormal(panel, at, at + 3, at + 6, normalOf);
  const x = normalOf[0];
  const y = normalOf[1];
  const z = normalOf[2];
  const double = Math.sqrt(x * x + y * y + z * z);
  panel[at + DOUBLE] = double;
  const scale = double > 0 ? 1 / double : 0;
  const [nx, ny, nz] = [x * scale, y * scale, z * scale];
  panel[at + NORMAL] = nx;
  panel[at + NORMAL + 1] = ny;
  panel[at + NORMAL + 2] = nz;
  for (let e = 0; e < 3; e++) {
    const a = at + 3 * e;
    const b = at + 3 * ((e + 1) % 3);
    const length = Math.hypot(panel[b] - panel[a], panel[b + 1] - panel[a + 1], panel[b + 2] - panel[a + 2]);
    const inverse = length > 0 ? 1 / length : 0;
    const sx = (panel[b] - panel[a]) * inverse;
    const sy = (panel[b + 1] - panel[a + 1]) * inverse;
    const sz = (panel[b + 2] - panel[a + 2]) * inverse;
    panel[a + ALONG] = sx;
    panel[a + ALONG + 1] = sy;
    panel[a + ALONG + 2] = sz;
    panel[a + ACROSS] = sy * nz - sz * ny;
    panel[a + ACROSS + 1] = sz * nx - sx * nz;
    panel[a + ACROSS + 2] = sx * ny - sy * nx;
    panel[at + LENGTH + e] = length;
  }
}

/** What a point sees of each edge, filled by `seeEdges` and read at once: distances of corners, t, log, p. */
const distance = new Float64Array(3);
const inner = new Float64Array(3);
const logarithm = new Float64Array(3);
const mean = new Float64Array(3);
const corners = new Float64Array(9);
/** h, Omega and the single layer of density 1. */
const seen = new Float64Array(3);

/** The panel's edges, height and solid angle as seen from the point; false where it has no area. */
function seeEdges(p: Float64Array, at: number, x: number, y: number, z: number): boolean {
  const double = p[at + DOUBLE];
  if (double === 0) return false;
  for (let i = 0; i < 3; i++) {
    const a = at + 3 * i;
    distance[i] = Math.sqrt((p[a] - x) ** 2 + (p[a + 1] - y) ** 2 + (p[a + 2] - z) ** 2);
  }
  let longest = 0;
  for (let e = 0; e < 3; e++) {
    const a = at + 3 * e;
    const ax = p[a] - x;
    const ay = p[a + 1] - y;
    const az = p[a + 2] - z;
    const sx = p[a + ALONG];
    const sy = p[a + ALONG + 1];
    const sz = p[a + ALONG + 2];
    const length = p[at + LENGTH + e];
    longest = Math.max(longest, length);
    inner[e] = ax * p[a + ACROSS] + ay * p[a + ACROSS + 1] + az * p[a + ACROSS + 2];
    const from = ax * sx + ay * sy + az * sz;
    const to = from + length;
    const cx = ay * sz - az * sy;
    const cy = az * sx - ax * sz;
    const cz = ax * sy - ay * sx;
    const square = cx * cx + cy * cy + cz * cz;
    const begin = distance[e];
    const end = distance[(e + 1) % 3];
    // log((end + to) / (begin + from)) in the form that subtracts nothing.
    let log = 0;
    if (from > 0) log = Math.log((end + to) / (begin + from));
    else if (to < 0) log = Math.log((begin - from) / (end - to));
    else if (square > (TOUCHING.edge * length) ** 2) log = Math.log(((end + to) * (begin - from)) / square);
    logarithm[e] = log;
    mean[e] = 0.5 * (to * end - from * begin + square * log);
  }
  setSeen(p, at, at + 3, at + 6, x, y, z, corners);
  const { 0: ax, 1: ay, 2: az, 3: bx, 4: by, 5: bz, 6: cx, 7: cy, 8: cz } = corners;
  const ra = distance[0];
  const rb = distance[1];
  const rc = distance[2];
  const height = -(ax * p[at + NORMAL] + ay * p[at + NORMAL + 1] + az * p[at + NORMAL + 2]);
  seen[0] = height;
  seen[1] = 0;
  if (Math.abs(height) > TOUCHING.plane * longest) {
    // Van Oosterom and Strackee (1983).
    const ab = ax * bx + ay * by + az * bz;
    const bc = bx * cx + by * cy + bz * cz;
    const ca = cx * ax + cy * ay + cz * az;
    seen[1] = 2 * Math.atan2(double * height, ra * rb * rc + ab * rc + bc * ra + ca * rb);
  }
  const ofEdges = inner[0] * logarithm[0] + inner[1] * logarithm[1] + inner[2] * logarithm[2];
  seen[2] = ofEdges - height * seen[1];
  return true;
}

/** Single and double layer at the point; with isConstant those of the corners are left as they were. */
export function computePanelPotentials(
  panel: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  outPotential: Float64Array,
  isConstant = false,
): void {
  if (!seeEdges(panel, at, x, y, z)) {
    outPotential.fill(0, 0, POTENTIALS);
    return;
  }
  const { 0: height, 1: angle, 2: single } = seen;
  outPotential[0] = single;
  outPotential[4] = angle;
  if (isConstant) return;
  for (let i = 0; i < 3; i++) {
    const opposite = (i + 1) % 3;
    const slope = -panel[at + LENGTH + opposite] / panel[at + DOUBLE];
    const hat = -inner[opposite] * slope;
    // g_i . nu_e of the three edges, times what the edge adds.
    let ofMean = 0;
    let ofLogarithm = 0;
    for (let e = 0; e < 3; e++) {
      const cosine = slope * dotAcross(panel, at, opposite, e);
      ofMean += cosine * mean[e];
      ofLogarithm += cosine * logarithm[e];
    }
    outPotential[1 + i] = hat * single + ofMean;
    outPotential[5 + i] = hat * angle - height * ofLogarithm;
  }
}

function dotAcross(p: Float64Array, at: number, a: number, b: number): number {
  const i = at + ACROSS + 3 * a;
  const j = at + ACROSS + 3 * b;
  return p[i] * p[j] + p[i + 1] * p[j + 1] + p[i + 2] * p[j + 2];
}

/** Gradients of the single layer at the point. */
export function computePanelGradients(
  panel: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  outGradient: Float64Array,
): void {
  if (!seeEdges(panel, at, x, y, z)) {
    outGradient.fill(0, 0, GRADIENTS);
    return;
  }
  const { 0: height, 1: angle, 2: single } = seen;
  for (let k = 0; k < 3; k++) {
    let sum = -angle * panel[at + NORMAL + k];
    for (let e = 0; e < 3; e++) sum -= panel[at + ACROSS + 3 * e + k] * logarithm[e];
    outGradient[k] = sum;
  }
  for (let i = 0; i < 3; i++) {
    const opposite = (i + 1) % 3;
    const slope = -panel[at + LENGTH + opposite] / panel[at + DOUBLE];
    const hat = -inner[opposite] * slope;
    const to = 3 + 3 * i;
    let ofLogarithm = 0;
    for (let k = 0; k < 3; k++)
      outGradient[to + k] = hat * outGradient[k] + slope * single * panel[at + ACROSS + 3 * opposite + k];
    for (let e = 0; e < 3; e++) {
      const cosine = slope * dotAcross(panel, at, opposite, e);
      const sine = slope * dotAlong(panel, at, opposite, e);
      const part = cosine * inner[e] * logarithm[e] + sine * (distance[(e + 1) % 3] - distance[e]);
      ofLogarithm += cosine * logarithm[e];
      for (let k = 0; k < 3; k++) outGradient[to + k] -= panel[at + ACROSS + 3 * e + k] * part;
    }
    for (let k = 0; k < 3; k++) outGradient[to + k] += height * ofLogarithm * panel[at + NORMAL + k];
  }
}

/** nu of edge a . s of edge b */
function dotAlong(p: Float64Array, at: number, a: number, b: number): number {
  const i = at + ACROSS + 3 * a;
  const j = at + ALONG + 3 * b;
  return p[i] * p[j] + p[i + 1] * p[j + 1] + p[i + 2] * p[j + 2];
}
