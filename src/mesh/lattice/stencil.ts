/**
 * Cutting one regular BCC tetrahedron at the surface: the stencils of isosurface stuffing.
 *
 * Local vertices 0, 1 are cell centres and 2, 3 corners, so edges 01 and 23 are long and the other four
 * short.
 *
 *        a ------- b       A face with two positive vertices a, b and a negative d, cut at A and B, leaves the
 *         \       /        quadrilateral a b B A. Both tets that share the face must choose the same diagonal, a-B
 *          A --- B         or b-A, from the face alone. It starts at the vertex whose edge to d keeps more length
 *           \   /          (|aA| or |bB|); on a tie at the short edge's end, then by parity, then by number.
 *             d
 *
 * The rule orders the positive vertices, so the three quadrilaterals of a prism never turn in a circle (the
 * twisted prism that cannot be split). Deviation from Labelle and Shewchuk 2007, whose diagonals depend on
 * edge colour and parity alone: with this rule and the warping limits of crossings.ts a search over all
 * signs, warps and cuts finds no dihedral angle outside [11.5, 163.3] degrees, inside their [10.7, 164.8].
 */
import { NONE } from '../../core/types.ts';
import type { MeshBuilder } from './builder.ts';
import { SHAPE_SURFACE } from './lattice.ts';
import type { TiedCuts } from './tied-cut.ts';

/** Edge number between two local vertices: 0 = 01 (long), 1 = 23 (long), 2 = 02, 3 = 03, 4 = 12, 5 = 13. */
const EDGE_OF = Int8Array.of(-1, 0, 2, 3, 0, -1, 4, 5, 2, 4, -1, 1, 3, 5, 1, -1);

/** A short edge is odd if an odd number of the corner's coordinates exceed the centre's. */
export const ORDER_ODD = 0;
export const ORDER_EVEN = 1;
export const ORDER_LONG = 2;
/** An edge that is none of the lattice's. */
export const ORDER_OTHER = 3;
/** A short edge, odd or even. */
export const ORDER_SHORT = ORDER_ODD;

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
  /**
   * Per edge that is cut: which one a diagonal starts at where lengths are equal, the lower first (ORDER_*).
   */
  readonly order: Uint8Array;
  /**
   * Per vertex: which of two a diagonal starts at where that is equal too, the higher first; the same for
   * mirror images.
   */
  readonly rank: Float64Array;
}

export const createCutTet = (): CutTet => ({
  state: new Int8Array(4),
  vertex: new Int32Array(4),
  cut: new Int32Array(6),
  kept: new Float64Array(6),
  order: new Uint8Array(6),
  rank: new Float64Array(4),
});

/** True if the diagonal of a b B A starts at a. */
function startsAtFirst(tet: CutTet, a: number, b: number, d: number): boolean {
  const keptA = tet.kept[EDGE_OF[4 * a + d]];
  const keptB = tet.kept[EDGE_OF[4 * b + d]];
  if (keptA !== keptB) return keptA > keptB;
  const orderA = tet.order[EDGE_OF[4 * a + d]];
  const orderB = tet.order[EDGE_OF[4 * b + d]];
  // Of two short edges of the lattice exactly one is odd: stepping along a long edge changes one coordinate.
  if (orderA !== orderB) return orderA < orderB;
  if (tet.rank[a] !== tet.rank[b]) return tet.rank[a] > tet.rank[b];
  return tet.vertex[a] < tet.vertex[b];
}

/** True where nothing tells a from b: the mirror image of the quadrilateral a b B A is itself. */
function isTied(tet: CutTet, a: number, b: number, d: number): boolean {
  const toA = EDGE_OF[4 * a + d];
  const toB = EDGE_OF[4 * b + d];
  return tet.kept[toA] === tet.kept[toB] && tet.order[toA] === tet.order[toB] && tet.rank[a] === tet.rank[b];
}

/**
 * Emits the pieces of a tetrahedron that has both positive and negative vertices; with `ties`, symmetrically.
 */
export function emitCutTet(builder: MeshBuilder, tet: CutTet, ties?: TiedCuts): void {
  if (ties && emitTied(ties, tet)) return;
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
  begin(tet);
  piece[d] = tet.cut[EDGE_OF[4 * b + d]];
  emitPiece(builder);
  emitNext(builder, tet, b, a, d);
}

/**
 * Of a pyramid or prism the next tet: `from` leaves its corner for its cut towards d, d moves on to the cut
 * of `to`.
 */
function emitNext(builder: MeshBuilder, tet: CutTet, from: number, to: number, d: number): void {
  piece[from] = piece[d];
  piece[d] = tet.cut[EDGE_OF[4 * to + d]];
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
  begin(tet);
  piece[d] = tet.cut[EDGE_OF[4 * c + d]];
  emitPiece(builder);
  emitNext(builder, tet, c, b, d);
  emitNext(builder, tet, b, a, d);
}

/**
 * Whether the surface's diagonal leaves from the cut towards y: it keeps less of a's edge, or ranks lower.
 */
function leavesFromSecond(tet: CutTet, a: number, x: number, y: number): boolean {
  const keptX = tet.kept[EDGE_OF[4 * a + x]];
  const keptY = tet.kept[EDGE_OF[4 * a + y]];
  return keptX !== keptY ? keptX > keptY : tet.rank[x] > tet.rank[y];
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
  // Crossed: x is the side whose diagonal starts at a. Otherwise both start at a, and the diagonal of the
  // surface quadrilateral, seen by this tet alone, leaves from the cut that keeps less of a's edges.
  if (crossed ? !atX : leavesFromSecond(tet, a, x, y)) [x, y] = [y, x];
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

const plus: number[] = [];
const minus: number[] = [];

/** Emits a tetrahedron that is its own mirror image, if it is one. */
function emitTied(ties: TiedCuts, tet: CutTet): boolean {
  plus.length = minus.length = 0;
  let on = NONE;
  for (let v = 0; v < 4; v++) {
    if (tet.state[v] > 0) plus.push(v);
    else if (tet.state[v] < 0) minus.push(v);
    else on = v;
  }
  if (plus.length === 1) return false;
  if (!findsTie(tet)) return false;
  ties.begin();
  const cut = (a: number, d: number) => tet.cut[EDGE_OF[4 * a + d]];
  const { vertex } = tet;
  for (const d of minus)
    for (let n = 0; n < plus.length; n++) {
      if (plus.length === 2 && n === 1) break;
      addSide(ties, tet, plus[n], plus[(n + 1) % plus.length], d);
    }
  if (plus.length === 3) {
    ties.addTriangle(vertex[plus[0]], vertex[plus[1]], vertex[plus[2]]);
    ties.addTriangle(cut(plus[0], minus[0]), cut(plus[1], minus[0]), cut(plus[2], minus[0]));
  } else if (minus.length === 1) {
    const [a, b] = plus;
    const d = minus[0];
    ties.addTriangle(vertex[a], vertex[b], vertex[on]);
    ties.addTriangle(vertex[a], cut(a, d), vertex[on]);
    ties.addTriangle(vertex[b], cut(b, d), vertex[on]);
    ties.addTriangle(cut(a, d), cut(b, d), vertex[on]);
  } else {
    const [a, b] = plus;
    const [x, y] = minus;
    ties.addTriangle(vertex[a], cut(a, x), cut(a, y));
    ties.addTriangle(vertex[b], cut(b, x), cut(b, y));
    ties.addQuartered([cut(a, x), cut(b, x), cut(b, y), cut(a, y)], Number.NEGATIVE_INFINITY);
  }
  ties.end();
  return true;
}

/** Whether a quadrilateral of the tetrahedron is its own mirror image. */
function findsTie(tet: CutTet): boolean {
  for (const d of minus)
    for (let i = 0; i < plus.length; i++)
      for (let j = 0; j < i; j++) if (isTied(tet, plus[i], plus[j], d)) return true;
  if (plus.length !== 2 || minus.length !== 2) return false;
  const [a, b] = plus;
  const [x, y] = minus;
  return (
    tet.rank[x] === tet.rank[y] &&
    tet.kept[EDGE_OF[4 * a + x]] === tet.kept[EDGE_OF[4 * a + y]] &&
    tet.kept[EDGE_OF[4 * b + x]] === tet.kept[EDGE_OF[4 * b + y]]
  );
}

/** The quadrilateral a b B A on the face towards d. */
function addSide(ties: TiedCuts, tet: CutTet, a: number, b: number, d: number): void {
  const A = tet.cut[EDGE_OF[4 * a + d]];
  const B = tet.cut[EDGE_OF[4 * b + d]];
  if (isTied(tet, a, b, d)) ties.addQuartered([tet.vertex[a], tet.vertex[b], B, A], tet.rank[d]);
  else if (startsAtFirst(tet, a, b, d)) ties.addSplit(tet.vertex[a], tet.vertex[b], B, A);
  else ties.addSplit(tet.vertex[b], B, A, tet.vertex[a]);
}
