import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import {
  computeSelfMean,
  computeTrianglePotential,
  setRulePoints,
} from '../../../src/integrals/panels/triangle-potential.ts';
import { computeDoubleArea } from '../../../src/math/triangle.ts';

const triangleArea = (p: Float64Array, at: number) => 0.5 * computeDoubleArea(p, at, at + 3, at + 6);

const random = createRandom(7);
const draw = () => Float64Array.from({ length: 9 }, () => random.next());

/** Integral over the triangle by n^2 small triangles. */
function integrate(
  p: Float64Array,
  at: number,
  n: number,
  f: (x: number, y: number, z: number) => number,
): number {
  const u = [0, 1, 2].map((k) => p[at + 3 + k] - p[at + k]);
  const w = [0, 1, 2].map((k) => p[at + 6 + k] - p[at + k]);
  const double = Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]);
  let sum = 0;
  const add = (s: number, t: number) => {
    const [x, y, z] = [0, 1, 2].map((k) => p[at + k] + s * u[k] + t * w[k]);
    sum += f(x, y, z);
  };
  for (let i = 0; i < n; i++) {
    for (let j = 0; i + j < n; j++) {
      add((i + 1 / 3) / n, (j + 1 / 3) / n);
      if (i + j < n - 1) add((i + 2 / 3) / n, (j + 2 / 3) / n);
    }
  }
  return (sum * double) / (2 * n * n);
}

/**
 * Bits after the point of whole numbers that stand for lengths: enough for all of a double's at the heights
 * here, and for roots.
 */
const BITS = 240;

function computeRoot(square: bigint): bigint {
  let x = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (let next = x; ; x = next) {
    next = (x + square / x) >> 1n;
    if (next >= x) return x;
  }
}

/**
 * The closed form as it stands in Eibert and Hansen, over the square of the area, in whole numbers but for
 * the logarithms.
 */
function computeSelfMeanExactly(p: Float64Array): number {
  const whole = Array.from(p, (x) => BigInt(x * 2 ** BITS));
  const edges = [0, 3, 6].map((i) => {
    const along = [0, 1, 2].map((k) => whole[(i + 3 + k) % 9] - whole[i + k]);
    return computeRoot(along[0] ** 2n + along[1] ** 2n + along[2] ** 2n);
  });
  const sum = edges[0] + edges[1] + edges[2];
  const number = (x: bigint) => Number(x) / 2 ** BITS;
  const parts = edges.map(
    (e) => Math.log1p(number((2n * e * 2n ** BigInt(BITS)) / (sum - 2n * e))) / number(e),
  );
  return (4 / 3) * (parts[0] + parts[1] + parts[2]);
}

/** Turned and moved a little, so that no coordinate is round. */
function turn(p: Float64Array): Float64Array {
  const axes = [
    [0.36, 0.48, -0.8],
    [-0.8, 0.6, 0],
    [0.48, 0.64, 0.6],
  ];
  return Float64Array.from(p, (_, n) => {
    const at = n - (n % 3);
    const axis = axes[n % 3];
    return 0.1 + axis[0] * p[at] + axis[1] * p[at + 1] + axis[2] * p[at + 2];
  });
}

describe('integrals of 1/r over triangles', () => {
  it('potential at points off the triangle and in its plane', () => {
    for (let n = 0; n < 20; n++) {
      const p = draw();
      const x = [random.next() + 1, random.next() + 1, random.next() - 1];
      const truth = integrate(p, 0, 120, (a, b, c) => 1 / Math.hypot(a - x[0], b - x[1], c - x[2]));
      expect(computeTrianglePotential(p, 0, x[0], x[1], x[2])).toBeCloseTo(truth, 4);
    }
    const flat = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const truth = integrate(flat, 0, 400, (a, b) => 1 / Math.hypot(a - 2, b - 0.5));
    expect(computeTrianglePotential(flat, 0, 2, 0.5, 0)).toBeCloseTo(truth, 5);
  });

  it('mean over a triangle and itself is that of its potential', () => {
    for (let n = 0; n < 5; n++) {
      const p = draw();
      const truth = integrate(p, 0, 80, (x, y, z) => computeTrianglePotential(p, 0, x, y, z));
      expect((computeSelfMean(p, 0) * triangleArea(p, 0) ** 2) / truth).toBeCloseTo(1, 3);
    }
  });

  const heights = Array.from({ length: 25 }, (_, n) => 10 ** (-n / 2));
  it.each([
    ['needle', (h: number) => [0, 0, 0, h, 0, 0, h / 2, 1, 0]],
    ['needle with an obtuse corner', (h: number) => [0, 0, 0, 1, 0, 0, 1 + 0.6 * h, 0.8 * h, 0]],
    ['cap', (h: number) => [0, 0, 0, 1, 0, 0, 0.4, h, 0]],
    ['lopsided cap', (h: number) => [0, 0, 0, 1, 0, 0, 0.999, h, 0]],
  ])('mean over a sliver and itself has all digits: %s', (_, build) => {
    for (const height of heights) {
      const flat = Float64Array.from(build(height));
      for (let i = 0; i < 9; i += 3) {
        const p = Float64Array.from({ length: 9 }, (_, k) => flat[(i + k) % 9]);
        for (const scale of [1, 1e-3]) {
          const q = p.map((x) => scale * x);
          expect(Math.abs(computeSelfMean(q, 0) / computeSelfMeanExactly(q) - 1)).toBeLessThan(1e-14);
        }
        // Turned, the rounding of its edges moves a corner of a cap across it: by a share of the height that
        // grows as it falls.
        const turned = turn(p);
        const moved = (4 * Number.EPSILON) / height;
        const miss = Math.abs(computeSelfMean(turned, 0) / computeSelfMeanExactly(turned) - 1);
        expect(miss).toBeLessThan(1e-14 + moved);
      }
    }
  });

  it('neighbours: the rule of three points is near to fine quadrature', () => {
    const p = Float64Array.from([0, 0, 0, 1, 0, 0, 0.4, 0.9, 0, 0, 0, 0, 0.5, -0.8, 0.3, 1, 0, 0]);
    const point = new Float64Array(18);
    setRulePoints(p, 0, point, 0);
    setRulePoints(p, 9, point, 9);
    const area = [integrate(p, 0, 1, () => 1), integrate(p, 9, 1, () => 1)];
    expect(triangleArea(p, 9)).toBeCloseTo(area[1], 12);
    const truth =
      integrate(p, 9, 80, (x, y, z) => computeTrianglePotential(p, 0, x, y, z)) / (area[0] * area[1]);
    for (const [a, b] of [
      [0, 9],
      [9, 0],
    ]) {
      let mean = 0;
      for (let i = b; i < b + 9; i += 3)
        mean += computeTrianglePotential(p, a, point[i], point[i + 1], point[i + 2]) / (3 * area[a / 9]);
      expect(Math.abs(mean / truth - 1)).toBeLessThan(0.03);
    }
  });
});
