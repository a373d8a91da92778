/** Diagonal scaling: z = r / diag(A). */
import { RunError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { CsrMatrix } from '../csr.ts';
import { VECTOR_GRAIN } from '../vector.ts';
import { multiplyDot } from '../vector-kernels.ts';
import type { Preconditioner } from './preconditioner.ts';

const multiplyDotTask = defineTask('linalg/multiply-dot', multiplyDot);

export function createJacobi(threads: Threads, scope: HeapScope, a: CsrMatrix): Preconditioner {
  const inverse = scope.f64(a.rowCount);
  for (let i = 0; i < a.rowCount; i++) {
    const entry = a.value[a.diagonal[i]];
    if (!(entry > 0))
      throw new RunError(
        'jacobi',
        `diagonal ${entry} in row ${i} of ${a.rowCount}`,
        'the matrix must be positive definite: look for an unknown without elements or a negative coefficient',
      );
    inverse[i] = 1 / entry;
  }
  return {
    name: 'jacobi',
    apply: (r, outZ) =>
      threads.sum(multiplyDotTask, a.rowCount, VECTOR_GRAIN, { x: r, y: inverse, out: outZ }),
  };
}
