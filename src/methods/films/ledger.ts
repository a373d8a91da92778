/**
 * The ledger of a step (methods/ledger.ts): the air in bubbles, measured between the stages, and the films'
 * energy.
 *
 * Regions are closed, with a volume that they are meant to have (FilmsState.meant), or open to what no film
 * bounds; air goes in and out of those as it likes, which is `growth`; kneading leaves the sum of all bubbles
 * as it is. popped: air that bursts set free, where a bubble opens to the outside. enclosed: air of the
 * outside that pinched off and is a bubble from then on. emitted and drained: what sources blow in and take
 * out. Of closed regions, transport: what the motion of the air gains or loses; correction: what is given
 * back, before the collisions that may stop it and after all edits; dropped: bubbles that vanished, as far as
 * the loss in edits goes.
 *
 * Energy: what bursts take is the tension of the film that went. Wires that move, air that is blown and
 * kneading do work that is not measured: where there is any, the rest is `work`.
 */
import type { Seconds } from '../../core/types.ts';
import { computeFaceArea, measureVolumes } from '../../tracking/multimaterial/measure.ts';
import type { StepLedger } from '../method.ts';
import type { ActiveSource } from './events/sources.ts';
import type { FilmsModel } from './model.ts';
import type { FilmsState } from './state.ts';

type Volumes = Map<number, number>;

/** What the causes below are booked under, in the order of the stages. */
type Cause = 'transport' | 'correction' | 'remeshing';

export class FilmsLedger {
  private readonly booked = {
    emitted: 0,
    drained: 0,
    popped: 0,
    enclosed: 0,
    growth: 0,
    transport: 0,
    correction: 0,
    remeshing: 0,
    dropped: 0,
  };
  private popped = 0;
  private last: Volumes;
  private area: number;
  private isWorkDone: boolean;

  constructor(
    private readonly model: FilmsModel,
    private readonly state: FilmsState,
    private readonly dt: Seconds,
  ) {
    this.last = this.measure();
    this.area = this.measureFilmArea();
    const { time } = state;
    const { kneading, wires } = model.options;
    this.isWorkDone =
      wires.some(({ motion }) => motion !== undefined) || (kneading !== undefined && time < kneading.end);
  }

  /** After the bursts of the step. */
  bookBursts(): void {
    const now = this.measure();
    this.booked.popped += sum(now) - sum(this.last);
    this.last = now;
    const area = this.measureFilmArea();
    this.popped = this.model.options.tension * (area - this.area);
    this.area = area;
  }

  bookSources(sources: readonly ActiveSource[]): void {
    for (const { region, rate } of sources) {
      // What is blown into an open region is no one's.
      if (!this.state.meant.has(region)) continue;
      this.booked[rate > 0 ? 'emitted' : 'drained'] += rate * this.dt;
    }
    this.isWorkDone ||= sources.length > 0;
  }

  /**
   * After the air has said where the vertices go (vertexFill x 3), before volumes are given back: sources
   * have done their part by then.
   */
  bookProposed(proposed: Float64Array): void {
    this.bookStage('transport', this.measure(proposed));
    this.booked.transport -= this.booked.emitted + this.booked.drained;
  }

  /** After vertices moved there as far as is safe. */
  bookMotion(): void {
    this.bookStage('correction', this.measure());
  }

  /** After merging, improving and separating. */
  bookEdits(): void {
    const before = this.last;
    const now = this.measure();
    this.bookStage('remeshing', now);
    let gone = 0;
    for (const [label, volume] of before) if (!now.has(label) && this.isClosed(label)) gone += volume;
    const dropped = Math.min(Math.max(0, gone), Math.max(0, -this.booked.remeshing));
    this.booked.dropped -= dropped;
    this.booked.remeshing += dropped;
  }

  /** After what pinched off has its name. */
  bookNames(): void {
    const now = this.measure();
    this.booked.enclosed += sum(now) - sum(this.last);
    this.last = now;
  }

  /** After volumes were kept; the end of the step. */
  close(): StepLedger {
    this.bookStage('correction', this.measure());
    return {
      volume: this.booked,
      energy: { popped: this.popped, rest: this.isWorkDone ? 'work' : 'numerics' },
    };
  }

  private bookStage(cause: Cause, now: Volumes): void {
    for (const label of new Set([...this.last.keys(), ...now.keys()])) {
      const change = (now.get(label) ?? 0) - (this.last.get(label) ?? 0);
      this.booked[this.isClosed(label) ? cause : 'growth'] += change;
    }
    this.last = now;
  }

  private isClosed(label: number): boolean {
    return this.state.meant.has(label);
  }

  private measure(position?: Float64Array): Volumes {
    const { mesh } = this.state.tracker;
    const volumes = measureVolumes(mesh, position ?? mesh.position);
    for (const label of [...volumes.keys()]) if (this.model.isOpening(label)) volumes.delete(label);
    return volumes;
  }

  private measureFilmArea(): number {
    const { mesh } = this.state.tracker;
    const { isOpening } = this.model;
    let area = 0;
    for (let f = 0; f < mesh.faceFill; f++)
      if (mesh.isFace(f) && !isOpening(mesh.label[2 * f]) && !isOpening(mesh.label[2 * f + 1]))
        area += computeFaceArea(mesh, f);
    return area;
  }
}

const sum = (volumes: Volumes): number => [...volumes.values()].reduce((total, volume) => total + volume, 0);
