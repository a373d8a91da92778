/**
 * How each face of a leaf is filled (Labelle and Shewchuk 2007, section 4; [chentanez-2007] 3.3.2). A leaf of the octree is six
 * pyramids from its centre over its faces, and what lies across a face decides how its pyramid is divided:
 *
 *   PAIR    an equal leaf: together with its pyramid, a BCC tet over every edge, from centre to centre
 *   FAN     smaller leaves, or the side of the box: a tet over every edge, to the centre of the face
 *   HALVES  a larger leaf: two tets, divided by the diagonal that starts at the centre of the larger face
 *
 * Of a pair and of a fan, the tet over an edge is two where a smaller leaf splits the edge. Edges of halves are
 * never split: the smaller leaf would touch the larger one, two levels apart. This is why edges must be balanced too.
 */
import { NONE } from '../../core/types.ts';
import { findLeaf, type Octree } from '../octree/octree.ts';

export const PAIR = 0;
export const FAN = 1;
export const HALVES = 2;
/** A face's code is its kind, plus this many bits up a bit per split edge, or for halves which diagonal it is. */
export const KIND_BITS = 2;
export const KIND_MASK = 3;
const ALL_SPLIT = 15;

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

/** Steps in x, y, z through a face. */
const STEP = Int8Array.from({ length: 3 * FACES }, (_, n) => {
  const f = Math.floor(n / 3);
  return f >> 1 !== n % 3 ? 0 : f & 1 ? -1 : 1;
});

/** Answers what lies across the faces of leaves, one leaf at a time. */
export class LeafFaces {
  /** Codes of the six faces of the leaf. */
  readonly code = new Uint8Array(FACES);
  /** The leaf across each face, one of them where there are several, NONE beyond the box. */
  readonly across = new Int32Array(FACES);
  private readonly finer = new Uint8Array(FACES);
  private readonly edgeSplit = new Uint8Array(12);
  private readonly cells: readonly [number, number, number];

  constructor(private readonly octree: Octree) {
    const [rx, ry, rz] = octree.roots;
    const { maxLevel } = octree;
    this.cells = [rx << maxLevel, ry << maxLevel, rz << maxLevel];
  }

  /** Sets `code` and `across` for a leaf. */
  look(leaf: number): void {
    const { leafLevel } = this.octree;
    const { code, across, finer } = this;
    const level = leafLevel[leaf];
    for (let f = 0; f < FACES; f++) {
      across[f] = this.neighbour(leaf, STEP[3 * f], STEP[3 * f + 1], STEP[3 * f + 2]);
      finer[f] = across[f] !== NONE && leafLevel[across[f]] < level ? 1 : 0;
    }
    const mayBeSplit = level > 0;
    if (mayBeSplit) this.findSplitEdges(leaf, level);
    for (let f = 0; f < FACES; f++) {
      if (across[f] !== NONE && leafLevel[across[f]] > level) {
        code[f] = HALVES | (this.diagonal(leaf, level, f >> 1) << KIND_BITS);
        continue;
      }
      let split = 0;
      if (finer[f]) split = ALL_SPLIT;
      else if (mayBeSplit) for (let m = 0; m < 4; m++) split |= this.edgeSplit[EDGE_OF_FACE[4 * f + m]] << m;
      code[f] = (across[f] === NONE || finer[f] ? FAN : PAIR) | (split << KIND_BITS);
    }
  }

  /** The leaf at the place of the equal leaf next in a direction, NONE beyond the box. */
  private neighbour(leaf: number, dx: number, dy: number, dz: number): number {
    const { leafCorner, leafLevel } = this.octree;
    const edge = 1 << leafLevel[leaf];
    const i = leafCorner[3 * leaf] + dx * edge;
    const j = leafCorner[3 * leaf + 1] + dy * edge;
    const k = leafCorner[3 * leaf + 2] + dz * edge;
    const { cells } = this;
    if (i < 0 || j < 0 || k < 0 || i >= cells[0] || j >= cells[1] || k >= cells[2]) return NONE;
    return findLeaf(this.octree, i, j, k);
  }

  /** An edge is split where one of the three other leaves around it is smaller. */
  private findSplitEdges(leaf: number, level: number): void {
    const { finer, edgeSplit } = this;
    for (let e = 0; e < 12; e++) {
      const p = EDGE_FACES[2 * e];
      const q = EDGE_FACES[2 * e + 1];
      if (finer[p] || finer[q]) {
        edgeSplit[e] = 1;
        continue;
      }
      const n = this.neighbour(
        leaf,
        STEP[3 * p] + STEP[3 * q],
        STEP[3 * p + 1] + STEP[3 * q + 1],
        STEP[3 * p + 2] + STEP[3 * q + 2],
      );
      edgeSplit[e] = n !== NONE && this.octree.leafLevel[n] < level ? 1 : 0;
    }
  }

  /** Corner m of the face at which the diagonal starts, or ends: 0 or 1. It runs through the centre of the larger face. */
  private diagonal(leaf: number, level: number, axis: number): number {
    const { leafCorner } = this.octree;
    const b = leafCorner[3 * leaf + ((axis + 1) % 3)] >> level;
    const c = leafCorner[3 * leaf + ((axis + 2) % 3)] >> level;
    return (b ^ c) & 1;
  }
}
