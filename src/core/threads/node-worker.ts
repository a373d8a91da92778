/** First file of a worker thread in Node: loads the module that knows the tasks, says so, and serves. */
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerStart } from './serve.ts';

const { entry, ...start } = workerData as WorkerStart & { entry: string };
const { serve } = (await import(entry)) as { serve(start: WorkerStart): void };
parentPort!.postMessage('ready');
serve(start);
