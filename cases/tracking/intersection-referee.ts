/**
 * The referee of surface tracking: all pairs of triangles of a mesh that meet in more than the vertices they
 * share. It shares no code and no arithmetic with the tracker: own grid, own float filter with error bounds,
 * and for what the filter leaves open exact clipping in BigInt fractions. The mesh may be non-manifold, open,
 * flat in parts; touching counts as meeting. Triangles without area are listed, and tested against those with
 * area.
 *
 * Method per pair: clip triangle U to the plane of T and to its three sides, and look whether a point is left
 * that is not shared. Cost: linear in the triangles for meshes of about even size; a pair costs 0.1 us by
 * filter, about 50 us exactly.
 */

export interface IntersectionReport {
  /** Triangle ids of each intersecting pair, in order; at most `limit` of them. */
  readonly pairs: [number, number][];
  /** All intersecting pairs counted. */
  readonly count: number;
  /** Triangles without area. */
  readonly flat: number[];
  /** Pairs whose boxes overlap, and those of them that needed exact arithmetic. */
  readonly tested: number;
  readonly exact: number;
}

/** Relative error of a sum of three products of differences, generously: below 8 x 2^-53. */
const DOT_ERROR = 1e-15;
/** The same for a determinant of differences: below 16 x 2^-53. */
const DETERMINANT_ERROR = 4e-15;
/** Cell edge over the mean extent of the triangles' boxes. */
const CELL_FACTOR = 1.5;
/** Cells along the largest triangle, at most. */
const MOST_CELLS_ACROSS = 64;

export function findMeshIntersections(
  position: Float64Array,
  triangle: Int32Array | Uint32Array,
  limit = 16,
): IntersectionReport {
  const pairs: [number, number][] = [];
  const referee = new PairReferee(position, triangle);
  const flat: number[] = [];
  for (let t = 0; t < triangle.length / 3; t++) if (referee.isFlat(t)) flat.push(t);
  let count = 0;
  let tested = 0;
  forEachBoxPair(position, triangle, (t, u) => {
    tested++;
    if (!referee.meet(t, u)) return;
    count++;
    pairs.push([t, u]);
  });
  pairs.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  return { pairs: pairs.slice(0, limit), count, flat, tested, exact: referee.exact };
}

/**
 * Calls back once for each pair t < u whose boxes overlap. A pair is met in the cell that holds the least
 * corner of its common box.
 */
function forEachBoxPair(
  position: Float64Array,
  triangle: Int32Array | Uint32Array,
  visit: (t: number, u: number) => void,
): void {
  const count = triangle.length / 3;
  const box = new Float64Array(6 * count);
  const origin = [Infinity, Infinity, Infinity];
  const end = [-Infinity, -Infinity, -Infinity];
  let sum = 0;
  let largest = 0;
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const a = position[3 * triangle[3 * t] + k];
      const b = position[3 * triangle[3 * t + 1] + k];
      const c = position[3 * triangle[3 * t + 2] + k];
      const low = Math.min(a, b, c);
      const high = Math.max(a, b, c);
      box[6 * t + k] = low;
      box[6 * t + 3 + k] = high;
      origin[k] = Math.min(origin[k], low);
      end[k] = Math.max(end[k], high);
      sum += high - low;
      largest = Math.max(largest, high - low);
    }
  }
  const cell = Math.max((CELL_FACTOR * sum) / (3 * count), largest / MOST_CELLS_ACROSS) || 1;
  const find = (x: number, k: number) => Math.floor((x - origin[k]) / cell);
  const rows = find(end[1], 1) + 1;
  const columns = find(end[2], 2) + 1;
  const cells = new Map<number, number[]>();
  for (let t = 0; t < count; t++) {
    const i1 = find(box[6 * t + 3], 0);
    const j1 = find(box[6 * t + 4], 1);
    const k1 = find(box[6 * t + 5], 2);
    for (let i = find(box[6 * t], 0); i <= i1; i++)
      for (let j = find(box[6 * t + 1], 1); j <= j1; j++)
        for (let k = find(box[6 * t + 2], 2); k <= k1; k++) {
          const key = (i * rows + j) * columns + k;
          const list = cells.get(key);
          if (list) list.push(t);
          else cells.set(key, [t]);
        }
  }
  for (const [key, list] of cells) {
    for (let m = 0; m < list.length; m++) {
      const t = 6 * list[m];
      for (let n = m + 1; n < list.length; n++) {
        const u = 6 * list[n];
        const x = Math.max(box[t], box[u]);
        const y = Math.max(box[t + 1], box[u + 1]);
        const z = Math.max(box[t + 2], box[u + 2]);
        if (x > Math.min(box[t + 3], box[u + 3])) continue;
        if (y > Math.min(box[t + 4], box[u + 4])) continue;
        if (z > Math.min(box[t + 5], box[u + 5])) continue;
        if ((find(x, 0) * rows + find(y, 1)) * columns + find(z, 2) !== key) continue;
        visit(list[m], list[n]);
      }
    }
  }
}

/** A point x / w with w > 0. */
interface Point {
  readonly x: readonly [bigint, bigint, bigint];
  readonly w: bigint;
}
type Whole = readonly [bigint, bigint, bigint];

class PairReferee {
  exact = 0;

  constructor(
    private readonly position: Float64Array,
    private readonly triangle: Int32Array | Uint32Array,
  ) {}

  isFlat(t: number): boolean {
    const [a, b, c] = this.corners(t);
    const n = this.floatNormal(a, b, c);
    if (n.some((x, k) => Math.abs(x) > n[3 + k])) return false;
    const [pa, pb, pc] = toWhole(this.position, [a, b, c]);
    return cross(minus(pb, pa), minus(pc, pa)).every((x) => x === 0n);
  }

  meet(t: number, u: number): boolean {
    const first = this.corners(t);
    const second = this.corners(u);
    const shared = first.filter((v) => second.includes(v));
    if (shared.length === 3) return true;
    const ownT = first.filter((v) => !shared.includes(v));
    const ownU = second.filter((v) => !shared.includes(v));
    if (this.isSeparated(first, second, shared, ownT, ownU)) return false;
    this.exact++;
    const points = toWhole(this.position, [...first, ...second]);
    const sharedPoints = shared.map((v) => points[first.indexOf(v)]);
    const left = isLine(points[0], points[1], points[2])
      ? clipTriangle(points.slice(3), points.slice(0, 3))
      : clipTriangle(points.slice(0, 3), points.slice(3));
    return left.some((p) => !isShared(p, sharedPoints));
  }

  private corners(t: number): number[] {
    return [this.triangle[3 * t], this.triangle[3 * t + 1], this.triangle[3 * t + 2]];
  }

  /** Float filter: true only if they certainly meet in nothing but what they share. */
  private isSeparated(
    first: number[],
    second: number[],
    shared: number[],
    ownT: number[],
    ownU: number[],
  ): boolean {
    // All that is not shared strictly on one side of the other's plane.
    if (this.isOneSided(first, ownU) || this.isOneSided(second, ownT)) return true;
    if (shared.length === 2) return this.isUnfolded(shared[0], shared[1], ownT[0], ownU[0]);
    if (shared.length === 1) {
      const from = shared[0];
      const m = [0, 1, 2].map((k) => this.mean(ownU, k) - this.mean(ownT, k));
      return this.isParted(m, from, ownT, ownU) || this.isPartedByCorner(from, ownT, ownU);
    }
    const m = [0, 1, 2].map((k) => this.mean(second, k) - this.mean(first, k));
    return this.isPartedAnywhere(m, first, second);
  }

  private mean(vertices: number[], k: number): number {
    let sum = 0;
    for (const v of vertices) sum += this.position[3 * v + k];
    return sum / vertices.length;
  }

  /** Normal of abc and, from index 3, bounds of the errors of its entries. */
  private floatNormal(a: number, b: number, c: number): number[] {
    return this.sizedNormal(a, b, c).map((x, k) => (k < 3 ? x : DOT_ERROR * x));
  }

  /** Normal of abc and, from index 3, the sum of the sizes of the products in each entry. */
  private sizedNormal(a: number, b: number, c: number): number[] {
    const p = this.position;
    const u = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]);
    const w = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k]);
    const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    const size = (i: number, j: number) => Math.abs(u[i] * w[j]) + Math.abs(u[j] * w[i]);
    return [...n, size(1, 2), size(2, 0), size(0, 1)];
  }

  private isOneSided(plane: number[], vertices: number[]): boolean {
    const p = this.position;
    const [a, b, c] = plane;
    const [nx, ny, nz, mx, my, mz] = this.sizedNormal(a, b, c);
    let side = 0;
    for (const v of vertices) {
      const x = p[3 * v] - p[3 * a];
      const y = p[3 * v + 1] - p[3 * a + 1];
      const z = p[3 * v + 2] - p[3 * a + 2];
      const value = nx * x + ny * y + nz * z;
      const error = DETERMINANT_ERROR * (mx * Math.abs(x) + my * Math.abs(y) + mz * Math.abs(z));
      if (!(Math.abs(value) > error)) return false;
      const sign = value > 0 ? 1 : -1;
      if (side === -sign) return false;
      side = sign;
    }
    return side !== 0;
  }

  /** Around the common edge pq the triangles open by more than a right angle. */
  private isUnfolded(p: number, q: number, r: number, s: number): boolean {
    const m = this.floatNormal(p, q, r);
    const n = this.floatNormal(p, q, s);
    const value = m[0] * n[0] + m[1] * n[1] + m[2] * n[2];
    let error = 0;
    for (let k = 0; k < 3; k++) {
      error += Math.abs(m[k]) * n[3 + k] + Math.abs(n[k]) * m[3 + k] + m[3 + k] * n[3 + k];
      error += DOT_ERROR * Math.abs(m[k] * n[k]);
    }
    return value < -2 * error;
  }

  /**
   * The plane through vertex `from` with normal m has the one triangle strictly before and the other strictly
   * behind it.
   */
  private isParted(m: number[], from: number, before: number[], behind: number[]): boolean {
    return this.isAhead(m, from, behind, 1) && this.isAhead(m, from, before, -1);
  }

  private isAhead(m: number[], from: number, vertices: number[], side: number): boolean {
    const p = this.position;
    for (const v of vertices) {
      let value = 0;
      let error = 0;
      for (let k = 0; k < 3; k++) {
        const product = m[k] * (p[3 * v + k] - p[3 * from + k]);
        value += product;
        error += Math.abs(product);
      }
      if (!(side * value > DOT_ERROR * error)) return false;
    }
    return true;
  }

  /**
   * The same with the difference of the two bisectors of the corners at `from`: right for neighbours in a
   * flat fan.
   */
  private isPartedByCorner(from: number, ownT: number[], ownU: number[]): boolean {
    const p = this.position;
    const unit = (v: number) => {
      const d = [0, 1, 2].map((k) => p[3 * v + k] - p[3 * from + k]);
      const length = Math.hypot(...d);
      return d.map((x) => x / length);
    };
    const t = ownT.map(unit);
    const u = ownU.map(unit);
    const m = [0, 1, 2].map((k) => u[0][k] + u[1][k] - t[0][k] - t[1][k]);
    return this.isParted(m, from, ownT, ownU);
  }

  /** Every vertex of the second is strictly ahead of every vertex of the first. */
  private isPartedAnywhere(m: number[], first: number[], second: number[]): boolean {
    return first.every((v) => this.isAhead(m, v, second, 1));
  }
}

const words = new DataView(new ArrayBuffer(8));

/** The vertices' coordinates as integers, all scaled by one power of two. */
function toWhole(position: Float64Array, vertices: number[]): Whole[] {
  const parts = vertices.flatMap((v) =>
    [0, 1, 2].map((k): [bigint, number] => {
      words.setFloat64(0, position[3 * v + k]);
      const bits = words.getBigUint64(0);
      const field = Number((bits >> 52n) & 0x7ffn);
      const fraction = bits & 0xfffffffffffffn;
      const mantissa = field === 0 ? fraction : fraction | 0x10000000000000n;
      return [bits >> 63n ? -mantissa : mantissa, field === 0 ? 1 : field];
    }),
  );
  const least = Math.min(...parts.map(([m, e]) => (m === 0n ? 4096 : e)));
  const whole = parts.map(([m, e]) => (m === 0n ? 0n : m << BigInt(e - least)));
  return vertices.map((_, i): Whole => [whole[3 * i], whole[3 * i + 1], whole[3 * i + 2]]);
}

const minus = (p: Whole, q: Whole): Whole => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const dot = (p: Whole, q: Whole): bigint => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p: Whole, q: Whole): Whole => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];
const isLine = (a: Whole, b: Whole, c: Whole) => cross(minus(b, a), minus(c, a)).every((x) => x === 0n);

/** n . (p - a), times p.w > 0. */
const height = (p: Point, n: Whole, a: Whole): bigint => dot(n, p.x) - p.w * dot(n, a);

/** What is left of a closed polygon where n . (p - a) >= 0. */
function clip(polygon: Point[], n: Whole, a: Whole): Point[] {
  const left: Point[] = [];
  for (let i = 0; i < polygon.length; i++) {
    const p = polygon[i];
    const q = polygon[(i + 1) % polygon.length];
    const hp = height(p, n, a);
    const hq = height(q, n, a);
    if (hp >= 0n) left.push(p);
    if ((hp > 0n && hq < 0n) || (hp < 0n && hq > 0n)) {
      // p / p.w and q / q.w weighted by the other's distance; heights carry their own w already.
      const s = hq > 0n ? hq : -hq;
      const t = hp > 0n ? hp : -hp;
      left.push({
        x: [s * p.x[0] + t * q.x[0], s * p.x[1] + t * q.x[1], s * p.x[2] + t * q.x[2]],
        w: s * p.w + t * q.w,
      });
    }
  }
  return left;
}

/** The corners of the part of triangle U that lies on triangle T; T has area unless both have none. */
function clipTriangle(t: Whole[], u: Whole[]): Point[] {
  const n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  if (n.every((x) => x === 0n)) return [];
  const reverse: Whole = [-n[0], -n[1], -n[2]];
  let polygon: Point[] = u.map((x) => ({ x, w: 1n }));
  polygon = clip(clip(polygon, n, t[0]), reverse, t[0]);
  for (let i = 0; i < 3; i++) {
    const inward = cross(n, minus(t[(i + 1) % 3], t[i]));
    polygon = clip(polygon, inward, t[i]);
  }
  return polygon;
}

/** Is p the shared vertex, or on the shared edge? */
function isShared(p: Point, shared: Whole[]): boolean {
  if (shared.length === 0) return false;
  const d: Whole = [p.x[0] - p.w * shared[0][0], p.x[1] - p.w * shared[0][1], p.x[2] - p.w * shared[0][2]];
  if (shared.length === 1) return d.every((x) => x === 0n);
  return cross(d, minus(shared[1], shared[0])).every((x) => x === 0n);
}
