/**
 * Quadrature on triangles: barycentric weights of the points and their shares of the area. Symmetric rules
 * with points inside and positive shares: 1 point exact for linear functions, 3 for quadratics, 7 for
 * polynomials of degree five (Radon 1948). Gauss-Legendre points of [0, 1] for rules that are products.
 */

export interface TriangleRule {
  readonly count: number;
  /** (count x 3) barycentric weights of the corners */
  readonly weight: readonly number[];
  /** (count) of the area; they add up to 1 */
  readonly share: readonly number[];
}

export type RulePoints = 1 | 3 | 7;

/** One point on each median: `main` of one corner and the same of both others. */
const turns = (main: number): number[] => {
  const side = (1 - main) / 2;
  return [main, side, side, side, main, side, side, side, main];
};

const ROOT = Math.sqrt(15);
const INNER = (155 - ROOT) / 1200;
const OUTER = (155 + ROOT) / 1200;
const MIDDLE = [1 / 3, 1 / 3, 1 / 3];

export const triangleRules: Record<RulePoints, TriangleRule> = {
  1: { count: 1, weight: MIDDLE, share: [1] },
  3: { count: 3, weight: turns(2 / 3), share: [1 / 3, 1 / 3, 1 / 3] },
  7: {
    count: 7,
    weight: [...MIDDLE, ...turns((9 + 2 * ROOT) / 21), ...turns((9 - 2 * ROOT) / 21)],
    share: [9 / 40, INNER, INNER, INNER, OUTER, OUTER, OUTER],
  },
};

/**
 * Points (n) in (0, 1) and their shares of the Gauss-Legendre rule, exact to degree 2 n - 1: Newton's method
 * from Chebyshev's points.
 */
export function computeGaussRule(n: number): { readonly point: number[]; readonly share: number[] } {
  const point: number[] = [];
  const share: number[] = [];
  for (let i = 0; i < n; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let pass = 0; pass < 8; pass++) {
      // P_k by the three-term recurrence, and P_n' from P_n and P_(n-1).
      let [last, value] = [1, x];
      for (let k = 2; k <= n; k++) [last, value] = [value, ((2 * k - 1) * x * value - (k - 1) * last) / k];
      slope = (n * (last - x * value)) / (1 - x * x);
      x -= value / slope;
    }
    point.push((1 - x) / 2);
    share.push(1 / ((1 - x * x) * slope * slope));
  }
  return { point, share };
}
