/**
 * A sphere about the origin whose triangles are cut along circles x = c, y = c or z = c, so that no face
 * crosses one. Vertices close to a circle move onto it, edges that still cross it get a vertex there; all
 * vertices stay on the sphere and on the circles they were put on. Cost: linear in faces per cut.
 */
import { InputError } from '../../../core/errors.ts';
import type { Metres } from '../../../core/types.ts';
import { buildUnitSphere } from './spheres.ts';

/** Vertices nearer to the circle than this share of the mean edge move onto it. */
const SNAP = 0.2;

type Axis = 0 | 1 | 2;

export class SphereCutter {
  /** (vertices x 3) m */
  readonly position: number[];
  triangle: number[];
  /** (vertices x 3) is the coordinate fixed by a circle? */
  readonly isFixed: boolean[];
  private readonly edge: Metres;

  constructor(
    private readonly radius: Metres,
    levels: number,
  ) {
    const sphere = buildUnitSphere(levels, 1);
    this.position = sphere.position.map((x) => radius * x);
    this.triangle = sphere.triangle;
    this.isFixed = this.position.map(() => false);
    this.edge = Math.sqrt((16 * Math.PI * radius * radius) / (Math.sqrt(3) * (this.triangle.length / 3)));
  }

  cut(axis: Axis, at: number): void {
    this.snap(axis, at);
    const made = new Map<number, number>();
    const triangles = this.triangle;
    this.triangle = [];
    for (let n = 0; n < triangles.length; n += 3)
      this.divide([triangles[n], triangles[n + 1], triangles[n + 2]], axis, at, made);
  }

  /**
   * Moves vertices onto the circle, nearest first, as long as the circle stays a curve between two sides:
   * every vertex on it keeps neighbours on both, and no face comes to lie in its plane.
   */
  private snap(axis: Axis, at: number): void {
    const { position, isFixed } = this;
    const height = (v: number) => position[3 * v + axis] - at;
    const near: number[] = [];
    for (let v = 0; 3 * v < position.length; v++)
      if (Math.abs(height(v)) < SNAP * this.edge && !isFixed[3 * v + axis]) near.push(v);
    near.sort((v, w) => Math.abs(height(v)) - Math.abs(height(w)) || v - w);
    const fans = this.listFans();
    const isOn = new Set<number>();
    const divides = (v: number, gone: number) =>
      [1, -1].every((side) => fans[v].some((w) => w !== gone && !isOn.has(w) && height(w) * side > 0));
    for (const v of near) {
      const ring = fans[v];
      const isFree = ring.every((w, i) => !isOn.has(w) || !isOn.has(ring[i % 2 === 0 ? i + 1 : i - 1]));
      if (!isFree || !divides(v, v) || ring.some((w) => isOn.has(w) && !divides(w, v))) continue;
      this.fix(v, axis, at);
      isOn.add(v);
    }
  }

  /** The other two corners of every face at a vertex, in pairs. */
  private listFans(): number[][] {
    const fans: number[][] = Array.from({ length: this.position.length / 3 }, () => []);
    const { triangle } = this;
    for (let c = 0; c < triangle.length; c++) {
      const first = c - (c % 3);
      fans[triangle[c]].push(triangle[first + ((c + 1) % 3)], triangle[first + ((c + 2) % 3)]);
    }
    return fans;
  }

  /** Vertices on the circle. */
  listOn(axis: Axis, at: number): number[] {
    const found: number[] = [];
    for (let v = 0; 3 * v < this.position.length; v++)
      if (this.isFixed[3 * v + axis] && this.position[3 * v + axis] === at) found.push(v);
    return found;
  }

  /** Puts a vertex onto the circle, and back onto the sphere along the others it lies on. */
  private fix(v: number, axis: Axis, at: number): void {
    const { position, isFixed, radius } = this;
    position[3 * v + axis] = at;
    isFixed[3 * v + axis] = true;
    let held = 0;
    let free = 0;
    for (let c = 3 * v; c < 3 * v + 3; c++) {
      if (isFixed[c]) held += position[c] ** 2;
      else free += position[c] ** 2;
    }
    const scale = Math.sqrt((radius * radius - held) / free);
    if (!Number.isFinite(scale))
      throw new InputError(
        'cut sphere',
        `two cuts meet outside the sphere of radius ${radius} m`,
        'make the cut shallower or narrower',
      );
    for (let c = 3 * v; c < 3 * v + 3; c++) if (!isFixed[c]) position[c] *= scale;
  }

  /** Divides a triangle by the circle: nothing, in two from a corner that lies on it, or in three. */
  private divide(t: readonly number[], axis: Axis, at: number, made: Map<number, number>): void {
    const side = t.map((v) => Math.sign(this.position[3 * v + axis] - at));
    if (side.every((s) => s === 0))
      throw new InputError(
        'cut sphere',
        `a face lies in the plane of a cut at ${at} m`,
        'use a finer resolution',
      );
    // Turn the triangle so that the corner alone on its side, or the one on the circle with the others on
    // either side, comes first.
    const lone = [0, 1, 2].find((i) => {
      const [s, s1, s2] = [side[i], side[(i + 1) % 3], side[(i + 2) % 3]];
      return s === 0 ? s1 * s2 < 0 : s1 * s < 0 && s2 * s < 0;
    });
    if (lone === undefined) {
      this.triangle.push(...t);
      return;
    }
    const [a, b, c] = [t[lone], t[(lone + 1) % 3], t[(lone + 2) % 3]];
    if (side[lone] === 0) {
      const m = this.split(b, c, axis, at, made);
      this.triangle.push(a, b, m, a, m, c);
      return;
    }
    const [ab, ca] = [this.split(a, b, axis, at, made), this.split(c, a, axis, at, made)];
    this.triangle.push(a, ab, ca);
    const gap = (v: number, w: number) =>
      [0, 1, 2].reduce((sum, k) => sum + (this.position[3 * v + k] - this.position[3 * w + k]) ** 2, 0);
    // The quadrilateral by its shorter diagonal.
    if (gap(ab, c) < gap(b, ca)) this.triangle.push(ab, b, c, ab, c, ca);
    else this.triangle.push(ab, b, ca, b, c, ca);
  }

  /** The vertex where an edge crosses the circle; on the circles that both ends lie on too. */
  private split(v: number, w: number, axis: Axis, at: number, made: Map<number, number>): number {
    const key = Math.min(v, w) * 67108864 + Math.max(v, w);
    const known = made.get(key);
    if (known !== undefined) return known;
    const { position: p, isFixed } = this;
    const [a, b] = [Math.min(v, w), Math.max(v, w)];
    const s = (at - p[3 * a + axis]) / (p[3 * b + axis] - p[3 * a + axis]);
    const m = p.length / 3;
    for (let k = 0; k < 3; k++) {
      const isShared = isFixed[3 * a + k] && isFixed[3 * b + k] && p[3 * a + k] === p[3 * b + k];
      p.push(isShared ? p[3 * a + k] : p[3 * a + k] + s * (p[3 * b + k] - p[3 * a + k]));
      isFixed.push(isShared);
    }
    this.fix(m, axis, at);
    made.set(key, m);
    return m;
  }
}
