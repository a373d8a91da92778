/**
 * Layer operators: solid angles, Green's identity, transposes, and the fast form against closed forms for all
 * pairs.
 */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createRandom } from '../../../src/core/random.ts';
import { createThreads } from '../../../src/core/threads/node.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import {
  createLayerOperator,
  type LayerOperator,
  type LayerOptions,
} from '../../../src/integrals/panels/layer-operator.ts';
import {
  buildMiddleTargets,
  buildVertexTargets,
  computeVertexAngles,
  type PanelSurface,
  type PanelTargets,
} from '../../../src/integrals/panels/surface-points.ts';
import { buildSphere } from '../sphere.ts';
import { buildCorner, buildCube, buildEllipsoid, type Place } from './closed-surfaces.ts';

const resources = { heap: createHeap({ maximumBytes: 2 ** 29 }), threads: createSingleThread() };

function withOperator<T>(
  surface: PanelSurface,
  targets: PanelTargets,
  options: LayerOptions,
  use: (operator: LayerOperator) => T,
): T {
  const before = resources.heap.bytesInUse;
  const operator = createLayerOperator(resources, surface, targets, options);
  try {
    return use(operator);
  } finally {
    operator.free();
    expect(resources.heap.bytesInUse).toBe(before);
  }
}

function evaluate(
  surface: PanelSurface,
  targets: PanelTargets,
  options: LayerOptions,
  density: ArrayLike<number>,
): Float64Array {
  return withOperator(surface, targets, options, (operator) => {
    const out = new Float64Array(operator.rowCount);
    operator.apply(density, out);
    return out;
  });
}

const ones = (n: number) => new Float64Array(n).fill(1);
const largest = (values: ArrayLike<number>) =>
  Array.from(values).reduce((most, x) => Math.max(most, Math.abs(x)), 0);

const surfaces: [string, PanelSurface][] = [
  ['sphere', buildSphere(2)],
  ['ellipsoid', buildEllipsoid(2)],
  ['cube', buildCube(4)],
  ['corner of three cubes', buildCorner(2)],
];

describe('solid angles of vertices', () => {
  it('of a cube and of reflex corners are known', () => {
    const angles = new Set(
      Array.from(computeVertexAngles(buildCorner(1)), (a) => Math.round((a / Math.PI) * 1e9) / 1e9),
    );
    // Convex corners, flat and reflex edges, as eighths of the sphere.
    expect([...angles].sort((a, b) => a - b)).toEqual([0.5, 1, 1.5]);
    for (const a of computeVertexAngles(buildCube(1))) expect(Math.abs(a - Math.PI / 2)).toBeLessThan(1e-14);
  });

  it('of two cubes that touch in a vertex add up', () => {
    const one = buildCube(1);
    const shared = Array.from({ length: 8 }, (_, v) => v).find((v) =>
      [0, 1, 2].every((k) => one.position[3 * v + k] === 1),
    )!;
    // The second cube is the first, point-reflected at the shared vertex, its faces turned round.
    const position = Float64Array.from([
      ...Array.from(one.position as Float64Array),
      ...Array.from(one.position as Float64Array, (x) => 2 - x),
    ]);
    const other = Array.from(one.triangle as Int32Array, (v) => (v === shared ? v : v + 8));
    for (let t = 0; t < other.length; t += 3) [other[t], other[t + 1]] = [other[t + 1], other[t]];
    const angle = computeVertexAngles({
      position,
      triangle: Int32Array.from([...Array.from(one.triangle as Int32Array), ...other]),
    });
    expect(Math.abs(angle[shared] - Math.PI)).toBeLessThan(1e-14);
  });

  it('are refused where the surface is open', () => {
    const { position, triangle } = buildCube(1);
    expect(() =>
      buildVertexTargets({ position, triangle: Array.from(triangle as Int32Array).slice(3) }, true),
    ).toThrow(/does not have two faces/);
  });
});

describe.each(surfaces)('double layer of a constant density on a %s', (_, surface) => {
  const [vertexCount, faceCount] = [surface.position.length / 3, surface.triangle.length / 3];

  it('is minus the solid angle over 4 pi at vertices and -1/2 on faces, by closed forms alone', () => {
    const vertices = buildVertexTargets(surface, true);
    const middles = buildMiddleTargets(surface, true);
    for (const targets of [vertices, middles])
      for (const [density, count] of [
        ['linear', vertexCount],
        ['constant', faceCount],
      ] as const) {
        const found = evaluate(surface, targets, { layer: 'double', density, near: Infinity }, ones(count));
        found.forEach((x, n) => {
          expect(Math.abs(x - targets.unitSum![n])).toBeLessThan(1e-12);
        });
      }
  });

  it('is -1 inside and 0 outside', () => {
    const [x, y, z] = [surface.position[0], surface.position[1], surface.position[2]];
    const inside = surface.position.length > 0 ? [0.31, 0.22, 0.17] : [];
    const targets: PanelTargets = { position: [...inside, x + 3, y - 2, z + 1], on: 'points' };
    for (const near of [4, Infinity]) {
      const found = evaluate(
        surface,
        targets,
        { layer: 'double', density: 'linear', near },
        ones(vertexCount),
      );
      expect(Math.abs(found[0] + 1)).toBeLessThan(near === 4 ? 1e-3 : 1e-13);
      expect(Math.abs(found[1])).toBeLessThan(near === 4 ? 1e-4 : 1e-13);
    }
  });

  it.each(['direct', 'multipole'] as const)('is kept to 1e-12 with far sums: %s', (method) => {
    for (const [targets, density, count] of [
      [buildVertexTargets(surface, true), 'linear', vertexCount],
      [buildMiddleTargets(surface, true), 'linear', vertexCount],
      [buildMiddleTargets(surface, true), 'constant', faceCount],
    ] as const) {
      const options = { layer: 'double', density, method } as const;
      const kept = evaluate(surface, targets, options, ones(count));
      const free = evaluate(surface, { position: targets.position, on: targets.on }, options, ones(count));
      const miss = (found: Float64Array) => largest(found.map((x, n) => x - targets.unitSum![n]));
      expect(miss(kept)).toBeLessThan(1e-12);
      // What is corrected is small.
      expect(miss(free)).toBeLessThan(2e-3);
      expect(miss(free)).toBeGreaterThan(1e-9);
    }
  });
});

const layers = ['single', 'double', 'adjoint'] as const;
const densities = ['constant', 'linear'] as const;
const cases = layers.flatMap((layer) => densities.map((density) => [layer, density] as const));

const randomVector = (n: number, seed: number) => {
  const random = createRandom(seed);
  return Float64Array.from({ length: n }, () => 2 * random.next() - 1);
};
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, x, n) => sum + x * b[n], 0);

describe.each(cases)('%s layer of a %s density', (layer, density) => {
  const surface = buildEllipsoid(3);
  const middles = buildMiddleTargets(surface, true);

  it.each([
    ['closed forms', { near: Infinity }, 1e-12],
    ['direct sums', { method: 'direct' }, 1e-12],
    ['multipoles', { method: 'multipole', tolerance: 1e-6 }, 1e-6],
  ] as const)('is adjoint to its transpose: %s', (_, how, tolerance) => {
    withOperator(surface, middles, { layer, density, ...how }, (operator) => {
      const x = randomVector(operator.columnCount, 1);
      const y = randomVector(operator.rowCount, 2);
      const [ax, aty] = [new Float64Array(operator.rowCount), new Float64Array(operator.columnCount)];
      operator.apply(x, ax);
      operator.applyTransposed(y, aty);
      expect(Math.abs(dot(y, ax) - dot(aty, x))).toBeLessThan(tolerance * Math.sqrt(dot(y, y) * dot(ax, ax)));
      expect(dot(ax, ax)).toBeGreaterThan(0);
    });
  });

  it('with far sums is near to closed forms for all pairs, the nearer the more points and distance', () => {
    const targets: PanelTargets = { position: middles.position, normal: middles.normal!, on: 'points' };
    const x = Float64Array.from(
      { length: density === 'linear' ? surface.position.length / 3 : surface.triangle.length / 3 },
      (_, n) => Math.cos(density === 'linear' ? 3 * surface.position[3 * n] : 3 * middles.position[3 * n]),
    );
    const truth = evaluate(surface, targets, { layer, density, near: Infinity }, x);
    const miss = (options: Pick<LayerOptions, 'near' | 'points'>) => {
      const found = evaluate(surface, targets, { layer, density, method: 'direct', ...options }, x);
      const difference = found.map((v, n) => v - truth[n]);
      return Math.sqrt(dot(difference, difference) / dot(truth, truth));
    };
    const bounds = { single: 2e-5, double: 1e-4, adjoint: 1e-4 };
    expect(miss({})).toBeLessThan(bounds[layer]);
    expect(miss({ points: 3, near: 2 })).toBeGreaterThan(miss({}));
    expect(miss({ points: 7 })).toBeLessThan(0.02 * bounds[layer]);
  });
});

it('gives the same bytes on 1 and 2 threads', async () => {
  const heap = createHeap({ maximumBytes: 2 ** 28 });
  const team = await createThreads({ heap, count: 2 });
  try {
    const surface = buildEllipsoid(3);
    const middles = buildMiddleTargets(surface, true);
    for (const [layer, density] of cases) {
      const results = [createSingleThread(), team].map((threads) => {
        const operator = createLayerOperator({ heap, threads }, surface, middles, {
          ...{ layer, density, method: 'multipole' },
        });
        const out = new Float64Array(operator.rowCount);
        operator.apply(randomVector(operator.columnCount, 5), out);
        const back = new Float64Array(operator.columnCount);
        operator.applyTransposed(out, back);
        operator.free();
        return [...out, ...back];
      });
      expect(results[1]).toEqual(results[0]);
    }
  } finally {
    await team.close();
  }
});

interface Harmonic {
  readonly value: (x: Place) => number;
  readonly slope: (x: Place) => Place;
}

/** 1 / |x - c| */
const charge = (c: Place): Harmonic => ({
  value: (x) => 1 / Math.hypot(x[0] - c[0], x[1] - c[1], x[2] - c[2]),
  slope: (x) => {
    const cube = Math.hypot(x[0] - c[0], x[1] - c[1], x[2] - c[2]) ** 3;
    return [(c[0] - x[0]) / cube, (c[1] - x[1]) / cube, (c[2] - x[2]) / cube];
  },
});

const inner: [string, Harmonic][] = [
  ['x', { value: (x) => x[0], slope: () => [1, 0, 0] }],
  ['x y', { value: (x) => x[0] * x[1], slope: (x) => [x[1], x[0], 0] }],
  [
    'exp(z) cos(x)',
    {
      value: (x) => Math.exp(x[2]) * Math.cos(x[0]),
      slope: (x) => [-Math.exp(x[2]) * Math.sin(x[0]), 0, Math.exp(x[2]) * Math.cos(x[0])],
    },
  ],
  ['1/r from a charge outside', charge([2, 1.5, 1.8])],
];
const outer: [string, Harmonic][] = [['1/r from a charge inside', charge([0.3, 0.25, 0.2])]];
const at = (p: ArrayLike<number>, n: number): Place => [p[3 * n], p[3 * n + 1], p[3 * n + 2]];

/**
 * Green's identity on the polyhedron: V q - K phi = Theta / (4 pi) phi inside, K phi - V q = (1 - Theta / (4
 * pi)) phi outside, with phi linear from the vertices and q constant from the middles. Root mean square of
 * what is missing at the vertices.
 */
function measureGreen(
  surface: PanelSurface,
  { value, slope }: Harmonic,
  isOuter: boolean,
  near?: number,
): number {
  const vertices = buildVertexTargets(surface, true);
  const middles = buildMiddleTargets(surface, true);
  const count = vertices.position.length / 3;
  const phi = Float64Array.from({ length: count }, (_, v) => value(at(vertices.position, v)));
  const q = Float64Array.from({ length: surface.triangle.length / 3 }, (_, f) =>
    dot(slope(at(middles.position, f)), at(middles.normal!, f)),
  );
  const how = near === undefined ? {} : { near };
  const single = evaluate(surface, vertices, { layer: 'single', density: 'constant', ...how }, q);
  const double = evaluate(surface, vertices, { layer: 'double', density: 'linear', ...how }, phi);
  const miss = phi.map((p, v) => single[v] - double[v] + ((isOuter ? 1 : 0) + vertices.unitSum![v]) * p);
  return Math.sqrt(dot(miss, miss) / dot(phi, phi));
}

describe.each([
  ['sphere', [2, 3, 4], buildSphere],
  ['ellipsoid', [2, 3, 4], buildEllipsoid],
  ['cube', [4, 8, 16], buildCube],
] as const)("Green's identity on a %s", (_, levels, build) => {
  const harmonics = [...inner.map((h) => [...h, false] as const), ...outer.map((h) => [...h, true] as const)];
  it.each(harmonics)('%s converges with order 1.8 at least', (name, harmonic, isOuter) => {
    const misses = levels.map((level) => measureGreen(build(level), harmonic, isOuter));
    if (name === 'x') {
      // Linear with constant slopes: exact on any polyhedron, up to the far sums.
      expect(misses[0]).toBeLessThan(1e-5);
      expect(measureGreen(build(levels[0]), harmonic, isOuter, Infinity)).toBeLessThan(1e-13);
      return;
    }
    expect(misses[0]).toBeLessThan(0.05);
    for (let n = 1; n < misses.length; n++) expect(Math.log2(misses[n - 1] / misses[n])).toBeGreaterThan(1.8);
  });
});

describe('on the unit sphere, densities of degree n', () => {
  // Spherical harmonics are eigenfunctions: V 1 / (2 n + 1), K and K' -1 / (4 n + 2).
  const harmonics: [number, (x: Place) => number][] = [
    [1, (x) => x[2]],
    [2, (x) => x[0] * x[1]],
  ];
  it.each(cases)('%s layer of a %s density has their eigenvalues in the limit', (layer, density) => {
    for (const [degree, harmonic] of harmonics) {
      const eigenvalue = layer === 'single' ? 1 / (2 * degree + 1) : -1 / (4 * degree + 2);
      const [coarse, fine] = [3, 4].map((splits) => {
        const surface = buildSphere(splits);
        const middles = buildMiddleTargets(surface, true);
        const points = density === 'linear' ? surface.position : middles.position;
        const x = Float64Array.from({ length: points.length / 3 }, (_, n) => harmonic(at(points, n)));
        const found = evaluate(surface, middles, { layer, density }, x);
        const truth = found.map((_, n) => eigenvalue * harmonic(at(middles.position, n)));
        const miss = found.map((v, n) => v - truth[n]);
        return Math.sqrt(dot(miss, miss) / dot(truth, truth));
      });
      // The slope at a flat face misses the curvature of its own: the adjoint layer in points is of first
      // order on a smooth surface.
      expect(coarse).toBeLessThan(layer === 'adjoint' ? 0.5 : 0.15);
      expect(Math.log2(coarse / fine)).toBeGreaterThan(layer === 'adjoint' ? 0.8 : 1.8);
    }
  });
});

describe('a surface that is moved, turned, scaled or renumbered', () => {
  const surface = buildEllipsoid(2);
  const angle = 0.7;
  const change = (move: (x: Place) => Place): PanelSurface => ({
    position: Float64Array.from(
      Array.from({ length: surface.position.length / 3 }, (_, v) => move(at(surface.position, v))).flat(),
    ),
    triangle: surface.triangle,
  });
  const turn = ([x, y, z]: Place): Place => [
    Math.cos(angle) * x - Math.sin(angle) * y,
    Math.sin(angle) * x + Math.cos(angle) * y,
    z,
  ];
  const measure = (of: PanelSurface, layer: (typeof layers)[number]) => {
    const middles = buildMiddleTargets(of, true);
    return evaluate(of, middles, { layer, density: 'linear' }, randomVector(of.position.length / 3, 9));
  };

  it.each([
    ['moved by a thousand', change(([x, y, z]) => [x + 1000, y - 500, z + 700]), 1, 1e-8],
    ['turned', change(turn), 1, 1e-10],
    ['a thousandth in size', change(([x, y, z]) => [x / 1000, y / 1000, z / 1000]), 1e-3, 1e-10],
    ['a million in size', change(([x, y, z]) => [1e6 * x, 1e6 * y, 1e6 * z]), 1e6, 1e-10],
  ] as const)('has the same operators: %s', (_, other, scale, tolerance) => {
    for (const layer of layers) {
      const [one, two] = [measure(surface, layer), measure(other, layer)];
      const factor = layer === 'single' ? 1 / scale : 1;
      const miss = largest(two.map((x, n) => factor * x - one[n]));
      expect(miss).toBeLessThan(tolerance * largest(one));
    }
  });

  it('turned inside out, has the sign of its double layer turned', () => {
    const { position, triangle } = surface;
    const flipped = { position, triangle: Int32Array.from(triangle as Int32Array) };
    for (let t = 0; t < triangle.length; t += 3)
      [flipped.triangle[t], flipped.triangle[t + 1]] = [triangle[t + 1], triangle[t]];
    const targets: PanelTargets = { position: buildMiddleTargets(surface, true).position, on: 'points' };
    const x = randomVector(position.length / 3, 10);
    const run = (of: PanelSurface, layer: 'single' | 'double') =>
      evaluate(of, targets, { layer, density: 'linear' }, x);
    const [single, double] = [run(surface, 'single'), run(surface, 'double')];
    expect(largest(run(flipped, 'single').map((v, n) => v - single[n]))).toBeLessThan(1e-13);
    expect(largest(run(flipped, 'double').map((v, n) => v + double[n]))).toBeLessThan(1e-13);
  });
});
