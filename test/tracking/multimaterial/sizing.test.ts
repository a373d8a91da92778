import { describe, expect, it } from 'vitest';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import { improveMesh } from '../../../src/tracking/multimaterial/improve.ts';
import { resolveOptions } from '../../../src/tracking/multimaterial/options.ts';
import { combinePolicies, VertexValues } from '../../../src/tracking/multimaterial/policy.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';
import { computeSizing, sizingDefaults } from '../../../src/tracking/multimaterial/sizing.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';

describe('varying edge lengths', () => {
  it('are short at the tips of a spheroid, graded, and followed by remeshing', () => {
    const sizing = new VertexValues(1);
    const seen = new VertexValues(3);
    const source = buildSpheres([{ levels: 3 }]);
    const position = (source.position as Float64Array).map((x, n) => (n % 3 === 0 ? 3 * x : x));
    const options = resolveOptions({ minEdge: 0.2, maxEdge: 0.5 });
    const tracker = new Tracker(
      buildMultiMesh({ ...source, position }),
      options,
      combinePolicies(sizing, seen),
    );
    const { mesh } = tracker;
    seen.reserve(mesh.vertexFill);
    seen.data.set(position);
    for (let n = 0; n < 4; n++) {
      computeSizing(tracker, sizing, { ...sizingDefaults, least: 0.1, bend: 12 });
      improveMesh(tracker);
    }
    validateMesh(mesh);
    computeSizing(tracker, sizing, { ...sizingDefaults, least: 0.1, bend: 12 });
    const mean = { tip: [0, 0], waist: [0, 0] };
    for (let e = 0; e < mesh.edgeFill; e++) {
      if (!mesh.isEdge(e)) continue;
      const [a, b] = [mesh.edgeVertex[2 * e], mesh.edgeVertex[2 * e + 1]];
      const [p, q] = [sizing.data[a], sizing.data[b]];
      expect(Math.max(p, q) / Math.min(p, q)).toBeLessThanOrEqual(1.2 * (1 + 1e-12));
      const [xa, xb] = [mesh.position.subarray(3 * a, 3 * a + 3), mesh.position.subarray(3 * b, 3 * b + 3)];
      const where = Math.abs(xa[0]) > 2.7 ? mean.tip : Math.abs(xa[0]) < 1 ? mean.waist : undefined;
      if (!where) continue;
      where[0] += Math.hypot(xa[0] - xb[0], xa[1] - xb[1], xa[2] - xb[2]);
      where[1]++;
    }
    expect(mean.tip[1]).toBeGreaterThan(30);
    expect(mean.tip[0] / mean.tip[1]).toBeLessThan((0.6 * mean.waist[0]) / mean.waist[1]);
    // The other policy was told as well.
    for (let v = 0; v < mesh.vertexFill; v++)
      if (mesh.isVertex(v)) expect(Math.abs(seen.data[3 * v] - mesh.position[3 * v])).toBeLessThan(0.5);
  });
});
