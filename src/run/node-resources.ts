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

/** Passes on resources that are made at the first call, and closes them at the end if they were. */
export async function withResources<T>(
  threads: number | undefined,
  body: (resources: () => Promise<Resources>) => Promise<T>,
): Promise<T> {
  let made: Promise<Resources> | undefined;
  const get = () => {
    made ??= createResources(threads);
    return made;
  };
  try {
    return await body(get);
  } finally {
    if (made) await (await made).threads.close();
  }
}
