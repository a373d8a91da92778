/**
 * Which walls each vertex is on, as bits by vertex, through motion and edits. A vertex on walls slides on
 * them. A face with all corners on one wall, its normal into it, is wet; a vertex is on a wall while one of
 * its faces is wet there. Vertices of a nozzle are held in their places.
 *
 *   capture   a vertex that would go through a wall is put on it, stages.ts
 *   line      vertices with wet faces and free ones: edits keep them, other vertices collapse into them
 */
import { NONE, type Seconds } from '../../../core/types.ts';
import { setNormal } from '../../../math/triangle.ts';
import { faceOf, type MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import { type VertexWalls, WallBits } from '../../../tracking/multimaterial/walls.ts';
import { LIQUID } from '../liquid/body.ts';
import { projectOnto, type SolidWall } from './solids.ts';

/** Bits of an integer, one of them the sign. */
export const MOST_WALLS = 31;

/** Bit n: on wall n. */
export class WallVertices extends WallBits implements VertexWalls {
  /** Vertices of contact lines that friction holds in this step. */
  private readonly pinned = new Set<number>();
  private readonly sets = new Map<number, readonly SolidWall[]>();
  private readonly normal = new Float64Array(3);

  constructor(
    mesh: MultiMesh,
    readonly walls: readonly SolidWall[],
    /** Bits of walls whose vertices are held in place. */
    private readonly heldBits: number,
    /** When positions are to be on walls. */
    public time: Seconds,
    saved?: Int32Array,
  ) {
    super(mesh, saved);
  }

  save(): Int32Array {
    return this.bits.slice(0, this.mesh.vertexFill);
  }

  bitsOf(v: number): number {
    return this.bits[v];
  }

  isNozzle(n: number): boolean {
    return ((this.heldBits >> n) & 1) !== 0;
  }

  /** Puts a vertex on walls, beside those that it is on. */
  capture(v: number, bits: number): void {
    this.set(v, this.bits[v] | bits);
  }

  /** Says which vertices are to stay where they are on their walls, until the mesh is packed. */
  pin(vertices: Iterable<number>): void {
    for (const v of vertices) this.pinned.add(v);
  }

  /** Takes a vertex off all walls but nozzles. */
  release(v: number): void {
    this.bits[v] &= this.heldBits;
  }

  /** The walls of some bits. */
  list(bits: number): readonly SolidWall[] {
    let found = this.sets.get(bits);
    if (!found) {
      found = this.walls.filter((_, n) => (bits >> n) & 1);
      this.sets.set(bits, found);
    }
    return found;
  }

  /** The wall that face f is wet on, or NONE. */
  wallOfFace(f: number): number {
    const { face, label, position } = this.mesh;
    const bits = this.bits[face[3 * f]] & this.bits[face[3 * f + 1]] & this.bits[face[3 * f + 2]];
    if (bits === 0) return NONE;
    const { normal } = this;
    setNormal(position, 3 * face[3 * f], 3 * face[3 * f + 1], 3 * face[3 * f + 2], normal);
    const sign = label[2 * f + 1] === LIQUID ? 1 : -1;
    const at = 3 * face[3 * f];
    for (let n = 0; n < this.walls.length; n++) {
      if (((bits >> n) & 1) === 0) continue;
      const [x, y, z] = this.walls[n].normal(position[at], position[at + 1], position[at + 2], this.time);
      if (sign * (x * normal[0] + y * normal[1] + z * normal[2]) <= 0) return n;
    }
    return NONE;
  }

  /** Takes vertices off walls that none of their faces is wet on. */
  forgetLeft(): void {
    const { mesh } = this;
    const now = new Int32Array(this.bits.length);
    for (let f = 0; f < mesh.faceFill; f++) {
      if (!mesh.isFace(f)) continue;
      const n = this.wallOfFace(f);
      if (n !== NONE) for (let c = 3 * f; c < 3 * f + 3; c++) now[mesh.face[c]] |= 1 << n;
    }
    for (let v = 0; v < mesh.vertexFill; v++) this.bits[v] &= now[v];
  }

  /** Has the vertex both wet faces and free ones? */
  isLine(v: number): boolean {
    if (this.bits[v] === 0) return false;
    const { vertexCorner, cornerNextAtVertex } = this.mesh;
    for (let c = vertexCorner[v]; c !== NONE; c = cornerNextAtVertex[c])
      if (this.wallOfFace(faceOf(c)) === NONE) return true;
    return false;
  }

  // The tracker's side.

  count(v: number): number {
    const bits = this.bits[v];
    if (bits === 0) return 0;
    let count = this.isLine(v) ? 1 : 0;
    for (let left = bits; left !== 0; left &= left - 1) count++;
    return count;
  }

  hold(v: number, place: number[] | Float64Array): void {
    this.holdBy(this.bits[v], place, 0);
  }

  holdBetween(a: number, b: number, place: Float64Array): void {
    this.holdBy(this.bits[a] & this.bits[b], place, 0);
  }

  holdPart(v: number, isOfPart: (f: number) => boolean, place: number[] | Float64Array): void {
    this.holdBy(this.findBits(v, isOfPart), place, 0);
  }

  holdProposed(v: number, proposed: Float64Array): void {
    if (this.isHeld(v)) for (let c = 3 * v; c < 3 * v + 3; c++) proposed[c] = this.mesh.position[c];
    else this.holdBy(this.bits[v], proposed, 3 * v);
  }

  holdAllProposed(proposed: Float64Array): void {
    for (let v = 0; v < this.mesh.vertexFill; v++) if (this.mesh.isVertex(v)) this.holdProposed(v, proposed);
  }

  slide(v: number, vector: Float64Array, offset: number): void {
    if (this.pinned.has(v)) for (let k = 0; k < 3; k++) vector[offset + k] = 0;
    for (const normal of this.findNormals(v)) {
      const dot =
        vector[offset] * normal[0] + vector[offset + 1] * normal[1] + vector[offset + 2] * normal[2];
      for (let k = 0; k < 3; k++) vector[offset + k] -= dot * normal[k];
    }
  }

  maySmooth(v: number): boolean {
    return !this.isLine(v);
  }

  /** Normals of the walls of a vertex, each at right angles to those before. */
  findNormals(v: number): number[][] {
    const found: number[][] = [];
    const bits = this.bits[v];
    if (bits === 0) return found;
    const { position: p } = this.mesh;
    for (const wall of this.list(bits)) {
      const normal = [...wall.normal(p[3 * v], p[3 * v + 1], p[3 * v + 2], this.time)];
      for (const other of found) {
        const dot = normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2];
        for (let k = 0; k < 3; k++) normal[k] -= dot * other[k];
      }
      const length = Math.hypot(...normal);
      if (length > SAME) found.push(normal.map((x) => x / length));
    }
    return found;
  }

  override follow(newId: Int32Array): void {
    super.follow(newId);
    this.pinned.clear();
  }

  isHeld(v: number): boolean {
    return (this.bits[v] & this.heldBits) !== 0;
  }

  /** Contact lines and rims are not flipped. */
  isHeldEdge(a: number, b: number): boolean {
    if ((this.bits[a] & this.bits[b]) === 0) return false;
    const { mesh } = this;
    const e = mesh.findEdge(a, b);
    let wet = 0;
    let free = 0;
    for (let c = mesh.edgeCorner[e]; c !== NONE; c = mesh.cornerNextAtEdge[c])
      if (this.wallOfFace(faceOf(c)) === NONE) free++;
      else wet++;
    return wet > 0 && free > 0;
  }

  override mayJoin(a: number, b: number): boolean {
    return super.mayJoin(a, b) && !(this.isHeld(a) && this.isHeld(b));
  }

  protected bitsOfFace(f: number): number {
    const n = this.wallOfFace(f);
    return n === NONE ? 0 : 1 << n;
  }

  private holdBy(bits: number, place: number[] | Float64Array, offset: number): void {
    if (bits !== 0) projectOnto(this.list(bits), this.time, place, offset);
  }
}

/** Sine of the angle between two walls below which they are one. */
const SAME = 1e-6;
