/**
 * The smoothed prolongation (Vanek, Mandel and Brezina 1996): one step of block Jacobi on the tentative one,
 *     P = (I - omega D^-1 A) T,    omega = 4/3 / lambda,
 * lambda being the largest eigenvalue of D^-1 A, found by power iteration from a fixed random vector.
 * Couplings that are weak smooth like the others: to leave them out would take the rigid modes from the
 * coarse space.
 */
import type { HeapScope } from '../../core/heap.ts';
import { createRandom } from '../../core/random.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { type BlockCsrMatrix, multiplyBlocks } from '../block/block-csr.ts';
import { buildInverseDiagonal } from '../block/block-jacobi.ts';
import { rowColumns } from '../matrix-columns.ts';
import { computeDot, computeNorm, scale } from '../vector.ts';
import { multiplyTall, type TallMatrix } from './tall.ts';

/** The damping that smooths best, in units of 1 / lambda (Vanek et al.). */
const OMEGA = 4 / 3;
const POWER_STEPS = 12;
/** What power iteration is short of after so few steps, with room to spare. */
const SHORTFALL = 1.1;
const SEED = 1;
const GRAIN = 512;

/** Largest eigenvalue of D^-1 A, to ten percent or so: never below, in practice. */
function estimateRadius(
  threads: Threads,
  scope: HeapScope,
  a: BlockCsrMatrix,
  inverse: BlockCsrMatrix,
): number {
  const n = a.rowCount * a.blockSize;
  const [x, y, z] = [scope.f64(n), scope.f64(n), scope.f64(n)];
  const random = createRandom(SEED);
  for (let i = 0; i < n; i++) x[i] = random.next() - 0.5;
  let radius = 0;
  for (let step = 0; step < POWER_STEPS; step++) {
    scale(threads, 1 / computeNorm(threads, x), x);
    multiplyBlocks(threads, a, x, y);
    multiplyBlocks(threads, inverse, y, z);
    // Rayleigh's quotient in the norm of A, in which D^-1 A is symmetric.
    radius = computeDot(threads, y, z) / computeDot(threads, x, y);
    x.set(z);
  }
  return SHORTFALL * radius;
}

/** In place: block of A T to T - omega D^-1 A T. */
const smoothTask = defineTask(
  'linalg/smooth-prolongation',
  {
    size: 'number',
    modes: 'number',
    omega: 'number',
    inverse: 'f64',
    tentativeStart: 'i32',
    tentativeColumn: 'i32',
    tentative: 'f64',
    ...rowColumns,
  },
  (begin, end, values) => {
    const { size, modes, omega, inverse, tentativeStart, tentativeColumn, tentative } = values;
    const { rowStart, column, value } = values;
    const block = new Float64Array(size * modes);
    for (let i = begin; i < end; i++) {
      const own = tentativeStart[i];
      for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
        const at = j * size * modes;
        for (let r = 0; r < size; r++)
          for (let c = 0; c < modes; c++) {
            let sum = 0;
            for (let s = 0; s < size; s++)
              sum += inverse[(i * size + s) * size + r] * value[at + s * modes + c];
            block[r * modes + c] = -omega * sum;
          }
        const isOwn = column[j] === tentativeColumn[own];
        for (let n = 0; n < size * modes; n++)
          value[at + n] = isOwn ? tentative[own * size * modes + n] + block[n] : block[n];
      }
    }
  },
);

/** P is in `scope`, what it takes to make it in `setUp`. */
export function smoothProlongation(
  threads: Threads,
  scope: HeapScope,
  setUp: HeapScope,
  a: BlockCsrMatrix,
  t: TallMatrix,
): TallMatrix {
  const inverse = buildInverseDiagonal(threads, setUp, a);
  const omega = OMEGA / estimateRadius(threads, setUp, a, inverse);
  const p = multiplyTall(threads, scope, setUp, a, t);
  threads.run(smoothTask, p.rowCount, GRAIN, {
    ...{ size: p.blockSize, modes: p.modeCount, omega, inverse: inverse.value },
    ...{ tentativeStart: t.rowStart, tentativeColumn: t.column, tentative: t.value },
    ...{ rowStart: p.rowStart, column: p.column, value: p.value },
  });
  return p;
}
