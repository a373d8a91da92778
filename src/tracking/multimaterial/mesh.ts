/**
 * The multimaterial mesh of [da-2017] chapter 4: a triangle mesh of any topology (an edge may have one, two,
 * three or more faces) with two material labels per face.
 *
 * Conventions
 *   face f has corners 3f, 3f+1, 3f+2; corner c is at vertex face[c]; the edge of corner c = 3f+i runs from that corner to the next one.
 *   label[2f]     the region its normal (b - a) x (c - a) points into: front
 *   label[2f + 1] the region behind it: back
 *   No orientation is shared between neighbours; only labels agree (validate.ts).
 *
 * Incidence is kept in doubly linked lists threaded through the corners (faces at a vertex, faces at an edge)
 * and through the edge ends (edges at a vertex), so that any edit links and unlinks in O(1), whatever the
 * valence. Dead rows form free lists. Every write goes through the journal of columns.ts, free lists
 * included: an undone edit leaves the mesh equal to the last bit.
 *
 *   for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) { const f = faceOf(c); ... }
 *   for (let c = mesh.edgeCorner[e]; c !== NONE; c = mesh.cornerNextAtEdge[c]) ...
 *   for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) { const e = d >> 1; const w = mesh.edgeVertex[d ^ 1]; ... }
 */
import { NONE } from '../../core/types.ts';
import { Columns } from './columns.ts';
import { Knowledge, UNKNOWN } from './knowledge.ts';

/** First entry of a dead row; its second entry is the next dead row. */
const DEAD = -2;

const VERTEX_FILL = 0;
const VERTEX_FREE = 1;
const VERTEX_LIVE = 2;
const EDGE_FILL = 3;
const EDGE_FREE = 4;
const EDGE_LIVE = 5;
const FACE_FILL = 6;
const FACE_FREE = 7;
const FACE_LIVE = 8;

/** The face of a corner. */
export const faceOf = (corner: number): number => (corner / 3) | 0;
/** The next corner of the same face. */
export const nextCorner = (corner: number): number => (corner % 3 === 2 ? corner - 2 : corner + 1);
/** The corner before it in the same face. */
export const previousCorner = (corner: number): number => (corner % 3 === 0 ? corner + 2 : corner - 1);

export class MultiMesh {
  /** (vertices x 3) m */
  position!: Float64Array;
  /** First corner at a vertex, or NONE. */
  vertexCorner!: Int32Array;
  /** First edge end at a vertex, or NONE. */
  vertexEnd!: Int32Array;
  /** (edges x 2) vertices of an edge */
  edgeVertex!: Int32Array;
  /** (edges x 2) next edge end at the same vertex */
  endNext!: Int32Array;
  /** First corner of an edge; never NONE while the edge lives. */
  edgeCorner!: Int32Array;
  /** Faces on an edge. */
  edgeValence!: Int32Array;
  /** (faces x 3) vertices */
  face!: Int32Array;
  /** (faces x 2) regions in front and behind */
  label!: Int32Array;
  /** (faces x 3) edge from a corner to the next */
  cornerEdge!: Int32Array;
  cornerNextAtVertex!: Int32Array;
  cornerNextAtEdge!: Int32Array;
  /**
   * (faces x 2) volume a region gained by remeshing and has not given back, m^3, booked on its half-faces
   * (return-volume.ts)
   */
  debt!: Float64Array;

  /**
   * What is known of rows whose surroundings keep their topology; forgotten where that changes. No part of
   * the state: it saves time and changes no result.
   */
  readonly known = new Knowledge();

  /** Did this edit change faces or labels, and not just positions? */
  isRelinked = false;

  private endPrevious!: Int32Array;
  private cornerPreviousAtVertex!: Int32Array;
  private cornerPreviousAtEdge!: Int32Array;
  private head!: Int32Array;

  private readonly columns = new Columns(() => this.bind());
  private readonly vertices = this.columns.addGroup();
  private readonly edges = this.columns.addGroup();
  private readonly faces = this.columns.addGroup();
  private readonly header = this.columns.addInts(this.columns.addGroup(), 1);
  private readonly colPosition = this.columns.addFloats(this.vertices, 3);
  private readonly colDebt = this.columns.addFloats(this.faces, 2);
  private readonly colVertexCorner = this.columns.addInts(this.vertices, 1);
  private readonly colVertexEnd = this.columns.addInts(this.vertices, 1);
  private readonly colEdgeVertex = this.columns.addInts(this.edges, 2);
  private readonly colEndNext = this.columns.addInts(this.edges, 2);
  private readonly colEndPrevious = this.columns.addInts(this.edges, 2);
  private readonly colEdgeCorner = this.columns.addInts(this.edges, 1);
  private readonly colEdgeValence = this.columns.addInts(this.edges, 1);
  private readonly colFace = this.columns.addInts(this.faces, 3);
  private readonly colLabel = this.columns.addInts(this.faces, 2);
  private readonly colCornerEdge = this.columns.addInts(this.faces, 3);
  private readonly colNextAtVertex = this.columns.addInts(this.faces, 3);
  private readonly colPreviousAtVertex = this.columns.addInts(this.faces, 3);
  private readonly colNextAtEdge = this.columns.addInts(this.faces, 3);
  private readonly colPreviousAtEdge = this.columns.addInts(this.faces, 3);

  constructor() {
    this.bind();
    this.clear();
  }

  /** Rows in use or dead: loop over [0, vertexFill) and skip what does not live. */
  get vertexFill(): number {
    return this.head[VERTEX_FILL];
  }
  get edgeFill(): number {
    return this.head[EDGE_FILL];
  }
  get faceFill(): number {
    return this.head[FACE_FILL];
  }
  get vertexCount(): number {
    return this.head[VERTEX_LIVE];
  }
  get edgeCount(): number {
    return this.head[EDGE_LIVE];
  }
  get faceCount(): number {
    return this.head[FACE_LIVE];
  }
  isVertex(v: number): boolean {
    return this.vertexCorner[v] !== DEAD;
  }
  isEdge(e: number): boolean {
    return this.edgeVertex[2 * e] !== DEAD;
  }
  isFace(f: number): boolean {
    return this.face[3 * f] !== DEAD;
  }

  /** Every write from here to `commit` or `undo` is one edit. */
  begin(): void {
    this.isRelinked = false;
    this.known.begin();
    this.columns.begin();
  }
  commit(): void {
    this.columns.commit();
  }
  undo(): void {
    this.columns.undo();
    this.known.undo();
  }

  /** Removes everything; outside of edits only. */
  clear(): void {
    for (let n = VERTEX_FILL; n <= FACE_LIVE; n++) this.columns.setInt(this.header, n, 0);
    for (const free of [VERTEX_FREE, EDGE_FREE, FACE_FREE]) this.columns.setInt(this.header, free, NONE);
    this.known.forgetAll();
  }

  addVertex(x: number, y: number, z: number): number {
    const v = this.take(VERTEX_FILL, this.colVertexCorner, 1, this.colVertexEnd);
    this.columns.setInt(this.colVertexCorner, v, NONE);
    this.columns.setInt(this.colVertexEnd, v, NONE);
    this.setPosition(v, x, y, z);
    return v;
  }

  setPosition(v: number, x: number, y: number, z: number): void {
    this.columns.setFloat(this.colPosition, 3 * v, x);
    this.columns.setFloat(this.colPosition, 3 * v + 1, y);
    this.columns.setFloat(this.colPosition, 3 * v + 2, z);
  }

  setDebt(halfFace: number, volume: number): void {
    this.columns.setFloat(this.colDebt, halfFace, volume);
  }

  /** Frees a vertex without faces; does nothing to others. */
  removeIsolatedVertex(v: number): boolean {
    if (this.vertexCorner[v] !== NONE || this.vertexEnd[v] !== NONE) return false;
    this.give(VERTEX_FILL, this.colVertexCorner, 1, this.colVertexEnd, v);
    return true;
  }

  addFace(a: number, b: number, c: number, front: number, back: number): number {
    const f = this.take(FACE_FILL, this.colFace, 3, this.colFace);
    this.setDebt(2 * f, 0);
    this.setDebt(2 * f + 1, 0);
    this.setLabels(f, front, back);
    this.linkFace(f, a, b, c);
    return f;
  }

  /** Edges left without faces go with it; vertices stay. */
  removeFace(f: number): void {
    this.unlinkFace(f);
    this.give(FACE_FILL, this.colFace, 3, this.colFace, f);
  }

  /** Gives a face other corners and keeps its id, labels and winding. */
  setCorners(f: number, a: number, b: number, c: number): void {
    this.unlinkFace(f);
    this.linkFace(f, a, b, c);
  }

  setLabels(f: number, front: number, back: number): void {
    this.isRelinked = true;
    for (let c = 3 * f; c < 3 * f + 3; c++) if (this.face[c] >= 0) this.known.forgetVertex(this.face[c]);
    this.columns.setInt(this.colLabel, 2 * f, front);
    this.columns.setInt(this.colLabel, 2 * f + 1, back);
  }

  /** The edge between two vertices, or NONE. Cost: the valence of `a`. */
  findEdge(a: number, b: number): number {
    for (let d = this.vertexEnd[a]; d !== NONE; d = this.endNext[d]) {
      if (this.edgeVertex[d ^ 1] === b) return d >> 1;
    }
    return NONE;
  }

  /** A face with these three vertices in any order, other than `not`, or NONE. */
  findFace(a: number, b: number, c: number, not = NONE): number {
    for (let k = this.vertexCorner[a]; k !== NONE; k = this.cornerNextAtVertex[k]) {
      const f = faceOf(k);
      if (f !== not && this.hasVertex(f, b) && this.hasVertex(f, c)) return f;
    }
    return NONE;
  }

  hasVertex(f: number, v: number): boolean {
    return this.face[3 * f] === v || this.face[3 * f + 1] === v || this.face[3 * f + 2] === v;
  }

  /** The vertex of a corner's face that is not on the corner's edge. */
  oppositeVertex(corner: number): number {
    return this.face[previousCorner(corner)];
  }

  /** The vertex at the other end of an edge. */
  otherEnd(e: number, v: number): number {
    return this.edgeVertex[2 * e] === v ? this.edgeVertex[2 * e + 1] : this.edgeVertex[2 * e];
  }

  /** Number of edges at a vertex. */
  countEdges(v: number): number {
    let count = 0;
    for (let d = this.vertexEnd[v]; d !== NONE; d = this.endNext[d]) count++;
    return count;
  }

  /**
   * The region just ahead of a face when turning right-handed about its edge, seen along the edge's own
   * direction; `behind` likewise. Turning about an edge, ahead of each face must equal behind of the next.
   */
  labelAhead(corner: number): number {
    return this.label[2 * faceOf(corner) + (this.isForward(corner) ? 0 : 1)];
  }
  labelBehind(corner: number): number {
    return this.label[2 * faceOf(corner) + (this.isForward(corner) ? 1 : 0)];
  }
  /** Does the face wind along its edge's direction at this corner? */
  isForward(corner: number): boolean {
    return this.face[corner] === this.edgeVertex[2 * this.cornerEdge[corner]];
  }

  /**
   * Renumbers vertices and faces without holes, in their old order, and makes all lists as if the faces had
   * been added one by one to an empty mesh. Returns the new ids of the old ones, NONE for what is gone.
   * Outside of edits only. Cost: one pass.
   */
  pack(): { readonly vertex: Int32Array; readonly face: Int32Array } {
    const { face, label, debt, position, cornerEdge, vertexCorner } = this;
    const vertex = new Int32Array(this.vertexFill).fill(NONE);
    const faceTo = new Int32Array(this.faceFill).fill(NONE);
    const edgeTo = new Int32Array(this.edgeFill).fill(NONE);
    let vertices = 0;
    for (let v = 0; v < vertex.length; v++) {
      if (!this.isVertex(v)) continue;
      for (let k = 0; k < 3; k++) position[3 * vertices + k] = position[3 * v + k];
      vertex[v] = vertices++;
    }
    vertexCorner.fill(NONE, 0, vertices);
    this.vertexEnd.fill(NONE, 0, vertices);
    let faces = 0;
    let edges = 0;
    for (let f = 0; f < faceTo.length; f++) {
      if (face[3 * f] === DEAD) continue;
      const g = faces++;
      faceTo[f] = g;
      label[2 * g] = label[2 * f];
      label[2 * g + 1] = label[2 * f + 1];
      debt[2 * g] = debt[2 * f];
      debt[2 * g + 1] = debt[2 * f + 1];
      const a = vertex[face[3 * f]];
      const b = vertex[face[3 * f + 1]];
      const c = vertex[face[3 * f + 2]];
      const oldA = cornerEdge[3 * f];
      const oldB = cornerEdge[3 * f + 1];
      const oldC = cornerEdge[3 * f + 2];
      if (edgeTo[oldA] === NONE) {
        edgeTo[oldA] = edges++;
        this.putEdge(edgeTo[oldA], a, b);
      }
      this.putCorner(3 * g, a, edgeTo[oldA]);
      if (edgeTo[oldB] === NONE) {
        edgeTo[oldB] = edges++;
        this.putEdge(edgeTo[oldB], b, c);
      }
      this.putCorner(3 * g + 1, b, edgeTo[oldB]);
      if (edgeTo[oldC] === NONE) {
        edgeTo[oldC] = edges++;
        this.putEdge(edgeTo[oldC], c, a);
      }
      this.putCorner(3 * g + 2, c, edgeTo[oldC]);
    }
    this.head.fill(0, VERTEX_FILL, FACE_LIVE + 1);
    for (const [fill, count] of [
      [VERTEX_FILL, vertices],
      [EDGE_FILL, edges],
      [FACE_FILL, faces],
    ]) {
      this.head[fill] = count;
      this.head[fill + 1] = NONE;
      this.head[fill + 2] = count;
    }
    this.known.follow(vertex, edgeTo);
    return { vertex, face: faceTo };
  }

  /** Writes edge e of v and w, without corners yet, in front of their lists. */
  private putEdge(e: number, v: number, w: number): void {
    this.edgeCorner[e] = NONE;
    this.edgeValence[e] = 0;
    this.putEnd(2 * e, v);
    this.putEnd(2 * e + 1, w);
  }

  private putEnd(end: number, v: number): void {
    const { vertexEnd } = this;
    const next = vertexEnd[v];
    this.edgeVertex[end] = v;
    this.endNext[end] = next;
    this.endPrevious[end] = NONE;
    if (next !== NONE) this.endPrevious[next] = end;
    vertexEnd[v] = end;
  }

  private putCorner(corner: number, v: number, e: number): void {
    const { vertexCorner, edgeCorner } = this;
    const atVertex = vertexCorner[v];
    const atEdge = edgeCorner[e];
    this.face[corner] = v;
    this.cornerEdge[corner] = e;
    this.cornerNextAtVertex[corner] = atVertex;
    this.cornerPreviousAtVertex[corner] = NONE;
    if (atVertex !== NONE) this.cornerPreviousAtVertex[atVertex] = corner;
    vertexCorner[v] = corner;
    this.cornerNextAtEdge[corner] = atEdge;
    this.cornerPreviousAtEdge[corner] = NONE;
    if (atEdge !== NONE) this.cornerPreviousAtEdge[atEdge] = corner;
    edgeCorner[e] = corner;
    this.edgeValence[e]++;
  }

  /** Copies of all columns, cut at their fill: what a checkpoint saves and tests compare. */
  snapshot(): { readonly ints: Int32Array[]; readonly floats: Float64Array[] } {
    const v = this.vertexFill;
    const e = this.edgeFill;
    const f = this.faceFill;
    return {
      ints: [
        this.head.slice(),
        ...[this.vertexCorner, this.vertexEnd].map((a) => a.slice(0, v)),
        ...[this.edgeVertex, this.endNext, this.endPrevious].map((a) => a.slice(0, 2 * e)),
        ...[this.edgeCorner, this.edgeValence].map((a) => a.slice(0, e)),
        this.label.slice(0, 2 * f),
        ...[this.face, this.cornerEdge, this.cornerNextAtVertex, this.cornerPreviousAtVertex].map((a) =>
          a.slice(0, 3 * f),
        ),
        ...[this.cornerNextAtEdge, this.cornerPreviousAtEdge].map((a) => a.slice(0, 3 * f)),
      ],
      floats: [this.position.slice(0, 3 * v), this.debt.slice(0, 2 * f)],
    };
  }

  private linkFace(f: number, a: number, b: number, c: number): void {
    this.linkCorner(3 * f, a, b);
    this.linkCorner(3 * f + 1, b, c);
    this.linkCorner(3 * f + 2, c, a);
  }

  /** Puts a corner at vertex v into the lists of v and of the edge to w, made here if there is none. */
  private linkCorner(corner: number, v: number, w: number): void {
    const { columns } = this;
    this.known.forgetVertex(v);
    this.isRelinked = true;
    columns.setInt(this.colFace, corner, v);
    const atVertex = this.vertexCorner[v];
    columns.setInt(this.colNextAtVertex, corner, atVertex);
    columns.setInt(this.colPreviousAtVertex, corner, NONE);
    if (atVertex !== NONE) columns.setInt(this.colPreviousAtVertex, atVertex, corner);
    columns.setInt(this.colVertexCorner, v, corner);

    let e = this.findEdge(v, w);
    if (e === NONE) e = this.addEdge(v, w);
    columns.setInt(this.colCornerEdge, corner, e);
    const atEdge = this.edgeCorner[e];
    columns.setInt(this.colNextAtEdge, corner, atEdge);
    columns.setInt(this.colPreviousAtEdge, corner, NONE);
    if (atEdge !== NONE) columns.setInt(this.colPreviousAtEdge, atEdge, corner);
    columns.setInt(this.colEdgeCorner, e, corner);
    columns.setInt(this.colEdgeValence, e, this.edgeValence[e] + 1);
  }

  private unlinkFace(f: number): void {
    const { columns } = this;
    this.isRelinked = true;
    for (let corner = 3 * f; corner < 3 * f + 3; corner++) {
      this.known.forgetVertex(this.face[corner]);
      let next = this.cornerNextAtVertex[corner];
      let previous = this.cornerPreviousAtVertex[corner];
      if (next !== NONE) columns.setInt(this.colPreviousAtVertex, next, previous);
      if (previous !== NONE) columns.setInt(this.colNextAtVertex, previous, next);
      else columns.setInt(this.colVertexCorner, this.face[corner], next);

      const e = this.cornerEdge[corner];
      next = this.cornerNextAtEdge[corner];
      previous = this.cornerPreviousAtEdge[corner];
      if (next !== NONE) columns.setInt(this.colPreviousAtEdge, next, previous);
      if (previous !== NONE) columns.setInt(this.colNextAtEdge, previous, next);
      else columns.setInt(this.colEdgeCorner, e, next);
      columns.setInt(this.colEdgeValence, e, this.edgeValence[e] - 1);
      if (this.edgeCorner[e] === NONE) this.removeEdge(e);
    }
  }

  private addEdge(v: number, w: number): number {
    const e = this.take(EDGE_FILL, this.colEdgeVertex, 2, this.colEdgeVertex);
    this.columns.setInt(this.colEdgeCorner, e, NONE);
    this.columns.setInt(this.colEdgeValence, e, 0);
    this.known.flipWorth[e] = UNKNOWN;
    this.linkEnd(2 * e, v);
    this.linkEnd(2 * e + 1, w);
    return e;
  }

  private linkEnd(end: number, v: number): void {
    const { columns } = this;
    columns.setInt(this.colEdgeVertex, end, v);
    const first = this.vertexEnd[v];
    columns.setInt(this.colEndNext, end, first);
    columns.setInt(this.colEndPrevious, end, NONE);
    if (first !== NONE) columns.setInt(this.colEndPrevious, first, end);
    columns.setInt(this.colVertexEnd, v, end);
  }

  private removeEdge(e: number): void {
    const { columns } = this;
    for (let end = 2 * e; end < 2 * e + 2; end++) {
      const next = this.endNext[end];
      const previous = this.endPrevious[end];
      if (next !== NONE) columns.setInt(this.colEndPrevious, next, previous);
      if (previous !== NONE) columns.setInt(this.colEndNext, previous, next);
      else columns.setInt(this.colVertexEnd, this.edgeVertex[end], next);
    }
    this.give(EDGE_FILL, this.colEdgeVertex, 2, this.colEdgeVertex, e);
  }

  /**
   * A row from the free list, or a new one. `kind` is the header's fill entry; free and live counts follow
   * it.
   */
  private take(kind: number, column: number, width: number, nextColumn: number): number {
    const { columns, head } = this;
    const free = head[kind + 1];
    columns.setInt(this.header, kind + 2, head[kind + 2] + 1);
    if (free !== NONE) {
      const next = columns.ints[nextColumn][nextColumn === column ? width * free + 1 : free];
      columns.setInt(this.header, kind + 1, next);
      return free;
    }
    const row = head[kind];
    const group = kind === VERTEX_FILL ? this.vertices : kind === EDGE_FILL ? this.edges : this.faces;
    columns.reserve(group, row + 1);
    columns.setInt(this.header, kind, row + 1);
    return row;
  }

  private give(kind: number, column: number, width: number, nextColumn: number, row: number): void {
    const { columns, head } = this;
    columns.setInt(column, width * row, DEAD);
    columns.setInt(nextColumn, nextColumn === column ? width * row + 1 : row, head[kind + 1]);
    columns.setInt(this.header, kind + 1, row);
    columns.setInt(this.header, kind + 2, head[kind + 2] - 1);
  }

  private bind(): void {
    const { ints, floats } = this.columns;
    this.known.reserve(ints[this.colVertexCorner].length, ints[this.colEdgeCorner].length);
    this.head = ints[this.header];
    this.position = floats[this.colPosition];
    this.debt = floats[this.colDebt];
    this.vertexCorner = ints[this.colVertexCorner];
    this.vertexEnd = ints[this.colVertexEnd];
    this.edgeVertex = ints[this.colEdgeVertex];
    this.endNext = ints[this.colEndNext];
    this.endPrevious = ints[this.colEndPrevious];
    this.edgeCorner = ints[this.colEdgeCorner];
    this.edgeValence = ints[this.colEdgeValence];
    this.face = ints[this.colFace];
    this.label = ints[this.colLabel];
    this.cornerEdge = ints[this.colCornerEdge];
    this.cornerNextAtVertex = ints[this.colNextAtVertex];
    this.cornerPreviousAtVertex = ints[this.colPreviousAtVertex];
    this.cornerNextAtEdge = ints[this.colNextAtEdge];
    this.cornerPreviousAtEdge = ints[this.colPreviousAtEdge];
  }
}
