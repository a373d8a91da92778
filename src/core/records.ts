/**
 * Named columns: what kernels, tasks and states say of their numbers and arrays, once. A declaration lists each column by name with its type; the
 * TypeScript types follow from it, and so do dispatch, threads and files, which go by the names in the order declared.
 */

interface ColumnTypes {
  number: number;
  f64: Float64Array;
  f32: Float32Array;
  i32: Int32Array;
  u8: Uint8Array;
}

export type ColumnType = keyof ColumnTypes;
export type Columns = Readonly<Record<string, ColumnType>>;
/** One number or view of every column. */
export type Values<C extends Columns> = { readonly [K in keyof C]: ColumnTypes[C[K]] };

/** The columns but those named: what a task is given for all calls of a kernel, which names the rest itself. */
export function omitColumns<C extends Columns, K extends keyof C & string>(
  columns: C,
  ...names: K[]
): Omit<C, K> {
  const kept = Object.entries(columns).filter(([name]) => !names.includes(name as K));
  return Object.fromEntries(kept) as Omit<C, K>;
}
