/**
 * Vertex separation and T1 processes ([da-2017] chapter 6, algorithm 2).
 *
 *     C            C             v splits into v_a, taken by the faces of region A, and v, kept by the others. An edge v w with faces of both kinds
 *   A v B   ->   A|..|B          opens into a gap; where the labels of either kind no longer balance, the face v_a w v closes it with the labels
 *     D            D             that are missing. Where they balance nothing is added: regions of one material join through the gap.
 *
 * All candidates of all irregular vertices are done in order of strength; new irregular vertices are taken up
 * in the next round. Each separation lowers the number of regions at both vertices, so rounds end. A
 * separation that would collide is tried with one side at rest, along the middle of either side's own edges,
 * and at a quarter of its distance. One that would change a region's volume by more than the bound is done at
 * the share of the distance that keeps it.
 *
 * Deviations: two regions that part may instead come into contact, where the client wishes (face-opening.ts),
 * and count as a separation here. Several fans that meet in the vertex alone are separated as they are,
 * without faces in the gap (region-graph.ts).
 */
import { NONE } from '../../core/types.ts';
import {
  type Candidate,
  Candidates,
  findGap,
  isMoved,
  markMoved,
  type StrengthMeasure,
} from './candidates.ts';
import type { Bounds, Refusal } from './edit.ts';
import { makeOpening } from './face-opening.ts';
import { faceOf } from './mesh.ts';
import { RegionGraph } from './region-graph.ts';
import type { Tracker } from './tracker.ts';

export type { StrengthMeasure };

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

/** Resolves irregular vertices; returns how many separations and contacts were done. */
export function separateVertices(tracker: Tracker, measure: StrengthMeasure): number {
  const { known } = tracker.mesh;
  const finder = new Candidates(tracker, measure);
  let done = 0;
  known.rewind();
  /**
   * What was refused in the last round. It stands until the vertex is touched, unless something was in the
   * way that may be gone.
   */
  let refused: Candidate[] = [];
  let time: number = NONE;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const candidates = refused.filter(({ v }) => known.touchedAt[v] <= time);
    addTouched(tracker, finder, time, candidates);
    time = known.clock;
    candidates.sort((a, b) => b.strength - a.strength || a.v - b.v);
    let separated = 0;
    refused = [];
    for (const candidate of candidates) {
      if (candidate.isSettled && known.touchedAt[candidate.v] <= candidate.time) {
        refused.push(candidate);
        continue;
      }
      const { collisions } = tracker;
      if (tryCandidate(tracker, finder, candidate)) separated++;
      else refused.push({ ...candidate, isSettled: tracker.collisions === collisions });
    }
    done += separated;
    if (separated === 0) break;
  }
  return done;
}

/** Candidates of all vertices touched after a time. */
function addTouched({ mesh, policy }: Tracker, finder: Candidates, time: number, out: Candidate[]): void {
  const { touchedAt } = mesh.known;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (touchedAt[v] <= time || !mesh.isVertex(v) || finder.graph.isPlainlyRegular(v)) continue;
    if (policy.isHeld?.(v)) continue;
    finder.add(v, out);
  }
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

/**
 * The separation may have been overtaken by an earlier one: its faces must still be those of a missing arc.
 */
function tryCandidate(tracker: Tracker, finder: Candidates, candidate: Candidate): boolean {
  const { mesh } = tracker;
  const { v, time } = candidate;
  if (!mesh.isVertex(v)) return false;
  const now = [candidate];
  if (mesh.known.touchedAt[v] > time) {
    now.length = 0;
    finder.add(v, now, candidate);
    if (now.length === 0) return false;
  }
  const { opening, moved, direction } = now[0];
  return opening ? makeOpening(tracker, opening) : separateVertex(tracker, v, moved, direction) !== NONE;
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
  let isBlocked = false;
  let pulls: Pull[] = [pullBoth(1, direction)];
  for (let n = 0; n < pulls.length; n++) {
    const made = pullWithin(tracker, v, moved, pulls[n]);
    if (made === NONE) {
      edit.undo();
      refusal = 'labels';
      break;
    }
    refusal = edit.finish(bounds);
    if (refusal === 'collision') isBlocked = true;
    if (refusal !== undefined) {
      // Most go at the first pull and need no list.
      if (n === 0) pulls = listPulls(tracker, v, moved, direction);
      continue;
    }
    tracker.count('separate', undefined);
    tracker.policy.onSeparate?.(made, v);
    edit.tellReplaced();
    return made;
  }
  tracker.count('separate', refusal);
  if (isBlocked && refusal !== 'collision') tracker.collisions++;
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
  // Volumes are linear in the pull but for the gaps, which are quadratic and so shrink faster: the share
  // keeps the bound, save for rounding.
  const within = WITHIN * share;
  return pullApart(tracker, v, moved, { moved: scale(within, pull.moved), stay: scale(within, pull.stay) });
}

function pullBoth(share: number, direction: readonly number[]): Pull {
  return { moved: scale(share / 2, direction), stay: scale(-share / 2, direction) };
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
    pullBoth(share, direction),
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

/**
 * Opens an edit and carries the separation out; the new vertex, or NONE where no faces can balance the
 * labels. The edit stays open.
 */
function pullApart(tracker: Tracker, v: number, moved: readonly number[], pull: Pull): number {
  const { mesh, edit, options } = tracker;
  const p = mesh.position;
  const distance = options.separation * tracker.lengthAt(v);
  const at = (d: readonly number[]) => [0, 1, 2].map((k) => p[3 * v + k] + distance * d[k]);
  const [there, here] = [at(pull.moved), at(pull.stay)];
  markMoved(tracker, moved);
  tracker.walls?.holdPart(v, (f) => isMoved(tracker, f), there);
  tracker.walls?.holdPart(v, (f) => !isMoved(tracker, f), here);
  const faces: number[] = [];
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) faces.push(faceOf(c));
  edit.begin();
  if (moved.length === faces.length || moved.length === 0) return NONE;
  const gaps: number[] = [];
  for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d])
    if (!findGap(tracker, d, gaps)) return NONE;
  for (const f of faces) {
    edit.take(f);
    const [a, b, c] = [mesh.face[3 * f], mesh.face[3 * f + 1], mesh.face[3 * f + 2]];
    const [tx, ty, tz] = isMoved(tracker, f) ? there : here;
    edit.sweep(a, b, c, mesh.label[2 * f], mesh.label[2 * f + 1], tx, ty, tz);
  }
  const made = mesh.addVertex(there[0], there[1], there[2]);
  const [x, y, z] = at(REST);
  mesh.setPosition(v, here[0], here[1], here[2]);
  for (let n = 0; n < faces.length; n++) {
    const f = faces[n];
    if (isMoved(tracker, f)) {
      const corner = (c: number) => (mesh.face[c] === v ? made : mesh.face[c]);
      mesh.setCorners(f, corner(3 * f), corner(3 * f + 1), corner(3 * f + 2));
    }
    edit.put(f, n);
  }
  for (let n = 0; n < gaps.length; n += 3) {
    const [w, front, back] = [gaps[n], gaps[n + 1], gaps[n + 2]];
    edit.put(mesh.addFace(made, w, v, front, back), NONE);
    // It grew from the edge v w: what it swept is what it would sweep backwards, with the sides exchanged.
    // Flat where the pulls are opposite.
    edit.sweep(made, w, v, back, front, x, y, z);
  }
  return made;
}
