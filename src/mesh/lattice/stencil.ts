/**
 * Cutting one regular BCC tetrahedron at the surface: the stencils of isosurface stuffing.
 *
 * Local vertices 0, 1 are cell centres and 2, 3 corners, so edges 01 and 23 are long and the other four short.
 *
 *            2 ----- 3          a face cut between two positive vertices a, b and a negative d leaves the
 *           / \     /           quadrilateral a b B A (A on ad, B on bd). Both tets that share the face must
 *          /   \   /            choose the same diagonal, a-B or b-A, from the face alone:
 *         0 --- 1               - one cut long, one short: the diagonal that ends at the cut of the long edge
 *                               - both short: the parity rule (see `diagonalFromFirst`)
 *
 * With these two rules no prism is twisted into the shape that cannot be split, and all dihedral angles of the pieces
 * stay within [10.7, 164.8] degrees for every position of cuts and warped vertices that warping permits.
 */
import type { MeshBuilder } from './builder.ts';
import { SHAPE_SURFACE } from './lattice.ts';

/** Edge number between two local vertices: 0 = 01 (long), 1 = 23 (long), 2 = 02, 3 = 03, 4 = 12, 5 = 13. */
export const EDGE_OF = Int8Array.of(-1, 0, 2, 3, 0, -1, 4, 5, 2, 4, -1, 1, 3, 5, 1, -1);

/** Parity of the short edge v w from that of 02: stepping along a long edge changes one coordinate, so it flips. */
function isOdd(v: number, w: number, odd02: number): boolean {
  return ((v ^ w ^ odd02) & 1) === 1;
}

/**
 * True if the diagonal of the quadrilateral a b B A runs from a (to B), false if from b (to A).
 * Parity rule: a short edge is odd if an odd number of the corner's coordinates exceed the centre's. Of two short
 * edges in one face exactly one is odd: the diagonal starts at its positive end.
 */
function diagonalFromFirst(a: number, b: number, d: number, odd02: number): boolean {
  const longPartner = d ^ 1;
  if (longPartner === a) return false;
  if (longPartner === b) return true;
  return isOdd(a, d, odd02);
}

/**
 * Emits the pieces of a tetrahedron that has both positive and negative vertices.
 * vertex: the four mesh vertices (those of negative corners are not read); cut: mesh vertex per edge that is cut;
 * odd02: 1 if the short edge 02 is odd.
 */
export function emitCutTet(
  builder: MeshBuilder,
  state: Int8Array,
  vertex: Int32Array,
  cut: Int32Array,
  odd02: number,
): void {
  let plus = 0;
  let minus = 0;
  for (let v = 0; v < 4; v++) {
    if (state[v] > 0) plus++;
    else if (state[v] < 0) minus++;
  }
  if (plus === 1) emitTip(builder, state, vertex, cut);
  else if (plus === 3) emitPrism(builder, state, vertex, cut, odd02);
  else if (minus === 1) emitPyramid(builder, state, vertex, cut, odd02);
  else emitWedge(builder, state, vertex, cut, odd02);
}

const piece = new Int32Array(4);

function begin(vertex: Int32Array): void {
  piece[0] = vertex[0];
  piece[1] = vertex[1];
  piece[2] = vertex[2];
  piece[3] = vertex[3];
}

function emitPiece(builder: MeshBuilder): void {
  builder.addTet(piece[0], piece[1], piece[2], piece[3], SHAPE_SURFACE, 0);
}

/** One positive vertex: every negative one slides along its edge to the cut. */
function emitTip(builder: MeshBuilder, state: Int8Array, vertex: Int32Array, cut: Int32Array): void {
  let a = 0;
  while (state[a] <= 0) a++;
  begin(vertex);
  for (let v = 0; v < 4; v++) if (state[v] < 0) piece[v] = cut[EDGE_OF[4 * a + v]];
  emitPiece(builder);
}

/** Two positive (a, b), one negative (d), one on the surface: a pyramid over a b B A. */
function emitPyramid(
  builder: MeshBuilder,
  state: Int8Array,
  vertex: Int32Array,
  cut: Int32Array,
  odd02: number,
): void {
  let a = 0;
  while (state[a] <= 0) a++;
  let b = a + 1;
  while (state[b] <= 0) b++;
  let d = 0;
  while (state[d] >= 0) d++;
  if (!diagonalFromFirst(a, b, d, odd02)) [a, b] = [b, a];
  const cutA = cut[EDGE_OF[4 * a + d]];
  const cutB = cut[EDGE_OF[4 * b + d]];
  begin(vertex);
  piece[d] = cutB;
  emitPiece(builder);
  piece[b] = cutB;
  piece[d] = cutA;
  emitPiece(builder);
}

/** Three positive, one negative (d): a prism between a b c and the cuts A B C, where a is the long partner of d. */
function emitPrism(
  builder: MeshBuilder,
  state: Int8Array,
  vertex: Int32Array,
  cut: Int32Array,
  odd02: number,
): void {
  let d = 0;
  while (state[d] >= 0) d++;
  const a = d ^ 1;
  let b = d < 2 ? 2 : 0;
  let c = b + 1;
  if (!diagonalFromFirst(b, c, d, odd02)) [b, c] = [c, b];
  const cutA = cut[EDGE_OF[4 * a + d]];
  const cutB = cut[EDGE_OF[4 * b + d]];
  const cutC = cut[EDGE_OF[4 * c + d]];
  begin(vertex);
  piece[d] = cutA;
  emitPiece(builder);
  // The rest is a pyramid from A over b c C B, whose diagonal runs from b to C.
  piece[a] = cutA;
  piece[d] = cutC;
  emitPiece(builder);
  piece[c] = cutC;
  piece[d] = cutB;
  emitPiece(builder);
}

/**
 * Two positive (a, b), two negative: a wedge. The diagonals of its two inner quadrilaterals always start at different
 * positive vertices; x is the negative one whose face has its diagonal at a.
 */
function emitWedge(
  builder: MeshBuilder,
  state: Int8Array,
  vertex: Int32Array,
  cut: Int32Array,
  odd02: number,
): void {
  let a = 0;
  while (state[a] <= 0) a++;
  let b = a + 1;
  while (state[b] <= 0) b++;
  let x = 0;
  while (state[x] >= 0) x++;
  let y = x + 1;
  while (state[y] >= 0) y++;
  if (!diagonalFromFirst(a, b, x, odd02)) [x, y] = [y, x];
  const ax = cut[EDGE_OF[4 * a + x]];
  const ay = cut[EDGE_OF[4 * a + y]];
  const bx = cut[EDGE_OF[4 * b + x]];
  const by = cut[EDGE_OF[4 * b + y]];
  begin(vertex);
  piece[x] = bx;
  piece[y] = ay;
  emitPiece(builder);
  piece[b] = bx;
  piece[x] = ax;
  emitPiece(builder);
  piece[a] = ay;
  piece[b] = vertex[b];
  piece[x] = bx;
  piece[y] = by;
  emitPiece(builder);
}
