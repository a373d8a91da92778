/**
 * Triangles of a wanted size in a convex polygon whose boundary is given and stays: points of a hexagonal
 * lattice inside, joined by Delaunay's rule (Lawson 1977) and relaxed. Every triangulation on the way is
 * valid, with triangles of positive area, so that rounding can cost quality but never validity. Cost:
 * quadratic in the points of one polygon with a small factor (points find their triangle by search).
 */
import { NONE } from '../../../core/types.ts';

/** Inner points keep this distance from the boundary, in wanted edges. */
const MARGIN = 0.55;
/**
 * The lattice is turned and shifted by amounts that have nothing to do with the polygon, so that points do
 * not fall on edges.
 */
const TURN = 0.1234;
const SHIFT = [0.0137, 0.0071] as const;
/** Least share of a triangle that each of the three made from it gets, when a point is put into it. */
const LEAST_SHARE = 1e-7;
const RELAXATIONS = 6;
/** Twice the area below which a triangle of the result is not made, in squared wanted edges. */
const LEAST_AREA = 1e-12;

/** Boundary points first, then inner ones. */
export interface PolygonMesh {
  /** (points x 2) */
  readonly point: number[];
  /** (triangles x 3), counter-clockwise like the boundary */
  readonly triangle: number[];
}

/**
 * Triangulates a convex polygon with corners (count x 2) counter-clockwise, several of which may lie on one
 * side.
 */
export function triangulatePolygon(boundary: readonly number[], edge: number): PolygonMesh | undefined {
  const inner = findLatticePoints(boundary, edge);
  if (inner.length === 0) {
    const ears = cutEars(boundary, LEAST_AREA * edge * edge);
    if (ears) return { point: [...boundary], triangle: ears };
    inner.push(...computeMiddle(boundary));
  }
  const mesh = new PlanarMesh(boundary, inner[0], inner[1], LEAST_AREA * edge * edge);
  if (!mesh.isValid) return undefined;
  mesh.legaliseAll();
  for (let n = 2; n < inner.length; n += 2) mesh.insert(inner[n], inner[n + 1]);
  for (let n = 0; n < RELAXATIONS; n++) {
    mesh.relax();
    mesh.legaliseAll();
  }
  return { point: mesh.point, triangle: mesh.triangle };
}

function computeMiddle(p: readonly number[]): [number, number] {
  let [x, y, area] = [0, 0, 0];
  for (let i = 0; i < p.length; i += 2) {
    const j = (i + 2) % p.length;
    // About the first corner, to lose no digits far from the origin.
    const [ax, ay, bx, by] = [p[i] - p[0], p[i + 1] - p[1], p[j] - p[0], p[j + 1] - p[1]];
    const w = ax * by - ay * bx;
    x += w * (ax + bx);
    y += w * (ay + by);
    area += 3 * w;
  }
  return [p[0] + x / area, p[1] + y / area];
}

/** Lattice points well inside, the one nearest the middle first. */
function findLatticePoints(p: readonly number[], edge: number): number[] {
  const [mx, my] = computeMiddle(p);
  let reach = 0;
  for (let i = 0; i < p.length; i += 2) reach = Math.max(reach, Math.hypot(p[i] - mx, p[i + 1] - my));
  const sides = listSides(p);
  const [c, s] = [Math.cos(TURN), Math.sin(TURN)];
  const rows = Math.ceil(reach / edge / Math.sqrt(0.75)) + 1;
  const columns = Math.ceil(reach / edge) + 2;
  const found: number[] = [];
  for (let j = -rows; j <= rows; j++) {
    for (let i = -columns; i <= columns; i++) {
      const u = edge * (i + (j & 1) / 2 + SHIFT[0]);
      const v = edge * (j * Math.sqrt(0.75) + SHIFT[1]);
      const [x, y] = [mx + c * u - s * v, my + s * u + c * v];
      if (sides.every(([ax, ay, nx, ny]) => (x - ax) * nx + (y - ay) * ny >= MARGIN * edge)) {
        if (i === 0 && j === 0) found.unshift(x, y);
        else found.push(x, y);
      }
    }
  }
  return found;
}

/** A point and the inward unit normal of every side. */
function listSides(p: readonly number[]): [number, number, number, number][] {
  const sides: [number, number, number, number][] = [];
  for (let i = 0; i < p.length; i += 2) {
    const j = (i + 2) % p.length;
    const [dx, dy] = [p[j] - p[i], p[j + 1] - p[i + 1]];
    const length = Math.hypot(dx, dy);
    if (length > 0) sides.push([p[i], p[i + 1], -dy / length, dx / length]);
  }
  return sides;
}

const cross = (p: readonly number[], a: number, b: number, c: number): number =>
  (p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) -
  (p[2 * b + 1] - p[2 * a + 1]) * (p[2 * c] - p[2 * a]);

/**
 * Triangles without inner points, best corner first; undefined where corners on one side leave no such way.
 */
function cutEars(p: readonly number[], leastArea: number): number[] | undefined {
  const loop = Array.from({ length: p.length / 2 }, (_, i) => i);
  const triangles: number[] = [];
  while (loop.length > 3) {
    let best = NONE;
    let quality = 0;
    for (let i = 0; i < loop.length; i++) {
      const [a, b, c] = [loop[(i + loop.length - 1) % loop.length], loop[i], loop[(i + 1) % loop.length]];
      const rest = loop.filter((v) => v !== b);
      if (cross(p, a, b, c) <= leastArea || measureLoop(p, rest) <= leastArea) continue;
      const q = measureQuality(p, a, b, c);
      if (q > quality) [best, quality] = [i, q];
    }
    if (best === NONE) return undefined;
    const n = loop.length;
    triangles.push(loop[(best + n - 1) % n], loop[best], loop[(best + 1) % n]);
    loop.splice(best, 1);
  }
  if (cross(p, loop[0], loop[1], loop[2]) <= leastArea) return undefined;
  return [...triangles, ...loop];
}

/** Twice the area of a loop. */
function measureLoop(p: readonly number[], loop: readonly number[]): number {
  let area = 0;
  for (let i = 1; i + 1 < loop.length; i++) area += cross(p, loop[0], loop[i], loop[i + 1]);
  return area;
}

/** Area over squared edges: 0 for slivers. */
function measureQuality(p: readonly number[], a: number, b: number, c: number): number {
  const square = (i: number, j: number) => (p[2 * i] - p[2 * j]) ** 2 + (p[2 * i + 1] - p[2 * j + 1]) ** 2;
  return cross(p, a, b, c) / (square(a, b) + square(b, c) + square(c, a));
}

/**
 * Triangles with neighbours: neighbour[3t + i] lies across the side opposite corner i, NONE at the boundary.
 */
class PlanarMesh {
  readonly point: number[];
  readonly triangle: number[] = [];
  readonly isValid: boolean;
  private readonly neighbour: number[] = [];
  private readonly boundaryCount: number;

  /** A fan about (x, y). */
  constructor(
    boundary: readonly number[],
    x: number,
    y: number,
    private readonly leastArea: number,
  ) {
    const n = boundary.length / 2;
    this.point = [...boundary, x, y];
    this.boundaryCount = n;
    let isValid = true;
    for (let i = 0; i < n; i++) {
      this.triangle.push(n, i, (i + 1) % n);
      this.neighbour.push(NONE, (i + 1) % n, (i + n - 1) % n);
      if (cross(this.point, n, i, (i + 1) % n) <= leastArea) isValid = false;
    }
    this.isValid = isValid;
  }

  /** Puts a point into the triangle that holds it; leaves it out where it would come to lie on an edge. */
  insert(x: number, y: number): void {
    const { point, triangle, neighbour } = this;
    const v = point.push(x, y) / 2 - 1;
    for (let t = 0; 3 * t < triangle.length; t++) {
      const [a, b, c] = [triangle[3 * t], triangle[3 * t + 1], triangle[3 * t + 2]];
      const least = LEAST_SHARE * cross(point, a, b, c);
      if (cross(point, v, a, b) <= least || cross(point, v, b, c) <= least || cross(point, v, c, a) <= least)
        continue;
      const [na, nb, nc] = [neighbour[3 * t], neighbour[3 * t + 1], neighbour[3 * t + 2]];
      const [t1, t2] = [triangle.length / 3, triangle.length / 3 + 1];
      this.setTriangle(t, v, a, b, nc, t1, t2);
      this.setTriangle(t1, v, b, c, na, t2, t);
      this.setTriangle(t2, v, c, a, nb, t, t1);
      this.replaceNeighbour(na, t, t1);
      this.replaceNeighbour(nb, t, t2);
      for (const u of [t, t1, t2]) this.legalise(3 * u);
      return;
    }
    point.length -= 2;
  }

  legaliseAll(): void {
    for (let c = 0; c < this.triangle.length; c++) this.legalise(c);
  }

  /**
   * Moves every inner point to the middle of its neighbours, as far as no triangle loses more than it can.
   */
  relax(): void {
    const { point, triangle } = this;
    const count = point.length / 2;
    const sum = new Float64Array(3 * count);
    for (let c = 0; c < triangle.length; c++) {
      const [v, w] = [triangle[c], triangle[c % 3 === 2 ? c - 2 : c + 1]];
      sum[3 * v] += point[2 * w];
      sum[3 * v + 1] += point[2 * w + 1];
      sum[3 * v + 2]++;
    }
    const fan = this.listTriangles();
    for (let v = this.boundaryCount; v < count; v++) {
      const [x, y] = [point[2 * v], point[2 * v + 1]];
      const before = this.measureLeast(fan[v]);
      point[2 * v] = sum[3 * v] / sum[3 * v + 2];
      point[2 * v + 1] = sum[3 * v + 1] / sum[3 * v + 2];
      if (this.measureLeast(fan[v]) > 0.5 * before) continue;
      point[2 * v] = x;
      point[2 * v + 1] = y;
    }
  }

  private listTriangles(): number[][] {
    const fan: number[][] = Array.from({ length: this.point.length / 2 }, () => []);
    for (let c = 0; c < this.triangle.length; c++) fan[this.triangle[c]].push((c / 3) | 0);
    return fan;
  }

  private measureLeast(triangles: readonly number[]): number {
    let least = Infinity;
    for (const t of triangles)
      least = Math.min(
        least,
        cross(this.point, this.triangle[3 * t], this.triangle[3 * t + 1], this.triangle[3 * t + 2]),
      );
    return least;
  }

  /**
   * Flips the side opposite a corner while that brings its triangles nearer to Delaunay's rule, then what it
   * disturbed.
   */
  private legalise(corner: number): void {
    const { triangle, neighbour, point } = this;
    const stack = [corner];
    while (stack.length > 0) {
      const at = stack.pop()!;
      const t = (at / 3) | 0;
      const u = neighbour[at];
      if (u === NONE) continue;
      const i = at % 3;
      const [v, a, b] = [triangle[at], triangle[3 * t + ((i + 1) % 3)], triangle[3 * t + ((i + 2) % 3)]];
      const j = [0, 1, 2].find((k) => neighbour[3 * u + k] === t)!;
      const w = triangle[3 * u + j];
      //      a                a
      //    / | \            / t \
      //   v t|u w    ->    v-----w
      //    \ | /            \ u /
      //      b                b
      if (!this.isFlipWanted(v, a, b, w)) continue;
      if (cross(point, v, a, w) <= this.leastArea || cross(point, v, w, b) <= this.leastArea) continue;
      const nva = neighbour[3 * t + ((i + 2) % 3)];
      const nvb = neighbour[3 * t + ((i + 1) % 3)];
      const nwa = neighbour[3 * u + ((j + 1) % 3)];
      const nwb = neighbour[3 * u + ((j + 2) % 3)];
      this.setTriangle(t, v, a, w, nwa, u, nva);
      this.setTriangle(u, v, w, b, nwb, nvb, t);
      this.replaceNeighbour(nwa, u, t);
      this.replaceNeighbour(nvb, t, u);
      for (const k of [3 * t, 3 * t + 2, 3 * u, 3 * u + 1]) stack.push(k);
    }
  }

  /** Are the angles at v and w together more than a straight one? By a margin, so that flips end. */
  private isFlipWanted(v: number, a: number, b: number, w: number): boolean {
    const p = this.point;
    const sinV = cross(p, v, a, b);
    const sinW = cross(p, w, b, a);
    const cosV = this.dot(v, a, b);
    const cosW = this.dot(w, a, b);
    const size = Math.hypot(sinV, cosV) * Math.hypot(sinW, cosW);
    return sinV * cosW + cosV * sinW < -1e-9 * size;
  }

  private dot(v: number, a: number, b: number): number {
    const p = this.point;
    return (
      (p[2 * a] - p[2 * v]) * (p[2 * b] - p[2 * v]) +
      (p[2 * a + 1] - p[2 * v + 1]) * (p[2 * b + 1] - p[2 * v + 1])
    );
  }

  private setTriangle(t: number, a: number, b: number, c: number, na: number, nb: number, nc: number): void {
    const { triangle, neighbour } = this;
    triangle[3 * t] = a;
    triangle[3 * t + 1] = b;
    triangle[3 * t + 2] = c;
    neighbour[3 * t] = na;
    neighbour[3 * t + 1] = nb;
    neighbour[3 * t + 2] = nc;
  }

  private replaceNeighbour(t: number, from: number, to: number): void {
    if (t === NONE) return;
    for (let c = 3 * t; c < 3 * t + 3; c++) if (this.neighbour[c] === from) this.neighbour[c] = to;
  }
}
