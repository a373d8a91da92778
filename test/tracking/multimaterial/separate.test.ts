import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { buildMultiMesh, type LabelledTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { measureRegions } from '../../../src/tracking/multimaterial/measure.ts';
import { resolveOptions } from '../../../src/tracking/multimaterial/options.ts';
import { findIrregularVertices, separateVertices } from '../../../src/tracking/multimaterial/separate.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { findIntersection } from './oracle.ts';

const options = resolveOptions({ minEdge: 0.3, maxEdge: 0.8 });

/**
 * A ball of cones about its middle: the triangles of a sphere are dealt out to regions, and walls from the middle part those that differ. Some labels may
 * repeat, so that one material fills several cones, and label 0 may reach the middle.
 */
function buildCones(levels: number, labelOf: (x: number, y: number, z: number) => number): LabelledTriangles {
  const sphere = buildSpheres([{ levels }]);
  const position = [...(sphere.position as Float64Array)];
  const middle = position.push(0, 0, 0) / 3 - 1;
  const triangle: number[] = [];
  const label: number[] = [];
  const byEdge = new Map<string, number>();
  for (let t = 0; 3 * t < sphere.triangle.length; t++) {
    const [a, b, c] = [0, 1, 2].map((i) => sphere.triangle[3 * t + i]);
    const [x, y, z] = [0, 1, 2].map((k) => position[3 * a + k] + position[3 * b + k] + position[3 * c + k]);
    const region = labelOf(x, y, z);
    if (region !== 0) {
      triangle.push(a, b, c);
      label.push(0, region);
    }
    for (const [u, w] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      byEdge.set(`${u},${w}`, region);
      const other = byEdge.get(`${w},${u}`);
      if (other === undefined || other === region) continue;
      // Seen from outside, this triangle lies left of u -> w: behind the wall middle, u, w.
      triangle.push(middle, u, w);
      label.push(region, other);
    }
  }
  const used = new Map<number, number>();
  const packed: number[] = [];
  const renumbered = triangle.map((v) => {
    if (!used.has(v)) used.set(v, packed.push(...position.slice(3 * v, 3 * v + 3)) / 3 - 1);
    return used.get(v)!;
  });
  return { position: packed, triangle: renumbered, label };
}

const volumesOf = (tracker: Tracker) => new Map(measureRegions(tracker.mesh).map((r) => [r.label, r.volume]));

describe('vertex separation', () => {
  it('opens the four-wedge junction along the flow, either way (figure 6.7)', () => {
    const quarter = (x: number, y: number) => (Math.abs(x) > Math.abs(y) ? (x > 0 ? 1 : 2) : y > 0 ? 3 : 4);
    for (const sign of [1, -1]) {
      const tracker = new Tracker(buildMultiMesh(buildCones(2, quarter)), options);
      validateMesh(tracker.mesh);
      tracker.flow = {
        velocity(x, y, _z, out) {
          out[0] = sign * x;
          out[1] = -sign * y;
          out[2] = 0;
        },
      };
      const shares = (a: number, b: number) => {
        const { mesh } = tracker;
        let count = 0;
        for (let f = 0; f < mesh.faceFill; f++) {
          if (!mesh.isFace(f)) continue;
          const [p, q] = [mesh.label[2 * f], mesh.label[2 * f + 1]];
          if ((p === a && q === b) || (p === b && q === a)) count++;
        }
        return count;
      };
      expect(shares(1, 2) + shares(3, 4)).toBe(0);
      const irregular = findIrregularVertices(tracker).length;
      expect(irregular).toBeGreaterThanOrEqual(3);
      expect(separateVertices(tracker, 'velocity')).toBeGreaterThanOrEqual(3);
      validateMesh(tracker.mesh);
      expect(findIntersection(tracker.mesh)).toBeUndefined();
      // Regions 1 and 2 lie along x: a flow that stretches x parts them and joins 3 with 4.
      expect(shares(1, 2) > 0).toBe(sign < 0);
      expect(shares(3, 4) > 0).toBe(sign > 0);
      expect(findIrregularVertices(tracker)).toEqual([]);
    }
  });

  it('parts two cones of one material, and leaves them alone when the flow presses them together', () => {
    const cones = (x: number, y: number, z: number) => (Math.abs(z) > 1.5 * Math.hypot(x, y) ? 1 : 0);
    for (const sign of [1, -1]) {
      const tracker = new Tracker(buildMultiMesh(buildCones(2, cones)), options);
      tracker.flow = { separationStrength: (_v, _x, _y, dz) => sign * Math.abs(dz) };
      expect(findIrregularVertices(tracker).length).toBe(1);
      expect(separateVertices(tracker, 'client')).toBe(sign > 0 ? 1 : 0);
      validateMesh(tracker.mesh);
      expect(findIrregularVertices(tracker).length).toBe(sign > 0 ? 0 : 1);
      expect(tracker.mesh.vertexCount - tracker.mesh.edgeCount + tracker.mesh.faceCount).toBe(
        sign > 0 ? 4 : 3,
      );
    }
  });

  it('resolves random configurations of three to eight regions', () => {
    let separations = 0;
    let left = 0;
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 3, max: 8 }), (seed, regions) => {
        const random = createRandom(seed);
        const axes = Array.from({ length: regions }, (_, n) => ({
          label: random.next() < 0.2 ? random.nextInt(3) : n + 1,
          direction: [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5],
        }));
        const nearest = (x: number, y: number, z: number) => {
          const score = (d: number[]) => (d[0] * x + d[1] * y + d[2] * z) / Math.hypot(d[0], d[1], d[2]);
          return axes.reduce((best, axis) => (score(axis.direction) > score(best.direction) ? axis : best))
            .label;
        };
        const shape = buildCones(1, nearest);
        if (shape.triangle.length === 0) return;
        const tracker = new Tracker(buildMultiMesh(shape), options);
        validateMesh(tracker.mesh);
        const before = volumesOf(tracker);
        tracker.flow = { separationStrength: () => 1 };
        const done = separateVertices(tracker, 'client');
        separations += done;
        left += findIrregularVertices(tracker).length;
        validateMesh(tracker.mesh);
        expect(findIntersection(tracker.mesh)).toBeUndefined();
        const most = (done + 1) * options.separation * 0.55 ** 3 * 3;
        for (const [label, volume] of volumesOf(tracker))
          expect(Math.abs(volume - before.get(label)!)).toBeLessThan(most);
      }),
      { numRuns: 150, seed: 11 },
    );
    expect(separations).toBeGreaterThan(150);
    expect(left).toBe(0);
  });
});
