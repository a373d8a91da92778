/**
 * Marching-cubes cases, derived once from a rule instead of a table ([chentanez-2007] 3.2 uses marching cubes).
 *
 * Corner c of a cell sits at (c & 1, c >> 1 & 1, c >> 2 & 1); edge e = 4 * axis + k joins the two corners that
 * differ along `axis`. On every face the contour separates the inside corners (the choice on the two-diagonal faces),
 * which depends on the face alone, so neighbouring cells always agree and the surface has no cracks.
 * Each case is a list of closed loops of cell edges, counter-clockwise seen from outside the liquid.
 */

/** (12 x 2) the corner at the lower and the upper end of each edge. */
export const EDGE_CORNERS: readonly (readonly [number, number])[] = buildEdges();

/** Loops of each of the 256 cases; bit c of the case is set when corner c is inside. */
export const CASE_LOOPS: readonly (readonly (readonly number[])[])[] = Array.from(
  { length: 256 },
  (_, inside) => buildLoops(inside),
);

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

function buildLoops(inside: number): number[][] {
  const isInside = (corner: number) => ((inside >> corner) & 1) === 1;
  // On each face join the edge where the ring leaves the liquid to the edge where the same inside run was entered.
  const next = new Map<number, number>();
  for (let axis = 0; axis < 3; axis++) {
    for (let side = 0; side < 2; side++) {
      const ring = faceCorners(axis, side);
      for (let i = 0; i < 4; i++) {
        if (isInside(ring[i]) || !isInside(ring[(i + 1) % 4])) continue;
        let j = (i + 1) % 4;
        while (isInside(ring[(j + 1) % 4])) j = (j + 1) % 4;
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
