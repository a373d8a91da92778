/** The contour while it is built: vertices on cell edges and the triangles between them. */

import { lengthened } from '../../core/doubled.ts';
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Vec3 } from '../../core/types.ts';
import { GrowingTriangles } from '../../geometry/growing-triangles.ts';
import { computePlaceRank } from '../../geometry/place-rank.ts';
import type { DraftSurface } from './draft-surface.ts';
import type { TrackedSurface } from './surface.ts';

/** Relative gain that makes another fan worth choosing. */
const DIAGONAL_MARGIN = 1e-6;

/** Vertices on cell edges, each with its place t along the edge and the bracket of its root. */
export class VertexSet {
  count = 0;
  /** Per vertex: start x, y, z, signed edge length, t, bracket low t, f, bracket high t, f. */
  private data: Float64Array;
  private axisOf: Uint8Array;
  /** Bit 0: free. Bit 1: bracketed. Bit 2: last narrowing kept the high end; bit 3: kept the low end. */
  private flag: Uint8Array;
  private readonly edgeVertex: Int32Array;
  private readonly nodeVertex: Int32Array;

  /** `expected`: about how many vertices there will be. */
  constructor(
    slotCount: number,
    expected: number,
    private readonly middle: Vec3,
    private readonly resolution: number,
  ) {
    const capacity = Math.max(1024, expected);
    this.data = new Float64Array(9 * capacity);
    this.axisOf = new Uint8Array(capacity);
    this.flag = new Uint8Array(capacity);
    this.edgeVertex = new Int32Array(3 * slotCount);
    this.nodeVertex = new Int32Array(slotCount);
  }

  ofEdge(slot: number, axis: number): number {
    return this.edgeVertex[3 * slot + axis] - 1;
  }

  setEdge(slot: number, axis: number, vertex: number): void {
    this.edgeVertex[3 * slot + axis] = vertex + 1;
  }

  addAtNode(slot: number, x: number, y: number, z: number, free: boolean): number {
    if (this.nodeVertex[slot] === 0) this.nodeVertex[slot] = this.add(x, y, z, 0, 0, 0, free) + 1;
    const v = this.nodeVertex[slot] - 1;
    // A node shared by a wall edge and a free edge lies on the wall.
    if (!free) this.flag[v] &= ~1;
    return v;
  }

  add(x: number, y: number, z: number, axis: number, length: number, t: number, free: boolean): number {
    if (this.count === this.flag.length) {
      const capacity = 2 * this.count;
      this.data = lengthened(this.data, 9 * capacity);
      this.axisOf = lengthened(this.axisOf, capacity);
      this.flag = lengthened(this.flag, capacity);
    }
    const v = this.count++;
    const d = 9 * v;
    this.data[d] = x;
    this.data[d + 1] = y;
    this.data[d + 2] = z;
    this.data[d + 3] = length;
    this.data[d + 4] = t;
    this.axisOf[v] = axis;
    this.flag[v] = free ? 1 : 0;
    return v;
  }

  setBracket(v: number, fLow: number, fHigh: number): void {
    const d = 9 * v;
    this.data[d + 5] = 0;
    this.data[d + 6] = fLow;
    this.data[d + 7] = 1;
    this.data[d + 8] = fHigh;
    this.flag[v] |= 2;
  }

  /**
   * Narrows the bracket of v with the function's value f at its present place, and moves it to the new
   * estimate.
   */
  narrow(v: number, f: number): void {
    const d = 9 * v;
    const data = this.data;
    if (f > 0) {
      data[d + 5] = data[d + 4];
      data[d + 6] = f;
      if ((this.flag[v] & 4) !== 0) data[d + 8] /= 2;
      this.flag[v] = (this.flag[v] & ~8) | 4;
    } else {
      data[d + 7] = data[d + 4];
      data[d + 8] = f;
      if ((this.flag[v] & 8) !== 0) data[d + 6] /= 2;
      this.flag[v] = (this.flag[v] & ~4) | 8;
    }
    const rise = data[d + 6] - data[d + 8];
    if (rise > 0) data[d + 4] = data[d + 5] + ((data[d + 7] - data[d + 5]) * data[d + 6]) / rise;
  }

  bracketed(): Int32Array {
    const ids = new Int32Array(this.count);
    let count = 0;
    for (let v = 0; v < this.count; v++) if ((this.flag[v] & 2) !== 0) ids[count++] = v;
    return ids.subarray(0, count);
  }

  isFree(v: number): boolean {
    return (this.flag[v] & 1) !== 0;
  }

  copyPosition(v: number, out: Float64Array, n: number): void {
    const d = 9 * v;
    out[3 * n] = this.data[d];
    out[3 * n + 1] = this.data[d + 1];
    out[3 * n + 2] = this.data[d + 2];
    out[3 * n + this.axisOf[v]] += this.data[d + 3] * this.data[d + 4];
  }

  squaredDistance(v: number, w: number): number {
    const p = this.pair;
    this.copyPosition(v, p, 0);
    this.copyPosition(w, p, 1);
    return (p[0] - p[3]) ** 2 + (p[1] - p[4]) ** 2 + (p[2] - p[5]) ** 2;
  }

  computeRank(v: number): number {
    this.copyPosition(v, this.pair, 0);
    return computePlaceRank(this.pair[0], this.pair[1], this.pair[2], this.middle, this.resolution);
  }

  private readonly pair = new Float64Array(6);
}

/** Triangles of the contour; loops are fanned from the corner that gives the shortest diagonals. */
export class TriangleList {
  private readonly list = new GrowingTriangles();

  addLoop(loop: number[], vertices: VertexSet): void {
    const n = loop.length;
    let best = 0;
    if (n > 3) {
      let least = Number.POSITIVE_INFINITY;
      for (let s = 0; s < (n === 4 ? 2 : n); s++) {
        let sum = 0;
        for (let m = 2; m < n - 1; m++) sum += vertices.squaredDistance(loop[s], loop[(s + m) % n]);
        // The margin keeps rounding from choosing between equals: their places do.
        const isEqual = s > 0 && Math.abs(sum - least) <= DIAGONAL_MARGIN * least;
        if (isEqual ? this.rankFan(loop, s, vertices) > this.rankFan(loop, best, vertices) : sum < least) {
          least = sum;
          best = s;
        }
      }
    }
    for (let m = 1; m < n - 1; m++) {
      this.add(loop[best], loop[(best + m) % n], loop[(best + m + 1) % n]);
    }
  }

  /** The rank of the fan from corner s; a quadrilateral's has two ends. */
  private rankFan(loop: readonly number[], s: number, vertices: VertexSet): number {
    const rank = vertices.computeRank(loop[s]);
    return loop.length === 4 ? Math.max(rank, vertices.computeRank(loop[(s + 2) % 4])) : rank;
  }

  private add(a: number, b: number, c: number): void {
    if (a !== b && b !== c && c !== a) this.list.add(a, b, c);
  }

  /** A triangle is free if all its corners are. */
  private isWall(f: number, vertices: VertexSet): boolean {
    for (let n = 3 * f; n < 3 * f + 3; n++) if (!vertices.isFree(this.list.corner[n])) return true;
    return false;
  }

  /** Copies into arrays of the right size, leaving out vertices that only collapsed triangles used. */
  finish(vertices: VertexSet): DraftSurface {
    const newId = new Int32Array(vertices.count).fill(NONE);
    let vertexCount = 0;
    const triangle = new Int32Array(3 * this.list.count);
    for (let n = 0; n < 3 * this.list.count; n++) {
      const v = this.list.corner[n];
      if (newId[v] === NONE) newId[v] = vertexCount++;
      triangle[n] = newId[v];
    }
    const position = new Float64Array(3 * vertexCount);
    const free = new Uint8Array(vertexCount);
    for (let v = 0; v < vertices.count; v++) {
      if (newId[v] === NONE) continue;
      vertices.copyPosition(v, position, newId[v]);
      free[newId[v]] = vertices.isFree(v) ? 1 : 0;
    }
    const wall = new Uint8Array(this.list.count);
    for (let f = 0; f < this.list.count; f++) wall[f] = this.isWall(f, vertices) ? 1 : 0;
    return { vertexCount, triangleCount: this.list.count, position, triangle, wall, free };
  }
}

/** Moves a draft into arrays of the scope. */
export function storeSurface(draft: DraftSurface, scope: HeapScope): TrackedSurface {
  const { vertexCount, triangleCount } = draft;
  const position = scope.f64(3 * vertexCount);
  position.set(draft.position.subarray(0, 3 * vertexCount));
  const triangle = scope.i32(3 * triangleCount);
  triangle.set(draft.triangle.subarray(0, 3 * triangleCount));
  const wall = scope.u8(triangleCount);
  wall.set(draft.wall.subarray(0, triangleCount));
  return { vertexCount, triangleCount, position, triangle, wall };
}
