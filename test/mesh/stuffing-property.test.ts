/**
 * The guarantees of isosurface stuffing on 1,200 random smooth regions, and on fields that are noise: every
 * sign and every crossing drawn at random, which reaches far worse configurations than any smooth surface.
 */
import { describe, expect, it } from 'vitest';
import type { Lattice, StuffingField } from '../../src/mesh/lattice/lattice.ts';
import { stuff } from '../../src/mesh/lattice/stuff.ts';
import { allCells, createRandom, drawRegion } from './shapes.ts';
import { checkMesh, MIN_DIHEDRAL } from './stuffing-checks.ts';

const SHAPES = 1200;

describe('stuffing random smooth regions', () => {
  for (const scale of [1, 1e3, 1e-3])
    it(`keeps every guarantee at scale ${scale}`, () => {
      let meshed = 0;
      let tets = 0;
      let min = 180;
      let max = 0;
      for (let seed = scale === 1 ? 0 : scale > 1 ? 1 : 2; seed < SHAPES; seed += 3) {
        const random = createRandom(seed);
        const n = 12 + Math.floor(5 * random());
        const lattice: Lattice = {
          origin: [-scale, -scale, -scale],
          size: (2 * scale) / n,
          cells: [n, n, n],
        };
        const value = drawRegion(random, scale);
        const mesh = stuff({ value }, lattice, { maxLevel: seed % 4, surfaceCells: allCells(lattice.cells) });
        if (mesh.tetCount === 0) continue;
        const quality = checkMesh(mesh, value, `seed ${seed}`);
        min = Math.min(min, quality.minDihedral);
        max = Math.max(max, quality.maxDihedral);
        meshed++;
        tets += mesh.tetCount;
      }
      expect(meshed).toBeGreaterThan(0.9 * (SHAPES / 3));
      expect(tets / meshed).toBeGreaterThan(1500);
      // The bounds would mean little if the shapes never came near them.
      expect(min).toBeLessThan(16);
      expect(max).toBeGreaterThan(140);
    });
});

describe('stuffing noise', () => {
  it('keeps the angle bounds and conformity for arbitrary signs and crossings', () => {
    let min = 180;
    for (let seed = 0; seed < 150; seed++) {
      const mesh = stuff(
        drawNoise(seed, 8),
        { origin: [0, 0, 0], size: 1, cells: [8, 8, 8] },
        {
          maxLevel: 0,
          surfaceCells: allCells([8, 8, 8]),
        },
      );
      if (mesh.tetCount > 0) min = Math.min(min, checkMesh(mesh, undefined, `noise ${seed}`).minDihedral);
    }
    expect(min).toBeGreaterThan(MIN_DIHEDRAL);
    expect(min).toBeLessThan(13.5);
  });
});

/**
 * Signs and crossings drawn at random in the unit cells of (0, n)^3; crossings favour the limits of warping.
 */
function drawNoise(seed: number, n: number): StuffingField {
  const random = createRandom(seed);
  const density = random();
  const eager = random();
  const limits = [0.2599, 0.26, 0.3799, 0.38, 0.45, 0.5, 1e-4];
  const known = new Map<number, number>();
  return {
    value(x, y, z) {
      if (Math.min(x, y, z) <= 0 || Math.max(x, y, z) >= n) return -1;
      const key = 2 * x + 64 * (2 * y + 64 * 2 * z);
      let v = known.get(key);
      if (v === undefined) {
        v = random() < density ? 1 : -1;
        known.set(key, v);
      }
      return v;
    },
    crossing() {
      if (random() > eager) return 1e-6 + (1 - 2e-6) * random();
      const t = limits[Math.floor(limits.length * random())];
      return random() < 0.5 ? t : 1 - t;
    },
  };
}
