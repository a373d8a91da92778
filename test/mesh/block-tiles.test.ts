/**
 * The table of blocks against a dense one, and a mesh in a lattice whose dense table would take half a
 * gigabyte.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { NONE } from '../../src/core/types.ts';
import { BlockTiles, countTiles, findInTiles } from '../../src/mesh/lattice/block-tiles.ts';
import type { Lattice } from '../../src/mesh/lattice/lattice.ts';
import { stuff } from '../../src/mesh/lattice/stuff.ts';
import { createLocator } from '../../src/mesh/locate.ts';
import { measureQuality } from '../../src/mesh/quality.ts';
import { buildTopology } from '../../src/mesh/topology.ts';

describe('block tiles', () => {
  it.each([1, 2, 3])('hold what a dense table holds (seed %d)', (seed) => {
    const random = createRandom(seed);
    const blocks = [19, 33, 24] as const;
    const [bx, by, bz] = blocks;
    const tiles = new BlockTiles([bx, by, bz]);
    const dense = new Int32Array(bx * by * bz).fill(NONE);
    const at = (x: number, y: number, z: number) => x + bx * (y + by * z);
    for (let n = 0; n < 2000; n++) {
      const [x, y, z] = blocks.map((count) => random.nextInt(count));
      const number = random.nextInt(10) === 0 ? NONE : n;
      tiles.set(x, y, z, number);
      dense[at(x, y, z)] = number;
    }
    for (let n = 0; n < 60; n++) {
      const across = 1 << random.nextInt(5);
      const [x, y, z] = blocks.map((count) => across * random.nextInt(1 + Math.ceil(count / across)));
      const number = n % 3 === 0 ? NONE : -2 - n;
      tiles.fill(x, y, z, across, number);
      for (let c = z; c < Math.min(bz, z + across); c++)
        for (let b = y; b < Math.min(by, y + across); b++)
          for (let a = x; a < Math.min(bx, x + across); a++) dense[at(a, b, c)] = number;
    }
    const { tileStart, blockStart } = tiles.finish();
    const stored = tileStart.filter((tile) => tile >= 0);
    expect([...stored]).toEqual([...stored.keys()]);
    expect(blockStart.length).toBe(512 * stored.length);
    expect(stored.length).toBeLessThan(tileStart.length);
    const [tilesX, tilesY] = [countTiles(bx), countTiles(by)];
    for (let z = 0; z < bz; z++)
      for (let y = 0; y < by; y++)
        for (let x = 0; x < bx; x++) {
          expect(tiles.find(x, y, z)).toBe(dense[at(x, y, z)]);
          expect(findInTiles(tileStart, blockStart, tilesX, tilesY, x, y, z)).toBe(dense[at(x, y, z)]);
        }
  });

  it('index a ball in a lattice of 1024 cells in a few megabytes', () => {
    const cells = 1024;
    const [radius, middle] = [6.3, 700.2];
    const lattice: Lattice = { origin: [0, 0, 0], size: 1, cells: [cells, cells, cells] };
    const value = (x: number, y: number, z: number) =>
      radius - Math.hypot(x - middle, y - middle, z - middle);
    const seed = Math.floor(middle - radius) + cells * (Math.floor(middle) + cells * Math.floor(middle));
    const mesh = stuff({ value }, lattice, { maxLevel: 3, surfaceCells: Int32Array.of(seed) });
    const { volume } = measureQuality(mesh);
    expect(volume).toBeGreaterThan(0.97 * ((4 / 3) * Math.PI * radius ** 3));
    expect(volume).toBeLessThan((4 / 3) * Math.PI * radius ** 3);
    const { tileStart, blockStart } = mesh.index;
    expect(4 * (tileStart.length + blockStart.length)).toBeLessThan(2e6);
    const locator = createLocator(mesh, buildTopology(mesh));
    const weights = new Float64Array(4);
    expect(locator.locate(middle, middle, middle, NONE, weights)).not.toBe(NONE);
    expect(locator.locate(middle + 0.9 * radius, middle, middle, NONE, weights)).not.toBe(NONE);
    expect(locator.locate(middle + 1.1 * radius, middle, middle, NONE, weights)).toBe(NONE);
    expect(locator.locate(1.5, 1.5, 1.5, NONE, weights)).toBe(NONE);
  });
});
