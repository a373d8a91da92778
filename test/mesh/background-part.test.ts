import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { NONE } from '../../src/core/types.ts';
import { buildBackground } from '../../src/mesh/background/mesh.ts';
import { markBoundary, takePart } from '../../src/mesh/background/part.ts';
import { createLocator, locateExhaustively } from '../../src/mesh/locate.ts';
import { createGrownSizing } from '../../src/mesh/octree/grown-sizing.ts';
import { buildOctree } from '../../src/mesh/octree/sizing.ts';
import { buildTopology } from '../../src/mesh/topology.ts';
import { createRandom } from './shapes.ts';

const scope = createHeap().scope('test');
const size = 0.1;
const box = { origin: [0, 0, 0] as const, size, roots: [3, 3, 3] as const, maxLevel: 3 };
const radius = 0.7;
const depthAt = (x: number, y: number, z: number) => radius - Math.hypot(x - 1.2, y - 1.23, z - 1.17);

/** Finest cells that a ball's surface passes. */
function findCells(): Int32Array {
  const cells: number[] = [];
  for (let k = 0; k < 24; k++)
    for (let j = 0; j < 24; j++)
      for (let i = 0; i < 24; i++)
        if (Math.abs(depthAt(size * (i + 0.5), size * (j + 0.5), size * (k + 0.5))) < 0.87 * size)
          cells.push(i, j, k);
  return Int32Array.from(cells);
}

/** The tets of a graded background with a vertex in the ball; cells of `cell` at its surface. */
function buildBall(cell: number, growth: number) {
  const sizing = createGrownSizing(box, { cell: findCells(), size: cell, growth, fields: [] });
  const octree = buildOctree(box, { sizing }, scope);
  const wanted = new Uint8Array(octree.leafCount);
  for (let leaf = 0; leaf < octree.leafCount; leaf++) {
    const edge = size * 2 ** octree.leafLevel[leaf];
    const [x, y, z] = [0, 1, 2].map((a) => size * octree.leafCorner[3 * leaf + a] + edge / 2);
    if (depthAt(x, y, z) > -1.4 * edge) wanted[leaf] = 1;
  }
  const whole = buildBackground(octree, scope);
  const beyond = new Uint8Array(octree.leafCount);
  const background = buildBackground(octree, scope, { wanted, beyond });
  const count = (mesh: typeof whole) => {
    const keep = new Uint8Array(mesh.tetCount);
    let sum = 0;
    for (let n = 0; n < 4 * mesh.tetCount; n++) {
      const v = 3 * mesh.tet[n];
      const isInside = depthAt(mesh.position[v], mesh.position[v + 1], mesh.position[v + 2]) > 0;
      if (!isInside || keep[n >> 2] === 1) continue;
      keep[n >> 2] = 1;
      sum++;
    }
    return { keep, sum };
  };
  expect(background.tetCount).toBeLessThan(whole.tetCount);
  expect(count(background).sum).toBe(count(whole).sum);
  const { mesh } = takePart(background, count(background).keep, scope);
  const topology = buildTopology(mesh);
  markBoundary(mesh, topology);
  return { mesh, locator: createLocator(mesh, topology) };
}

describe('a part of a background mesh', () => {
  it.each([
    ['finest at its boundary', size, 0.5],
    ['coarse there', 2 * size, 0.5],
  ])('%s locates points as a search of all its tets does', (_, cell, growth) => {
    const { mesh, locator } = buildBall(cell, growth);
    const random = createRandom(3);
    const found = new Float64Array(4);
    const searched = new Float64Array(4);
    let inside = 0;
    for (let n = 0; n < 4000; n++) {
      const [x, y, z] = [0, 1, 2].map(() => 2.4 * random());
      const t = locator.locate(x, y, z, NONE, found);
      expect(t === NONE).toBe(locateExhaustively(locator.data, x, y, z, searched) === NONE);
      if (t !== NONE) inside++;
    }
    expect(inside).toBeGreaterThan(300);
    expect(locator.lostCount).toBe(0);
    // Vertices are in tets of their own, those of the boundary too.
    for (let v = 0; v < mesh.vertexCount; v++) {
      const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
      expect(locator.locate(x, y, z, NONE, found)).not.toBe(NONE);
    }
  });

  it('is the coarser the faster sizes grow, and as fine as wanted at the marks', () => {
    const levels = [0.3, 1, 1e6].map((growth) => buildBall(size, growth).mesh);
    expect(levels[0].tetCount).toBeGreaterThan(1.3 * levels[1].tetCount);
    expect(levels[1].tetCount).toBeGreaterThanOrEqual(levels[2].tetCount);
    const { tet, tetCount, tetLevel, position } = levels[1];
    for (let t = 0; t < tetCount; t++) {
      const depths = [0, 1, 2, 3].map((i) => {
        const v = 3 * tet[4 * t + i];
        return depthAt(position[v], position[v + 1], position[v + 2]);
      });
      if (Math.min(...depths) < 0 && Math.max(...depths) > 0) expect(tetLevel[t]).toBe(0);
    }
    expect(Math.max(...tetLevel)).toBeGreaterThan(0);
  });
});
