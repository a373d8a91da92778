/** The longest step a state stands (liquid/time-step.ts). */
import type { Seconds } from '../../core/types.ts';
import { type BodyList, findBodies } from './liquid/body.ts';
import { computeLongestStep } from './liquid/time-step.ts';
import type { SurfaceModel } from './model.ts';
import type { SurfaceState } from './state.ts';

export function computeStableStep(
  model: SurfaceModel,
  { tracker, values, maxSpeed }: SurfaceState,
  { ofVertex, volume }: BodyList = findBodies(tracker.mesh),
): Seconds {
  return computeLongestStep(tracker.mesh, model.constants, {
    cfl: model.options.cfl,
    minEdge: model.bounds.minEdge,
    speed: maxSpeed,
    velocity: values.velocity.data,
    hasWaves: (v) => ofVertex[v] >= 0 && volume[ofVertex[v]] >= model.moteVolume,
  });
}
