/**
 * Named columns: what kernels, tasks and states say of their numbers and arrays, once. A declaration lists
 * each column by name with its type and, where others read it, unit, rows and meaning. The TypeScript types
 * follow from it, and so do the arguments of tasks, views on the heap, what a checkpoint holds, and its table
 * in the documents. All go by the names, in the order declared.
 */
import { InputError } from './errors.ts';
import type { HeapScope } from './heap.ts';

interface ColumnTypes {
  number: number;
  f64: Float64Array;
  f32: Float32Array;
  i32: Int32Array;
  u8: Uint8Array;
}

export type ColumnType = keyof ColumnTypes;
export type View = ColumnTypes[Exclude<ColumnType, 'number'>];

/** A column with what a reader wants to know of it. */
export interface Column {
  readonly type: ColumnType;
  /**
   * What there is a row for: 'vertex', 'face'. Columns of the same are equally long. Absent for numbers and
   * for lists of a length of their own.
   */
  readonly per?: string;
  /** Numbers of a row; 1 if absent. */
  readonly stride?: number;
  readonly unit?: string;
  readonly meaning: string;
  /** May be left out. */
  readonly optional?: true;
}

export type Columns = Readonly<Record<string, ColumnType | Column>>;

type TypeOf<C> = C extends ColumnType
  ? C
  : C extends { readonly type: infer T extends ColumnType }
    ? T
    : never;
type IfOptional<C> = C extends { readonly optional: true } ? undefined : never;
/** One number or view of every column. */
export type Values<C extends Columns> = {
  readonly [K in keyof C]: ColumnTypes[TypeOf<C[K]>] | IfOptional<C[K]>;
};

/** Columns under one name: a state, or a group of a task's columns. */
export interface RecordType<C extends Columns = Columns> {
  readonly recordName: string;
  readonly columns: C;
}

export function defineRecord<const C extends Columns>(recordName: string, columns: C): RecordType<C> {
  return { recordName, columns };
}

/** The values of a record. */
export type ValuesOf<R extends RecordType> = Values<R['columns']>;

const findType = (column: ColumnType | Column): ColumnType =>
  typeof column === 'string' ? column : column.type;
const findStride = (column: ColumnType | Column): number =>
  typeof column === 'string' ? 1 : (column.stride ?? 1);

/** The type of each column, in the order declared. */
export const listTypes = (columns: Columns): [string, ColumnType][] =>
  Object.entries(columns).map(([name, column]) => [name, findType(column)]);

/**
 * The columns but those named: what a task is given for all calls of a kernel, which names the rest itself.
 */
export function omitColumns<C extends Columns, K extends keyof C & string>(
  columns: C,
  ...names: K[]
): Omit<C, K> {
  const kept = Object.entries(columns).filter(([name]) => !names.includes(name as K));
  return Object.fromEntries(kept) as Omit<C, K>;
}

type Counted<C extends Columns> = {
  [K in keyof C]: C[K] extends { readonly per: string } ? K : never;
}[keyof C];

/** Zero-filled views for the columns with rows, of which `counts` says how many there are. */
export function allocateViews<C extends Columns>(
  { recordName, columns }: RecordType<C>,
  scope: HeapScope,
  counts: Readonly<Record<string, number>>,
): Pick<Values<C>, Counted<C>> {
  const views: Record<string, View> = {};
  for (const [name, column] of Object.entries(columns)) {
    if (typeof column === 'string' || column.per === undefined || column.type === 'number') continue;
    const count = counts[column.per];
    if (count === undefined)
      throw new Error(`record ${recordName}: no count of "${column.per}" for its column ${name}`);
    views[name] = scope[column.type](count * findStride(column));
  }
  return views as unknown as Pick<Values<C>, Counted<C>>;
}

/** A record as a file keeps it: by name, numbers apart from arrays. */
export interface SavedRecord {
  readonly numbers: Readonly<Record<string, number>>;
  readonly arrays: Readonly<Record<string, View>>;
}

/** The values by name, in the order declared; views are not copied. */
export function saveRecord<C extends Columns>({ columns }: RecordType<C>, values: Values<C>): SavedRecord {
  const numbers: Record<string, number> = {};
  const arrays: Record<string, View> = {};
  for (const name of Object.keys(columns)) {
    const value = values[name] as number | View | undefined;
    if (typeof value === 'number') numbers[name] = value;
    else if (value !== undefined) arrays[name] = value;
  }
  return { numbers, arrays };
}

const arrayTypes = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u8: Uint8Array } as const;

/**
 * The values of a saved record, which is held to the declaration: every column there, of its type, and rows
 * of equal number where they count the same.
 */
export function readRecord<C extends Columns>(record: RecordType<C>, saved: SavedRecord): Values<C> {
  const rows = new Map<string, { readonly name: string; readonly count: number }>();
  const refuse = (what: string): never => {
    throw new InputError('checkpoint', what, 'it is of another version or damaged: run the scene anew');
  };
  const values: Record<string, number | View> = {};
  for (const [name, column] of Object.entries(record.columns)) {
    const type = findType(column);
    const value = type === 'number' ? saved.numbers[name] : saved.arrays[name];
    if (value === undefined) {
      if (typeof column !== 'string' && column.optional) continue;
      refuse(`no ${name} in it`);
    }
    values[name] = value;
    if (type === 'number') continue;
    if (!(value instanceof arrayTypes[type])) refuse(`${name} is a ${value.constructor.name}, not ${type}`);
    const { length } = value as View;
    const count = length / findStride(column);
    if (!Number.isInteger(count))
      refuse(`${length} numbers of ${name}, no multiple of ${findStride(column)}`);
    const per = typeof column === 'string' ? undefined : column.per;
    if (per === undefined) continue;
    const first = rows.get(per) ?? { name, count };
    rows.set(per, first);
    if (count !== first.count)
      refuse(`${count} rows of ${name} and ${first.count} of ${first.name}, one per ${per}`);
  }
  return values as unknown as Values<C>;
}

/** Views of a restored record on the heap: a copy of each array, numbers as they are. */
export function copyToHeap<C extends Columns>(
  { columns }: RecordType<C>,
  values: Values<C>,
  scope: HeapScope,
): Values<C> {
  const copies: Record<string, unknown> = {};
  for (const [name, type] of listTypes(columns)) {
    const value = values[name];
    if (type === 'number' || value === undefined) copies[name] = value;
    else {
      const view = scope[type]((value as View).length);
      view.set(value as View);
      copies[name] = view;
    }
  }
  return copies as Values<C>;
}

/** Columns of one record as part of another: each name begins with a prefix. */
export type Prefixed<P extends string, C> = {
  readonly [K in keyof C & string as `${P}${Capitalize<K>}`]: C[K];
};

const prefixName = (prefix: string, name: string): string => prefix + name[0].toUpperCase() + name.slice(1);

export function prefixNames<const P extends string, T extends object>(prefix: P, named: T): Prefixed<P, T> {
  const entries = Object.entries(named).map(([name, value]) => [prefixName(prefix, name), value]);
  return Object.fromEntries(entries) as Prefixed<P, T>;
}

/** The values of a record that lie among others under a prefix. */
export function pickPrefixed<C extends Columns>(
  prefix: string,
  { columns }: RecordType<C>,
  values: object,
): Values<C> {
  const all = values as Record<string, unknown>;
  const entries = Object.keys(columns).map((name) => [name, all[prefixName(prefix, name)]]);
  return Object.fromEntries(entries) as Values<C>;
}

/** The record as a table of a document: a line for each column. */
export function describeRecord({ columns }: RecordType): string {
  const rows = Object.entries(columns).map(([name, column]) => {
    const known: Partial<Column> = typeof column === 'string' ? {} : column;
    const { per = '', stride = 1, unit = '', meaning = '', optional } = known;
    const shape = [per, stride > 1 ? `x ${stride}` : ''].filter(Boolean).join(' ');
    return [`\`${name}\``, findType(column), shape, unit, optional ? `${meaning}; may be absent` : meaning];
  });
  const table = [['column', 'type', 'per', 'unit', 'meaning'], ...rows];
  const widths = table[0].map((_, i) => Math.max(...table.map((row) => row[i].length)));
  const lines = table.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}
