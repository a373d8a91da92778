/**
 * The tetrahedra over the faces of a leaf: the forms of the graded body-centred lattice. Corners, centres,
 * edge midpoints and face centres of leaves are the vertices. All of them are whole numbers of half finest
 * cells, so a form needs no geometry, and what they are in a mesh is left to others: the background mesh
 * numbers them, stuffing cuts and warps them.
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

export interface VertexSource {
  /** The mesh vertex at a point of the lattice, in half finest cells. */
  vertexAt(x: number, y: number, z: number): number;
}

export interface TetSink {
  addTet(a: number, b: number, c: number, d: number, shape: number, level: number): void;
}

/** Places of a leaf's vertices: x + 4 y + 16 z at 0, 1 or 2 halves of its edge along each axis. */
const CENTRE = 21;
const CORNER_PLACE = Uint8Array.from(
  { length: 8 },
  (_, c) => 2 * (c & 1) + 8 * ((c >> 1) & 1) + 32 * (c >> 2),
);
const PLACES = 43;
/** Place half-way between two corners: of an edge, or of a face. */
const middleOf = (p: number, q: number) => (CORNER_PLACE[p] + CORNER_PLACE[q]) >> 1;

/** Emits the tets over the faces of one leaf at a time, every tet with det(b - a, c - a, d - a) > 0. */
export class LeafForms {
  /** Low corner and half edge of the leaf, half finest cells. */
  private x = 0;
  private y = 0;
  private z = 0;
  private half = 0;
  private level = 0;
  /** Vertices at the places of the leaf, as far as they were asked for. */
  private readonly known = new Int32Array(PLACES);
  private isFresh = false;

  constructor(
    private readonly source: VertexSource,
    private readonly sink: TetSink,
  ) {}

  /** Turns to a leaf with its low corner at (i, j, k) finest cells. */
  setLeaf(level: number, i: number, j: number, k: number): void {
    this.x = 2 * i;
    this.y = 2 * j;
    this.z = 2 * k;
    this.half = 1 << level;
    this.level = level;
    this.isFresh = true;
  }

  /** Emits what fills the face; of a pair this is for both leaves, and only one of them must ask. */
  emitFace(f: number, code: number): void {
    const kind = code & KIND_MASK;
    if (this.isFresh) {
      this.known.fill(NONE);
      this.isFresh = false;
    }
    if (kind === PAIR) this.emitPair(f, code >> KIND_BITS);
    else if (kind === FAN) this.emitFan(f, code >> KIND_BITS);
    else this.emitHalves(f, code >> KIND_BITS);
  }

  /** The vertex at a place of the leaf. */
  private at(place: number): number {
    const v = this.known[place];
    return v !== NONE ? v : this.ask(place);
  }

  private ask(place: number): number {
    const { half } = this;
    const v = this.source.vertexAt(
      this.x + half * (place & 3),
      this.y + half * ((place >> 2) & 3),
      this.z + half * (place >> 4),
    );
    this.known[place] = v;
    return v;
  }

  /**
   * BCC tets to the equal leaf across the high side of an axis; over an edge that is split, two bisected
   * ones.
   */
  private emitPair(f: number, split: number): void {
    const { sink, level, half } = this;
    const axis = f >> 1;
    const centre = this.at(CENTRE);
    const next = this.source.vertexAt(
      this.x + (axis === 0 ? 3 : 1) * half,
      this.y + (axis === 1 ? 3 : 1) * half,
      this.z + (axis === 2 ? 3 : 1) * half,
    );
    const f4 = 4 * axis;
    const first = this.at(CORNER_PLACE[FACE_CORNER[f4]]);
    let q1 = first;
    for (let m = 0; m < 4; m++) {
      const bits2 = FACE_CORNER[f4 + ((m + 1) & 3)];
      const q2 = m === 3 ? first : this.at(CORNER_PLACE[bits2]);
      if ((split >> m) & 1) {
        const mid = this.at(middleOf(FACE_CORNER[f4 + m], bits2));
        sink.addTet(centre, next, q1, mid, SHAPE_BISECTED, level);
        sink.addTet(centre, next, mid, q2, SHAPE_BISECTED, level);
      } else sink.addTet(centre, next, q1, q2, SHAPE_BCC, level);
      q1 = q2;
    }
  }

  /**
   * Half of a BCC tet over every edge, to the centre of the face; over an edge that is split, two quarters.
   */
  private emitFan(f: number, split: number): void {
    const { sink, level } = this;
    const axis = f >> 1;
    const flip = f & 1 ? 1 << axis : 0;
    const centre = this.at(CENTRE);
    const faceCentre = this.at(middleOf(FACE_CORNER[4 * axis] ^ flip, FACE_CORNER[4 * axis + 2] ^ flip));
    for (let m = 0; m < 4; m++) {
      const bits1 = FACE_CORNER[4 * axis + m] ^ flip;
      const bits2 = FACE_CORNER[4 * axis + ((m + 1) & 3)] ^ flip;
      const q1 = this.at(CORNER_PLACE[bits1]);
      const q2 = this.at(CORNER_PLACE[bits2]);
      // Seen from outside a low face the corners run clockwise: the last two vertices change places.
      if ((split >> m) & 1) {
        const mid = this.at(middleOf(bits1, bits2));
        this.emitTwo(centre, faceCentre, q1, mid, q2, SHAPE_QUADRISECTED, flip);
      } else if (flip) sink.addTet(centre, faceCentre, q2, q1, SHAPE_BISECTED, level);
      else sink.addTet(centre, faceCentre, q1, q2, SHAPE_BISECTED, level);
    }
  }

  /** Two tets from `top` over the triangles p q r and p r s, turned over where `flip` is not 0. */
  private emitTwo(
    top: number,
    p: number,
    q: number,
    r: number,
    s: number,
    shape: number,
    flip: number,
  ): void {
    const { sink, level } = this;
    sink.addTet(top, p, flip ? r : q, flip ? q : r, shape, level);
    sink.addTet(top, p, flip ? s : r, flip ? r : s, shape, level);
  }

  /** Two tets over the face; the diagonal starts at corner `start`. */
  private emitHalves(f: number, start: number): void {
    const axis = f >> 1;
    const flip = f & 1 ? 1 << axis : 0;
    const centre = this.at(CENTRE);
    const p = this.at(CORNER_PLACE[FACE_CORNER[4 * axis + start] ^ flip]);
    const q = this.at(CORNER_PLACE[FACE_CORNER[4 * axis + start + 1] ^ flip]);
    const r = this.at(CORNER_PLACE[FACE_CORNER[4 * axis + start + 2] ^ flip]);
    const s = this.at(CORNER_PLACE[FACE_CORNER[4 * axis + ((start + 3) & 3)] ^ flip]);
    this.emitTwo(centre, p, q, r, s, SHAPE_HALF_PYRAMID, flip);
  }
}
