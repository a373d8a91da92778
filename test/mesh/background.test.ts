import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import {
  SHAPE_BCC,
  SHAPE_BISECTED,
  SHAPE_HALF_PYRAMID,
  SHAPE_QUADRISECTED,
} from '../../src/mesh/background/forms.ts';
import { buildBackground } from '../../src/mesh/background/mesh.ts';
import { validateBackground } from '../../src/mesh/background/validate.ts';
import { buildOctree } from '../../src/mesh/octree/sizing.ts';
import { validateOctree } from '../../src/mesh/octree/validate.ts';
import { computeDihedrals, validateTetMesh } from '../../src/mesh/quality.ts';
import { buildBall, buildRandom } from './background-meshes.ts';

describe('background mesh', () => {
  it('fills its box once, conforming, with all forms at all levels', () => {
    const mesh = buildBall();
    expect([...validateOctree(mesh.octree)].every((count) => count > 0)).toBe(true);
    const report = validateBackground(mesh);
    expect(report.shapeCount.every((count) => count > 100)).toBe(true);
    for (let level = 1; level < 3; level++) {
      const shapes = new Set<number>();
      for (let t = 0; t < mesh.tetCount; t++) if (mesh.tetLevel[t] === level) shapes.add(mesh.tetShape[t]);
      expect(shapes.size).toBe(4);
    }
    validateTetMesh(mesh);
  });

  it('is conforming for octrees of any shape', () => {
    for (let seed = 0; seed < 25; seed++) {
      const random = createRandom(100 + seed);
      const roots: [number, number, number] = [
        1 + random.nextInt(3),
        1 + random.nextInt(3),
        1 + random.nextInt(2),
      ];
      const mesh = buildRandom(seed, roots, 1 + random.nextInt(4));
      validateOctree(mesh.octree);
      validateBackground(mesh);
    }
  });

  it('has the dihedral angles of the graded lattice: 45 to 120 degrees, 60 and 90 where it is regular', () => {
    const mesh = buildBall();
    const report = validateBackground(mesh);
    expect(report.minDihedral).toBeCloseTo(45, 9);
    expect(report.maxDihedral).toBeCloseTo(120, 9);
    const angle = new Float64Array(6);
    const seen = [0, 1, 2, 3].map(() => new Set<number>());
    for (let t = 0; t < mesh.tetCount; t++) {
      computeDihedrals(mesh, t, angle);
      for (const value of angle) seen[mesh.tetShape[t]].add(Math.round(value * 1e6) / 1e6);
    }
    const sorted = (shape: number) => [...seen[shape]].sort((a, b) => a - b);
    expect(sorted(SHAPE_BCC)).toEqual([60, 90]);
    expect(sorted(SHAPE_BISECTED)).toEqual([45, 60, 90]);
    expect(sorted(SHAPE_QUADRISECTED)).toEqual([45, 60, 90]);
    expect(sorted(SHAPE_HALF_PYRAMID)).toEqual([45, 60, 90, 120]);
  });

  it('of one leaf is twelve times two halves of BCC tets', () => {
    const mesh = buildBackground(
      buildOctree({ origin: [0, 0, 0], size: 2, roots: [1, 1, 1], maxLevel: 0 }, {}),
    );
    expect(mesh.tetCount).toBe(24);
    expect(mesh.vertexCount).toBe(15);
    expect(validateBackground(mesh).shapeCount).toEqual([0, 24, 0, 0]);
  });

  it('is the same on the heap', () => {
    const mesh = buildBall();
    const scope = createHeap().scope('mesh');
    const onHeap = buildBall(scope);
    const views = (record: object) =>
      Object.entries(record).filter(([, value]) => ArrayBuffer.isView(value)) as [string, Uint8Array][];
    const bytesOf = (view: Uint8Array) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    const pairs = [...views(mesh), ...views(mesh.octree)];
    const others = new Map([...views(onHeap), ...views(onHeap.octree)]);
    expect(pairs.length).toBe(10);
    for (const [name, view] of pairs)
      expect([name, bytesOf(view).compare(bytesOf(others.get(name)!))]).toEqual([name, 0]);
    expect(scope.bytes).toBeGreaterThan(0);
    scope.free();
  });

  it('is refused by its validator where a tet is wrong', () => {
    const mesh = buildBall();
    const spoil = (change: (tet: Int32Array) => void) => {
      const tet = mesh.tet.slice();
      change(tet);
      return () => validateBackground({ ...mesh, tet });
    };
    expect(spoil((tet) => tet.set([mesh.tet[1], mesh.tet[0]], 0))).toThrow('has volume');
    expect(spoil((tet) => tet.copyWithin(0, 4, 8))).toThrow();
    const vertexPlace = mesh.vertexPlace.slice();
    vertexPlace[300] += 1;
    expect(() => validateBackground({ ...mesh, vertexPlace })).toThrow('instead of');
    const tetShape = mesh.tetShape.slice();
    tetShape[20] = 3 - tetShape[20];
    expect(() => validateBackground({ ...mesh, tetShape })).toThrow('edges of squares');
    // Two tets of the same volume on the wrong side of a diagonal: only the faces tell.
    const t = mesh.tetShape.indexOf(SHAPE_HALF_PYRAMID);
    const [c, ...corners] = mesh.tet.subarray(4 * t, 4 * t + 4);
    const others = mesh.tet.subarray(4 * t + 5, 4 * t + 8);
    const p = corners.find((v) => !others.includes(v))!;
    const s = others.find((v) => !corners.includes(v))!;
    const q = corners[(corners.indexOf(p) + 1) % 3];
    const r = corners[(corners.indexOf(p) + 2) % 3];
    expect(spoil((tet) => tet.set([c, p, q, s, c, p, s, r], 4 * t))).toThrow('has no tet on its other side');
  });
});
