/**
 * Potential flow inside a closed surface by an equation of the first kind, in Galerkin's form (galerkin.ts):
 * from a potential phi, linear from vertices, to its normal derivative q, constant on faces, and the flux W
 * of each vertex's hat function:
 *
 *     V q = (M/2 + K) phi                 one symmetric positive solve
 *     W   = N phi + (M/2 + K)^T q         N = C^T V C, C phi = n x grad phi on faces (Nedelec 1982)
 *
 * phi . W / 2 is the kinetic energy for unit density, W is its derivative by phi, and the W of a closed
 * surface add up to nothing, as K 1 = -1/2 is held exactly. Sums over W are what moves a surface-only liquid
 * ([da-2017] part III); where the thesis evaluates one sweep of an iteration for the same field (22.10), here
 * it is solved for.
 *
 * Small surfaces (MOST_FULL faces) keep V and K as full matrices: made once, a product then costs next to
 * nothing. Larger ones add multipole sums to their near pairs. CG is preconditioned by rows of the inverses
 * of V over the nearest faces. Cost of a full pair of matrices: 9 pairs of points for each pair of faces, and
 * some 300 closed forms a face.
 */
import { buildInScope, type HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import { createCg } from '../../linalg/krylov/cg.ts';
import type { SolveReport } from '../../linalg/krylov/solver.ts';
import { createOperator } from '../../linalg/operator.ts';
import type { SumResources } from '../direct-sum.ts';
import { createKernelSum } from '../kernel-sum.ts';
import { buildFullMatrices, multiplyFull, multiplyFullTransposed } from './full-matrices.ts';
import { createFarPart, multiplyMass } from './galerkin.ts';
import { createLocalInverses } from './local-inverses.ts';
import { buildNearBoth, type NearBoth, subtractFarRule } from './near-both.ts';
import { multiplyNear, transposeNear } from './near-matrix.ts';
import { DOUBLE, PANEL } from './panel-potentials.ts';
import { buildPanelSources, computeStrengths, gatherStrengths, type PanelSources } from './panel-sources.ts';
import type { PanelSurface } from './surface-points.ts';

/**
 * Faces up to which full matrices are faster than multipole sums, of some ten products; 6 bytes a pair of
 * faces.
 */
export const MOST_FULL = 3000;
const MOST_ITERATIONS = 200;
/** Faces closer than this, in reaches of the larger, are near each other. */
const NEAR = 3;
const POINTS = 3;

export interface FirstKindOptions {
  /** Of the far sums where they are multipole sums, relative. */
  readonly tolerance?: number;
  /** Faces up to which matrices are full. */
  readonly mostFull?: number;
}

export interface FirstKind {
  readonly faceCount: number;
  readonly vertexCount: number;
  /** V q */
  applySingle(q: Float64Array, out: Float64Array): void;
  /** V of three densities at once, which costs little more than one. */
  applyThreeSingles(q: readonly Float64Array[], out: readonly Float64Array[]): void;
  /** (M/2 + K) phi */
  applyDouble(phi: Float64Array, out: Float64Array): void;
  /** (M/2 + K)^T q */
  applyDoubleTransposed(q: Float64Array, out: Float64Array): void;
  /** out = an approximation of V^-1 r, symmetric and positive */
  precondition(r: Float64Array, out: Float64Array): void;
  /** V q = right, from the q given. */
  solve(right: Float64Array, tolerance: number, outQ: Float64Array): SolveReport;
  free(): void;
}

interface Products {
  single(q: Float64Array, out: Float64Array): void;
  threeSingles(q: readonly Float64Array[], out: readonly Float64Array[]): void;
  double(phi: Float64Array, out: Float64Array): void;
  doubleTransposed(q: Float64Array, out: Float64Array): void;
  free(): void;
}

/** The equation on a closed surface. All vectors handed to it lie on the heap. */
export function createFirstKind(
  resources: SumResources,
  surface: PanelSurface,
  { tolerance = 1e-5, mostFull = MOST_FULL }: FirstKindOptions = {},
): FirstKind {
  return buildInScope(resources.heap, 'first-kind equation', (scope) => {
    const { threads } = resources;
    const sources = buildPanelSources(surface, POINTS, threads, scope);
    const { panelCount: faceCount, vertexCount } = sources;
    const near = buildNearBoth(resources, sources, NEAR, scope);
    const products =
      faceCount <= mostFull
        ? createFull(threads, sources, near, scope)
        : createFast(resources, sources, near, tolerance, scope);
    const preconditioner = createLocalInverses(threads, sources, near, scope);
    const operator = createOperator(threads, faceCount, products.single);
    const cg = createCg(threads, scope, faceCount);
    const mass = scope.f64(Math.max(faceCount, vertexCount));
    const miss = findMiss(products, sources, scope);
    const { triangle } = sources;
    return {
      faceCount,
      vertexCount,
      applySingle: products.single,
      applyThreeSingles: products.threeSingles,
      applyDouble(phi, out) {
        products.double(phi, out);
        // Rows are corrected so that K 1 is minus half the area, as closed surfaces have it.
        for (let f = 0; f < faceCount; f++)
          out[f] +=
            (miss[f] * (phi[triangle[3 * f]] + phi[triangle[3 * f + 1]] + phi[triangle[3 * f + 2]])) / 3;
        const half = mass.subarray(0, faceCount);
        multiplyMass(surface, phi, false, half);
        for (let f = 0; f < faceCount; f++) out[f] += 0.5 * half[f];
      },
      applyDoubleTransposed(q, out) {
        products.doubleTransposed(q, out);
        for (let c = 0; c < 3 * faceCount; c++) {
          const f = (c / 3) | 0;
          out[triangle[c]] += (miss[f] * q[f]) / 3;
        }
        const half = mass.subarray(0, vertexCount);
        multiplyMass(surface, q, true, half);
        for (let v = 0; v < vertexCount; v++) out[v] += 0.5 * half[v];
      },
      precondition(r, out) {
        preconditioner.apply(r, out);
      },
      solve: (right, residual, outQ) =>
        cg.solve(operator, preconditioner, right, outQ, {
          tolerance: residual,
          maxIterations: MOST_ITERATIONS,
        }),
      free() {
        products.free();
        scope.free();
      },
    };
  });
}

/** (faces) what K 1 lacks of minus half the area */
function findMiss(products: Products, { panelCount, vertexCount, panel }: PanelSources, scope: HeapScope) {
  const one = scope.f64(vertexCount).fill(1);
  const miss = scope.f64(panelCount);
  products.double(one, miss);
  for (let f = 0; f < panelCount; f++) miss[f] = -0.25 * panel[PANEL * f + DOUBLE] - miss[f];
  return miss;
}

function createFull(threads: Threads, sources: PanelSources, near: NearBoth, scope: HeapScope): Products {
  const { stride, single, double } = buildFullMatrices(threads, sources, near, scope);
  return {
    single: (q, out) => multiplyFull(threads, single, stride, q, out),
    threeSingles(q, out) {
      q.forEach((own, k) => {
        multiplyFull(threads, single, stride, own, out[k]);
      });
    },
    double: (phi, out) => multiplyFull(threads, double, sources.vertexCount, phi, out),
    doubleTransposed: (q, out) => multiplyFullTransposed(threads, double, q, out),
    free: () => {},
  };
}

function createFast(
  resources: SumResources,
  sources: PanelSources,
  near: NearBoth,
  tolerance: number,
  scope: HeapScope,
): Products {
  const { threads } = resources;
  const options = { tolerance, method: 'multipole', points: POINTS } as const;
  const farSingle = createFarPart(resources, sources, {
    ...options,
    layer: 'single',
    density: 'constant',
    precision: 'single',
  });
  const farDouble = createFarPart(resources, sources, { ...options, layer: 'double', density: 'linear' });
  const farThree = createFarThree(resources, sources, tolerance);
  const { single, double } = subtractFarRule(resources, sources, near, scope);
  const back = transposeNear(double, scope);
  const sum = scope.f64(Math.max(sources.panelCount, sources.vertexCount));
  const combine = (apply: (outNear: Float64Array) => void, far: () => void, out: Float64Array) => {
    const part = sum.subarray(0, out.length);
    apply(part);
    far();
    for (let n = 0; n < out.length; n++) out[n] += part[n];
  };
  return {
    single: (q, out) =>
      combine(
        (part) => multiplyNear(threads, single, q, part),
        () => farSingle.apply(q, out),
        out,
      ),
    threeSingles(q, out) {
      farThree.apply(q, out);
      q.forEach((own, k) => {
        multiplyNear(threads, single, own, sum);
        for (let n = 0; n < own.length; n++) out[k][n] += sum[n];
      });
    },
    double: (phi, out) =>
      combine(
        (part) => multiplyNear(threads, double, phi, part),
        () => farDouble.apply(phi, out),
        out,
      ),
    doubleTransposed: (q, out) =>
      combine(
        (part) => multiplyNear(threads, back, q, part),
        () => farDouble.applyTransposed(q, out),
        out,
      ),
    free() {
      farSingle.free();
      farDouble.free();
      farThree.free();
    },
  };
}

/** The far rule of V for three densities: they share the tree, its lists and its derivatives. */
function createFarThree(resources: SumResources, sources: PanelSources, tolerance: number) {
  const { position, softening } = sources;
  const count = position.length / 3;
  const strength = new Float64Array(3 * count);
  const own = new Float64Array(count);
  const sum = createKernelSum(resources, {
    tolerance,
    kernel: 'vectorPotential',
    method: 'multipole',
    precision: 'single',
  }).prepare(position, position, softening);
  return {
    apply(q: readonly Float64Array[], out: readonly Float64Array[]) {
      q.forEach((density, k) => {
        computeStrengths(sources, 'constant', density, false, own);
        for (let n = 0; n < count; n++) strength[3 * n + k] = own[n];
      });
      const found = new Float64Array(3 * count);
      sum.apply(strength, found);
      out.forEach((density, k) => {
        for (let n = 0; n < count; n++) own[n] = found[3 * n + k];
        gatherStrengths(sources, 'constant', own, false, density);
      });
    },
    free: () => sum.free(),
  };
}
