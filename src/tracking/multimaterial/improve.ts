/**
 * Mesh improvement ([da-2017] chapter 9): passes of splits, collapses, flips and smoothing, then whatever it
 * takes against very poor triangles. Longest edges are split first, shortest collapsed first, ties by id, so
 * that the result depends on the mesh alone. Cost: linear in faces plus a sort of the edges at fault.
 */
import { NONE } from '../../core/types.ts';
import { collapseEdge } from './collapse.ts';
import { computeExtremeCosines, distance2 } from './edit.ts';
import { findFlipWorth, flipEdge, learnFlips } from './flip.ts';
import { UNKNOWN, VAIN } from './knowledge.ts';
import { faceOf, nextCorner } from './mesh.ts';
import { EDGE, EdgeWatch, isOppositeObtuse, Scan } from './scan.ts';
import { smoothVertex } from './smooth.ts';
import { splitEdge } from './split.ts';
import type { Tracker } from './tracker.ts';

/** Rounds of one kind of edit in a pass; later rounds see the edges that earlier ones made. */
const SPLIT_ROUNDS = 5;
const COLLAPSE_ROUNDS = 3;
const FLIP_ROUNDS = 3;
const POOR_ROUNDS = 3;

/** What an edit makes of an edge that need not be edited any more. */
const SPARED = 'spared';

const cosines = new Float64Array(2);

export function improveMesh(tracker: Tracker): void {
  const { options, features } = tracker;
  const scan = new Scan(tracker);
  features.scan = scan;
  for (let pass = 0; pass < options.passes; pass++) {
    splitLongEdges(tracker, scan);
    collapseShortEdges(tracker, scan);
    if (options.flips) flipEdges(tracker);
    if (options.smoothing) smoothVertices(tracker, scan);
  }
  mendPoorFaces(tracker, scan);
  features.scan = undefined;
}

/**
 * Goes in rounds through the edges that are watched. `rate` gives an edge's place in the order of a round,
 * the least first, or undefined where nothing is to be done; `edit` tells whether it was changed, or SPARED
 * where it need not be any more.
 */
function editEdges(
  tracker: Tracker,
  watch: EdgeWatch,
  rounds: number,
  rate: (e: number, isDue: boolean) => number | undefined,
  edit: (e: number) => boolean | typeof SPARED,
): number {
  const { mesh } = tracker;
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    const measure = new Float64Array(mesh.edgeFill);
    const edges: number[] = [];
    for (const e of watch.gather()) {
      if (!mesh.isEdge(e)) continue;
      const place = rate(e, watch.isDue(e));
      if (place === undefined) {
        watch.settle(e, false);
        continue;
      }
      measure[e] = place;
      edges.push(e);
    }
    edges.sort((d, e) => measure[d] - measure[e] || d - e);
    let edited = 0;
    for (const e of edges) {
      // Earlier edits may have lengthened, removed or even replaced an edge of the list.
      if (!mesh.isEdge(e) || !watch.isDue(e)) continue;
      const { collisions } = tracker;
      const outcome = edit(e);
      if (outcome === SPARED) continue;
      if (outcome) edited++;
      else if (tracker.collisions === collisions) watch.settle(e, true);
    }
    done += edited;
    if (edited === 0) break;
  }
  return done;
}

/** Splits edges above the upper bound, and those opposite an angle beyond 160 degrees (9.6). */
export function splitLongEdges(tracker: Tracker, scan: Scan): number {
  const { mesh } = tracker;
  const { split: obtuse } = tracker.cosines;
  const rate = (e: number, isDue: boolean) => {
    const a = mesh.edgeVertex[2 * e];
    const b = mesh.edgeVertex[2 * e + 1];
    const length2 = distance2(mesh.position, a, b);
    if (isDue && length2 <= tracker.maxEdgeAt(a, b) ** 2) {
      const isLongEnough = length2 >= (2 * tracker.minEdgeAt(a, b)) ** 2;
      if (!isLongEnough || !isOppositeObtuse(mesh, e, length2, obtuse)) return undefined;
    }
    return -length2;
  };
  const watch = new EdgeWatch(tracker, scan, EDGE.long);
  return editEdges(tracker, watch, SPLIT_ROUNDS, rate, (e) => splitEdge(tracker, e) !== NONE);
}

/** Collapses edges below the lower bound. */
export function collapseShortEdges(tracker: Tracker, scan: Scan): number {
  const { mesh } = tracker;
  const rate = (e: number, isDue: boolean) =>
    isDue && !isShort(tracker, e)
      ? undefined
      : distance2(mesh.position, mesh.edgeVertex[2 * e], mesh.edgeVertex[2 * e + 1]);
  const watch = new EdgeWatch(tracker, scan, EDGE.short);
  return editEdges(tracker, watch, COLLAPSE_ROUNDS, rate, (e) =>
    isShort(tracker, e) ? collapseEdge(tracker, e) : SPARED,
  );
}

function isShort(tracker: Tracker, e: number): boolean {
  const { mesh } = tracker;
  const a = mesh.edgeVertex[2 * e];
  const b = mesh.edgeVertex[2 * e + 1];
  return distance2(mesh.position, a, b) < tracker.minEdgeAt(a, b) ** 2;
}

/**
 * Flips every edge that brings valences nearer to their ideal (9.2). That is a matter of topology alone: what
 * is known stays so until that changes.
 */
export function flipEdges(tracker: Tracker): number {
  const { mesh, features } = tracker;
  const { known } = mesh;
  let done = 0;
  /** The clock when a flip was refused for reasons that lie in the stars of its four vertices. */
  const refusedAt = new Int32Array(mesh.edgeFill).fill(NONE);
  forgetFlips(tracker);
  learnFlips(tracker);
  for (let round = 0; round < FLIP_ROUNDS; round++) {
    let flipped = 0;
    const count = mesh.edgeFill;
    for (let e = 0; e < count; e++) {
      const worth = known.flipWorth[e];
      if (worth === VAIN || !mesh.isEdge(e) || !features.isManifold(e)) continue;
      if (worth === UNKNOWN) {
        known.flipWorth[e] = findFlipWorth(mesh, e);
        if (known.flipWorth[e] === VAIN) continue;
      }
      if (refusedAt[e] !== NONE && !isFlipTouched(tracker, e, refusedAt[e])) continue;
      const { collisions } = tracker;
      if (flipEdge(tracker, e)) {
        flipped++;
        forgetFlips(tracker);
      } else if (tracker.collisions === collisions) refusedAt[e] = known.clock;
    }
    done += flipped;
    if (flipped === 0) break;
  }
  return done;
}

/** Were the vertices of an edge's two faces touched after a time? */
function isFlipTouched({ mesh }: Tracker, e: number, time: number): boolean {
  const { touchedAt } = mesh.known;
  const first = mesh.edgeCorner[e];
  const second = mesh.cornerNextAtEdge[first];
  return (
    touchedAt[mesh.edgeVertex[2 * e]] > time ||
    touchedAt[mesh.edgeVertex[2 * e + 1]] > time ||
    touchedAt[mesh.oppositeVertex(first)] > time ||
    touchedAt[mesh.oppositeVertex(second)] > time
  );
}

/** Edges whose flips may have become worth while: those of all faces at vertices whose faces changed. */
function forgetFlips({ mesh }: Tracker): void {
  const { flipWorth } = mesh.known;
  for (const v of mesh.known.takeChanged()) {
    if (v >= mesh.vertexFill || !mesh.isVertex(v)) continue;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const f = faceOf(c);
      for (let k = 3 * f; k < 3 * f + 3; k++) flipWorth[mesh.cornerEdge[k]] = UNKNOWN;
    }
  }
}

export function smoothVertices(tracker: Tracker, scan: Scan): number {
  const { mesh } = tracker;
  let done = 0;
  for (let v = 0; v < mesh.vertexFill; v++)
    if (scan.isVertexSuspect(v) && mesh.isVertex(v) && smoothVertex(tracker, v)) done++;
  return done;
}

/**
 * Mends faces with angles outside [2, 178] degrees by all edits in turn with no bound but safety (9.5): a
 * needle by collapsing its shortest edge, a cap by flipping or splitting its longest, and either by
 * smoothing; but none by what the client does without.
 */
export function mendPoorFaces(tracker: Tracker, scan: Scan): number {
  const { mesh } = tracker;
  const { poorLeast: least, poorMost: most } = tracker.cosines;
  let left = 0;
  for (let round = 0; round < POOR_ROUNDS; round++) {
    left = 0;
    const count = mesh.faceFill;
    for (let f = 0; f < count; f++) {
      if (!mesh.isFace(f) || !scan.isFaceSuspect(f)) continue;
      computeExtremeCosines(
        mesh.position,
        mesh.face[3 * f],
        mesh.face[3 * f + 1],
        mesh.face[3 * f + 2],
        cosines,
      );
      if (cosines[0] >= least && cosines[1] <= most) continue;
      left++;
      mendFace(tracker, f, cosines[0] < least);
    }
    if (left === 0) break;
  }
  return left;
}

function mendFace(tracker: Tracker, f: number, isCap: boolean): void {
  const { mesh, options } = tracker;
  const length = (c: number) => distance2(mesh.position, mesh.face[c], mesh.face[nextCorner(c)]);
  const corners = [3 * f, 3 * f + 1, 3 * f + 2].sort((c, d) => length(c) - length(d));
  const [short, , long] = corners.map((c) => mesh.cornerEdge[c]);
  if (isCap) {
    if (options.flips && flipEdge(tracker, long, 'safety')) return;
    const tip = mesh.oppositeVertex(corners[2]);
    const m = splitEdge(tracker, long, 'safety');
    const e = m === NONE ? NONE : mesh.findEdge(m, tip);
    if (e !== NONE && collapseEdge(tracker, e, 'safety')) return;
  } else if (collapseEdge(tracker, short, 'safety')) return;
  if (!mesh.isFace(f) || !options.smoothing) return;
  for (let c = 3 * f; c < 3 * f + 3; c++) if (smoothVertex(tracker, mesh.face[c], 'safety')) return;
}
