/**
 * Direct sums over point sources for the targets [begin, end): what kernels/point-sums.ts computes, lane by
 * lane, so that the bits agree. Sources in blocks of two, of which ranges are given; targets and sums in
 * columns of `stride`; softening is delta^2.
 */
import { defineKernel } from '../core/kernels.ts';
import { sumKernelCodes } from './sum-kernels.ts';

/** A source's way to the target, the square of its length softened, and where its strength stands. */
interface Ray {
  dx: number;
  dy: number;
  dz: number;
  square: number;
  at: number;
}

interface Sum {
  /** Numbers of a block: two points with one, or with three, components of strength. */
  readonly block: 8 | 12;
  readonly components: 1 | 3;
  /** Adds a source to a lane's sums. */
  add(source: Float64Array, ray: Ray, sums: Float64Array): void;
}

function computeInverseCube(square: number): number {
  const cube = square * Math.sqrt(square);
  return cube > 0 ? 1 / cube : 0;
}

/** By code. */
const sumOf: Readonly<Record<number, Sum>> = {
  [sumKernelCodes.potential]: {
    block: 8,
    components: 1,
    add(source, { square, at }, sums) {
      if (square > 0) sums[0] += source[at] / Math.sqrt(square);
    },
  },
  [sumKernelCodes.gradient]: {
    block: 8,
    components: 3,
    add(source, { dx, dy, dz, square, at }, sums) {
      const w = computeInverseCube(square) * source[at];
      sums[0] -= w * dx;
      sums[1] -= w * dy;
      sums[2] -= w * dz;
    },
  },
  [sumKernelCodes.biotSavart]: {
    block: 12,
    components: 3,
    add(source, { dx, dy, dz, square, at }, sums) {
      const w = computeInverseCube(square);
      const [sx, sy, sz] = [source[at], source[at + 2], source[at + 4]];
      sums[0] += w * (sy * dz - sz * dy);
      sums[1] += w * (sz * dx - sx * dz);
      sums[2] += w * (sx * dy - sy * dx);
    },
  },
  [sumKernelCodes.doubleLayer]: {
    block: 12,
    components: 1,
    add(source, { dx, dy, dz, square, at }, sums) {
      sums[0] += computeInverseCube(square) * (source[at] * dx + source[at + 2] * dy + source[at + 4] * dz);
    },
  },
  [sumKernelCodes.vectorPotential]: {
    block: 12,
    components: 3,
    add(source, { square, at }, sums) {
      const w = square > 0 ? 1 / Math.sqrt(square) : 0;
      for (let c = 0; c < 3; c++) sums[c] += w * source[at + 2 * c];
    },
  },
};

/** `code` says which sum (sumKernelCodes). Lane 0 + lane 1 is added to each column of out. */
export const addPointSums = defineKernel(
  'addPointSums',
  {
    code: 'number',
    rangeBegin: 'number',
    rangeEnd: 'number',
    range: 'i32',
    source: 'f64',
    stride: 'number',
    target: 'f64',
    softening: 'number',
    out: 'f64',
  },
  (begin, end, { code, rangeBegin, rangeEnd, range, source, stride, target, softening, out }) => {
    const { block, components, add } = sumOf[code];
    const lanes = [new Float64Array(3), new Float64Array(3)];
    const ray = { dx: 0, dy: 0, dz: 0, square: 0, at: 0 };
    for (let t = begin; t < end; t++) {
      for (let lane = 0; lane < 2; lane++) {
        lanes[lane].fill(0);
        for (let r = rangeBegin; r < rangeEnd; r++) {
          const last = range[2 * r + 1] * block + lane;
          for (let s = range[2 * r] * block + lane; s < last; s += block) {
            ray.dx = target[t] - source[s];
            ray.dy = target[stride + t] - source[s + 2];
            ray.dz = target[2 * stride + t] - source[s + 4];
            ray.square = ray.dx * ray.dx + ray.dy * ray.dy + (ray.dz * ray.dz + softening);
            ray.at = s + 6;
            add(source, ray, lanes[lane]);
          }
        }
      }
      for (let c = 0; c < components; c++) {
        const at = c * stride + t;
        out[at] = out[at] + (lanes[0][c] + lanes[1][c]);
      }
    }
  },
);
