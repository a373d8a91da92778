/** Air inside a drop keeps its volume while the drop swings around it. */
import { expect, it } from 'vitest';
import { buildDrop, edgeOf } from '../../../cases/surface/drop.ts';
import { buildLiquid, march } from '../../../cases/surface/march.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { findBodies } from '../../../src/methods/surface/liquid/body.ts';
import type { SurfaceState } from '../../../src/methods/surface/state.ts';
import { surface } from '../../../src/methods/surface/surface.ts';
import { joinTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };

/** Volume inside the first bubble. */
function measureBubble({ tracker: { mesh } }: SurfaceState): number {
  const { cavities } = findBodies(mesh);
  const { position: p, face, label } = mesh;
  let sum = 0;
  for (const f of cavities[0][0]) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * face[3 * f + k]);
    const sign = label[2 * f] === 1 ? 1 : -1;
    sum +=
      (sign *
        (p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
          p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
          p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]))) /
      6;
  }
  return Math.abs(sum);
}

it('a bubble off the middle of a swinging drop keeps its volume, and moves', () => {
  const hollow = buildSpheres([{ levels: 1, radius: 0.4, centre: [0.1, 0, 0.25] }]);
  const label = Int32Array.from(hollow.label, (_, h) => (h % 2 === 0 ? 1 : 0));
  const { model, state } = buildLiquid(resources, {
    surface: joinTriangles([buildDrop(2, 2, 0.15), { ...hollow, label }]),
    resolution: edgeOf(2),
  });
  const first = measureBubble(state);
  const liquid = surface.measure(model, state).volume!;
  let bubble = 0;
  let drop = 0;
  let fastest = 0;
  march(model, state, 0.4, () => {
    bubble = Math.max(bubble, Math.abs(measureBubble(state) / first - 1));
    drop = Math.max(drop, Math.abs(surface.measure(model, state).volume! / liquid - 1));
    fastest = Math.max(fastest, state.maxSpeed);
  });
  expect(first).toBeGreaterThan(0.2);
  expect(fastest).toBeGreaterThan(0.2);
  expect(bubble).toBeLessThan(1e-4);
  expect(drop).toBeLessThan(1e-4);
});
