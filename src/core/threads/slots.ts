/**
 * Where a named task's body finds its values: one object for all calls, made when the task is defined, with
 * its columns in the order declared. A call's values are put into it one by one. So the body sees one shape
 * whatever objects callers pass; given those themselves, its compiled code would be thrown away each time one
 * of another make comes along (a mesh made here, a mesh read there). Cost: some 20 ns a column and call, not
 * chunk.
 */
import type { Column, ColumnType, RecordType } from '../records.ts';
import type { TaskArg } from './task.ts';

/** Columns, and groups of columns under one name. */
export type TaskColumns = Readonly<Record<string, ColumnType | Column | RecordType>>;

type Named = Record<string, unknown>;

/** The place of one column. */
export interface Slot {
  readonly name: string;
  /** Name of the group it is in, if any. */
  readonly group: string | undefined;
  /** The object it is a property of. */
  readonly owner: Named;
}

export interface Slots {
  readonly list: readonly Slot[];
  /** What the body is given. */
  readonly values: object;
}

/**
 * An object with these properties, made at once: one that grew by names the engine does not know beforehand
 * would become a hash table beyond a dozen of them. Numbers begin as one that is not whole, so that their
 * properties can hold any from the start.
 */
const createObject = (columns: TaskColumns): Named =>
  Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, type === 'number' ? 0.5 : null]));

export function createSlots(columns: TaskColumns): Slots {
  const list: Slot[] = [];
  const owner = createObject(columns);
  for (const [name, column] of Object.entries(columns)) {
    if (typeof column === 'string' || !('columns' in column)) {
      list.push({ name, group: undefined, owner });
      continue;
    }
    const inner = createObject(column.columns);
    owner[name] = inner;
    for (const own of Object.keys(column.columns)) list.push({ name: own, group: name, owner: inner });
  }
  return { list, values: owner };
}

/** Takes the values of a call. */
export function fillSlots({ list }: Slots, given: object): void {
  for (let i = 0; i < list.length; i++) {
    const { name, group, owner } = list[i];
    owner[name] = (group === undefined ? (given as Named) : ((given as Named)[group] as Named))[name];
  }
}

/** Takes values in the order of the columns. */
export function fillInOrder({ list }: Slots, given: readonly TaskArg[]): void {
  for (let i = 0; i < list.length; i++) list[i].owner[list[i].name] = given[i];
}
