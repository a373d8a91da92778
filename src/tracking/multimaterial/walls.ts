/**
 * Walls: the sides of a box that regions end on, as the cells of [da-2017] figure 10.5 do in their cube.
 * Vertices on a wall slide on it: edits, separations and proposed motions leave their coordinate across it
 * alone, and a vertex on fewer walls goes into one on more.
 *
 * A vertex is on a wall while one of its faces lies on it with the outside beyond. Which walls those are is
 * remembered as bits by vertex: a place alone does not tell a vertex on a wall from one that has just come
 * off it.
 */
import { InputError } from '../../core/errors.ts';
import { type Box, NONE } from '../../core/types.ts';
import { faceOf, type MultiMesh } from './mesh.ts';
import type { VertexPolicy } from './policy.ts';

/** Label of what is beyond the walls. */
export const OUTSIDE = 0;
/** A vertex this close to a side of the box at the start is on it, in sizes of the box. */
const ON_WALL = 1e-9;
/** Vertices for which there is room at least. */
const LEAST_ROOM = 64;

/** What the tracker asks of walls, whatever their shape. */
export interface VertexWalls {
  /** How many walls a vertex is on: one on fewer goes into one on more. */
  count(v: number): number;
  /** Brings a place for vertex v onto its walls. */
  hold(v: number, place: Float64Array): void;
  /** The same for a place on the edge a b. */
  holdBetween(a: number, b: number, place: Float64Array): void;
  /** The same for the part of vertex v that has these faces. */
  holdPart(v: number, isOfPart: (f: number) => boolean, place: number[] | Float64Array): void;
  /** The same for vertex v among positions to be reached (vertices x 3). */
  holdProposed(v: number, proposed: Float64Array): void;
  /** The same for all vertices. */
  holdAllProposed(proposed: Float64Array): void;
  /** Takes from the vector at `offset` what leads vertex v across its walls. */
  slide(v: number, vector: Float64Array, offset: number): void;
  /** May smoothing move vertex v? */
  maySmooth(v: number): boolean;
  /** Moves rows as vertices were renumbered in rising order: `newId[old]`, NONE for the gone. */
  follow(newId: Int32Array): void;
}

/** Which walls each vertex is on, as bits by vertex, through all edits. */
export abstract class WallBits implements VertexPolicy {
  protected bits: Int32Array;

  constructor(
    protected readonly mesh: MultiMesh,
    /** As they were saved. */
    saved?: ArrayLike<number>,
  ) {
    this.bits = new Int32Array(Math.max(LEAST_ROOM, mesh.vertexFill));
    if (saved) this.bits.set(saved);
  }

  /** Walls that face f lies on, with what is beyond them at its other side. */
  protected abstract bitsOfFace(f: number): number;

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

  /** Moves the rows as vertices were renumbered in rising order: `newId[old]`, NONE for the gone. */
  follow(newId: Int32Array): void {
    for (let v = 0; v < newId.length; v++) if (newId[v] !== NONE) this.bits[newId[v]] = this.bits[v];
  }

  /** Walls of vertex v by some of its faces. */
  protected findBits(v: number, isOfPart: (f: number) => boolean): number {
    let bits = 0;
    if (this.bits[v] === 0) return bits;
    const { vertexCorner, cornerNextAtVertex } = this.mesh;
    for (let c = vertexCorner[v]; c !== NONE; c = cornerNextAtVertex[c])
      if (isOfPart(faceOf(c))) bits |= this.bitsOfFace(faceOf(c));
    return bits;
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

/** Bit k: on the low side along axis k; bit 3 + k: on the high side. */
export class Walls extends WallBits implements VertexWalls {
  constructor(
    mesh: MultiMesh,
    private readonly box: Box,
    /** As `save` gave them; without: as the vertices stand. */
    saved?: Uint8Array,
  ) {
    super(mesh, saved);
    if (!saved) this.findByPlace();
  }

  save(): Uint8Array {
    return Uint8Array.from(this.bits.subarray(0, this.mesh.vertexFill));
  }

  /** How many walls a vertex is on. */
  count(v: number): number {
    let count = 0;
    for (let bits = this.bits[v]; bits !== 0; bits &= bits - 1) count++;
    return count;
  }

  /** Gives a place for vertex v its coordinates across its walls. */
  hold(v: number, place: Float64Array): void {
    this.holdBy(this.bits[v], v, place);
  }

  /** The same for a place on the edge a b. */
  holdBetween(a: number, b: number, place: Float64Array): void {
    this.holdBy(this.bits[a] & this.bits[b], a, place);
  }

  /** The same for the part of vertex v that has these faces. */
  holdPart(v: number, isOfPart: (f: number) => boolean, place: number[] | Float64Array): void {
    this.holdBy(this.findBits(v, isOfPart), v, place);
  }

  /** Puts vertices back where their walls are, in positions to be reached. */
  holdAllProposed(proposed: Float64Array): void {
    this.forgetLeft();
    for (let v = 0; v < this.mesh.vertexFill; v++) if (this.mesh.isVertex(v)) this.holdProposed(v, proposed);
  }

  holdProposed(v: number, proposed: Float64Array): void {
    if (this.bits[v] === 0) return;
    const { min, max } = this.box;
    for (let k = 0; k < 3; k++) {
      if (this.bits[v] & (1 << k)) proposed[3 * v + k] = min[k];
      if (this.bits[v] & (8 << k)) proposed[3 * v + k] = max[k];
    }
  }

  slide(v: number, vector: Float64Array, offset: number): void {
    for (let k = 0; k < 3; k++) if (this.bits[v] & (9 << k)) vector[offset + k] = 0;
  }

  maySmooth(): boolean {
    return true;
  }

  /** Takes from velocities (vertices x 3) what leads across walls. */
  stop(velocity: Float64Array): void {
    for (let v = 0; v < this.mesh.vertexFill; v++) this.slide(v, velocity, 3 * v);
  }

  private holdBy(bits: number, v: number, place: number[] | Float64Array): void {
    if (bits === 0) return;
    const p = this.mesh.position;
    for (let k = 0; k < 3; k++) if (bits & (9 << k)) place[k] = p[3 * v + k];
  }

  private findByPlace(): void {
    const { mesh } = this;
    const { min, max } = this.box;
    const p = mesh.position;
    for (let v = 0; v < mesh.vertexFill; v++) {
      for (let k = 0; k < 3; k++) {
        const near = ON_WALL * (max[k] - min[k]);
        if (Math.abs(p[3 * v + k] - min[k]) <= near) this.bits[v] |= 1 << k;
        if (Math.abs(p[3 * v + k] - max[k]) <= near) this.bits[v] |= 8 << k;
      }
    }
    this.forgetLeft();
    if (this.bits.some((bits) => bits !== 0)) return;
    throw new InputError(
      'walls',
      `no face of the surface lies on a side of the box [${min}] to [${max}] with the outside beyond`,
      'give the box that the starting surface fills, or leave walls out',
    );
  }

  /** Takes vertices off walls that none of their faces lies on any more. */
  private forgetLeft(): void {
    const { mesh } = this;
    const now = new Int32Array(Math.max(LEAST_ROOM, mesh.vertexFill));
    for (let f = 0; f < mesh.faceFill; f++) {
      if (!mesh.isFace(f)) continue;
      const bits = this.bitsOfFace(f);
      for (let i = 0; i < 3; i++) now[mesh.face[3 * f + i]] |= bits;
    }
    this.bits = now;
  }

  protected bitsOfFace(f: number): number {
    const { face, label } = this.mesh;
    if (label[2 * f] !== OUTSIDE && label[2 * f + 1] !== OUTSIDE) return 0;
    return this.bits[face[3 * f]] & this.bits[face[3 * f + 1]] & this.bits[face[3 * f + 2]];
  }
}
