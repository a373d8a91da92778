/**
 * How each face of a leaf is filled (Labelle and Shewchuk 2007, section 4; [chentanez-2007] 3.3.2). A leaf of
 * the octree is six pyramids from its centre over its faces, and what lies across a face decides how its
 * pyramid is divided:
 *
 *   PAIR    an equal leaf: together with its pyramid, a BCC tet over every edge, from centre to centre
 *   FAN     smaller leaves, the side of the box, or a wall: a tet over every edge, to the centre of the face
 *   HALVES  a larger leaf: two tets, divided by the diagonal that starts at the centre of the larger face
 *
 * Of a pair and of a fan, the tet over an edge is two where a smaller leaf splits the edge. Edges of halves
 * are never split: the smaller leaf would touch the larger one, two levels apart. This is why edges must be
 * balanced too.
 */
import { CENTRE, LARGER, Neighbours, OUTSIDE } from '../octree/neighbours.ts';
import type { Octree } from '../octree/octree.ts';

export const PAIR = 0;
export const FAN = 1;
export const HALVES = 2;
/**
 * A face's code is its kind, plus this many bits up a bit per split edge, or for halves which diagonal it is.
 */
export const KIND_BITS = 2;
export const KIND_MASK = 3;
const ALL_SPLIT = 15;
const UNKNOWN = 2;

/** Faces of a leaf: 2 axis, and one more on the low side. */
export const FACES = 6;

/** Tets over a fan or pair by the bits of its split edges: 4 and one more per split. */
const TETS_OF_SPLITS = Uint8Array.from({ length: 16 }, (_, bits) => {
  let tets = 4;
  for (let m = 0; m < 4; m++) tets += (bits >> m) & 1;
  return tets;
});

export function countTets(code: number): number {
  return (code & KIND_MASK) === HALVES ? 2 : TETS_OF_SPLITS[code >> KIND_BITS];
}

/** Corners (bits x y z) of the face on the high side of each axis, counter-clockwise seen from outside. */
export const FACE_CORNER = new Uint8Array(12);
/** Per face and edge m, from corner m to corner m + 1: the face on its other side. */
const FACE_BESIDE = new Uint8Array(4 * FACES);
/** Per face: one of the 12 pairs of faces that meet in an edge, per edge m. */
const EDGE_OF_FACE = new Uint8Array(4 * FACES);
/** The two faces of each of the 12 edges. */
const EDGE_FACES: number[] = [];
for (let axis = 0; axis < 3; axis++) {
  const b = (axis + 1) % 3;
  const c = (axis + 2) % 3;
  FACE_CORNER.set(
    [0, 1 << b, (1 << b) | (1 << c), 1 << c].map((bits) => bits | (1 << axis)),
    4 * axis,
  );
  for (let low = 0; low < 2; low++) {
    const f = 2 * axis + low;
    FACE_BESIDE.set([2 * c + 1, 2 * b, 2 * c, 2 * b + 1], 4 * f);
  }
}
for (let f = 0; f < FACES; f++)
  for (let m = 0; m < 4; m++) {
    const beside = FACE_BESIDE[4 * f + m];
    const [p, q] = [Math.min(f, beside), Math.max(f, beside)];
    let edge = EDGE_FACES.findIndex((face, n) => n % 2 === 0 && face === p && EDGE_FACES[n + 1] === q);
    if (edge < 0) edge = EDGE_FACES.push(p, q) - 2;
    EDGE_OF_FACE[4 * f + m] = edge / 2;
  }

/** The way through each face, and over each edge, as one of 27 directions (octree/neighbours.ts). */
const FACE_DIRECTION = Uint8Array.from({ length: FACES }, (_, f) => CENTRE + stepOf(f));
const EDGE_DIRECTION = Uint8Array.from(
  { length: 12 },
  (_, e) => CENTRE + stepOf(EDGE_FACES[2 * e]) + stepOf(EDGE_FACES[2 * e + 1]),
);

function stepOf(f: number): number {
  return 3 ** (f >> 1) * (f & 1 ? -1 : 1);
}

/** Tells how the faces of a leaf are filled, one leaf after the other: fastest in their order. */
export class LeafFaces {
  /**
   * Codes of the six faces of the leaf. Which edges of a pair are split is told to its low leaf only, on its
   * high face.
   */
  readonly code = new Uint8Array(FACES);
  private readonly edgeSplit = new Uint8Array(12);
  private readonly neighbours: Neighbours;

  /** `beyond`: (leafCount) 1 for leaves beyond walls; no tet reaches from one side to the other. */
  constructor(
    private readonly octree: Octree,
    private readonly beyond?: Uint8Array,
  ) {
    this.neighbours = new Neighbours(octree);
  }

  /** Turns to a leaf and sets `code`. */
  look(leaf: number): void {
    const { neighbours, code } = this;
    const level = this.octree.leafLevel[leaf];
    neighbours.turnTo(leaf);
    if (!this.beyond && neighbours.isAmongFinest) {
      code[0] = code[1] = code[2] = code[3] = code[4] = code[5] = PAIR;
      return;
    }
    if (level > 0) this.edgeSplit.fill(UNKNOWN);
    for (let f = 0; f < FACES; f++) {
      const there = neighbours.find(FACE_DIRECTION[f]);
      if (there >= 0) code[f] = FAN | (ALL_SPLIT << KIND_BITS);
      else if (there === LARGER) code[f] = HALVES | (this.diagonal(leaf, level, f >> 1) << KIND_BITS);
      else if (there === OUTSIDE || this.isAcross(leaf, -1 - there))
        code[f] = FAN | (this.findSplits(level, f) << KIND_BITS);
      else code[f] = f & 1 ? PAIR : PAIR | (this.findSplits(level, f) << KIND_BITS);
    }
  }

  /** Whether a wall is between two leaves of one size. */
  private isAcross(leaf: number, other: number): boolean {
    return this.beyond !== undefined && this.beyond[leaf] !== this.beyond[other];
  }

  /** The other leaf of a face that is a pair. */
  findPartner(f: number): number {
    return -1 - this.neighbours.find(FACE_DIRECTION[f]);
  }

  /** Bit m: a smaller leaf splits edge m of the face. */
  private findSplits(level: number, f: number): number {
    if (level === 0) return 0;
    const { edgeSplit } = this;
    let splits = 0;
    for (let m = 0; m < 4; m++) {
      const e = EDGE_OF_FACE[4 * f + m];
      if (edgeSplit[e] === UNKNOWN) edgeSplit[e] = this.isSplit(e) ? 1 : 0;
      splits |= edgeSplit[e] << m;
    }
    return splits;
  }

  /** An edge is split where one of the three other leaves around it is smaller. */
  private isSplit(e: number): boolean {
    const { neighbours } = this;
    return (
      neighbours.find(EDGE_DIRECTION[e]) >= 0 ||
      neighbours.find(FACE_DIRECTION[EDGE_FACES[2 * e]]) >= 0 ||
      neighbours.find(FACE_DIRECTION[EDGE_FACES[2 * e + 1]]) >= 0
    );
  }

  /**
   * Corner m of the face at which the diagonal starts, or ends: 0 or 1. It runs through the centre of the
   * larger face.
   */
  private diagonal(leaf: number, level: number, axis: number): number {
    const { leafCorner } = this.octree;
    const b = leafCorner[3 * leaf + ((axis + 1) % 3)] >> level;
    const c = leafCorner[3 * leaf + ((axis + 2) % 3)] >> level;
    return (b ^ c) & 1;
  }
}
