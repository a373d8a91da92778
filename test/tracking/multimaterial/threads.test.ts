import { createHash } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createThreads } from '../../../src/core/threads/node.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { buildMultiMesh, type LabelledTriangles } from '../../../src/tracking/multimaterial/build.ts';
import {
  createCurvatureFlow,
  proposeByCurvature,
} from '../../../src/tracking/multimaterial/flows/mean-curvature.ts';
import { createGrowth, proposeByNormals } from '../../../src/tracking/multimaterial/flows/normal.ts';
import { resolveOptions } from '../../../src/tracking/multimaterial/options.ts';
import { buildCellBlock, buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';
import { trackStep } from '../../../src/tracking/multimaterial/step.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';

const heap = createHeap();
const pair = await createThreads({ heap, count: 2 });
afterAll(() => pair.close());

/** Without resources, with one thread on a heap, with two. */
const teams = [undefined, { heap, threads: createSingleThread() }, { heap, threads: pair }];

function march(
  source: LabelledTriangles,
  bounds: readonly [number, number],
  propose: (tracker: Tracker) => Float64Array,
  steps: number,
) {
  return teams.map((resources) => {
    const options = resolveOptions({ minEdge: bounds[0], maxEdge: bounds[1] });
    const tracker = new Tracker(buildMultiMesh(source), options, {}, resources);
    tracker.flow = createCurvatureFlow(tracker);
    let events = 0;
    for (let n = 0; n < steps; n++) {
      const report = trackStep(tracker, propose(tracker), { strength: 'area', volume: 'none' });
      events += report.collisionImpulses + report.separations;
      tracker.compact();
    }
    const before = heap.bytesInUse;
    tracker.free();
    if (resources) expect(heap.bytesInUse).toBeLessThan(before);
    const { ints, floats } = tracker.mesh.snapshot();
    const digest = createHash('sha256');
    for (const array of [...ints, ...floats]) digest.update(new Uint8Array(array.buffer));
    return { mesh: digest.digest('hex'), counts: tracker.events, events };
  });
}

it('gives the same bytes without threads, with one and with two: spheres that collide and merge', () => {
  const grow = { speed: createGrowth(1), curves: 'outer' as const };
  const [alone, one, two] = march(
    buildSpheres([
      { levels: 3, centre: [-1.05, 0, 0] },
      { levels: 3, centre: [1.05, 0.02, 0.01], label: 2 },
    ]),
    [0.1, 0.28],
    (tracker) => proposeByNormals(tracker, grow, 0.02),
    7,
  );
  expect(alone.events).toBeGreaterThan(0);
  expect(alone.counts['snap']).toBeGreaterThan(0);
  expect(one).toEqual(alone);
  expect(two).toEqual(alone);
});

it('gives the same bytes without threads, with one and with two: cells that change neighbours', () => {
  const [alone, one, two] = march(
    buildCellBlock(3, 2),
    [0.04, 0.12],
    (tracker) => proposeByCurvature(tracker, 5e-5),
    5,
  );
  expect(alone.events).toBeGreaterThan(5);
  expect(one).toEqual(alone);
  expect(two).toEqual(alone);
});
