/**
 * A worker's life: wait for a job, pull chunks until none are left, wait again. Started by src/worker.ts in
 * each worker.
 */
import { registerBuffer } from '../heap.ts';
import {
  ACTIVE,
  ARGUMENTS,
  CHUNKS,
  COUNT,
  type Control,
  createControl,
  DISMISSED,
  decodeArgument,
  findArgumentEnd,
  GRAIN,
  MAIN_WAITS,
  NEXT_CHUNK,
  PARKED,
  pullChunks,
  REDUCES,
  readTaskName,
  reportFailure,
  STATE,
  TASK,
} from './control.ts';
import { fillInOrder } from './slots.ts';
import { listTasks, type Task, type TaskArg } from './task.ts';

/** What a worker is started with. */
export interface WorkerStart {
  readonly memory: WebAssembly.Memory;
  readonly control: SharedArrayBuffer;
}

/**
 * Looks at the state word this often before going to sleep: about 50 us, longer than the gap between two
 * vector operations.
 */
const SPINS = 20_000;

export function serve({ memory, control: buffer }: WorkerStart): void {
  const control = createControl(buffer);
  const { words } = control;
  const runJob = createJobRunner(memory, control);
  let seen = 0;
  for (;;) {
    seen = waitForChange(words, seen);
    if (Atomics.load(words, DISMISSED) === 1) return;
    if ((seen & 1) === 0) continue;
    Atomics.add(words, ACTIVE, 1);
    // Only a state that is open now, after entering, guarantees that the job stays as it is until we leave.
    seen = Atomics.load(words, STATE);
    if ((seen & 1) === 1) {
      try {
        runJob();
      } catch (error) {
        reportFailure(control, error);
        Atomics.store(words, NEXT_CHUNK, words[CHUNKS]); // no use in starting further chunks
      }
    }
    if (Atomics.sub(words, ACTIVE, 1) === 1 && Atomics.load(words, MAIN_WAITS) === 1)
      Atomics.notify(words, ACTIVE);
  }
}

function waitForChange(words: Int32Array, seen: number): number {
  for (let spin = 0; spin < SPINS; spin++) {
    const state = Atomics.load(words, STATE);
    if (state !== seen) return state;
  }
  for (;;) {
    Atomics.add(words, PARKED, 1);
    Atomics.wait(words, STATE, seen);
    Atomics.sub(words, PARKED, 1);
    const state = Atomics.load(words, STATE);
    if (state !== seen) return state;
  }
}

/** Decoded arguments are kept per task: a solver's loop passes the same views again and again. */
interface Known {
  readonly task: Task;
  encoded: Float64Array;
  args: unknown[];
}

function createJobRunner(memory: WebAssembly.Memory, control: Control): () => void {
  const { words, values } = control;
  const known: Known[] = [];

  function findTask(id: number): Known {
    const name = readTaskName(control, id);
    const task = listTasks().find((candidate) => candidate.name === name);
    if (!task) throw new Error(`task ${name}: unknown in the workers; import its module in src/worker.ts`);
    known[id] = { task, encoded: new Float64Array(0), args: [] };
    return known[id];
  }

  /** Another thread may have made the memory longer; growing by nothing makes this one see it. */
  function refreshBuffer(argumentCount: number): void {
    let end = 0;
    for (let i = 0; i < argumentCount; i++) end = Math.max(end, findArgumentEnd(values, i));
    if (end > memory.buffer.byteLength) memory.grow(0);
  }

  function decode(entry: Known, argumentCount: number): unknown[] {
    const length = 3 * argumentCount;
    let same = entry.encoded.length === length;
    for (let i = 0; same && i < length; i++) same = Object.is(entry.encoded[i], values[1 + i]);
    if (same) return entry.args;
    refreshBuffer(argumentCount);
    const buffer = registerBuffer(memory); // kernels go by the buffer
    const { slots } = entry.task;
    const args: TaskArg[] = [];
    for (let i = 0; i < argumentCount; i++) args.push(decodeArgument(values, i, buffer));
    if (slots) fillInOrder(slots, args);
    entry.args = slots ? [slots.values] : args;
    entry.encoded = values.slice(1, 1 + length);
    return entry.args;
  }

  let partialsView = new Float64Array(0);
  function findPartials(chunks: number): Float64Array {
    const offset = values[0];
    if (partialsView.byteOffset === offset && partialsView.length >= chunks) return partialsView;
    if (offset + 8 * chunks > memory.buffer.byteLength) memory.grow(0);
    partialsView = new Float64Array(memory.buffer, offset, chunks) as Float64Array<ArrayBuffer>;
    return partialsView;
  }

  return function runJob(): void {
    const entry = known[words[TASK]] ?? findTask(words[TASK]);
    const { body } = entry.task;
    const args = decode(entry, words[ARGUMENTS]);
    const size = { count: words[COUNT], grain: words[GRAIN], chunks: words[CHUNKS] };
    pullChunks(words, body, args, size, words[REDUCES] === 1 ? findPartials(size.chunks) : null);
  };
}
