/**
 * Pairs of primitives of the moving mesh that touch or are near: swept-grid.ts finds the faces that may meet,
 * pair-test.ts sifts their vertices and edges on all threads, and what is left comes here, as a list in an
 * order that depends on the mesh alone.
 */

import { NONE } from '../../core/types.ts';
import { addFacePair } from '../../geometry/collision/box-pairs.ts';
import {
  CONTACT,
  edgeEdgeFirstContact,
  vertexTriangleFirstContact,
} from '../../geometry/collision/continuous.ts';
import { edgeEdgeDistance, vertexTriangleDistance } from '../../geometry/collision/proximity.ts';
import type { Buffers } from './buffers.ts';
import { faceOf, type MultiMesh } from './mesh.ts';
import { BUCKET_GRAIN, FIND_KIND, FIND_SIZE, findPairsTask, ownedTask, siftPairs } from './pair-test.ts';
import { SweptGrid } from './swept-grid.ts';

/**
 * Four vertices with signed weights along a unit normal: relative displacement = sum weight * normal .
 * displacement.
 */
export class Contact {
  readonly vertex = new Int32Array(4);
  readonly weight = new Float64Array(4);
  readonly normal = new Float64Array(3);
  /** Share of the step that passes before the contact; 0 for nearness. */
  time = 0;

  private readonly out = new Float64Array(CONTACT.size);

  /** First contact of vertex v with the triangle on the way from x0 to x1; false if there is none. */
  findVertexTriangle(
    x0: Float64Array,
    x1: Float64Array,
    v: number,
    a: number,
    b: number,
    c: number,
  ): boolean {
    const { out } = this;
    if (!vertexTriangleFirstContact(x0, x1, v, a, b, c, out)) return false;
    this.set(v, 1, a, -out[CONTACT.weight], b, -out[CONTACT.weight + 1], c, -out[CONTACT.weight + 2]);
    this.normal.set(out.subarray(CONTACT.normal, CONTACT.normal + 3));
    this.time = out[CONTACT.time];
    return true;
  }

  findEdgeEdge(x0: Float64Array, x1: Float64Array, a: number, b: number, c: number, d: number): boolean {
    const { out } = this;
    if (!edgeEdgeFirstContact(x0, x1, a, b, c, d, out)) return false;
    const s = out[CONTACT.weight];
    const t = out[CONTACT.weight + 1];
    this.set(a, 1 - s, b, s, c, t - 1, d, -t);
    this.normal.set(out.subarray(CONTACT.normal, CONTACT.normal + 3));
    this.time = out[CONTACT.time];
    return true;
  }

  /** Are vertex and triangle nearer than the square root of `reach2`? */
  findNearVertexTriangle(
    x: Float64Array,
    v: number,
    a: number,
    b: number,
    c: number,
    reach2: number,
  ): boolean {
    const { out } = this;
    const distance2 = vertexTriangleDistance(x, v, a, b, c, out);
    if (!(distance2 < reach2)) return false;
    this.set(v, 1, a, -out[0], b, -out[1], c, -out[2]);
    return this.setNormal(x);
  }

  findNearEdgeEdge(x: Float64Array, a: number, b: number, c: number, d: number, reach2: number): boolean {
    const { out } = this;
    const distance2 = edgeEdgeDistance(x, a, b, c, d, out);
    if (!(distance2 < reach2)) return false;
    const [s, t] = out;
    this.set(a, 1 - s, b, s, c, t - 1, d, -t);
    return this.setNormal(x);
  }

  /** How far the pair moves apart along the normal from x0 to x1, m; negative when it closes. */
  computeOpening(x0: Float64Array, x1: Float64Array): number {
    const { vertex, weight, normal } = this;
    let sum = 0;
    for (let i = 0; i < 4; i++) {
      const o = 3 * vertex[i];
      const moved =
        normal[0] * (x1[o] - x0[o]) +
        normal[1] * (x1[o + 1] - x0[o + 1]) +
        normal[2] * (x1[o + 2] - x0[o + 2]);
      sum += weight[i] * moved;
    }
    return sum;
  }

  /** Shifts the ends so that the pair opens by `more`, all vertices having the same mass. */
  push(x1: Float64Array, more: number): void {
    const { vertex, weight, normal } = this;
    const mass = weight[0] ** 2 + weight[1] ** 2 + weight[2] ** 2 + weight[3] ** 2;
    for (let i = 0; i < 4; i++) {
      const s = (more * weight[i]) / mass;
      for (let k = 0; k < 3; k++) x1[3 * vertex[i] + k] += s * normal[k];
    }
  }

  private set(
    a: number,
    wa: number,
    b: number,
    wb: number,
    c: number,
    wc: number,
    d: number,
    wd: number,
  ): void {
    const { vertex, weight } = this;
    vertex[0] = a;
    vertex[1] = b;
    vertex[2] = c;
    vertex[3] = d;
    weight[0] = wa;
    weight[1] = wb;
    weight[2] = wc;
    weight[3] = wd;
  }

  /** The unit vector between the closest points; false where they coincide. */
  private setNormal(x: Float64Array): boolean {
    const { vertex, weight, normal } = this;
    for (let k = 0; k < 3; k++) {
      // Differences from the first vertex keep digits far from the origin; the weights sum to zero.
      let sum = 0;
      for (let i = 1; i < 4; i++) sum += weight[i] * (x[3 * vertex[i] + k] - x[3 * vertex[0] + k]);
      normal[k] = sum;
    }
    const length = Math.hypot(normal[0], normal[1], normal[2]);
    this.time = 0;
    if (length === 0) return false;
    for (let k = 0; k < 3; k++) normal[k] /= length;
    return true;
  }
}

/**
 * Pairs of primitives that touch on the way or are near, in the order of their faces: FIND_SIZE numbers each
 * (pair-test.ts).
 */
export interface Finds {
  readonly data: Int32Array;
  readonly count: number;
}

/**
 * Pairs near at the end of a motion, in no order, and the clock of edits then: they are all there are until
 * an edit or another motion.
 */
export interface EndingNear extends Finds {
  readonly time: number;
}

const COPY_GRAIN = 8192;

export class PairFinder {
  private readonly grid: SweptGrid;
  private readonly face: Int32Array;
  private readonly owned: Uint8Array;
  private found = new Int32Array(64 * FIND_SIZE);
  private count = 0;

  /**
   * Pairs of a mesh whose vertices go from x0 to x1; both may be the same, and x1 may change between calls.
   */
  constructor(
    private readonly mesh: MultiMesh,
    private readonly buffers: Buffers,
    cellSize: number,
    private readonly x0: Float64Array,
    private readonly x1: Float64Array,
    private readonly reach: number,
    /** By how much boxes are widened: at least half of any reach. */
    widening = reach,
  ) {
    const { faceFill, vertexFill, edgeFill } = mesh;
    this.grid = new SweptGrid(mesh, buffers, cellSize, widening);
    this.face = buffers.copyI32('faces', mesh.face, 3 * faceFill);
    const vertexCorner = buffers.copyI32('vertex corners', mesh.vertexCorner, vertexFill);
    const cornerEdge = buffers.copyI32('corner edges', mesh.cornerEdge, 3 * faceFill);
    const edgeCorner = buffers.copyI32('edge corners', mesh.edgeCorner, edgeFill);
    this.owned = buffers.u8('owned', faceFill);
    buffers.threads.run(ownedTask, faceFill, COPY_GRAIN, {
      face: this.face,
      vertexCorner,
      cornerEdge,
      edgeCorner,
      out: this.owned,
    });
  }

  /**
   * Looks at all pairs. Near ones count if `wantsNear`, those within `endReach` of each other at the end, m,
   * and contacts if the mesh moves.
   */
  findAll(wantsNear: boolean, endReach = 0): Finds {
    const { mesh, buffers, face, owned, grid } = this;
    const isMoving = this.x0 !== this.x1;
    const x0 = buffers.copyF64('starts', this.x0, 3 * mesh.vertexFill);
    const x1 = isMoving ? buffers.copyF64('ends', this.x1, 3 * mesh.vertexFill) : x0;
    grid.build(face, x0, x1);
    const { bucketCount, start, list, vertexBox, faceBox } = grid;
    const chunks = Math.ceil(bucketCount / BUCKET_GRAIN);
    const outCount = buffers.i32('find counts', chunks);
    const reach = wantsNear ? this.reach : 0;
    for (let isWhole = false; !isWhole; ) {
      const capacity = buffers.pairCapacity;
      const out = buffers.i32('finds', FIND_SIZE * capacity * chunks);
      buffers.threads.run(findPairsTask, bucketCount, BUCKET_GRAIN, {
        start,
        list,
        x0,
        x1,
        face,
        owned,
        vertexBox,
        faceBox,
        reach,
        endReach,
        isMoving: isMoving ? 1 : 0,
        out,
        capacity,
        outCount,
      });
      isWhole = true;
      this.count = 0;
      for (let chunk = 0; chunk < chunks; chunk++) {
        if (outCount[chunk] >= 0) this.append(out, FIND_SIZE * capacity * chunk, outCount[chunk]);
        else {
          buffers.pairCapacity = Math.max(buffers.pairCapacity, -2 * outCount[chunk]);
          isWhole = false;
        }
      }
    }
    this.findAround(grid.over, reach, endReach);
    return this.sortFinds();
  }

  /** Looks at all pairs with one of these faces, whose vertices may have other ends than before. */
  findWith(faces: readonly number[]): Finds {
    this.update(faces);
    this.findAround(faces, 0, 0);
    return this.sortFinds();
  }

  /** Looks at all pairs with one of these faces that are within `endReach` of each other at the end, m. */
  findEndingNear(faces: readonly number[], endReach: number): Finds {
    this.update(faces);
    this.findAround(faces, 0, endReach, this.x1);
    return this.sortFinds();
  }

  private update(faces: readonly number[]): void {
    const { grid, mesh, face } = this;
    for (const f of faces) {
      for (let c = 3 * f; c < 3 * f + 3; c++) grid.updateVertex(mesh.face[c], this.x0, this.x1);
    }
    for (const f of faces) grid.updateFace(f, face);
    this.count = 0;
  }

  private findAround(faces: readonly number[], reach: number, endReach: number, x0 = this.x0): void {
    if (faces.length === 0) return;
    const { grid, face, owned, x1 } = this;
    const capacity = 1024;
    const out = new Int32Array(FIND_SIZE * capacity);
    const { faceBox, vertexBox } = grid;
    const views = { faceBox, vertexBox, face, owned, out, outBegin: 0, capacity };
    const search = { x0, x1, reach, endReach, isMoving: x0 !== x1 };
    const isAmong = new Set(faces);
    let count = 0;
    const sift = () => {
      this.append(out, 0, siftPairs(out, 0, count, search));
      count = 0;
    };
    for (const f of faces) {
      const near = grid.query(f);
      for (let n = 0; n < near; n++) {
        const g = grid.found[n];
        if (g === f || (g < f && isAmong.has(g))) continue;
        count = addFacePair(Math.min(f, g), Math.max(f, g), views, count);
        // A pair of faces has no more than 15 pairs of primitives.
        if (count > capacity - 16) sift();
      }
    }
    sift();
  }

  private append(from: Int32Array, begin: number, count: number): void {
    const end = FIND_SIZE * (this.count + count);
    if (end > this.found.length) {
      const longer = new Int32Array(2 * end);
      longer.set(this.found.subarray(0, FIND_SIZE * this.count));
      this.found = longer;
    }
    for (let n = 0; n < FIND_SIZE * count; n++) this.found[FIND_SIZE * this.count + n] = from[begin + n];
    this.count += count;
  }

  /** In the order of their faces, each once: pairs may come from several buckets. */
  private sortFinds(): Finds {
    const { found, count } = this;
    const order = Array.from({ length: count }, (_, n) => FIND_SIZE * n);
    const compare = (m: number, n: number) =>
      found[m] - found[n] || found[m + 1] - found[n + 1] || found[m + FIND_KIND] - found[n + FIND_KIND];
    order.sort(compare);
    const data = new Int32Array(FIND_SIZE * count);
    let unique = 0;
    for (let n = 0; n < count; n++) {
      if (n > 0 && compare(order[n - 1], order[n]) === 0) continue;
      for (let k = 0; k < FIND_SIZE; k++) data[FIND_SIZE * unique + k] = found[order[n] + k];
      unique++;
    }
    return { data, count: unique };
  }
}

/** Marks the faces of a vertex. */
export function markFaces(mesh: MultiMesh, v: number, out: Uint8Array): void {
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) out[faceOf(c)] = 1;
}
