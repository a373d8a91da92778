/**
 * The ledger of a step (methods/ledger.ts): the liquid's volume, measured between the stages. transport: what
 * the motion gains or loses for the flatness of faces; correction: what is given back of it and of what edits
 * took; remeshing: what edits took; dropped: drops that vanished in them; emitted: what nozzles gave;
 * drained: what left through open sides. Energy: what tension and motion do not exchange is viscosity,
 * merging and the method's own: `numerics`.
 */
import { measureVolumes } from '../../tracking/multimaterial/measure.ts';
import type { StepLedger } from '../method.ts';
import { findBodies, LIQUID } from './liquid/body.ts';
import type { SurfaceState } from './state.ts';

export class SurfaceLedger {
  private readonly booked = { emitted: 0, drained: 0, transport: 0, correction: 0, remeshing: 0, dropped: 0 };
  private last: number;

  constructor(
    private readonly state: SurfaceState,
    /** Do nozzles or moving walls work on the liquid? */
    private readonly isDriven = false,
  ) {
    this.last = this.measure();
  }

  /** What nozzles give in this step, m^3: the motion brings it. */
  bookEmitted(volume: number): void {
    this.booked.emitted += volume;
    this.last += volume;
  }

  /** After the flow has said where the vertices go (vertexFill x 3), before volumes are given back. */
  bookProposed(proposed: Float64Array): void {
    this.book('transport', this.measure(proposed));
  }

  /** After vertices moved there as far as is safe. */
  bookMotion(): void {
    this.book('correction', this.measure());
  }

  /** After volumes were given back. */
  bookKept(): void {
    this.book('correction', this.measure());
  }

  /** After merging, improving and separating. */
  bookEdits(): void {
    const { values, tracker } = this.state;
    const { mesh } = tracker;
    const bodies = findBodies(mesh);
    this.book('remeshing', this.measure());
    const gone = values.measureGone(bodies.ofVertex);
    const lost = Math.min(gone, Math.max(0, -this.booked.remeshing));
    this.booked.dropped -= lost;
    this.booked.remeshing += lost;
  }

  /** After what left through open sides was taken away. */
  bookLeft(): void {
    this.book('drained', this.measure());
  }

  /** The end of the step. */
  close(): StepLedger {
    this.bookKept();
    return { volume: this.booked, energy: { rest: this.isDriven ? 'work' : 'numerics' } };
  }

  private book(cause: keyof typeof this.booked, now: number): void {
    this.booked[cause] += now - this.last;
    this.last = now;
  }

  private measure(position?: Float64Array): number {
    const { mesh } = this.state.tracker;
    return measureVolumes(mesh, position ?? mesh.position).get(LIQUID) ?? 0;
  }
}
