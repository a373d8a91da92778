/**
 * A preconditioner for the single layer V: each row of the inverse of V restricted to the nearest faces, made symmetric. Nearly as good
 * at any size and on thin sheets, where the diagonal alone is not: a face's nearest are then on both sides.
 * Cost: one small Cholesky factorisation a face.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { Preconditioner } from '../../linalg/preconditioners/preconditioner.ts';
import { computeDot } from '../../linalg/vector.ts';
import { factorCholesky, solveCholesky } from '../../math/dense-solve.ts';
import { INVERSE_FOUR_PI } from '../sum-kernels.ts';
import type { NearBoth } from './near-both.ts';
import { findEntry } from './near-matrix.ts';
import { DOUBLE, PANEL } from './panel-potentials.ts';
import type { PanelSources } from './panel-sources.ts';

/** Nearest faces of a face, itself among them. */
const NEAREST = 16;
const GRAIN = 32;
const APPLY_GRAIN = 512;

/** Two of the nearest that are not near each other count as points. */
export function createLocalInverses(
  threads: Threads,
  { panelCount, ball, panel }: PanelSources,
  { rows, integral }: NearBoth,
  scope: HeapScope,
): Preconditioner {
  const list = scope.i32(NEAREST * panelCount);
  const row = scope.f64(NEAREST * panelCount);
  threads.run(inverseTask, panelCount, GRAIN, { rows, integral, ball, panel, list, row });
  const back = transpose(list, panelCount, scope);
  return {
    name: 'local inverses',
    apply(r, outZ) {
      threads.run(applyTask, panelCount, APPLY_GRAIN, { list, row, ...back, r, out: outZ });
      return computeDot(threads, r, outZ);
    },
  };
}

/** Which places of the rows name a face: place (count) by face, from start (faces + 1). */
function transpose(list: Int32Array, panelCount: number, scope: HeapScope) {
  const start = scope.i32(panelCount + 1);
  const place = scope.i32(list.length);
  for (const g of list) start[g + 1]++;
  for (let f = 0; f < panelCount; f++) start[f + 1] += start[f];
  const next = start.slice(0, panelCount);
  list.forEach((g, n) => {
    place[next[g]++] = n;
  });
  return { start, place };
}

const applyTask = defineTask(
  'integrals/apply-local-inverses',
  { list: 'i32', row: 'f64', start: 'i32', place: 'i32', r: 'f64', out: 'f64' },
  (begin, end, { list, row, start, place, r, out }) => {
    for (let f = begin; f < end; f++) {
      let sum = 0;
      for (let n = NEAREST * f; n < NEAREST * (f + 1); n++) sum += row[n] * r[list[n]];
      for (let m = start[f]; m < start[f + 1]; m++) {
        const n = place[m];
        sum += row[n] * r[(n / NEAREST) | 0];
      }
      out[f] = 0.5 * sum;
    }
  },
);

const inverseTask = defineTask(
  'integrals/local-inverses',
  { rows: 'i32', integral: 'f64', ball: 'f64', panel: 'f64', list: 'i32', row: 'f64' },
  (begin, end, { rows, integral, ball, panel, list, row }) => {
    const matrix = new Float64Array(NEAREST * NEAREST);
    const right = new Float64Array(NEAREST);
    const chosen = new Int32Array(NEAREST);
    const gap = new Float64Array(NEAREST);
    for (let f = begin; f < end; f++) {
      let count = 0;
      for (let n = rows[f]; n < rows[f + 1]; n++) {
        const g = rows[n];
        const square =
          (ball[4 * g] - ball[4 * f]) ** 2 +
          (ball[4 * g + 1] - ball[4 * f + 1]) ** 2 +
          (ball[4 * g + 2] - ball[4 * f + 2]) ** 2;
        if (count === NEAREST && square >= gap[count - 1]) continue;
        let at = count < NEAREST ? count++ : NEAREST - 1;
        for (; at > 0 && gap[at - 1] > square; at--) {
          gap[at] = gap[at - 1];
          chosen[at] = chosen[at - 1];
        }
        gap[at] = square;
        chosen[at] = g;
      }
      for (let i = 0; i < count; i++) {
        right[i] = chosen[i] === f ? 1 : 0;
        for (let j = 0; j <= i; j++) {
          const [a, b] = [chosen[i], chosen[j]];
          const entry = findEntry(rows, rows[a], rows[a + 1], b);
          const value = rows[entry] === b ? integral[4 * (entry - rows[0])] : pairAsPoints(panel, ball, a, b);
          matrix[count * i + j] = value;
          matrix[count * j + i] = value;
        }
      }
      factorCholesky(matrix, count);
      solveCholesky(matrix, count, right);
      for (let i = 0; i < NEAREST; i++) {
        list[NEAREST * f + i] = i < count ? chosen[i] : f;
        row[NEAREST * f + i] = i < count ? right[i] : 0;
      }
    }
  },
);

function pairAsPoints(panel: Float64Array, ball: Float64Array, a: number, b: number): number {
  const areas = 0.25 * panel[PANEL * a + DOUBLE] * panel[PANEL * b + DOUBLE];
  const x = ball[4 * a] - ball[4 * b];
  const y = ball[4 * a + 1] - ball[4 * b + 1];
  const z = ball[4 * a + 2] - ball[4 * b + 2];
  return (INVERSE_FOUR_PI * areas) / Math.sqrt(x * x + y * y + z * z);
}
