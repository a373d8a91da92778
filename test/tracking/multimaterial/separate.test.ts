import { describe, expect, it } from 'vitest';
import { buildCones } from '../../../cases/tracking/random-vertices.ts';
import { createTally, maxChange, separateRandomVertex } from '../../../cases/tracking/separation.ts';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import { resolveOptions } from '../../../src/tracking/multimaterial/options.ts';
import { findIrregularVertices, separateVertices } from '../../../src/tracking/multimaterial/separate.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { findIntersection } from './oracle.ts';

const options = resolveOptions({ minEdge: 0.3, maxEdge: 0.8 });

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

  it('resolves random configurations of three to eight regions within the bound on volumes', () => {
    const tally = createTally();
    for (let n = 0; n < 120; n++) separateRandomVertex(5000 + n, 3 + (n % 6), tally);
    expect(tally.irregular).toBeGreaterThan(100);
    expect(tally.separations).toBeGreaterThan(200);
    expect(tally.left).toBe(0);
    expect(tally.change).toBeLessThanOrEqual(maxChange);
    // A bound that nothing comes near would say nothing.
    expect(tally.change).toBeGreaterThan(0.1 * maxChange);
    expect(tally.unbooked).toBeLessThan(1e-12);
    expect(tally.intersections).toBe(0);
  });
});
