import { describe, expect, it } from 'vitest';
import { NONE } from '../../src/core/types.ts';
import type { Lattice } from '../../src/mesh/lattice/lattice.ts';
import { stuff } from '../../src/mesh/lattice/stuff.ts';
import {
  computeBarycentric,
  createLocator,
  INSIDE_TOLERANCE,
  locateExhaustively,
} from '../../src/mesh/locate.ts';
import { buildTopology } from '../../src/mesh/topology.ts';
import { allCells, ball, box, createRandom, drawRegion, type Field, torus } from './shapes.ts';

function prepare(value: Field, n: number, maxLevel: number) {
  const lattice: Lattice = { origin: [-1.1, -1.1, -1.1], size: 2.2 / n, cells: [n, n, n] };
  const mesh = stuff({ value }, lattice, { maxLevel, surfaceCells: allCells(lattice.cells) });
  const topology = buildTopology(mesh);
  return { mesh, topology, locator: createLocator(mesh, topology) };
}

/**
 * Brute force over the boxes of the tets: the first tet that contains the point, and whether any does
 * clearly.
 */
function compare(value: Field, n: number, maxLevel: number, count: number, useHint: boolean): number {
  const { mesh, locator } = prepare(value, n, maxLevel);
  const random = createRandom(7 * n + maxLevel);
  const bary = new Float64Array(4);
  const brute = new Float64Array(4);
  let inside = 0;
  let hint = NONE;
  for (let p = 0; p < count; p++) {
    const [x, y, z] = [0, 1, 2].map(() => 2.4 * random() - 1.2);
    const found = locator.locate(x, y, z, useHint ? hint : NONE, bary);
    const expected = locateExhaustively(locator.data, x, y, z, brute);
    if ((found === NONE) !== (expected === NONE))
      throw new Error(`(${x}, ${y}, ${z}): ${found}, not ${expected}`);
    if (found === NONE) continue;
    inside++;
    hint = found;
    // Another tet than brute force's only where the point is on their common face.
    computeBarycentric(mesh.position, mesh.tet, found, x, y, z, brute);
    if (Math.min(...brute) < -INSIDE_TOLERANCE || (found !== expected && Math.min(...bary) > 1e-10))
      throw new Error(`(${x}, ${y}, ${z}): ${found} (${bary}), not ${expected}`);
  }
  expect(locator.lostCount).toBe(0);
  return inside;
}

describe('locate', () => {
  it('agrees with brute force at 100,000 random points inside and outside', () => {
    expect(compare(ball(1), 6, 0, 50_000, false)).toBeGreaterThan(10_000);
    expect(compare(torus(0.7, 0.3), 8, 1, 50_000, true)).toBeGreaterThan(2_000);
  });

  it('agrees with brute force in graded meshes and in odd shapes, with and without a hint', () => {
    expect(compare(ball(1), 32, 3, 300, false)).toBeGreaterThan(50);
    for (let seed = 0; seed < 12; seed++)
      compare(drawRegion(createRandom(seed), 1.05), 14, seed % 3, 1000, seed % 2 === 0);
  });

  it('finds vertices, edge midpoints and face centres of every tet', () => {
    // The sides of the box lie on lattice planes, up to rounding.
    for (const [value, n, maxLevel] of [
      [ball(1), 24, 0],
      [ball(1), 24, 2],
      [box(0.8, 0.8, 0.8), 22, 1],
    ] as const) {
      const { mesh, locator } = prepare(value, n, maxLevel);
      const bary = new Float64Array(4);
      const at = (...corner: number[]) =>
        [0, 1, 2].map((a) => corner.reduce((s, v) => s + mesh.position[3 * v + a], 0) / corner.length);
      for (let t = 0; t < mesh.tetCount; t += 3) {
        const [a, b, c, d] = mesh.tet.subarray(4 * t, 4 * t + 4);
        for (const [x, y, z] of [at(a), at(a, b), at(b, c, d), at(a, c, d), at(a, b, c, d)]) {
          const found = locator.locate(x, y, z, NONE, bary);
          if (found === NONE || Math.min(...bary) < -INSIDE_TOLERANCE)
            throw new Error(`tet ${t}: (${x}, ${y}, ${z})`);
        }
        const [x, y, z] = at(a, b, c, d);
        if (locator.locate(x, y, z, 0, bary) !== t) throw new Error(`tet ${t} is not at its own centre`);
      }
      expect(locator.lostCount).toBe(0);
    }
  });

  it('returns coordinates that reproduce the point', () => {
    const { mesh, locator } = prepare(ball(1), 12, 1);
    const bary = new Float64Array(4);
    const t = locator.locate(0.21, -0.33, 0.4, NONE, bary);
    const back = [0, 1, 2].map((a) =>
      bary.reduce((s, w, v) => s + w * mesh.position[3 * mesh.tet[4 * t + v] + a], 0),
    );
    expect(Math.hypot(back[0] - 0.21, back[1] + 0.33, back[2] - 0.4)).toBeLessThan(1e-14);
  });

  it('answers NONE for points far away, at infinity and NaN', () => {
    const { locator } = prepare(ball(1), 8, 0);
    const bary = new Float64Array(4);
    for (const x of [1e9, -1e9, Number.POSITIVE_INFINITY, Number.NaN])
      expect(locator.locate(x, 0, 0, NONE, bary)).toBe(NONE);
  });
});
