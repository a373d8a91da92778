/** A heap with one thread and with two, for tests that hold the two to the same bits. */
import { afterAll } from 'vitest';
import { createHeap, type Heap } from '../src/core/heap.ts';
import { createThreads } from '../src/core/threads/node.ts';
import { createSingleThread } from '../src/core/threads/single.ts';
import type { Threads } from '../src/core/threads/task.ts';

/** Closed after the last test of the file that asks. */
export async function openThreads(): Promise<{ heap: Heap; one: Threads; two: Threads }> {
  const heap = createHeap();
  const two = await createThreads({ heap, count: 2 });
  afterAll(() => two.close());
  return { heap, one: createSingleThread(), two };
}
