/**
 * Translation of moments in single precision: what kernels/expansions-single.ts computes, lane by lane, so
 * that the bits agree.
 */
import { defineKernel } from '../../core/kernels.ts';
import type { Values } from '../../core/records.ts';
import { derivativeColumns, forEachRow, pairColumns } from './expansion-kernels.ts';

const { fround } = Math;
const LANES = 4;
const countOf = (order: number) => ((order + 1) * (order + 2) * (order + 3)) / 6;

/** One interaction's lane: direction, and what its powers are multiplied by. */
interface Lane {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Of the source's unit, and of the list's least rho, to rho. */
  readonly sourceRatio: number;
  readonly leastRatio: number;
}

const translateColumns = {
  ...pairColumns,
  unit: 'f64',
  ...derivativeColumns,
  moment: 'f32',
  local: 'f64',
  scratch: 'f32',
} as const;
type Translation = Values<typeof translateColumns>;

/**
 * M2L in single precision: adds to the local expansion of a cell, `target`, what the far cells [begin, end)
 * of the list make there.
 */
export const translateMomentsSingle = defineKernel(
  'translateMomentsSingle',
  translateColumns,
  (begin, end, values) => {
    const { target, components, order, softening, far, centre, unit } = values;
    const { recur, constants, moment, local } = values;
    if (begin >= end) return;
    const n = countOf(order);
    const lanes = new Float32Array(LANES * n * components);
    const derivative = new Float32Array(n + 1);
    const scaled = new Float32Array(n * components);
    const measure = (entry: number) => {
      const s = far[2 * entry];
      const x = centre[3 * target] - centre[3 * s];
      const y = centre[3 * target + 1] - centre[3 * s + 1];
      const z = centre[3 * target + 2] - centre[3 * s + 2];
      return { s, x, y, z, square: x * x + y * y + (z * z + softening) };
    };
    let least = Number.POSITIVE_INFINITY;
    for (let e = begin; e < end; e++) least = Math.min(least, measure(e).square);
    least = Math.sqrt(least);
    for (let e = begin; e < end; e++) {
      // A group of four takes the order of its first.
      const q = far[2 * (e - ((e - begin) % LANES)) + 1];
      const { s, x, y, z, square } = measure(e);
      const inverse = 1 / Math.sqrt(square);
      const lane: Lane = {
        x: fround(x * inverse),
        y: fround(y * inverse),
        z: fround(z * inverse),
        sourceRatio: fround(unit[s] * inverse),
        leastRatio: fround(least * inverse),
      };
      fillDerivatives(lane, q, recur, constants, derivative);
      for (let degree = 0, k = 0, factor = 1; degree <= q; degree++) {
        for (const next = countOf(degree); k < next; k++)
          for (let i = 0; i < components; i++)
            scaled[i * n + k] = fround(moment[(s * components + i) * n + k] * factor);
        factor = fround(factor * lane.sourceRatio);
      }
      const own = lanes.subarray(((e - begin) % LANES) * n * components);
      contract(lane.leastRatio, q, values, derivative, scaled, own);
    }
    addLocal(order, components, n, least, lanes, local.subarray(target * n * components));
  },
);

function addLocal(
  order: number,
  components: number,
  n: number,
  least: number,
  lanes: Float32Array,
  local: Float64Array,
): void {
  const size = n * components;
  const inverse = 1 / least;
  for (let degree = 0, k = 0, factor = 1; degree <= order; degree++) {
    factor *= inverse;
    for (const next = countOf(degree); k < next; k++) {
      for (let i = 0; i < components; i++) {
        const at = k * components + i;
        const even = lanes[at] + lanes[size + at];
        const odd = lanes[2 * size + at] + lanes[3 * size + at];
        local[i * n + k] = local[i * n + k] + (even + odd) * factor;
      }
    }
  }
}

function fillDerivatives(
  { x, y, z }: Lane,
  q: number,
  recur: Int32Array,
  constants: Float64Array,
  out: Float32Array,
): void {
  out[0] = 1;
  let k = 1;
  for (let degree = 1; degree <= q; degree++) {
    const near = fround((1 - 2 * degree) / degree);
    const wide = fround((1 - degree) / degree);
    for (const next = countOf(degree); k < next; k++) {
      const at = (i: number) => out[recur[6 * k + i] >> 1];
      const one = fround(fround(fround(x * at(0)) + fround(y * at(1))) + fround(z * at(2)));
      const two = fround(fround(at(3) + at(4)) + at(5));
      out[k] = fround(fround(near * one) + fround(wide * two));
    }
  }
  for (let i = 4; i < k; i++) out[i] = fround(out[i] * fround(constants[i]));
}

function contract(
  ratio: number,
  q: number,
  { components, order, firstRow, sums }: Translation,
  derivative: Float32Array,
  scaled: Float32Array,
  lane: Float32Array,
): void {
  const n = countOf(order);
  const factor = [ratio];
  for (let degree = 1; degree <= q; degree++) factor.push(fround(factor[degree - 1] * ratio));
  forEachRow(q, order, firstRow, (k, row, length, degree) => {
    for (let i = 0; i < components; i++) {
      let sum = 0;
      for (let l = 0; l < length; l++)
        sum = fround(sum + fround(derivative[sums[row + l] >> 1] * scaled[i * n + l]));
      const at = k * components + i;
      lane[at] = fround(lane[at] + fround(sum * factor[degree]));
    }
  });
}
