/**
 * Parallel work as named tasks over index ranges. A task is a plain function of (begin, end, ...args) whose
 * arguments are numbers and views on the shared heap; it writes only to what its range owns. Tasks register at
 * import, in the main program and in every worker alike (src/worker.ts imports all task modules), so that a
 * name is enough to call one. Chunking depends on count and grain alone, so any number of threads gives the same bytes.
 */
export type TaskArg = number | Float64Array | Float32Array | Int32Array | Uint8Array;

export interface Task<A extends TaskArg[] = TaskArg[]> {
  readonly name: string;
  /** Returns a partial result for reductions, or nothing. */
  // biome-ignore lint/suspicious/noConfusingVoidType: bodies that return nothing are the common case
  readonly body: (begin: number, end: number, ...args: A) => number | undefined | void;
}

export interface Threads {
  readonly count: number;
  /** For a person: why there is one thread where more were asked for. Absent otherwise. */
  readonly reason?: string;
  /** Heap bytes the threads hold for themselves: not part of the run's own figures, which must not depend on them. */
  readonly heapBytes?: number;
  /** Runs body over [0, count) in chunks of `grain`, on all threads; returns when all is done. */
  run<A extends TaskArg[]>(task: Task<A>, count: number, grain: number, ...args: A): void;
  /** Sum of the chunk results, added in chunk order. */
  sum<A extends TaskArg[]>(task: Task<A>, count: number, grain: number, ...args: A): number;
  /** Largest chunk result. */
  max<A extends TaskArg[]>(task: Task<A>, count: number, grain: number, ...args: A): number;
  close(): Promise<void>;
}

const registry = new Map<string, Task>();

export function defineTask<A extends TaskArg[]>(name: string, body: Task<A>['body']): Task<A> {
  if (registry.has(name)) throw new Error(`task ${name}: defined twice; give it another name`);
  const task: Task<A> = { name, body };
  registry.set(name, task as unknown as Task);
  return task;
}

/** Task names in a fixed order: the numbering by which threads refer to them. */
export function listTasks(): Task[] {
  return [...registry.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
