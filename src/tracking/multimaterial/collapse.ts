/**
 * Edge collapse ([da-2017] 9.3) and the snap of two vertices that share no edge (8.1): b goes into a, which
 * moves to a place between them.
 *
 *        o               o             the faces on a b vanish; pairs of faces that come to lie on each other are removed (flap.ts)
 *      / | \             |
 *     a--+--b     ->     a             place: the vertex of higher rank (peak, ridge, smooth) stays; between equals subdivision decides,
 *      \ | /             |             then the shortest step that keeps the volume of every region
 *        o'              o'
 */
import { NONE } from '../../core/types.ts';
import { computeButterfly } from './butterfly.ts';
import { type Bounds, distance2, type Refusal } from './edit.ts';
import { removeFlaps } from './flap.ts';
import { faceOf, nextCorner, previousCorner } from './mesh.ts';
import { computeOffset } from './off-edge.ts';
import { StarVolume } from './star.ts';
import type { Tracker } from './tracker.ts';

const target = new Float64Array(3);
/** From the edge's own point to `target`. */
const offset = new Float64Array(3);
const step = new Float64Array(3);
const place = new Float64Array(3);
const star = new StarVolume();
const removed: number[] = [];
const regions: number[] = [];
const remaining: number[] = [];
/** A volume-neutral step longer than this share of the edge is not taken. */
const LONGEST_STEP = 0.5;
/**
 * Where the flow keeps volumes: change of volume by the subdivision point, over the bound, beyond which no
 * neutral step is looked for. It would lead off a surface too sharp for the collapse: without this bound the
 * Enright sphere came back half as far off again, with a tenth fewer triangles on the way. Not where more
 * than two regions meet: tips of thin regions would stay behind as needles.
 */
const SHARPEST = 5;

/** Marks of a vertex's neighbours, and of those that span a face with the edge. */
const NEIGHBOUR = 1;
const OPPOSITE = 2;

/** What findLink finds. */
const SIMPLE = 0;
const RING = 1;
const FLAT = 2;

/** Added to the rank of a vertex that the client holds: above every other. */
const HELD = 12;
/** Added for each wall it is on: above every other that is on fewer. */
const ON_WALL = 3;

/** Collapses an edge; false when refused. */
export function collapseEdge(tracker: Tracker, e: number, bounds: Bounds = 'all'): boolean {
  const { mesh, features, options } = tracker;
  const a = mesh.edgeVertex[2 * e];
  const b = mesh.edgeVertex[2 * e + 1];
  if (!(tracker.policy.mayJoin?.(a, b) ?? true)) return tracker.count('collapse', 'held');
  const link = findLink(tracker, e, a, b);
  const changesTopology = link !== SIMPLE || joinsCurves(tracker, e, a, b);
  if (changesTopology && !options.topology)
    return (link !== SIMPLE && cutTip(tracker, e, a)) || tracker.count('collapse', 'topology');
  if (changesTopology && bounds === 'all' && tracker.flow?.isParting?.(a, b))
    return tracker.count('collapse', 'parting');
  const rankA = features.rank(a) + rankByHolds(tracker, a);
  const rankB = features.rank(b) + rankByHolds(tracker, b);
  const kept = rankB > rankA ? b : a;
  const gone = kept === a ? b : a;
  const s = rankA === rankB ? 0.5 : 0;
  const gain = rankA === rankB ? placeBetween(tracker, e, a, b) : placeAt(tracker, kept, gone);
  const isLong = bounds === 'all' && hasLongEdge(tracker, a, b);
  // Only a region that vanishes excuses long edges and larger changes of volume.
  const isLarge = bounds === 'all' && gain > options.maxVolumeChange * tracker.length ** 3;
  const mayVanish = link === FLAT && (!(isLong || isLarge) || mayRegionVanish(tracker, a, b));
  if (isLong && !mayVanish) return tracker.count('collapse', 'long edge');
  // Most collapses that fail do so by volume, which is known beforehand: no need to open an edit. It asks
  // again, by its own sum, and by stricter bounds where the mesh is finer.
  const most = mayVanish ? options.maxTopologyChange : options.maxVolumeChange;
  if (bounds === 'all' && gain > most * tracker.length ** 3) return tracker.count('collapse', 'volume');
  const isOff = tracker.policy.onMove && computeOffset(mesh.position, kept, gone, s, target, offset);
  const refusal = tryMerge(tracker, kept, gone, bounds, isLong, mayVanish);
  if (!tracker.count('collapse', refusal)) return false;
  tracker.policy.onCollapse?.(kept, gone, s);
  if (isOff && mesh.isVertex(kept)) tracker.policy.onMove?.(kept, offset[0], offset[1], offset[2]);
  tellRemoved(tracker, gone);
  return true;
}

/**
 * Where a collapse would pinch a tip of one vertex off its region, and may not, the tip itself goes: into a,
 * so that a face closes the ring where it stood. Tips of thin sheets that draw back remain as needles
 * otherwise: no edge of theirs may go, and as peaks they are not smoothed.
 */
function cutTip(tracker: Tracker, e: number, a: number): boolean {
  const { policy } = tracker;
  const tip = findTip(tracker, e);
  if (tip === NONE || !(policy.mayJoin?.(a, tip) ?? true)) return false;
  if (rankByHolds(tracker, tip) > rankByHolds(tracker, a)) return false;
  placeAt(tracker, a, tip);
  if (!tracker.count('cut tip', tryMerge(tracker, a, tip, 'topology'))) return false;
  policy.onCollapse?.(a, tip, 0);
  tellRemoved(tracker, tip);
  return true;
}

/** A vertex of three faces, one of them on the edge; NONE without. */
function findTip({ mesh }: Tracker, e: number): number {
  for (let c = mesh.edgeCorner[e]; c !== NONE; c = mesh.cornerNextAtEdge[c]) {
    const tip = mesh.oppositeVertex(c);
    let faces = 0;
    for (let d = mesh.vertexCorner[tip]; d !== NONE; d = mesh.cornerNextAtVertex[d]) faces++;
    if (faces === 3) return tip;
  }
  return NONE;
}

/** What is added to the rank of a vertex that the client holds in place or that is on walls. */
function rankByHolds({ policy, walls }: Tracker, v: number): number {
  return (policy.isHeld?.(v) ? HELD : 0) + (walls ? ON_WALL * walls.count(v) : 0);
}

/** Brings two vertices that share no edge together at weight s of b; false when refused. */
export function snapVertices(
  tracker: Tracker,
  a: number,
  b: number,
  s: number,
  bounds: Bounds = 'all',
): boolean {
  const { mesh, policy } = tracker;
  if (!(policy.mayJoin?.(a, b) ?? true)) return tracker.count('snap', 'held');
  const held = rankByHolds(tracker, a) - rankByHolds(tracker, b);
  if (held !== 0) s = held > 0 ? 0 : 1;
  for (let k = 0; k < 3; k++) target[k] = (1 - s) * mesh.position[3 * a + k] + s * mesh.position[3 * b + k];
  tracker.walls?.holdBetween(a, b, target);
  if (mesh.findEdge(a, b) !== NONE) return tracker.count('snap', 'edge exists');
  if (!tracker.count('snap', tryMerge(tracker, a, b, bounds))) return false;
  tracker.policy.onSnap?.(a, b, s);
  tellRemoved(tracker, b);
  return true;
}

function tellRemoved(tracker: Tracker, gone: number): void {
  for (const v of removed) if (v !== gone) tracker.policy.onRemove?.(v);
  tracker.edit.tellReplaced();
}

/** Puts the target at `kept`; returns the largest change of a region's volume, m^3. */
function placeAt({ mesh }: Tracker, kept: number, gone: number): number {
  for (let k = 0; k < 3; k++) target[k] = mesh.position[3 * kept + k];
  // Faces of the vertex that stays sweep nothing.
  star.begin(target[0], target[1], target[2]);
  star.addVertex(mesh, gone);
  return star.measureGain(0, 0, 0);
}

/**
 * Subdivision point on the edge, moved so that no region gains volume; returns what the largest change of one
 * still is, m^3.
 */
function placeBetween(tracker: Tracker, e: number, a: number, b: number): number {
  const { mesh, features, options } = tracker;
  const p = mesh.position;
  if (options.butterfly) computeButterfly(mesh, features, e, target);
  else for (let k = 0; k < 3; k++) target[k] = 0.5 * (p[3 * a + k] + p[3 * b + k]);
  tracker.walls?.hold(a, target);
  star.begin(target[0], target[1], target[2]);
  star.addVertex(mesh, a);
  for (let c = mesh.vertexCorner[b]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
    if (!mesh.hasVertex(faceOf(c), a)) star.addFace(mesh, faceOf(c));
  }
  if (tracker.keepsVolume && countCurves(tracker, a) + countCurves(tracker, b) === 0) {
    const gain = star.measureGain(0, 0, 0);
    if (gain > SHARPEST * options.maxVolumeChange * tracker.length ** 3) return gain;
  }
  star.computeNeutralStep(step);
  const length2 = step[0] ** 2 + step[1] ** 2 + step[2] ** 2;
  if (!(length2 <= LONGEST_STEP ** 2 * distance2(p, a, b))) return star.measureGain(0, 0, 0);
  if (tracker.walls) {
    for (let k = 0; k < 3; k++) place[k] = target[k] + step[k];
    tracker.walls.hold(a, place);
    for (let k = 0; k < 3; k++) step[k] = place[k] - target[k];
  }
  for (let k = 0; k < 3; k++) target[k] += step[k];
  return star.measureGain(step[0], step[1], step[2]);
}

/**
 * FLAT where faces would come to lie on each other, else RING where a common neighbour spans no face with the
 * edge, else SIMPLE.
 */
function findLink({ mesh, marks }: Tracker, e: number, a: number, b: number): number {
  const { face, edgeVertex, endNext, cornerNextAtVertex } = mesh;
  marks.begin(mesh.vertexFill);
  for (let d = mesh.vertexEnd[a]; d !== NONE; d = endNext[d]) marks.set(edgeVertex[d ^ 1], NEIGHBOUR);
  for (let c = mesh.edgeCorner[e]; c !== NONE; c = mesh.cornerNextAtEdge[c])
    marks.set(mesh.oppositeVertex(c), OPPOSITE);
  let link = SIMPLE;
  for (let d = mesh.vertexEnd[b]; d !== NONE; d = endNext[d])
    if (marks.get(edgeVertex[d ^ 1]) === NEIGHBOUR) link = RING;
  for (let c = mesh.vertexCorner[b]; c !== NONE; c = cornerNextAtVertex[c]) {
    const y = face[nextCorner(c)];
    const z = face[previousCorner(c)];
    // A face a y z needs both to be neighbours of a.
    if (y === a || z === a || marks.get(y) === 0 || marks.get(z) === 0) continue;
    if (mesh.findFace(a, y, z) !== NONE) return FLAT;
  }
  return link;
}

/**
 * Could a region at the edge lose all its faces there? Those that stay are the ones with one end of the edge
 * that come to lie on no other.
 */
function mayRegionVanish({ mesh }: Tracker, a: number, b: number): boolean {
  const { face, label } = mesh;
  regions.length = 0;
  remaining.length = 0;
  for (let end = 0; end < 2; end++) {
    const v = end === 0 ? a : b;
    const w = end === 0 ? b : a;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const y = face[nextCorner(c)];
      const z = face[previousCorner(c)];
      const f = faceOf(c);
      const list = y === w || z === w || mesh.findFace(w, y, z) !== NONE ? regions : remaining;
      for (let side = 2 * f; side < 2 * f + 2; side++)
        if (!list.includes(label[side])) list.push(label[side]);
    }
  }
  for (const region of regions) if (!remaining.includes(region)) return true;
  return false;
}

/**
 * Would the collapse bring together curves, or points of curves, that are apart? A T1 process begins so
 * (chapter 6).
 */
function joinsCurves(tracker: Tracker, e: number, a: number, b: number): boolean {
  const { mesh } = tracker;
  const curvesA = countCurves(tracker, a);
  const curvesB = countCurves(tracker, b);
  if (curvesA === 0 || curvesB === 0) return false;
  if (mesh.edgeValence[e] === 2) return true;
  return curvesA !== 2 && curvesB !== 2;
}

/** Edges with other than two faces at a vertex. */
function countCurves(tracker: Tracker, v: number): number {
  const { mesh } = tracker;
  let count = 0;
  for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d])
    if (mesh.edgeValence[d >> 1] !== 2) count++;
  return count;
}

/** Would an edge become longer than splits allow? */
function hasLongEdge(tracker: Tracker, a: number, b: number): boolean {
  const { mesh } = tracker;
  const p = mesh.position;
  for (let end = 0; end < 2; end++) {
    const v = end === 0 ? a : b;
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
      const w = mesh.edgeVertex[d ^ 1];
      if (w === a || w === b) continue;
      const longest = tracker.maxEdgeAt(v, w);
      const x = p[3 * w] - target[0];
      const y = p[3 * w + 1] - target[1];
      const z = p[3 * w + 2] - target[2];
      const now = x * x + y * y + z * z;
      if (now > longest * longest && now > distance2(p, v, w)) return true;
    }
  }
  return false;
}

/**
 * Merges `gone` into `kept` at `target`, in one transaction; `isLong`: an edge becomes too long, which only a
 * region that vanishes may do.
 */
function tryMerge(
  tracker: Tracker,
  kept: number,
  gone: number,
  bounds: Bounds,
  isLong = false,
  mayVanish = false,
): Refusal | 'long edge' | undefined {
  const { mesh, edit } = tracker;
  edit.begin();
  removed.length = 0;
  for (const v of [kept, gone]) {
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const f = faceOf(c);
      if (edit.has(f)) continue;
      edit.take(f);
      const front = mesh.label[2 * f];
      const back = mesh.label[2 * f + 1];
      const o = 3 * f;
      edit.sweep(
        mesh.face[o],
        mesh.face[o + 1],
        mesh.face[o + 2],
        front,
        back,
        target[0],
        target[1],
        target[2],
      );
    }
  }
  if (edit.breaksVolume(mayVanish && bounds === 'all' ? 'vanish' : bounds)) {
    edit.undo();
    return 'volume';
  }
  for (let n = 0; n < edit.old.length; n++) {
    const f = edit.old[n];
    let x = mesh.face[3 * f];
    let y = mesh.face[3 * f + 1];
    let z = mesh.face[3 * f + 2];
    if (mesh.hasVertex(f, kept) && mesh.hasVertex(f, gone)) {
      mesh.removeFace(f);
      continue;
    }
    if (mesh.hasVertex(f, gone)) {
      if (x === gone) x = kept;
      else if (y === gone) y = kept;
      else z = kept;
      mesh.setCorners(f, x, y, z);
    }
    edit.put(f, n);
  }
  mesh.setPosition(kept, target[0], target[1], target[2]);
  const pairs = removeFlaps(mesh, edit, removed);
  if (pairs === NONE || (pairs > 0 && !tracker.options.topology)) {
    edit.undo();
    return pairs === NONE ? 'labels' : 'topology';
  }
  for (const v of [kept, gone]) if (mesh.isVertex(v) && mesh.removeIsolatedVertex(v)) removed.push(v);
  // A region that vanishes (T2) takes all its volume with it, and pulls its neighbours' edges after it; held
  // to the bounds of other edits it would linger at the size of an edge.
  const isVanishing = bounds === 'all' && pairs > 0 && isRegionGone(tracker);
  if (isLong && !isVanishing) {
    edit.undo();
    return 'long edge';
  }
  return edit.finish(isVanishing ? 'vanish' : bounds);
}

/** Did a region of the old patch lose all its faces there? */
function isRegionGone({ mesh, edit }: Tracker): boolean {
  return edit.region.some(
    (region) => !edit.fresh.some((f) => mesh.label[2 * f] === region || mesh.label[2 * f + 1] === region),
  );
}
