import type { Seconds } from '../../../core/types.ts';
import type { StepReport, Work } from '../../method.ts';
import type { SurfaceModel } from '../model.ts';
import type { SurfaceState } from '../state.ts';
import { beginThesisStages } from './stages.ts';

/**
 * One time step of [da-2017] part III as the thesis has it (22, 23), for comparisons (`surface.step:
 * thesis`): velocities at vertices, one sweep for the projection, nothing kept but what these operators keep.
 */
export function stepThesis(model: SurfaceModel, state: SurfaceState, work: Work, dt: Seconds): StepReport {
  const stages = beginThesisStages(model, state, work.clock, dt);
  stages.advect(); //           22.1, 5.2  positions by velocities, collision-safe
  stages.mergeSurfaces(); //    chapter 8
  stages.improveMesh(); //      23.1       remeshing, velocities resampled
  stages.separateVertices(); // chapter 6
  stages.project(); //          22.2, 23.2 Helmholtz projection, sharpening
  stages.integrateForces(); //  22.3, 23.3-23.5 gravity, tension by the boundary element method
  return stages.accept();
}
