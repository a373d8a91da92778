/**
 * Stuffing in a vessel: the mesh fills the liquid exactly where walls are lattice planes, at every depth and
 * tilt.
 */
import { describe, expect, it } from 'vitest';
import { NONE } from '../../src/core/types.ts';
import { ON_LIQUID, ON_VESSEL, type StuffedMesh, type VesselField } from '../../src/mesh/lattice/lattice.ts';
import { stuff } from '../../src/mesh/lattice/stuff.ts';
import { measureQuality, validateTetMesh } from '../../src/mesh/quality.ts';
import { buildTopology } from '../../src/mesh/topology.ts';

const CELLS = [12, 3, 9] as const;
const NEAR = 0.01;

/** The box of the lattice, cells of edge 1. */
const tank: VesselField = {
  planes: 63,
  value: (x, y, z) => {
    const least = Math.min(x, y, z, CELLS[0] - x, CELLS[1] - y, CELLS[2] - z);
    return Math.abs(least) < 1e-9 ? 0 : least;
  },
  walls: (x, y, z) =>
    (x < NEAR ? 1 : 0) |
    (y < NEAR ? 2 : 0) |
    (z < NEAR ? 4 : 0) |
    (x > CELLS[0] - NEAR ? 8 : 0) |
    (y > CELLS[1] - NEAR ? 16 : 0) |
    (z > CELLS[2] - NEAR ? 32 : 0),
};

/** Liquid below z = depth + slope (x - 6). */
function fill(depth: number, slope: number): { mesh: StuffedMesh; volume: number } {
  const steep = Math.hypot(1, slope);
  const value = (x: number, _: number, z: number) => (depth + slope * (x - 6) - z) / steep;
  const cells: number[] = [];
  for (let k = 0; k < CELLS[2]; k++)
    for (let j = 0; j < CELLS[1]; j++)
      for (let i = 0; i < CELLS[0]; i++)
        if (Math.abs(value(i + 0.5, j + 0.5, k + 0.5)) < 1) cells.push(i + CELLS[0] * (j + CELLS[1] * k));
  const lattice = { origin: [0, 0, 0], size: 1, cells: CELLS } as const;
  const mesh = stuff({ value }, lattice, {
    maxLevel: 3,
    surfaceCells: Int32Array.from(cells),
    vessel: tank,
  });
  // A wedge: the part of the tank where the surface is above the floor.
  const from = slope > 0 ? Math.max(0, 6 - depth / slope) : 0;
  const width = CELLS[0] - from;
  const mean = depth + slope * ((from + CELLS[0]) / 2 - 6);
  return { mesh, volume: CELLS[1] * width * mean };
}

const depths = [0.2, 0.25, 0.4, 0.5, 0.6, 0.77, 1, 1.3, 5.5, 5.6, 5.7, 5.76, 5.8, 5.9, 6, 6.1, 6.2, 6.3, 6.4];

describe('stuffing in a vessel', () => {
  it.each(depths)('fills a level pool %s cells deep to rounding', (depth) => {
    const { mesh, volume } = fill(depth, 0);
    validateTetMesh(mesh, buildTopology(mesh));
    const quality = measureQuality(mesh);
    expect(Math.abs(quality.volume / volume - 1)).toBeLessThan(1e-9);
    expect(quality.minDihedral).toBeGreaterThan(10);
  });

  it.each([5.5, 5.7, 5.8, 6, 6.3])('fills a pool %s cells deep that leans, to rounding', (depth) => {
    for (const slope of [0.07, 0.4]) {
      const { mesh, volume } = fill(depth, slope);
      validateTetMesh(mesh, buildTopology(mesh));
      expect(Math.abs(measureQuality(mesh).volume / volume - 1)).toBeLessThan(1e-9);
    }
  });

  it.each([0.03, 0.05, 0.09])(
    'raises a film %s cells thin to tets 0.11 cells thick, level as it is',
    (depth) => {
      const { mesh } = fill(depth, 0);
      validateTetMesh(mesh, buildTopology(mesh));
      const quality = measureQuality(mesh);
      expect(quality.volume).toBeCloseTo(0.11 * CELLS[0] * CELLS[1], 9);
      expect(quality.minDihedral).toBeGreaterThan(5);
    },
  );

  it('leaves out films thinner than that, and wedges no further than that', () => {
    expect(fill(0.025, 0).mesh.tetCount).toBe(0);
    const { mesh } = fill(0.4, 0.07);
    validateTetMesh(mesh, buildTopology(mesh));
    // The wedge's tip begins at x = 6 - 0.4 / 0.07 = 0.29 cells; the mesh may end within a cell of that.
    const end = Math.min(...mesh.position.filter((_, n) => n % 3 === 0));
    expect(end).toBeLessThan(1.29);
    const { mesh: steep, volume } = fill(0.4, 0.4);
    const share = measureQuality(steep).volume / volume;
    expect(share).toBeGreaterThan(0.97);
    expect(share).toBeLessThan(1.03);
  });

  it('marks every boundary vertex with what it lies on', () => {
    const { mesh } = fill(5.8, 0.07);
    const topology = buildTopology(mesh);
    let both = 0;
    for (let f = 0; f < topology.faceCount; f++) {
      if (topology.faceToTet[2 * f + 1] !== NONE) continue;
      for (let n = 3 * f; n < 3 * f + 3; n++) {
        const v = topology.faceVertex[n];
        const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
        const on = mesh.vertexOnSurface[v];
        expect(on & ON_VESSEL ? ON_VESSEL : 0).toBe(Math.abs(tank.value(x, y, z)) < 1e-9 ? ON_VESSEL : 0);
        const off = Math.abs(5.8 + 0.07 * (x - 6) - z);
        if (on & ON_LIQUID) expect(off).toBeLessThan(1e-9);
        if (on === (ON_LIQUID | ON_VESSEL)) both++;
      }
    }
    expect(both).toBeGreaterThan(20);
  });
});
