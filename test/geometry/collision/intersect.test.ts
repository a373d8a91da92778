/**
 * Exact static intersection against the referee's BigInt clipping and the collision oracle at rest: lattice
 * configurations, where degenerate cases are the rule, nudged ones, and whole meshes.
 */
import { describe, expect, it } from 'vitest';
import { findMeshIntersections } from '../../../cases/tracking/intersection-referee.ts';
import { createRandom, type Random } from '../../../src/core/random.ts';
import {
  edgeIntersectsTriangle,
  edgesTouch,
  trianglesIntersect,
  vertexTouchesEdge,
  vertexTouchesTetrahedron,
  vertexTouchesTriangle,
} from '../../../src/geometry/collision/intersect.ts';
import { bunnyMesh, cubeMesh, joinMeshes, mapMesh } from '../meshes.ts';
import { edgeEdgeTouches, vertexTriangleTouches } from './oracle.ts';

/** Coordinates on a small lattice, at times with the last bit changed, at times far off and scaled. */
function draw(random: Random, vertices: number): Float64Array {
  const reach = 1 + random.nextInt(3);
  const nudges = random.nextInt(3) === 0;
  const scale = [1, 1, 1e-9, 2 ** 40][random.nextInt(4)];
  const offset = [0, 0, 1e6][random.nextInt(3)] * scale;
  return Float64Array.from({ length: 3 * vertices }, () => {
    const x = random.nextInt(2 * reach + 1) - reach;
    return (nudges ? x * (1 + (random.nextInt(3) - 1) * 2 ** -52) : x) * scale + offset;
  });
}

describe('at rest, as the oracle says', () => {
  it('vertices on triangles and edges on edges', () => {
    const random = createRandom(21);
    let touching = 0;
    for (let n = 0; n < 3000; n++) {
      const x = draw(random, 4);
      const onTriangle = vertexTouchesTriangle(x, 0, 1, 2, 3);
      const onEdge = edgesTouch(x, 0, 1, 2, 3);
      if (onTriangle) touching++;
      if (onEdge) touching++;
      expect(onTriangle, `triangle ${n}`).toBe(vertexTriangleTouches(x, x));
      expect(onEdge, `edge ${n}`).toBe(edgeEdgeTouches(x, x));
      expect(vertexTouchesTriangle(x, 0, 3, 2, 1)).toBe(onTriangle);
      expect(edgesTouch(x, 3, 2, 0, 1)).toBe(onEdge);
      expect(vertexTouchesEdge(x, 0, 2, 3)).toBe(edgesTouch(x, 0, 0, 2, 3));
    }
    expect(touching).toBeGreaterThan(100);
  });

  it('vertices in tetrahedra, flat ones too', () => {
    // The centroid is inside, its mirror image at a corner outside, corners and the middles of edges are on
    // the border.
    const random = createRandom(22);
    for (let n = 0; n < 500; n++) {
      const corners = Float64Array.from({ length: 12 }, () => 8 * (random.nextInt(9) - 4));
      const x = new Float64Array(24);
      x.set(corners);
      for (let k = 0; k < 3; k++) {
        const sum = corners[k] + corners[3 + k] + corners[6 + k] + corners[9 + k];
        x[12 + k] = sum / 4;
        x[15 + k] = 2 * corners[k] - sum / 4;
        x[18 + k] = (corners[k] + corners[3 + k]) / 2;
      }
      for (const v of [0, 1, 2, 3, 4, 6]) expect(vertexTouchesTetrahedron(x, v, 0, 1, 2, 3)).toBe(true);
      const isPoint = [0, 1, 2].every((k) => x[15 + k] === x[k]);
      if (!isPoint) expect(vertexTouchesTetrahedron(x, 5, 0, 1, 2, 3)).toBe(isFlatAndFolded(x));
    }
  });
});

/** The mirror image of the centroid lies outside, except where vertex 0 is no corner of the hull. */
function isFlatAndFolded(x: Float64Array): boolean {
  for (const [a, b, c] of [
    [1, 2, 3],
    [0, 1, 2],
    [0, 1, 3],
    [0, 2, 3],
  ])
    if (vertexTouchesTriangle(x, 5, a, b, c)) return true;
  return false;
}

describe('pairs of triangles', () => {
  it('meet as the referee says, with 0, 1 and 2 vertices shared', () => {
    const random = createRandom(23);
    const meeting = [0, 0, 0];
    let compared = 0;
    for (let n = 0; n < 6000; n++) {
      const x = draw(random, 6);
      const shared = random.nextInt(3);
      const second = [
        [3, 4, 5],
        [3, 4, random.nextInt(3)],
        [3, 0, 1 + random.nextInt(2)],
      ][shared];
      for (let turns = random.nextInt(3); turns > 0; turns--) second.push(second.shift()!);
      const report = findMeshIntersections(x, Int32Array.from([0, 1, 2, ...second]));
      // A flat triangle at a shared vertex may run back through it: the two count that differently.
      if (report.flat.length > (shared === 0 ? 1 : 0)) continue;
      compared++;
      if (report.count) meeting[shared]++;
      const [d, e, f] = second;
      expect(trianglesIntersect(x, 0, 1, 2, d, e, f), `${n}: ${shared} shared`).toBe(report.count === 1);
      expect(trianglesIntersect(x, d, e, f, 2, 0, 1)).toBe(report.count === 1);
    }
    expect(compared).toBeGreaterThan(3000);
    for (const count of meeting) expect(count).toBeGreaterThan(100);
  });

  it('meet if an edge of one meets the other', () => {
    const random = createRandom(24);
    for (let n = 0; n < 1000; n++) {
      const x = draw(random, 6);
      const report = findMeshIntersections(x, Int32Array.from([0, 1, 2, 3, 4, 5]));
      if (report.flat.length === 2) continue;
      const edges = [
        [0, 1, 3, 4, 5],
        [1, 2, 3, 4, 5],
        [2, 0, 3, 4, 5],
        [3, 4, 0, 1, 2],
        [4, 5, 0, 1, 2],
        [5, 3, 0, 1, 2],
      ].some(([p, q, a, b, c]) => edgeIntersectsTriangle(x, q, p, c, a, b));
      expect(edges).toBe(report.count === 1);
    }
  });
});

describe('referee on whole meshes', () => {
  it('finds nothing on a sound mesh, non-manifold or scaled', () => {
    const bunny = bunnyMesh();
    for (const scale of [1, 1e-7]) {
      const { position, triangle } = mapMesh(bunny, scale, [3, 0, 0]);
      const report = findMeshIntersections(position, triangle);
      expect(report).toMatchObject({ count: 0, flat: [] });
      expect(report.tested).toBeGreaterThan(triangle.length / 3);
    }
    // Two cubes with a common face, stored once: three faces at each of its edges.
    const position = Float64Array.from([0, 1, 2].flatMap((x) => [x, 0, 0, x, 1, 0, x, 1, 1, x, 0, 1]));
    const quads = [0, 1, 2].map((i) => [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]);
    for (const i of [0, 4])
      for (let k = 0; k < 4; k++) quads.push([i + k, i + ((k + 1) % 4), i + 4 + ((k + 1) % 4), i + 4 + k]);
    const triangle = Int32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
    expect(findMeshIntersections(position, triangle).count).toBe(0);
  });

  it('finds pierced, touching, folded and doubled faces', () => {
    const cube = cubeMesh();
    const pierced = joinMeshes(cube, cubeMesh([0.5, 0.5, 0.5]));
    expect(findMeshIntersections(pierced.position, pierced.triangle).count).toBeGreaterThan(3);
    const touching = joinMeshes(cube, cubeMesh([1, 0.25, 0.25], 0.5));
    expect(findMeshIntersections(touching.position, touching.triangle).count).toBeGreaterThan(0);
    const apart = joinMeshes(cube, cubeMesh([1 + 2 ** -52, 0.25, 0.25], 0.5));
    expect(findMeshIntersections(apart.position, apart.triangle).count).toBe(0);
    const folded = Float64Array.from([0, 0, 0, 1, 0, 0, 0.2, 1, 0, 0.8, 2, 0]);
    expect(findMeshIntersections(folded, Int32Array.from([0, 1, 2, 1, 0, 3])).count).toBe(1);
    expect(findMeshIntersections(folded, Int32Array.from([0, 1, 2, 0, 2, 1])).count).toBe(1);
    expect(findMeshIntersections(folded, Int32Array.from([0, 1, 2, 0, 1, 1])).flat).toEqual([1]);
  });
});
