import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import type { Vec3 } from '../../../src/core/types.ts';
import { findMedialAxis } from '../../../src/methods/lattice/thickening/medial-axis.ts';
import {
  addMeshOffset,
  buildMeshOffset,
  createOffsetField,
} from '../../../src/methods/lattice/thickening/mesh-offset.ts';
import { thickeningOptions } from '../../../src/methods/lattice/thickening/options.ts';
import {
  buildParticleUnion,
  ParticleSurface,
  seedParticles,
  uniteWithParticles,
} from '../../../src/methods/lattice/thickening/particle-surface.ts';
import {
  buildParticleGrid,
  ParticleSearch,
  type Particles,
} from '../../../src/methods/lattice/thickening/particles.ts';
import {
  computeGrowth,
  keepThickness,
  redistributeRadii,
  takeSurplus,
} from '../../../src/methods/lattice/thickening/surface-particles.ts';
import { SurfaceRay } from '../../../src/methods/lattice/thickening/surface-ray.ts';
import type { TrackedSurface } from '../../../src/tracking/contouring/surface.ts';
import { buildSurfaceIndex } from '../../../src/tracking/contouring/surface-index.ts';
import { buildSpace, contourOf, heap, randomField, type ScalarFunction } from '../../tracking/contours.ts';

const threads = createSingleThread();
const H = 0.1;
const ORIGIN: Vec3 = [-1, -1, -1];
const NODES: Vec3 = [21, 21, 21];
const space = buildSpace(ORIGIN, H, NODES);

function indexOf(f: ScalarFunction) {
  const { surface } = contourOf(space, f);
  return { surface, index: buildSurfaceIndex(surface, space.walls, heap.scope('test index')) };
}

function medialAxisOf(f: ScalarFunction, reach = 1.2 * H, ratio = 0.5) {
  return findMedialAxis(indexOf(f).index, reach, ratio, threads, heap.scope('test particles'));
}

/** Particles (x, y, z, radius) of sheets across the z axis, each of 0.6 cells of surface. */
function particlesOf(list: readonly (readonly [number, number, number, number])[]): Particles {
  const scope = heap.scope('test particles');
  const normal = scope.f64(Math.max(1, 3 * list.length));
  const area = scope.f64(Math.max(1, list.length)).fill(0.6 * H ** 2);
  const position = scope.f64(Math.max(1, 3 * list.length));
  const radius = scope.f64(Math.max(1, list.length));
  list.forEach(([x, y, z, r], p) => {
    position.set([x, y, z], 3 * p);
    radius[p] = r;
    normal[3 * p + 2] = 1;
  });
  return { count: list.length, position, radius, normal, area };
}

/** Nothing is drawn in. */
const uncut = (particles: Particles) => heap.scope('test cut').f64(Math.max(1, particles.count));

const surfaceOf = (particles: Particles, kernel: number) =>
  new ParticleSurface(
    buildParticleUnion(particles, uncut(particles), kernel / H, H, heap.scope('test union')).grid,
  );

/** A round plate, tilted, of the given thickness. */
function plate(thickness: number, normal: Vec3, centre: Vec3 = [0.013, -0.021, 0.034]): ScalarFunction {
  return (x, y, z) => {
    const d = [x - centre[0], y - centre[1], z - centre[2]];
    const along = d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2];
    const radial = Math.hypot(...d.map((c, a) => c - along * normal[a]));
    return Math.min(thickness / 2 - Math.abs(along), 0.6 - radial);
  };
}

describe('medial axis by rays', () => {
  const tilted: Vec3 = [2 / 7, 3 / 7, 6 / 7];

  it('finds the middle of a plate of 1.6 cells, and half its thickness', () => {
    const particles = medialAxisOf(plate(1.6 * H, tilted), 1.7 * H);
    expect(particles.count).toBeGreaterThan(200);
    let deep = 0;
    for (let p = 0; p < particles.count; p++) {
      const d = [0, 1, 2].map((a) => particles.position[3 * p + a] - [0.013, -0.021, 0.034][a]);
      const along = d[0] * tilted[0] + d[1] * tilted[1] + d[2] * tilted[2];
      if (Math.hypot(...d) > 0.4) continue;
      deep++;
      expect(Math.abs(along)).toBeLessThan(1e-6 * H);
      expect(particles.radius[p]).toBeCloseTo(0.8 * H, 5);
    }
    expect(deep).toBeGreaterThan(100);
  });

  it('finds nothing in a plate of 1.8 cells away from its rim', () => {
    const particles = medialAxisOf(plate(1.8 * H, tilted), 1.7 * H);
    for (let p = 0; p < particles.count; p++) {
      const d = [0, 1, 2].map((a) => particles.position[3 * p + a] - [0.013, -0.021, 0.034][a]);
      expect(Math.hypot(...d)).toBeGreaterThan(0.45);
    }
  });

  it('finds rays along cell edges too: a plate aligned with the grid', () => {
    const flat = plate(1.1 * H, [0, 0, 1], [0, 0, 0]);
    const { surface } = indexOf(flat);
    const sides = 2 * Math.PI * 0.55 ** 2;
    expect(medialAxisOf(flat).count).toBeGreaterThan((0.5 * sides) / H ** 2);
    expect(surface.triangleCount).toBeGreaterThan(0);
  });

  it('puts the particles of a drop near its centre', () => {
    // On a grid node: the contour is a regular octahedron, whose faces are 0.58 of its half width from the
    // centre.
    const ball: ScalarFunction = (x, y, z) => 0.58 * H - Math.hypot(x, y, z);
    const particles = medialAxisOf(ball);
    expect(particles.count).toBe(6);
    for (let p = 0; p < particles.count; p++) {
      expect(Math.hypot(...particles.position.subarray(3 * p, 3 * p + 3))).toBeLessThan(1e-6 * H);
      expect(particles.radius[p]).toBeCloseTo((0.58 * H) / Math.sqrt(3), 6);
    }
    expect(medialAxisOf(ball, 1.1 * H).count).toBe(0);
  });

  it('rejects midpoints between sides that are not opposite each other (figure 5)', () => {
    // Two planes through the y axis, each at `half` from the x axis.
    const wedge =
      (half: number): ScalarFunction =>
      (x, _, z) =>
        (x + 0.8) * Math.sin(half) - Math.abs(z - 0.013) * Math.cos(half);
    const narrow = medialAxisOf(wedge(Math.PI / 18));
    // Sides at 50 degrees: the far side is cos 50 = 0.64 of the half way off.
    const wide = medialAxisOf(wedge((25 * Math.PI) / 180), 2.4 * H, 0.7);
    const kept = medialAxisOf(wedge((25 * Math.PI) / 180), 2.4 * H, 0.6);
    expect(narrow.count).toBeGreaterThan(50);
    expect(kept.count).toBeGreaterThan(20);
    expect(wide.count).toBe(0);
  });

  it('agrees with rays against every triangle', () => {
    const f = randomField(7, ORIGIN, 0.25, [9, 9, 9], -1);
    const { surface, index } = indexOf(f);
    const ray = new SurfaceRay(
      index.place,
      index.directory,
      index.cellStart,
      index.cellTriangle,
      index.position,
      index.triangle,
    );
    let hits = 0;
    for (let v = 0; v < surface.vertexCount; v += 7) {
      const n = index.normal.subarray(3 * v, 3 * v + 3);
      const fast = ray.exitDistance(v, -n[0], -n[1], -n[2], 2.4 * H);
      const slow = slowExit(surface, v, [-n[0], -n[1], -n[2]], 2.4 * H);
      if (slow === Number.POSITIVE_INFINITY) expect(fast).toBe(slow);
      else expect(fast).toBeCloseTo(slow, 9);
      if (fast < Number.POSITIVE_INFINITY) hits++;
    }
    expect(hits).toBeGreaterThan(30);
  });

  it('is the same liquid a thousand times larger and smaller', () => {
    const plain = medialAxisOf(plate(1.6 * H, tilted), 1.7 * H);
    for (const scale of [1e-3, 1e3]) {
      const scaled = buildSpace([-scale, -scale, -scale], H * scale, NODES);
      const f = plate(1.6 * H, tilted);
      const { surface } = contourOf(scaled, (x, y, z) => scale * f(x / scale, y / scale, z / scale));
      const index = buildSurfaceIndex(surface, scaled.walls, heap.scope('test index'));
      const particles = findMedialAxis(index, 1.7 * H * scale, 0.5, threads, heap.scope('test particles'));
      expect(particles.count).toBe(plain.count);
      for (let p = 0; p < plain.count; p++)
        expect(particles.radius[p] / scale).toBeCloseTo(plain.radius[p], 8);
    }
  });
});

describe('particle search', () => {
  it('finds what a loop over all particles finds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 300 }), (seed, count) => {
        const random = createRandom(seed);
        const draw = () => 4 * random.next() - 2;
        const particles = particlesOf(
          Array.from({ length: count }, () => [draw(), draw(), draw(), random.next()] as const),
        );
        const reach = 0.3 + random.next();
        const search = new ParticleSearch(buildParticleGrid(particles, reach, heap.scope('test grid')));
        for (let q = 0; q < 10; q++) {
          const at = [draw(), draw(), draw()];
          search.find(at[0], at[1], at[2]);
          const expected: number[] = [];
          for (let p = 0; p < count; p++) {
            const d2 = at.reduce((sum, c, a) => sum + (particles.position[3 * p + a] - c) ** 2, 0);
            if (d2 < reach * reach) expected.push(particles.radius[p]);
          }
          const found = Array.from(search.found.subarray(0, search.count), (n) => search.radius[n]);
          expect(found.sort()).toEqual(expected.sort());
        }
      }),
      { numRuns: 50, seed: 3 },
    );
  });
});

describe('surface thickening', () => {
  const options = thickeningOptions.parse({});

  it('splits, grows and keeps: thick particles are big, thin ones small', () => {
    // gamma = 1.2 cells, beta = 0.6 cells of thickness: radii 0.3 and 0.31 cells fall on either side.
    const out = redistributeRadii(
      particlesOf([
        [0, 0, 0, 0.3 * H],
        [1, 0, 0, 0.31 * H],
      ]),
      options,
      H,
      1,
      heap.scope('test'),
    );
    expect(out.count).toBe(2);
    const grown = new Map([...out.radius.subarray(0, 2)].map((r, p) => [out.position[3 * p], r / H]));
    expect(grown.get(0)).toBeCloseTo(0.45, 12);
    expect(grown.get(1)).toBeCloseTo(0.56, 12);
  });

  it("grows as far as volume is missing, within the paper's growth", () => {
    const particles = particlesOf(Array.from({ length: 100 }, (_, n) => [0.05 * n, 0, 0, 0.5 * H] as const));
    const most = 100 * 0.6 * H ** 2 * 0.25 * H;
    expect(computeGrowth(particles, options, H, 0)).toBe(0);
    expect(computeGrowth(particles, options, H, 0.5 * most)).toBeCloseTo(0.5, 12);
    expect(computeGrowth(particles, options, H, 9 * most)).toBe(1);
    expect(computeGrowth(particles, options, H, -9 * most)).toBe(0);
    expect(computeGrowth(particlesOf([]), options, H, 1)).toBe(0);
  });

  it('gives the radius of small particles to the big ones near them, in equal parts', () => {
    const near = { ...options, redistributionRadius: 2, bigGrowth: 0, smallGrowth: 0 };
    const out = redistributeRadii(
      particlesOf([
        [0, 0, 0, 0.2 * H],
        [H, 0, 0, 0.5 * H],
        [-H, 0, 0, 0.4 * H],
        [1, 0, 0, 0.1 * H],
      ]),
      near,
      H,
      1,
      heap.scope('test'),
    );
    expect(out.merged).toBe(1);
    const grown = new Map([...out.radius.subarray(0, 3)].map((r, p) => [out.position[3 * p], r / H]));
    expect(grown.get(H)).toBeCloseTo(0.6, 12);
    expect(grown.get(-H)).toBeCloseTo(0.5, 12);
    expect(grown.get(1)).toBeCloseTo(0.1, 12);
  });

  it('keeps the sum of radii in the redistribution, whatever the particles', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const random = createRandom(seed);
        const particles = particlesOf(
          Array.from(
            { length: 200 },
            () => [random.next(), random.next(), random.next(), 0.6 * H * random.next()] as const,
          ),
        );
        const near = { ...options, redistributionRadius: 3, bigGrowth: 0, smallGrowth: 0 };
        const out = redistributeRadii(particles, near, H, 1, heap.scope('test'));
        const sum = (r: Float64Array, n: number) => r.subarray(0, n).reduce((a, b) => a + b, 0);
        expect(out.merged).toBeGreaterThan(0);
        expect(sum(out.radius, out.count)).toBeCloseTo(sum(particles.radius, 200), 10);
      }),
      { numRuns: 20, seed: 5 },
    );
  });

  it('makes a ball of one particle and a slab of a plane of them', () => {
    const ball = surfaceOf(particlesOf([[0.3, 0.2, 0.1, 0.05]]), 1.5 * H);
    expect(ball.value(0.3, 0.2, 0.1)).toBeCloseTo(0.05, 12);
    expect(ball.value(0.3, 0.26, 0.1)).toBeCloseTo(-0.01, 12);
    expect(ball.value(0.3, 0.2 + 1.6 * H, 0.1)).toBe(Number.NEGATIVE_INFINITY);
    const random = createRandom(11);
    const list: [number, number, number, number][] = [];
    for (let i = -14; i <= 14; i++)
      for (let j = -14; j <= 14; j++)
        list.push([H * (0.7 * i + 0.4 * random.next()), H * (0.7 * j + 0.4 * random.next()), 0, 0.55 * H]);
    const sheet = surfaceOf(particlesOf(list), 1.5 * H);
    for (let n = 0; n < 100; n++) {
      const x = random.next() - 0.5;
      const y = random.next() - 0.5;
      // The weighted centre wanders in the plane with the random spacing: a small part of the height.
      expect(Math.abs(sheet.value(x, y, 0.5 * H) - 0.05 * H)).toBeLessThan(0.04 * H);
      expect(sheet.value(x, y, 0.7 * H)).toBeLessThan(0);
      expect(sheet.value(x, y, 0.3 * H)).toBeGreaterThan(0);
    }
  });

  it('holds a sheet at the thickness the contour needs at its tilt', () => {
    const particles = particlesOf([
      [0, 0, 0, 0.2 * H],
      [1, 0, 0, 0.2 * H],
      [2, 0, 0, 0.7 * H],
    ]);
    particles.normal.set([0.6, 0, -0.8], 3);
    keepThickness(particles, options, H, particles.radius);
    expect([...particles.radius].map((r) => r / H)).toEqual([
      expect.closeTo(0.6, 12),
      expect.closeTo(0.48, 12),
      expect.closeTo(0.7, 12),
    ]);
  });

  it('takes a surplus from what is thicker than that, in proportion, and no more than there is', () => {
    const make = () =>
      particlesOf(Array.from({ length: 300 }, (_, n) => [n, 0, 0, (n % 3 === 0 ? 0.6 : 0.65) * H] as const));
    const most = 200 * 0.05 * H * 0.6 * H ** 2;
    const half = make();
    const cut = takeSurplus(half, options, H, 0.5 * most, half.radius, heap.scope('test'));
    expect(cut[0]).toBe(0);
    expect(cut[1] / H).toBeCloseTo(0.025, 10);
    expect(half.radius[0] / H).toBeCloseTo(0.6, 12);
    expect(half.radius[1] / H).toBeCloseTo(0.625, 10);
    const all = make();
    takeSurplus(all, options, H, 9 * most, all.radius, heap.scope('test'));
    for (let p = 0; p < 300; p++) expect(all.radius[p] / H).toBeCloseTo(0.6, 10);
    const none = make();
    expect(Math.max(...takeSurplus(none, options, H, -most, none.radius, heap.scope('test')))).toBe(0);
  });

  it('draws the surface in by the cut', () => {
    const list: [number, number, number, number][] = [];
    for (let i = -8; i <= 8; i++)
      for (let j = -8; j <= 8; j++) list.push([0.7 * H * i, 0.7 * H * j, 0, 0.7 * H]);
    const sheet = particlesOf(list);
    const scope = heap.scope('test');
    const union = buildParticleUnion(sheet, uncut(sheet).fill(0.1 * H), 1.5, H, scope);
    const point = scope.f64(6);
    point.set([0.01, 0.02, 0.5 * H, 0.9, 0.9, 0.9]);
    const value = scope.f64(2);
    value.set([0.3 * H, -0.3 * H]);
    uniteWithParticles(union, threads, point, 2, value);
    expect(value[0] / H).toBeCloseTo(0.2, 2);
    expect(value[1] / H).toBe(-0.3);
  });

  it('sees a sheet halfway between the nodes whose particles are 1.1 cells apart', () => {
    const list: [number, number, number, number][] = [];
    for (let i = -8; i <= 8; i++)
      for (let j = -8; j <= 8; j++) list.push([1.1 * H * i, 1.1 * H * j, 0, 0.55 * H]);
    const sheet = surfaceOf(particlesOf(list), 2 * H);
    for (let n = 0; n < 100; n++) {
      const x = H * (((0.173 * n) % 10) - 5);
      const y = H * (((0.71 * n) % 10) - 5);
      expect(sheet.value(x, y, 0.5 * H)).toBeGreaterThan(0);
      expect(sheet.value(x, y, -0.5 * H)).toBeGreaterThan(0);
      expect(sheet.value(x, y, 0.7 * H)).toBeLessThan(0);
    }
  });

  it('leaves the gap between two sheets open', () => {
    const list: [number, number, number, number][] = [];
    for (let i = -8; i <= 8; i++)
      for (let j = -8; j <= 8; j++)
        for (const z of [-H, H]) list.push([0.7 * H * i, 0.7 * H * j, z, 0.5 * H]);
    const sheets = surfaceOf(particlesOf(list), 1.5 * H);
    for (let n = 0; n < 20; n++) expect(sheets.value(0.013 * n, 0.007 * n, 0)).toBeLessThan(0);
    expect(sheets.value(0.01, 0.02, H)).toBeGreaterThan(0.3 * H);
  });

  it('unites by the maximum, and seeds the cells around the balls', () => {
    const scope = heap.scope('test');
    const drop = particlesOf([[0, 0, 0, 0.05]]);
    const union = buildParticleUnion(drop, uncut(drop), 1.5, H, scope);
    const point = scope.f64(9);
    point.set([0, 0, 0, 0, 0, 0.01, 1, 1, 1]);
    const value = scope.f64(3);
    value.set([-0.02, 0.2, -0.3]);
    uniteWithParticles(union, threads, point, 3, value);
    expect(value[0]).toBeCloseTo(0.05, 12);
    expect(value[1]).toBe(0.2);
    expect(value[2]).toBe(-0.3);
    const boxes: number[][] = [];
    seedParticles(union, { addBox: (...box) => boxes.push(box) });
    expect(boxes).toEqual([[-0.05, -0.05, -0.05, 0.05, 0.05, 0.05]]);
  });
});

describe('mesh thickening', () => {
  const cell = 2 * H;
  const build = (particles: Particles) =>
    createOffsetField(buildMeshOffset(particles, cell, 4 * cell, 0.6 * cell, heap.scope('test')));

  it('brings the middle of thin liquid to gamma_mesh, fades out and never thins', () => {
    const one = build(particlesOf([[0.01, 0.02, 0.03, 0.1 * cell]]));
    expect(one.value(0.01, 0.02, 0.03)).toBeCloseTo(0.5 * cell, 12);
    expect(one.value(0.01, 0.02, 0.03 + 3.99 * cell)).toBeLessThan(1e-6 * cell);
    expect(one.value(0.01, 0.02, 0.03 + 4.01 * cell)).toBe(0);
    const thick = build(particlesOf([[0, 0, 0, 0.9 * cell]]));
    expect(thick.value(0, 0, 0)).toBe(0);
  });

  it("is the paper's quotient of poly6 sums on a sheet, up to the merging of particles", () => {
    const random = createRandom(2);
    const list = Array.from(
      { length: 3000 },
      () =>
        [
          4 * random.next() - 2,
          4 * random.next() - 2,
          0.02 * random.next(),
          cell * (0.1 + 0.4 * random.next()),
        ] as const,
    );
    const field = build(particlesOf(list));
    for (let n = 0; n < 20; n++) {
      const at = [2 * random.next() - 1, 2 * random.next() - 1, 0.3 * random.next()];
      let sum = 0;
      let missing = 0;
      for (const [x, y, z, d] of list) {
        const s = (x - at[0]) ** 2 + (y - at[1]) ** 2 + (z - at[2]) ** 2;
        const w = Math.max(0, (4 * cell) ** 2 - s) ** 3;
        sum += w;
        missing += w * (0.6 * cell - d);
      }
      expect(Math.abs(field.value(at[0], at[1], at[2]) / (missing / sum) - 1)).toBeLessThan(0.02);
    }
  });

  it('adds to values and leaves NaN alone', () => {
    const scope = heap.scope('test');
    const offset = buildMeshOffset(particlesOf([[0, 0, 0, 0]]), cell, 4 * cell, 0.6 * cell, scope);
    const point = scope.f64(6);
    const value = scope.f64(2);
    value.set([-0.05, Number.NaN]);
    addMeshOffset(offset, threads, point, 2, value);
    expect(value[0]).toBeCloseTo(0.6 * cell - 0.05, 12);
    expect(value[1]).toBeNaN();
  });
});

/** The first hit of a ray with any triangle that is not at its vertex, if it leaves the liquid there. */
function slowExit(surface: TrackedSurface, v: number, d: Vec3, reach: number): number {
  const at = (n: number): Vec3 => [
    surface.position[3 * n],
    surface.position[3 * n + 1],
    surface.position[3 * n + 2],
  ];
  const origin = at(v);
  let nearest = reach;
  let leaves = false;
  for (let f = 0; f < surface.triangleCount; f++) {
    const corner = [0, 1, 2].map((i) => surface.triangle[3 * f + i]);
    if (corner.includes(v)) continue;
    const [a, b, c] = corner.map((n) => at(n).map((x, axis) => x - origin[axis]) as unknown as Vec3);
    // Signed volumes of the ray with the three edges: of one sign inside the triangle.
    const volume = (p: Vec3, q: Vec3) =>
      d[0] * (p[1] * q[2] - p[2] * q[1]) +
      d[1] * (p[2] * q[0] - p[0] * q[2]) +
      d[2] * (p[0] * q[1] - p[1] * q[0]);
    const u = volume(b, c);
    const w = volume(c, a);
    const s = volume(a, b);
    const sum = u + w + s;
    const tolerance = 1e-9 * Math.abs(sum);
    if (sum === 0 || Math.min(u * Math.sign(sum), w * Math.sign(sum), s * Math.sign(sum)) < -tolerance)
      continue;
    const hit =
      (u * a[0] + w * b[0] + s * c[0]) * d[0] +
      (u * a[1] + w * b[1] + s * c[1]) * d[1] +
      (u * a[2] + w * b[2] + s * c[2]) * d[2];
    const distance = hit / sum;
    if (!(distance > 0 && distance <= nearest)) continue;
    nearest = distance;
    leaves = sum > 0;
  }
  return leaves ? nearest : Number.POSITIVE_INFINITY;
}
