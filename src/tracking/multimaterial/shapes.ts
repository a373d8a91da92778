/**
 * Starting surfaces: spheres of equal triangles, cut by planes into materials, and blocks of cubic cells. Label 0 is the
 * outside. Cost: linear in faces.
 */
import type { LabelledTriangles } from './build.ts';

/** Growing arrays while a shape is put together. */
class Soup {
  readonly position: number[] = [];
  readonly triangle: number[] = [];
  readonly label: number[] = [];
  private readonly middle = new Map<number, number>();

  addVertex(x: number, y: number, z: number): number {
    return this.position.push(x, y, z) / 3 - 1;
  }

  addFace(a: number, b: number, c: number, front: number, back: number): void {
    this.triangle.push(a, b, c);
    this.label.push(front, back);
  }

  finish(): LabelledTriangles {
    return {
      position: Float64Array.from(this.position),
      triangle: Int32Array.from(this.triangle),
      label: Int32Array.from(this.label),
    };
  }

  /** Cuts every face in four; `place` may move each new vertex. */
  refine(place: (v: number) => void): void {
    const faces = this.triangle.splice(0);
    const labels = this.label.splice(0);
    this.middle.clear();
    for (let f = 0; 3 * f < faces.length; f++) {
      const [a, b, c] = faces.slice(3 * f, 3 * f + 3);
      const [front, back] = [labels[2 * f], labels[2 * f + 1]];
      const [ab, bc, ca] = [this.halve(a, b, place), this.halve(b, c, place), this.halve(c, a, place)];
      this.addFace(a, ab, ca, front, back);
      this.addFace(ab, b, bc, front, back);
      this.addFace(ca, bc, c, front, back);
      this.addFace(ab, bc, ca, front, back);
    }
  }

  private halve(a: number, b: number, place: (v: number) => void): number {
    // Ids stay far below 2^26, so that the pair fits a double.
    const key = Math.min(a, b) * 67108864 + Math.max(a, b);
    const known = this.middle.get(key);
    if (known !== undefined) return known;
    const p = this.position;
    const [x, y, z] = [0, 1, 2].map((k) => (p[3 * a + k] + p[3 * b + k]) / 2);
    const v = this.addVertex(x, y, z);
    place(v);
    this.middle.set(key, v);
    return v;
  }
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
  for (const { centre = [0, 0, 0], radius = 1, levels, label = 1 } of shapes) {
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
    appendMoved(all, soup, centre, radius);
  }
  return all.finish();
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

function appendMoved(all: Soup, soup: Soup, centre: readonly number[], radius: number): void {
  const first = all.position.length / 3;
  for (let n = 0; n < soup.position.length; n++) all.position.push(centre[n % 3] + radius * soup.position[n]);
  for (const v of soup.triangle) all.triangle.push(first + v);
  for (const region of soup.label) all.label.push(region);
}

/**
 * A ball cut into four by two planes through its vertical axis: materials 1 to 4 in the quadrants, label 0 outside. From an octahedron with its
 * square cross-sections, refined `levels` times: (8 + 8) * 4^levels faces before the inner ones are counted apart.
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
  // Positions go from the octahedron to the ball by one map, so that inner faces stay flat and curves stay curves.
  for (let n = 0; n < levels; n++) soup.refine(() => {});
  const p = soup.position;
  for (let v = 0; 3 * v < p.length; v++) {
    const sum = Math.abs(p[3 * v]) + Math.abs(p[3 * v + 1]) + Math.abs(p[3 * v + 2]);
    if (sum > 0) scaleTo(p, v, sum);
  }
  const all = new Soup();
  appendMoved(all, soup, centre, radius);
  return all.finish();
}

/** n x n x n cubes of edge 1/n in the unit cube, each its own material from 1; every square is two triangles, refined `levels` times. */
export function buildCellBlock(n: number, levels: number): LabelledTriangles {
  const soup = new Soup();
  const grid = (i: number, j: number, k: number) => (i * (n + 1) + j) * (n + 1) + k;
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) for (let k = 0; k <= n; k++) soup.addVertex(i / n, j / n, k / n);
  }
  const material = (i: number, j: number, k: number) =>
    Math.min(i, j, k) < 0 || Math.max(i, j, k) >= n ? 0 : 1 + (i * n + j) * n + k;
  const addSquare = (a: number, b: number, c: number, d: number, front: number, back: number) => {
    soup.addFace(a, b, c, front, back);
    soup.addFace(a, c, d, front, back);
  };
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      for (let k = 0; k <= n; k++) {
        const here = material(i, j, k);
        const at = (x: number, y: number, z: number) => grid(i + x, j + y, k + z);
        if (j < n && k < n)
          addSquare(at(0, 0, 0), at(0, 1, 0), at(0, 1, 1), at(0, 0, 1), here, material(i - 1, j, k));
        if (i < n && k < n)
          addSquare(at(0, 0, 0), at(0, 0, 1), at(1, 0, 1), at(1, 0, 0), here, material(i, j - 1, k));
        if (i < n && j < n)
          addSquare(at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), here, material(i, j, k - 1));
      }
    }
  }
  for (let level = 0; level < levels; level++) soup.refine(() => {});
  return soup.finish();
}
