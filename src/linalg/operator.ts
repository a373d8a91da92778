/**
 * What a Krylov method asks of a matrix: its size and its products. CSR (csr.ts), block CSR
 * (block/block-csr.ts) and operators without a matrix satisfy it alike. An operator brings its own threads;
 * the vectors it is handed are those of its caller, on the heap where the operator runs on several threads.
 */
import type { Threads } from '../core/threads/task.ts';
import { combine, computeDot } from './vector.ts';
import { sequentialSpace, type VectorSpace } from './vector-space.ts';

export interface LinearOperator {
  /** Number of unknowns; operators are square. */
  readonly size: number;
  /** out = A x; out is not x */
  apply(x: Float64Array, out: Float64Array): void;
  /** out = A x; returns x . out */
  applyDot(x: Float64Array, out: Float64Array): number;
  /** out = b - A x; returns out . out */
  applyResidual(x: Float64Array, b: Float64Array, out: Float64Array): number;
}

type Apply = (x: Float64Array, out: Float64Array) => void;

/** An operator by its product alone, for vectors on the heap. */
export const createOperator = (threads: Threads, size: number, apply: Apply): LinearOperator =>
  completeOperator(threadedArithmetic(threads), size, apply);

/** The same for plain arrays, on the caller. */
export const createSequentialOperator = (size: number, apply: Apply): LinearOperator =>
  completeOperator(sequentialSpace, size, apply);

type Arithmetic = Pick<VectorSpace, 'dot' | 'combine'>;

const threadedArithmetic = (threads: Threads): Arithmetic => ({
  dot: (x, y) => computeDot(threads, x, y),
  combine: (a, x, b, y, out) => combine(threads, a, x, b, y, out),
});

function completeOperator(arithmetic: Arithmetic, size: number, apply: Apply): LinearOperator {
  return {
    size,
    apply,
    applyDot(x, out) {
      apply(x, out);
      return arithmetic.dot(x, out);
    },
    applyResidual(x, b, out) {
      apply(x, out);
      arithmetic.combine(1, b, -1, out, out);
      return arithmetic.dot(out, out);
    },
  };
}
