/**
 * Direct sums over point sources for the targets [begin, end): what kernels/point-sums.ts computes, lane by
 * lane, so that the bits agree. Sources in blocks of two, of which ranges are given; targets and sums in
 * columns of `stride`; softening is delta^2.
 */
import { defineKernel, type Loop } from '../core/kernels.ts';
import type { Values } from '../core/records.ts';

const SCALAR_BLOCK = 8;
const VECTOR_BLOCK = 12;

const columns = {
  rangeBegin: 'number',
  rangeEnd: 'number',
  range: 'i32',
  source: 'f64',
  stride: 'number',
  target: 'f64',
  softening: 'number',
  out: 'f64',
} as const;
export type PointSum = Loop<typeof columns>;

/** One lane's share of a target's sum over the blocks [first, last), added to `sums`. */
type AddBlocks = (
  first: number,
  last: number,
  source: Float64Array,
  x: number,
  y: number,
  z: number,
  softening: number,
  sums: Float64Array,
) => void;

/**
 * Runs both lanes over all ranges for each target, and adds lane 0 + lane 1 to each of the `components`
 * columns of out.
 */
function createSum(block: number, components: number, addBlocks: AddBlocks) {
  return (begin: number, end: number, values: Values<typeof columns>): void => {
    const { rangeBegin, rangeEnd, range, source, stride, target, softening, out } = values;
    const lanes = [new Float64Array(3), new Float64Array(3)];
    for (let t = begin; t < end; t++) {
      const x = target[t];
      const y = target[stride + t];
      const z = target[2 * stride + t];
      for (let lane = 0; lane < 2; lane++) {
        lanes[lane].fill(0);
        for (let r = rangeBegin; r < rangeEnd; r++) {
          const first = range[2 * r] * block + lane;
          addBlocks(first, range[2 * r + 1] * block + lane, source, x, y, z, softening, lanes[lane]);
        }
      }
      for (let c = 0; c < components; c++) {
        const at = c * stride + t;
        out[at] = out[at] + (lanes[0][c] + lanes[1][c]);
      }
    }
  };
}

function computeInverseCube(square: number): number {
  const cube = square * Math.sqrt(square);
  return cube > 0 ? 1 / cube : 0;
}

export const sumCharges = defineKernel(
  'sumCharges',
  columns,
  createSum(SCALAR_BLOCK, 1, (first, last, source, x, y, z, softening, sums) => {
    for (let s = first; s < last; s += SCALAR_BLOCK) {
      const dx = x - source[s];
      const dy = y - source[s + 2];
      const dz = z - source[s + 4];
      const square = dx * dx + dy * dy + (dz * dz + softening);
      if (square > 0) sums[0] += source[s + 6] / Math.sqrt(square);
    }
  }),
);

export const sumChargeGradients = defineKernel(
  'sumChargeGradients',
  columns,
  createSum(SCALAR_BLOCK, 3, (first, last, source, x, y, z, softening, sums) => {
    for (let s = first; s < last; s += SCALAR_BLOCK) {
      const dx = x - source[s];
      const dy = y - source[s + 2];
      const dz = z - source[s + 4];
      const w = computeInverseCube(dx * dx + dy * dy + (dz * dz + softening)) * source[s + 6];
      sums[0] -= w * dx;
      sums[1] -= w * dy;
      sums[2] -= w * dz;
    }
  }),
);

export const sumVortices = defineKernel(
  'sumVortices',
  columns,
  createSum(VECTOR_BLOCK, 3, (first, last, source, x, y, z, softening, sums) => {
    for (let s = first; s < last; s += VECTOR_BLOCK) {
      const dx = x - source[s];
      const dy = y - source[s + 2];
      const dz = z - source[s + 4];
      const w = computeInverseCube(dx * dx + dy * dy + (dz * dz + softening));
      const sx = source[s + 6];
      const sy = source[s + 8];
      const sz = source[s + 10];
      sums[0] += w * (sy * dz - sz * dy);
      sums[1] += w * (sz * dx - sx * dz);
      sums[2] += w * (sx * dy - sy * dx);
    }
  }),
);

export const sumDipoles = defineKernel(
  'sumDipoles',
  columns,
  createSum(VECTOR_BLOCK, 1, (first, last, source, x, y, z, softening, sums) => {
    for (let s = first; s < last; s += VECTOR_BLOCK) {
      const dx = x - source[s];
      const dy = y - source[s + 2];
      const dz = z - source[s + 4];
      const w = computeInverseCube(dx * dx + dy * dy + (dz * dz + softening));
      sums[0] += w * (source[s + 6] * dx + source[s + 8] * dy + source[s + 10] * dz);
    }
  }),
);

export const sumVectorCharges = defineKernel(
  'sumVectorCharges',
  columns,
  createSum(VECTOR_BLOCK, 3, (first, last, source, x, y, z, softening, sums) => {
    for (let s = first; s < last; s += VECTOR_BLOCK) {
      const dx = x - source[s];
      const dy = y - source[s + 2];
      const dz = z - source[s + 4];
      const square = dx * dx + dy * dy + (dz * dz + softening);
      const w = square > 0 ? 1 / Math.sqrt(square) : 0;
      sums[0] += w * source[s + 6];
      sums[1] += w * source[s + 8];
      sums[2] += w * source[s + 10];
    }
  }),
);
