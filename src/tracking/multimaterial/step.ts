/**
 * One step of the tracker: algorithm 1 of [da-2017] chapter 5. The mesh is free of intersections after each
 * line.
 */
import { type AdvanceReport, advanceVertices } from './advance.ts';
import { improveMesh } from './improve.ts';
import { computeDisplacement, mergeSurfaces } from './merge.ts';
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
  /** May surfaces merge and vertices separate? Default: as the tracker's `topology` says. */
  readonly merging?: boolean;
  readonly separations?: boolean;
}

export interface TrackReport extends AdvanceReport {
  readonly snaps: number;
  readonly separations: number;
}

/** Tracks the surface to the proposed positions (vertexFill x 3, m), which are used as scratch. */
export function trackStep(tracker: Tracker, proposed: Float64Array, options: TrackOptions): TrackReport {
  const stages = beginTrack(tracker, proposed, options);
  const report = stages.resolveInterpenetrations(); //   5.2
  const snaps = stages.mergeSurfaces(); //               chapter 8
  stages.improveMesh(); //                               chapter 9, with chapter 7
  const separations = stages.separateVertices(); //      chapter 6
  return { ...report, snaps, separations };
}

/** The lines of the algorithm, to be called in this order by whoever wants to time them. */
export interface TrackStages {
  resolveInterpenetrations(): AdvanceReport;
  /** Returns the number of snaps. */
  mergeSurfaces(): number;
  improveMesh(): void;
  /** Returns the number of separations. */
  separateVertices(): number;
}

/** Begins a step: notes what the flow asked for, then adds to `proposed` what gives volumes back. */
export function beginTrack(tracker: Tracker, proposed: Float64Array, options: TrackOptions): TrackStages {
  const { topology } = tracker.options;
  const { volume, merging = topology, separations = topology } = options;
  // Before collisions and return of volume: only what is about to meet merges.
  const motion = merging ? computeDisplacement(tracker, proposed) : undefined;
  tracker.keepsVolume = volume === 'all';
  if (volume !== 'none') addVolumeReturn(tracker, proposed, volume === 'all');
  tracker.walls?.holdAllProposed(proposed);
  return {
    resolveInterpenetrations() {
      const from = volume === 'all' ? tracker.mesh.position.slice() : undefined;
      const report = advanceVertices(tracker, proposed);
      if (from) bookMotion(tracker, from);
      return report;
    },
    mergeSurfaces: () => (merging ? mergeSurfaces(tracker, motion) : 0),
    improveMesh: () => improveMesh(tracker),
    separateVertices: () => (separations ? separateVertices(tracker, options.strength) : 0),
  };
}
