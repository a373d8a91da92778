import { describe, expect, it } from 'vitest';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import {
  createCurvatureFlow,
  proposeByCurvature,
} from '../../../src/tracking/multimaterial/flows/mean-curvature.ts';
import { measureRegions } from '../../../src/tracking/multimaterial/measure.ts';
import { resolveOptions } from '../../../src/tracking/multimaterial/options.ts';
import { combinePolicies } from '../../../src/tracking/multimaterial/policy.ts';
import { buildVoronoi } from '../../../src/tracking/multimaterial/shapes.ts';
import { trackStep } from '../../../src/tracking/multimaterial/step.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { Walls } from '../../../src/tracking/multimaterial/walls.ts';
import { findIntersection } from './oracle.ts';

type Point = [number, number, number];
const box = { min: [0, 0, 0] as Point, max: [1, 1, 1] as Point };

function createCells(seeds: Point[], edge: number): Tracker {
  const mesh = buildMultiMesh(buildVoronoi({ ...box, seeds, edge }));
  const walls = new Walls(mesh, box);
  const options = resolveOptions({ minEdge: 0.5 * edge, maxEdge: 1.5 * edge });
  const tracker = new Tracker(mesh, options, combinePolicies(walls));
  tracker.walls = walls;
  tracker.flow = createCurvatureFlow(tracker);
  return tracker;
}

const flow = (tracker: Tracker, dt: number) =>
  trackStep(tracker, proposeByCurvature(tracker, dt), { strength: 'area', volume: 'none' });

/** Largest distance of an outer face's vertex from the side of the box that the face lies on. */
function measureBulge({ mesh }: Tracker): number {
  const p = mesh.position;
  let most = 0;
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f) || (mesh.label[2 * f] !== 0 && mesh.label[2 * f + 1] !== 0)) continue;
    let least = Infinity;
    for (let k = 0; k < 3; k++)
      for (const side of [0, 1]) {
        let off = 0;
        for (let i = 0; i < 3; i++) off = Math.max(off, Math.abs(p[3 * mesh.face[3 * f + i] + k] - side));
        least = Math.min(least, off);
      }
    most = Math.max(most, least);
  }
  return most;
}

describe('walls', () => {
  it('hold the cells of a cube in it, to the last bit, through splits, collapses and separations', () => {
    const seeds: Point[] = [];
    for (let n = 1; n <= 40; n++)
      seeds.push([(n * 0.7548776662) % 1, (n * 0.5698402909) % 1, (n * 0.3141592654 + 0.1 * n * n) % 1]);
    const tracker = createCells(seeds, 0.1);
    let separations = 0;
    for (let n = 0; n < 60; n++) {
      separations += flow(tracker, 2.5e-4).separations;
      if (n % 10 === 9) tracker.compact();
      validateMesh(tracker.mesh);
      expect(findIntersection(tracker.mesh)).toBeUndefined();
      expect(measureBulge(tracker)).toBe(0);
    }
    const volume = measureRegions(tracker.mesh).reduce((sum, r) => sum + (r.label === 0 ? 0 : r.volume), 0);
    expect(volume).toBeCloseTo(1, 12);
    expect(separations).toBeGreaterThan(10);
    expect(tracker.events['collapse']).toBeGreaterThan(100);
    expect(tracker.events['split']).toBeGreaterThan(20);
  });

  // A tilted film x = 1/2 + s (y - 1/2) between walls straightens as heat spreads in an insulated rod.
  it('are met at right angles: a tilted film straightens by the heat equation', () => {
    const tilt = 0.1;
    const tracker = createCells(
      [
        [0.3, 0.5 + 0.2 * tilt, 0.5],
        [0.7, 0.5 - 0.2 * tilt, 0.5],
      ],
      0.1,
    );
    const time = 0.05;
    const steps = 100;
    for (let n = 0; n < steps; n++) flow(tracker, time / steps);
    const measured = measureContact(tracker);
    let truth = 0;
    for (let n = 1; n < 20; n += 2)
      truth -= ((4 * tilt) / (n * Math.PI) ** 2) * Math.exp(-((n * Math.PI) ** 2) * time);
    expect(Math.abs(measured / truth - 1)).toBeLessThan(0.05);
    expect(measureBulge(tracker)).toBe(0);
  });
});

/** Mean x - 1/2 of the film's vertices on the wall y = 0. */
function measureContact({ mesh }: Tracker): number {
  const p = mesh.position;
  let sum = 0;
  const seen = new Set<number>();
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f) || mesh.label[2 * f] === 0 || mesh.label[2 * f + 1] === 0) continue;
    for (let i = 0; i < 3; i++) {
      const v = mesh.face[3 * f + i];
      if (p[3 * v + 1] !== 0 || seen.has(v)) continue;
      seen.add(v);
      sum += p[3 * v] - 0.5;
    }
  }
  return sum / seen.size;
}
