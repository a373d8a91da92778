/** Sheets that are thinner than `ruptureThickness` break. */
import { expect, it } from 'vitest';
import { edgeOf } from '../../../cases/surface/drop.ts';
import { buildLiquid, march } from '../../../cases/surface/march.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { surface } from '../../../src/methods/surface/surface.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };

/** A sphere drawn out to a disc that is thin in its middle and has a rim. */
function buildDisc(thin: number) {
  const sphere = buildSpheres([{ levels: 3, radius: 1 }]);
  const position = Float64Array.from(sphere.position);
  for (let c = 0; c < position.length; c += 3) {
    const r = Math.hypot(position[c], position[c + 1]);
    position[c + 2] *= r < 0.8 ? thin : thin + (0.35 - thin) * ((r - 0.8) / 0.2) ** 2;
    if (r < 0.8)
      position[c + 2] = Math.sign(position[c + 2]) * Math.max(Math.abs(position[c + 2]), 0.5 * thin);
  }
  return { ...sphere, position };
}

function run(ruptureThickness: number) {
  const { model, state } = buildLiquid(resources, {
    surface: buildDisc(0.02),
    resolution: edgeOf(3),
    options: { ruptureThickness },
  });
  const first = surface.measure(model, state);
  let ruptures = 0;
  march(model, state, 0.012, ({ events }) => {
    ruptures += events['rupture'] ?? 0;
    validateMesh(state.tracker.mesh);
  });
  const { mesh } = state.tracker;
  return {
    ruptures,
    characteristic: mesh.vertexCount - mesh.faceCount / 2,
    first,
    last: surface.measure(model, state),
  };
}

it('a disc that is thin in its middle becomes a ring', () => {
  const { ruptures, characteristic, first, last } = run(0.05);
  expect(ruptures).toBeGreaterThan(0);
  // A sphere has 2, a ring 0.
  expect(characteristic).toBeLessThanOrEqual(0);
  // What is torn out of the hole is a small drop at most.
  expect(Math.max(...last.regions!.map(({ volume }) => volume)) / last.volume!).toBeGreaterThan(0.97);
  expect(Math.abs(last.volume! / first.volume! - 1)).toBeLessThan(1e-4);
});

it('it stays a disc where sheets of its thickness hold', () => {
  const { ruptures, characteristic } = run(0.01);
  expect(ruptures).toBe(0);
  expect(characteristic).toBe(2);
});
