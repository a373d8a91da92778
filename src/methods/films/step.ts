import type { Seconds } from '../../core/types.ts';
import type { StepReport, Work } from '../method.ts';
import type { FilmsModel } from './model.ts';
import { beginStages } from './stages.ts';
import type { FilmsState } from './state.ts';

/** One time step: algorithm 3 of [da-2017] chapter 16. Deviations: README.md beside this file. */
export function step(model: FilmsModel, state: FilmsState, work: Work, dt: Seconds): StepReport {
  const stages = beginStages(model, state, work.clock, dt);
  stages.burstFilms(); //                          chapter 17  films that are due
  const proposed = stages.integrateMotion(); //    15.3-15.6   tension into circulation, velocity, wires, positions
  stages.resolveInterpenetrations(proposed); //    5.2         volumes given back, collision-safe motion
  stages.mergeSurfaces(); //                       chapter 8
  stages.improveMesh(); //                         16.1        remeshing, circulation resampled
  stages.separateVertices(); //                    chapter 6   T1
  stages.nameBubbles(); //                         ours        what pinched off is a bubble of its own
  stages.keepVolumes(); //                         ours        what remeshing took, given back
  return stages.accept();
}
