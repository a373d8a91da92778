/**
 * Triangles in the order in which to lay them over one another, the farthest first: films let through what is
 * behind them, so the order shows. Triangles that do not cross are ordered by the distance of their middles
 * from the eye. That is exact for sheets that lie farther apart than a triangle is wide;
 * test/viewer/depth-sort.test.ts counts what is left, at the curves where sheets meet. Radix sort of 22-bit
 * keys in two passes: linear, about 25 ns a triangle, so that it can be done for every picture.
 */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const LARGEST_KEY = DIGITS * DIGITS - 1;

export class DepthSorter {
  private centre = new Float32Array(0);
  private key = new Uint32Array(0);
  private order = new Uint32Array(0);
  private other = new Uint32Array(0);
  private faces: Uint32Array = new Uint32Array(0);
  private triangle: Uint32Array = new Uint32Array(0);
  private forward: Float32Array = new Float32Array(0);
  private readonly count = new Uint32Array(DIGITS);

  /** The triangles to sort, by their ids; each may count as nearer than it is, by metres. */
  setFaces(
    position: Float32Array,
    triangle: Uint32Array,
    faces: Uint32Array,
    forward: Float32Array = new Float32Array(faces.length),
  ): void {
    this.triangle = triangle;
    this.faces = faces;
    this.forward = forward;
    const n = faces.length;
    this.centre = new Float32Array(3 * n);
    this.key = new Uint32Array(n);
    this.order = new Uint32Array(n);
    this.other = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      const f = 3 * faces[i];
      const [a, b, c] = [3 * triangle[f], 3 * triangle[f + 1], 3 * triangle[f + 2]];
      for (let k = 0; k < 3; k++)
        this.centre[3 * i + k] = (position[a + k] + position[b + k] + position[c + k]) / 3;
    }
  }

  /** Corners of the triangles, farthest first, into `outIndex` (3 x faces). */
  sort(eye: readonly [number, number, number], outIndex: Uint32Array): void {
    const { order, triangle, faces } = this;
    this.computeKeys(eye);
    for (let i = 0; i < order.length; i++) order[i] = i;
    this.pass(order, this.other, 0);
    this.pass(this.other, order, DIGIT_BITS);
    for (let i = 0; i < order.length; i++) {
      const f = 3 * faces[order[i]];
      outIndex[3 * i] = triangle[f];
      outIndex[3 * i + 1] = triangle[f + 1];
      outIndex[3 * i + 2] = triangle[f + 2];
    }
  }

  /** Distances from the eye, the farthest 0, spread over all keys. */
  private computeKeys([x, y, z]: readonly [number, number, number]): void {
    const { centre, key, forward } = this;
    const n = key.length;
    const distance = new Float32Array(n);
    let near = Number.POSITIVE_INFINITY;
    let far = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < n; i++) {
      const dx = centre[3 * i] - x;
      const dy = centre[3 * i + 1] - y;
      const dz = centre[3 * i + 2] - z;
      // Rounded as it is kept: otherwise the nearest and the farthest may fall out of the range of keys.
      const d = Math.fround(Math.sqrt(dx * dx + dy * dy + dz * dz) - forward[i]);
      distance[i] = d;
      if (d < near) near = d;
      if (d > far) far = d;
    }
    const scale = far > near ? LARGEST_KEY / (far - near) : 0;
    for (let i = 0; i < n; i++) key[i] = (far - distance[i]) * scale;
  }

  private pass(from: Uint32Array, to: Uint32Array, shift: number): void {
    const { key, count } = this;
    count.fill(0);
    for (let i = 0; i < from.length; i++) count[(key[from[i]] >>> shift) & (DIGITS - 1)]++;
    let sum = 0;
    for (let d = 0; d < DIGITS; d++) {
      const here = count[d];
      count[d] = sum;
      sum += here;
    }
    for (let i = 0; i < from.length; i++) to[count[(key[from[i]] >>> shift) & (DIGITS - 1)]++] = from[i];
  }
}
