/** Integrals over triangles by adaptive division: the slow referee of closed forms. */
import { triangleRules } from '../../../src/math/triangle-rules.ts';

export type Point = readonly [number, number, number];
type Corners = readonly [Point, Point, Point];

const { count, weight, share } = triangleRules[7];

const mix = (p: Corners, a: number, b: number, c: number): Point => [
  a * p[0][0] + b * p[1][0] + c * p[2][0],
  a * p[0][1] + b * p[1][1] + c * p[2][1],
  a * p[0][2] + b * p[1][2] + c * p[2][2],
];

function computeArea([a, b, c]: Corners): number {
  const u = [0, 1, 2].map((k) => b[k] - a[k]);
  const w = [0, 1, 2].map((k) => c[k] - a[k]);
  return 0.5 * Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]);
}

/** f gets the point and its barycentric weights in the whole triangle; its values are vectors of `size`. */
export function integrateAdaptively(
  whole: Corners,
  size: number,
  f: (y: Point, hat: Point) => readonly number[],
  tolerance: number,
  deepest = 45,
): number[] {
  const unit: Corners = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const area = computeArea(whole);
  const rule = (hats: Corners, part: number): number[] => {
    const sum = new Array<number>(size).fill(0);
    for (let q = 0; q < count; q++) {
      const hat = mix(hats, weight[3 * q], weight[3 * q + 1], weight[3 * q + 2]);
      const value = f(mix(whole, ...hat), hat);
      for (let n = 0; n < size; n++) sum[n] += share[q] * part * value[n];
    }
    return sum;
  };
  const divide = (hats: Corners, part: number, coarse: number[], level: number): number[] => {
    const [ab, bc, ca] = [mix(hats, 0.5, 0.5, 0), mix(hats, 0, 0.5, 0.5), mix(hats, 0.5, 0, 0.5)];
    const children: Corners[] = [
      [hats[0], ab, ca],
      [ab, hats[1], bc],
      [ca, bc, hats[2]],
      [ab, bc, ca],
    ];
    const fine = children.map((child) => rule(child, part / 4));
    const sum = coarse.map((_, n) => fine[0][n] + fine[1][n] + fine[2][n] + fine[3][n]);
    const miss = Math.max(...sum.map((x, n) => Math.abs(x - coarse[n])));
    if (miss <= tolerance || level === 0) return sum;
    const parts = children.map((child, n) => divide(child, part / 4, fine[n], level - 1));
    return coarse.map((_, n) => parts[0][n] + parts[1][n] + parts[2][n] + parts[3][n]);
  };
  return divide(unit, area, rule(unit, area), deepest);
}
