/**
 * Vertex separation and T1 processes ([da-2017] chapter 6, algorithm 2).
 *
 *     C            C             v splits into v_a, taken by the faces of region A, and v, kept by the others. An edge v w with faces of both kinds
 *   A v B   ->   A|..|B          opens into a gap; where the labels of either kind no longer balance, the face v_a w v closes it with the labels
 *     D            D             that are missing. Where they balance nothing is added: regions of one material join through the gap.
 *
 * All candidates of all irregular vertices are done in order of strength; new irregular vertices are taken up in the next round. Each separation lowers the
 * number of regions at both vertices, so rounds end. A separation that would collide is tried with one side at rest, along the middle of either side's own edges, and at a quarter of its distance.
 * One that would change a region's volume by more than the bound is done at the share of the distance that keeps it.
 *
 * Deviation: several fans that meet in the vertex alone are separated as they are, without faces in the gap (region-graph.ts).
 */
import { NONE } from '../../core/types.ts';
import type { Bounds, Refusal } from './edit.ts';
import { computeFaceArea } from './measure.ts';
import { faceOf } from './mesh.ts';
import { RegionGraph } from './region-graph.ts';
import type { Tracker } from './tracker.ts';

/** How strongly a pair wants to part. */
export type StrengthMeasure = 'velocity' | 'area' | 'client';

interface Candidate {
  readonly v: number;
  /** Faces that go with the new vertex, in rising order. */
  readonly moved: number[];
  readonly direction: readonly [number, number, number];
  readonly strength: number;
}

const MOST_ROUNDS = 12;
/** Part of the bound on volumes that a shortened pull aims at. */
const WITHIN = 0.99;
/** Tried distances in units of the full one. */
const DISTANCES = [1, 0.25];

/** Displacements of the new and the old vertex, in units of the distance of separation. */
interface Pull {
  readonly moved: readonly number[];
  readonly stay: readonly number[];
}
const REST = [0, 0, 0];
const scale = (s: number, d: readonly number[]) => [s * d[0], s * d[1], s * d[2]];

/** Resolves irregular vertices; returns how many separations were done. */
export function separateVertices(tracker: Tracker, measure: StrengthMeasure): number {
  const graph = new RegionGraph(tracker.mesh);
  let done = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { mesh } = tracker;
    const candidates: Candidate[] = [];
    for (let v = 0; v < mesh.vertexFill; v++) {
      if (!mesh.isVertex(v) || graph.isPlainlyRegular(v)) continue;
      addCandidates(tracker, graph, v, measure, candidates);
    }
    candidates.sort((a, b) => b.strength - a.strength || a.v - b.v);
    let separated = 0;
    for (const candidate of candidates) if (tryCandidate(tracker, graph, candidate, measure)) separated++;
    done += separated;
    if (separated === 0) break;
  }
  return done;
}

/** Irregular vertices of the mesh, in order. */
export function findIrregularVertices(tracker: Tracker): number[] {
  const { mesh } = tracker;
  const graph = new RegionGraph(mesh);
  const found: number[] = [];
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v) || graph.isPlainlyRegular(v)) continue;
    if (graph.build(v) && !graph.isComplete) found.push(v);
  }
  return found;
}

function addCandidates(
  tracker: Tracker,
  graph: RegionGraph,
  v: number,
  measure: StrengthMeasure,
  out: Candidate[],
): void {
  if (!graph.build(v) || graph.isComplete) return;
  const add = (isOfA: (i: number) => boolean, isOfB: (i: number) => boolean) => {
    const moved: number[] = [];
    const stay: number[] = [];
    for (let i = 0; i < graph.face.length; i++) {
      if (isOfA(i)) moved.push(graph.face[i]);
      else if (isOfB(i)) stay.push(graph.face[i]);
    }
    moved.sort((f, g) => f - g);
    const direction = computeDirection(tracker, v, moved, stay);
    const strength = computeStrength(tracker, v, moved, direction, measure);
    if (strength > 0) out.push({ v, moved, direction, strength });
  };
  if (graph.fanCount > 1) {
    for (let k = 1; k < graph.fanCount; k++)
      add(
        (i) => graph.fan[i] === k,
        (i) => graph.fan[i] !== k,
      );
    return;
  }
  const touches = (i: number, n: number) => graph.node[2 * i] === n || graph.node[2 * i + 1] === n;
  for (let a = 0; a < graph.nodeCount; a++) {
    for (let b = 0; b < graph.nodeCount; b++) {
      if (a === b || graph.areAdjacent(a, b)) continue;
      // Both ways round: which of the two takes its faces along makes a difference, and one may be safe where the other is not.
      add(
        (i) => touches(i, a),
        (i) => touches(i, b),
      );
    }
  }
}

/** Unit vector from the middle of the ring of `stay` to that of `moved`. */
function computeDirection(
  tracker: Tracker,
  v: number,
  moved: readonly number[],
  stay: readonly number[],
): [number, number, number] {
  const a = computeRingMiddle(tracker, v, moved);
  const b = computeRingMiddle(tracker, v, stay);
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : [0, 0, 0];
}

function computeRingMiddle(tracker: Tracker, v: number, faces: readonly number[]): [number, number, number] {
  const { face, position: p } = tracker.mesh;
  const ring = new Set<number>();
  for (const f of faces) for (let c = 3 * f; c < 3 * f + 3; c++) if (face[c] !== v) ring.add(face[c]);
  const sum: [number, number, number] = [0, 0, 0];
  for (const w of ring) for (let k = 0; k < 3; k++) sum[k] += (p[3 * w + k] - p[3 * v + k]) / ring.size;
  return sum;
}

function computeStrength(
  tracker: Tracker,
  v: number,
  moved: readonly number[],
  direction: readonly [number, number, number],
  measure: StrengthMeasure,
): number {
  const { mesh, flow, options, length } = tracker;
  const [dx, dy, dz] = direction;
  if (dx === 0 && dy === 0 && dz === 0) return 0;
  if (measure === 'area') return computeAreaLoss(tracker, v, moved, direction);
  if (measure === 'client') return flow?.separationStrength?.(v, dx, dy, dz) ?? 0;
  if (!flow?.velocity) return 0;
  const h = 0.5 * options.separation * length;
  const p = mesh.position;
  const [x, y, z] = [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
  const ahead = new Float64Array(3);
  const behind = new Float64Array(3);
  flow.velocity(x + h * dx, y + h * dy, z + h * dz, ahead);
  flow.velocity(x - h * dx, y - h * dy, z - h * dz, behind);
  return ((ahead[0] - behind[0]) * dx + (ahead[1] - behind[1]) * dy + (ahead[2] - behind[2]) * dz) / (2 * h);
}

/** Area that the separation takes off the surface, m^2, measured on the mesh itself and undone. */
function computeAreaLoss(
  tracker: Tracker,
  v: number,
  moved: readonly number[],
  direction: readonly [number, number, number],
): number {
  const { mesh, edit } = tracker;
  const pull = { moved: scale(0.5, direction), stay: scale(-0.5, direction) };
  let before = 0;
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
    before += computeFaceArea(mesh, faceOf(c));
  const isDone = pullApart(tracker, v, moved, pull) !== NONE;
  let after = 0;
  if (isDone) for (const f of edit.fresh) after += computeFaceArea(mesh, f);
  edit.undo();
  return isDone ? before - after : 0;
}

/** The separation may have been overtaken by an earlier one: its faces must still be those of a missing arc. */
function tryCandidate(
  tracker: Tracker,
  graph: RegionGraph,
  candidate: Candidate,
  measure: StrengthMeasure,
): boolean {
  const { mesh } = tracker;
  const { v, moved } = candidate;
  if (!mesh.isVertex(v)) return false;
  const now: Candidate[] = [];
  addCandidates(tracker, graph, v, measure, now);
  const same = now.find(
    (other) => other.moved.length === moved.length && other.moved.every((f, n) => f === moved[n]),
  );
  if (!same) return false;
  return separateVertex(tracker, v, same.moved, same.direction) !== NONE;
}

/** Separates a vertex; the new one, or NONE. */
export function separateVertex(
  tracker: Tracker,
  v: number,
  moved: readonly number[],
  direction: readonly [number, number, number],
  bounds: Bounds = 'topology',
): number {
  const { edit } = tracker;
  let refusal: Refusal | undefined;
  for (const pull of listPulls(tracker, v, moved, direction)) {
    const made = pullWithin(tracker, v, moved, pull);
    if (made === NONE) {
      edit.undo();
      refusal = 'labels';
      break;
    }
    refusal = edit.finish(bounds);
    if (refusal !== undefined) continue;
    tracker.count('separate', undefined);
    tracker.policy.onSeparate?.(made, v);
    return made;
  }
  tracker.count('separate', refusal);
  return NONE;
}

/** Pulls as far as the bound on volumes allows; as `pullApart`. */
function pullWithin(tracker: Tracker, v: number, moved: readonly number[], pull: Pull): number {
  const { edit, options } = tracker;
  const made = pullApart(tracker, v, moved, pull);
  let most = 0;
  for (const gain of edit.gain) most = Math.max(most, Math.abs(gain));
  const share = (options.maxTopologyChange * edit.length ** 3) / most;
  if (made === NONE || share >= 1) return made;
  edit.undo();
  // Volumes are linear in the pull but for the gaps, which are quadratic and so shrink faster: the share keeps the bound, save for rounding.
  const within = WITHIN * share;
  return pullApart(tracker, v, moved, { moved: scale(within, pull.moved), stay: scale(within, pull.stay) });
}

/** Ways to pull, the thesis's first: both sides along the line between them. */
function listPulls(
  tracker: Tracker,
  v: number,
  moved: readonly number[],
  direction: readonly number[],
): Pull[] {
  const { mesh } = tracker;
  const rest: number[] = [];
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
    if (!moved.includes(faceOf(c))) rest.push(faceOf(c));
  const inMoved = computeMeanEdge(tracker, v, moved);
  const inRest = computeMeanEdge(tracker, v, rest);
  return DISTANCES.flatMap((share) => [
    { moved: scale(share / 2, direction), stay: scale(-share / 2, direction) },
    { moved: scale(share, inMoved), stay: REST },
    { moved: REST, stay: scale(share, inRest) },
    { moved: scale(share / 2, inMoved), stay: scale(share / 2, inRest) },
    { moved: scale(share, direction), stay: REST },
    { moved: REST, stay: scale(-share, direction) },
  ]);
}

/** Unit mean of the unit vectors along the edges of faces at v. */
function computeMeanEdge(tracker: Tracker, v: number, faces: readonly number[]): number[] {
  const { face, position: p } = tracker.mesh;
  const sum = [0, 0, 0];
  for (const f of faces) {
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      const w = face[c];
      if (w === v) continue;
      const [x, y, z] = [0, 1, 2].map((k) => p[3 * w + k] - p[3 * v + k]);
      const length = Math.hypot(x, y, z);
      sum[0] += x / length;
      sum[1] += y / length;
      sum[2] += z / length;
    }
  }
  const length = Math.hypot(sum[0], sum[1], sum[2]);
  return length > 0 ? scale(1 / length, sum) : REST;
}

/** Opens an edit and carries the separation out; the new vertex, or NONE where no faces can balance the labels. The edit stays open. */
function pullApart(tracker: Tracker, v: number, moved: readonly number[], pull: Pull): number {
  const { mesh, edit, options, length } = tracker;
  const p = mesh.position;
  const distance = options.separation * length;
  const at = (d: readonly number[]) => [0, 1, 2].map((k) => p[3 * v + k] + distance * d[k]);
  const [there, here] = [at(pull.moved), at(pull.stay)];
  const isMoved = new Set(moved);
  const faces: number[] = [];
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) faces.push(faceOf(c));
  edit.begin();
  if (isMoved.size === faces.length || isMoved.size === 0) return NONE;
  const gaps: number[] = [];
  for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
    if (!findGap(tracker, d, isMoved, gaps)) return NONE;
  }
  for (const f of faces) {
    edit.take(f);
    const [a, b, c] = [mesh.face[3 * f], mesh.face[3 * f + 1], mesh.face[3 * f + 2]];
    const [tx, ty, tz] = isMoved.has(f) ? there : here;
    edit.sweep(a, b, c, mesh.label[2 * f], mesh.label[2 * f + 1], tx, ty, tz);
  }
  const made = mesh.addVertex(there[0], there[1], there[2]);
  const [x, y, z] = at(REST);
  mesh.setPosition(v, here[0], here[1], here[2]);
  for (let n = 0; n < faces.length; n++) {
    const f = faces[n];
    if (isMoved.has(f)) {
      const corner = (c: number) => (mesh.face[c] === v ? made : mesh.face[c]);
      mesh.setCorners(f, corner(3 * f), corner(3 * f + 1), corner(3 * f + 2));
    }
    edit.put(f, n);
  }
  for (let n = 0; n < gaps.length; n += 3) {
    const [w, front, back] = [gaps[n], gaps[n + 1], gaps[n + 2]];
    edit.put(mesh.addFace(made, w, v, front, back), NONE);
    // It grew from the edge v w: what it swept is what it would sweep backwards, with the sides exchanged. Flat where the pulls are opposite.
    edit.sweep(made, w, v, back, front, x, y, z);
  }
  return made;
}

/**
 * Notes the face that closes the gap at an edge end: far vertex, label in front, label behind. The moved faces lack one label ahead and one behind when
 * turning about v -> w; the face v_a w v supplies them. False where more than one face would be needed.
 */
function findGap(tracker: Tracker, end: number, isMoved: Set<number>, outGaps: number[]): boolean {
  const { mesh } = tracker;
  const isForward = (end & 1) === 0;
  const label: number[] = [];
  const balance: number[] = [];
  const add = (region: number, change: number) => {
    let n = label.indexOf(region);
    if (n < 0) {
      n = label.push(region) - 1;
      balance.push(0);
    }
    balance[n] += change;
  };
  for (let c = mesh.edgeCorner[end >> 1]; c !== NONE; c = mesh.cornerNextAtEdge[c]) {
    if (!isMoved.has(faceOf(c))) continue;
    add(isForward ? mesh.labelAhead(c) : mesh.labelBehind(c), 1);
    add(isForward ? mesh.labelBehind(c) : mesh.labelAhead(c), -1);
  }
  let front = NONE;
  let back = NONE;
  let isOff = false;
  for (let n = 0; n < label.length; n++) {
    if (balance[n] === 0) continue;
    isOff = true;
    if (balance[n] === -1 && front === NONE) front = label[n];
    else if (balance[n] === 1 && back === NONE) back = label[n];
    else return false;
  }
  if (isOff) outGaps.push(mesh.edgeVertex[end ^ 1], front, back);
  return true;
}
