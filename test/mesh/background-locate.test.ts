import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { NONE } from '../../src/core/types.ts';
import { locatePoints } from '../../src/mesh/background/locate.ts';
import type { BackgroundMesh } from '../../src/mesh/background/mesh.ts';
import { buildBall, buildRandom } from './background-meshes.ts';
import { FRACTION, locateExhaustively } from './exhaustive.ts';

const POINTS = 1e6;
const MESHES = 10;

/**
 * Places in 1 / (2 FRACTION) of a finest cell: some anywhere, some on faces, edges and corners of leaves and
 * tets.
 */
function samplePlaces(mesh: BackgroundMesh, count: number, seed: number): Int32Array {
  const random = createRandom(seed);
  const { roots, maxLevel } = mesh.octree;
  return Int32Array.from({ length: 3 * count }, (_, n) => {
    const side = FRACTION * (roots[n % 3] << (maxLevel + 1));
    const grid = [1, 8, 16, 32, 64, 128][Math.floor(n / 3) % 6];
    return grid * random.nextInt(side / grid + 1);
  });
}

describe('point location in a background mesh', () => {
  it('equals an exhaustive search at a million points, over all forms, ties included', () => {
    const shapes = new Set<string>();
    let wrong = 0;
    let onFaces = 0;
    let worst = 0;
    for (let n = 0; n < MESHES; n++) {
      const mesh = buildRandom(n, [1 + (n % 3), 1, 1], 2, 1);
      const count = POINTS / MESHES;
      const place = samplePlaces(mesh, count, 50 + n);
      const point = Float64Array.from(place, (p) => p / (2 * FRACTION));
      const tet = new Int32Array(count);
      const barycentric = new Float64Array(4 * count);
      locatePoints(mesh, 0, count, point, tet, barycentric);
      const expected = locateExhaustively(mesh, place);
      for (let p = 0; p < count; p++) {
        const t = tet[p];
        if (t !== expected[p]) wrong++;
        let isOnFace = false;
        for (let i = 0; i < 4; i++) {
          if (!(barycentric[4 * p + i] >= 0)) wrong++;
          if (barycentric[4 * p + i] === 0) isOnFace = true;
        }
        if (isOnFace) onFaces++;
        for (let a = 0; a < 3; a++) {
          if (place[3 * p + a] === FRACTION * (mesh.octree.roots[a] << (mesh.octree.maxLevel + 1))) continue;
          let sum = 0;
          for (let i = 0; i < 4; i++)
            sum += barycentric[4 * p + i] * mesh.vertexPlace[3 * mesh.tet[4 * t + i] + a];
          worst = Math.max(worst, Math.abs(FRACTION * sum - place[3 * p + a]));
        }
        shapes.add(`${mesh.tetShape[t]} at ${mesh.tetLevel[t]}`);
      }
    }
    expect(wrong).toBe(0);
    // Exact: the coordinates give the point back to the last bit, high sides of the box apart.
    expect(worst).toBe(0);
    expect(onFaces).toBeGreaterThan(POINTS / 4);
    for (const shape of [0, 1, 2, 3])
      for (const level of [1]) expect(shapes).toContain(`${shape} at ${level}`);
    expect(shapes).toContain('0 at 0');
    expect(shapes).toContain('3 at 0');
  });

  it('finds every centre of a tet in it', () => {
    const mesh = buildBall();
    const { tetCount, tet, position } = mesh;
    const point = new Float64Array(3 * tetCount);
    for (let t = 0; t < tetCount; t++)
      for (let a = 0; a < 3; a++)
        for (let i = 0; i < 4; i++) point[3 * t + a] += 0.25 * position[3 * tet[4 * t + i] + a];
    const found = new Int32Array(tetCount);
    const barycentric = new Float64Array(4 * tetCount);
    locatePoints(mesh, 0, tetCount, point, found, barycentric);
    let wrong = 0;
    for (let t = 0; t < tetCount; t++) if (found[t] !== t) wrong++;
    expect(wrong).toBe(0);
    expect(barycentric.findIndex((b) => Math.abs(b - 0.25) > 1e-12)).toBe(-1);
  });

  it('interpolates linear functions to rounding, and its coordinates add up to one', () => {
    const mesh = buildBall();
    const random = createRandom(2);
    const count = 20000;
    const { origin, size } = mesh.octree;
    const point = Float64Array.from(
      { length: 3 * count },
      (_, n) => origin[n % 3] + 32 * size * random.next(),
    );
    const tet = new Int32Array(count);
    const barycentric = new Float64Array(4 * count);
    locatePoints(mesh, 0, count, point, tet, barycentric);
    let worst = 0;
    let sums = 0;
    for (let p = 0; p < count; p++) {
      const [a, b, c, d] = barycentric.subarray(4 * p, 4 * p + 4);
      if (a + b + c + d !== 1 || Math.min(a, b, c, d) < 0) sums++;
      for (let axis = 0; axis < 3; axis++) {
        let value = 0;
        for (let i = 0; i < 4; i++)
          value += barycentric[4 * p + i] * mesh.position[3 * mesh.tet[4 * tet[p] + i] + axis];
        worst = Math.max(worst, Math.abs(value - point[3 * p + axis]));
      }
    }
    expect(sums).toBe(0);
    expect(worst).toBeLessThan(2e-15);
  });

  it('takes points on the sides of the box and refuses those beyond', () => {
    const mesh = buildRandom(4, [1, 2, 1], 2);
    const inside = [0, 0, 0, 4, 8, 4, 4, 3.3, 0, -0, 8, 2.2];
    const outside = [-1e-9, 1, 1, 1, 8.000001, 1, 1, 1, Number.NaN, Number.POSITIVE_INFINITY, 1, 1];
    const tet = new Int32Array(8);
    const barycentric = new Float64Array(32).fill(7);
    locatePoints(mesh, 0, 8, Float64Array.of(...inside, ...outside), tet, barycentric);
    expect([...tet.subarray(0, 4)].every((t) => t >= 0)).toBe(true);
    expect([...tet.subarray(4)]).toEqual([NONE, NONE, NONE, NONE]);
    expect([...barycentric.subarray(16)].every((b) => b === 0)).toBe(true);
  });
});
