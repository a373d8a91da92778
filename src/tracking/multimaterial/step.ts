/** One step of the tracker: algorithm 1 of [da-2017] chapter 5. The mesh is free of intersections after each line. */
import { type AdvanceReport, advanceVertices } from './advance.ts';
import { improveMesh } from './improve.ts';
import { computeMotion, mergeSurfaces } from './merge.ts';
import { addVolumeReturn, bookMotion } from './return-volume.ts';
import { type StrengthMeasure, separateVertices } from './separate.ts';
import type { Tracker } from './tracker.ts';

export interface TrackOptions {
  /** By what pairs of regions part (chapter 6). */
  readonly strength: StrengthMeasure;
  /**
   * none: volumes are the flow's business (normal flow, mean curvature flow).
   * remeshing: what remeshing takes is given back.
   * all: the flow keeps volumes, so whatever a region gains or loses is given back.
   */
  readonly volume: 'none' | 'remeshing' | 'all';
}

export interface TrackReport extends AdvanceReport {
  readonly snaps: number;
  readonly separations: number;
}

/** Tracks the surface to the proposed positions (vertexFill x 3, m), which are used as scratch. */
export function trackStep(tracker: Tracker, proposed: Float64Array, options: TrackOptions): TrackReport {
  const isBooked = options.volume === 'all';
  const from = isBooked ? tracker.mesh.position.slice() : undefined;
  const motion = tracker.options.topology ? computeMotion(tracker, proposed) : undefined;
  if (options.volume !== 'none') addVolumeReturn(tracker, proposed, isBooked);
  const report = advanceVertices(tracker, proposed); //                                      5.2
  if (from) bookMotion(tracker, from);
  const snaps = tracker.options.topology ? mergeSurfaces(tracker, motion) : 0; //            chapter 8
  improveMesh(tracker); //                                                                   chapter 9, with chapter 7
  const separations = tracker.options.topology ? separateVertices(tracker, options.strength) : 0; // chapter 6
  return { ...report, snaps, separations };
}
