/**
 * Block matrices: the product with 3 x 3 blocks against the same numbers in a matrix of single entries,
 * against its plain form and on two threads; what a sweep and a V-cycle cost in products. Contestants
 * take turns, and a control shows the noise (kernels.ts).
 */
import { buildElasticCube } from '../../cases/linalg/elastic-cube.ts';
import { reportRow } from '../../cases/shared/rows.ts';
import type { HeapScope } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import { type BlockCsrMatrix, multiplyBlocks } from '../../src/linalg/block/block-csr.ts';
import { blockProduct } from '../../src/linalg/block/block-kernels.ts';
import { buildBlockSweeps, sweepDown, sweepUp } from '../../src/linalg/block/block-sweeps.ts';
import { createBlockMultigrid } from '../../src/linalg/block-multigrid/block-multigrid.ts';
import { buildRigidModes } from '../../src/linalg/block-multigrid/modes.ts';
import { type CsrMatrix, multiplyMatrix } from '../../src/linalg/csr.ts';
import type { RefereeCase } from '../../src/run/referee.ts';
import { defineContest, measureBest } from './kernels.ts';

/** The same numbers, entry by entry. */
function toCsr(
  scope: HeapScope,
  { blockSize: b, rowCount, rowStart, column, value }: BlockCsrMatrix,
): CsrMatrix {
  const start = scope.i32(rowCount * b + 1);
  const columns = scope.i32(value.length);
  const values = scope.f64(value.length);
  const diagonal = scope.i32(rowCount * b);
  let at = 0;
  for (let i = 0; i < rowCount; i++)
    for (let r = 0; r < b; r++) {
      for (let j = rowStart[i]; j < rowStart[i + 1]; j++)
        for (let s = 0; s < b; s++) {
          if (column[j] === i && r === s) diagonal[i * b + r] = at;
          columns[at] = column[j] * b + s;
          values[at++] = value[(j * b + s) * b + r];
        }
      start[i * b + r + 1] = at;
    }
  return { rowCount: rowCount * b, rowStart: start, column: columns, diagonal, value: values };
}

export const blockMatrices: RefereeCase[] = [
  defineContest(
    'block-matrices',
    '3 x 3 blocks: product, sweeps and V-cycle of elasticity in a cube',
    ({ heap, threads, one, note }, rows) => {
      for (const cells of [12, 40]) {
        note(`${cells} cells across`);
        const scope = heap.scope('bench');
        const { matrix, position } = buildElasticCube(threads, scope, cells, { clamped: true, poisson: 0.3 });
        const csr = toCsr(scope, matrix);
        const n = csr.rowCount;
        const [w, x, y, r] = [0, 1, 2, 3].map(() => scope.f64(n));
        const random = createRandom(1);
        for (let i = 0; i < n; i++) w[i] = random.next() - 0.5;
        const sweeps = buildBlockSweeps(threads, scope, matrix);
        const multigrid = createBlockMultigrid(threads, scope, matrix, buildRigidModes(scope, position));
        const { rowCount, blockSize: size, rowStart, column, value } = matrix;
        const [blocks, control, single, plain, both, sweep, cycle] = measureBest(
          [
            () => multiplyBlocks(one, matrix, w, y),
            () => multiplyBlocks(one, matrix, w, y),
            () => multiplyMatrix(one, csr, w, y),
            () => blockProduct.plain(0, rowCount, { size, rowStart, column, value, x: w, y }),
            () => multiplyBlocks(threads, matrix, w, y),
            () => {
              sweepDown(one, matrix, sweeps, w, x, r);
              sweepUp(one, matrix, sweeps, w, x, r);
            },
            () => multigrid.apply(w, y),
          ],
          12,
        );
        const name = `${n} unknowns, ${(value.byteLength / 1e6).toFixed(0)} MB`;
        rows.push(
          reportRow(`${name}: product`, blocks.toFixed(2), 'ms'),
          reportRow(`${name}: control`, (control / blocks).toFixed(2), 'x'),
          reportRow(`${name}: entry by entry`, (single / blocks).toFixed(2), 'x'),
          reportRow(`${name}: plain form`, (plain / blocks).toFixed(2), 'x'),
          reportRow(`${name}: two threads`, (both / blocks).toFixed(2), 'x'),
          reportRow(`${name}: sweep down, residual, sweep up`, (sweep / blocks).toFixed(2), 'x'),
          reportRow(`${name}: V-cycle, two threads`, (cycle / blocks).toFixed(2), 'x'),
        );
        scope.free();
      }
    },
  ),
];
