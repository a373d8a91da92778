/**
 * Starting surfaces: closed, conforming, labelled, free of intersections by the independent referee, and of
 * the right volumes.
 */
import { describe, expect, it } from 'vitest';
import { findMeshIntersections } from '../../../cases/tracking/intersection-referee.ts';
import { createRandom } from '../../../src/core/random.ts';
import { buildMultiMesh, type LabelledTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { measureArea, measureRegions } from '../../../src/tracking/multimaterial/measure.ts';
import { triangulatePolygon } from '../../../src/tracking/multimaterial/shapes/polygon.ts';
import {
  buildDoubleSphere,
  buildNotchedSphere,
  buildQuarteredSphere,
  buildSpheres,
  buildVoronoi,
  countLevels,
} from '../../../src/tracking/multimaterial/shapes.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';

type Point = [number, number, number];

/** Volumes by label after every check that holds for all shapes. */
function check(shape: LabelledTriangles): Map<number, number> {
  const mesh = buildMultiMesh(shape);
  validateMesh(mesh);
  const { count, flat } = findMeshIntersections(shape.position as Float64Array, shape.triangle as Int32Array);
  expect([count, flat.length]).toEqual([0, 0]);
  return new Map(measureRegions(mesh).map(({ label, volume }) => [label, volume]));
}

function drawSeeds(count: number, seed: number): Point[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => [random.next(), random.next(), random.next()]);
}

/** Mean length of the edges. */
function measureEdge({ position, triangle }: LabelledTriangles): number {
  let sum = 0;
  for (let c = 0; c < triangle.length; c++) {
    const [v, w] = [triangle[c], triangle[c % 3 === 2 ? c - 2 : c + 1]];
    sum += Math.hypot(...[0, 1, 2].map((k) => position[3 * v + k] - position[3 * w + k]));
  }
  return sum / triangle.length;
}

describe('Voronoi cells', () => {
  it('are refused where a seed is given twice', () => {
    const seeds = [...drawSeeds(3, 3), drawSeeds(3, 3)[1]];
    expect(() => buildVoronoi({ min: [0, 0, 0], max: [1, 1, 1], seeds, edge: 0.09 })).toThrow(/seed 1 again/);
  });

  it('fill the box, one region per seed, each holding the points nearest to its seed', () => {
    const seeds = drawSeeds(60, 3);
    const shape = buildVoronoi({ min: [0, 0, 0], max: [1, 1, 1], seeds, edge: 0.09 });
    const volumes = check(shape);
    expect(volumes.size).toBe(61);
    expect(volumes.get(0)).toBeCloseTo(-1, 12);
    // Monte Carlo: shares of the box by nearest seed.
    const random = createRandom(8);
    const share = new Float64Array(60);
    const draws = 40_000;
    for (let n = 0; n < draws; n++) {
      const x = [random.next(), random.next(), random.next()];
      const distance = seeds.map((s) => (s[0] - x[0]) ** 2 + (s[1] - x[1]) ** 2 + (s[2] - x[2]) ** 2);
      share[distance.indexOf(Math.min(...distance))] += 1 / draws;
    }
    for (let i = 0; i < 60; i++) {
      const sigma = Math.sqrt((share[i] + 1e-4) / draws);
      expect(Math.abs(volumes.get(i + 1)! - share[i])).toBeLessThan(5 * sigma);
    }
    expect(measureEdge(shape)).toBeGreaterThan(0.06);
    expect(measureEdge(shape)).toBeLessThan(0.12);
  });

  it('of a regular grid with tiny offsets have edges of almost no length, and are still sound', () => {
    const random = createRandom(1);
    const seeds: Point[] = [];
    for (let n = 0; n < 27; n++)
      seeds.push(
        [n % 3, Math.floor(n / 3) % 3, Math.floor(n / 9)].map(
          (i) => (i + 0.5) / 3 + 1e-5 * random.next(),
        ) as Point,
      );
    const volumes = check(buildVoronoi({ min: [0, 0, 0], max: [1, 1, 1], seeds, edge: 0.15 }));
    for (let label = 1; label <= 27; label++) expect(volumes.get(label)).toBeCloseTo(1 / 27, 3);
  });

  it('refuse seeds outside', () => {
    const shape = {
      min: [0, 0, 0] as Point,
      max: [1, 1, 1] as Point,
      seeds: [[0.5, 0.5, 2] as Point],
      edge: 0.1,
    };
    expect(() => buildVoronoi(shape)).toThrow(/seed 0/);
  });
});

describe('spheres with flat parts', () => {
  const zalesak = { centre: [0.5, 0.75, 0.5] as Point, radius: 0.15, width: 0.05, depth: 0.125 };
  /** Ball less notch, by slices across x. */
  const exact = () => {
    const { radius: r, width, depth } = zalesak;
    let notch = 0;
    const slices = 4000;
    for (let n = 0; n < slices; n++) {
      const x = ((n + 0.5) / slices - 0.5) * width;
      const rho = Math.sqrt(r * r - x * x);
      const top = depth - r;
      // Circular segment below y = top.
      const angle = 2 * Math.acos(-top / rho);
      notch += ((width / slices) * (rho * rho * (angle - Math.sin(angle)))) / 2;
    }
    return (4 / 3) * Math.PI * r ** 3 - notch;
  };

  it.each([1, 2] as const)('Zalesak with %d materials', (materials) => {
    for (const edge of [0.03, 0.012]) {
      const volumes = check(buildNotchedSphere({ ...zalesak, materials, edge }));
      expect(volumes.size).toBe(materials + 1);
      // Flat faces cut less than edge^2 / (8 R) off the sphere.
      const slack = 3 * (edge / 0.15) ** 2 * 0.25;
      expect(Math.abs(-volumes.get(0)! / exact() - 1)).toBeLessThan(slack);
      if (materials === 2) expect(Math.abs(volumes.get(1)! / volumes.get(2)! - 1)).toBeLessThan(slack);
    }
  });

  it('two spheres share a disk', () => {
    const shape = buildDoubleSphere({ centre: [1, 2, 3], radius: 1, distance: 1.2, edge: 0.12 });
    const volumes = check(shape);
    // A ball without the cap beyond the disk, of height 0.4.
    const part = (4 / 3) * Math.PI - ((Math.PI * 0.4 ** 2) / 3) * (3 - 0.4);
    for (const label of [1, 2]) expect(Math.abs(volumes.get(label)! / part - 1)).toBeLessThan(0.01);
  });

  it('refuse notches that go through', () => {
    expect(() => buildNotchedSphere({ ...zalesak, depth: 0.299, materials: 1, edge: 0.02 })).toThrow(
      /through/,
    );
    expect(() => buildDoubleSphere({ centre: [0, 0, 0], radius: 1, distance: 2.1, edge: 0.1 })).toThrow(
      /overlap/,
    );
  });
});

describe('round spheres', () => {
  it('have edges of the length asked for', () => {
    for (const edge of [0.3, 0.1]) {
      const sphere = buildSpheres([{ levels: countLevels(1, edge, 'icosahedron') }]);
      check(sphere);
      expect(Math.abs(Math.log2(measureEdge(sphere) / edge))).toBeLessThan(0.6);
      const four = buildQuarteredSphere({ levels: countLevels(1, edge, 'octahedron') });
      check(four);
      expect(Math.abs(Math.log2(measureEdge(four) / edge))).toBeLessThan(0.8);
    }
  });
});

describe('polygons', () => {
  it('are filled by triangles of positive area and of the size asked for', () => {
    const random = createRandom(5);
    for (let n = 0; n < 60; n++) {
      const angles = Array.from({ length: 3 + (n % 7) }, () => 2 * Math.PI * random.next()).sort(
        (a, b) => a - b,
      );
      const stretch = 10 ** (random.next() - 0.5);
      const boundary = angles.flatMap((a) => [stretch * Math.cos(a), Math.sin(a) / stretch]);
      const filled = triangulatePolygon(boundary, 0.2)!;
      const p = filled.point;
      let area = 0;
      let least = Infinity;
      for (let t = 0; t < filled.triangle.length; t += 3) {
        const [a, b, c] = filled.triangle.slice(t, t + 3).map((v) => 2 * v);
        const part = ((p[b] - p[a]) * (p[c + 1] - p[a + 1]) - (p[b + 1] - p[a + 1]) * (p[c] - p[a])) / 2;
        area += part;
        least = Math.min(least, part);
      }
      let whole = 0;
      for (let i = 0; i < boundary.length; i += 2) {
        const j = (i + 2) % boundary.length;
        whole += (boundary[i] * boundary[j + 1] - boundary[i + 1] * boundary[j]) / 2;
      }
      expect(least).toBeGreaterThan(0);
      expect(Math.abs(area - whole)).toBeLessThan(1e-12);
      // A valid triangulation of n boundary points and m inner ones has n - 2 + 2 m triangles.
      const inner = filled.point.length / 2 - boundary.length / 2;
      expect(filled.triangle.length / 3).toBe(boundary.length / 2 - 2 + 2 * inner);
    }
  });
});

it('400 cells take about 110 triangles each, as 2,000 do in the scene', () => {
  const edge = 0.02 * Math.cbrt(2000 / 400);
  const shape = buildVoronoi({ min: [0, 0, 0], max: [1, 1, 1], seeds: drawSeeds(400, 1), edge });
  const triangles = shape.triangle.length / 3;
  expect(triangles).toBeGreaterThan(36_000);
  expect(triangles).toBeLessThan(52_000);
  const mesh = buildMultiMesh(shape);
  validateMesh(mesh);
  expect(measureRegions(mesh).length).toBe(401);
  // Cells of a Poisson process have 5.82 V^(2/3) of surface each, shared by two, and the box is not.
  expect(measureArea(mesh)).toBeGreaterThan(2.91 * Math.cbrt(400));
});
