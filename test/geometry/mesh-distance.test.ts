import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { buildBvh } from '../../src/geometry/bvh.ts';
import { BvhQuery, findClosest } from '../../src/geometry/bvh-query.ts';
import { computeWindingNumber, isInside } from '../../src/geometry/inside.ts';
import { meshImplicit } from '../../src/geometry/mesh-distance.ts';
import { box } from '../../src/geometry/shapes.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';
import { bunnyMesh, createRandom, cubeMesh, flipMesh, joinMeshes, mapMesh, toMesh } from './meshes.ts';

function randomPoints(mesh: TriMesh, count: number, seed: number): Float64Array {
  const { min, max } = meshImplicit(mesh).bounds;
  const random = createRandom(seed);
  return Float64Array.from({ length: 3 * count }, (_, i) => {
    const k = i % 3;
    return min[k] + (1.4 * random() - 0.2) * (max[k] - min[k]);
  });
}

describe('cube', () => {
  it.each([
    [1, [0, 0, 0]],
    [1e3, [0, 0, 0]],
    [1e-3, [5, 5, 5]],
    [1, [1e5, -1e5, 1e5]],
  ])('of edge %d at %j equals the implicit box', (size, at) => {
    const field = meshImplicit(cubeMesh(at, size));
    const exact = box([at[0], at[1], at[2]], [at[0] + size, at[1] + size, at[2] + size]);
    const random = createRandom(2);
    const tolerance = 1e-14 * (size + Math.abs(at[0]));
    for (let i = 0; i < 2000; i++) {
      const p = at.map((x) => x + size * (2 * random() - 0.5));
      expect(Math.abs(field.value(p[0], p[1], p[2]) - exact.value(p[0], p[1], p[2]))).toBeLessThan(tolerance);
    }
    // Points straight off corners, edges and faces, where the closest features tie.
    for (let i = 0; i < 125; i++) {
      const p = [i % 5, Math.floor(i / 5) % 5, Math.floor(i / 25)].map(
        (c, k) => at[k] + (size * (c - 1)) / 2,
      );
      expect(Math.abs(field.value(p[0], p[1], p[2]) - exact.value(p[0], p[1], p[2]))).toBeLessThan(tolerance);
    }
  });
});

describe('bunny', () => {
  const mesh = bunnyMesh();
  const field = meshImplicit(mesh);
  const count = 600;
  const point = randomPoints(mesh, count, 4);

  it('sign agrees with winding number and ray parity, length with the hierarchy', () => {
    const bvh = buildBvh(mesh);
    const query = new BvhQuery();
    let inside = 0;
    for (let i = 0; i < count; i++) {
      const [x, y, z] = point.subarray(3 * i, 3 * i + 3);
      const value = field.value(x, y, z);
      const winding = computeWindingNumber(mesh, x, y, z);
      expect(Math.abs(winding - (value > 0 ? 1 : 0))).toBeLessThan(1e-9);
      expect(isInside(bvh, query, x, y, z)).toBe(value > 0);
      findClosest(bvh, query, x, y, z);
      expect(Math.abs(value)).toBe(Math.sqrt(query.distance2));
      if (value > 0) inside++;
    }
    expect(inside).toBeGreaterThan(40);
    expect(inside).toBeLessThan(count - 80);
  });

  it('many points at once give the same numbers', () => {
    const out = new Float64Array(count);
    field.sample(point, count, out);
    for (let i = 0; i < count; i++) {
      expect(out[i]).toBeCloseTo(field.value(point[3 * i], point[3 * i + 1], point[3 * i + 2]), 13);
    }
  });

  it('on the heap, through the task, gives the same bytes and the memory back', () => {
    const heap = createHeap({ maximumBytes: 2 ** 26 });
    const shared = meshImplicit(mesh, { heap, threads: createSingleThread() });
    const plain = new Float64Array(count);
    field.sample(point, count, plain);
    const copied = new Float64Array(count);
    shared.sample(point, count, copied);
    expect(copied).toEqual(plain);
    const scope = heap.scope('test');
    const [onHeap, outOnHeap] = [scope.f64(3 * count), scope.f64(count)];
    onHeap.set(point);
    shared.sample(onHeap, count, outOnHeap);
    expect(Float64Array.from(outOnHeap)).toEqual(plain);
    scope.free();
    expect(heap.bytesInUse).toBeGreaterThan(0);
    shared.free();
    expect(heap.bytesInUse).toBe(0);
  });

  it('is 1-Lipschitz and scales with the mesh', () => {
    const far = meshImplicit(mapMesh(mesh, 1e-3, [100, -50, 20]));
    for (let i = 0; i + 1 < count; i++) {
      const [x, y, z, u, v, w] = point.subarray(3 * i, 3 * i + 6);
      const change = Math.abs(field.value(x, y, z) - field.value(u, v, w));
      expect(change).toBeLessThanOrEqual(Math.hypot(x - u, y - v, z - w) * (1 + 1e-12));
      const scaled = far.value(100 + 1e-3 * x, -50 + 1e-3 * y, 20 + 1e-3 * z);
      expect(Math.abs(scaled - 1e-3 * field.value(x, y, z))).toBeLessThan(1e-12);
    }
  });

  it('points near the surface get the sign of their side', () => {
    for (let t = 0; t < mesh.triangleCount; t += 7) {
      const [a, b, c] = [0, 1, 2].map((i) => 3 * mesh.triangle[3 * t + i]);
      const p = [0, 1, 2].map(
        (k) => (mesh.position[a + k] + mesh.position[b + k] + mesh.position[c + k]) / 3,
      );
      const u = [0, 1, 2].map((k) => mesh.position[b + k] - mesh.position[a + k]);
      const v = [0, 1, 2].map((k) => mesh.position[c + k] - mesh.position[a + k]);
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const step = 1e-7 / Math.hypot(...n);
      expect(field.value(p[0] - step * n[0], p[1] - step * n[1], p[2] - step * n[2])).toBeCloseTo(1e-7, 12);
      expect(field.value(p[0] + step * n[0], p[1] + step * n[1], p[2] + step * n[2])).toBeCloseTo(-1e-7, 12);
    }
  });
});

describe('sign in hard places', () => {
  it('a shell: outer cube with an inner cube turned inside out', () => {
    const field = meshImplicit(joinMeshes(cubeMesh(), flipMesh(cubeMesh([0.25, 0.25, 0.25], 0.5))));
    expect(field.value(0.5, 0.5, 0.5)).toBeCloseTo(-0.25, 14);
    expect(field.value(0.1, 0.5, 0.5)).toBeCloseTo(0.1, 14);
    expect(field.value(-0.1, 0.5, 0.5)).toBeCloseTo(-0.1, 14);
  });

  it('a needle-sharp cone tip, and a triangle without area on its side', () => {
    // Long spike with a T-vertex closed by a zero-area triangle (0, 4, 1): vertex 4 lies on edge 0-1.
    const position = [0, 0, 0, 1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1, 0.5e-3, 0, 0];
    const triangle = [0, 2, 4, 4, 2, 1, 0, 4, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
    const mesh = toMesh(position, triangle);
    const field = meshImplicit(mesh);
    const random = createRandom(9);
    for (let i = 0; i < 500; i++) {
      const p = [2e-3 * (random() - 0.3), 2e-3 * (random() - 0.3), 1.4 * random() - 0.2];
      const winding = computeWindingNumber(mesh, p[0], p[1], p[2]);
      expect(field.value(p[0], p[1], p[2]) > 0).toBe(winding > 0.5);
    }
    expect(field.value(0.5e-3, -0.1, 0)).toBeCloseTo(-0.1, 12);
  });

  it('outside is negative even for a mesh with a small hole', () => {
    const cube = cubeMesh();
    const open = { ...cube, triangleCount: 11 };
    expect(computeWindingNumber(open, 0.5, 0.5, 0.5)).toBeGreaterThan(0.9);
    expect(Math.abs(computeWindingNumber(open, 3, 3, 3))).toBeLessThan(0.05);
  });
});
