/**
 * Potential and velocity by vertex as the tracker's attributes, through remeshing, merging and pinching.
 *
 * Between integration and the end of a step they stand without the mean flow of their body, so that a body
 * that merely travels has zeros everywhere and edits change nothing. `owner` names the body a vertex comes
 * from.
 *
 *   split, collapse, slide   linear, by the gradient along the surface; no value leaves the range of those around
 *   merging                  two bodies become one. The potential of each is known up to a constant, so that of the second is changed by
 *                            the constant with which both agree where they first touch, and its mean flow is expressed by that of the
 *                            first. What differs around the neck is the impulse of the impact; its energy is lost, and told
 *   pinching                 values stay; each part finds its own mean flow in them
 */
import { NONE } from '../../../core/types.ts';
import { CORNER, setCorner, U, UU, UW, W, WW } from '../../../math/triangle.ts';
import { type MultiMesh, nextCorner, previousCorner } from '../../../tracking/multimaterial/mesh.ts';
import { type VertexPolicy, VertexValues } from '../../../tracking/multimaterial/policy.ts';
import type { Triple } from '../liquid/moments.ts';

export class LiquidValues implements VertexPolicy {
  /** m^2/s */
  readonly potential = new VertexValues(1);
  /** (x 3) m/s, of the last step, without the mean flow */
  readonly velocity = new VertexValues(3);
  /** Body of the present step, by vertex. */
  private owner = new Int32Array(64).fill(NONE);
  /** (bodies) that each has become part of, itself at first; and mean velocities. */
  private root: number[] = [];
  private mean: Triple[] = [];
  /** May vertices of a body be taken away? Motes keep theirs. */
  private isKept: boolean[] = [];
  /** m^3, at the beginning */
  private volume: Float64Array = new Float64Array(0);
  /** Do bodies touch walls? */
  private isOnWalls: boolean[] = [];
  /** Pairs of bodies that have become one in this step. */
  merges = 0;
  private readonly seen = new Float64Array(CORNER);

  constructor(private readonly mesh: () => MultiMesh) {}

  reserve(v: number): void {
    this.potential.reserve(v);
    this.velocity.reserve(v);
    if (v < this.owner.length) return;
    const longer = new Int32Array(Math.max(2 * this.owner.length, v + 1)).fill(NONE);
    longer.set(this.owner);
    this.owner = longer;
  }

  /** The bodies that edits find: of each vertex, and the mean velocity of each. */
  begin(
    ofVertex: Int32Array,
    mean: readonly Triple[],
    isKept: readonly boolean[],
    volume: Float64Array,
    isOnWalls: readonly boolean[],
  ): void {
    for (let v = 0; v < ofVertex.length; v++) {
      this.reserve(v);
      this.owner[v] = ofVertex[v];
    }
    this.root = mean.map((_, n) => n);
    this.mean = [...mean];
    this.isKept = [...isKept];
    this.volume = volume;
    this.isOnWalls = [...isOnWalls];
    this.merges = 0;
  }

  /** The body that a vertex now belongs to, of those at the beginning. */
  findOwner(v: number): number {
    return this.owner[v] === NONE ? NONE : this.findRoot(this.owner[v]);
  }

  findRoot(body: number): number {
    while (this.root[body] !== body) body = this.root[body];
    return body;
  }

  meanOf(body: number): Readonly<Triple> {
    return this.mean[this.findRoot(body)];
  }

  /** Of one body at the beginning, m^3. */
  volumeOf(body: number): number {
    return this.volume[body];
  }

  /** Does what became of a body touch walls, which take its momentum? */
  touchesWalls(body: number): boolean {
    return this.isOnWalls[this.findRoot(body)];
  }

  /** Volume of bodies of which nothing is left on these vertices, m^3. */
  measureGone(ofVertex: Int32Array): number {
    const isLeft = new Uint8Array(this.root.length);
    for (let v = 0; v < ofVertex.length; v++)
      if (ofVertex[v] !== NONE && this.owner[v] !== NONE) isLeft[this.findRoot(this.owner[v])] = 1;
    return this.volume.reduce((sum, volume, n) => (isLeft[this.findRoot(n)] ? sum : sum + volume), 0);
  }

  follow(newId: Int32Array): void {
    this.potential.follow(newId);
    this.velocity.follow(newId);
    for (let v = 0; v < newId.length; v++) if (newId[v] !== NONE) this.owner[newId[v]] = this.owner[v];
  }

  mayJoin(a: number, b: number): boolean {
    const [i, j] = [this.findOwner(a), this.findOwner(b)];
    if (i !== j) return true;
    return i === NONE || !this.isKept[i];
  }

  onSplit(v: number, a: number, b: number, s: number): void {
    this.reserve(v);
    this.owner[v] = this.owner[a];
    this.potential.onSplit(v, a, b, s);
    this.velocity.onSplit(v, a, b, s);
  }

  onFaceSplit(v: number, a: number, b: number, c: number, wa: number, wb: number, wc: number): void {
    this.reserve(v);
    this.owner[v] = this.owner[a];
    this.potential.onFaceSplit(v, a, b, c, wa, wb, wc);
    this.velocity.onFaceSplit(v, a, b, c, wa, wb, wc);
  }

  onCollapse(kept: number, gone: number, s: number): void {
    this.join(kept, gone);
    this.potential.onCollapse(kept, gone, s);
    this.velocity.onCollapse(kept, gone, s);
  }

  onSnap(kept: number, gone: number, s: number): void {
    this.join(kept, gone);
    this.potential.onSnap(kept, gone, s);
    this.velocity.onSnap(kept, gone, s);
  }

  onSeparate(v: number, from: number): void {
    this.reserve(v);
    this.owner[v] = this.owner[from];
    this.potential.onSeparate(v, from);
    this.velocity.onSeparate(v, from);
  }

  onMove(v: number, dx: number, dy: number, dz: number): void {
    this.potential.data[v] += this.computeChange(v, dx, dy, dz);
  }

  /** Makes the bodies of two vertices one, in the frame of the first. */
  private join(kept: number, gone: number): void {
    const [a, b] = [this.findOwner(kept), this.findOwner(gone)];
    if (a === b || a === NONE || b === NONE) return;
    const { position: p, vertexFill } = this.mesh();
    const { data } = this.potential;
    const shift = [0, 1, 2].map((k) => this.mean[b][k] - this.mean[a][k]);
    const constant = data[kept] - data[gone];
    for (let v = 0; v < vertexFill; v++) {
      if (this.owner[v] === NONE || this.findRoot(this.owner[v]) !== b) continue;
      data[v] += constant;
      for (let k = 0; k < 3; k++) {
        data[v] += shift[k] * (p[3 * v + k] - p[3 * gone + k]);
        this.velocity.data[3 * v + k] += shift[k];
      }
    }
    this.root[b] = a;
    this.isKept[a] &&= this.isKept[b];
    this.isOnWalls[a] ||= this.isOnWalls[b];
    this.merges++;
  }

  /**
   * Area-weighted mean of grad(potential) . d over the faces at v, within what the differences to the
   * vertices around allow: on slivers the gradient has no bound.
   */
  private computeChange(v: number, dx: number, dy: number, dz: number): number {
    const mesh = this.mesh();
    const { data } = this.potential;
    const { seen } = this;
    let sum = 0;
    let area = 0;
    let least = 0;
    let most = 0;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const b = mesh.face[nextCorner(c)];
      const d = mesh.face[previousCorner(c)];
      const u = data[b] - data[v];
      const w = data[d] - data[v];
      least = Math.min(least, u, w);
      most = Math.max(most, u, w);
      const double = setCorner(mesh.position, 3 * v, 3 * b, 3 * d, seen);
      const det = seen[UU] * seen[WW] - seen[UW] * seen[UW];
      if (!(det > 0)) continue;
      const du = seen[U] * dx + seen[U + 1] * dy + seen[U + 2] * dz;
      const dw = seen[W] * dx + seen[W + 1] * dy + seen[W + 2] * dz;
      const s = (du * seen[WW] - dw * seen[UW]) / det;
      const t = (dw * seen[UU] - du * seen[UW]) / det;
      sum += double * (s * u + t * w);
      area += double;
    }
    return area > 0 ? Math.max(least, Math.min(most, sum / area)) : 0;
  }
}
