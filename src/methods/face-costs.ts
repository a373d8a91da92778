/** The part of an estimate that methods on labelled surfaces share: what a run costs by its faces. */
import type { Seconds } from '../core/types.ts';
import type { Estimate } from './method.ts';

/** Measured on runs of the bundled scenes (tools/try-estimates.js). */
export interface FaceCosts {
  /** Heap at the peak of a step, bytes: of every run, and per face. */
  readonly heap: { readonly run: number; readonly face: number };
  /** Plain arrays beside it, bytes per face. */
  readonly plain: number;
  /** A step on one thread, s: of every run, and per face. */
  readonly step: { readonly run: number; readonly face: number };
  /** Building the start, s per face. */
  readonly start: number;
}

/** What a method knows of its run. */
export interface FaceCounts {
  /** The most there will be. */
  readonly faces: number;
  /** The same, by what they take of the heap. */
  readonly heapFaces: number;
  readonly startFaces: number;
  readonly timeStep: Seconds;
  readonly stepSeconds: number;
}

export function estimateByFaces(costs: FaceCosts, counts: FaceCounts): Estimate {
  return {
    elements: { vertices: Math.round(counts.faces / 2), triangles: Math.round(counts.faces) },
    heapBytes: costs.heap.run + costs.heap.face * counts.heapFaces,
    plainBytes: costs.plain * counts.faces,
    timeStep: counts.timeStep,
    stepSeconds: counts.stepSeconds,
    startSeconds: costs.start * counts.startFaces,
  };
}
