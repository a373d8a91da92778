import type { Seconds } from '../../core/types.ts';
import type { StepReport, Work } from '../method.ts';
import type { TrackingModel } from './model.ts';
import { beginStages } from './stages.ts';
import type { TrackingState } from './state.ts';

/**
 * One time step: algorithm 1 of [da-2017] chapter 5. The mesh is free of intersections after each line from
 * the second on.
 */
export function step(model: TrackingModel, state: TrackingState, work: Work, dt: Seconds): StepReport {
  const stages = beginStages(model, state, work.clock, dt);
  stages.proposePositions(); //                     5.1        where the flows want the vertices, volumes given back
  stages.resolveInterpenetrations(); //             5.2        collision-safe motion
  stages.mergeSurfaces(); //                        chapter 8  snapping
  stages.improveMesh(); //                          chapter 9  split, collapse, flip, smooth; with T2 of chapter 7
  stages.separateVertices(); //                     chapter 6  T1
  return stages.accept();
}
