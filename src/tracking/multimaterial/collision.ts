/**
 * The one place where the tracker meets geometry/collision: pairs of primitives of the moving mesh, each once.
 *
 * Broad phase: the boxes of faces swept from start to end, widened by a reach, in a SweptGrid. Every vertex and every edge belongs to one of its faces, and
 * a pair of primitives is looked at only where the faces they belong to (or the face itself) meet: none is missed, none comes twice.
 */

import { NONE } from '../../core/types.ts';
import {
  CONTACT_NORMAL,
  CONTACT_SIZE,
  CONTACT_TIME,
  CONTACT_WEIGHT,
  edgeEdgeFirstContact,
  vertexTriangleFirstContact,
} from '../../geometry/collision/continuous.ts';
import { edgeEdgeDistance, vertexTriangleDistance } from '../../geometry/collision/proximity.ts';
import { faceOf, type MultiMesh, nextCorner } from './mesh.ts';
import { SweptGrid } from './swept-grid.ts';

/** Four vertices with signed weights along a unit normal: relative displacement = sum weight * normal . displacement. */
export class Contact {
  readonly vertex = new Int32Array(4);
  readonly weight = new Float64Array(4);
  readonly normal = new Float64Array(3);
  /** Share of the step that passes before the contact; 0 for nearness. */
  time = 0;

  private readonly out = new Float64Array(CONTACT_SIZE);

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
    this.set(v, 1, a, -out[CONTACT_WEIGHT], b, -out[CONTACT_WEIGHT + 1], c, -out[CONTACT_WEIGHT + 2]);
    this.normal.set(out.subarray(CONTACT_NORMAL, CONTACT_NORMAL + 3));
    this.time = out[CONTACT_TIME];
    return true;
  }

  findEdgeEdge(x0: Float64Array, x1: Float64Array, a: number, b: number, c: number, d: number): boolean {
    const { out } = this;
    if (!edgeEdgeFirstContact(x0, x1, a, b, c, d, out)) return false;
    const s = out[CONTACT_WEIGHT];
    const t = out[CONTACT_WEIGHT + 1];
    this.set(a, 1 - s, b, s, c, t - 1, d, -t);
    this.normal.set(out.subarray(CONTACT_NORMAL, CONTACT_NORMAL + 3));
    this.time = out[CONTACT_TIME];
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

/** What is asked of each pair: the vertex and the triangle, or the two edges. */
export interface PairVisitor {
  vertexTriangle(v: number, a: number, b: number, c: number): void;
  edgeEdge(a: number, b: number, c: number, d: number): void;
}

/** Vertices 0..2 and edges 3..5 of a face that belong to it, as bits. */
export class PairFinder {
  private readonly grid: SweptGrid;
  private readonly owned: Uint8Array;

  /** Boxes of all faces swept from x0 to x1, widened by the reach. */
  constructor(
    private readonly mesh: MultiMesh,
    cellSize: number,
    private readonly x0: Float64Array,
    private readonly x1: Float64Array,
    private readonly reach: number,
  ) {
    this.grid = new SweptGrid(mesh.faceFill, cellSize);
    this.owned = new Uint8Array(mesh.faceFill);
    for (let f = 0; f < mesh.faceFill; f++) {
      if (!mesh.isFace(f)) continue;
      let bits = 0;
      for (let i = 0; i < 3; i++) {
        const c = 3 * f + i;
        if (mesh.vertexCorner[mesh.face[c]] === c) bits |= 1 << i;
        if (mesh.edgeCorner[mesh.cornerEdge[c]] === c) bits |= 8 << i;
      }
      this.owned[f] = bits;
      this.setBox(f);
    }
    this.grid.build();
  }

  /** Brings the box of a face up to date after its ends moved. */
  update(f: number): void {
    this.setBox(f);
    this.grid.update(f);
  }

  private setBox(f: number): void {
    const { x0, x1, reach } = this;
    const { face } = this.mesh;
    const { box } = this.grid;
    for (let k = 0; k < 3; k++) {
      let min = Infinity;
      let max = -Infinity;
      for (let c = 3 * f; c < 3 * f + 3; c++) {
        const o = 3 * face[c] + k;
        min = Math.min(min, x0[o], x1[o]);
        max = Math.max(max, x0[o], x1[o]);
      }
      box[6 * f + k] = min - reach;
      box[6 * f + 3 + k] = max + reach;
    }
  }

  /** Shows all pairs of face f with faces for which `isDone` is not set to the visitor. */
  visit(f: number, isDone: Uint8Array, visitor: PairVisitor): void {
    const { grid } = this;
    const count = grid.query(f);
    for (let n = 0; n < count; n++) {
      const g = grid.found[n];
      if (g === f || isDone[g]) continue;
      this.visitVertices(f, g, visitor);
      this.visitVertices(g, f, visitor);
      this.visitEdges(f, g, visitor);
    }
    // Edges of one face share vertices, so that a face needs no pair with itself.
  }

  private visitVertices(f: number, g: number, visitor: PairVisitor): void {
    const { face } = this.mesh;
    const bits = this.owned[f];
    const a = face[3 * g];
    const b = face[3 * g + 1];
    const c = face[3 * g + 2];
    for (let i = 0; i < 3; i++) {
      if ((bits & (1 << i)) === 0) continue;
      const v = face[3 * f + i];
      if (v !== a && v !== b && v !== c) visitor.vertexTriangle(v, a, b, c);
    }
  }

  private visitEdges(f: number, g: number, visitor: PairVisitor): void {
    const { face } = this.mesh;
    const bitsF = this.owned[f] >> 3;
    const bitsG = this.owned[g] >> 3;
    if (bitsF === 0 || bitsG === 0) return;
    for (let i = 0; i < 3; i++) {
      if ((bitsF & (1 << i)) === 0) continue;
      const a = face[3 * f + i];
      const b = face[nextCorner(3 * f + i)];
      for (let j = 0; j < 3; j++) {
        if ((bitsG & (1 << j)) === 0) continue;
        const c = face[3 * g + j];
        const d = face[nextCorner(3 * g + j)];
        if (a !== c && a !== d && b !== c && b !== d) visitor.edgeEdge(a, b, c, d);
      }
    }
  }
}

/** Are the boxes of a b and of c d e (with repeats) within the reach on every axis? */
export function areBoxesNear(
  x: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  reach: number,
): boolean {
  for (let k = 0; k < 3; k++) {
    const low = Math.min(x[3 * c + k], x[3 * d + k], x[3 * e + k]);
    const high = Math.max(x[3 * c + k], x[3 * d + k], x[3 * e + k]);
    if (Math.min(x[3 * a + k], x[3 * b + k]) > high + reach) return false;
    if (Math.max(x[3 * a + k], x[3 * b + k]) < low - reach) return false;
  }
  return true;
}

/** Marks the faces of a vertex. */
export function markFaces(mesh: MultiMesh, v: number, out: Uint8Array): void {
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) out[faceOf(c)] = 1;
}
