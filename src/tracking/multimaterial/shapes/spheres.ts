/**
 * Spheres of nearly equal triangles, and a ball cut into four materials. Label 0 is the outside. Cost: linear
 * in faces.
 */
import type { Metres } from '../../../core/types.ts';
import type { LabelledTriangles } from '../build.ts';
import { Soup } from './soup.ts';

/**
 * Mean edge of a refined icosahedron and octahedron over the radius, times 2^levels: that of equilateral
 * faces with the sphere's area.
 */
const ICOSAHEDRON_EDGE = Math.sqrt((16 * Math.PI) / (Math.sqrt(3) * 20));
const OCTAHEDRON_EDGE = Math.sqrt((16 * Math.PI) / (Math.sqrt(3) * 8));

/** Refinements after which the edges of a sphere come nearest to a length. */
export function countLevels(radius: Metres, edge: Metres, from: 'icosahedron' | 'octahedron'): number {
  const coarsest = from === 'icosahedron' ? ICOSAHEDRON_EDGE : OCTAHEDRON_EDGE;
  return Math.max(0, Math.round(Math.log2((coarsest * radius) / edge)));
}

export interface SphereShape {
  readonly centre?: readonly [number, number, number];
  readonly radius?: number;
  /** Faces: 20 * 4^levels (icosahedron). */
  readonly levels: number;
  readonly label?: number;
}

/** Spheres from icosahedra, side by side in one mesh. */
export function buildSpheres(shapes: readonly SphereShape[]): LabelledTriangles {
  const all = new Soup();
  for (const { centre = [0, 0, 0], radius = 1, levels, label = 1 } of shapes)
    all.append(buildUnitSphere(levels, label), centre, radius);
  return all.finish();
}

/** Radius 1 about the origin. */
export function buildUnitSphere(levels: number, label: number): Soup {
  const soup = new Soup();
  const golden = (1 + Math.sqrt(5)) / 2;
  for (const [s, t] of [
    [-1, golden],
    [1, golden],
    [-1, -golden],
    [1, -golden],
  ]) {
    soup.addVertex(s, t, 0);
    soup.addVertex(0, s, t);
    soup.addVertex(t, 0, s);
  }
  addHullFaces(soup, label);
  const round = (v: number) => scaleTo(soup.position, v, 1);
  for (let v = 0; v < 12; v++) round(v);
  for (let n = 0; n < levels; n++) soup.refine(round);
  return soup;
}

/** Faces of the icosahedron: triples at mutual distance 2, wound outwards. */
function addHullFaces(soup: Soup, label: number): void {
  const p = soup.position;
  const isNear = (a: number, b: number) =>
    (p[3 * a] - p[3 * b]) ** 2 + (p[3 * a + 1] - p[3 * b + 1]) ** 2 + (p[3 * a + 2] - p[3 * b + 2]) ** 2 <
    4.5;
  for (let a = 0; a < 12; a++) {
    for (let b = a + 1; b < 12; b++) {
      for (let c = b + 1; c < 12; c++) {
        if (!isNear(a, b) || !isNear(b, c) || !isNear(c, a)) continue;
        const volume =
          p[3 * a] * (p[3 * b + 1] * p[3 * c + 2] - p[3 * b + 2] * p[3 * c + 1]) +
          p[3 * a + 1] * (p[3 * b + 2] * p[3 * c] - p[3 * b] * p[3 * c + 2]) +
          p[3 * a + 2] * (p[3 * b] * p[3 * c + 1] - p[3 * b + 1] * p[3 * c]);
        if (volume > 0) soup.addFace(a, b, c, 0, label);
        else soup.addFace(a, c, b, 0, label);
      }
    }
  }
}

function scaleTo(p: number[], v: number, radius: number): void {
  const scale = radius / Math.hypot(p[3 * v], p[3 * v + 1], p[3 * v + 2]);
  for (let k = 0; k < 3; k++) p[3 * v + k] *= scale;
}

/**
 * A ball cut into four by two planes through its vertical axis: materials 1 to 4 in the quadrants, label 0
 * outside. From an octahedron with its square cross-sections, refined `levels` times: (8 + 8) * 4^levels
 * faces before the inner ones are counted apart.
 */
export function buildQuarteredSphere(shape: SphereShape): LabelledTriangles {
  const { centre = [0, 0, 0], radius = 1, levels } = shape;
  const soup = new Soup();
  const middle = soup.addVertex(0, 0, 0);
  const [north, south] = [soup.addVertex(0, 0, 1), soup.addVertex(0, 0, -1)];
  const rim = [
    soup.addVertex(1, 0, 0),
    soup.addVertex(0, 1, 0),
    soup.addVertex(-1, 0, 0),
    soup.addVertex(0, -1, 0),
  ];
  for (let q = 0; q < 4; q++) {
    const [a, b] = [rim[q], rim[(q + 1) % 4]];
    soup.addFace(a, b, north, 0, q + 1);
    soup.addFace(b, a, south, 0, q + 1);
    // The half-disk through rim[q] divides quadrant q (ahead) from the one before it.
    const before = ((q + 3) % 4) + 1;
    soup.addFace(middle, north, a, q + 1, before);
    soup.addFace(middle, a, south, q + 1, before);
  }
  // Positions go from the octahedron to the ball by one map, so that inner faces stay flat and curves stay
  // curves.
  for (let n = 0; n < levels; n++) soup.refine(() => {});
  const p = soup.position;
  for (let v = 0; 3 * v < p.length; v++) {
    const sum = Math.abs(p[3 * v]) + Math.abs(p[3 * v + 1]) + Math.abs(p[3 * v + 2]);
    if (sum > 0) scaleTo(p, v, sum);
  }
  const all = new Soup();
  all.append(soup, centre, radius);
  return all.finish();
}
