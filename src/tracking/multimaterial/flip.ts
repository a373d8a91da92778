/**
 * Edge flip ([da-2017] 9.2), on edges of two faces that are no features.
 *
 *        c               c            valences nearer to 6 (4 on the border of a patch) decide, eq. (9.1); both new faces are wound
 *       / \             /|\           like the first old one and take its labels, since its neighbour may be wound the other way
 *      a---b     ->    a | b
 *       \ /             \|/
 *        d               d
 */
import { NONE } from '../../core/types.ts';
import { type Bounds, distance2, type Refusal } from './edit.ts';
import { gatherFan } from './features.ts';
import { computeTetVolume6 } from './measure.ts';
import { faceOf, nextCorner } from './mesh.ts';
import type { Tracker } from './tracker.ts';

const INTERIOR_VALENCE = 6;
const BORDER_VALENCE = 4;
const ring: number[] = [];

/** How much a flip would lower the sum of squares of (9.1); positive is better. */
export function computeFlipGain(tracker: Tracker, e: number): number {
  const { mesh } = tracker;
  const first = mesh.edgeCorner[e];
  const second = mesh.cornerNextAtEdge[first];
  const [f, g] = [faceOf(first), faceOf(second)];
  const a = mesh.edgeVertex[2 * e];
  const b = mesh.edgeVertex[2 * e + 1];
  let gain = computeExcess(tracker, a, e, f, -1) + computeExcess(tracker, b, e, f, -1);
  const c = mesh.oppositeVertex(first);
  const d = mesh.oppositeVertex(second);
  gain += computeExcess(tracker, c, mesh.cornerEdge[nextCorner(first)], f, 1);
  gain += computeExcess(tracker, d, mesh.cornerEdge[nextCorner(second)], g, 1);
  return gain;
}

/** Fall of the squared distance from the ideal valence of v, within the patch of face f, when it gains `change` edges. */
function computeExcess(tracker: Tracker, v: number, e: number, f: number, change: number): number {
  const { mesh } = tracker;
  const edges = countIfManifold(tracker, v);
  if (edges !== NONE) {
    const off = edges - INTERIOR_VALENCE;
    return off * off - (off + change) * (off + change);
  }
  const isClosed = gatherFan(mesh, v, e, f, ring);
  let count = ring.length;
  if (!isClosed && mesh.edgeValence[e] === 2) {
    // The fan stopped at the patch's border; the rest of it lies on the other side of e.
    const other =
      faceOf(mesh.edgeCorner[e]) === f ? mesh.cornerNextAtEdge[mesh.edgeCorner[e]] : mesh.edgeCorner[e];
    gatherFan(mesh, v, e, faceOf(other), ring);
    count += ring.length - 1;
  }
  const off = count - (isClosed ? INTERIOR_VALENCE : BORDER_VALENCE);
  return off * off - (off + change) * (off + change);
}

/** Edges at a vertex all of whose edges have two faces; else NONE. Most vertices are such, and need no fan. */
function countIfManifold(tracker: Tracker, v: number): number {
  const { mesh } = tracker;
  let count = 0;
  for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
    if (mesh.edgeValence[d >> 1] !== 2) return NONE;
    count++;
  }
  return count;
}

/** Flips if the bounds and safety allow; the gain is the caller's business. */
export function flipEdge(tracker: Tracker, e: number, bounds: Bounds = 'all'): boolean {
  const { mesh, edit, features } = tracker;
  if (!features.isManifold(e)) return tracker.count('flip', 'valence');
  const first = mesh.edgeCorner[e];
  const second = mesh.cornerNextAtEdge[first];
  const [f, g] = [faceOf(first), faceOf(second)];
  const a = mesh.face[first];
  const b = mesh.face[nextCorner(first)];
  const c = mesh.oppositeVertex(first);
  const d = mesh.oppositeVertex(second);
  const p = mesh.position;
  // A long edge would be split, the split undone by a collapse, and the flip wanted again: round and round on films at rest.
  const length2 = distance2(p, c, d);
  if (bounds === 'all' && length2 > tracker.maxEdgeAt(c, d) ** 2 && length2 > distance2(p, a, b))
    return tracker.count('flip', 'long edge');
  // The volume is known beforehand, and most flips of curved surfaces fail by it: no need to open an edit.
  const volume = Math.abs(computeTetVolume6(p, a, b, c, d)) / 6;
  if (bounds === 'all' && volume > tracker.options.maxVolumeChange * tracker.length ** 3)
    return tracker.count('flip', 'volume');
  if (bounds === 'all' && features.isFeature(e)) return tracker.count('flip', 'feature');
  if (c === d || mesh.findEdge(c, d) !== NONE) return tracker.count('flip', 'edge exists');
  const front = mesh.label[2 * f];
  const back = mesh.label[2 * f + 1];
  edit.begin();
  edit.take(f);
  edit.take(g);
  edit.sweep(a, b, c, front, back, p[3 * d], p[3 * d + 1], p[3 * d + 2]);
  mesh.setCorners(f, a, d, c);
  mesh.setCorners(g, d, b, c);
  mesh.setLabels(g, front, back);
  edit.put(f, 0);
  edit.put(g, 0);
  const refusal: Refusal | undefined = edit.finish(bounds);
  return tracker.count('flip', refusal);
}
