/**
 * A ball cut into four materials by two planes through its vertical axis, of 8 n^2 outer and 8 n^2 inner
 * faces for any n: the octahedron with its two vertical cross-sections, each of its triangles cut into n^2,
 * mapped to the ball so that inner faces stay flat. Meshes of about 1,280 and 5,120 outer faces need n
 * between powers of two.
 */
import type { LabelledTriangles } from '../../src/tracking/multimaterial/build.ts';

type Point = readonly [number, number, number];

export function buildQuarteredBall(n: number, radius: number, centre: Point): LabelledTriangles {
  const position: number[] = [];
  const triangle: number[] = [];
  const label: number[] = [];
  const ids = new Map<string, number>();
  // Corners as whole numbers with |x| + |y| + |z| <= n; scaled so that the octahedron |x| + |y| + |z| = n
  // becomes the sphere.
  const addVertex = (at: readonly number[]) => {
    const known = ids.get(at.join());
    if (known !== undefined) return known;
    const length = Math.hypot(...at);
    const sum = Math.abs(at[0]) + Math.abs(at[1]) + Math.abs(at[2]);
    const scale = length > 0 ? (radius * sum) / (n * length) : 0;
    const v = position.push(...at.map((x, k) => centre[k] + scale * x)) / 3 - 1;
    ids.set(at.join(), v);
    return v;
  };
  const addTriangle = (a: Point, b: Point, c: Point, front: number, back: number) => {
    const at = (i: number, j: number) =>
      addVertex([0, 1, 2].map((k) => (n - i - j) * a[k] + i * b[k] + j * c[k]));
    for (let i = 0; i < n; i++) {
      for (let j = 0; i + j < n; j++) {
        triangle.push(at(i, j), at(i + 1, j), at(i, j + 1));
        label.push(front, back);
        if (i + j === n - 1) continue;
        triangle.push(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        label.push(front, back);
      }
    }
  };
  const [middle, north, south]: Point[] = [
    [0, 0, 0],
    [0, 0, 1],
    [0, 0, -1],
  ];
  const rim: Point[] = [
    [1, 0, 0],
    [0, 1, 0],
    [-1, 0, 0],
    [0, -1, 0],
  ];
  for (let q = 0; q < 4; q++) {
    const [a, b] = [rim[q], rim[(q + 1) % 4]];
    addTriangle(a, b, north, 0, q + 1);
    addTriangle(b, a, south, 0, q + 1);
    // The half-disk through rim[q] divides quadrant q (ahead) from the one before it.
    const before = ((q + 3) % 4) + 1;
    addTriangle(middle, north, a, q + 1, before);
    addTriangle(middle, a, south, q + 1, before);
  }
  return {
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
    label: Int32Array.from(label),
  };
}
