/**
 * Spheres with flat parts: Zalesak's notched sphere of one or two materials, and two spheres that share a
 * disk. Cost: linear in faces.
 */
import { InputError } from '../../../core/errors.ts';
import type { Metres } from '../../../core/types.ts';
import type { LabelledTriangles } from '../build.ts';
import { addFacets, type Facet } from './polygon-complex.ts';
import { Soup } from './soup.ts';
import { SphereCutter } from './sphere-cutter.ts';
import { countLevels } from './spheres.ts';

type Point = readonly [number, number, number];

export interface NotchedSphereShape {
  readonly centre: Point;
  readonly radius: Metres;
  /** Along x. */
  readonly width: Metres;
  /** From the lowest point in y up. */
  readonly depth: Metres;
  readonly materials: 1 | 2;
  /** Wanted edge length. */
  readonly edge: Metres;
}

/**
 * A ball with a notch that opens towards -y and goes through from side to side in z (Enright et al. 2002). Of
 * two materials, 1 lies at x < 0, 2 at x > 0, with a wall between them above the notch.
 */
export function buildNotchedSphere(shape: NotchedSphereShape): LabelledTriangles {
  const { radius, width, depth, materials, edge } = shape;
  const half = width / 2;
  const top = depth - radius;
  if (half >= radius || Math.hypot(half, top) >= radius)
    throw new InputError(
      'notched sphere',
      `a notch ${width} m wide and ${depth} m deep cuts a sphere of radius ${radius} m through`,
      'make it narrower or shallower',
    );
  const cutter = new SphereCutter(radius, countLevels(radius, edge, 'icosahedron'));
  cutter.cut(0, half);
  cutter.cut(0, -half);
  if (materials === 2) cutter.cut(0, 0);
  cutter.cut(1, top);
  const soup = new Soup();
  soup.position.push(...cutter.position);
  const p = soup.position;
  const labelAt = (x: number) => (materials === 2 && x > 0 ? 2 : 1);
  for (let n = 0; n < cutter.triangle.length; n += 3) {
    const [a, b, c] = cutter.triangle.slice(n, n + 3);
    const middle = [0, 1].map((k) => (p[3 * a + k] + p[3 * b + k] + p[3 * c + k]) / 3);
    if (Math.abs(middle[0]) < half && middle[1] < top) continue;
    soup.addFace(a, b, c, 0, labelAt(middle[0]));
  }
  const isBelow = (v: number) => p[3 * v + 1] <= top;
  const wall = (at: number, keep: (v: number) => boolean) =>
    sortAround(p, cutter.listOn(0, at).filter(keep), 0);
  const roof = (low: number, high: number) =>
    sortAround(
      p,
      cutter.listOn(1, top).filter((v) => p[3 * v] >= low && p[3 * v] <= high),
      1,
    );
  const facets: Facet[] = [
    { loop: wall(half, isBelow), front: labelAt(1), back: 0 },
    { loop: wall(-half, isBelow), front: 0, back: labelAt(-1) },
  ];
  if (materials === 1) facets.push({ loop: roof(-half, half), front: 1, back: 0 });
  else
    facets.push(
      { loop: roof(-half, 0), front: 1, back: 0 },
      { loop: roof(0, half), front: 2, back: 0 },
      { loop: wall(0, (v) => p[3 * v + 1] >= top), front: 2, back: 1 },
    );
  addFacets(soup, facets, edge);
  return finishAt(soup, shape.centre);
}

export interface DoubleSphereShape {
  /** Middle of the disk. */
  readonly centre: Point;
  readonly radius: Metres;
  /** Between the centres, along x. */
  readonly distance: Metres;
  readonly edge: Metres;
}

/** Two overlapping balls that share a flat disk ([da-2017] figure 10.4): material 1 at x < 0, 2 at x > 0. */
export function buildDoubleSphere({ centre, radius, distance, edge }: DoubleSphereShape): LabelledTriangles {
  const half = distance / 2;
  if (half >= radius)
    throw new InputError(
      'double sphere',
      `spheres of radius ${radius} m at a distance of ${distance} m do not overlap`,
      'bring them closer',
    );
  const cutter = new SphereCutter(radius, countLevels(radius, edge, 'icosahedron'));
  cutter.cut(0, half);
  const soup = new Soup();
  const { position: q, triangle } = cutter;
  const isKept = (t: number) => [0, 1, 2].every((i) => q[3 * triangle[t + i]] <= half);
  const left = new Map<number, number>();
  const right = new Map<number, number>();
  const place = (v: number, sign: 1 | -1) => {
    // The left ball is the cutter's, moved so that the cut lies at x = 0; the right one is its mirror image.
    const known = sign < 0 ? left : right;
    const isShared = q[3 * v] === half;
    const found = (isShared ? left : known).get(v);
    if (found !== undefined) return found;
    const made = soup.addVertex(sign * (half - q[3 * v]), q[3 * v + 1], q[3 * v + 2]);
    (isShared ? left : known).set(v, made);
    return made;
  };
  for (let t = 0; t < triangle.length; t += 3) {
    if (!isKept(t)) continue;
    const [a, b, c] = triangle.slice(t, t + 3);
    soup.addFace(place(a, -1), place(b, -1), place(c, -1), 0, 1);
    soup.addFace(place(a, 1), place(c, 1), place(b, 1), 0, 2);
  }
  const rim = cutter.listOn(0, half).map((v) => left.get(v)!);
  addFacets(soup, [{ loop: sortAround(soup.position, rim, 0), front: 2, back: 1 }], edge);
  return finishAt(soup, centre);
}

/** Vertices of a convex loop in a plane across an axis, counter-clockwise seen from the tip of the axis. */
function sortAround(p: readonly number[], vertices: readonly number[], axis: 0 | 1 | 2): number[] {
  const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
  const middle = (i: number) => vertices.reduce((sum, v) => sum + p[3 * v + i], 0) / vertices.length;
  const [mj, mk] = [middle(j), middle(k)];
  const angle = (v: number) => Math.atan2(p[3 * v + k] - mk, p[3 * v + j] - mj);
  return [...vertices].sort((v, w) => angle(v) - angle(w));
}

/** Without the vertices that no face uses, moved to a centre. */
function finishAt(soup: Soup, centre: Point): LabelledTriangles {
  const number = new Map<number, number>();
  const packed = new Soup();
  const p = soup.position;
  const find = (v: number) => {
    const known = number.get(v);
    if (known !== undefined) return known;
    const [x, y, z] = centre.map((c, k) => c + p[3 * v + k]);
    const made = packed.addVertex(x, y, z);
    number.set(v, made);
    return made;
  };
  const { triangle, label } = soup;
  for (let f = 0; 3 * f < triangle.length; f++)
    packed.addFace(
      find(triangle[3 * f]),
      find(triangle[3 * f + 1]),
      find(triangle[3 * f + 2]),
      label[2 * f],
      label[2 * f + 1],
    );
  return packed.finish();
}
