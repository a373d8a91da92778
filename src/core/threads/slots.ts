/**
 * Where a named task's body finds its values: one object for all calls, made when the task is defined, with its columns in the order declared. A call's values are
 * put into it one by one. So the body sees one shape whatever objects callers pass; given those themselves, its compiled code would be thrown
 * away each time one of another make comes along (a mesh made here, a mesh read there). Cost: some 20 ns a column and call, not chunk.
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

/** A number that is not whole, so that the property can hold any from the start; views of length 0. */
const PLACEHOLDERS = {
  number: () => 0.5,
  f64: () => new Float64Array(0),
  f32: () => new Float32Array(0),
  i32: () => new Int32Array(0),
  u8: () => new Uint8Array(0),
} as const;

export function createSlots(columns: TaskColumns): Slots {
  const list: Slot[] = [];
  const add = (owner: Named, name: string, column: ColumnType | Column, group?: string) => {
    owner[name] = PLACEHOLDERS[typeof column === 'string' ? column : column.type]();
    list.push({ name, group, owner });
  };
  const values: Named = {};
  for (const [name, column] of Object.entries(columns)) {
    if (typeof column === 'string' || !('columns' in column)) add(values, name, column);
    else {
      const group: Named = {};
      values[name] = group;
      for (const [own, inner] of Object.entries(column.columns)) add(group, own, inner, name);
    }
  }
  return { list, values };
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
