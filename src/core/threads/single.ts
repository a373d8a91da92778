/** One thread: the same chunks in the same order as many would take, on the caller. */
import { RunError } from '../errors.ts';
import { settleArguments, type Task, type Threads } from './task.ts';

/** `reason` says, for a person, why there is only one; leave it out where one was asked for. */
export function createSingleThread(reason?: string): Threads {
  return {
    count: 1,
    ...(reason === undefined ? {} : { reason }),
    run: (task, count, grain, ...args) => {
      runChunks(task as unknown as Task, count, grain, args);
    },
    sum: (task, count, grain, ...args) => sumChunks(task as unknown as Task, count, grain, args),
    max: (task, count, grain, ...args) => maxChunks(task as unknown as Task, count, grain, args),
    close: async () => {},
  };
}

export function checkRange(task: Task, count: number, grain: number): void {
  if (!(Number.isInteger(count) && count >= 0 && Number.isInteger(grain) && grain > 0))
    throw new RunError(
      `task ${task.name}`,
      `range of ${count} in chunks of ${grain}`,
      'pass a whole count >= 0 and a whole grain > 0',
    );
}

export function runChunks(task: Task, count: number, grain: number, args: unknown[]): void {
  checkRange(task, count, grain);
  const own = settleArguments(task, args);
  for (let begin = 0; begin < count; begin += grain) task.body(begin, Math.min(begin + grain, count), ...own);
}

export function sumChunks(task: Task, count: number, grain: number, args: unknown[]): number {
  checkRange(task, count, grain);
  const own = settleArguments(task, args);
  let sum = 0;
  for (let begin = 0; begin < count; begin += grain)
    sum += task.body(begin, Math.min(begin + grain, count), ...own) as number;
  return sum;
}

export function maxChunks(task: Task, count: number, grain: number, args: unknown[]): number {
  checkRange(task, count, grain);
  const own = settleArguments(task, args);
  let largest = Number.NEGATIVE_INFINITY;
  for (let begin = 0; begin < count; begin += grain)
    largest = Math.max(largest, task.body(begin, Math.min(begin + grain, count), ...own) as number);
  return largest;
}
