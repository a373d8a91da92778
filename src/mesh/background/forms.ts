/**
 * The tetrahedra over the faces of a leaf: the forms of the graded body-centred lattice. Corners, centres, edge midpoints and
 * face centres of leaves are the vertices. All of them are whole numbers of half finest cells, so a form needs no geometry,
 * and what they are in a mesh is left to a sink: the background mesh numbers them, stuffing cuts and warps them.
 *
 *   shape          vertices                         dihedral angles, degrees    volume in leaf edges^3
 *   BCC            centre, centre, corner, corner   60, 90                      1/12
 *   bisected       the above, one long edge halved  45, 60, 90                  1/24
 *   quadrisected   both long edges halved           45, 60, 90                  1/48
 *   half-pyramid   centre, three corners of a face  45, 60, 90, 120             1/12
 */
import { NONE } from '../../core/types.ts';
import { FACE_CORNER, FAN, KIND_BITS, KIND_MASK, PAIR } from './faces.ts';

export const SHAPE_BCC = 0;
export const SHAPE_BISECTED = 1;
export const SHAPE_QUADRISECTED = 2;
export const SHAPE_HALF_PYRAMID = 3;

export interface FormSink {
  /** The mesh vertex at a point of the lattice, in half finest cells. */
  vertexAt(x: number, y: number, z: number): number;
  addTet(a: number, b: number, c: number, d: number, shape: number, level: number): void;
}

/** Emits the tets over the faces of one leaf at a time, every tet with det(b - a, c - a, d - a) > 0. */
export class LeafForms {
  /** Low corner and half edge of the leaf, half finest cells. */
  private x = 0;
  private y = 0;
  private z = 0;
  private half = 0;
  private level = 0;
  /** Vertices at the 27 places 0, 1, 2 halves along each axis of the leaf. */
  private readonly known = new Int32Array(27);

  constructor(private readonly sink: FormSink) {}

  /** Turns to a leaf with its low corner at (i, j, k) finest cells. */
  setLeaf(level: number, i: number, j: number, k: number): void {
    this.x = 2 * i;
    this.y = 2 * j;
    this.z = 2 * k;
    this.half = 1 << level;
    this.level = level;
    this.known.fill(NONE);
  }

  /** Emits what fills the face; of a pair this is for both leaves, and only one of them must ask. */
  emitFace(f: number, code: number): void {
    const kind = code & KIND_MASK;
    if (kind === PAIR) this.emitPair(f, code >> KIND_BITS);
    else if (kind === FAN) this.emitFan(f, code >> KIND_BITS);
    else this.emitHalves(f, code >> KIND_BITS);
  }

  /** The vertex at (x, y, z) halves of the leaf's edge, each 0 to 2. */
  private at(x: number, y: number, z: number): number {
    const place = x + 3 * y + 9 * z;
    if (this.known[place] === NONE)
      this.known[place] = this.sink.vertexAt(
        this.x + this.half * x,
        this.y + this.half * y,
        this.z + this.half * z,
      );
    return this.known[place];
  }

  private corner(bits: number): number {
    return this.at(2 * (bits & 1), bits & 2, (bits >> 1) & 2);
  }

  /** Middle of two corners: of an edge, or of a face. */
  private middle(p: number, q: number): number {
    return this.at((p & 1) + (q & 1), ((p >> 1) & 1) + ((q >> 1) & 1), (p >> 2) + (q >> 2));
  }

  /** BCC tets to the equal leaf across the high side of an axis; over an edge that is split, two bisected ones. */
  private emitPair(f: number, split: number): void {
    const { sink, level, half } = this;
    const axis = f >> 1;
    const centre = this.at(1, 1, 1);
    const next = sink.vertexAt(
      this.x + (axis === 0 ? 3 : 1) * half,
      this.y + (axis === 1 ? 3 : 1) * half,
      this.z + (axis === 2 ? 3 : 1) * half,
    );
    for (let m = 0; m < 4; m++) {
      const bits1 = FACE_CORNER[4 * axis + m];
      const bits2 = FACE_CORNER[4 * axis + ((m + 1) & 3)];
      const q1 = this.corner(bits1);
      const q2 = this.corner(bits2);
      if ((split >> m) & 1) {
        const mid = this.middle(bits1, bits2);
        sink.addTet(centre, next, q1, mid, SHAPE_BISECTED, level);
        sink.addTet(centre, next, mid, q2, SHAPE_BISECTED, level);
      } else sink.addTet(centre, next, q1, q2, SHAPE_BCC, level);
    }
  }

  /** Half of a BCC tet over every edge, to the centre of the face; over an edge that is split, two quarters. */
  private emitFan(f: number, split: number): void {
    const { sink, level } = this;
    const axis = f >> 1;
    const flip = f & 1 ? 1 << axis : 0;
    const centre = this.at(1, 1, 1);
    const faceCentre = this.middle(FACE_CORNER[4 * axis] ^ flip, FACE_CORNER[4 * axis + 2] ^ flip);
    for (let m = 0; m < 4; m++) {
      const bits1 = FACE_CORNER[4 * axis + m] ^ flip;
      const bits2 = FACE_CORNER[4 * axis + ((m + 1) & 3)] ^ flip;
      const q1 = this.corner(bits1);
      const q2 = this.corner(bits2);
      // Seen from outside a low face the corners run clockwise: the last two vertices change places.
      if ((split >> m) & 1) {
        const mid = this.middle(bits1, bits2);
        if (flip) {
          sink.addTet(centre, faceCentre, mid, q1, SHAPE_QUADRISECTED, level);
          sink.addTet(centre, faceCentre, q2, mid, SHAPE_QUADRISECTED, level);
        } else {
          sink.addTet(centre, faceCentre, q1, mid, SHAPE_QUADRISECTED, level);
          sink.addTet(centre, faceCentre, mid, q2, SHAPE_QUADRISECTED, level);
        }
      } else if (flip) sink.addTet(centre, faceCentre, q2, q1, SHAPE_BISECTED, level);
      else sink.addTet(centre, faceCentre, q1, q2, SHAPE_BISECTED, level);
    }
  }

  /** Two tets over the face; the diagonal starts at corner `start`. */
  private emitHalves(f: number, start: number): void {
    const { sink, level } = this;
    const axis = f >> 1;
    const flip = f & 1 ? 1 << axis : 0;
    const centre = this.at(1, 1, 1);
    const p = this.corner(FACE_CORNER[4 * axis + start] ^ flip);
    const q = this.corner(FACE_CORNER[4 * axis + start + 1] ^ flip);
    const r = this.corner(FACE_CORNER[4 * axis + start + 2] ^ flip);
    const s = this.corner(FACE_CORNER[4 * axis + ((start + 3) & 3)] ^ flip);
    if (flip) {
      sink.addTet(centre, p, r, q, SHAPE_HALF_PYRAMID, level);
      sink.addTet(centre, p, s, r, SHAPE_HALF_PYRAMID, level);
    } else {
      sink.addTet(centre, p, q, r, SHAPE_HALF_PYRAMID, level);
      sink.addTet(centre, p, r, s, SHAPE_HALF_PYRAMID, level);
    }
  }
}
