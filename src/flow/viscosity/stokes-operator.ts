/**
 * The coupled matrix as an operator on (velocities, then pressures),
 *     [ A    G ] [u]
 *     [ G^T  C ] [p]       C negative semi-definite,
 * over one pattern: A in 3 x 3 blocks, which the velocity's multigrid reads too, and 7 numbers beside each.
 */
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { multiplyBlocks } from '../../linalg/block/block-csr.ts';
import { createOperator, type LinearOperator } from '../../linalg/operator.ts';
import type { Equations } from './equations.ts';

const GRAIN = 1024;

/** y_u += G p;  y_p = G^T u + C p */
const couplingTask = defineTask(
  'flow/multiply-stokes-coupling',
  { rowStart: 'i32', column: 'i32', coupling: 'f64', rowCount: 'number', x: 'f64', y: 'f64' },
  (begin, end, { rowStart, column, coupling, rowCount, x, y }) => {
    const first = 3 * rowCount;
    for (let i = begin; i < end; i++) {
      let ux = y[3 * i];
      let uy = y[3 * i + 1];
      let uz = y[3 * i + 2];
      let q = 0;
      for (let e = rowStart[i], o = 7 * e; e < rowStart[i + 1]; e++, o += 7) {
        const j = column[e];
        const p = x[first + j];
        ux += coupling[o] * p;
        uy += coupling[o + 1] * p;
        uz += coupling[o + 2] * p;
        q +=
          coupling[o + 3] * x[3 * j] +
          coupling[o + 4] * x[3 * j + 1] +
          coupling[o + 5] * x[3 * j + 2] +
          coupling[o + 6] * p;
      }
      y[3 * i] = ux;
      y[3 * i + 1] = uy;
      y[3 * i + 2] = uz;
      y[first + i] = q;
    }
  },
);

/** out = r_u - G p, p of either sign */
const takePressureTask = defineTask(
  'flow/take-pressure-forces',
  {
    ...{ rowStart: 'i32', column: 'i32', coupling: 'f64' },
    ...{ right: 'f64', pressure: 'f64', out: 'f64' },
  },
  (begin, end, { rowStart, column, coupling, right, pressure, out }) => {
    for (let i = begin; i < end; i++) {
      let x = right[3 * i];
      let y = right[3 * i + 1];
      let z = right[3 * i + 2];
      for (let e = rowStart[i], o = 7 * e; e < rowStart[i + 1]; e++, o += 7) {
        const p = pressure[column[e]];
        x -= coupling[o] * p;
        y -= coupling[o + 1] * p;
        z -= coupling[o + 2] * p;
      }
      out[3 * i] = x;
      out[3 * i + 1] = y;
      out[3 * i + 2] = z;
    }
  },
);

/** out = right - G pressure, velocities' part */
export function takePressureForces(
  threads: Threads,
  { velocity, coupling }: Equations,
  right: Float64Array,
  pressure: Float64Array,
  out: Float64Array,
): void {
  const { rowCount, rowStart, column } = velocity;
  threads.run(takePressureTask, rowCount, GRAIN, { rowStart, column, coupling, right, pressure, out });
}

export function createStokesOperator(threads: Threads, { velocity, coupling }: Equations): LinearOperator {
  const { rowCount, rowStart, column } = velocity;
  return createOperator(threads, 4 * rowCount, (x, y) => {
    multiplyBlocks(threads, velocity, x, y);
    threads.run(couplingTask, rowCount, GRAIN, { rowStart, column, coupling, rowCount, x, y });
  });
}
