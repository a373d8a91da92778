/**
 * Marching-cubes cases, derived once from a rule instead of a table ([chentanez-2007] 3.2 uses marching
 * cubes).
 *
 * Corner c of a cell sits at (c & 1, c >> 1 & 1, c >> 2 & 1); edge e = 4 * axis + k joins the two corners
 * that differ along `axis`; face 2 * axis + side is the one at the lower (0) or upper (1) end of `axis`. Each
 * case is a list of closed loops of cell edges, counter-clockwise seen from outside the liquid.
 *
 * On a face whose inside corners are two opposite ones the contour may run either way: it separates them, or,
 * where the caller says so, joins them. The choice depends on the face alone, so neighbouring cells always
 * agree and the surface has no cracks.
 */

/** (12 x 2) the corner at the lower and the upper end of each edge. */
export const EDGE_CORNERS: readonly (readonly [number, number])[] = buildEdges();

export type Loops = readonly (readonly number[])[];

/** Bits of the four corners of each face. */
export const FACE_MASK: readonly number[] = [0x55, 0xaa, 0x33, 0xcc, 0x0f, 0xf0];

/** Per case: bit f is set where the inside corners of face f are two opposite ones. */
export const AMBIGUOUS_FACES: readonly number[] = Array.from({ length: 256 }, (_, inside) =>
  FACE_MASK.reduce((mask, _corners, f) => mask | (isAmbiguous(inside, f) ? 1 << f : 0), 0),
);

/**
 * Loops of each of the 256 cases with all inside corners separated; bit c of the case is set when corner c is
 * inside.
 */
export const CASE_LOOPS: readonly Loops[] = Array.from({ length: 256 }, (_, inside) => buildLoops(inside, 0));

/** By joined << 8 | inside, built on first use: joined faces are rare. */
const joinedLoops = new Map<number, Loops>();

/**
 * Loops of a case in which the inside corners are joined on the faces of `joined`, a part of AMBIGUOUS_FACES.
 */
export function findLoops(inside: number, joined: number): Loops {
  if (joined === 0) return CASE_LOOPS[inside];
  const key = (joined << 8) | inside;
  let loops = joinedLoops.get(key);
  if (loops === undefined) {
    loops = buildLoops(inside, joined);
    joinedLoops.set(key, loops);
  }
  return loops;
}

function buildEdges(): [number, number][] {
  const edges: [number, number][] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (let corner = 0; corner < 8; corner++) {
      if ((corner & (1 << axis)) === 0) edges.push([corner, corner | (1 << axis)]);
    }
  }
  return edges;
}

function findEdge(a: number, b: number): number {
  return EDGE_CORNERS.findIndex(([p, q]) => (p === a && q === b) || (p === b && q === a));
}

/** The four corners of a face, counter-clockwise seen from outside the cell. */
function faceCorners(axis: number, side: number): number[] {
  const u = 1 << ((axis + 1) % 3);
  const v = 1 << ((axis + 2) % 3);
  const base = side << axis;
  const ring = [base, base | u, base | u | v, base | v];
  return side === 1 ? ring : ring.reverse();
}

function isAmbiguous(inside: number, face: number): boolean {
  const [a, b, c, d] = faceCorners(face >> 1, face & 1).map((corner) => (inside >> corner) & 1);
  return a === c && b === d && a !== b;
}

function buildLoops(inside: number, joined: number): number[][] {
  const isInside = (corner: number) => ((inside >> corner) & 1) === 1;
  const next = new Map<number, number>();
  for (let axis = 0; axis < 3; axis++) {
    for (let side = 0; side < 2; side++) {
      const ring = faceCorners(axis, side);
      const isJoined = ((joined >> (2 * axis + side)) & 1) === 1;
      for (let i = 0; i < 4; i++) {
        if (isInside(ring[i]) || !isInside(ring[(i + 1) % 4])) continue;
        // From the edge where the ring enters the liquid to the edge where it leaves it: the end of the same
        // inside run, or, around the outside corner between two joined runs, the end of the one before.
        let j = (i + 1) % 4;
        if (isJoined) j = (i + 3) % 4;
        else while (isInside(ring[(j + 1) % 4])) j = (j + 1) % 4;
        const entered = findEdge(ring[i], ring[(i + 1) % 4]);
        const left = findEdge(ring[j], ring[(j + 1) % 4]);
        next.set(entered, left);
      }
    }
  }
  const loops: number[][] = [];
  const pending = new Set(next.keys());
  for (const start of next.keys()) {
    if (!pending.has(start)) continue;
    const loop: number[] = [];
    for (let edge = start; pending.has(edge); edge = next.get(edge)!) {
      pending.delete(edge);
      loop.push(edge);
    }
    loops.push(loop);
  }
  return loops;
}
