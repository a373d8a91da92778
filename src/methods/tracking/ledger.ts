/**
 * The ledger of a step (methods/ledger.ts): volume of all regions but the outside, measured between the
 * stages.
 *
 * Where the flow keeps volumes, whatever its motion and the collisions that stop it gain or lose is an error,
 * `transport`. Where it does not (normal flow, curvature flow), the motion is the scene's own doing,
 * `growth`. correction: what is added to the motion to give volumes back. dropped: regions that vanished, as
 * far as the loss in edits goes.
 */
import { measureVolumes } from '../../tracking/multimaterial/measure.ts';
import type { Tracker } from '../../tracking/multimaterial/tracker.ts';
import type { VolumeLedger } from '../method.ts';

export class TrackingLedger {
  private readonly before: number;
  private flow = 0;
  private returned = 0;
  private moved = new Map<number, number>();

  constructor(
    private readonly tracker: Tracker,
    private readonly keepsVolume: boolean,
  ) {
    this.before = sum(measureVolumes(tracker.mesh));
  }

  /** Where the flows want the vertices (vertexFill x 3). */
  bookFlow(proposed: Float64Array): void {
    const { mesh, walls } = this.tracker;
    const held = proposed.slice();
    walls?.holdAllProposed(held);
    this.flow = sum(measureVolumes(mesh, held));
  }

  /** The same with what gives volumes back. */
  bookReturn(proposed: Float64Array): void {
    this.returned = sum(measureVolumes(this.tracker.mesh, proposed));
  }

  /** After the motion, before all edits. */
  bookMotion(): void {
    this.moved = measureVolumes(this.tracker.mesh);
  }

  /** After all edits. */
  close(): VolumeLedger {
    const after = measureVolumes(this.tracker.mesh);
    const moved = sum(this.moved);
    const correction = this.returned - this.flow;
    const edits = sum(after) - moved;
    const dropped = measureDropped(this.moved, after, edits);
    return {
      [this.keepsVolume ? 'transport' : 'growth']: moved - this.before - correction,
      correction,
      remeshing: edits - dropped,
      dropped,
    };
  }
}

/** Volume of regions that are no more, as far as edits lost any; not above zero. */
function measureDropped(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
  change: number,
): number {
  let gone = 0;
  for (const [label, volume] of before) if (!after.has(label)) gone += volume;
  return -Math.min(Math.max(0, gone), Math.max(0, -change));
}

const sum = (volumes: ReadonlyMap<number, number>): number =>
  [...volumes.values()].reduce((total, volume) => total + volume, 0);
