/** Columns by which kernels and tasks are given a matrix in compressed rows. */

export const rowColumns = { rowStart: 'i32', column: 'i32', value: 'f64' } as const;

type MatrixColumns<N extends string> = { readonly [K in `${N}Start` | `${N}Column`]: 'i32' } & {
  readonly [K in `${N}Value`]: 'f64';
};

/** Those of a matrix with a name of its own: `out` has outStart, outColumn and outValue. */
export const matrixColumns = <const N extends string>(name: N): MatrixColumns<N> =>
  ({ [`${name}Start`]: 'i32', [`${name}Column`]: 'i32', [`${name}Value`]: 'f64' }) as MatrixColumns<N>;
