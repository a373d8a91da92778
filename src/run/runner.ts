import { InputError, MeniscusError, RunError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { NONE, type Seconds } from '../core/types.ts';
import type {
  Diagnostics,
  ParticleFrame,
  Resources,
  SolverReport,
  StateRecord,
  StepReport,
  SurfaceFrame,
  VolumeFrame,
  Work,
} from '../methods/method.ts';
import type { OutputOptions } from '../scene/load.ts';
import type { Scene } from '../scene/scene.ts';
import type { Balance } from './balance.ts';
import { Books, type LedgerRecord } from './books.ts';
import { findNearestFace } from './poke.ts';
import type { AnyMethod } from './registry.ts';
import { cloneRecord, type Snapshot } from './snapshot.ts';

/**
 * The loop around a method: chooses dt, divides frames into steps, checks the state, retries a step whose
 * solver did not converge with half the dt where that would help, and tells what happened as a sequence of
 * events. A step that throws is undone before the error goes on. No files, no clock of its own choosing, no
 * Node: the command line, the tests and the page's worker all iterate over `events()`.
 *
 * dt is the time left in the frame over the least whole number of stable steps. It depends on the state and
 * the time alone, so that a run resumed anywhere, also in the middle of a frame, takes the same steps.
 */
export type RunEvent =
  | { readonly type: 'step'; readonly record: StepRecord }
  | {
      readonly type: 'frame';
      readonly frame: number;
      readonly time: Seconds;
      readonly surface?: SurfaceFrame;
      readonly volume?: VolumeFrame;
      readonly particles?: ParticleFrame;
    }
  /** Now is the time to save `run.snapshot()`: a frame is complete. */
  | { readonly type: 'checkpoint'; readonly frame: number }
  | { readonly type: 'done'; readonly frame: number; readonly time: Seconds };

/** A line of stats.jsonl. Names and units: docs/formats.md. */
export interface StepRecord extends Diagnostics {
  frame: number;
  step: number;
  time: Seconds;
  dt: Seconds;
  wall: Record<string, number>;
  cfl?: number;
  solver: Record<string, { iterations: number; residual: number }>;
  events: Record<string, number>;
  /** What changed volume and energy, by cause. */
  ledger: LedgerRecord;
  heapBytes: number;
}

export interface RunOptions {
  readonly method: AnyMethod;
  readonly scene: Scene;
  readonly output: OutputOptions;
  readonly resources: Resources;
  /** Continue from here instead of from the scene's start. */
  readonly from?: Snapshot | undefined;
  /** Milliseconds; the runner times whole steps with it. */
  readonly now?: () => number;
}

/** Halvings of dt before a step that does not converge stops the run: 1/16 of the stable step. */
const MAX_HALVINGS = 4;

/** The number of frames after frame 0 that cover the duration. */
export function countFrames(scene: Pick<Scene, 'duration' | 'fps'>, until: Seconds = scene.duration): number {
  return Math.max(1, Math.ceil(until * scene.fps - 1e-9));
}

export class Run {
  readonly #options: RunOptions;
  readonly #model: unknown;
  readonly #work: Work;
  readonly #now: () => number;
  readonly #books: Books;
  #state: unknown;
  #record: StateRecord;
  #frame: number;
  #step: number;
  #time: Seconds;
  /** Frame of the newest checkpoint that the listener had the chance to write; -1 before the first. */
  #checkpoint: number;

  constructor(options: RunOptions) {
    const { method, scene, resources, from } = options;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#model = method.build(scene, resources);
    this.#state = from ? restoreChecked(method, this.#model, from) : method.start(this.#model);
    this.#work = method.createWork(this.#model);
    this.#frame = from?.frame ?? -1;
    this.#step = from?.step ?? 0;
    this.#time = from?.time ?? 0;
    this.#checkpoint = this.#frame;
    this.#record = cloneRecord(method.save(this.#state));
    this.#checkFinite(this.#record, 'at the start');
    this.#books = new Books(scene);
    if (from?.books) this.#books.restore(from.books);
    else if (from) this.#books.open(method.measure(this.#model, this.#state), { ...from, dt: 0 });
  }

  /** Last finished frame; -1 before frame 0. */
  get frame(): number {
    return this.#frame;
  }

  get time(): Seconds {
    return this.#time;
  }

  /** What continues the run from here; valid at every event. */
  snapshot(): Snapshot {
    const { method } = this.#options;
    return {
      method: method.name,
      frame: this.#frame,
      step: this.#step,
      time: this.#time,
      record: this.#record,
      books: this.#books.save(),
    };
  }

  /** How well volume and energy were kept up to now. */
  balance(): Balance {
    return this.#books.balance();
  }

  /** The surface as it is now, between frames too: what a live page shows. At any event. */
  surface(): SurfaceFrame {
    return this.#options.method.surface(this.#model, this.#state);
  }

  /**
   * A person touched the surface at a point: the method changes its state, and the run goes on from there. At
   * any event. False when the method takes no pokes or there is no surface to touch.
   */
  poke(point: readonly [number, number, number]): boolean {
    const { method } = this.#options;
    if (!method.poke) return false;
    const face = findNearestFace(this.surface().mesh, point);
    if (face === NONE) return false;
    const before = method.measure(this.#model, this.#state);
    method.poke(this.#model, this.#state, { face, point });
    const record = cloneRecord(method.save(this.#state));
    this.#checkFinite(record, 'after a poke');
    this.#record = record;
    this.#books.poke(before, method.measure(this.#model, this.#state));
    return true;
  }

  /**
   * Runs to the end of a frame. Stop early by leaving the loop: after any event `snapshot()` continues the
   * run.
   */
  *events(lastFrame = countFrames(this.#options.scene)): Generator<RunEvent, void, void> {
    const { fps } = this.#options.scene;
    if (this.#frame < 0) {
      yield { type: 'step', record: this.#measure(0, 0, { dt: 0, solver: {}, events: {} }, this.#now()) };
      yield* this.#finishFrame(0, lastFrame);
    }
    while (this.#frame < lastFrame) {
      const frame = this.#frame + 1;
      const frameEnd = frame / fps;
      let steps = 0;
      while (this.#time < frameEnd) {
        const record = this.#advance(frame, frameEnd);
        if (++steps > LIMITS.stepsPerFrame)
          throw this.#fail(`more than ${LIMITS.stepsPerFrame} steps in frame ${frame}, dt ${record.dt} s`);
        yield { type: 'step', record };
      }
      yield* this.#finishFrame(frame, lastFrame);
    }
    yield { type: 'done', frame: this.#frame, time: this.#time };
  }

  *#finishFrame(frame: number, lastFrame: number): Generator<RunEvent, void, void> {
    const { method, output } = this.#options;
    const surface = output.surface ? method.surface(this.#model, this.#state) : undefined;
    const wantsVolume = output.volume !== false && frame % output.volume === 0;
    const volume = wantsVolume ? method.volume?.(this.#model, this.#state) : undefined;
    const wantsParticles = output.particles && frame % output.particles === 0;
    const particles = wantsParticles ? method.particles?.(this.#model, this.#state) : undefined;
    const files = { ...(surface && { surface }), ...(volume && { volume }), ...(particles && { particles }) };
    yield { type: 'frame', frame, time: this.#time, ...files };
    this.#frame = frame;
    if (frame % output.checkpoint === 0 || frame === lastFrame) {
      yield { type: 'checkpoint', frame };
      this.#checkpoint = frame;
    }
  }

  /**
   * One accepted step: the largest stable one that divides the rest of the frame evenly, halved while that
   * helps its solvers.
   */
  #advance(frame: number, frameEnd: Seconds): StepRecord {
    const { method } = this.#options;
    const start = this.#now();
    const stable = method.stableTimeStep(this.#model, this.#state);
    if (!(stable > 0)) throw this.#fail(`the stable time step is ${stable} s`);
    const left = frameEnd - this.#time;
    let count = Math.max(1, Math.ceil(left / stable - 1e-9));
    const retries: Record<string, number> = {};
    this.#work.clock.reset();
    for (let halvings = 0; ; halvings++) {
      const dt = left / count;
      const report = this.#tryStep(dt);
      const failed = findFailed(report);
      if (!failed) {
        this.#time = count === 1 ? frameEnd : this.#time + dt;
        this.#step++;
        return this.#measure(frame, dt, { ...report, events: { ...report.events, ...retries } }, start);
      }
      this.#goBack();
      const [name, solver] = failed;
      if (halvings === MAX_HALVINGS) {
        const what = `the ${name} solve does not converge: residual ${solver.residual} after ${solver.iterations} iterations`;
        throw this.#fail(`${what}, dt ${dt} s after ${halvings} halvings`);
      }
      retries['retriedSteps'] = halvings + 1;
      count *= 2;
    }
  }

  /**
   * Takes a step, and takes its record where its solvers converged. Undoes it where a stage throws or the
   * state is not finite.
   */
  #tryStep(dt: Seconds): StepReport {
    const { method } = this.#options;
    try {
      const report = method.step(this.#model, this.#state, this.#work, dt);
      if (!findFailed(report)) {
        const record = cloneRecord(method.save(this.#state));
        this.#checkFinite(record, `in step ${this.#step + 1}, dt ${dt} s`);
        this.#record = record;
      }
      return report;
    } catch (error) {
      try {
        this.#goBack();
      } catch (second) {
        throw new AggregateError([error, second], `${String(error)}; then the step could not be undone`);
      }
      throw error;
    }
  }

  /** Back to the record taken before the step: what the step left of its state is given up. */
  #goBack(): void {
    const { method } = this.#options;
    method.release?.(this.#state);
    this.#state = method.restore(this.#model, this.#record);
  }

  #measure(frame: number, dt: Seconds, report: StepReport, start: number): StepRecord {
    const { method, scene, resources } = this.#options;
    const diagnostics = method.measure(this.#model, this.#state, report);
    const { maxSpeed } = diagnostics;
    const moment = { frame, time: this.#time, dt };
    const ledger =
      this.#step === 0
        ? this.#books.open(diagnostics, moment)
        : this.#books.book(diagnostics, report.ledger, moment);
    const solver = Object.entries(report.solver).map(([name, { iterations, residual }]) => [
      name,
      { iterations, residual },
    ]);
    return {
      frame,
      step: this.#step,
      time: this.#time,
      dt,
      wall: roundAll({ ...this.#work.clock.milliseconds, total: this.#now() - start }),
      ...diagnostics,
      ...(maxSpeed === undefined ? {} : { cfl: (maxSpeed * dt) / scene.resolution }),
      solver: Object.fromEntries(solver),
      events: report.events,
      ledger,
      heapBytes: resources.heap.bytesInUse - (resources.threads.heapBytes ?? 0),
    };
  }

  #checkFinite(record: StateRecord, when: string): void {
    for (const [name, value] of Object.entries(record.numbers)) {
      if (!Number.isFinite(value)) throw this.#fail(`${name} is ${value} ${when}`);
    }
    for (const [name, array] of Object.entries(record.arrays)) {
      if (!(array instanceof Float64Array || array instanceof Float32Array)) continue;
      const at = findNonFinite(array);
      if (at !== NONE) throw this.#fail(`${name}[${at}] is ${array[at]} ${when}`);
    }
  }

  #fail(what: string): RunError {
    const { scene } = this.#options;
    const where = `${scene.name}, step ${this.#step}, t = ${Number(this.#time.toPrecision(6))} s`;
    const good =
      this.#checkpoint < 0
        ? 'there is no checkpoint yet'
        : `the last good checkpoint is frame ${this.#checkpoint}`;
    return new RunError(where, what, `${good}; run again with another resolution or a smaller time step`);
  }
}

/**
 * A snapshot comes from a file: one that does not fit its scene is bad input, wherever in the method that
 * shows.
 */
function restoreChecked(method: AnyMethod, model: unknown, { record, frame }: Snapshot): unknown {
  try {
    return method.restore(model, record);
  } catch (error) {
    const isOurs = error instanceof MeniscusError;
    const reason = isOurs ? `${error.where}: ${error.what}` : String(error);
    throw new InputError(
      `checkpoint of frame ${frame}`,
      `it does not fit the scene (${reason})`,
      isOurs ? error.remedy : 'resume from another checkpoint, or run the scene anew',
      { cause: error },
    );
  }
}

/** The first solve that a shorter step may bring to converge, by name. */
function findFailed({ solver }: StepReport): [string, SolverReport] | undefined {
  return Object.entries(solver).find(
    ([, { converged, shorterStepHelps }]) => !converged && shorterStepHelps !== false,
  );
}

/** Index of the first NaN or infinity, or NONE. */
function findNonFinite(array: Float64Array | Float32Array): number {
  for (let i = 0; i < array.length; i++) if (!Number.isFinite(array[i])) return i;
  return NONE;
}

/** Microseconds are enough for a stage. */
function roundAll(milliseconds: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(milliseconds).map(([k, ms]) => [k, Math.round(ms * 1000) / 1000]));
}
