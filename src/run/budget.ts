/**
 * The budget of a run, before any work: what its method estimates (Method.estimate), made into steps, memory
 * and time on a machine, and held to the limits. Whoever starts a run asks here first; what is refused comes
 * with a remedy that fits.
 */
import { InputError } from '../core/errors.ts';
import { LIMITS, showBytes, showCount } from '../core/limits.ts';
import type { Metres, Seconds } from '../core/types.ts';
import type { Estimate } from '../methods/method.ts';
import type { Scene } from '../scene/scene.ts';
import type { AnyMethod } from './registry.ts';

/** What a run has to live on. */
export interface Machine {
  /** All of its memory. */
  readonly memoryBytes: number;
  /** What the engine gives to objects and plain arrays. */
  readonly plainBytes: number;
  readonly threads: number;
  /** How long a piece of work takes now, over what it took on the machine that costs were measured on. */
  readonly slowness: number;
}

export interface Budget extends Estimate {
  readonly frames: number;
  readonly steps: number;
  /** Of the process as a whole, at its peak. */
  readonly memoryBytes: number;
  /** From start to end on the machine. */
  readonly seconds: Seconds;
}

/** The program without a run: code, the engine, buffers that wait to be collected. */
const PROCESS_BYTES = 150 * 2 ** 20;
/** Starting the program and compiling it while it first runs, as costs were measured. */
const PROGRAM_SECONDS = 1;
/** Share of a step that one thread does alone. */
const SERIAL = 0.3;
/** Times a coarser resolution is tried for a remedy. */
const TRIES = 6;

/** Refuses what the method cannot hold and what is beyond a limit; else tells what the run will need. */
export function planRun(method: AnyMethod, scene: Scene, frames: number, machine: Machine): Budget {
  method.check?.(scene);
  const budget = estimateRun(method, scene, frames, machine);
  const excess = findExcess(budget, machine);
  if (excess !== undefined)
    throw new InputError(`resolution ${scene.resolution} m`, excess, suggestCoarser());
  refuseSteps(budget, scene);
  return budget;

  function suggestCoarser(): string {
    const fits = findFitting(method, scene, frames, machine);
    const first =
      fits === undefined ? 'make the resolution coarser' : `make the resolution ${fits} m or coarser`;
    return `${first}, or what is meshed smaller`;
  }
}

export function estimateRun(method: AnyMethod, scene: Scene, frames: number, machine: Machine): Budget {
  const estimate = method.estimate(scene, frames / scene.fps);
  const { heapBytes, plainBytes = 0, timeStep, stepSeconds = 0, startSeconds = 0 } = estimate;
  // The runner divides each frame into whole steps, so that the mean step counts.
  const steps = Math.max(frames, Math.ceil(frames / scene.fps / timeStep));
  const pace = machine.slowness * (SERIAL + (1 - SERIAL) / machine.threads);
  return {
    ...estimate,
    frames,
    steps,
    memoryBytes: PROCESS_BYTES + heapBytes + plainBytes,
    seconds: machine.slowness * PROGRAM_SECONDS + pace * (startSeconds + steps * stepSeconds),
  };
}

/** What is beyond the memory there is, in words. Comparisons are such that NaN is beyond every limit. */
function findExcess(budget: Budget, machine: Machine): string | undefined {
  const { heapBytes, plainBytes = 0, memoryBytes } = budget;
  const elements = Object.entries(budget.elements).map(([name, n]) => `${showCount(n)} ${name}`);
  const say = (bytes: number, limit: string) =>
    `the run needs about ${showBytes(bytes)}, ${limit} (about ${elements.join(', ')})`;
  if (!(heapBytes <= LIMITS.heapBytes))
    return say(heapBytes, `the heap holds at most ${showBytes(LIMITS.heapBytes)}`);
  const most = LIMITS.memoryShare * machine.memoryBytes;
  const { memoryBytes: all } = machine;
  if (!(memoryBytes <= most))
    return say(memoryBytes, `of the machine's ${showBytes(all)} a run may take ${showBytes(most)}`);
  if (!(plainBytes <= machine.plainBytes))
    return say(plainBytes, `the engine's plain arrays hold at most ${showBytes(machine.plainBytes)}`);
  return undefined;
}

/** A resolution that fits, rounded; needs grow with the second to third power of its inverse. */
function findFitting(method: AnyMethod, scene: Scene, frames: number, machine: Machine): Metres | undefined {
  const smallest = Math.min(...scene.domain.max.map((x, a) => x - scene.domain.min[a]));
  let resolution = scene.resolution;
  for (let n = 0; n < TRIES; n++) {
    const budget = estimateRun(method, { ...scene, resolution }, frames, machine);
    // A scene that would have no cells to speak of is no remedy.
    if (!(resolution <= smallest / 2)) return undefined;
    if (findExcess(budget, machine) === undefined) return Number(resolution.toPrecision(3));
    const over = Math.max(
      budget.heapBytes / LIMITS.heapBytes,
      budget.memoryBytes / (LIMITS.memoryShare * machine.memoryBytes),
      (budget.plainBytes ?? 0) / machine.plainBytes,
    );
    if (!Number.isFinite(over)) return undefined;
    resolution *= 1.1 * Math.max(1, over) ** 0.4;
  }
  return undefined;
}

/** Refuses more steps than a run may plan. */
export function refuseSteps({ steps, frames, timeStep }: Budget, scene: Scene): void {
  if (steps > LIMITS.stepsPerFrame * frames)
    throw new InputError(
      `fps ${scene.fps}`,
      `a frame would take ${showCount(steps / frames)} steps of about ${timeStep.toPrecision(2)} s, more than ${showCount(LIMITS.stepsPerFrame)}`,
      `ask for ${((scene.fps * steps) / frames / LIMITS.stepsPerFrame).toPrecision(2)} frames per second or more, or make the resolution or the time step coarser`,
    );
  if (steps <= LIMITS.steps) return;
  const duration = frames / scene.fps;
  const isByFrames = !(timeStep < 1 / scene.fps);
  throw new InputError(
    `duration ${Number(duration.toPrecision(4))} s`,
    `the run would take ${showCount(steps)} steps ${isByFrames ? `at ${scene.fps} frames per second` : `of about ${timeStep.toPrecision(2)} s`}, more than ${showCount(LIMITS.steps)}`,
    isByFrames
      ? 'shorten the duration, or ask for fewer frames per second'
      : `shorten it to ${((duration * LIMITS.steps) / steps).toPrecision(2)} s, or make the resolution or the time step coarser`,
  );
}

/** Whether `check` may build the start to look at it: the same on every machine. */
export const isQuicklyBuilt = ({ memoryBytes, startSeconds = 0 }: Budget): boolean =>
  startSeconds <= LIMITS.checkSeconds && memoryBytes <= LIMITS.checkBytes;
