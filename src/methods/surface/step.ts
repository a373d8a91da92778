import type { Seconds } from '../../core/types.ts';
import type { StepReport, Work } from '../method.ts';
import type { SurfaceModel } from './model.ts';
import { beginStages } from './stages.ts';
import type { SurfaceState } from './state.ts';

/**
 * One time step of [da-2017] part III, with a potential in place of velocities. Deviations: README.md beside
 * this file.
 */
export function step(model: SurfaceModel, state: SurfaceState, work: Work, dt: Seconds): StepReport {
  const stages = beginStages(model, state, work.clock, dt);
  const proposed = stages.integrateMotion(); //    22.1-22.3  pressure of tension, potential flow, positions
  stages.meetWalls(proposed); //                   22.3       solids, nozzles
  stages.resolveInterpenetrations(proposed); //    5.2        volumes given back, collision-safe motion
  stages.mergeSurfaces(); //                       chapter 8  bodies that meet become one
  stages.improveMesh(); //                         23.1       remeshing, potentials resampled
  stages.separateVertices(); //                    chapter 6  necks pinch
  stages.keepVolumes(); //                         ours       what remeshing took, given back
  stages.keepImpulses(); //                        ours       momentum likewise
  return stages.accept();
}
