import { createHeap } from '../core/heap.ts';
import { createThreads } from '../core/threads/node.ts';
import type { Resources } from '../methods/method.ts';

/** Heap and threads for one run in Node. Close them with `resources.threads.close()`. */
export async function createResources(threads?: number): Promise<Resources> {
  const heap = createHeap();
  return {
    heap,
    threads: await createThreads({ heap, ...(threads === undefined ? {} : { count: threads }) }),
  };
}
