/** The stages of a step, timed: what step.ts calls in the order of algorithm 1. */
import { type StageClock, timed } from '../../core/stages.ts';
import type { Seconds } from '../../core/types.ts';
import { type AdvanceReport, advanceVertices } from '../../tracking/multimaterial/advance.ts';
import { improveMesh } from '../../tracking/multimaterial/improve.ts';
import { computeMotion, mergeSurfaces } from '../../tracking/multimaterial/merge.ts';
import { addVolumeReturn, bookMotion } from '../../tracking/multimaterial/return-volume.ts';
import { separateVertices } from '../../tracking/multimaterial/separate.ts';
import { computeSizing } from '../../tracking/multimaterial/sizing.ts';
import type { StepReport } from '../method.ts';
import type { TrackingModel } from './model.ts';
import { measureSpeed, type TrackingState } from './state.ts';

export interface Stages {
  /** (vertexFill x 3) m */
  proposePositions(): Float64Array;
  /** Moves the vertices towards their proposed positions, as far as that is safe. */
  resolveInterpenetrations(proposed: Float64Array): void;
  mergeSurfaces(): void;
  improveMesh(): void;
  separateVertices(): void;
  /** Packs the mesh and reports. */
  accept(): StepReport;
}

export function beginStages(
  model: TrackingModel,
  state: TrackingState,
  clock: StageClock,
  dt: Seconds,
): Stages {
  const { tracker } = state;
  const { motion, volume } = model;
  let advance: AdvanceReport | undefined;
  /** What the flows asked for, before collisions changed it: only what is about to meet merges. */
  let wanted: Float64Array | undefined;
  return {
    proposePositions: () =>
      timed(clock, 'flow', () => {
        tracker.flow = motion.flowAt(tracker, state.time);
        if (model.sizing) computeSizing(tracker, state.sizing!, model.sizing);
        const proposed = motion.propose(tracker, state.time, dt);
        if (model.merging) wanted = computeMotion(tracker, proposed);
        if (volume !== 'none') addVolumeReturn(tracker, proposed, volume === 'all');
        return proposed;
      }),

    resolveInterpenetrations: (proposed) =>
      timed(clock, 'collisions', () => {
        const from = volume === 'all' ? tracker.mesh.position.slice() : undefined;
        advance = advanceVertices(tracker, proposed);
        if (from) bookMotion(tracker, from);
      }),

    mergeSurfaces: () =>
      timed(clock, 'merging', () => {
        if (model.merging) mergeSurfaces(tracker, wanted);
      }),

    improveMesh: () => timed(clock, 'improvement', () => improveMesh(tracker)),

    separateVertices: () =>
      timed(clock, 'separation', () => {
        if (model.separations) separateVertices(tracker, model.strength);
      }),

    accept: () =>
      timed(clock, 'packing', () => {
        const regions = countRegions(state);
        tracker.compact();
        state.time += dt;
        state.maxSpeed = measureSpeed(model, tracker, state.time);
        return { dt, solver: {}, events: { ...takeEvents(state), ...reportAdvance(advance!), regions } };
      }),
  };
}

/** Labels in the mesh, but for the outside. */
function countRegions({ tracker }: TrackingState): number {
  const { mesh } = tracker;
  const labels = new Set<number>();
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    labels.add(mesh.label[2 * f]);
    labels.add(mesh.label[2 * f + 1]);
  }
  labels.delete(0);
  return labels.size;
}

/** Edits done since the last call, by name, and all that were refused as one number. */
function takeEvents({ tracker }: TrackingState): Record<string, number> {
  const taken: Record<string, number> = {};
  let refused = 0;
  for (const [name, count] of Object.entries(tracker.events)) {
    if (name.includes('refused')) refused += count;
    else taken[name.replaceAll(' ', '-')] = count;
    delete tracker.events[name];
  }
  return { ...taken, refused };
}

function reportAdvance(report: AdvanceReport): Record<string, number> {
  const { proximityImpulses, collisionImpulses, zoned, frozen } = report;
  return { proximityImpulses, collisionImpulses, zoned, frozen };
}
