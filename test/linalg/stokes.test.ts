/**
 * The coupled system that `viscous` will solve: velocity and pressure at vertices in 4 x 4 blocks,
 *     [ M + mu K   G ] [u]   [f]          K stress, G the pressure's force, C a pressure Laplacian that stabilises
 *     [ G^T       -C ] [p] = [0]          equal orders (Brezzi and Pitkaranta 1984),
 * symmetric and indefinite, by MINRES with a velocity V-cycle and the pressure's mass matrix over mu.
 */
import { afterAll, expect, it } from 'vitest';
import { buildKuhnTets } from '../../cases/linalg/matrices.ts';
import { createHeap, type HeapScope } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import { createThreads } from '../../src/core/threads/node.ts';
import { assembleBlocks, buildBlocks } from '../../src/linalg/block/block-build.ts';
import { type BlockCsrMatrix, createBlockOperator } from '../../src/linalg/block/block-csr.ts';
import { createBlockJacobi } from '../../src/linalg/block/block-jacobi.ts';
import { createBlockMultigrid } from '../../src/linalg/block-multigrid/block-multigrid.ts';
import { buildRigidModes } from '../../src/linalg/block-multigrid/modes.ts';
import { createGmres } from '../../src/linalg/krylov/gmres.ts';
import { createMinres } from '../../src/linalg/krylov/minres.ts';
import type { Preconditioner } from '../../src/linalg/preconditioners/preconditioner.ts';
import { computeStrainMatrix } from '../../src/mesh/strain-matrix.ts';
import { computeDistance } from './dense.ts';

const heap = createHeap();
const threads = await createThreads({ heap, count: 2 });
afterAll(() => threads.close());

/** Part of h^2 / mu. */
const STABILISATION = 1 / 12;

interface Stokes {
  /** 4 x 4 blocks: u, v, w, p of a vertex */
  readonly matrix: BlockCsrMatrix;
  /** The velocities' part, 3 x 3 */
  readonly velocity: BlockCsrMatrix;
  readonly position: Float64Array;
  /** (vertices) lumped mass */
  readonly mass: Float64Array;
}

/** A free cube of n^3 cells; mu in units of rho h^2 / dt. */
function buildStokes(scope: HeapScope, n: number, viscosity: number): Stokes {
  const { vertexCount, tet, position: place } = buildKuhnTets(n);
  const mu = viscosity / n ** 2;
  const unknown = scope.i32(tet.length);
  unknown.set(tet);
  const position = scope.f64(place.length);
  position.set(place);
  const mass = scope.f64(vertexCount);
  const corner = new Float64Array(12);
  const stress = new Float64Array(144);
  const unit = new Float64Array(144);

  /** Element matrix of one tet with so many unknowns per vertex. */
  function fillTet(t: number, b: number, at: number, out: Float64Array): void {
    for (let k = 0; k < 12; k++) corner[k] = position[3 * tet[4 * t + Math.floor(k / 3)] + (k % 3)];
    const volume = computeStrainMatrix(corner, mu, 0, 0, stress);
    // lambda = 1 alone is V g_a g_c^T: its numbers give the gradients' products.
    computeStrainMatrix(corner, 0, 1, 0, unit);
    const width = 4 * b;
    out.fill(0, at, at + width * width);
    for (let a = 0; a < 4; a++) {
      if (b === 4) mass[tet[4 * t + a]] += volume / 4;
      for (let c = 0; c < 4; c++) {
        const to = (r: number, s: number) => at + (a * b + r) * width + c * b + s;
        for (let r = 0; r < 3; r++)
          for (let s = 0; s < 3; s++) out[to(r, s)] = stress[(3 * a + r) * 12 + 3 * c + s];
        if (a === c) for (let r = 0; r < 3; r++) out[to(r, r)] += volume / 4;
        if (b === 3) continue;
        // -p div v: V / 4 times the gradient, as often as there are corners.
        const gradient = (v: number, r: number) => computeGradient(v, r) * (volume / 4);
        for (let r = 0; r < 3; r++) {
          out[to(r, 3)] = -gradient(a, r);
          out[to(3, r)] = -gradient(c, r);
        }
        let dot = 0;
        for (let r = 0; r < 3; r++) dot += unit[(3 * a + r) * 12 + 3 * c + r];
        out[to(3, 3)] = (-STABILISATION * dot) / (mu * n ** 2);
      }
    }
  }

  /** Gradient of a corner's hat function, from the normal of the face opposite. */
  function computeGradient(v: number, r: number): number {
    const [a, b, c] = [1, 2, 3].map((k) => (v + k) % 4);
    const edge = (p: number, q: number, k: number) => corner[3 * q + (k % 3)] - corner[3 * p + (k % 3)];
    const normal = (k: number) =>
      edge(a, b, k + 1) * edge(a, c, k + 2) - edge(a, b, k + 2) * edge(a, c, k + 1);
    const height = [0, 1, 2].reduce((sum, k) => sum + normal(k) * edge(a, v, k), 0);
    return normal(r) / height;
  }

  const [matrix, velocity] = [4, 3].map((b) => {
    const { matrix, assembly } = buildBlocks(threads, scope, b, vertexCount, unknown, 4);
    const fill = (first: number, end: number, out: Float64Array) => {
      for (let t = first; t < end; t++) fillTet(t, b, (t - first) * 16 * b * b, out);
    };
    assembleBlocks(threads, scope, assembly, fill, matrix);
    return matrix;
  });
  return { matrix, velocity, position, mass };
}

function createPreconditioner(
  scope: HeapScope,
  { velocity, position, mass }: Stokes,
  mu: number,
): Preconditioner {
  const multigrid = createBlockMultigrid(threads, scope, velocity, buildRigidModes(scope, position));
  const [r3, z3] = [scope.f64(position.length), scope.f64(position.length)];
  return {
    name: 'stokes',
    apply(r, z) {
      for (let v = 0; v < mass.length; v++) for (let k = 0; k < 3; k++) r3[3 * v + k] = r[4 * v + k];
      let dot = multigrid.apply(r3, z3);
      for (let v = 0; v < mass.length; v++) {
        for (let k = 0; k < 3; k++) z[4 * v + k] = z3[3 * v + k];
        z[4 * v + 3] = (r[4 * v + 3] * mu) / mass[v];
        dot += r[4 * v + 3] * z[4 * v + 3];
      }
      return dot;
    },
  };
}

function solveStokes(scope: HeapScope, n: number, viscosity: number) {
  const stokes = buildStokes(scope, n, viscosity);
  const operator = createBlockOperator(threads, stokes.matrix);
  const b = scope.f64(operator.size);
  const random = createRandom(1);
  for (let v = 0; v < stokes.mass.length; v++)
    for (let k = 0; k < 3; k++) b[4 * v + k] = stokes.mass[v] * (random.next() - 0.5);
  const x = scope.f64(operator.size);
  const preconditioner = createPreconditioner(scope, stokes, viscosity / n ** 2);
  const report = createMinres(threads, scope, operator.size).solve(operator, preconditioner, b, x, {
    tolerance: 1e-9,
    maxIterations: 400,
  });
  expect(report.converged, report.breakdown).toBe(true);
  return { stokes, operator, b, x, report };
}

it('takes as many iterations on fine meshes as on coarse ones, at any large viscosity', () => {
  const counts = [6, 12].flatMap((n) =>
    [1e2, 1e6].map((viscosity) => {
      const scope = heap.scope('test');
      const { iterations } = solveStokes(scope, n, viscosity).report;
      scope.free();
      return iterations;
    }),
  );
  expect(Math.max(...counts)).toBeLessThanOrEqual(100);
  expect(counts[3]).toBeLessThanOrEqual(1.3 * counts[1]);
});

it('agrees with GMRES and block Jacobi', () => {
  const scope = heap.scope('test');
  const { stokes, operator, b, x } = solveStokes(scope, 4, 100);
  const y = scope.f64(operator.size);
  const jacobi = createBlockJacobi(threads, scope, stokes.matrix);
  const report = createGmres(threads, scope, operator.size, 400).solve(operator, jacobi, b, y, {
    tolerance: 1e-9,
    maxIterations: 2000,
  });
  expect(report.converged, report.breakdown).toBe(true);
  expect(computeDistance(x, y)).toBeLessThan(1e-4 * computeDistance(y, new Float64Array(y.length)));
  scope.free();
});
