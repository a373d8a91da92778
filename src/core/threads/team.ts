/**
 * The main thread's side of a team of workers: leaves jobs in the control block (control.ts), takes part in
 * them, and gathers results in chunk order. A job of one chunk runs on the caller. Browser-safe; node.ts and
 * browser.ts start the workers.
 */
import { RunError } from '../errors.ts';
import type { Heap, HeapScope } from '../heap.ts';
import {
  ACTIVE,
  ARGUMENTS,
  CHUNKS,
  COUNT,
  type Control,
  DISMISSED,
  encodeArgument,
  GRAIN,
  MAIN_WAITS,
  MAXIMUM_ARGUMENTS,
  NEXT_CHUNK,
  PARKED,
  publishTask,
  pullChunks,
  REDUCES,
  STATE,
  TASK,
  takeFailure,
} from './control.ts';
import { checkRange, maxChunks, runChunks, sumChunks } from './single.ts';
import { settleArguments, type Task, type TaskArg, type Threads } from './task.ts';

/** A task over [0, count), cut into chunks. */
interface Job {
  readonly task: Task;
  readonly count: number;
  readonly grain: number;
  readonly chunks: number;
  readonly args: unknown[];
  /** Whether each chunk leaves its result. */
  readonly reduces: boolean;
}

/** Looks this often for the last worker to leave before going to sleep: about 50 us. */
const SPINS = 20_000;

/** `stopped` resolves when the workers have gone; it is awaited by close(). */
export function createTeam(
  heap: Heap,
  workers: number,
  control: Control,
  stopped: () => Promise<void>,
): Threads {
  const { words, values } = control;
  const taskToId = new Map<Task, number>();
  let scope: HeapScope | undefined;
  let partials = new Float64Array(0);
  let running = '';
  let closed = false;

  function reservePartials(chunks: number): void {
    if (partials.length >= chunks) return;
    scope?.free();
    scope = heap.scope('threads');
    partials = scope.f64(Math.max(1024, 2 * chunks)) as Float64Array<ArrayBuffer>;
  }

  function writeJob({ task, count, grain, chunks, args }: Job): void {
    const list = task.slots?.list;
    const length = list ? list.length : args.length;
    if (length > MAXIMUM_ARGUMENTS)
      throw new RunError(`task ${task.name}`, `${length} arguments`, `pass at most ${MAXIMUM_ARGUMENTS}`);
    for (let i = 0; i < length; i++) {
      const arg = (list ? list[i].owner[list[i].name] : args[i]) as TaskArg;
      if (typeof arg !== 'number' && !heap.owns(arg))
        throw new RunError(
          `task ${task.name}`,
          `argument ${list ? list[i].name : i} (${arg.constructor.name} of ${arg.length}) is not on the heap, so workers cannot see it`,
          'allocate it from a heap scope',
        );
      encodeArgument(values, i, arg);
    }
    let id = taskToId.get(task);
    if (id === undefined) {
      id = publishTask(control, task.name);
      taskToId.set(task, id);
    }
    words[TASK] = id;
    words[COUNT] = count;
    words[GRAIN] = grain;
    words[CHUNKS] = chunks;
    words[ARGUMENTS] = length;
    words[NEXT_CHUNK] = 0;
  }

  function openDoor(): void {
    Atomics.add(words, STATE, 1);
    if (Atomics.load(words, PARKED) > 0) Atomics.notify(words, STATE);
  }

  function closeDoorAndWait(): void {
    Atomics.add(words, STATE, 1);
    for (let spin = 0; spin < SPINS; spin++) if (Atomics.load(words, ACTIVE) === 0) return;
    Atomics.store(words, MAIN_WAITS, 1);
    for (let active = Atomics.load(words, ACTIVE); active !== 0; active = Atomics.load(words, ACTIVE))
      Atomics.wait(words, ACTIVE, active, 100);
    Atomics.store(words, MAIN_WAITS, 0);
  }

  /** Runs a job on everyone; afterwards partials[0..chunks) hold the results if it reduces. */
  function dispatch({ task, count, grain, chunks, args, reduces }: Job): void {
    if (closed) throw new RunError(`task ${task.name}`, 'the threads are closed', 'create new ones');
    if (running)
      throw new RunError(
        `task ${task.name}`,
        `started inside task ${running}`,
        'start tasks from outside of tasks only',
      );
    if (reduces) reservePartials(chunks);
    const settled = { task, count, grain, chunks, args: settleArguments(task, args), reduces };
    writeJob(settled);
    words[REDUCES] = reduces ? 1 : 0;
    values[0] = reduces ? partials.byteOffset : 0;
    running = task.name;
    let ownError: unknown;
    openDoor();
    try {
      pullChunks(words, task.body, settled.args, settled, reduces ? partials : null);
    } catch (error) {
      ownError = error;
      Atomics.store(words, NEXT_CHUNK, chunks); // no use in starting further chunks
    }
    closeDoorAndWait();
    running = '';
    const failure = takeFailure(control) ?? ownError;
    if (failure !== undefined) throw failure;
  }

  /** The chunks' results, in order. */
  function reduce(task: Task, count: number, grain: number, args: unknown[]): Float64Array {
    checkRange(task, count, grain);
    const chunks = Math.ceil(count / grain);
    dispatch({ task, count, grain, chunks, args, reduces: true });
    return partials.subarray(0, chunks);
  }

  const isSmall = (count: number, grain: number) => count <= grain;

  return {
    count: workers + 1,
    get heapBytes() {
      return scope?.bytes ?? 0;
    },
    run(typedTask, count, grain, ...args) {
      const task = typedTask as unknown as Task;
      if (isSmall(count, grain)) return runChunks(task, count, grain, args);
      checkRange(task, count, grain);
      dispatch({ task, count, grain, chunks: Math.ceil(count / grain), args, reduces: false });
    },
    sum(typedTask, count, grain, ...args) {
      const task = typedTask as unknown as Task;
      if (isSmall(count, grain)) return sumChunks(task, count, grain, args);
      return reduce(task, count, grain, args).reduce((sum, x) => sum + x, 0);
    },
    max(typedTask, count, grain, ...args) {
      const task = typedTask as unknown as Task;
      if (isSmall(count, grain)) return maxChunks(task, count, grain, args);
      return reduce(task, count, grain, args).reduce(
        (most, x) => Math.max(most, x),
        Number.NEGATIVE_INFINITY,
      );
    },
    async close() {
      if (closed) return;
      closed = true;
      Atomics.store(words, DISMISSED, 1);
      Atomics.add(words, STATE, 2);
      Atomics.notify(words, STATE);
      scope?.free();
      await stopped();
    },
  };
}
