/** Issue 23, row 15: one step of a drop with waves, on all threads the run has: seconds by the clock, heap, stages. */

import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { createDrop, edgeOf } from '../../cases/surface/drop.ts';
import { createStageClock } from '../../src/core/stages.ts';
import { relaxSurface } from '../../src/methods/surface/start/relax.ts';
import { step } from '../../src/methods/surface/step.ts';
import { surface } from '../../src/methods/surface/surface.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import { buildGeodesicSphere } from '../../src/tracking/multimaterial/shapes/geodesic.ts';

const STEPS = 4;
/** Parts of an edge of the icosahedron (10 n^2 + 2 vertices), with bounds in seconds and MB. */
const SIZES = [
  { divisions: 10, seconds: 0.15, megabytes: 50 },
  { divisions: 32, seconds: 1.6, megabytes: 150 },
  { divisions: 64, seconds: 8, megabytes: 400 },
];

async function measure(
  { createResources, note }: RefereeContext,
  { divisions, seconds, megabytes }: (typeof SIZES)[number],
): Promise<RefereeRow[]> {
  const resources = await createResources();
  const sphere = relaxSurface(buildGeodesicSphere(divisions, 1));
  const position = Float64Array.from(sphere.position, (x, c) => (c % 3 === 2 ? 1.05 * x : x));
  const { model, state } = createDrop(resources, 0, {
    surface: { ...sphere, position },
    resolution: (2 * edgeOf(0)) / (2 * divisions),
  });
  const work = { clock: createStageClock() };
  const taken: number[] = [];
  for (let n = 0; n <= STEPS; n++) {
    const begin = performance.now();
    const report = step(model, state, work, surface.stableTimeStep(model, state));
    // The first compiles.
    if (n === 0) work.clock.reset();
    else taken.push((performance.now() - begin) / 1000);
    note(`${state.tracker.mesh.vertexCount} vertices: ${report.solver['flow'].iterations} iterations`);
  }
  taken.sort((a, b) => a - b);
  const name = `${state.tracker.mesh.vertexCount} vertices`;
  for (const [stage, milliseconds] of Object.entries(work.clock.milliseconds))
    note(`${name}, ${stage}: ${(milliseconds / STEPS).toFixed(0)} ms`);
  return [
    atMost(`${name}: a step, median`, taken[Math.floor(taken.length / 2)], seconds, 's'),
    reportRow(`${name}: the fastest`, taken[0], 's'),
    atMost(`${name}: heap`, resources.heap.peakBytes / 1e6, megabytes, 'MB'),
  ];
}

export const surfaceStepCostCases: RefereeCase[] = SIZES.map((size, n) => ({
  name: `surface/step-${['1k', '10k', '40k'][n]}`,
  method: 'surface',
  title: `one step at about ${10 * size.divisions ** 2 + 2} vertices`,
  ...(n === 2 && { onRequest: true }),
  run: (context) => measure(context, size),
}));
