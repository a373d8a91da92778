/**
 * The block of shared memory through which the main thread and its workers agree: the state word everyone
 * waits on, the job, its arguments, the names of tasks, and the first error.
 *
 * Protocol. The main thread writes the job while STATE is even (closed), makes STATE odd (open), takes part,
 * makes it even again and waits until nobody is inside. A worker enters by ACTIVE += 1, reads STATE, and
 * touches the job only if it is odd; it leaves by ACTIVE -= 1. A worker that wakes too late finds the door
 * shut, so the main thread never waits for a sleeper. Words that different threads write stand on cache lines
 * of their own.
 */
import { InputError, MeniscusError, RunError } from '../errors.ts';
import type { Task, TaskArg } from './task.ts';

export const STATE = 0;
export const ACTIVE = 16;
export const NEXT_CHUNK = 32;
export const PARKED = 48;
export const MAIN_WAITS = 64;
export const FAILED = 80;
export const FAILED_LENGTH = 81;
export const TASK = 96;
export const COUNT = 97;
export const GRAIN = 98;
export const CHUNKS = 99;
export const ARGUMENTS = 100;
/** 1 when each chunk leaves its result in the partials array. */
export const REDUCES = 101;
export const NAMES = 102;
/** 1 when the team is dismissed: workers leave their loop. */
export const DISMISSED = 103;
const HEADER_WORDS = 128;

export const MAXIMUM_ARGUMENTS = 64;
/**
 * Slot 0 of `values` is the byte offset of the partials; then (kind, number or byte offset, length) per
 * argument.
 */
const VALUES = 1 + 3 * MAXIMUM_ARGUMENTS;
/** Tasks there may be, and bytes of a name and of an error. */
const SPACE = { tasks: 512, name: 96, failure: 8192 };

export interface Control {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly values: Float64Array;
  readonly names: Uint8Array;
  readonly failure: Uint8Array;
}

const VALUES_AT = HEADER_WORDS * 4;
const NAMES_AT = VALUES_AT + VALUES * 8;
const FAILURE_AT = NAMES_AT + SPACE.tasks * SPACE.name;
const CONTROL_BYTES = FAILURE_AT + SPACE.failure;

export function createControl(buffer = new SharedArrayBuffer(CONTROL_BYTES)): Control {
  return {
    buffer,
    words: new Int32Array(buffer, 0, HEADER_WORDS),
    values: new Float64Array(buffer, VALUES_AT, VALUES),
    names: new Uint8Array(buffer, NAMES_AT, SPACE.tasks * SPACE.name),
    failure: new Uint8Array(buffer, FAILURE_AT, SPACE.failure),
  };
}

/**
 * Runs the chunks of a job over [0, count) that nobody has taken, until none is left; each leaves its result
 * in `partials`, where these are wanted.
 */
export function pullChunks(
  words: Int32Array,
  body: Task['body'],
  args: readonly unknown[],
  { count, grain, chunks }: { readonly count: number; readonly grain: number; readonly chunks: number },
  partials: Float64Array | null,
): void {
  for (;;) {
    const chunk = Atomics.add(words, NEXT_CHUNK, 1);
    if (chunk >= chunks) return;
    const begin = chunk * grain;
    const result = body(begin, Math.min(begin + grain, count), ...args);
    if (partials) partials[chunk] = result as number;
  }
}

const NUMBER = 0;
const F64 = 1;
const F32 = 2;
const I32 = 3;
const U8 = 4;
const ELEMENT_BYTES = [0, 8, 4, 4, 1];

/** Leaves one argument in the control block. Whether a view lies on the heap is the caller's to check. */
export function encodeArgument(values: Float64Array, index: number, arg: TaskArg): void {
  const at = 1 + 3 * index;
  if (typeof arg === 'number') {
    values[at] = NUMBER;
    values[at + 1] = arg;
    return;
  }
  if (arg instanceof Float64Array) values[at] = F64;
  else if (arg instanceof Int32Array) values[at] = I32;
  else if (arg instanceof Float32Array) values[at] = F32;
  else values[at] = U8;
  values[at + 1] = arg.byteOffset;
  values[at + 2] = arg.length;
}

/** First byte after a view argument; 0 for a number. */
export function findArgumentEnd(values: Float64Array, index: number): number {
  const at = 1 + 3 * index;
  return values[at] === NUMBER ? 0 : values[at + 1] + values[at + 2] * ELEMENT_BYTES[values[at]];
}

export function decodeArgument(values: Float64Array, index: number, buffer: ArrayBufferLike): TaskArg {
  const at = 1 + 3 * index;
  const offset = values[at + 1];
  const length = values[at + 2];
  switch (values[at]) {
    case F64:
      return new Float64Array(buffer, offset, length);
    case I32:
      return new Int32Array(buffer, offset, length);
    case F32:
      return new Float32Array(buffer, offset, length);
    case U8:
      return new Uint8Array(buffer, offset, length);
    default:
      return offset;
  }
}

/**
 * Gives a task its number; workers look the name up on first use, so both sides may know different sets of
 * tasks.
 */
export function publishTask(control: Control, name: string): number {
  const id = control.words[NAMES];
  if (id >= SPACE.tasks || name.length >= SPACE.name)
    throw new RunError(
      `task ${name}`,
      `task number ${id} with a name of ${name.length} characters`,
      `keep to ${SPACE.tasks} tasks with names below ${SPACE.name} characters`,
    );
  for (let i = 0; i < name.length; i++) control.names[id * SPACE.name + 1 + i] = name.charCodeAt(i);
  control.names[id * SPACE.name] = name.length;
  control.words[NAMES] = id + 1;
  return id;
}

export function readTaskName(control: Control, id: number): string {
  const at = id * SPACE.name;
  return String.fromCharCode(...control.names.subarray(at + 1, at + 1 + control.names[at]));
}

/** Leaves the first error of a job for the main thread. */
export function reportFailure(control: Control, error: unknown): void {
  if (Atomics.compareExchange(control.words, FAILED, 0, 1) !== 0) return;
  const record =
    error instanceof MeniscusError
      ? { name: error.name, where: error.where, what: error.what, remedy: error.remedy }
      : { name: 'Error', message: error instanceof Error ? error.message : String(error) };
  let text = new TextEncoder().encode(JSON.stringify(record));
  if (text.length > SPACE.failure) {
    const message = `${JSON.stringify(record).slice(0, SPACE.failure / 4)} ...`;
    text = new TextEncoder().encode(JSON.stringify({ name: 'Error', message }));
  }
  control.failure.set(text);
  control.words[FAILED_LENGTH] = text.length;
}

/** The error a worker left, rebuilt, or undefined. Call when the job is over. */
export function takeFailure(control: Control): Error | undefined {
  if (control.words[FAILED] === 0) return undefined;
  // slice: TextDecoder refuses shared memory
  const bytes = new Uint8Array(control.failure.slice(0, control.words[FAILED_LENGTH]));
  const record = JSON.parse(new TextDecoder().decode(bytes));
  Atomics.store(control.words, FAILED, 0);
  if (record.name === 'InputError') return new InputError(record.where, record.what, record.remedy);
  if (record.where !== undefined) return new RunError(record.where, record.what, record.remedy);
  return new Error(record.message);
}
