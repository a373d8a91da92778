/**
 * Merging by generalised snapping ([da-2017] chapter 8).
 *
 *   ---v---          ---.          vertices of surfaces nearer than the threshold are brought together halfway. A vertex near a face or an edge,
 *            ->       \\ /         and an edge near an edge, first get a partner: the face is split in three, the edge in two, at the closest point,
 *   ---w---          ---m---       unless that is close to a vertex (or edge) which then serves itself. Faces that come to lie on each
 *                                  other are removed by the collapse (flap.ts): of two materials one face stays between them, of one nothing.
 *
 * Only what is about to meet merges: pairs that the proposed motion would bring into contact within
 * `mergeHorizon` steps. Nearness alone is no reason. In a layer that a smooth flow stretches the sides close
 * by a share of their distance in every step and never meet; merged, they would be torn open again as soon as
 * the flow turns, at a loss of volume each time. The thesis merges by nearness alone, which is a horizon
 * without end.
 *
 * Pairs are done by rising distance, ties by ids. Every split and snap is an atomic edit of its own. Vertices
 * that share an edge are never snapped (that is a collapse), and neighbouring faces only where they fold onto
 * each other by less than a right angle.
 */
import { type Metres, NONE } from '../../core/types.ts';
import { edgeEdgeDistance, vertexTriangleDistance } from '../../geometry/collision/proximity.ts';
import { computeTetVolume, setNormal } from '../../math/triangle.ts';
import { snapVertices } from './collapse.ts';
import { PairFinder } from './collision.ts';
import { addNormal, distance2 } from './edit.ts';
import type { MultiMesh } from './mesh.ts';
import { FIND_KIND, FIND_SIZE, FIND_VERTEX, FIRST_EDGES } from './pair-test.ts';
import { splitEdgeAt, splitFace } from './split.ts';
import type { Tracker } from './tracker.ts';

/** A weight within this of 0 or 1 takes the vertex or edge that is there. */
const CLOSE = 0.2;
/**
 * Farthest apart that two vertices are snapped, in the shortest edge: what taking the vertex that is there
 * may add to the distance.
 */
const LONGEST_SNAP = 0.5;

/** Pairs that close are held at about the proximity (5.2): within this many times it they have met. */
const HELD = 2;

interface Pair {
  /** Vertex and triangle, or two edges (first two, last two). */
  readonly vertex: readonly [number, number, number, number];
  readonly isEdges: boolean;
  readonly distance2: number;
  /** A sheet too thin: its sides are brought together however they move. */
  readonly isTorn?: boolean;
}

const weights = new Float64Array(3);
/** Weights of a pair's four vertices in the vector between its closest points. */
const signed = new Float64Array(4);

/**
 * Displacements that the flow asks for, (vertexFill x 3) m, for mergeSurfaces: call before return of volume
 * and collisions change the proposed positions.
 */
export function computeDisplacement(tracker: Tracker, proposed: Float64Array): Float64Array {
  const { position } = tracker.mesh;
  return proposed.map((x, n) => x - position[n]);
}

/** Sheets of a region that are thinner than this break whether their sides meet or not. */
export interface Rupture {
  readonly region: number;
  /** m; 0: none do */
  readonly thickness: Metres;
}

/**
 * Merges what is near and about to meet; returns the number of snaps. `motion` (vertexFill x 3) is the
 * displacement that the flow asked for in the step just done, m (computeDisplacement); without it whatever is
 * near merges.
 */
export function mergeSurfaces(tracker: Tracker, motion?: Float64Array, rupture?: Rupture): number {
  const { mesh } = tracker;
  const pairs = findNearPairs(tracker, motion, rupture);
  pairs.sort((p, q) => p.distance2 - q.distance2 || compare(p.vertex, q.vertex));
  let snaps = 0;
  let place: Float64Array | undefined;
  for (const pair of pairs) {
    if (pair.isTorn && place && !isNear(tracker, pair.vertex[0], place)) continue;
    if (!(pair.isEdges ? mergeEdges(tracker, pair) : mergeVertex(tracker, pair))) continue;
    snaps++;
    if (pair.isTorn) place ??= mesh.position.slice(3 * pair.vertex[0], 3 * pair.vertex[0] + 3);
  }
  if (!place) return snaps;
  tracker.count('rupture', undefined);
  // Edges that cross, now that their ends have met.
  return snaps + mergeSurfaces(tracker, motion);
}

/**
 * A hole is to have room for a triangle, or it closes at once. One in a step, where the sheet is thinnest: it
 * draws the rest of the sheet back.
 */
const isNear = ({ mesh, options }: Tracker, v: number, [x, y, z]: Float64Array) =>
  mesh.isVertex(v) &&
  Math.hypot(mesh.position[3 * v] - x, mesh.position[3 * v + 1] - y, mesh.position[3 * v + 2] - z) <
    HOLE * options.maxEdge;

/**
 * Is a region between a vertex and a face, and only a sheet of it? Its sides face each other there; at the
 * rim of a sheet and on small drops surfaces are near as well.
 */
function isAcross({ mesh }: Tracker, [v, a, b, c]: readonly number[], region: number): boolean {
  const f = mesh.findFace(a, b, c);
  if (f === NONE) return false;
  const { position: p, face, label } = mesh;
  const side =
    computeTetVolume(p, 3 * face[3 * f], 3 * face[3 * f + 1], 3 * face[3 * f + 2], 3 * v) > 0 ? 0 : 1;
  if (label[2 * f + side] !== region) return false;
  addInward(mesh, f, region, inward.fill(0));
  const [x, y, z] = inward;
  inward.fill(0);
  for (let corner = mesh.vertexCorner[v]; corner !== NONE; corner = mesh.cornerNextAtVertex[corner])
    addInward(mesh, Math.floor(corner / 3), region, inward);
  const along = x * inward[0] + y * inward[1] + z * inward[2];
  return along < -FACING * Math.hypot(x, y, z) * Math.hypot(...inward);
}

/** Radius of a new hole, in longest edges. */
const HOLE = 1;
/** Cosine up to which two sides of a sheet face each other. */
const FACING = 0.7;
const inward = new Float64Array(3);

/** Adds twice a face's area vector, turned into a region. */
function addInward(
  { position: p, face, label }: MultiMesh,
  f: number,
  region: number,
  out: Float64Array,
): void {
  setNormal(p, 3 * face[3 * f], 3 * face[3 * f + 1], 3 * face[3 * f + 2], area);
  const sign = label[2 * f] === region ? 1 : -1;
  for (let k = 0; k < 3; k++) out[k] += sign * area[k];
}
const area = new Float64Array(3);

/**
 * Will the pair meet within the horizon? Its closest points lie at the weights just computed.
 * Pairs that collision handling holds apart count as meeting while they close at all: they come no nearer.
 */
function isMeeting(tracker: Tracker, motion: Float64Array, { vertex, isEdges, distance2 }: Pair): boolean {
  const { mesh, options, length } = tracker;
  if (distance2 === 0) return true;
  signed[0] = isEdges ? 1 - weights[0] : 1;
  signed[1] = isEdges ? weights[0] : -weights[0];
  signed[2] = isEdges ? weights[1] - 1 : -weights[1];
  signed[3] = isEdges ? -weights[1] : -weights[2];
  let opening = 0;
  for (let k = 0; k < 3; k++) {
    let apart = 0;
    let moved = 0;
    for (let i = 0; i < 4; i++) {
      // Differences keep digits far from the origin.
      apart += signed[i] * (mesh.position[3 * vertex[i] + k] - mesh.position[3 * vertex[0] + k]);
      moved += signed[i] * motion[3 * vertex[i] + k];
    }
    opening += apart * moved;
  }
  if (opening >= 0) return false;
  if (distance2 < (HELD * options.proximity * length) ** 2) return true;
  return -opening * options.mergeHorizon >= distance2;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

function findNearPairs(
  tracker: Tracker,
  motion: Float64Array | undefined,
  rupture: Rupture | undefined,
): Pair[] {
  const { mesh, options, length, buffers } = tracker;
  const thickness = rupture?.thickness ?? 0;
  const reach = Math.max(thickness, options.mergeProximity * length);
  const x = mesh.position;
  const { endingNear } = tracker;
  const { data, count } =
    endingNear?.time === mesh.known.clock && thickness <= options.mergeProximity * length
      ? endingNear
      : new PairFinder(mesh, buffers, options.maxEdge, x, x, reach).findAll(true);
  tracker.endingNear = undefined;
  const found: Pair[] = [];
  for (let o = 0; o < FIND_SIZE * count; o += FIND_SIZE) {
    const isEdges = data[o + FIND_KIND] >= FIRST_EDGES;
    const vertex = [...data.subarray(o + FIND_VERTEX, o + FIND_VERTEX + 4)] as [
      number,
      number,
      number,
      number,
    ];
    const [a, b, c, d] = vertex;
    const distance2 = isEdges
      ? edgeEdgeDistance(x, a, b, c, d, weights)
      : vertexTriangleDistance(x, a, b, c, d, weights);
    const pair = { vertex, isEdges, distance2 };
    if (isNearEnough(tracker, vertex, distance2) && (!motion || isMeeting(tracker, motion, pair)))
      found.push(pair);
    else if (distance2 < thickness ** 2 && !isEdges && isAcross(tracker, vertex, rupture!.region))
      found.push({ ...pair, isTorn: true });
  }
  return found;
}

function mergeVertex(tracker: Tracker, pair: Pair): boolean {
  const { mesh } = tracker;
  const [v, a, b, c] = pair.vertex;
  if (!mesh.isVertex(v) || !mesh.isVertex(a)) return false;
  const f = mesh.findFace(a, b, c);
  if (f === NONE || mesh.hasVertex(f, v)) return false;
  const distance2 = vertexTriangleDistance(mesh.position, v, a, b, c, weights);
  if (!pair.isTorn && !isNearEnough(tracker, pair.vertex, distance2)) return false;
  if (!mayMeet(tracker, v, a, b, c)) return false;
  if (!mayJoin(tracker, [v], findPlace([a, b, c], weights))) return false;
  const target = makePartnerInFace(tracker, f, a, b, c, weights[0], weights[1], weights[2]);
  return target !== NONE && snap(tracker, v, target, pair.isTorn);
}

function mergeEdges(tracker: Tracker, pair: Pair): boolean {
  const { mesh } = tracker;
  const [a, b, c, d] = pair.vertex;
  if (!mesh.isVertex(a) || !mesh.isVertex(c)) return false;
  const [e, g] = [mesh.findEdge(a, b), mesh.findEdge(c, d)];
  if (e === NONE || g === NONE) return false;
  const distance2 = edgeEdgeDistance(mesh.position, a, b, c, d, weights);
  if (!isNearEnough(tracker, pair.vertex, distance2)) return false;
  // Edges of two faces that share an edge: a-c or so joins them, and the faces must fold.
  for (const [p, q, r, s] of [
    [a, b, c, d],
    [a, b, d, c],
    [b, a, c, d],
    [b, a, d, c],
  ]) {
    if (mesh.findFace(p, q, r) !== NONE && !isFold(tracker, p, r, q, s)) return false;
  }
  const [s, t] = weights;
  if (!mayJoin(tracker, findPlace([a, b], [1 - s, s]), findPlace([c, d], [1 - t, t]))) return false;
  const first = makePartnerOnEdge(tracker, a, b, s);
  if (first === NONE) return false;
  const second = makePartnerOnEdge(tracker, c, d, t);
  return second !== NONE && snap(tracker, first, second);
}

/** What the closest point lies in: those of the vertices that have a share in it. */
const findPlace = (vertex: readonly number[], weight: ArrayLike<number>) => {
  const whole = vertex.find((_, i) => weight[i] > 1 - CLOSE);
  return whole === undefined ? vertex.filter((_, i) => weight[i] >= CLOSE) : [whole];
};

/**
 * Does the client let what would be made there become one? Without being asked first it would refuse after
 * the splits, in every step anew.
 */
const mayJoin = ({ policy }: Tracker, first: readonly number[], second: readonly number[]) =>
  policy.mayMeet?.(first, second) ?? true;

/** Nearer than the threshold, by the finest of the mesh there. */
const isNearEnough = (tracker: Tracker, vertices: readonly number[], d2: number) =>
  d2 < (tracker.options.mergeProximity * Math.min(...vertices.map((v) => tracker.lengthAt(v)))) ** 2;

function snap(tracker: Tracker, v: number, w: number, isTorn = false): boolean {
  if (v === w || tracker.mesh.findEdge(v, w) !== NONE) return false;
  if (distance2(tracker.mesh.position, v, w) > (LONGEST_SNAP * tracker.options.minEdge) ** 2) return false;
  // What the flow pulls apart would only be separated again (the consistency of chapter 6, for snaps as for
  // collapses).
  if (!isTorn && tracker.flow?.isParting?.(v, w)) return tracker.count('snap', 'parting');
  return snapVertices(tracker, Math.min(v, w), Math.max(v, w), 0.5, 'topology');
}

/**
 * May v be brought onto face a b c? Not if it spans a neighbouring face that lies beside it rather than on
 * it.
 */
function mayMeet(tracker: Tracker, v: number, a: number, b: number, c: number): boolean {
  for (const [p, q, r] of [
    [a, b, c],
    [b, c, a],
    [c, a, b],
  ]) {
    if (tracker.mesh.findFace(p, q, v) !== NONE && !isFold(tracker, p, q, r, v)) return false;
  }
  return true;
}

/** Do triangles p q r and p q s include less than a right angle? */
function isFold(tracker: Tracker, p: number, q: number, r: number, s: number): boolean {
  const x = tracker.mesh.position;
  const normals: number[] = [];
  addNormal(x, p, q, r, normals);
  addNormal(x, p, q, s, normals);
  return normals[0] * normals[3] + normals[1] * normals[4] + normals[2] * normals[5] > 0;
}

function makePartnerOnEdge(tracker: Tracker, a: number, b: number, s: number): number {
  const { mesh } = tracker;
  if (s < CLOSE) return a;
  if (s > 1 - CLOSE) return b;
  const e = mesh.findEdge(a, b);
  if (e === NONE) return NONE;
  return splitEdgeAt(tracker, e, mesh.edgeVertex[2 * e] === a ? s : 1 - s, 'safety');
}

function makePartnerInFace(
  tracker: Tracker,
  f: number,
  a: number,
  b: number,
  c: number,
  wa: number,
  wb: number,
  wc: number,
): number {
  if (wa > 1 - CLOSE) return a;
  if (wb > 1 - CLOSE) return b;
  if (wc > 1 - CLOSE) return c;
  if (wa < CLOSE) return makePartnerOnEdge(tracker, b, c, wc / (wb + wc));
  if (wb < CLOSE) return makePartnerOnEdge(tracker, c, a, wa / (wc + wa));
  if (wc < CLOSE) return makePartnerOnEdge(tracker, a, b, wb / (wa + wb));
  const { mesh } = tracker;
  // The face's own order of corners may differ from the pair's.
  const weightOf = (v: number) => (v === a ? wa : v === b ? wb : wc);
  const [x, y, z] = [mesh.face[3 * f], mesh.face[3 * f + 1], mesh.face[3 * f + 2]];
  return splitFace(tracker, f, weightOf(x), weightOf(y), weightOf(z), 'safety');
}
