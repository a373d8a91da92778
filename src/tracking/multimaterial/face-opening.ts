/**
 * Contact of two regions: the T1 process of foams in which a triple curve gives way to a face, the one that
 * vertex separation cannot do.
 *
 *      A              A
 *    \ | /         \_____/         A curve between three regions shrinks to the vertex v. The regions at its ends, A and B, are the only ones there that share no face, so that
 *     \|/           \   /          separation ([da-2017] chapter 6) can but draw the curve out again. Where the films want neither, the vertex stays and holds five regions
 *      v     ->      \_/           together. Here they come to share a face: each film between two of the three draws back from v to a corner of its own, and a triangle
 *     /|\           /   \          with A on one side and B on the other closes what is left. Where twelve films meet like the cone over the edges of a cube, six regions are held
 *    / | \         /     \         together in the same way; there the new face is a quadrilateral.
 *      B              B            (two of the three films, seen from the side)
 *
 * Not in the thesis. Cost: linear in the faces of the vertex.
 */
import { NONE } from '../../core/types.ts';
import type { Refusal } from './edit.ts';
import { type MultiMesh, nextCorner, previousCorner } from './mesh.ts';
import {
  computeRefillLoss,
  newVertex,
  type Point,
  pointAt,
  type Refill,
  type RefillFace,
  refill,
} from './refill.ts';
import type { RegionGraph } from './region-graph.ts';
import type { Tracker } from './tracker.ts';

/**
 * Tried lengths of the new face's edges, in units of the distance of separation. The square in the middle of
 * a cube of films is small.
 */
const SIZES = [1, 0.5, 0.25];
/** Of vertices where more films meet none was seen that could not be resolved otherwise. */
const MOST_FILMS = 4;

export interface FaceOpening {
  readonly refill: Refill;
  /** From the vertex to each corner of the new face, for edges of length 1 */
  readonly reach: readonly Point[];
  /** The regions in front of the new face and behind. */
  readonly label: readonly [number, number];
}

/** Faces at the vertex: the two other vertices of each in its winding, and the nodes in front and behind. */
interface Star {
  readonly face: readonly number[];
  readonly others: readonly (readonly [number, number])[];
  readonly node: readonly number[];
}

/**
 * The opening between nodes a and b of a vertex's graph; undefined where they do not meet as the ends of a
 * curve do.
 */
export function findOpening(
  mesh: MultiMesh,
  graph: RegionGraph,
  v: number,
  a: number,
  b: number,
): FaceOpening | undefined {
  const label = [graph.nodeLabel[a], graph.nodeLabel[b]] as const;
  if (label[0] === label[1]) return undefined;
  const old = [...graph.face];
  const star: Star = { face: old, others: old.map((f) => findOthers(mesh, f, v)), node: graph.node };
  const films = old.map((_, i) => i).filter((i) => !touches(star, i, a) && !touches(star, i, b));
  const filmOf = numberFilms(star, films);
  if (!filmOf || isRimShared(star, filmOf, a, b)) return undefined;
  const corner = new Array<number>(2 * old.length).fill(NONE);
  for (const i of films) corner.fill(filmOf.get(star.others[i][0])!, 2 * i, 2 * i + 2);
  const order = shareOut(star, filmOf, a, corner);
  const reverse = shareOut(star, filmOf, b, corner);
  if (!order || !reverse || !areOpposite(order, reverse)) return undefined;
  const fresh = buildFaces(mesh, star, corner, order, label);
  return { refill: { v, old, fresh }, reach: computeReach(mesh, v, filmOf, order.length), label };
}

/** The two vertices of a face after v, in its winding. */
function findOthers(mesh: MultiMesh, f: number, v: number): [number, number] {
  let c = 3 * f;
  while (mesh.face[c] !== v) c++;
  return [mesh.face[nextCorner(c)], mesh.face[previousCorner(c)]];
}

/** The old faces on their new corners, which make quadrilaterals of some, and the new face. */
function buildFaces(
  mesh: MultiMesh,
  star: Star,
  corner: readonly number[],
  order: readonly number[],
  label: readonly [number, number],
): RefillFace[] {
  const fresh: RefillFace[] = [];
  star.face.forEach((f, i) => {
    const [here, there] = [newVertex(corner[2 * i]), newVertex(corner[2 * i + 1])];
    const [next, previous] = star.others[i];
    const [front, back] = [mesh.label[2 * f], mesh.label[2 * f + 1]];
    fresh.push({ corner: [here, next, previous], front, back });
    if (here !== there) fresh.push({ corner: [here, previous, there], front, back });
  });
  const [o, p, q, r] = order.map(newVertex);
  fresh.push({ corner: [o, p, q], front: label[0], back: label[1] });
  if (r !== undefined) fresh.push({ corner: [o, q, r], front: label[0], back: label[1] });
  return fresh;
}

function touches({ node }: Star, i: number, wanted: number): boolean {
  return node[2 * i] === wanted || node[2 * i + 1] === wanted;
}

/**
 * The film (from 0) that each vertex of the rim belongs to, if any; undefined unless there are three or four.
 */
function numberFilms({ others }: Star, films: readonly number[]): Map<number, number> | undefined {
  const parent = new Map<number, number>();
  const find = (w: number): number => {
    let root = w;
    while (parent.get(root) !== root) root = parent.get(root)!;
    return root;
  };
  for (const i of films) for (const w of others[i]) parent.set(w, w);
  for (const i of films) parent.set(find(others[i][0]), find(others[i][1]));
  const roots: number[] = [];
  const number = new Map<number, number>();
  for (const i of films) {
    for (const w of others[i]) {
      const root = find(w);
      if (!roots.includes(root)) roots.push(root);
      number.set(w, roots.indexOf(root));
    }
  }
  return roots.length >= 3 && roots.length <= MOST_FILMS ? number : undefined;
}

/**
 * Do faces of both regions end in a vertex of the rim that no film ends in? They would be sewn together
 * there.
 */
function isRimShared(star: Star, filmOf: ReadonlyMap<number, number>, a: number, b: number): boolean {
  const rim = new Set<number>();
  star.face.forEach((_, i) => {
    if (touches(star, i, a)) for (const w of star.others[i]) rim.add(w);
  });
  return star.face.some(
    (_, i) => touches(star, i, b) && star.others[i].some((w) => rim.has(w) && !filmOf.has(w)),
  );
}

/**
 * Walks around a region and gives its faces the corners of the films they meet; between two films the middle
 * face goes from one corner to the next. Returns the corners in the order of the walk, the region in front;
 * undefined where it does not meet each film once.
 */
function shareOut(
  star: Star,
  filmOf: ReadonlyMap<number, number>,
  region: number,
  outCorner: number[],
): number[] | undefined {
  const next = new Map<number, number>();
  const isFront = (i: number) => star.node[2 * i] === region;
  const from = (i: number) => star.others[i][isFront(i) ? 0 : 1];
  const to = (i: number) => star.others[i][isFront(i) ? 1 : 0];
  let faces = 0;
  let first = NONE;
  for (let i = 0; i < star.face.length; i++) {
    if (!touches(star, i, region)) continue;
    if (next.has(from(i))) return undefined;
    next.set(from(i), i);
    faces++;
    if (first === NONE && filmOf.has(from(i))) first = from(i);
  }
  if (first === NONE) return undefined;
  const order: number[] = [];
  for (let w = first, walked = 0; walked < faces; ) {
    const sector: number[] = [];
    const corner = filmOf.get(w)!;
    do {
      const i = next.get(w);
      if (i === undefined || walked === faces) return undefined;
      sector.push(i);
      w = to(i);
      walked++;
    } while (!filmOf.has(w));
    const after = filmOf.get(w)!;
    if (after === corner || order.includes(corner)) return undefined;
    order.push(corner);
    const middle = (sector.length - 1) >> 1;
    sector.forEach((i, n) => {
      outCorner[2 * i + (isFront(i) ? 0 : 1)] = n <= middle ? corner : after;
      outCorner[2 * i + (isFront(i) ? 1 : 0)] = n < middle ? corner : after;
    });
    if (walked === faces && w !== first) return undefined;
  }
  return order;
}

/** Seen from its other side the corners of the new face come in the opposite order. */
function areOpposite(order: readonly number[], reverse: readonly number[]): boolean {
  const count = order.length;
  const start = reverse.indexOf(order[0]);
  return (
    count >= 3 &&
    count === reverse.length &&
    order.every((corner, n) => reverse[(start + count - n) % count] === corner)
  );
}

/** Each film draws back along the middle of its edges. */
function computeReach(
  mesh: MultiMesh,
  v: number,
  filmOf: ReadonlyMap<number, number>,
  count: number,
): Point[] {
  const from = pointAt(mesh, v);
  const sum = Array.from({ length: count }, () => [0, 0, 0]);
  for (const [w, film] of filmOf) {
    const d = pointAt(mesh, w).map((x, k) => x - from[k]);
    const length = Math.hypot(d[0], d[1], d[2]);
    for (let k = 0; k < 3; k++) sum[film][k] += d[k] / length;
  }
  return sum.map(([x, y, z]) => {
    const length = 2 * Math.sin(Math.PI / count) * Math.hypot(x, y, z);
    return length > 0 ? [x / length, y / length, z / length] : [0, 0, 0];
  });
}

/** Where the corners are if the new face's edges are `size` times the distance of separation. */
function placeCorners(tracker: Tracker, { refill: { v }, reach }: FaceOpening, size: number): Point[] {
  const edge = size * tracker.options.separation * tracker.lengthAt(v);
  const [x, y, z] = pointAt(tracker.mesh, v);
  return reach.map((d) => [x + edge * d[0], y + edge * d[1], z + edge * d[2]]);
}

/**
 * Places of the corners at all sizes that take area off the surface, and the area, m^2; the size that takes
 * most is first.
 */
function findWays(tracker: Tracker, opening: FaceOpening): { places: Point[]; loss: number }[] {
  return SIZES.map((size) => {
    const places = placeCorners(tracker, opening, size);
    return { places, loss: computeRefillLoss(tracker.mesh, opening.refill, places) };
  })
    .filter(({ loss }) => loss > 0)
    .sort((a, b) => b.loss - a.loss);
}

/** Area that an opening takes off the surface at its best size, m^2; 0 where there is none. */
export function computeOpeningLoss(tracker: Tracker, opening: FaceOpening): number {
  return findWays(tracker, opening)[0]?.loss ?? 0;
}

/** Opens the vertex of an opening; false when refused. */
export function makeOpening(tracker: Tracker, opening: FaceOpening): boolean {
  const { v } = opening.refill;
  const corner: number[] = [];
  let refusal: Refusal | 'area' = 'area';
  let isBlocked = false;
  for (const { places } of findWays(tracker, opening)) {
    const broken = refill(tracker, opening.refill, places, 'topology', corner);
    if (broken === undefined) {
      tracker.count('contact', undefined);
      for (const made of corner) if (made !== v) tracker.policy.onSeparate?.(made, v);
      tracker.edit.tellReplaced();
      return true;
    }
    refusal = broken;
    if (broken === 'collision') isBlocked = true;
  }
  tracker.count('contact', refusal);
  if (isBlocked && refusal !== 'collision') tracker.collisions++;
  return false;
}
