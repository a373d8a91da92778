import type { MeniscusError } from '../../src/core/errors.ts';
import type { findMemory } from '../../src/core/heap.ts';
import type { defineTask, Task } from '../../src/core/threads/task.ts';

export function defineTestTasks(
  define: typeof defineTask,
  ErrorClass: new (where: string, what: string, remedy: string) => MeniscusError,
  find: typeof findMemory,
): Record<string, Task>;
