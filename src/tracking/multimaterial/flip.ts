/**
 * Edge flip ([da-2017] 9.2), on edges of two faces that are no features.
 *
 *        c               c            valences nearer to 6 (4 on the border of a patch) decide, eq. (9.1); both new faces are wound
 *       / \             /|\           like the first old one and take its labels, since its neighbour may be wound the other way
 *      a---b     ->    a | b
 *       \ /             \|/
 *        d               d
 */
import { defineTask } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { type Bounds, distance2, type Refusal } from './edit.ts';
import { gatherFan } from './features.ts';
import { UNKNOWN, VAIN, WANTED } from './knowledge.ts';
import { computeTetVolume6 } from './measure.ts';
import { faceOf, type MultiMesh, nextCorner, previousCorner } from './mesh.ts';
import type { Tracker } from './tracker.ts';

const INTERIOR_VALENCE = 6;
const BORDER_VALENCE = 4;
const ring: number[] = [];

/** What of the mesh the worth of a flip depends on: a task has only these. */
type Rings = Pick<
  MultiMesh,
  | 'face'
  | 'cornerEdge'
  | 'cornerNextAtEdge'
  | 'edgeVertex'
  | 'edgeCorner'
  | 'edgeValence'
  | 'vertexEnd'
  | 'endNext'
>;

/** Would a flip lower the sum of squares of (9.1)? VAIN for edges that cannot be flipped. */
export function findFlipWorth(mesh: Rings, e: number): number {
  if (mesh.edgeValence[e] !== 2) return VAIN;
  const first = mesh.edgeCorner[e];
  const second = mesh.cornerNextAtEdge[first];
  const f = faceOf(first);
  const g = faceOf(second);
  const a = mesh.edgeVertex[2 * e];
  const b = mesh.edgeVertex[2 * e + 1];
  const c = mesh.face[previousCorner(first)];
  const d = mesh.face[previousCorner(second)];
  let gain = computeExcess(mesh, a, e, f, -1) + computeExcess(mesh, b, e, f, -1);
  gain += computeExcess(mesh, c, mesh.cornerEdge[nextCorner(first)], f, 1);
  gain += computeExcess(mesh, d, mesh.cornerEdge[nextCorner(second)], g, 1);
  return gain > 0 ? WANTED : VAIN;
}

/**
 * Fall of the squared distance from the ideal valence of v, within the patch of face f, when it gains
 * `change` edges.
 */
function computeExcess(mesh: Rings, v: number, e: number, f: number, change: number): number {
  const edges = countIfManifold(mesh, v);
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

/**
 * Edges at a vertex all of whose edges have two faces; else NONE. Most vertices are such, and need no fan.
 */
function countIfManifold(mesh: Rings, v: number): number {
  const { edgeValence, endNext } = mesh;
  let count = 0;
  for (let d = mesh.vertexEnd[v]; d !== NONE; d = endNext[d]) {
    if (edgeValence[d >> 1] !== 2) return NONE;
    count++;
  }
  return count;
}

const GRAIN = 1024;

/** Finds out, on all threads, what is not known of the worth of flips. */
export function learnFlips({ mesh, buffers }: Tracker): void {
  const { faceFill, edgeFill, vertexFill, known } = mesh;
  const worth = buffers.u8('flip worths', edgeFill);
  worth.set(known.flipWorth.subarray(0, edgeFill));
  buffers.threads.run(flipWorthTask, edgeFill, GRAIN, {
    face: buffers.copyI32('faces', mesh.face, 3 * faceFill),
    cornerEdge: buffers.copyI32('corner edges', mesh.cornerEdge, 3 * faceFill),
    cornerNextAtEdge: buffers.copyI32('next at edge', mesh.cornerNextAtEdge, 3 * faceFill),
    edgeVertex: buffers.copyI32('edge vertices', mesh.edgeVertex, 2 * edgeFill),
    edgeCorner: buffers.copyI32('edge corners', mesh.edgeCorner, edgeFill),
    edgeValence: buffers.copyI32('edge valences', mesh.edgeValence, edgeFill),
    vertexEnd: buffers.copyI32('vertex ends', mesh.vertexEnd, vertexFill),
    endNext: buffers.copyI32('next ends', mesh.endNext, 2 * edgeFill),
    worth,
  });
  known.flipWorth.set(worth.subarray(0, edgeFill));
}

const flipWorthTask = defineTask(
  'tracking/weigh-flips',
  {
    face: 'i32',
    cornerEdge: 'i32',
    cornerNextAtEdge: 'i32',
    edgeVertex: 'i32',
    edgeCorner: 'i32',
    edgeValence: 'i32',
    vertexEnd: 'i32',
    endNext: 'i32',
    worth: 'u8',
  },
  (begin, end, values) => {
    const { edgeVertex, worth } = values;
    for (let e = begin; e < end; e++) {
      // Dead rows are below NONE (mesh.ts).
      if (worth[e] === UNKNOWN && edgeVertex[2 * e] > NONE) worth[e] = findFlipWorth(values, e);
    }
  },
);

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
  // A long edge would be split, the split undone by a collapse, and the flip wanted again: round and round on
  // films at rest.
  const length2 = distance2(p, c, d);
  if (bounds === 'all' && length2 > tracker.maxEdgeAt(c, d) ** 2 && length2 > distance2(p, a, b))
    return tracker.count('flip', 'long edge');
  // The volume is known beforehand, and most flips of curved surfaces fail by it: no need to open an edit.
  const volume = Math.abs(computeTetVolume6(p, a, b, c, d)) / 6;
  if (bounds === 'all' && volume > tracker.options.maxVolumeChange * tracker.length ** 3)
    return tracker.count('flip', 'volume');
  if (bounds === 'all' && features.isFeature(e)) return tracker.count('flip', 'feature');
  if (tracker.policy.isHeldEdge?.(a, b)) return tracker.count('flip', 'held edge');
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
  if (refusal === undefined) edit.tellReplaced();
  return tracker.count('flip', refusal);
}
