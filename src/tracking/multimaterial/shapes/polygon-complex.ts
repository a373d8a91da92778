/**
 * Flat convex facets that share corners, as one conforming mesh of triangles of a wanted size: edges are
 * divided once for all facets on them, then each facet is filled on its own. Facets may meet at any angle and
 * in any number at an edge. Cost: linear in triangles.
 */
import { InputError } from '../../../core/errors.ts';
import type { Metres } from '../../../core/types.ts';
import { triangulatePolygon } from './polygon.ts';
import type { Soup } from './soup.ts';

export interface Facet {
  /** Corners in order: vertices of the soup. */
  readonly loop: readonly number[];
  /** Region that the normal of the loop (right-hand rule) points into, and the one behind. */
  readonly front: number;
  readonly back: number;
}

/**
 * Adds the triangles of the facets, and the vertices they need, to a soup that holds their corners. Edges of
 * faces already in it stay whole.
 */
export function addFacets(soup: Soup, facets: readonly Facet[], edge: Metres): void {
  const divisions = new Map<number, number[]>();
  const { triangle } = soup;
  for (let c = 0; c < triangle.length; c++)
    divisions.set(nameEdge(triangle[c], triangle[c % 3 === 2 ? c - 2 : c + 1]), []);
  for (const facet of facets) addFacet(soup, facet, edge, divisions);
}

/** Ids stay far below 2^26, so that the pair fits a double. */
const nameEdge = (a: number, b: number): number => Math.min(a, b) * 67108864 + Math.max(a, b);

function addFacet(
  soup: Soup,
  { loop, front, back }: Facet,
  edge: Metres,
  divisions: Map<number, number[]>,
): void {
  const boundary: number[] = [];
  for (let i = 0; i < loop.length; i++) {
    const [a, b] = [loop[i], loop[(i + 1) % loop.length]];
    boundary.push(a);
    const between = divideEdge(soup, Math.min(a, b), Math.max(a, b), edge, divisions);
    boundary.push(...(a < b ? between : [...between].reverse()));
  }
  const plane = new Plane(soup.position, loop);
  const filled = triangulatePolygon(
    boundary.flatMap((v) => plane.flatten(v)),
    edge,
  );
  if (!filled)
    throw new InputError(
      `facet between regions ${front} and ${back}`,
      `its ${loop.length} corners include no area that could be told from rounding`,
      'move its corners apart, or draw them from another seed',
    );
  const vertex = [...boundary];
  for (let v = boundary.length; 2 * v < filled.point.length; v++)
    vertex.push(soup.addVertex(...plane.lift(filled.point[2 * v], filled.point[2 * v + 1])));
  const { triangle } = filled;
  for (let n = 0; n < triangle.length; n += 3)
    soup.addFace(vertex[triangle[n]], vertex[triangle[n + 1]], vertex[triangle[n + 2]], front, back);
}

/** Vertices between two corners, from the lower id to the higher; made at the first call. */
function divideEdge(
  soup: Soup,
  low: number,
  high: number,
  edge: Metres,
  divisions: Map<number, number[]>,
): number[] {
  const key = nameEdge(low, high);
  const known = divisions.get(key);
  if (known) return known;
  const p = soup.position;
  const from = p.slice(3 * low, 3 * low + 3);
  const to = p.slice(3 * high, 3 * high + 3);
  const parts = Math.max(1, Math.round(Math.hypot(...from.map((x, k) => to[k] - x)) / edge));
  const made: number[] = [];
  for (let n = 1; n < parts; n++) {
    const [x, y, z] = from.map((a, k) => a + (n / parts) * (to[k] - a));
    made.push(soup.addVertex(x, y, z));
  }
  divisions.set(key, made);
  return made;
}

/** Plane coordinates about the first corner, with the loop counter-clockwise. */
class Plane {
  private readonly origin: number[];
  private readonly u: number[];
  private readonly v: number[];

  constructor(
    private readonly position: readonly number[],
    loop: readonly number[],
  ) {
    const at = (v: number) => [position[3 * v], position[3 * v + 1], position[3 * v + 2]];
    this.origin = at(loop[0]);
    const normal = [0, 0, 0];
    let axis = [0, 0, 0];
    for (let i = 1; i < loop.length; i++) {
      const a = at(loop[i]).map((x, k) => x - this.origin[k]);
      if (Math.hypot(...a) > Math.hypot(...axis)) axis = a;
      if (i + 1 === loop.length) break;
      const b = at(loop[i + 1]).map((x, k) => x - this.origin[k]);
      normal[0] += a[1] * b[2] - a[2] * b[1];
      normal[1] += a[2] * b[0] - a[0] * b[2];
      normal[2] += a[0] * b[1] - a[1] * b[0];
    }
    const size = Math.hypot(...normal);
    const n = normal.map((x) => x / size);
    const along = axis.map((x) => x / Math.hypot(...axis));
    this.u = along;
    this.v = [
      n[1] * along[2] - n[2] * along[1],
      n[2] * along[0] - n[0] * along[2],
      n[0] * along[1] - n[1] * along[0],
    ];
  }

  flatten(v: number): [number, number] {
    const d = [0, 1, 2].map((k) => this.position[3 * v + k] - this.origin[k]);
    const dot = (axis: readonly number[]) => axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2];
    return [dot(this.u), dot(this.v)];
  }

  lift(x: number, y: number): [number, number, number] {
    const { origin, u, v } = this;
    return [
      origin[0] + x * u[0] + y * v[0],
      origin[1] + x * u[1] + y * v[1],
      origin[2] + x * u[2] + y * v[2],
    ];
  }
}
