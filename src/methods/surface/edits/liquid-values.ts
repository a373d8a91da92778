/**
 * Potential and velocity by vertex as the tracker's attributes, through remeshing, merging and pinching.
 *
 * Between integration and the end of a step they stand without the mean flow of their body, so that a body
 * that merely travels has zeros everywhere and edits change nothing. `owner` names the body a vertex comes
 * from.
 *
 *   split, collapse, slide   by values and velocities of the ends: exact where the velocity is linear
 *   other moves              by the velocity: the potential inside is known to be u . d away
 *   merging                  two bodies become one. The potential of each is known up to a constant, so that of the second is changed by
 *                            the constant with which both agree where they first touch, and its mean flow is expressed by that of the
 *                            first. What differs around the neck is the impulse of the impact; its energy is lost, and told
 *   pinching                 values stay; each part finds its own mean flow in them
 */
import { NONE } from '../../../core/types.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import { type VertexPolicy, VertexValues } from '../../../tracking/multimaterial/policy.ts';
import type { Triple } from '../liquid/moments.ts';

export class LiquidValues implements VertexPolicy {
  /** m^2/s */
  readonly potential = new VertexValues(1);
  /** (x 3) m/s, of the last step, without the mean flow */
  readonly velocity = new VertexValues(3);
  /**
   * m^2/s around the hole of the body, the same on all its vertices: the potential is known up to multiples
   * of it (liquid/swirl.ts)
   */
  readonly circulation = new VertexValues(1);
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

  constructor(private readonly mesh: () => MultiMesh) {}

  reserve(v: number): void {
    this.potential.reserve(v);
    this.velocity.reserve(v);
    this.circulation.reserve(v);
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
    isOnWalls: readonly boolean[] = [],
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

  /** Of the liquid at a vertex, with the mean flow, m/s. */
  velocityAt(v: number): Triple {
    const owner = this.findOwner(v);
    const { data } = this.velocity;
    const u: Triple = [data[3 * v], data[3 * v + 1], data[3 * v + 2]];
    return owner === NONE ? u : (u.map((x, k) => x + this.mean[owner][k]) as Triple);
  }

  /** Of one body at the beginning, m^3. */
  volumeOf(body: number): number {
    return this.volume[body];
  }

  /** Does what became of a body touch walls, which take its momentum? */
  touchesWalls(body: number): boolean {
    return this.isOnWalls[this.findRoot(body)] ?? false;
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
    this.circulation.follow(newId);
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
    this.bringNear(a, b);
    const bend = this.computeBend(a, b, this.mesh().position, 3 * a) * s * (1 - s);
    this.circulation.onSplit(v, a, b, 0);
    this.potential.onSplit(v, a, b, s);
    this.potential.data[v] += 0.5 * bend;
    this.velocity.onSplit(v, a, b, s);
  }

  onFaceSplit(v: number, a: number, b: number, c: number, wa: number, wb: number, wc: number): void {
    this.reserve(v);
    this.owner[v] = this.owner[a];
    this.bringNear(a, b);
    this.bringNear(a, c);
    this.circulation.onSplit(v, a, b, 0);
    this.potential.onFaceSplit(v, a, b, c, wa, wb, wc);
    this.velocity.onFaceSplit(v, a, b, c, wa, wb, wc);
  }

  onCollapse(kept: number, gone: number, s: number): void {
    this.join(kept, gone);
    this.bringNear(kept, gone);
    // The kept one stands at its new place already: the edge is what is left of it over 1 - s.
    const bend = this.computeBend(kept, gone, this.mesh().position, 3 * kept) * s;
    this.potential.onCollapse(kept, gone, s);
    this.potential.data[kept] += 0.5 * bend;
    this.velocity.onCollapse(kept, gone, s);
  }

  onSnap(kept: number, gone: number, s: number): void {
    this.join(kept, gone);
    this.bringNear(kept, gone);
    const bend = this.computeBend(kept, gone, this.mesh().position, 3 * kept) * s;
    this.potential.onSnap(kept, gone, s);
    // What each says where both now are.
    this.potential.data[kept] += bend;
    this.velocity.onSnap(kept, gone, s);
  }

  onSeparate(v: number, from: number): void {
    this.reserve(v);
    this.owner[v] = this.owner[from];
    this.circulation.onSeparate(v, from);
    this.potential.onSeparate(v, from);
    this.velocity.onSeparate(v, from);
  }

  onMove(v: number, dx: number, dy: number, dz: number): void {
    const u = this.velocity.data;
    this.potential.data[v] += u[3 * v] * dx + u[3 * v + 1] * dy + u[3 * v + 2] * dz;
  }

  /**
   * Vertices have been moved from `from` (vertexFill x 3) to where they are, by other means than the flow.
   */
  onMoved(from: Float64Array): void {
    const mesh = this.mesh();
    const p = mesh.position;
    for (let v = 0; v < from.length / 3; v++)
      if (mesh.isVertex(v))
        this.onMove(
          v,
          p[3 * v] - from[3 * v],
          p[3 * v + 1] - from[3 * v + 1],
          p[3 * v + 2] - from[3 * v + 2],
        );
  }

  /** (u_a - u_b) . (x_b - p), p at `from` in an array. */
  private computeBend(a: number, b: number, p: ArrayLike<number>, from: number): number {
    const u = this.velocity.data;
    const x = this.mesh().position;
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += (u[3 * a + k] - u[3 * b + k]) * (x[3 * b + k] - p[from + k]);
    return sum;
  }

  /** Brings the potential of b next to that of a, by multiples of the circulation. */
  private bringNear(a: number, b: number): void {
    const period = this.circulation.data[a];
    if (period === 0) return;
    const { data } = this.potential;
    data[b] += period * Math.round((data[a] - data[b]) / period);
  }

  /** Makes the bodies of two vertices one, in the frame of the first. */
  private join(kept: number, gone: number): void {
    const [a, b] = [this.findOwner(kept), this.findOwner(gone)];
    if (a === b || a === NONE || b === NONE) return;
    const { position: p, vertexFill } = this.mesh();
    const { data } = this.potential;
    const shift = [0, 1, 2].map((k) => this.mean[b][k] - this.mean[a][k]);
    const constant = data[kept] - data[gone];
    const { data: turns } = this.circulation;
    const circulation = Math.abs(turns[kept]) >= Math.abs(turns[gone]) ? turns[kept] : turns[gone];
    if (circulation !== 0)
      for (let v = 0; v < vertexFill; v++) {
        const root = this.owner[v] === NONE ? NONE : this.findRoot(this.owner[v]);
        if (root === a || root === b) turns[v] = circulation;
      }
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
}
