/**
 * The region graph of a vertex ([da-2017] chapter 6): a node for each region at the vertex, an arc for each
 * pair of regions that share a face there. A vertex is regular if its graph is complete.
 *
 * A region here is a wedge of space at the vertex, not a label: two wedges of one material that meet only in
 * the vertex are two nodes, so that necks of a single material come apart by the same operation. Wedges are
 * the classes of half-faces that look at each other across an edge. Where the faces fall into several fans
 * that meet in the vertex alone, wedges seen from different fans cannot be told apart without geometry, and
 * need not be: the fans themselves are what to separate. Cost: linear in the faces of the vertex.
 */
import { findRoot, unite } from '../../core/disjoint-sets.ts';
import { NONE } from '../../core/types.ts';
import { EdgeFan, pairHalfFaces } from './around.ts';
import { gatherFan } from './features.ts';
import { faceOf, type MultiMesh } from './mesh.ts';

export class RegionGraph {
  /** Faces at the vertex. */
  readonly face: number[] = [];
  /** (faces x 2) node of each half-face, by index into `face` */
  readonly node: number[] = [];
  nodeCount = 0;
  /** Label of each node. */
  readonly nodeLabel: number[] = [];
  /** (faces) fan of each face: faces joined by edges at the vertex */
  readonly fan: number[] = [];
  fanCount = 0;
  private isAdjacent = new Uint8Array(0);

  private readonly edgeFan: EdgeFan;
  private readonly pair: number[] = [];
  private readonly parent: number[] = [];
  private readonly ring: number[] = [];

  constructor(private readonly mesh: MultiMesh) {
    this.edgeFan = new EdgeFan(mesh);
  }

  /** A surface of two faces per edge in a single fan: regular, and known without building anything. */
  isPlainlyRegular(v: number): boolean {
    const { mesh } = this;
    const { isRegular } = mesh.known;
    if (isRegular[v] !== 0) return true;
    const first = mesh.vertexCorner[v];
    if (first === NONE) return true;
    let edges = 0;
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
      if (mesh.edgeValence[d >> 1] !== 2) return false;
      edges++;
    }
    if (!gatherFan(mesh, v, mesh.cornerEdge[first], faceOf(first), this.ring)) return false;
    if (this.ring.length !== edges) return false;
    isRegular[v] = 1;
    return true;
  }

  /** Builds the graph; false where labels do not chain (open borders), and there is nothing to separate. */
  build(v: number): boolean {
    const { mesh, face, node, parent, fan } = this;
    face.length = 0;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) face.push(faceOf(c));
    parent.length = 0;
    for (let i = 0; i < 2 * face.length; i++) parent.push(i);
    let isByAngle = false;
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
      const pairs = pairHalfFaces(mesh, d >> 1, this.edgeFan, this.pair);
      if (pairs === NONE) return false;
      if (this.edgeFan.isByAngle) isByAngle = true;
      for (let n = 0; n < pairs; n++)
        this.unite(this.indexOf(this.pair[2 * n]), this.indexOf(this.pair[2 * n + 1]));
    }
    this.nodeCount = this.number(2 * face.length, node);
    this.nodeLabel.length = 0;
    for (let i = 0; i < 2 * face.length; i++)
      this.nodeLabel[node[i]] = mesh.label[2 * face[i >> 1] + (i & 1)];
    const pairs = this.nodeCount * this.nodeCount;
    if (this.isAdjacent.length < pairs) this.isAdjacent = new Uint8Array(2 * pairs);
    else this.isAdjacent.fill(0, 0, pairs);
    for (let i = 0; i < face.length; i++) {
      this.isAdjacent[node[2 * i] * this.nodeCount + node[2 * i + 1]] = 1;
      this.isAdjacent[node[2 * i + 1] * this.nodeCount + node[2 * i]] = 1;
    }
    for (let i = 0; i < face.length; i++) this.unite(2 * i, 2 * i + 1);
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
      const first = mesh.edgeCorner[d >> 1];
      for (let c = mesh.cornerNextAtEdge[first]; c !== NONE; c = mesh.cornerNextAtEdge[c])
        this.unite(this.indexOf(2 * faceOf(first)), this.indexOf(2 * faceOf(c)));
    }
    this.fanCount = this.number(2 * face.length, fan);
    for (let i = 0; i < face.length; i++) fan[i] = fan[2 * i];
    fan.length = face.length;
    if (!isByAngle && this.isComplete) mesh.known.isRegular[v] = 1;
    return true;
  }

  areAdjacent(a: number, b: number): boolean {
    return this.isAdjacent[a * this.nodeCount + b] === 1;
  }

  get isComplete(): boolean {
    if (this.fanCount > 1) return false;
    for (let a = 0; a < this.nodeCount; a++) {
      for (let b = a + 1; b < this.nodeCount; b++) if (!this.areAdjacent(a, b)) return false;
    }
    return true;
  }

  private indexOf(halfFace: number): number {
    return 2 * this.face.indexOf(halfFace >> 1) + (halfFace & 1);
  }

  private unite(i: number, j: number): void {
    unite(this.parent, i, j);
  }

  /** Numbers the classes in order of first member; returns their count. */
  private number(count: number, out: number[]): number {
    out.length = 0;
    let classes = 0;
    for (let i = 0; i < count; i++) {
      const root = findRoot(this.parent, i);
      out.push(root === i ? classes++ : out[root]);
    }
    return classes;
  }
}
