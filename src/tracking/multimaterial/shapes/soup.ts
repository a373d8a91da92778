/** Labelled triangles while a starting surface is put together: growing arrays. */
import type { LabelledTriangles } from '../build.ts';

export class Soup {
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

  /** Adds another soup, scaled by `radius` and moved to `centre`. */
  append(other: Soup, centre: readonly number[] = [0, 0, 0], radius = 1): void {
    const first = this.position.length / 3;
    const { position } = other;
    for (let n = 0; n < position.length; n++) this.position.push(centre[n % 3] + radius * position[n]);
    for (const v of other.triangle) this.triangle.push(first + v);
    for (const region of other.label) this.label.push(region);
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
