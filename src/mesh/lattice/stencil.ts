/**
 * Cutting one regular BCC tetrahedron at the surface: the stencils of isosurface stuffing.
 *
 * Local vertices 0, 1 are cell centres and 2, 3 corners, so edges 01 and 23 are long and the other four short.
 *
 *        a ------- b       A face with two positive vertices a, b and a negative d, cut at A and B, leaves the
 *         \       /        quadrilateral a b B A. Both tets that share the face must choose the same diagonal, a-B
 *          A --- B         or b-A, from the face alone. It starts at the vertex whose edge to d keeps more length
 *           \   /          (|aA| or |bB|); on a tie at the short edge's end, then by parity, then by number.
 *             d
 *
 * The rule orders the positive vertices, so the three quadrilaterals of a prism never turn in a circle (the
 * twisted prism that cannot be split). Deviation from Labelle and Shewchuk 2007, whose diagonals depend on edge
 * colour and parity alone: with this rule and the warping limits of crossings.ts a search over all signs, warps and cuts
 * finds no dihedral angle outside [11.5, 163.3] degrees, inside their [10.7, 164.8].
 */
import type { MeshBuilder } from './builder.ts';
import { SHAPE_SURFACE } from './lattice.ts';

/** Edge number between two local vertices: 0 = 01 (long), 1 = 23 (long), 2 = 02, 3 = 03, 4 = 12, 5 = 13. */
const EDGE_OF = Int8Array.of(-1, 0, 2, 3, 0, -1, 4, 5, 2, 4, -1, 1, 3, 5, 1, -1);

/** A short edge is odd if an odd number of the corner's coordinates exceed the centre's. */
export const ORDER_ODD = 0;
export const ORDER_EVEN = 1;
export const ORDER_LONG = 2;
/** An edge that is none of the lattice's. */
export const ORDER_OTHER = 3;

/** Order of the six edges of a BCC tet; of its short edges 02 and 13 are alike, and 03 and 12. */
export function setLatticeOrder(odd02: number, outOrder: Uint8Array): void {
  outOrder[0] = ORDER_LONG;
  outOrder[1] = ORDER_LONG;
  outOrder[2] = outOrder[5] = odd02 === 1 ? ORDER_ODD : ORDER_EVEN;
  outOrder[3] = outOrder[4] = odd02 === 1 ? ORDER_EVEN : ORDER_ODD;
}

/** Local vertices at the ends of the edges, in the order of their numbers. */
export const EDGE_ENDS = Uint8Array.of(0, 1, 2, 3, 0, 2, 0, 3, 1, 2, 1, 3);

/** One background tetrahedron as the stencils see it. */
export interface CutTet {
  /** Sign of each vertex; 0 on the surface. */
  readonly state: Int8Array;
  /** Mesh vertices; those of negative corners are not read. */
  readonly vertex: Int32Array;
  /** Per edge that is cut: mesh vertex of the cut, and length from the positive end to it. */
  readonly cut: Int32Array;
  readonly kept: Float64Array;
  /** Per edge that is cut: which one a diagonal starts at where lengths are equal, the lower first (ORDER_*). */
  readonly order: Uint8Array;
}

/** True if the diagonal of a b B A starts at a. */
function startsAtFirst(tet: CutTet, a: number, b: number, d: number): boolean {
  const keptA = tet.kept[EDGE_OF[4 * a + d]];
  const keptB = tet.kept[EDGE_OF[4 * b + d]];
  if (keptA !== keptB) return keptA > keptB;
  const orderA = tet.order[EDGE_OF[4 * a + d]];
  const orderB = tet.order[EDGE_OF[4 * b + d]];
  // Of two short edges of the lattice exactly one is odd: stepping along a long edge changes one coordinate.
  if (orderA !== orderB) return orderA < orderB;
  return tet.vertex[a] < tet.vertex[b];
}

/** Emits the pieces of a tetrahedron that has both positive and negative vertices. */
export function emitCutTet(builder: MeshBuilder, tet: CutTet): void {
  let plus = 0;
  let minus = 0;
  for (let v = 0; v < 4; v++) {
    if (tet.state[v] > 0) plus++;
    else if (tet.state[v] < 0) minus++;
  }
  if (plus === 1) emitTip(builder, tet);
  else if (plus === 3) emitPrism(builder, tet);
  else if (minus === 1) emitPyramid(builder, tet);
  else emitWedge(builder, tet);
}

// A piece is the tetrahedron with some vertices slid along its edges to cuts: that keeps the orientation.
const piece = new Int32Array(4);

function begin(tet: CutTet): void {
  piece[0] = tet.vertex[0];
  piece[1] = tet.vertex[1];
  piece[2] = tet.vertex[2];
  piece[3] = tet.vertex[3];
}

function emitPiece(builder: MeshBuilder): void {
  builder.addTet(piece[0], piece[1], piece[2], piece[3], SHAPE_SURFACE, 0);
}

/** Next local vertex from v on whose sign is s. */
function nextOf(state: Int8Array, v: number, s: number): number {
  let w = v;
  while (state[w] !== s) w++;
  return w;
}

/** One positive vertex: every negative one slides along its edge to the cut. */
function emitTip(builder: MeshBuilder, tet: CutTet): void {
  const a = nextOf(tet.state, 0, 1);
  begin(tet);
  for (let v = 0; v < 4; v++) if (tet.state[v] < 0) piece[v] = tet.cut[EDGE_OF[4 * a + v]];
  emitPiece(builder);
}

/** Two positive (a, b), one negative (d), one on the surface: a pyramid over a b B A. */
function emitPyramid(builder: MeshBuilder, tet: CutTet): void {
  let a = nextOf(tet.state, 0, 1);
  let b = nextOf(tet.state, a + 1, 1);
  const d = nextOf(tet.state, 0, -1);
  if (!startsAtFirst(tet, a, b, d)) [a, b] = [b, a];
  const cutA = tet.cut[EDGE_OF[4 * a + d]];
  const cutB = tet.cut[EDGE_OF[4 * b + d]];
  begin(tet);
  piece[d] = cutB;
  emitPiece(builder);
  piece[b] = cutB;
  piece[d] = cutA;
  emitPiece(builder);
}

/** Three positive, one negative (d): a prism. In the order of the rule its diagonals are a-B, a-C and b-C. */
function emitPrism(builder: MeshBuilder, tet: CutTet): void {
  const d = nextOf(tet.state, 0, -1);
  let a = d === 0 ? 1 : 0;
  let b = d <= 1 ? 2 : 1;
  let c = d <= 2 ? 3 : 2;
  if (!startsAtFirst(tet, a, b, d)) [a, b] = [b, a];
  if (!startsAtFirst(tet, b, c, d)) [b, c] = [c, b];
  if (!startsAtFirst(tet, a, b, d)) [a, b] = [b, a];
  const cutB = tet.cut[EDGE_OF[4 * b + d]];
  const cutC = tet.cut[EDGE_OF[4 * c + d]];
  begin(tet);
  piece[d] = cutC;
  emitPiece(builder);
  piece[c] = cutC;
  piece[d] = cutB;
  emitPiece(builder);
  piece[b] = cutB;
  piece[d] = tet.cut[EDGE_OF[4 * a + d]];
  emitPiece(builder);
}

/** Two positive (a, b), two negative (x, y): a wedge with two inner quadrilaterals and one on the surface. */
function emitWedge(builder: MeshBuilder, tet: CutTet): void {
  let a = nextOf(tet.state, 0, 1);
  let b = nextOf(tet.state, a + 1, 1);
  let x = nextOf(tet.state, 0, -1);
  let y = nextOf(tet.state, x + 1, -1);
  const atX = startsAtFirst(tet, a, b, x);
  const crossed = atX !== startsAtFirst(tet, a, b, y);
  if (!crossed && !atX) [a, b] = [b, a];
  // Crossed: x is the side whose diagonal starts at a. Otherwise both start at a, and the diagonal of the surface
  // quadrilateral, seen by this tet alone, leaves from the cut that keeps less of a's edges.
  if (crossed ? !atX : tet.kept[EDGE_OF[4 * a + x]] > tet.kept[EDGE_OF[4 * a + y]]) [x, y] = [y, x];
  const ax = tet.cut[EDGE_OF[4 * a + x]];
  const ay = tet.cut[EDGE_OF[4 * a + y]];
  const bx = tet.cut[EDGE_OF[4 * b + x]];
  const by = tet.cut[EDGE_OF[4 * b + y]];
  begin(tet);
  if (crossed) {
    piece[x] = bx;
    piece[y] = ay;
    emitPiece(builder);
    piece[b] = bx;
    piece[x] = ax;
    emitPiece(builder);
    piece[a] = ay;
    piece[b] = tet.vertex[b];
    piece[x] = bx;
    piece[y] = by;
    emitPiece(builder);
  } else {
    piece[x] = bx;
    piece[y] = by;
    emitPiece(builder);
    piece[b] = bx;
    piece[x] = ax;
    emitPiece(builder);
    piece[b] = by;
    piece[y] = ay;
    emitPiece(builder);
  }
}
