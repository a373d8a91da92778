/**
 * Threads in a page. Create them inside a Worker: a page's own thread may not block, and forking waits for
 * its join. Without cross-origin isolation there is no shared memory: one thread, with a reason a person can
 * read.
 */
import { RunError } from '../errors.ts';
import type { Heap } from '../heap.ts';
import { createControl } from './control.ts';
import type { WorkerStart } from './serve.ts';
import { createSingleThread } from './single.ts';
import type { Threads } from './task.ts';
import { createTeam } from './team.ts';

export interface BrowserThreadsOptions {
  readonly heap: Heap;
  /** Threads in all, the caller included; default: the number of cores. */
  readonly count?: number;
  /**
   * Starts a module worker from src/worker.ts. The caller writes it, because bundlers find workers by the
   * literal `new Worker(new URL('.../worker.ts', import.meta.url), { type: 'module' })`.
   */
  createWorker(): Worker;
}

export async function createThreads({ heap, count, createWorker }: BrowserThreadsOptions): Promise<Threads> {
  const wanted = count ?? globalThis.navigator?.hardwareConcurrency ?? 1;
  if (!Number.isInteger(wanted) || wanted < 1)
    throw new RunError('threads', `count ${wanted}`, 'ask for a whole number of threads, 1 or more');
  if (wanted === 1) return createSingleThread();
  if (!heap.shared)
    return createSingleThread(
      'this page is not cross-origin isolated, so memory cannot be shared and one thread does all the work; ' +
        'serve it with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp',
    );
  if (typeof Window !== 'undefined' && globalThis instanceof Window)
    return createSingleThread('the page itself may not wait for threads; run the simulation in a Worker');

  const control = createControl();
  const start: WorkerStart = { memory: heap.memory, control: control.buffer };
  const workers = Array.from({ length: wanted - 1 }, createWorker);
  await Promise.all(workers.map((worker) => startWorker(worker, start)));
  return createTeam(heap, workers.length, control, async () => {
    for (const worker of workers) worker.terminate();
  });
}

function startWorker(worker: Worker, start: WorkerStart): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve();
    worker.onerror = (event) =>
      reject(new RunError('threads', `a worker did not start: ${event.message}`, 'reload the page'));
    worker.postMessage(start);
  });
}
