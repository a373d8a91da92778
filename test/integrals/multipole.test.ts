/**
 * The multipole method against the direct sum: accuracy by tolerance, hostile points, threads, and what
 * fields must satisfy.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createThreads } from '../../src/core/threads/node.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { createKernelSum, MULTIPOLE_PAIRS } from '../../src/integrals/kernel-sum.ts';
import { findAccuracy } from '../../src/integrals/multipole/accuracy.ts';
import { prepareMultipoleSum } from '../../src/integrals/multipole/multipole-sum.ts';
import type { SumKernel } from '../../src/integrals/sum-kernels.ts';
import { computePanelSources } from '../../src/integrals/vortex-panels.ts';
import { allKernels, randomPoints, relativeError, sizes } from './naive.ts';
import { buildSphere, computeStrength } from './sphere.ts';

const heap = createHeap();
const resources = { heap, threads: createSingleThread() };
const team = await createThreads({ heap, count: 2 });
afterAll(() => team.close());

interface Points {
  source: Float64Array;
  target: Float64Array;
  strength: Float64Array;
  delta: number;
}

function evaluate(
  kernel: SumKernel,
  points: Points,
  options: { method: 'direct' | 'multipole'; tolerance?: number },
  on = resources,
): Float64Array {
  const out = new Float64Array((points.target.length / 3) * sizes[kernel].sum).fill(Number.NaN);
  createKernelSum(on, { kernel, ...options }).evaluate(
    ...([points.source, points.strength, points.target, points.delta, out] as const),
  );
  return out;
}

const measureError = (kernel: SumKernel, points: Points, tolerance = 1e-4) =>
  relativeError(
    evaluate(kernel, points, { method: 'multipole', tolerance }),
    evaluate(kernel, points, { method: 'direct' }),
  );

function buildCloud(kernel: SumKernel, sources: number, targets: number, delta: number): Points {
  return {
    source: randomPoints(11, sources),
    target: randomPoints(12, targets),
    strength: randomPoints(13, sources).subarray(0, sources * sizes[kernel].strength),
    delta,
  };
}

/**
 * The same on a sphere: its cells have fewer points nearby than those of a cloud, so that expansions run at
 * every tolerance.
 */
function buildShell(kernel: SumKernel, sources: number, targets: number, delta: number): Points {
  const cloud = buildCloud(kernel, sources, targets, delta);
  for (const points of [cloud.source, cloud.target])
    for (let i = 0; i < points.length; i += 3) {
      const size = Math.hypot(points[i], points[i + 1], points[i + 2]);
      for (let k = 0; k < 3; k++) points[i + k] /= size;
    }
  return cloud;
}

/**
 * Bubbles of a sheet: barycentres as sources, vertices as targets, delta half an edge; circulation of several
 * scales.
 */
function buildFoam(splits: number, centres: number[][], radius: number): Points {
  const position: number[] = [];
  const triangle: number[] = [];
  const bubble = buildSphere(splits, radius);
  for (const centre of centres) {
    const first = position.length / 3;
    for (let i = 0; i < bubble.position.length; i++) position.push(bubble.position[i] + centre[i % 3]);
    for (const v of bubble.triangle) triangle.push(v + first);
  }
  const circulation = Array.from({ length: position.length / 3 }, (_, v) => {
    const [x, y, z] = position.slice(3 * v, 3 * v + 3);
    return z + 0.5 * x * y + 0.3 * Math.sin(3 * x + 2 * y) + 0.2 * Math.sin(7 * z);
  });
  const strength = computeStrength(position, triangle, circulation);
  const source = new Float64Array(triangle.length);
  const points = new Float64Array(triangle.length);
  computePanelSources({ position, triangle, strength }, 1, source, points);
  const edge = Math.sqrt((4 * Math.PI * radius ** 2) / (bubble.triangle.length / 3) / 0.433);
  return { source, target: Float64Array.from(position), strength: points, delta: 0.5 * edge };
}

const foams: Record<string, () => Points> = {
  'a bubble': () => buildFoam(5, [[0, 0, 0]], 1),
  'two bubbles that overlap': () =>
    buildFoam(
      4,
      [
        [0, 0, 0],
        [1.1, 0, 0],
      ],
      1,
    ),
  'a cluster': () =>
    buildFoam(
      3,
      Array.from({ length: 12 }, (_, i) => [i % 3, Math.floor(i / 3) % 2, Math.floor(i / 6)]),
      0.5,
    ),
};

describe('the multipole method', () => {
  it.each(Object.keys(foams))('keeps the default tolerance on %s', (name) => {
    expect(measureError('biotSavart', foams[name]())).toBeLessThan(1e-4);
  });

  it.each(allKernels)('keeps the default tolerance on random clouds: %s', (kernel) => {
    expect(measureError(kernel, buildCloud(kernel, 6000, 3000, 0.03))).toBeLessThan(1e-4);
    expect(measureError(kernel, buildCloud(kernel, 4000, 5000, 0))).toBeLessThan(1e-4);
  });

  it.each([1e-2, 1e-3, 1e-5, 1e-6, 1e-7, 1e-8])('keeps a tolerance of %d in a cloud', (tolerance) => {
    const error = measureError('biotSavart', buildCloud('biotSavart', 6000, 3000, 0.03), tolerance);
    expect(error).toBeLessThan(tolerance);
  });

  // In the cloud all is near at the smallest tolerances, and no expansion runs.
  it.each(allKernels)('keeps every tolerance on a sphere: %s', (kernel) => {
    const points = buildShell(kernel, 6000, 3000, 0.03);
    const exact = evaluate(kernel, points, { method: 'direct' });
    for (const tolerance of [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]) {
      const error = relativeError(evaluate(kernel, points, { method: 'multipole', tolerance }), exact);
      expect(error).toBeLessThanOrEqual(tolerance);
      // Expansions ran: near sums alone err by rounding, at most 3e-8 in single precision, 1e-15 in double.
      expect(error).toBeGreaterThan(0.005 * tolerance);
    }
  });

  it('errs less with every order, down to what the opening leaves', () => {
    const points = buildCloud('biotSavart', 4000, 2000, 0.03);
    const exact = evaluate('biotSavart', points, { method: 'direct' });
    const errors = [2, 4, 6, 8, 10].map((order) => {
      const out = new Float64Array(exact.length);
      // The same cells interact at every order.
      const remainder = 0.4 ** order;
      const accuracy = { order, remainder, leafPoints: 64, isSingle: false };
      const scaled = {
        sourcePosition: points.source,
        targetPosition: points.target,
        regularisation: points.delta,
      };
      const prepared = prepareMultipoleSum(resources, 'biotSavart', scaled, accuracy);
      prepared.apply(points.strength, out);
      prepared.free();
      return relativeError(out, exact);
    });
    for (let i = 1; i < errors.length; i++) expect(errors[i]).toBeLessThan(0.35 * errors[i - 1]);
    expect(errors[errors.length - 1]).toBeGreaterThan(1e-14); // it is not the direct sum
  });

  it('takes over from the direct sum at the measured size', () => {
    const half = Math.sqrt(MULTIPOLE_PAIRS / 2);
    for (const [count, method] of [
      [Math.floor(1.4 * half), 'direct'],
      [Math.ceil(1.45 * half), 'multipole'],
    ] as const) {
      const points = buildCloud('potential', count, count, 0.05);
      const out = new Float64Array(count);
      const sum = createKernelSum(resources, { kernel: 'potential' });
      sum.evaluate(points.source, points.strength, points.target, points.delta, out);
      expect(out).toEqual(evaluate('potential', points, { method }));
    }
  });

  it.each(['biotSavart', 'doubleLayer'] as const)('gives the same bytes on 1 and 2 threads: %s', (kernel) => {
    const points = buildCloud(kernel, 7000, 4000, 0.02);
    for (const tolerance of [1e-4, 1e-6]) {
      const one = evaluate(kernel, points, { method: 'multipole', tolerance });
      const two = evaluate(kernel, points, { method: 'multipole', tolerance }, { heap, threads: team });
      expect(two).toEqual(one);
    }
    const one = evaluate(kernel, points, { method: 'direct' });
    expect(evaluate(kernel, points, { method: 'direct' }, { heap, threads: team })).toEqual(one);
  });

  it.each(allKernels)('%s: points that are source and target at once give the bytes of a copy', (kernel) => {
    const points = buildCloud(kernel, 3000, 3000, 0.01);
    const both = evaluate(kernel, { ...points, target: points.source }, { method: 'multipole' });
    const copy = evaluate(kernel, { ...points, target: points.source.slice() }, { method: 'multipole' });
    expect(both.every(Number.isFinite)).toBe(true);
    expect(Buffer.from(both.buffer).equals(Buffer.from(copy.buffer))).toBe(true);
  });

  it('is linear in the strengths of prepared points, and gives its memory back', () => {
    const points = buildCloud('gradient', 3000, 2000, 0.02);
    const before = heap.bytesInUse;
    const sum = createKernelSum(resources, { kernel: 'gradient', method: 'multipole' });
    const prepared = sum.prepare(points.source, points.target, points.delta);
    const [a, b, c] = [1, 2, 3].map(() => new Float64Array(6000));
    prepared.apply(points.strength, a);
    prepared.apply(
      points.strength.map(() => 0),
      b,
    );
    prepared.apply(
      points.strength.map((q) => -4 * q),
      c,
    );
    expect(b.every((x) => x === 0)).toBe(true);
    expect(Array.from(c)).toEqual(Array.from(a, (x) => -4 * x));
    prepared.free();
    expect(heap.bytesInUse).toBe(before);
  });
});

/** Places of a random point u in a cube of edge 1: what makes trees and series stumble. */
const shapes: Record<string, (u: number[], i: number) => number[]> = {
  'in a plane': ([x, y]) => [x, y, 0],
  'on a line': ([x]) => [x, 2 * x, -x],
  'in one place but one': (_, i) => (i === 0 ? [1, 1, 1] : [0.25, 0.25, 0.25]),
  'in pairs that coincide': (_, i) => [0, 1, 2].map((a) => Math.sin((i >> 1) * (a + 1.7))),
  'in two clusters far apart': (u, i) => u.map((x) => (i % 2 === 0 ? 1e-7 * x : 1 + 1e-7 * x)),
  'closer and closer to a corner': (u, i) => u.map((x) => x * 0.97 ** (i % 700)),
  'on a lattice': (_, i) => [i % 13, Math.floor(i / 13) % 13, Math.floor(i / 169)],
  'far from the origin': (u) => u.map((x) => x + 1e5),
  huge: (u) => u.map((x) => x * 1e80),
  tiny: (u) => u.map((x) => x * 1e-80),
};

/**
 * What the tolerance is relative to when terms cancel or lie in the regularised core: sum |strength| / (4 pi
 * rho^decay) at every target, in units of `scale`.
 */
function sumMagnitudes(
  kernel: SumKernel,
  { source, target, strength, delta }: Points,
  scale: number,
): Float64Array {
  const size = sizes[kernel].strength;
  const magnitude = Array.from({ length: source.length / 3 }, (_, j) =>
    Math.hypot(...strength.subarray(size * j, size * (j + 1))),
  );
  const most = new Float64Array(target.length / 3);
  const [s, t] = [source.map((x) => x / scale), target.map((x) => x / scale)];
  const softening = (delta / scale) ** 2;
  for (let i = 0; i < most.length; i++) {
    for (let j = 0; j < magnitude.length; j++) {
      const [x, y, z] = [t[3 * i] - s[3 * j], t[3 * i + 1] - s[3 * j + 1], t[3 * i + 2] - s[3 * j + 2]];
      const square = x * x + y * y + z * z + softening;
      if (square > 0) most[i] += magnitude[j] / (kernel === 'potential' ? Math.sqrt(square) : square);
    }
  }
  return most.map((x) => x / (4 * Math.PI));
}

describe('points', () => {
  it.each(Object.keys(shapes))('%s', (name) => {
    const place = (seed: number, count: number) => {
      const u = randomPoints(seed, count);
      const points = new Float64Array(3 * count);
      for (let i = 0; i < count; i++)
        points.set(shapes[name]([u[3 * i], u[3 * i + 1], u[3 * i + 2]], i), 3 * i);
      return points;
    };
    const scale = name === 'huge' ? 1e80 : name === 'tiny' ? 1e-80 : 1;
    const source = place(21, 2500);
    // Some targets are sources.
    const target = place(22, 1500);
    target.set(source.subarray(0, 900), 600);
    for (const kernel of ['biotSavart', 'potential'] as const) {
      const strength = randomPoints(23, 2500)
        .subarray(0, 2500 * sizes[kernel].strength)
        .map((x) => 1 + x);
      for (const delta of [0.02 * scale, 0]) {
        const points = { source, target, strength, delta };
        const many = evaluate(kernel, points, { method: 'multipole' });
        expect(many.every(Number.isFinite)).toBe(true);
        const exact = evaluate(kernel, points, { method: 'direct' });
        const most = sumMagnitudes(kernel, points, scale);
        const decay = kernel === 'potential' ? 1 : 2;
        let [error, magnitude] = [0, 0];
        for (let i = 0; i < exact.length; i++) error += ((many[i] - exact[i]) * scale ** decay) ** 2;
        for (const x of most) magnitude += x * x;
        expect(Math.sqrt(error)).toBeLessThan(1e-4 * Math.sqrt(magnitude));
      }
    }
  });

  it.each([0, 1, 2])('%i of them', (count) => {
    const points = buildCloud('biotSavart', count, count, 0.1);
    const many = evaluate('biotSavart', points, { method: 'multipole' });
    const exact = evaluate('biotSavart', points, { method: 'direct' });
    for (let i = 0; i < many.length; i++) expect(many[i]).toBeCloseTo(exact[i], 6);
  });
});

describe('the field', () => {
  const foam = foams['a bubble']();
  const step = 1e-3;

  /**
   * Biot-Savart, or the gradient of a potential, at points shifted along each axis both ways: central
   * differences (3 x 3 per point).
   */
  function measureJacobian(kernel: 'biotSavart' | 'gradient', strength: Float64Array): number[][] {
    const base = randomPoints(31, 40, 0.5);
    const target = new Float64Array(6 * base.length);
    for (let side = 0; side < 6; side++)
      for (let i = 0; i < base.length; i++) {
        const shift = i % 3 === side >> 1 ? (side % 2 === 0 ? step : -step) : 0;
        target[side * base.length + i] = base[i] + shift;
      }
    const field = evaluate(kernel, { ...foam, strength, target }, { method: 'multipole', tolerance: 1e-8 });
    return Array.from({ length: 40 }, (_, p) =>
      Array.from({ length: 9 }, (_, e) => {
        const at = (side: number) => field[side * base.length + 3 * p + (e % 3)];
        const axis = Math.floor(e / 3);
        return (at(2 * axis) - at(2 * axis + 1)) / (2 * step);
      }),
    );
  }

  it('of vortices has no divergence, that of charges no curl', () => {
    for (const j of measureJacobian('biotSavart', foam.strength)) {
      expect(Math.abs(j[0] + j[4] + j[8])).toBeLessThan(1e-5 * Math.hypot(...j));
      expect(Math.hypot(...j)).toBeGreaterThan(1e-3);
    }
    const charge = foam.strength.filter((_, i) => i % 3 === 0);
    for (const j of measureJacobian('gradient', charge)) {
      const curl = Math.hypot(j[5] - j[7], j[6] - j[2], j[1] - j[3]);
      expect(curl).toBeLessThan(1e-5 * Math.hypot(...j));
    }
  });

  it('of a double layer of density 1 is the solid angle: -1 inside, 0 outside', () => {
    const sphere = buildSphere(6);
    const source = new Float64Array(sphere.triangle.length);
    const normal = new Float64Array(sphere.triangle.length);
    for (let t = 0; t < source.length; t += 3) {
      const corner = (c: number, a: number) => sphere.position[3 * sphere.triangle[t + c] + a];
      const side = (c: number) => [0, 1, 2].map((a) => corner(c, a) - corner(0, a));
      const [u, v] = [side(1), side(2)];
      for (let a = 0; a < 3; a++) {
        source[t + a] = (corner(0, a) + corner(1, a) + corner(2, a)) / 3;
        normal[t + a] = 0.5 * (u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3]);
      }
    }
    const target = Float64Array.from([0, 0, 0, 0.3, -0.4, 0.5, 0.1, 0.7, 0.2, 2, 0, 0, -1, 1.2, 0.4]);
    const angle = evaluate(
      'doubleLayer',
      { source, strength: normal, target, delta: 0 },
      { method: 'multipole' },
    );
    for (const [i, expected] of [-1, -1, -1, 0, 0].entries()) expect(angle[i]).toBeCloseTo(expected, 3);
  });
});

it('a tolerance beyond the table is refused with the way out', () => {
  expect(() => findAccuracy(1e-12)).toThrow(/direct/);
  expect(() => findAccuracy(Number.NaN)).toThrow(/tolerance NaN/);
});

it('gives back what it took when the heap is too small', () => {
  const small = { heap: createHeap({ maximumBytes: 2 ** 21 }), threads: createSingleThread() };
  const points = buildCloud('biotSavart', 20_000, 10_000, 0.02);
  expect(() => evaluate('biotSavart', points, { method: 'multipole' }, small)).toThrow(/heap/);
  expect(small.heap.bytesInUse).toBe(0);
});
