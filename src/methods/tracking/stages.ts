/**
 * The stages of a step, timed: the lines of the tracker's own step (tracking/multimaterial/step.ts) between
 * the flows and the packing.
 */
import { type StageClock, timed } from '../../core/stages.ts';
import type { Seconds } from '../../core/types.ts';
import type { AdvanceReport } from '../../tracking/multimaterial/advance.ts';
import { computeSizing } from '../../tracking/multimaterial/sizing.ts';
import { beginTrack, type TrackStages } from '../../tracking/multimaterial/step.ts';
import type { StepReport } from '../method.ts';
import { TrackingLedger } from './ledger.ts';
import type { TrackingModel } from './model.ts';
import { setVelocity, type TrackingState } from './state.ts';

export interface Stages {
  /** Asks the flows where the vertices should go, and begins a step of the tracker. */
  proposePositions(): void;
  /** Moves the vertices towards their proposed positions, as far as that is safe. */
  resolveInterpenetrations(): void;
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
  const { flows } = model;
  let track: TrackStages;
  let advance: AdvanceReport;
  const ledger = new TrackingLedger(tracker, model.volume === 'all');
  return {
    proposePositions: () =>
      timed(clock, 'flow', () => {
        tracker.flow = flows.flowAt(tracker, state.time);
        if (model.sizing) computeSizing(tracker, state.sizing!, model.sizing);
        const proposed = flows.propose(tracker, state.time, dt);
        ledger.bookFlow(proposed);
        track = beginTrack(tracker, proposed, model);
        ledger.bookReturn(proposed);
      }),

    resolveInterpenetrations: () =>
      timed(clock, 'collisions', () => {
        advance = track.resolveInterpenetrations();
        ledger.bookMotion();
      }),

    mergeSurfaces: () => timed(clock, 'merging', () => track.mergeSurfaces()),

    improveMesh: () => timed(clock, 'improvement', () => track.improveMesh()),

    separateVertices: () => timed(clock, 'separation', () => track.separateVertices()),

    accept: () =>
      timed(clock, 'packing', () => {
        const regions = countRegions(state);
        const volume = ledger.close();
        tracker.compact();
        state.time += dt;
        setVelocity(model, state);
        const events = { ...state.tracker.takeEvents(), ...reportAdvance(advance), regions };
        return { dt, solver: {}, events, ledger: { volume } };
      }),
  };
}

/** Labels in the mesh, but for the outside. */
function countRegions({ tracker }: TrackingState): number {
  const { faceFill, face, label } = tracker.mesh;
  const labels = new Set<number>();
  let [front, back] = [0, 0];
  for (let f = 0; f < faceFill; f++) {
    // Neighbours in the list mostly part the same two.
    if (face[3 * f] < 0 || (label[2 * f] === front && label[2 * f + 1] === back)) continue;
    front = label[2 * f];
    back = label[2 * f + 1];
    labels.add(front);
    labels.add(back);
  }
  labels.delete(0);
  return labels.size;
}

function reportAdvance(report: AdvanceReport): Record<string, number> {
  const { proximityImpulses, collisionImpulses, zoned, frozen } = report;
  return { proximityImpulses, collisionImpulses, zoned, frozen };
}
