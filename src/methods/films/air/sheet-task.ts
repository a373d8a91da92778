/** Loops over the vertices or the faces of a sheet, on all threads. */

import type { TaskColumns } from '../../../core/threads/slots.ts';
import { defineTask, type TaskValues, type Threads } from '../../../core/threads/task.ts';
import { sheetRecord } from '../circulation/sheet.ts';

const GRAIN = 256;

/** What a loop is given: the sheet and its own columns. */
type SheetValues<C extends TaskColumns> = TaskValues<C> & TaskValues<{ readonly sheet: typeof sheetRecord }>;

/** The call that runs a loop with the columns given, beside `sheet`; it is a task of that name. */
export function defineSheetTask<const C extends TaskColumns>(
  name: string,
  per: 'faceCount' | 'vertexCount',
  columns: C,
  body: (begin: number, end: number, values: SheetValues<C>) => void,
): (threads: Threads, values: SheetValues<C>) => void {
  const task = defineTask(name, { sheet: sheetRecord, ...columns }, body as () => void);
  return (threads, values) => threads.run(task, values.sheet[per], GRAIN, values as never);
}
