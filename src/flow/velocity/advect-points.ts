/** Points carried along by the flow. */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { Seconds } from '../../core/types.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';
import { type MeshVelocity, VelocitySampler, velocityRecord, velocityValues } from './mesh-velocity.ts';

const GRAIN = 512;

/** Where the flow takes points in dt. */
const advectTask = defineTask(
  'flow/advect-points',
  { flow: velocityRecord, dt: 'number', point: 'f64', out: 'f64' },
  (begin, end, { flow: values, dt, point, out }) => {
    const flow = new VelocitySampler(values);
    for (let n = begin; n < end; n++) {
      flow.trace(point[3 * n], point[3 * n + 1], point[3 * n + 2], dt);
      out[3 * n] = flow.endX;
      out[3 * n + 1] = flow.endY;
      out[3 * n + 2] = flow.endZ;
    }
  },
);

/** A surface, and where the flow takes it in dt. */
export interface CarriedSurface {
  readonly flow: MeshVelocity;
  readonly dt: Seconds;
  /** (vertexCount x 3) m, of its vertices after dt */
  readonly position: Float64Array;
}

export function carrySurface(
  model: { readonly threads: Threads },
  { position, vertexCount }: TrackedSurface,
  flow: MeshVelocity,
  dt: Seconds,
  scope: HeapScope,
): CarriedSurface {
  const moved = scope.f64(Math.max(1, 3 * vertexCount));
  advectPoints(model, flow, dt, position, vertexCount, moved);
  return { flow, dt, position: moved };
}

/** Where the flow takes `count` points (count x 3, m) in dt; arrays on the heap. */
export function advectPoints(
  { threads }: { readonly threads: Threads },
  flow: MeshVelocity,
  dt: Seconds,
  point: Float64Array,
  count: number,
  out: Float64Array,
): void {
  threads.run(advectTask, count, GRAIN, { flow: velocityValues(flow), dt, point, out });
}
