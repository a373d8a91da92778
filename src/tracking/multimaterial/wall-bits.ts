/**
 * Which walls each vertex is on, as bits by vertex, through edits. A vertex is on a wall while one of its
 * faces lies on it. What a new vertex is on, the ends of its edge both are; what two vertices become is on
 * the walls of either.
 */
import { NONE } from '../../core/types.ts';
import { faceOf, type MultiMesh } from './mesh.ts';
import type { VertexPolicy } from './policy.ts';

export abstract class WallBits implements VertexPolicy {
  /** (vertices) bit n: on wall n */
  protected bits: Int32Array;

  constructor(
    protected readonly mesh: MultiMesh,
    saved?: ArrayLike<number>,
  ) {
    this.bits = new Int32Array(Math.max(64, mesh.vertexFill));
    if (saved) this.bits.set(saved);
  }

  /** Walls that face f lies on. */
  protected abstract bitsOfFace(f: number): number;

  /** Walls that some faces of v lie on. */
  protected findBits(v: number, isOfPart: (f: number) => boolean): number {
    let bits = 0;
    if (this.bits[v] === 0) return bits;
    const { vertexCorner, cornerNextAtVertex } = this.mesh;
    for (let c = vertexCorner[v]; c !== NONE; c = cornerNextAtVertex[c])
      if (isOfPart(faceOf(c))) bits |= this.bitsOfFace(faceOf(c));
    return bits;
  }

  /** Takes vertices off walls that none of their faces lies on any more. */
  forgetLeft(): void {
    const { mesh } = this;
    const now = new Int32Array(this.bits.length);
    for (let f = 0; f < mesh.faceFill; f++) {
      if (!mesh.isFace(f)) continue;
      const bits = this.bitsOfFace(f);
      if (bits !== 0) for (let c = 3 * f; c < 3 * f + 3; c++) now[mesh.face[c]] |= bits;
    }
    for (let v = 0; v < this.bits.length; v++) this.bits[v] &= now[v];
  }

  /** Moves the rows as vertices were renumbered in rising order: `newId[old]`, NONE for the gone. */
  follow(newId: Int32Array): void {
    for (let v = 0; v < newId.length; v++) if (newId[v] !== NONE) this.bits[newId[v]] = this.bits[v];
  }

  /** Two vertices become one only where one of them is on all walls of the other. */
  mayJoin(a: number, b: number): boolean {
    const common = this.bits[a] & this.bits[b];
    return common === this.bits[a] || common === this.bits[b];
  }

  onSplit(v: number, a: number, b: number): void {
    this.set(v, this.bits[a] & this.bits[b]);
  }

  onFaceSplit(v: number, a: number, b: number, c: number): void {
    this.set(v, this.bits[a] & this.bits[b] & this.bits[c]);
  }

  onCollapse(kept: number, gone: number): void {
    this.bits[kept] |= this.bits[gone];
  }

  onSnap(kept: number, gone: number): void {
    this.bits[kept] |= this.bits[gone];
  }

  onSeparate(v: number, from: number): void {
    this.set(v, this.bits[from]);
    const own = this.findBits(v, () => true);
    this.bits[from] = this.findBits(from, () => true);
    this.bits[v] = own;
  }

  protected set(v: number, bits: number): void {
    if (v >= this.bits.length) {
      const longer = new Int32Array(Math.max(2 * this.bits.length, v + 1));
      longer.set(this.bits);
      this.bits = longer;
    }
    this.bits[v] = bits;
  }
}
