/** Small scenes for the tests of the viscous method, on one heap. */
import { type SceneParts, startMarch, type ViscousMarch } from '../../../cases/viscous/setup.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { box } from '../../../src/geometry/shapes.ts';

export { composeScene, DENSITY } from '../../../cases/viscous/setup.ts';

export const heap = createHeap();
export const threads = createSingleThread();

export const startScene = (parts: SceneParts, team: Threads = threads): ViscousMarch =>
  startMarch(parts, { heap, threads: team });

export const g = 9.81;

/** A column on a floor, thick enough to creep. */
export const column = (viscosity: number): SceneParts => ({
  domain: [
    [0, 0, 0],
    [0.4, 0.4, 0.3],
  ],
  resolution: 0.025,
  gravity: [0, 0, -g],
  viscosity,
  liquids: [{ shape: box([0.13, 0.13, -1], [0.27, 0.27, 0.21]) }],
});
