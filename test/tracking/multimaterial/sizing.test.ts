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

  it('are short where the velocity bends, and at creases where those count', () => {
    const source = buildSpheres([{ levels: 3 }]);
    const tracker = new Tracker(buildMultiMesh(source), resolveOptions({ minEdge: 0.1, maxEdge: 0.3 }));
    const { mesh } = tracker;
    const sizing = new VertexValues(1);
    const velocity = new Float64Array(3 * mesh.vertexFill);
    for (let v = 0; v < mesh.vertexFill; v++) velocity[3 * v + 1] = Math.tanh(8 * mesh.position[3 * v]);
    const options = { ...sizingDefaults, bend: 90, grading: 10, velocityBend: 0.02 };
    const meanWhere = (isThere: (x: number) => boolean) => {
      let [sum, count] = [0, 0];
      for (let v = 0; v < mesh.vertexFill; v++)
        if (isThere(Math.abs(mesh.position[3 * v]))) {
          sum += sizing.data[v];
          count++;
        }
      return sum / count;
    };
    computeSizing(tracker, sizing, options, velocity);
    expect(meanWhere((x) => x > 0.7)).toBe(1);
    expect(meanWhere((x) => x > 0.05 && x < 0.2)).toBeLessThan(0.6);
    // Of two flat cones, base to base, only the rim is a crease.
    const p = mesh.position;
    const rim: number[] = [];
    for (let v = 0; v < mesh.vertexFill; v++) {
      const r = Math.hypot(p[3 * v], p[3 * v + 1]);
      if (Math.abs(p[3 * v + 2]) < 1e-9) rim.push(v);
      p[3 * v + 2] = 0.5 * Math.sign(p[3 * v + 2]) * Math.max(0, 1 - r);
    }
    expect(rim.length).toBeGreaterThan(10);
    const sizeRim = (creases: boolean) => {
      computeSizing(tracker, sizing, { ...sizingDefaults, bend: 20, grading: 10, creases });
      return rim.reduce((sum, v) => sum + sizing.data[v], 0) / rim.length;
    };
    expect(sizeRim(true)).toBeLessThan(0.6 * sizeRim(false));
  });
});
