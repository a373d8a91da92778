/** Signatures of the kernels of matrices with dense blocks: kernels/block-sparse.ts says how blocks lie. */

/** Rows in compressed form: rowStart, column, value. */
export type BlockRows = [rowStart: Int32Array, column: Int32Array, value: Float64Array];

/** The same with the entry that holds each row's diagonal: what sweeps need. */
export type SweepRows = [rowStart: Int32Array, column: Int32Array, diagonal: Int32Array, value: Float64Array];

/**
 * The transpose of tall rows: where each coarse row begins, its fine rows, and their places in the values;
 * the values.
 */
export type TransposedRows = [start: Int32Array, row: Int32Array, entry: Int32Array, value: Float64Array];

export interface BlockKernels {
  /** y = A x for the rows [begin, end) */
  blockProduct(
    begin: number,
    end: number,
    size: number,
    ...views: [...BlockRows, x: Float64Array, y: Float64Array]
  ): void;
  /** x = (L + D)^-1 w among the rows [begin, end); r = w - L x */
  blockSweepDown(
    begin: number,
    end: number,
    size: number,
    ...views: [...SweepRows, inverse: Float64Array, w: Float64Array, x: Float64Array, r: Float64Array]
  ): void;
  /** r -= (A - L) x, L being the lower triangle among the rows [begin, end) */
  blockFinishResidual(
    begin: number,
    end: number,
    size: number,
    ...views: [...SweepRows, x: Float64Array, r: Float64Array]
  ): void;
  /** x_i += inverse_i (w - A x)_i, rows descending; rows outside [begin, end) from `old`; r is scratch */
  blockSweepUp(
    begin: number,
    end: number,
    size: number,
    ...views: [
      ...SweepRows,
      inverse: Float64Array,
      w: Float64Array,
      old: Float64Array,
      x: Float64Array,
      r: Float64Array,
    ]
  ): void;
  /** out = P^T x for the coarse rows [begin, end) */
  tallRestrict(
    begin: number,
    end: number,
    size: number,
    modes: number,
    ...views: [...TransposedRows, x: Float64Array, out: Float64Array]
  ): void;
  /** x += P e for the fine rows [begin, end) */
  tallProlong(
    begin: number,
    end: number,
    size: number,
    modes: number,
    ...views: [...BlockRows, e: Float64Array, x: Float64Array]
  ): void;
  /** A P for the fine rows [begin, end), in the pattern of `out`; a row without entries there is left out */
  tallProduct(
    begin: number,
    end: number,
    size: number,
    modes: number,
    ...views: [...a: BlockRows, ...p: BlockRows, ...out: BlockRows, place: Int32Array]
  ): void;
  /** P^T (A P) for the coarse rows [begin, end), in the pattern of `out` */
  tallGalerkin(
    begin: number,
    end: number,
    size: number,
    modes: number,
    ...views: [...p: TransposedRows, ...ap: BlockRows, ...out: BlockRows, place: Int32Array]
  ): void;
}
