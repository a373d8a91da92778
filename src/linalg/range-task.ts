/** Kernels over ranges of rows: a task runs its kernel over range after range. */
import type { Kernel } from '../core/kernels.ts';
import type { Columns, Values } from '../core/records.ts';
import { defineTask, type Task } from '../core/threads/task.ts';

/** Range n is [rangeStart[n], rangeStart[n + 1]). What the kernel returns is added up. */
export function defineRangeTask<C extends Columns>(
  name: string,
  kernel: Kernel<C>,
): Task<[Values<C> & { readonly rangeStart: Int32Array }]> {
  const body = (begin: number, end: number, values: Values<C> & { readonly rangeStart: Int32Array }) => {
    const { rangeStart } = values;
    let sum = 0;
    for (let n = begin; n < end; n++) sum += kernel(rangeStart[n], rangeStart[n + 1], values) ?? 0;
    return sum;
  };
  return defineTask(name, { rangeStart: 'i32', ...kernel.columns }, body as never) as never;
}
