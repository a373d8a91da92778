import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import type { HeapScope } from '../../src/core/heap.ts';
import type { Lattice, StuffedMesh } from '../../src/mesh/lattice/lattice.ts';
import { meshShape } from '../../src/mesh/lattice/mesh-shape.ts';
import { stuff } from '../../src/mesh/lattice/stuff.ts';
import { findSurfaceCells } from '../../src/mesh/lattice/surface-cells.ts';
import { measureQuality } from '../../src/mesh/quality.ts';
import { allCells, ball, box, createRandom, drawRotation, type Field, rotated, torus } from './shapes.ts';
import { checkMesh } from './stuffing-checks.ts';

const BALL_VOLUME = (4 / 3) * Math.PI;

function unitLattice(n: number, reach = 1.2, shift = 0): Lattice {
  const low = -reach + shift;
  return { origin: [low, low, low], size: (2 * reach) / n, cells: [n, n, n] };
}

function implicit(value: Field, reach: number) {
  return { bounds: { min: [-reach, -reach, -reach], max: [reach, reach, reach] } as const, value };
}

function shapesUsed(mesh: StuffedMesh): number[] {
  return [...new Set(mesh.tetShape)].sort();
}

describe('stuffing a ball', () => {
  it('converges to its volume with the square of the size', () => {
    const errors = [8, 16, 32].map((across) => {
      const { mesh, quality } = meshShape(implicit(ball(1), 1), { size: 2 / across, interior: 'graded' });
      checkMesh(mesh, ball(1), `ball ${across}`);
      return 1 - quality.volume / BALL_VOLUME;
    });
    for (const error of errors) expect(error).toBeGreaterThan(0);
    for (let i = 0; i < 2; i++) {
      const order = Math.log2(errors[i] / errors[i + 1]);
      expect(order).toBeGreaterThan(1.8);
      expect(order).toBeLessThan(2.2);
    }
  });

  it('fills the same volume with fewer tets the coarser the interior may be', () => {
    const meshes = [0, 1, 2].map((maxLevel) => stuff({ value: ball(1) }, unitLattice(44, 1.1), { maxLevel }));
    for (let l = 0; l < 3; l++) {
      checkMesh(meshes[l], ball(1), `level ${l}`);
      expect(meshes[l].tetLevel.reduce((a, b) => Math.max(a, b))).toBe(l);
      if (l > 0) expect(meshes[l].tetCount).toBeLessThan(meshes[l - 1].tetCount);
      expect(measureQuality(meshes[l]).volume / measureQuality(meshes[0]).volume).toBeCloseTo(1, 9);
    }
    expect(meshes[2].tetCount).toBeLessThan(0.6 * meshes[0].tetCount);
    expect(shapesUsed(meshes[0])).toEqual([0, 4]);
    expect(shapesUsed(meshes[2])).toEqual([0, 1, 2, 3, 4]);
  });

  it('has whole inner tets of four shapes only, equal up to the power of two of their level', () => {
    const mesh = stuff({ value: ball(1) }, unitLattice(48), { maxLevel: 3 });
    const expected = [1 / 12, 1 / 24, 1 / 48, 1 / 12].map((v) => v * mesh.index.size ** 3);
    for (let t = 0; t < mesh.tetCount; t++) {
      if (mesh.tetShape[t] > 3) continue;
      const one = measureQuality({ ...mesh, tetCount: 1, tet: mesh.tet.slice(4 * t, 4 * t + 4) });
      const ratio = one.volume / (expected[mesh.tetShape[t]] * 8 ** mesh.tetLevel[t]);
      if (Math.abs(ratio - 1) > 1e-9) throw new Error(`tet ${t}: shape ${mesh.tetShape[t]}, ratio ${ratio}`);
      if (one.minDihedral < 44.9 || one.maxDihedral > 120.1) throw new Error(`tet ${t}: ${one.minDihedral}`);
    }
  });

  it('gives the same bytes twice, and the same from a single seed cell as from all cells', () => {
    const lattice = unitLattice(20);
    const value = torus(0.7, 0.31);
    const once = stuff({ value }, lattice, { maxLevel: 2 });
    const again = stuff({ value }, lattice, { maxLevel: 2 });
    expect(again.position).toEqual(once.position);
    expect(again.tet).toEqual(once.tet);
    const cells = findSurfaceCells({ value }, lattice);
    expect(cells.length).toBeGreaterThan(500);
    const everywhere = stuff({ value }, lattice, { maxLevel: 2, surfaceCells: allCells(lattice.cells) });
    // The cell of a point on the torus: from there the mesher follows the surface by itself.
    const [i, j, k] = [0.7 + 0.31, 0.05, 0.05].map((c) => Math.floor((c + 1.2) / lattice.size));
    const seed = Int32Array.of(i + 20 * (j + 20 * k));
    for (const other of [everywhere, stuff({ value }, lattice, { maxLevel: 2, surfaceCells: seed })]) {
      expect(Buffer.compare(Buffer.from(other.tet.buffer), Buffer.from(once.tet.buffer))).toBe(0);
      expect(Buffer.compare(Buffer.from(other.position.buffer), Buffer.from(once.position.buffer))).toBe(0);
    }
  });

  it('uses the batch path and the field’s own crossings where given', () => {
    const lattice = unitLattice(16);
    const plain = stuff({ value: ball(1) }, lattice, { maxLevel: 0 });
    let batches = 0;
    const sampled = stuff(
      {
        value: () => Number.NaN,
        sample(point, count, out) {
          batches++;
          for (let p = 0; p < count; p++) out[p] = ball(1)(point[3 * p], point[3 * p + 1], point[3 * p + 2]);
        },
      },
      lattice,
      { maxLevel: 0 },
    );
    expect(batches).toBeGreaterThan(0);
    expect(sampled.position).toEqual(plain.position);
    const linear = stuff({ value: ball(1), crossing: (...a) => a[6] / (a[6] - a[7]) }, lattice, {
      maxLevel: 0,
    });
    expect(linear.tetCount / plain.tetCount).toBeCloseTo(1, 1);
    expect(linear.position).not.toEqual(plain.position);
  });

  it('allocates its arrays from a scope', () => {
    let bytes = 0;
    const take = <T extends { byteLength: number }>(array: T): T => {
      bytes += array.byteLength;
      return array;
    };
    const scope: HeapScope = {
      f64: (n) => take(new Float64Array(n)),
      f32: (n) => take(new Float32Array(n)),
      i32: (n) => take(new Int32Array(n)),
      u8: (n) => take(new Uint8Array(n)),
      get bytes() {
        return bytes;
      },
      free() {},
    };
    const mesh = stuff({ value: ball(1) }, unitLattice(12), { maxLevel: 1, scope });
    expect(bytes).toBeGreaterThan(mesh.position.byteLength + mesh.tet.byteLength);
    expect(mesh.tet).toEqual(stuff({ value: ball(1) }, unitLattice(12), { maxLevel: 1 }).tet);
  });
});

describe('stuffing hard regions', () => {
  it('meshes sheets from thick to thinner than a cell, at any angle', () => {
    let meshed = 0;
    for (let seed = 0; seed < 40; seed++) {
      const random = createRandom(seed);
      const thickness = 0.01 + 0.25 * random();
      const value = rotated(box(0.8, 0.7, 0.5 * thickness), drawRotation(random), [0.01, 0.02, 0.03]);
      const mesh = stuff({ value }, unitLattice(20), { maxLevel: seed % 3 });
      if (mesh.tetCount === 0) continue;
      meshed++;
      checkMesh(mesh, value, `sheet ${seed}`);
    }
    expect(meshed).toBeGreaterThan(20);
  });

  it('meshes blobs around and below the cell size, wherever they lie', () => {
    let meshed = 0;
    for (let seed = 0; seed < 300; seed++) {
      const random = createRandom(seed);
      const centre = [random(), random(), random()];
      const radius = 0.1 + 1.2 * random();
      const value: Field = (x, y, z) => radius - Math.hypot(x - centre[0], y - centre[1], z - centre[2]);
      const mesh = stuff({ value }, { origin: [-3, -3, -3], size: 1, cells: [7, 7, 7] }, { maxLevel: 1 });
      if (mesh.tetCount === 0) continue;
      meshed++;
      checkMesh(mesh, value, `blob ${seed}`);
      expect(measureQuality(mesh).volume).toBeLessThan(1.6 * BALL_VOLUME * radius ** 3);
    }
    expect(meshed).toBeGreaterThan(150);
  });

  it('meshes boxes whose sides pass through lattice corners, centres, or neither', () => {
    for (const offset of [0, 0.25, 0.5, 1e-9, 0.1])
      for (const maxLevel of [0, 2]) {
        const a = 4 + offset;
        const value = box(a, a, a);
        const mesh = stuff({ value }, { origin: [-6, -6, -6], size: 1, cells: [12, 12, 12] }, { maxLevel });
        checkMesh(mesh, value, `box ${a}`);
        // Only the box's own edges and corners are rounded off.
        const volume = measureQuality(mesh).volume / (2 * a) ** 3;
        expect(volume).toBeGreaterThan(0.97);
        expect(volume).toBeLessThan(1 + 1e-9);
      }
  });

  it('meshes regions that touch or fill the lattice box', () => {
    const lattice: Lattice = { origin: [0, 0, 0], size: 0.5, cells: [9, 10, 11] };
    const fills = (x: number, y: number, z: number) => box(2.25, 2.5, 2.75)(x - 2.25, y - 2.5, z - 2.75);
    const mesh = stuff({ value: fills }, lattice, { maxLevel: 2 });
    checkMesh(mesh, fills, 'full box');
    expect(Math.min(...mesh.position)).toBeGreaterThanOrEqual(-1e-9);
    const touches: Field = (x, y, z) => Math.min(fills(x, y, z), 2 - Math.hypot(x, y, z));
    checkMesh(stuff({ value: touches }, lattice, { maxLevel: 1 }), touches, 'corner of a ball');
    const pool: Field = (x, y, z) => Math.min(fills(x, y, z), 1.37 + 0.05 * x - z);
    const still = stuff({ value: pool }, lattice, { maxLevel: 2 });
    checkMesh(still, pool, 'pool');
  });

  it('is exact for a plane at any height and tilt', () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = createRandom(seed);
      const slope = [random() - 0.5, random() - 0.5];
      const level = 2 * random() - 1;
      const value: Field = (x, y, z) =>
        Math.min(box(4, 4, 4)(x, y, z), level + slope[0] * x + slope[1] * y - z);
      const mesh = stuff(
        { value },
        { origin: [-5, -5, -5], size: 1, cells: [10, 10, 10] },
        {
          maxLevel: 1,
          surfaceCells: allCells([10, 10, 10]),
        },
      );
      checkMesh(mesh, value, `plane ${seed}`);
      expect(measureQuality(mesh).volume / (64 * (4 + level))).toBeCloseTo(1, 1);
    }
  });

  it('returns an empty mesh for an empty region', () => {
    const mesh = stuff({ value: () => -1 }, unitLattice(8), {
      maxLevel: 1,
      surfaceCells: allCells([8, 8, 8]),
    });
    expect([mesh.tetCount, mesh.vertexCount, mesh.tet.length]).toEqual([0, 0, 0]);
    expect(stuff({ value: ball(1e-3) }, unitLattice(9, 1.2, 0.013), { maxLevel: 0 }).tetCount).toBe(0);
  });
});

describe('stuffing bad input', () => {
  const lattice = unitLattice(8);
  it('names what is wrong', () => {
    expect(() => stuff({ value: ball(3) }, lattice, { maxLevel: 0 })).toThrow(
      /beyond the lattice box.*enlarge/,
    );
    expect(() => stuff({ value: (x) => x }, lattice, { maxLevel: 0 })).toThrow(InputError);
    expect(() => stuff({ value: () => Number.NaN }, lattice, { maxLevel: 0 })).toThrow(/not a number/);
    expect(() => stuff({ value: ball(1) }, { ...lattice, size: 0 }, { maxLevel: 0 })).toThrow(/size is 0/);
    expect(() => stuff({ value: ball(1) }, { ...lattice, cells: [8, 0, 8] }, { maxLevel: 0 })).toThrow(
      /8 x 0 x 8/,
    );
    expect(() => stuff({ value: ball(1) }, lattice, { maxLevel: 1.5 })).toThrow(/maxLevel is 1.5/);
    expect(() => stuff({ value: ball(1), crossing: () => Number.NaN }, lattice, { maxLevel: 0 })).toThrow(
      /at NaN of/,
    );
    const surfaceCells = Int32Array.of(512);
    expect(() => stuff({ value: ball(1) }, lattice, { maxLevel: 0, surfaceCells })).toThrow(/512/);
  });

  it('refuses through the front door what cannot be meshed', () => {
    const mesh = (value: Field, reach: number, size: number) =>
      meshShape(implicit(value, reach), { size, interior: 'uniform' });
    expect(() => mesh(ball(0.01), 0.01, 1)).toThrow(/size 1 m is larger than the shape's thickness/);
    expect(() => mesh(() => -1, 1, 0.25)).toThrow(InputError);
    expect(() => mesh(ball(1), Number.POSITIVE_INFINITY, 0.1)).toThrow(/bound it/);
    expect(() => mesh(ball(1), 1, -1)).toThrow(/size is -1/);
  });
});
