/**
 * Continuous collision detection [da-2017] 5.2: do two primitives touch while their vertices move in straight
 * lines from x0 (time 0) to x1 (time 1)? Positions are (vertexCount x 3) in metres, vertices are given by id,
 * and the primitives share none of them (the caller's business). Conservative: an answer "no" is certain
 * whatever rounding does; "yes" is wrong only for pairs that come within about 1e-12 of their own size, or
 * 2e-8 where rounding cannot tell them from needles or from parallel edges in one plane (separation.ts has
 * the proof, the tolerance and the bound on time).
 *
 * Boxes and a few cheap separating directions first (apart.ts), then the search in time. The scratch is the
 * module's own: nothing here calls back, and every worker has its own module. Cost:
 * bench/geometry/collision.ts.
 */
import { areEdgesApart, isTriangleApart, type MovingPair } from './apart.ts';
import {
  contact,
  EDGE_EDGE,
  findOpening,
  NEVER,
  setContact,
  setContactMotion,
  VERTEX_TRIANGLE,
} from './separation.ts';

/**
 * Entries of `outContact`. Time: a lower bound of the first contact, in [0, 1]. Weights: of a, b, c for
 * vertex and triangle; for edges the places on ab and cd. Normal: unit vector along which the vertex is to be
 * pushed from the triangle, or ab from cd; the contact points approach each other against it.
 */
export const CONTACT = { time: 0, weight: 1, normal: 4, size: 7 } as const;

/**
 * Length of the scaled cross product below which a triangle, or two edges, have no normal (1: the size of the
 * pair squared).
 */
const FLAT = 1e-12;
/** Cosine between normal and relative motion below which the normal is of no use to stop the motion. */
const GRAZING = 1e-6;

const motion = new Float64Array(3);

type Collides = (...of: MovingPair) => boolean;

/** The same, and the first contact into `outContact`; where there is none, nothing is written. */
type FindContact = (...of: [...MovingPair, outContact: Float64Array]) => boolean;

/** May vertex v touch triangle abc at any time in [0, 1]? The same whatever the order of a, b, c. */
export const vertexTriangleCollides: Collides = (x0, x1, v, a, b, c) =>
  !isTriangleApart(x0, x1, v, a, b, c, 0, 0) && findOpening(VERTEX_TRIANGLE, false) !== NEVER;

/**
 * May edge ab touch edge cd at any time in [0, 1]? The same whatever the order of the edges and of their
 * ends.
 */
export const edgeEdgeCollides: Collides = (x0, x1, a, b, c, d) =>
  !areEdgesApart(x0, x1, a, b, c, d, 0, 0) && findOpening(EDGE_EDGE, false) !== NEVER;

/** Whether the pair that is not surely apart touches; the contact is set, and its time written. */
function findContact(kind: typeof VERTEX_TRIANGLE | typeof EDGE_EDGE, outContact: Float64Array): boolean {
  const t = findOpening(kind, true);
  if (t === NEVER) return false;
  setContact(t, kind);
  outContact[CONTACT.time] = t;
  return true;
}

export const vertexTriangleFirstContact: FindContact = (x0, x1, v, a, b, c, outContact) => {
  if (isTriangleApart(x0, x1, v, a, b, c, 0, 0) || !findContact(VERTEX_TRIANGLE, outContact)) return false;
  const low = Math.min(a, b, c);
  const high = Math.max(a, b, c);
  const corners = [a, b, c];
  for (let k = 0; k < 3; k++)
    outContact[CONTACT.weight + k] = contact.weights[corners[k] === low ? 0 : corners[k] === high ? 2 : 1];
  writeNormal(VERTEX_TRIANGLE, 1, outContact);
  return true;
};

export const edgeEdgeFirstContact: FindContact = (x0, x1, a, b, c, d, outContact) => {
  if (areEdgesApart(x0, x1, a, b, c, d, 0, 0) || !findContact(EDGE_EDGE, outContact)) return false;
  const isSwapped = Math.min(a, b) > Math.min(c, d);
  const onFirst = contact.weights[isSwapped ? 1 : 0];
  const onSecond = contact.weights[isSwapped ? 0 : 1];
  outContact[CONTACT.weight] = a < b ? onFirst : 1 - onFirst;
  outContact[CONTACT.weight + 1] = c < d ? onSecond : 1 - onSecond;
  outContact[CONTACT.weight + 2] = 0;
  writeNormal(EDGE_EDGE, isSwapped ? -1 : 1, outContact);
  return true;
};

/**
 * The unit normal at the contact. It is the normal of the triangle or of the two edges where that is defined
 * and the primitives approach along it; contacts within one plane, or of degenerate primitives, take the
 * direction against the relative motion instead.
 */
function writeNormal(count: number, side: number, outContact: Float64Array): void {
  setContactMotion(count, motion);
  const { normal, gap } = contact;
  const normalLength = Math.hypot(normal[0], normal[1], normal[2]);
  const speed = Math.hypot(motion[0], motion[1], motion[2]);
  const gapLength = Math.hypot(gap[0], gap[1], gap[2]);
  const approach = normal[0] * motion[0] + normal[1] * motion[1] + normal[2] * motion[2];
  let source = normal;
  let factor = 1;
  if (normalLength > FLAT && Math.abs(approach) > GRAZING * normalLength * speed) {
    factor = (approach > 0 ? -1 : 1) / normalLength;
  } else if (speed > 0) {
    source = motion;
    factor = -1 / speed;
  } else if (normalLength > FLAT) {
    const isBehind = normal[0] * gap[0] + normal[1] * gap[1] + normal[2] * gap[2] < 0;
    factor = (isBehind ? -1 : 1) / normalLength;
  } else if (gapLength > 0) {
    source = gap;
    factor = 1 / gapLength;
  } else {
    // Coincident, without extent and at rest: any direction is as good.
    source.set([1, 0, 0]);
  }
  for (let k = 0; k < 3; k++) outContact[CONTACT.normal + k] = side * factor * source[k];
}
