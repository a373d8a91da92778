/** The longest step a state stands (liquid/time-step.ts). */
import type { Metres, Seconds } from '../../core/types.ts';
import { type BodyList, findBodies } from './liquid/body.ts';
import { computeLongestStep } from './liquid/time-step.ts';
import type { SurfaceModel } from './model.ts';
import type { SurfaceState } from './state.ts';

export function computeStableStep(
  model: SurfaceModel,
  state: SurfaceState,
  { ofVertex, volume }: BodyList = findBodies(state.tracker.mesh),
): Seconds {
  const { tracker, values, maxSpeed } = state;
  return computeLongestStep(tracker.mesh, model.constants, {
    cfl: model.options.cfl,
    minEdge: findLeastEdge(model, state),
    speed: maxSpeed,
    velocity: values.velocity.data,
    hasWaves: (v) => ofVertex[v] >= 0 && volume[ofVertex[v]] >= model.moteVolume,
  });
}

/** The shortest edge that remeshing leaves alone, m. */
export function findLeastEdge({ bounds }: SurfaceModel, { sizing, tracker: { mesh } }: SurfaceState): Metres {
  if (!sizing) return bounds.minEdge;
  let least = Infinity;
  for (let v = 0; v < mesh.vertexFill; v++) if (mesh.isVertex(v)) least = Math.min(least, sizing.data[v]);
  return bounds.minEdge * (mesh.vertexCount > 0 ? least : 1);
}
