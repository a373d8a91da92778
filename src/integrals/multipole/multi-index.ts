/**
 * Multi-indices (a, b, c) of the Cartesian expansions, in graded order: by degree a + b + c, then by b + c,
 * then by c. So the indices of degree <= q are a prefix for every q, and an interaction of lower order uses
 * the front of every array. The tables are what kernels/expansions.ts reads. Cost: C(order + 6, 6) entries,
 * built per prepared sum.
 */
import type { HeapScope } from '../../core/heap.ts';

export interface MultiIndexTables {
  readonly order: number;
  /** Number of multi-indices. */
  readonly count: number;
  /** (count x 2) an index one lower, and the axis along which */
  readonly steps: Int32Array;
  /** Row k: twice the index of k + l for all |l| <= order - |k| */
  readonly sums: Int32Array;
  /** (count x 6) twice the index one lower along x, y, z, and two lower; 2 count where there is none */
  readonly recur: Int32Array;
  /** (3 x count) k!, 1 / k!, (-1)^|k| / k! */
  readonly constants: Float64Array;
}

/** Multi-indices of degree <= order. */
export const countMultiIndices = (order: number) => ((order + 1) * (order + 2) * (order + 3)) / 6;

/** Terms of an interaction: pairs of multi-indices of total degree <= order. */
export const countTerms = (order: number) => {
  let count = 1;
  for (let i = 1; i <= 6; i++) count = (count * (order + i)) / i;
  return Math.round(count);
};

/** Place of (a, b, c) in graded order. */
export function findMultiIndex(a: number, b: number, c: number): number {
  const degree = a + b + c;
  return (degree * (degree + 1) * (degree + 2)) / 6 + ((b + c) * (b + c + 1)) / 2 + c;
}

/** (count x 3) exponents in graded order. */
export function listMultiIndices(order: number): Int32Array {
  const exponent = new Int32Array(3 * countMultiIndices(order));
  let k = 0;
  for (let degree = 0; degree <= order; degree++)
    for (let rest = 0; rest <= degree; rest++)
      for (let c = 0; c <= rest; c++, k += 3) exponent.set([degree - rest, rest - c, c], k);
  return exponent;
}

export function buildMultiIndexTables(scope: HeapScope, order: number): MultiIndexTables {
  const exponent = listMultiIndices(order);
  const count = countMultiIndices(order);
  const steps = scope.i32(2 * count);
  const recur = scope.i32(6 * count);
  const constants = scope.f64(3 * count);
  for (let k = 0; k < count; k++) {
    const [a, b, c] = exponent.subarray(3 * k, 3 * k + 3);
    const lower = (x: number, y: number, z: number) =>
      a < x || b < y || c < z ? count : findMultiIndex(a - x, b - y, c - z);
    const lowered = [lower(1, 0, 0), lower(0, 1, 0), lower(0, 0, 1)];
    recur.set(
      [...lowered, lower(2, 0, 0), lower(0, 2, 0), lower(0, 0, 2)].map((i) => 2 * i),
      6 * k,
    );
    const axis = a > 0 ? 0 : b > 0 ? 1 : 2;
    if (k > 0) steps.set([lowered[axis], axis], 2 * k);
    const factorial = computeFactorial(a) * computeFactorial(b) * computeFactorial(c);
    constants[k] = factorial;
    constants[count + k] = 1 / factorial;
    constants[2 * count + k] = (a + b + c) % 2 === 0 ? 1 / factorial : -1 / factorial;
  }
  return { order, count, steps, sums: buildSums(scope, order, exponent), recur, constants };
}

function buildSums(scope: HeapScope, order: number, exponent: Int32Array): Int32Array {
  const sums = scope.i32(countTerms(order));
  let at = 0;
  for (let k = 0; k < exponent.length; k += 3) {
    const [a, b, c] = [exponent[k], exponent[k + 1], exponent[k + 2]];
    const end = 3 * countMultiIndices(order - a - b - c);
    for (let l = 0; l < end; l += 3)
      sums[at++] = 2 * findMultiIndex(a + exponent[l], b + exponent[l + 1], c + exponent[l + 2]);
  }
  return sums;
}

function computeFactorial(n: number): number {
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return product;
}
