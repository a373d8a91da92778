import { describe, expect, it } from 'vitest';
import { buildMultiMesh, extractTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { createGrowth, proposeByNormals } from '../../../src/tracking/multimaterial/flows/normal.ts';
import { measureRegions } from '../../../src/tracking/multimaterial/measure.ts';
import { resolveOptions } from '../../../src/tracking/multimaterial/options.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';
import { trackStep } from '../../../src/tracking/multimaterial/step.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { findIntersection } from './oracle.ts';

/** Two spheres of different materials grow together; all lengths scaled, then all shifted. */
function growTogether(scale: number, shift: number) {
  const source = buildSpheres([
    { levels: 2, centre: [-1.05, 0, 0] },
    { levels: 2, centre: [1.05, 0.02, 0.01], label: 2 },
  ]);
  const position = (source.position as Float64Array).map((x) => scale * x + shift);
  const options = resolveOptions({ minEdge: 0.2 * scale, maxEdge: 0.5 * scale });
  const tracker = new Tracker(buildMultiMesh({ ...source, position }), options);
  const flow = { speed: createGrowth(scale), curves: 'outer' as const };
  for (let n = 0; n < 10; n++)
    trackStep(tracker, proposeByNormals(tracker, flow, 0.02), { strength: 'area', volume: 'none' });
  validateMesh(tracker.mesh);
  expect(findIntersection(tracker.mesh)).toBeUndefined();
  const volumes = measureRegions(tracker.mesh).map((region) => region.volume / scale ** 3);
  return { ...extractTriangles(tracker.mesh), volumes };
}

describe('scale and place', () => {
  const plain = growTogether(1, 0);

  it('powers of two give the same faces', () => {
    for (const scale of [2 ** 10, 2 ** -10]) {
      const scaled = growTogether(scale, 0);
      expect(scaled.triangle).toEqual(plain.triangle);
      expect(scaled.label).toEqual(plain.label);
      expect(scaled.position.every((x, n) => x === scale * plain.position[n])).toBe(true);
    }
  });

  it('other scales, and places far from the origin, give the same volumes', () => {
    for (const [scale, shift] of [
      [1e3, 0],
      [1e-3, 0],
      [1, 3500],
    ]) {
      growTogether(scale, shift).volumes.forEach((volume, n) => {
        expect(Math.abs(volume / plain.volumes[n] - 1)).toBeLessThan(1e-3);
      });
    }
  });
});
