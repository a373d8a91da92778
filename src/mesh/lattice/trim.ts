/**
 * The second cut of stuffing in a vessel: the lattice, already cut along the vessel's walls, is cut along the
 * liquid's surface.
 *
 * One cut along the minimum of both functions, as in [chentanez-2007] 3.3.1, ends the tets below the contact
 * line: a lattice point on a wall is a zero of the minimum, so the surface does not cut the edge above it,
 * and a film on a floor that is a lattice plane has no tets at all. Cut one after the other, walls carry
 * lattice points of their own with the liquid's sign: tets end in the contact line, and films down to a ninth
 * of a cell are filled. Thinner ones, down to LEAST_MESHED, get tets as thick as that: what has no tets is
 * not moved by the flow, and hangs where it is.
 *
 * Points are warped as in crossings.ts, with two differences. A point on a wall moves along edges that lie on
 * the wall, never off it. Tets beside walls have shapes that the angle bounds were not made for, so a warp
 * that would flatten one is taken back. Cost: linear in the tets; one table entry per cut edge.
 */
import { NONE, type Vec3 } from '../../core/types.ts';
import { computePlaceRank } from '../../geometry/place-rank.ts';
import { computeTetVolume } from '../quality.ts';
import { withRoom } from './buffers.ts';
import type { MeshBuilder } from './builder.ts';
import { ALPHA_LONG, ALPHA_SHORT, type CutEdges, setProbe, solveLockstep } from './crossings.ts';
import { ON_LIQUID, ON_VESSEL, SHAPE_SURFACE, type VesselField } from './lattice.ts';
import type { Sampler } from './sampler.ts';
import { createCutTet, EDGE_ENDS, emitCutTet, ORDER_LONG, ORDER_OTHER, ORDER_SHORT } from './stencil.ts';
import { TiedCuts } from './tied-cut.ts';

/** Warping limit on edges that are none of the lattice's, as a share of the edge. */
const ALPHA_OTHER = 0.3;
/** The same at the free end of an edge that ends on a wall: the other end cannot come to meet the surface. */
const ALPHA_TO_WALL = 0.5;
const ON_WALL = 1;
const FREES_POSITIVE = 2;
const FREES_NEGATIVE = 4;
/**
 * Least thickness of tets on a wall point, in cells along an edge: at 0.08 their angles fall below 5 degrees.
 */
const LEAST_FILM = 0.11;
/** Thickness, in cells along an edge, below which a film on a wall point has no tets at all. */
const LEAST_MESHED = 0.03;
/** Share of an edge up to which its crossing may be raised. */
const MOST_RAISED = 0.5;
/**
 * The same for a gap between wall and liquid: below it they touch. Also for points that could not be warped.
 */
const LEAST_GAP = 0.02;
/** Least volume, as a share of the one before, that a tet may keep when its points are warped. */
const LEAST_VOLUME = 0.2;
const WARP_PASSES = 4;
/**
 * Lengths that differ by less, in cells, are equal: what the pressure solve leaves open (1e-8 cells) must not
 * choose diagonals.
 */
const EQUAL_LENGTH = 1e-5;
/** The same for places of the lattice, which know rounding alone. */
const EQUAL_PLACE = 1e-9;
/**
 * What the first cut notes of each vertex: the liquid's function there, and which point of the lattice it is.
 */
export class VertexNotes {
  liquid = new Float64Array(1024);
  /** 0 for none, 1 + parity for a corner, 3 + parity for a centre. */
  code = new Uint8Array(1024);

  constructor(readonly field: Sampler) {}

  add(v: number, liquid: number, code: number): void {
    if (v >= this.code.length) {
      this.code = withRoom(this.code, 2 * v);
      this.liquid = withRoom(this.liquid, this.code.length);
    }
    this.liquid[v] = liquid;
    this.code[v] = code;
  }

  /** Samples the liquid where the first cut made vertices of its own. */
  complete(first: MeshBuilder): void {
    const { position } = first.view();
    const open: number[] = [];
    for (let v = 0; v < first.vertexCount; v++) if (Number.isNaN(this.liquid[v])) open.push(v);
    const place = new Float64Array(3 * open.length);
    for (let n = 0; n < open.length; n++) place.set(position.subarray(3 * open[n], 3 * open[n] + 3), 3 * n);
    const value = new Float64Array(open.length);
    this.field.sample(place, open.length, value);
    for (let n = 0; n < open.length; n++) this.liquid[open[n]] = value[n];
  }
}

/** What the cut reads and writes, all in the numbering of the first cut's vertices. */
interface Draft {
  readonly vertexCount: number;
  readonly tetCount: number;
  readonly position: Float64Array;
  readonly tet: Int32Array;
  readonly onVessel: Uint8Array;
  readonly kind: Uint8Array;
  readonly liquid: Float64Array;
  readonly code: Uint8Array;
  readonly state: Int8Array;
  readonly h: number;
  /** Middle of the lattice, m */
  readonly middle: Vec3;
}

/** Edges that the liquid's surface cuts, found by their two ends. */
interface LiquidEdges extends CutEdges {
  readonly length: Float64Array;
  readonly order: Uint8Array;
  /** ON_WALL, and which ends may move along the edge without leaving a wall, FREES_*. */
  readonly onWall: Uint8Array;
  find(a: number, b: number): number;
  /** Whether a vertex is on no wall but planes of the lattice. */
  isOnPlanes(v: number): boolean;
}

export interface Trimmed {
  /** (tets of the first cut) first tet of the second that came from it, NONE where nothing is left */
  readonly newTet: Int32Array;
  /** Tets of the first cut in which the vertex 0 is inside the liquid. */
  isInside(tet: number): boolean;
  readonly cutEdges: number;
  readonly warped: number;
}

/** Cuts the tets of `first` along the liquid's surface into `out`. */
export function trim(
  first: MeshBuilder,
  notes: VertexNotes,
  { h, middle }: { readonly h: number; readonly middle: Vec3 },
  vessel: VesselField,
  out: MeshBuilder,
): Trimmed {
  const { vertexCount, tetCount } = first;
  const state = new Int8Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) state[v] = Math.sign(notes.liquid[v]);
  const draft: Draft = {
    ...first.view(),
    vertexCount,
    tetCount,
    liquid: notes.liquid,
    code: notes.code,
    state,
    h,
    middle,
  };
  const edges = collectEdges(draft, vessel);
  solveLockstep(draft.position, draft.liquid, edges, notes.field);
  const warped = warp(draft, edges);
  const newTet = emit(draft, edges, out);
  return {
    newTet,
    isInside: (t) => state[draft.tet[4 * t]] > 0,
    cutEdges: edges.count,
    warped,
  };
}

function isMixed(state: Int8Array, tet: Int32Array, t: number): boolean {
  let plus = false;
  let minus = false;
  for (let n = 4 * t; n < 4 * t + 4; n++) {
    if (state[tet[n]] > 0) plus = true;
    else if (state[tet[n]] < 0) minus = true;
  }
  return plus && minus;
}

/** Lists every edge whose ends have opposite signs, once. */
function collectEdges(draft: Draft, vessel: VesselField): LiquidEdges {
  const { tet, state, position, onVessel, h } = draft;
  let positive = new Int32Array(1024);
  let negative = new Int32Array(1024);
  let count = 0;
  let size = 4096;
  let table = new Int32Array(size).fill(NONE);
  const place = (a: number, b: number): number => {
    let slot = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) >>> 0;
    for (slot &= size - 1; table[slot] !== NONE; slot = (slot + 1) & (size - 1)) {
      const e = table[slot];
      if (positive[e] === a && negative[e] === b) break;
    }
    return slot;
  };
  const grow = (): void => {
    size *= 2;
    table = new Int32Array(size).fill(NONE);
    for (let e = 0; e < count; e++) table[place(positive[e], negative[e])] = e;
  };
  for (let t = 0; t < draft.tetCount; t++) {
    if (!isMixed(state, tet, t)) continue;
    for (let n = 0; n < EDGE_ENDS.length; n += 2) {
      const v = tet[4 * t + EDGE_ENDS[n]];
      const w = tet[4 * t + EDGE_ENDS[n + 1]];
      if (state[v] * state[w] !== -1) continue;
      const a = state[v] > 0 ? v : w;
      const b = state[v] > 0 ? w : v;
      const slot = place(a, b);
      if (table[slot] !== NONE) continue;
      positive = withRoom(positive, count + 1);
      negative = withRoom(negative, count + 1);
      positive[count] = a;
      negative[count] = b;
      table[slot] = count++;
      if (2 * count > size) grow();
    }
  }
  const length = new Float64Array(count);
  const order = new Uint8Array(count);
  const wallsOf = new Map<number, number>();
  const wallsAt = (v: number): number => {
    let walls = wallsOf.get(v);
    if (walls === undefined) {
      walls = vessel.walls(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
      wallsOf.set(v, walls);
    }
    return walls;
  };
  const onWall = new Uint8Array(count);
  const middle = new Float64Array(3);
  for (let e = 0; e < count; e++) {
    const a = positive[e];
    const b = negative[e];
    length[e] =
      Math.hypot(
        position[3 * b] - position[3 * a],
        position[3 * b + 1] - position[3 * a + 1],
        position[3 * b + 2] - position[3 * a + 2],
      ) / h;
    order[e] = orderOf(draft.code[a], draft.code[b]);
    if (onVessel[a] === 0 || onVessel[b] === 0) continue;
    setProbe(position, a, b, 0.5, middle, 0);
    const along = vessel.walls(middle[0], middle[1], middle[2]);
    if (along === 0) continue;
    onWall[e] =
      ON_WALL |
      ((wallsAt(a) & ~along) === 0 ? FREES_POSITIVE : 0) |
      ((wallsAt(b) & ~along) === 0 ? FREES_NEGATIVE : 0);
  }
  const find = (a: number, b: number): number => table[place(a, b)];
  const isOnPlanes = (v: number): boolean => (wallsAt(v) & ~vessel.planes) === 0;
  return { count, positive, negative, t: new Float64Array(count), length, order, onWall, find, isOnPlanes };
}

function orderOf(codeA: number, codeB: number): number {
  if (codeA === 0 || codeB === 0) return ORDER_OTHER;
  if (codeA <= 2 === codeB <= 2) return ORDER_LONG;
  return ORDER_SHORT;
}

function rankPlace({ middle, h }: Draft, position: Float64Array, v: number): number {
  return computePlaceRank(position[3 * v], position[3 * v + 1], position[3 * v + 2], middle, EQUAL_PLACE * h);
}

/**
 * Films on wall points that are thinner than tets may be get thicker tets: all crossings over such a point
 * move out in proportion, so that the tets' upper side stays parallel to the film's. Thinner still, and the
 * point goes onto the surface. So does one that a gap all but closes. Only planes of the lattice are raised
 * over: tets on bent walls have shapes of their own, and their angles fell to 4 degrees.
 */
function raiseFilms(draft: Draft, edges: LiquidEdges, outOnSurface: Uint8Array): void {
  const thickness = new Float64Array(draft.vertexCount).fill(Number.POSITIVE_INFINITY);
  for (let e = 0; e < edges.count; e++) {
    const { vertex, share } = findNearEnd(edges, e);
    if (mayMove(draft, edges, e)) continue;
    const near = share * edges.length[e];
    if (vertex === edges.positive[e]) thickness[vertex] = Math.min(thickness[vertex], near);
    else if (near < LEAST_GAP) outOnSurface[vertex] = 1;
  }
  for (let v = 0; v < draft.vertexCount; v++)
    if (thickness[v] < LEAST_MESHED || (thickness[v] < LEAST_FILM && !edges.isOnPlanes(v)))
      outOnSurface[v] = 1;
  for (let e = 0; e < edges.count; e++) {
    const film = thickness[edges.positive[e]];
    if (
      film >= LEAST_FILM ||
      outOnSurface[edges.positive[e]] === 1 ||
      edges.t[e] >= MOST_RAISED ||
      mayMove(draft, edges, e)
    )
      continue;
    edges.t[e] = Math.min(MOST_RAISED, (edges.t[e] * LEAST_FILM) / film);
  }
}

/** The end of an edge that its crossing is nearer to, and the share of the edge between them. */
function findNearEnd({ t, positive, negative }: LiquidEdges, e: number): { vertex: number; share: number } {
  return t[e] < 0.5 ? { vertex: positive[e], share: t[e] } : { vertex: negative[e], share: 1 - t[e] };
}

/**
 * Whether the end of an edge that its crossing is nearer to may move along it: points on walls do not leave
 * them.
 */
function mayMove({ onVessel }: Draft, edges: LiquidEdges, e: number): boolean {
  const { vertex } = findNearEnd(edges, e);
  const frees = vertex === edges.positive[e] ? FREES_POSITIVE : FREES_NEGATIVE;
  return onVessel[vertex] === 0 || (edges.onWall[e] & frees) !== 0;
}

/**
 * Moves points with a crossing close by onto it; onto the middle between those that mirror each other.
 * Returns how many.
 */
function warp(draft: Draft, edges: LiquidEdges): number {
  const { position, state, onVessel, liquid } = draft;
  const isWarped = new Uint8Array(draft.vertexCount);
  const distance = new Float64Array(draft.vertexCount).fill(Number.POSITIVE_INFINITY);
  const rank = new Float64Array(draft.vertexCount).fill(Number.POSITIVE_INFINITY);
  const onSurface = new Uint8Array(draft.vertexCount);
  raiseFilms(draft, edges, onSurface);
  /** Points that an edge may pull onto the surface, and how far that is; NONE where it pulls none. */
  const pulled = new Int32Array(edges.count).fill(NONE);
  const near = new Float64Array(edges.count);
  const edgeRank = new Float64Array(edges.count);
  const cut = new Float64Array(3);
  for (let e = 0; e < edges.count; e++) {
    const { vertex: v, share } = findNearEnd(edges, e);
    if (!mayMove(draft, edges, e)) continue;
    const other = v === edges.positive[e] ? edges.negative[e] : edges.positive[e];
    if (share >= warpingLimit(edges.order[e], onVessel[other] !== 0 && onVessel[v] === 0)) continue;
    setProbe(position, edges.positive[e], edges.negative[e], 0.5, cut, 0);
    edgeRank[e] = rankPlace(draft, cut, 0);
    near[e] = share * edges.length[e];
    pulled[e] = v;
    distance[v] = Math.min(distance[v], near[e]);
  }
  // Among crossings as near as each other the lowest rank decides.
  for (let e = 0; e < edges.count; e++) {
    const v = pulled[e];
    if (v === NONE) continue;
    if (near[e] > distance[v] + EQUAL_LENGTH) pulled[e] = NONE;
    else rank[v] = Math.min(rank[v], edgeRank[e]);
  }
  const before = position.slice(0, 3 * draft.vertexCount);
  const pulls = new Uint8Array(draft.vertexCount);
  for (let e = 0; e < edges.count; e++) {
    const v = pulled[e];
    if (v === NONE || edgeRank[e] !== rank[v]) continue;
    setProbe(before, edges.positive[e], edges.negative[e], edges.t[e], cut, 0);
    const share = 1 / ++pulls[v];
    for (let a = 0; a < 3; a++) {
      const from = pulls[v] === 1 ? 0 : position[3 * v + a];
      position[3 * v + a] = from + share * (cut[a] - from);
    }
  }
  let warped = 0;
  for (let v = 0; v < draft.vertexCount; v++) {
    if (pulls[v] === 0) {
      if (onSurface[v] === 1) state[v] = 0;
      continue;
    }
    isWarped[v] = 1;
    state[v] = 0;
    warped++;
  }
  for (let pass = 0; pass < WARP_PASSES; pass++) {
    const flat = findFlattened(draft, before, isWarped);
    for (const v of flat) {
      for (let a = 0; a < 3; a++) position[3 * v + a] = before[3 * v + a];
      if (distance[v] >= LEAST_GAP) state[v] = Math.sign(liquid[v]);
      isWarped[v] = 0;
      warped--;
    }
    if (flat.length === 0) break;
  }
  return warped;
}

/** Part of an edge within which a crossing pulls its end onto the surface. */
function warpingLimit(order: number, toWall: boolean): number {
  if (order === ORDER_OTHER) return toWall ? ALPHA_TO_WALL : ALPHA_OTHER;
  return order === ORDER_LONG ? ALPHA_LONG : ALPHA_SHORT;
}

/** The warped points of tets that warping has flattened or turned over. */
function findFlattened(draft: Draft, before: Float64Array, isWarped: Uint8Array): number[] {
  const { tet, state } = draft;
  const found = new Set<number>();
  for (let t = 0; t < draft.tetCount; t++) {
    let moved = false;
    let wet = false;
    for (let n = 4 * t; n < 4 * t + 4; n++) {
      if (isWarped[tet[n]] === 1) moved = true;
      if (state[tet[n]] > 0) wet = true;
    }
    if (!moved || !wet) continue;
    if (computeTetVolume(draft, t) >= LEAST_VOLUME * computeTetVolume({ ...draft, position: before }, t))
      continue;
    for (let n = 4 * t; n < 4 * t + 4; n++) if (isWarped[tet[n]] === 1) found.add(tet[n]);
  }
  return [...found];
}

/** Emits the part of every tet that is inside the liquid, in the order of the tets. */
function emit(draft: Draft, edges: LiquidEdges, out: MeshBuilder): Int32Array {
  const { tet, state, position, onVessel, kind } = draft;
  const vertexToNew = new Int32Array(draft.vertexCount).fill(NONE);
  const edgeToNew = new Int32Array(edges.count).fill(NONE);
  const newTet = new Int32Array(draft.tetCount).fill(NONE);
  const work = createCutTet(EQUAL_LENGTH);
  const ties = new TiedCuts(out);
  const newVertex = (v: number): number => {
    if (vertexToNew[v] === NONE)
      vertexToNew[v] = out.addVertex(
        position[3 * v],
        position[3 * v + 1],
        position[3 * v + 2],
        (state[v] === 0 ? ON_LIQUID : 0) | (onVessel[v] !== 0 ? ON_VESSEL : 0),
      );
    return vertexToNew[v];
  };
  const cutPlace = new Float64Array(3);
  const cutVertex = (e: number): number => {
    if (edgeToNew[e] === NONE) {
      setProbe(position, edges.positive[e], edges.negative[e], edges.t[e], cutPlace, 0);
      edgeToNew[e] = out.addVertex(
        cutPlace[0],
        cutPlace[1],
        cutPlace[2],
        ON_LIQUID | (edges.onWall[e] !== 0 ? ON_VESSEL : 0),
      );
    }
    return edgeToNew[e];
  };
  for (let t = 0; t < draft.tetCount; t++) {
    let least = 1;
    let most = -1;
    for (let i = 0; i < 4; i++) {
      const s = state[tet[4 * t + i]];
      work.state[i] = s;
      least = Math.min(least, s);
      most = Math.max(most, s);
    }
    if (most <= 0) continue;
    newTet[t] = out.tetCount;
    for (let i = 0; i < 4; i++) work.vertex[i] = work.state[i] >= 0 ? newVertex(tet[4 * t + i]) : NONE;
    const { vertex } = work;
    if (least >= 0) {
      const shape = least === 0 ? SHAPE_SURFACE : kind[t] & 7;
      out.addTet(vertex[0], vertex[1], vertex[2], vertex[3], shape, kind[t] >> 3);
      continue;
    }
    for (let i = 0; i < 4; i++) work.rank[i] = rankPlace(draft, position, tet[4 * t + i]);
    for (let n = 0; n < 6; n++) {
      const i = EDGE_ENDS[2 * n];
      const j = EDGE_ENDS[2 * n + 1];
      if (work.state[i] * work.state[j] !== -1) continue;
      const v = tet[4 * t + i];
      const w = tet[4 * t + j];
      const e = work.state[i] > 0 ? edges.find(v, w) : edges.find(w, v);
      work.cut[n] = cutVertex(e);
      work.kept[n] = edges.t[e] * edges.length[e];
      work.order[n] = edges.order[e];
    }
    emitCutTet(out, work, ties);
  }
  return newTet;
}
