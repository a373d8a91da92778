import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { NONE } from '../../../src/core/types.ts';
import { buildMultiMesh, compact, extractTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { measureRegions } from '../../../src/tracking/multimaterial/measure.ts';
import {
  buildCellBlock,
  buildQuarteredSphere,
  buildSpheres,
} from '../../../src/tracking/multimaterial/shapes.ts';
import { findDefects, isClean, validateMesh } from '../../../src/tracking/multimaterial/validate.ts';

describe('multimaterial mesh', () => {
  it('holds a sphere: counts, lists, volume', () => {
    const mesh = buildMultiMesh(buildSpheres([{ levels: 3, radius: 2, centre: [1e3, 0, 0] }]));
    expect(findDefects(mesh)).toEqual({
      degenerate: [],
      duplicate: [],
      unchained: [],
      open: [],
      isolated: [],
      broken: [],
    });
    expect(mesh.faceCount).toBe(1280);
    expect(mesh.vertexCount - mesh.edgeCount + mesh.faceCount).toBe(2);
    const [outside, inside] = measureRegions(mesh);
    expect(inside.volume).toBeGreaterThan(0.98 * (4 / 3) * Math.PI * 8);
    expect(inside.volume).toBeLessThan((4 / 3) * Math.PI * 8);
    expect(outside.volume).toBeCloseTo(-inside.volume, 9);
    expect(inside.area).toBeGreaterThan(0.98 * 4 * Math.PI * 4);
  });

  it('holds four materials about one axis, and cells about one point', () => {
    const quartered = buildMultiMesh(buildQuarteredSphere({ levels: 3 }));
    validateMesh(quartered);
    const volumes = measureRegions(quartered).map((r) => r.volume);
    expect(volumes.length).toBe(5);
    for (let q = 1; q < 5; q++) expect(volumes[q]).toBeCloseTo(-volumes[0] / 4, 12);
    const cells = buildMultiMesh(buildCellBlock(3, 1));
    validateMesh(cells);
    for (const { label, volume } of measureRegions(cells)) {
      expect(volume).toBeCloseTo(label === 0 ? -1 : 1 / 27, 12);
    }
  });

  it('finds every kind of defect', () => {
    const shape = buildQuarteredSphere({ levels: 1 });
    const mesh = buildMultiMesh(shape);
    mesh.setLabels(0, 7, mesh.label[1]);
    expect(findDefects(mesh).unchained.length).toBeGreaterThanOrEqual(3);
    expect(findDefects(mesh).open).toContain(7);
    const open = buildMultiMesh(shape);
    open.removeFace(5);
    expect(findDefects(open).unchained.length).toBe(3);
    const doubled = buildMultiMesh(shape);
    doubled.addFace(doubled.face[0], doubled.face[1], doubled.face[2], 0, 3);
    expect(findDefects(doubled).duplicate.length).toBe(1);
    doubled.addVertex(0, 0, 0);
    expect(findDefects(doubled).isolated.length).toBe(1);
    expect(() => validateMesh(doubled)).toThrow(/duplicate/);
    expect(() => buildMultiMesh({ ...shape, label: shape.triangle })).not.toThrow();
    expect(() => buildMultiMesh({ ...shape, triangle: new Int32Array([0, 1, 999]) })).toThrow(/vertex 999/);
  });

  it('undoes any mix of writes to the last bit', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 60 }), (seed, writes) => {
        const random = createRandom(seed);
        const mesh = buildMultiMesh(buildQuarteredSphere({ levels: 1 }));
        for (let round = 0; round < 3; round++) {
          const before = mesh.snapshot();
          mesh.begin();
          for (let n = 0; n < writes; n++) scramble();
          expect(mesh.snapshot()).not.toEqual(before);
          mesh.undo();
          expect(mesh.snapshot()).toEqual(before);
          // Holes left by kept edits are part of the state that must come back.
          for (let n = 0; n < 3; n++) scramble();
          expect(findDefects(mesh).broken).toEqual([]);
        }

        function scramble(): void {
          const f = random.nextInt(mesh.faceFill);
          const v = mesh.addVertex(random.next(), random.next(), random.next());
          if (!mesh.isFace(f)) {
            mesh.removeIsolatedVertex(v);
            mesh.addFace(mesh.addVertex(0, 0, 0), mesh.addVertex(1, 0, 0), mesh.addVertex(0, 1, 0), 1, 2);
            return;
          }
          if (random.next() < 0.4) mesh.removeFace(f);
          else mesh.setCorners(f, v, mesh.face[3 * f + 1], mesh.face[3 * f + 2]);
        }
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it('packs away holes and says where everything went', () => {
    const mesh = buildMultiMesh(buildSpheres([{ levels: 2 }]));
    const removed = [3, 17, 200];
    for (const f of removed) mesh.removeFace(f);
    for (let h = 0; h < 2 * mesh.faceFill; h++) mesh.setDebt(h, Math.sin(h));
    const before = { face: mesh.face.slice(), debt: mesh.debt.slice(), count: mesh.faceCount };
    const again = buildMultiMesh(extractTriangles(mesh));
    const remap = compact(mesh);
    expect(mesh.faceFill).toBe(before.count);
    expect(remap.face.length).toBe(before.count + removed.length);
    for (const f of removed) expect(remap.face[f]).toBe(NONE);
    for (let f = 0; f < remap.face.length; f++) {
      const g = remap.face[f];
      if (g === NONE) continue;
      for (let i = 0; i < 3; i++) expect(mesh.face[3 * g + i]).toBe(remap.vertex[before.face[3 * f + i]]);
      expect(mesh.debt[2 * g + 1]).toBe(before.debt[2 * f + 1]);
    }
    const packed = mesh.snapshot();
    expect(again.snapshot()).toEqual(packed);
    expect(isClean(findDefects(mesh))).toBe(false);
    compact(mesh);
    expect(mesh.snapshot()).toEqual(packed);
  });
});
