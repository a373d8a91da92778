/**
 * Parallel work as named tasks over index ranges. A task is a loop over [begin, end) and the values of its
 * columns: numbers and views on the shared heap, by name (core/records.ts), some of them in groups: `{ flow:
 * flowRecord, dt: 'number' }`. It writes only to what its range owns. Tasks register at import, in the main
 * program and in every worker alike (src/worker.ts imports all task modules), so that a name is enough to
 * call one. Chunking depends on count and grain alone, so any number of threads gives the same bytes.
 *
 * A task may also be a plain function of (begin, end, ...args) with at most six arguments in a fixed order.
 */
import type { Kernel, Result } from '../kernels.ts';
import type { Column, Columns, ColumnType, RecordType, Values } from '../records.ts';
import { createSlots, fillSlots, type Slots, type TaskColumns } from './slots.ts';

export type TaskArg = number | Float64Array | Float32Array | Int32Array | Uint8Array;

export type TaskValues<C extends TaskColumns> = {
  readonly [K in keyof C]: C[K] extends RecordType<infer G>
    ? Values<G>
    : C[K] extends ColumnType | Column
      ? Values<Record<K, C[K]>>[K]
      : never;
};

/** `A`: what a call passes on, the one object of values or the arguments in order. */
export interface Task<A extends unknown[] = unknown[]> {
  readonly name: string;
  /** Where the body finds its values; absent where arguments go by their order. */
  readonly slots?: Slots;
  /** Returns a partial result for reductions, or nothing. */
  // biome-ignore lint/suspicious/noConfusingVoidType: bodies that return nothing are the common case
  readonly body: (begin: number, end: number, ...args: A) => number | undefined | void;
}

export interface Threads {
  readonly count: number;
  /** For a person: why there is one thread where more were asked for. Absent otherwise. */
  readonly reason?: string;
  /**
   * Heap bytes the threads hold for themselves: not part of the run's own figures, which must not depend on
   * them.
   */
  readonly heapBytes?: number;
  /** Runs body over [0, count) in chunks of `grain`, on all threads; returns when all is done. */
  run<A extends unknown[]>(task: Task<A>, count: number, grain: number, ...args: A): void;
  /** Sum of the chunk results, added in chunk order. */
  sum<A extends unknown[]>(task: Task<A>, count: number, grain: number, ...args: A): number;
  /** Largest chunk result. */
  max<A extends unknown[]>(task: Task<A>, count: number, grain: number, ...args: A): number;
  close(): Promise<void>;
}

const registry = new Map<string, Task>();
/** Of a task without names: begin, end and six more. */
const MOST_PARAMETERS = 8;

/** A kernel on all threads. */
export function defineTask<C extends Columns>(name: string, kernel: Kernel<C>): Task<[Values<C>]>;
/** A loop with named columns. */
export function defineTask<const C extends TaskColumns>(
  name: string,
  columns: C,
  body: (begin: number, end: number, values: TaskValues<C>) => Result,
): Task<[TaskValues<C>]>;
export function defineTask<A extends TaskArg[]>(name: string, body: Task<A>['body']): Task<A>;
export function defineTask(name: string, first: unknown, last?: unknown): Task<never> {
  if (registry.has(name)) throw new Error(`task ${name}: defined twice; give it another name`);
  const columns = last ? (first as TaskColumns) : (first as Partial<Kernel<Columns>>).columns;
  const body = (last ?? first) as Task['body'];
  if (!columns && body.length > MOST_PARAMETERS)
    throw new Error(`task ${name}: ${body.length} parameters; give its arguments names`);
  const task: Task = { name, ...(columns && { slots: createSlots(columns) }), body };
  registry.set(name, task);
  return task as unknown as Task<never>;
}

/** What the body of a task is given for a call's arguments. */
export function settleArguments({ slots }: Task, args: unknown[]): unknown[] {
  if (!slots) return args;
  fillSlots(slots, args[0] as object);
  return [slots.values];
}

/** Task names in a fixed order: the numbering by which threads refer to them. */
export function listTasks(): Task[] {
  return [...registry.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
