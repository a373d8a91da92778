/**
 * Edge split and face split ([da-2017] 9.3, 8.1). Children inherit the labels of their parents.
 *
 *        o                o                     o                  o
 *       / \              /|\                   / \                /|\
 *      a---b     ->     a-m-b                 /   \      ->      / m \
 *       \ /              \|/                 /     \            /.' '.\
 *        o'               o'                a-------b          a-------b
 *   (any number of faces on a b)
 */
import { NONE } from '../../core/types.ts';
import { computeButterfly } from './butterfly.ts';
import type { Bounds, Refusal } from './edit.ts';
import { faceOf, nextCorner, previousCorner } from './mesh.ts';
import { computeOffset } from './off-edge.ts';
import type { Tracker } from './tracker.ts';

const target = new Float64Array(3);
const offset = new Float64Array(3);
const corners: number[] = [];

/**
 * Splits an edge in its middle, by subdivision where that is safe and halfway where not. The new vertex, or
 * NONE. No bound on volume for subdivision: what it adds is what the flat faces cut off a curved surface, and
 * halfway points would lose it for good.
 */
export function splitEdge(tracker: Tracker, e: number, bounds: Bounds = 'all'): number {
  const { mesh, options } = tracker;
  const a = mesh.edgeVertex[2 * e];
  const b = mesh.edgeVertex[2 * e + 1];
  if (options.butterfly && bounds === 'all') {
    computeButterfly(mesh, tracker.features, e, target);
    tracker.walls?.holdBetween(a, b, target);
    const refusal = trySplit(tracker, e, 'shape');
    if (tracker.count('split', refusal)) return finishSplit(tracker, a, b, 0.5);
  }
  for (let k = 0; k < 3; k++) target[k] = 0.5 * (mesh.position[3 * a + k] + mesh.position[3 * b + k]);
  const refusal = trySplit(tracker, e, bounds);
  return tracker.count('split halfway', refusal) ? finishSplit(tracker, a, b, 0.5) : NONE;
}

/** Splits an edge at weight s of its second end, on the straight line. The new vertex, or NONE. */
export function splitEdgeAt(tracker: Tracker, e: number, s: number, bounds: Bounds = 'all'): number {
  const { mesh } = tracker;
  const a = mesh.edgeVertex[2 * e];
  const b = mesh.edgeVertex[2 * e + 1];
  for (let k = 0; k < 3; k++) target[k] = (1 - s) * mesh.position[3 * a + k] + s * mesh.position[3 * b + k];
  tracker.walls?.holdBetween(a, b, target);
  const refusal = trySplit(tracker, e, bounds);
  return tracker.count('split at', refusal) ? finishSplit(tracker, a, b, s) : NONE;
}

let made = NONE;

function finishSplit({ policy, mesh, edit }: Tracker, a: number, b: number, s: number): number {
  policy.onSplit?.(made, a, b, s);
  if (policy.onMove && computeOffset(mesh.position, a, b, s, target, offset))
    policy.onMove(made, offset[0], offset[1], offset[2]);
  edit.tellReplaced();
  return made;
}

/** Puts the new vertex at `target` and leaves its id in `made`. */
function trySplit(tracker: Tracker, e: number, bounds: Bounds): Refusal | undefined {
  const { mesh, edit } = tracker;
  const [x, y, z] = target;
  corners.length = 0;
  for (let c = mesh.edgeCorner[e]; c !== NONE; c = mesh.cornerNextAtEdge[c]) corners.push(c);
  edit.begin();
  for (const c of corners) {
    const f = faceOf(c);
    edit.take(f);
    const [u, w, o] = [mesh.face[c], mesh.face[nextCorner(c)], mesh.face[previousCorner(c)]];
    edit.sweep(u, w, o, mesh.label[2 * f], mesh.label[2 * f + 1], x, y, z);
  }
  const m = mesh.addVertex(x, y, z);
  for (let n = 0; n < corners.length; n++) {
    const c = corners[n];
    const f = faceOf(c);
    const [u, w, o] = [mesh.face[c], mesh.face[nextCorner(c)], mesh.face[previousCorner(c)]];
    mesh.setCorners(f, u, m, o);
    edit.put(f, n);
    edit.put(mesh.addFace(m, w, o, mesh.label[2 * f], mesh.label[2 * f + 1]), n);
  }
  made = m;
  return edit.finish(bounds);
}

/** Splits a face at these weights of its corners. The new vertex, or NONE. */
export function splitFace(
  tracker: Tracker,
  f: number,
  wa: number,
  wb: number,
  wc: number,
  bounds: Bounds = 'all',
): number {
  const { mesh, edit } = tracker;
  const p = mesh.position;
  const [a, b, c] = [mesh.face[3 * f], mesh.face[3 * f + 1], mesh.face[3 * f + 2]];
  const [front, back] = [mesh.label[2 * f], mesh.label[2 * f + 1]];
  for (let k = 0; k < 3; k++) target[k] = wa * p[3 * a + k] + wb * p[3 * b + k] + wc * p[3 * c + k];
  edit.begin();
  edit.take(f);
  edit.sweep(a, b, c, front, back, target[0], target[1], target[2]);
  const m = mesh.addVertex(target[0], target[1], target[2]);
  mesh.setCorners(f, a, b, m);
  edit.put(f, 0);
  edit.put(mesh.addFace(b, c, m, front, back), 0);
  edit.put(mesh.addFace(c, a, m, front, back), 0);
  if (!tracker.count('face split', edit.finish(bounds))) return NONE;
  tracker.policy.onFaceSplit?.(m, a, b, c, wa, wb, wc);
  edit.tellReplaced();
  return m;
}
