/** Points carried along by the flow. */
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { Seconds } from '../../core/types.ts';
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
