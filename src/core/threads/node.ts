/**
 * Threads in Node: worker_threads that load the built src/worker.ts. Workers never keep the process alive.
 * Node 20 cannot run a .ts file as a worker, so under vitest (this file loaded from src/) they come from
 * dist/.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { RunError } from '../errors.ts';
import type { Heap } from '../heap.ts';
import { LIMITS, refuseBeyond } from '../limits.ts';
import { createControl } from './control.ts';
import { createSingleThread } from './single.ts';
import type { Threads } from './task.ts';
import { createTeam } from './team.ts';

export interface NodeThreadsOptions {
  readonly heap: Heap;
  /** Threads in all, the caller included; default: the number of cores. */
  readonly count?: number;
  /** Module that registers the tasks and exports `serve`; default: the built src/worker.ts. */
  readonly entry?: URL;
}

const isSource = import.meta.url.endsWith('.ts');
const builtFile = (path: string) =>
  new URL(isSource ? `../../../dist/src/${path}` : `../../${path}`, import.meta.url);

export async function createThreads({ heap, count, entry }: NodeThreadsOptions): Promise<Threads> {
  const wanted = count ?? Math.min(availableParallelism(), LIMITS.threads);
  if (!Number.isInteger(wanted) || wanted < 1)
    throw new RunError('threads', `count ${wanted}`, 'ask for a whole number of threads, 1 or more');
  refuseBeyond(
    LIMITS.threads,
    wanted,
    'threads',
    (n, most) => `${n} are more than ${most}, and this machine has ${availableParallelism()} cores`,
    'ask for one per core, or leave it to the program',
  );
  if (wanted === 1) return createSingleThread();
  if (!heap.shared)
    return createSingleThread('the heap is not shared memory, so one thread does all the work');

  const workerModule = entry ?? builtFile('worker.js');
  const bootstrap = builtFile('core/threads/node-worker.js');
  for (const url of [workerModule, bootstrap])
    if (!existsSync(url))
      throw new RunError('threads', `${fileURLToPath(url)} is missing`, 'run: npm run build');

  const control = createControl();
  const start = { memory: heap.memory, control: control.buffer, entry: workerModule.href };
  const workers = Array.from(
    { length: wanted - 1 },
    () => new Worker(bootstrap, { workerData: start, execArgv: [] }),
  );
  await Promise.all(workers.map(waitUntilReady));
  const exits = workers.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())));
  return createTeam(heap, workers.length, control, async () => {
    for (const worker of workers) worker.ref(); // close() waits for them
    await Promise.all(exits);
  });
}

function waitUntilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('message', () => {
      worker.removeAllListeners('error');
      worker.unref();
      resolve();
    });
    worker.once('error', (cause) => {
      reject(
        new RunError('threads', `a worker did not start: ${cause.message}`, 'run: npm run build', { cause }),
      );
    });
  });
}
