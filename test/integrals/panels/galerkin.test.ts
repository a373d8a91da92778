/**
 * Galerkin's form: symmetry, definiteness, sums of rows, and the slope of harmonic functions from their
 * values.
 */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createRandom } from '../../../src/core/random.ts';
import { createThreads } from '../../../src/core/threads/node.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import {
  createGalerkinOperator,
  type GalerkinOptions,
  multiplyMass,
} from '../../../src/integrals/panels/galerkin.ts';
import type { LayerOperator } from '../../../src/integrals/panels/layer-operator.ts';
import { buildMiddleTargets, type PanelSurface } from '../../../src/integrals/panels/surface-points.ts';
import { factorCholesky } from '../../../src/math/dense-solve.ts';
import { computeDoubleArea } from '../../../src/math/triangle.ts';
import { buildSphere } from '../sphere.ts';
import { buildCorner, buildCube, buildEllipsoid, type Place } from './closed-surfaces.ts';

const resources = { heap: createHeap({ maximumBytes: 2 ** 29 }), threads: createSingleThread() };
const single = { layer: 'single', density: 'constant' } as const;
const double = { layer: 'double', density: 'linear' } as const;

const apply = (operator: LayerOperator, x: ArrayLike<number>) => {
  const out = new Float64Array(operator.rowCount);
  operator.apply(x, out);
  return out;
};
const applyTransposed = (operator: LayerOperator, x: ArrayLike<number>) => {
  const out = new Float64Array(operator.columnCount);
  operator.applyTransposed(x, out);
  return out;
};
function withOperator<T>(
  surface: PanelSurface,
  options: GalerkinOptions,
  use: (operator: LayerOperator) => T,
): T {
  const before = resources.heap.bytesInUse;
  const operator = createGalerkinOperator(resources, surface, options);
  try {
    return use(operator);
  } finally {
    operator.free();
    expect(resources.heap.bytesInUse).toBe(before);
  }
}
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, x, n) => sum + x * b[n], 0);
const norm = (a: ArrayLike<number>) => Math.sqrt(dot(a, a));
const draw = (n: number, seed: number) => {
  const random = createRandom(seed);
  return Float64Array.from({ length: n }, () => 2 * random.next() - 1);
};
const listAreas = ({ position, triangle }: PanelSurface) =>
  Float64Array.from(
    { length: triangle.length / 3 },
    (_, t) =>
      computeDoubleArea(position, 3 * triangle[3 * t], 3 * triangle[3 * t + 1], 3 * triangle[3 * t + 2]) / 2,
  );

describe.each([
  ['ellipsoid', buildEllipsoid(3)],
  ['corner of three cubes', buildCorner(4)],
] as const)('on an %s', (_, surface) => {
  it('the single layer is symmetric to rounding and positive definite', () => {
    withOperator(surface, { ...single, method: 'direct' }, (v) => {
      const n = v.rowCount;
      const [x, y] = [draw(n, 1), draw(n, 2)];
      const [vx, vy] = [apply(v, x), apply(v, y)];
      expect(Math.abs(dot(y, vx) - dot(x, vy))).toBeLessThan(1e-13 * norm(y) * norm(vx));
      const matrix = new Float64Array(n * n);
      const unit = new Float64Array(n);
      for (let c = 0; c < n; c++) {
        unit[c] = 1;
        apply(v, unit).forEach((value, r) => {
          matrix[n * r + c] = value;
        });
        unit[c] = 0;
      }
      factorCholesky(matrix, n);
      let least = Infinity;
      for (let r = 0; r < n; r++) least = Math.min(least, matrix[(n + 1) * r]);
      // A pivot that is not positive would come out as the root of the smallest number.
      expect(least).toBeGreaterThan(1e-4);
    });
  });

  it.each([
    single,
    double,
    { layer: 'double', density: 'constant' } as const,
    { layer: 'single', density: 'linear' } as const,
  ])('is adjoint to its transpose: %o', (kind) => {
    for (const [method, tolerance] of [
      ['direct', 1e-12],
      ['multipole', 1e-5],
    ] as const)
      withOperator(surface, { ...kind, method, tolerance: 1e-5 }, (operator) => {
        const [x, y] = [draw(operator.columnCount, 3), draw(operator.rowCount, 4)];
        const ax = apply(operator, x);
        const miss = Math.abs(dot(y, ax) - dot(applyTransposed(operator, y), x));
        expect(miss).toBeLessThan(tolerance * norm(y) * norm(ax));
      });
  });

  it('the double layer of 1 is -1/2 of the area', () => {
    const areas = listAreas(surface);
    for (const density of ['linear', 'constant'] as const) {
      const count = (density === 'linear' ? surface.position.length : surface.triangle.length) / 3;
      const ones = new Float64Array(count).fill(1);
      const miss = (options: GalerkinOptions) =>
        withOperator(surface, options, (k) =>
          apply(k, ones).reduce((worst, x, f) => Math.max(worst, Math.abs(x / areas[f] + 0.5)), 0),
        );
      expect(miss({ layer: 'double', density })).toBeLessThan(1e-12);
      const free = miss({ layer: 'double', density, isClosed: false });
      expect(free).toBeLessThan(2e-3);
      expect(free).toBeGreaterThan(1e-9);
    }
  });

  it('far sums are near to all pairs integrated', () => {
    for (const [kind, bound] of [
      [single, 2e-5],
      [double, 2e-4],
    ] as const) {
      const columns = (kind.density === 'linear' ? surface.position.length : surface.triangle.length) / 3;
      const x = Float64Array.from({ length: columns }, (_, n) => Math.cos(n / columns));
      const whole = withOperator(surface, { ...kind, near: 1e6, isClosed: false }, (o) => apply(o, x));
      const fast = withOperator(surface, { ...kind, isClosed: false }, (o) => apply(o, x));
      expect(norm(fast.map((v, n) => v - whole[n]))).toBeLessThan(bound * norm(whole));
    }
  });
});

/** Conjugate gradients, to a relative residual. */
function solve(v: LayerOperator, b: Float64Array): Float64Array {
  const x = new Float64Array(b.length);
  const r = b.slice();
  const p = b.slice();
  let square = dot(r, r);
  for (let n = 0; n < 400 && Math.sqrt(square) > 1e-9 * norm(b); n++) {
    const vp = apply(v, p);
    const step = square / dot(p, vp);
    for (let i = 0; i < x.length; i++) {
      x[i] += step * p[i];
      r[i] -= step * vp[i];
    }
    const next = dot(r, r);
    for (let i = 0; i < x.length; i++) p[i] = r[i] + (next / square) * p[i];
    square = next;
  }
  return x;
}

/** q of V q = (M/2 + K) phi. */
function findSlope(surface: PanelSurface, phi: Float64Array): Float64Array {
  const right = withOperator(surface, double, (k) => apply(k, phi));
  const mass = new Float64Array(right.length);
  multiplyMass(surface, phi, false, mass);
  for (let f = 0; f < right.length; f++) right[f] += mass[f] / 2;
  return withOperator(surface, single, (v) => solve(v, right));
}

const at = (p: ArrayLike<number>, n: number): Place => [p[3 * n], p[3 * n + 1], p[3 * n + 2]];
const sample = ({ position }: PanelSurface, f: (x: Place) => number) =>
  Float64Array.from({ length: position.length / 3 }, (_, v) => f(at(position, v)));

describe('the first-kind equation gives the slope of a harmonic function from its values', () => {
  it.each([
    ['sphere', buildSphere(3)],
    ['cube', buildCube(6)],
  ] as const)('exactly for x, up to quadrature: %s', (_, surface) => {
    const { normal } = buildMiddleTargets(surface, true);
    const areas = listAreas(surface);
    const q = findSlope(
      surface,
      sample(surface, (x) => x[0]),
    );
    let [miss, size] = [0, 0];
    q.forEach((value, f) => {
      miss += areas[f] * (value - normal![3 * f]) ** 2;
      size += areas[f] * normal![3 * f] ** 2;
    });
    expect(Math.sqrt(miss / size)).toBeLessThan(2e-3);
  });

  // Integral of the square of the gradient of x y, over the solid: of x^2 + y^2.
  const ellipsoid = ((4 * Math.PI) / 15) * 1.2 * 0.8 * 0.6 * (1.2 ** 2 + 0.8 ** 2);
  it.each([
    ['sphere', [2, 3, 4], buildSphere, (8 * Math.PI) / 15],
    ['ellipsoid', [2, 3, 4], buildEllipsoid, ellipsoid],
    ['cube', [3, 6, 12], buildCube, 2 / 3],
  ] as const)('energy of x y converges with order 1.8 at least: %s', (_, levels, build, truth) => {
    const misses = levels.map((level) => {
      const surface = build(level);
      const phi = sample(surface, (x) => x[0] * x[1]);
      const mass = new Float64Array(surface.triangle.length / 3);
      multiplyMass(surface, phi, false, mass);
      return Math.abs(dot(findSlope(surface, phi), mass) / truth - 1);
    });
    for (let n = 1; n < misses.length; n++) expect(Math.log2(misses[n - 1] / misses[n])).toBeGreaterThan(1.8);
  });
});

it('mass and its transpose are adjoint and hold the area', () => {
  const surface = buildEllipsoid(2);
  const [faces, vertices] = [surface.triangle.length / 3, surface.position.length / 3];
  const [x, y] = [draw(vertices, 5), draw(faces, 6)];
  const [mx, my] = [new Float64Array(faces), new Float64Array(vertices)];
  multiplyMass(surface, x, false, mx);
  multiplyMass(surface, y, true, my);
  expect(Math.abs(dot(y, mx) - dot(my, x))).toBeLessThan(1e-14);
  multiplyMass(surface, new Float64Array(vertices).fill(1), false, mx);
  listAreas(surface).forEach((area, f) => {
    expect(Math.abs(mx[f] - area)).toBeLessThan(1e-15);
  });
});

it('gives the same bytes on 1 and 2 threads', async () => {
  const heap = createHeap({ maximumBytes: 2 ** 28 });
  const team = await createThreads({ heap, count: 2 });
  try {
    const surface = buildEllipsoid(3);
    for (const kind of [single, double]) {
      const results = [createSingleThread(), team].map((threads) => {
        const operator = createGalerkinOperator({ heap, threads }, surface, { ...kind, method: 'multipole' });
        const x = draw(operator.columnCount, 7);
        const out = [...apply(operator, x), ...applyTransposed(operator, apply(operator, x))];
        operator.free();
        return out;
      });
      expect(results[1]).toEqual(results[0]);
    }
  } finally {
    await team.close();
  }
});

it('a near distance that leaves touching faces out is refused', () => {
  expect(() => createGalerkinOperator(resources, buildSphere(1), { ...single, near: 1.5 })).toThrow(
    /near distance/,
  );
});
