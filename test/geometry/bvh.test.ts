import { describe, expect, it } from 'vitest';
import { NONE } from '../../src/core/types.ts';
import { type Bvh, buildBvh } from '../../src/geometry/bvh.ts';
import { BvhQuery, findClosest, findOverlaps, findRayHit } from '../../src/geometry/bvh-query.ts';
import { computeClosestOnTriangle, FACE, VERTEX_A } from '../../src/geometry/triangle-distance.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';
import { bunnyMesh, createRandom, cubeMesh, randomTriangles, toMesh } from './meshes.ts';

const SCALES = [
  [1, 0],
  [1e3, 0],
  [1e-3, 0],
  [1, 1e4],
] as const;

/** Closest distance by dense evaluation of the quadratic over the triangle: no shared code with the query. */
function bruteDistance(mesh: TriMesh, t: number, p: number[]): number {
  const corner = [0, 1, 2].map((i) => [0, 1, 2].map((k) => mesh.position[3 * mesh.triangle[3 * t + i] + k]));
  const segment = (a: number[], b: number[]) => {
    const e = b.map((x, k) => x - a[k]);
    const d = p.map((x, k) => x - a[k]);
    const w = Math.min(1, Math.max(0, dot(e, d) / dot(e, e)));
    return Math.hypot(...d.map((x, k) => x - w * e[k]));
  };
  const [a, b, c] = corner;
  const n = cross(sub(b, a), sub(c, a));
  const inside = [
    [a, b],
    [b, c],
    [c, a],
  ].every(([u, v]) => dot(cross(sub(v, u), sub(p, u)), n) >= 0);
  const edges = Math.min(segment(a, b), segment(b, c), segment(c, a));
  return inside ? Math.abs(dot(sub(p, a), n)) / Math.hypot(...n) : edges;
}
const sub = (a: number[], b: number[]) => a.map((x, k) => x - b[k]);
const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: number[], b: number[]) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Every triangle in one slot, every box holding its children. */
function validateBvh(bvh: Bvh): void {
  const seen = new Uint8Array(bvh.triangleCount);
  for (const t of bvh.slotToTriangle) seen[t]++;
  expect(seen.every((n) => n === 1)).toBe(true);
  const holds = (node: number, point: number, values: Float64Array) => {
    for (let k = 0; k < 3; k++) {
      if (values[point + k] < bvh.nodeBox[6 * node + k] || values[point + k] > bvh.nodeBox[6 * node + 3 + k])
        return false;
    }
    return true;
  };
  let slots = 0;
  for (let node = 0; node < bvh.nodeCount; node++) {
    const [first, count] = [bvh.nodeLink[2 * node], bvh.nodeLink[2 * node + 1]];
    slots += count;
    for (let s = first; s < first + count; s++) {
      for (let i = 0; i < 3; i++) expect(holds(node, 9 * s + 3 * i, bvh.corner)).toBe(true);
    }
    for (let child = first; count === 0 && child < first + 2; child++) {
      expect(child).toBeGreaterThan(node);
      expect(holds(node, 6 * child, bvh.nodeBox) && holds(node, 6 * child + 3, bvh.nodeBox)).toBe(true);
    }
  }
  expect(slots).toBe(bvh.triangleCount);
}

describe.each(SCALES)('random triangles scaled by %d at %d', (scale, by) => {
  const mesh = randomTriangles(700, 0.1, scale, by, 11);
  const bvh = buildBvh(mesh);
  const query = new BvhQuery();
  const random = createRandom(3);
  const points = Array.from({ length: 120 }, () => [0, 1, 2].map(() => by + scale * (1.6 * random() - 0.3)));
  const tolerance = 1e-12 * (scale + by);

  it('is a valid hierarchy', () => validateBvh(bvh));

  it('finds the closest triangle', () => {
    for (const p of points) {
      const t = findClosest(bvh, query, p[0], p[1], p[2]);
      let best = Infinity;
      for (let u = 0; u < mesh.triangleCount; u++) best = Math.min(best, bruteDistance(mesh, u, p));
      expect(Math.abs(Math.sqrt(query.distance2) - best)).toBeLessThan(tolerance);
      expect(Math.abs(bruteDistance(mesh, t, p) - best)).toBeLessThan(tolerance);
      expect(findClosest(bvh, query, p[0], p[1], p[2], best * 0.99)).toBe(NONE);
      expect(findClosest(bvh, query, p[0], p[1], p[2], best * 1.01)).toBe(t);
    }
  });

  it('finds the first triangle along a ray', () => {
    let hits = 0;
    for (const p of points) {
      const d = [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => x * scale);
      let best = Infinity;
      for (let t = 0; t < mesh.triangleCount; t++) {
        const [a, b, c] = [0, 1, 2].map((i) => [
          ...mesh.position.subarray(3 * mesh.triangle[3 * t + i], 3 * mesh.triangle[3 * t + i] + 3),
        ]);
        const n = cross(sub(b, a), sub(c, a));
        const s = dot(sub(a, p), n) / dot(d, n);
        const x = p.map((v, k) => v + s * d[k]);
        const inside = [
          [a, b],
          [b, c],
          [c, a],
        ].every(([u, v]) => dot(cross(sub(v, u), sub(x, u)), n) >= 0);
        if (inside && s >= 0 && s < best) best = s;
      }
      const found = findRayHit(bvh, query, { ox: p[0], oy: p[1], oz: p[2], dx: d[0], dy: d[1], dz: d[2] });
      expect(found === NONE).toBe(best === Infinity);
      if (found === NONE) continue;
      hits++;
      expect(query.rayParameter).toBeCloseTo(best, 6);
    }
    expect(hits).toBeGreaterThan(5);
  });

  it('finds all triangles whose boxes touch a box', () => {
    for (const p of points.slice(0, 50)) {
      const q = p.map((x) => x + 0.2 * scale);
      const count = findOverlaps(bvh, query, p[0], p[1], p[2], q[0], q[1], q[2]);
      const expected: number[] = [];
      for (let t = 0; t < mesh.triangleCount; t++) {
        const touching = [0, 1, 2].every((k) => {
          const x = [0, 1, 2].map((i) => mesh.position[3 * mesh.triangle[3 * t + i] + k]);
          return Math.min(...x) <= q[k] && Math.max(...x) >= p[k];
        });
        if (touching) expected.push(t);
      }
      expect([...query.found.subarray(0, count)].sort((a, b) => a - b)).toEqual(expected);
    }
  });
});

describe('closest feature', () => {
  const corner = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const out = new Float64Array(3);
  const cases = [
    [0.2, 0.2, 3, FACE, 9],
    [0.5, -1, 0, 1, 1],
    [1, 1, 0, 2, 0.5],
    [-1, 0.5, 0, 3, 1],
    [-1, -1, 0, VERTEX_A, 2],
    [3, -1, 0, VERTEX_A + 1, 5],
    [-1, 3, 0, VERTEX_A + 2, 5],
  ];
  it.each(cases)('of (%d, %d, %d) has code %d', (x, y, z, feature, distance2) => {
    expect(computeClosestOnTriangle(corner, 0, Float64Array.of(x, y, z), out)).toBeCloseTo(distance2, 14);
    expect(out[2]).toBe(feature);
  });

  it('degenerate triangles answer by their edges and points', () => {
    const line = Float64Array.from([0, 0, 0, 2, 0, 0, 1, 0, 0]);
    expect(computeClosestOnTriangle(line, 0, Float64Array.of(0.7, 3, 0), out)).toBeCloseTo(9, 14);
    expect(computeClosestOnTriangle(line, 0, Float64Array.of(4, 0, 0), out)).toBeCloseTo(4, 14);
    const point = Float64Array.from([1, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(computeClosestOnTriangle(point, 0, Float64Array.of(1, 1, 3), out)).toBe(4);
  });
});

describe('unusual meshes', () => {
  it('empty: nothing found', () => {
    const bvh = buildBvh(toMesh([], []));
    const query = new BvhQuery();
    expect(findClosest(bvh, query, 0, 0, 0)).toBe(NONE);
    expect(findRayHit(bvh, query, { ox: 0, oy: 0, oz: 0, dx: 1, dy: 0, dz: 0 })).toBe(NONE);
    expect(findOverlaps(bvh, query, -1, -1, -1, 1, 1, 1)).toBe(0);
  });

  it('a thousand triangles in one place still make a shallow tree', () => {
    const one = cubeMesh();
    const triangle = Array.from({ length: 3000 }, (_, i) => one.triangle[i % 3]);
    const bvh = buildBvh(toMesh([...one.position], triangle));
    validateBvh(bvh);
    const query = new BvhQuery();
    expect(findOverlaps(bvh, query, 0, 0, 0, 1, 1, 1)).toBe(1000);
    expect(findClosest(bvh, query, 0.5, 0.5, -2)).not.toBe(NONE);
    expect(query.distance2).toBe(4);
  });

  it('an exponential chain of sizes stays within the stack', () => {
    const position: number[] = [];
    for (let i = 0; i < 900; i++) {
      const s = 2 ** -i;
      position.push(s, 0, 0, s, s, 0, s, 0, s);
    }
    const bvh = buildBvh(
      toMesh(
        position,
        Array.from({ length: 2700 }, (_, i) => i),
      ),
    );
    validateBvh(bvh);
    const query = new BvhQuery();
    expect(findOverlaps(bvh, query, -1, -1, -1, 2, 2, 2)).toBe(900);
  });

  it('the bunny', () => validateBvh(buildBvh(bunnyMesh())));
});
