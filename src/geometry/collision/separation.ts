/**
 * When do two primitives in linear motion first touch? The search behind continuous.ts, the same for vertex
 * against triangle and for edge against edge, because both ask whether the origin meets the hull of a few
 * difference vectors that move linearly:
 *
 *     vertex v, triangle abc:  v-a, v-b, v-c           edges ab, cd:  a-c, a-d, b-c, b-d
 *
 * Contact at t means that some convex combination of them (with product weights, for edges) vanishes. A span
 * of time [s, e] is free of contact if one of two certificates holds:
 *   1. a fixed direction n has n.d > 0 for every difference d at s and at e, hence by linearity at all times between;
 *   2. the cubic det(d0, d1, d2)(t), which is zero whenever the four points are coplanar, keeps its sign: all four of its Bernstein
 *      coefficients on [s, e] are on one side of zero.
 * Spans without a certificate are halved, the earlier half first. Certificate 2 settles motions that turn
 * close to each other (1 alone would need spans as short as gap / speed), 1 settles the coplanar instants and
 * whatever is flat or degenerate.
 *
 * Rounding. The differences are formed by one subtraction from given positions, so each has relative error u
 * = 2^-53 however far away the origin is, and both certificates are asked with a margin above the sum of all
 * their errors (constants below). So no contact is ever overlooked: a wrong direction or a bad root estimate
 * can only cost time. What is reported without being certain lies within CONTACT_REACH or SHORTEST_SPAN, or
 * ran out of MOST_SPANS. NaN and overflow fail every certificate and count as contact.
 *
 * The idea of spans with certificates follows Snyder 1992; Wang et al. 2021 ("tight inclusion") subdivide
 * time and both weights and certify by boxes. Directions need no subdivision of the weights, which makes ours
 * one-dimensional. Thesis [da-2017] 5.2 uses the parity test of Brochu et al. 2012 instead.
 */
import { DIRECTION_ERROR, difference, UNDERFLOW } from './apart.ts';
import { computeEdgeWeights, computeTriangleWeights, proximityVectors } from './proximity.ts';

/** Number of difference vectors: which of the two questions is asked. */
export const VERTEX_TRIANGLE = 3;
export const EDGE_EDGE = 4;

/** What findOpening answers when there is none. */
export const NEVER = -1;

/** Where the differences at time 1 begin. */
const END = 12;

/**
 * Margin of a Bernstein coefficient, in units of 6 reach_x reach_y reach_z. Determinants err by 8 u, their
 * means by 11 u, three levels of blending by 9 u more: under 20.2 u; 32 u is taken.
 */
const CUBIC_ERROR = 2 ** -48;

/**
 * Closer than this counts as touching; in units of the largest difference (between 1 and 2 after scaling).
 */
const CONTACT_REACH = 2 ** -44;
/** A span this short without a certificate counts as contact. */
const SHORTEST_SPAN = 2 ** -48;
/** Spans looked at before giving up and reporting contact: the bound on time (about 0.1 ms). */
const MOST_SPANS = 512;
const STACK_SIZE = 64;
/**
 * Cosine up to which a direction is made perpendicular to an edge: well above the errors of gaps beyond
 * CONTACT_REACH.
 */
const NEARLY = 1e-2;
/**
 * False position reaches the root's last bits in about 8 steps; more mean a multiple root, where the estimate
 * is of little use.
 */
const ROOT_STEPS = 16;
const ROOT_PRECISION = 2 ** -50;

const reach = new Float64Array(3);
const direction = new Float64Array(3);
const cubic = new Float64Array(4);
const spanCubic = new Float64Array(4);
const spanStart = new Float64Array(12);
const spanEnd = new Float64Array(12);
const middle = new Float64Array(12);
const weights = new Float64Array(3);
const stack = new Float64Array(STACK_SIZE);
const scaleValue = new Float64Array(1);
const scaleBits = new Int32Array(scaleValue.buffer);

/**
 * Spans examined by the last call of findOpening, and whether it ran out of them: for tests and benchmarks.
 */
export const searchReport = { spans: 0, isExhausted: false };

/**
 * Time of contact, or NEVER. With `wantsFirst` it is a lower bound of the first contact within SHORTEST_SPAN
 * of it; otherwise of any moment at which they touch, found sooner.
 */
export function findOpening(count: number, wantsFirst: boolean): number {
  searchReport.spans = 0;
  searchReport.isExhausted = false;
  if (!scaleDifferences(count)) return 0;
  setReach(count);
  setCubic();
  setClosest(difference, count); // the first direction to try
  let s = 0;
  let e = 1;
  let waiting = 0;
  let hasTouch = false;
  for (;;) {
    if (searchReport.spans === MOST_SPANS) {
      searchReport.isExhausted = true;
      return s;
    }
    searchReport.spans++;
    if (isSpanFree(s, e, count)) {
      if (waiting === 0) return hasTouch ? e : NEVER;
      s = e;
      e = stack[--waiting];
      continue;
    }
    const touch = findTouch(s, e, count);
    if (touch >= 0) {
      if (!wantsFirst) return touch;
      // What comes later than a moment of contact is of no interest: the search ends there at the latest.
      hasTouch = true;
      waiting = 0;
      if (touch <= s) return s;
      e = touch;
    }
    if (e - s <= SHORTEST_SPAN) return s;
    stack[waiting++] = e;
    e = s + 0.5 * (e - s);
  }
}

/** Largest absolute difference per axis. */
function setReach(count: number): void {
  const d = difference;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let i = 0; i < 3 * count; i += 3) {
    x = Math.max(x, Math.abs(d[i]), Math.abs(d[END + i]));
    y = Math.max(y, Math.abs(d[i + 1]), Math.abs(d[END + i + 1]));
    z = Math.max(z, Math.abs(d[i + 2]), Math.abs(d[END + i + 2]));
  }
  reach[0] = x + UNDERFLOW;
  reach[1] = y + UNDERFLOW;
  reach[2] = z + UNDERFLOW;
}

/**
 * Scales by a power of two to a largest difference in [1, 2). False if that cannot be: all zero, NaN, or out
 * of range.
 */
function scaleDifferences(count: number): boolean {
  setReach(count);
  const largest = Math.max(reach[0], reach[1], reach[2]);
  if (!(largest > 2 ** -900 && largest < 2 ** 1000)) return false;
  scaleValue[0] = largest;
  // The high word holds the exponent (little-endian, as WebAssembly is everywhere).
  const exponent = ((scaleBits[1] >>> 20) & 0x7ff) - 1023;
  scaleBits[0] = 0;
  scaleBits[1] = (1023 - exponent) << 20;
  const scale = scaleValue[0];
  for (let i = 0; i < 3 * count; i++) {
    difference[i] *= scale;
    difference[END + i] *= scale;
  }
  return true;
}

/**
 * Certificate 1 for `direction` and the differences at two times. NaN passes through min and max and fails.
 */
function directionSeparates(
  p: Float64Array,
  pStart: number,
  q: Float64Array,
  qStart: number,
  count: number,
): boolean {
  const { 0: nx, 1: ny, 2: nz } = direction;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < 3 * count; i += 3) {
    const atStart = nx * p[pStart + i] + ny * p[pStart + i + 1] + nz * p[pStart + i + 2];
    const atEnd = nx * q[qStart + i] + ny * q[qStart + i + 1] + nz * q[qStart + i + 2];
    low = Math.min(low, atStart, atEnd);
    high = Math.max(high, atStart, atEnd);
  }
  const error =
    DIRECTION_ERROR * (Math.abs(nx) * reach[0] + Math.abs(ny) * reach[1] + Math.abs(nz) * reach[2]) +
    UNDERFLOW;
  return low > error || high < -error;
}

/** Normal of the triangle, or common normal of the edges, into `direction`: not of unit length. */
function setNormal(d: Float64Array, o: number, count: number): void {
  // d0 - d1 and d0 - d2 are b - a and c - a, or d - c and a - b; for edges d2 - d0 = b - a.
  const i = count === EDGE_EDGE ? 6 : 3;
  const j = count === EDGE_EDGE ? 3 : 6;
  const ux = d[o + i] - d[o];
  const uy = d[o + i + 1] - d[o + 1];
  const uz = d[o + i + 2] - d[o + 2];
  const wx = d[o + j] - d[o];
  const wy = d[o + j + 1] - d[o + 1];
  const wz = d[o + j + 2] - d[o + 2];
  direction[0] = uy * wz - uz * wy;
  direction[1] = uz * wx - ux * wz;
  direction[2] = ux * wy - uy * wx;
}

function determinant(p: number, q: number, r: number): number {
  const d = difference;
  return (
    d[p] * (d[q + 1] * d[r + 2] - d[q + 2] * d[r + 1]) +
    d[p + 1] * (d[q + 2] * d[r] - d[q] * d[r + 2]) +
    d[p + 2] * (d[q] * d[r + 1] - d[q + 1] * d[r])
  );
}

/**
 * Bernstein coefficients over [0, 1] of det(d0, d1, d2). For edges it is det(a - c, c - d, b - a) up to sign.
 */
function setCubic(): void {
  cubic[0] = determinant(0, 3, 6);
  cubic[1] = (determinant(END, 3, 6) + determinant(0, END + 3, 6) + determinant(0, 3, END + 6)) / 3;
  cubic[2] =
    (determinant(END, END + 3, 6) + determinant(END, 3, END + 6) + determinant(0, END + 3, END + 6)) / 3;
  cubic[3] = determinant(END, END + 3, END + 6);
}

/** Certificate 2, by the blossom of the cubic at (s,s,s), (s,s,e), (s,e,e), (e,e,e). */
function cubicSeparates(s: number, e: number): boolean {
  const rs = 1 - s;
  const re = 1 - e;
  const s0 = rs * cubic[0] + s * cubic[1];
  const s1 = rs * cubic[1] + s * cubic[2];
  const s2 = rs * cubic[2] + s * cubic[3];
  const e0 = re * cubic[0] + e * cubic[1];
  const e1 = re * cubic[1] + e * cubic[2];
  const e2 = re * cubic[2] + e * cubic[3];
  const ss0 = rs * s0 + s * s1;
  const ss1 = rs * s1 + s * s2;
  const se0 = re * s0 + e * s1;
  const se1 = re * s1 + e * s2;
  const ee0 = re * e0 + e * e1;
  const ee1 = re * e1 + e * e2;
  const c0 = rs * ss0 + s * ss1;
  const c1 = re * ss0 + e * ss1;
  const c2 = re * se0 + e * se1;
  const c3 = re * ee0 + e * ee1;
  spanCubic[0] = c0;
  spanCubic[1] = c1;
  spanCubic[2] = c2;
  spanCubic[3] = c3;
  const error = CUBIC_ERROR * (6 * reach[0] * reach[1] * reach[2]) + UNDERFLOW;
  return Math.min(c0, c1, c2, c3) > error || Math.max(c0, c1, c2, c3) < -error;
}

/** The differences at time t. */
function blend(t: number, count: number, out: Float64Array): void {
  const r = 1 - t;
  for (let i = 0; i < 3 * count; i++) out[i] = r * difference[i] + t * difference[END + i];
}

/** Squared gap at the differences d; the vector of that gap becomes `direction`, its weights `weights`. */
function setClosest(d: Float64Array, count: number): number {
  const p = proximityVectors;
  if (count === VERTEX_TRIANGLE) {
    for (let k = 0; k < 3; k++) {
      p[k] = d[k] - d[3 + k];
      p[3 + k] = d[k] - d[6 + k];
      p[6 + k] = d[k];
    }
    const gap2 = computeTriangleWeights(weights);
    for (let k = 0; k < 3; k++) direction[k] = d[k] - weights[1] * p[k] - weights[2] * p[3 + k];
    return gap2;
  }
  for (let k = 0; k < 3; k++) {
    p[k] = d[6 + k] - d[k];
    p[3 + k] = d[k] - d[3 + k];
    p[6 + k] = d[k];
  }
  const gap2 = computeEdgeWeights(weights);
  for (let k = 0; k < 3; k++) direction[k] = d[k] + weights[0] * p[k] - weights[1] * p[3 + k];
  return gap2;
}

/**
 * Does a certificate hold over [s, e]? First the direction of the last success, then the cubic, then the
 * gap's direction half-way.
 */
function isSpanFree(s: number, e: number, count: number): boolean {
  if (cubicSeparates(s, e)) return true;
  blend(s, count, spanStart);
  blend(e, count, spanEnd);
  if (directionSeparates(spanStart, 0, spanEnd, 0, count)) return true;
  for (let i = 0; i < 3 * count; i++) middle[i] = 0.5 * (spanStart[i] + spanEnd[i]);
  setClosest(middle, count);
  if (directionSeparates(spanStart, 0, spanEnd, 0, count)) return true;
  refineDirection(count);
  return directionSeparates(spanStart, 0, spanEnd, 0, count);
}

/**
 * Makes the gap's vector perpendicular to those edges of the primitives that it nearly is perpendicular to,
 * as it would be without rounding. A gap g comes as a small difference of vectors of size L, so its angle
 * errs by u L / g, and a direction that separates may err by g / L only: without this, nothing below L
 * sqrt(u) would ever be told from contact.
 */
function refineDirection(count: number): void {
  const p = proximityVectors;
  let ux = p[0];
  let uy = p[1];
  let uz = p[2];
  let wx = p[3];
  let wy = p[4];
  let wz = p[5];
  let hasU = isNearlyPerpendicular(ux, uy, uz);
  let hasW = isNearlyPerpendicular(wx, wy, wz);
  if (count === VERTEX_TRIANGLE && hasU !== hasW) {
    // The third edge takes the free place: u stays or becomes w - u.
    if (hasU) {
      wx -= ux;
      wy -= uy;
      wz -= uz;
      hasW = isNearlyPerpendicular(wx, wy, wz);
    } else {
      ux = wx - ux;
      uy = wy - uy;
      uz = wz - uz;
      hasU = isNearlyPerpendicular(ux, uy, uz);
    }
  } else if (count === VERTEX_TRIANGLE && !hasU) {
    ux = wx - ux;
    uy = wy - uy;
    uz = wz - uz;
    hasU = isNearlyPerpendicular(ux, uy, uz);
  }
  if (hasU) removeComponent(ux, uy, uz);
  if (!hasW) return;
  const u2 = ux * ux + uy * uy + uz * uz;
  if (hasU && u2 > 0) {
    const along = (wx * ux + wy * uy + wz * uz) / u2;
    wx -= along * ux;
    wy -= along * uy;
    wz -= along * uz;
  }
  removeComponent(wx, wy, wz);
}

function isNearlyPerpendicular(x: number, y: number, z: number): boolean {
  const { 0: nx, 1: ny, 2: nz } = direction;
  const along = nx * x + ny * y + nz * z;
  return along * along <= NEARLY * NEARLY * (nx * nx + ny * ny + nz * nz) * (x * x + y * y + z * z);
}

/** Makes `direction` perpendicular to the given vector. */
function removeComponent(x: number, y: number, z: number): void {
  const length2 = x * x + y * y + z * z;
  if (!(length2 > 0)) return;
  const along = (direction[0] * x + direction[1] * y + direction[2] * z) / length2;
  direction[0] -= along * x;
  direction[1] -= along * y;
  direction[2] -= along * z;
}

/** A time in [s, e] at which they touch, within CONTACT_REACH; NEVER if none of the likely ones does. */
function findTouch(s: number, e: number, count: number): number {
  const half = s + 0.5 * (e - s);
  if (setClosest(middle, count) <= CONTACT_REACH * CONTACT_REACH) return half;
  const c0 = spanCubic[0];
  const c1 = spanCubic[1];
  const c2 = spanCubic[2];
  const c3 = spanCubic[3];
  if (c0 > 0 === c3 > 0) return NEVER;
  // Root of the span's cubic by the Illinois variant of false position.
  let low = 0;
  let high = 1;
  let atLow = c0;
  let atHigh = c3;
  let root = 0.5;
  for (let step = 0; step < ROOT_STEPS; step++) {
    const x = low + (high - low) * (atLow / (atLow - atHigh));
    const isClose = Math.abs(x - root) <= ROOT_PRECISION;
    root = x;
    if (isClose) break;
    const r = 1 - x;
    const value = r * r * r * c0 + 3 * r * r * x * c1 + 3 * r * x * x * c2 + x * x * x * c3;
    if (value === 0) break;
    if (value > 0 === atLow > 0) {
      low = x;
      atLow = value;
      atHigh *= 0.5;
    } else {
      high = x;
      atHigh = value;
      atLow *= 0.5;
    }
  }
  const t = s + (e - s) * root;
  if (!(t >= s && t <= e)) return NEVER;
  blend(t, count, middle);
  return setClosest(middle, count) <= CONTACT_REACH * CONTACT_REACH ? t : NEVER;
}

/** The configuration at a time, for the differences of the last findOpening: see continuous.ts. */
export const contact = { weights, gap: new Float64Array(3), normal: direction };

/** Weights of the closest points, their gap, and the normal at time t, into `contact`. */
export function setContact(t: number, count: number): void {
  blend(t, count, middle);
  setClosest(middle, count);
  contact.gap.set(direction);
  setNormal(middle, 0, count);
}

/** End minus start of the difference between the two contact points, at constant `contact.weights`. */
export function setContactMotion(count: number, outMotion: Float64Array): void {
  const w = weights;
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const factor =
        count === VERTEX_TRIANGLE ? w[i] : (i < 2 ? 1 - w[0] : w[0]) * (i % 2 === 0 ? 1 - w[1] : w[1]);
      sum += factor * (difference[END + 3 * i + k] - difference[3 * i + k]);
    }
    outMotion[k] = sum;
  }
}
