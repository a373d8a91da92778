import type { Heap } from '../core/heap.ts';
import type { RecordType, SavedRecord } from '../core/records.ts';
import type { Threads } from '../core/threads/task.ts';
import type { Seconds } from '../core/types.ts';
import type { ParticleFrame, SurfaceFrame, VolumeFrame } from '../mesh/fields.ts';
import type { MethodInfo } from '../scene/method-info.ts';
import type { Scene } from '../scene/scene.ts';
import type { StepLedger } from './ledger.ts';
import type { Presentation } from './presentation.ts';

export type { Field, ParticleFrame, SurfaceFrame, SurfacePart, VolumeFrame } from '../mesh/fields.ts';
export type { EnergyLedger, StepLedger, VolumeLedger } from './ledger.ts';

/**
 * What every method gives the runner (ARCHITECTURE.md, "model, state, work, report").
 * model: what the scene fixed. state: the least that continues the run; figures of a step belong to its
 * report. work: scratch that can be thrown away between any two steps without changing a byte.
 */
export interface Method<M, S, W extends Work> extends MethodInfo {
  /** How its runs are shown. */
  readonly presentation?: Presentation;
  build(scene: Scene, resources: Resources): M;
  start(model: M): S;
  createWork(model: M): W;
  /** The largest step the method wants to take from here. */
  stableTimeStep(model: M, state: S): Seconds;
  /** Advances the state in place by dt. */
  step(model: M, state: S, work: W, dt: Seconds): StepReport;
  surface(model: M, state: S): SurfaceFrame;
  volume?(model: M, state: S): VolumeFrame;
  particles?(model: M, state: S): ParticleFrame;
  /** `report`: of the step that led to the state; absent at the start and after a poke. */
  measure(model: M, state: S, report?: StepReport): Diagnostics;
  /**
   * A person touched the surface: pops a film, for example. Changes the state between two steps, at the call,
   * as a step does. Methods that have it get clicks in the live page; runs from scenes alone never call it.
   */
  poke?(model: M, state: S, event: Poke): void;
  /** What a saved state holds, column by column: docs/states.md is written from it. */
  readonly record?: RecordType;
  /** The state as named arrays, and back: exactly what a checkpoint holds. */
  save(state: S): StateRecord;
  restore(model: M, record: StateRecord): S;
  /** Frees what a state holds once it is given up, as after a rejected step. */
  release?(state: S): void;
  /**
   * What a run of the scene up to a time will need, to a factor of two: from the scene alone, in a second at
   * most, with nothing meshed.
   */
  estimate(scene: Scene, until: Seconds): Estimate;
  /**
   * Refuses what the schema lets pass and the method cannot hold, by an InputError; from the scene alone,
   * like an estimate.
   */
  check?(scene: Scene): void;
}

/** Where the surface was touched. */
export interface Poke {
  /**
   * Triangle of the frame that `surface(model, state)` gives now: the nearest to where the person clicked.
   */
  readonly face: number;
  /** m; a point of the surface as the person saw it, which may be some steps old. */
  readonly point: readonly [number, number, number];
}

export interface Resources {
  readonly heap: Heap;
  readonly threads: Threads;
}

/** Every method's work carries the clock its stages are timed by. */
export interface Work {
  readonly clock: StageClock;
}

/**
 * Milliseconds per stage since the last reset. Stages wrap themselves with `timed`; the step of a method
 * shows no timers.
 */
export interface StageClock {
  readonly milliseconds: Record<string, number>;
  reset(): void;
}

export interface SolverReport {
  readonly iterations: number;
  /** ||b - Ax|| / ||b||, recomputed after the solve */
  readonly residual: number;
  readonly converged: boolean;
  /**
   * Of a solve that did not converge: whether a shorter step might. False where it would have the same system
   * to solve: the step is then accepted, and the method counts in `events` what is left over. Absent: true.
   */
  readonly shorterStepHelps?: boolean;
}

export interface StepReport {
  readonly dt: Seconds;
  readonly solver: Record<string, SolverReport>;
  readonly events: Record<string, number>;
  /** What the step did to volume and energy, by cause; what it leaves out is booked as unexplained. */
  readonly ledger?: StepLedger;
  /** What the step measured in passing and the state does not hold: `measure` gets it back. */
  readonly figures?: Diagnostics;
}

/** SI; a quantity a method cannot have is absent, never faked. Names as in stats.jsonl. */
export interface Diagnostics {
  vertices?: number;
  triangles?: number;
  tets?: number;
  particles?: number;
  volume?: number;
  /** kg, of what `volume` and `potentialEnergy` are of */
  mass?: number;
  regions?: { label: number; volume: number }[];
  kineticEnergy?: number;
  potentialEnergy?: number;
  surfaceEnergy?: number;
  surfaceArea?: number;
  momentum?: [number, number, number];
  angularMomentum?: [number, number, number];
  /** Given back before the step, where edits had taken it, kg m/s. */
  returnedMomentum?: [number, number, number];
  centreOfMass?: [number, number, number];
  maxSpeed?: number;
  minDihedral?: number;
  maxDihedral?: number;
}

/** A state as a checkpoint holds it. */
export type StateRecord = SavedRecord;

/** What a run will need; `run/budget.ts` makes steps, memory and time of it. */
export interface Estimate {
  /** The most there will be of each. */
  readonly elements: Record<string, number>;
  /** At the peak of a step. */
  readonly heapBytes: number;
  /** What plain arrays hold beside the heap at the same time; absent: nothing to speak of. */
  readonly plainBytes?: number;
  /** The mean one wanted, before the runner evens it out over a frame. */
  readonly timeStep: Seconds;
  /**
   * A mean step, and building the start, on one thread of the machine the costs were measured on
   * (run/node-machine.ts); absent: next to nothing.
   */
  readonly stepSeconds?: number;
  readonly startSeconds?: number;
}
