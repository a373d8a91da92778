import { doubled } from '../core/doubled.ts';

/** Triangles of vertices by number, as many as come. */
export class GrowingTriangles {
  /** (count x 3) corners, and room for more */
  corner = new Int32Array(3 * 1024);
  count = 0;

  add(a: number, b: number, c: number): void {
    const at = 3 * this.count++;
    if (at === this.corner.length) this.corner = doubled(this.corner);
    this.corner[at] = a;
    this.corner[at + 1] = b;
    this.corner[at + 2] = c;
  }

  /** The corners of all. */
  all(): Int32Array {
    return this.corner.subarray(0, 3 * this.count);
  }
}
