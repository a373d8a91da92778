/**
 * Direct sums in single precision, four sources at a time: what kernels/point-sums.ts computes, lane by lane,
 * so that the bits agree.
 */
import { defineKernel } from '../core/kernels.ts';
import { sumKernelCodes } from './sum-kernels.ts';

const { fround } = Math;
const LANES = 4;

/** The way from a source to the target, and its square softened. */
interface Ray {
  dx: number;
  dy: number;
  dz: number;
  square: number;
}

/** Adds the source at s to a lane's sums. */
type AddSource = (source: Float32Array, s: number, ray: Ray, sums: Float32Array, lane: number) => void;

const addVortex: AddSource = (source, s, { dx, dy, dz, square }, sums, lane) => {
  const w = fround(1 / fround(square * fround(Math.sqrt(square))));
  const sx = source[s + 12];
  const sy = source[s + 16];
  const sz = source[s + 20];
  const ux = fround(w * fround(fround(sy * dz) - fround(sz * dy)));
  const uy = fround(w * fround(fround(sz * dx) - fround(sx * dz)));
  const uz = fround(w * fround(fround(sx * dy) - fround(sy * dx)));
  sums[lane] = fround(sums[lane] + ux);
  sums[LANES + lane] = fround(sums[LANES + lane] + uy);
  sums[2 * LANES + lane] = fround(sums[2 * LANES + lane] + uz);
};

const addVectorCharge: AddSource = (source, s, { square }, sums, lane) => {
  const w = square > 0 ? fround(1 / fround(Math.sqrt(square))) : 0;
  for (let c = 0; c < 3; c++)
    sums[c * LANES + lane] = fround(sums[c * LANES + lane] + fround(w * source[s + 12 + 4 * c]));
};

const addCharge: AddSource = (source, s, { square }, sums, lane) => {
  const w = square > 0 ? fround(1 / fround(Math.sqrt(square))) : 0;
  sums[lane] = fround(sums[lane] + fround(w * source[s + 12]));
};

const { potential, biotSavart } = sumKernelCodes;

/** As addPointSums in single precision: both potentials and Biot-Savart, for the targets [begin, end). */
export const addPointSumsSingle = defineKernel(
  'addPointSumsSingle',
  {
    code: 'number',
    rangeBegin: 'number',
    rangeEnd: 'number',
    range: 'i32',
    source: 'f32',
    stride: 'number',
    target: 'f64',
    centre: 'f64',
    softening: 'number',
    out: 'f64',
  },
  (begin, end, { code, rangeBegin, rangeEnd, range, source, stride, target, centre, softening, out }) => {
    const add = code === potential ? addCharge : code === biotSavart ? addVortex : addVectorCharge;
    /** Strengths of a source, and columns of sums. */
    const size = code === potential ? 1 : 3;
    const soft = fround(softening);
    const sums = new Float32Array(3 * LANES);
    const ray = { dx: 0, dy: 0, dz: 0, square: 0 };
    for (let t = begin; t < end; t++) {
      sums.fill(0);
      for (let r = rangeBegin; r < rangeEnd; r++) {
        const leaf = 3 * range[3 * r + 2];
        const x = fround(target[t] - centre[leaf]);
        const y = fround(target[stride + t] - centre[leaf + 1]);
        const z = fround(target[2 * stride + t] - centre[leaf + 2]);
        for (let block = range[3 * r]; block < range[3 * r + 1]; block++)
          for (let lane = 0; lane < LANES; lane++) {
            const s = LANES * (3 + size) * block + lane;
            ray.dx = fround(x - source[s]);
            ray.dy = fround(y - source[s + 4]);
            ray.dz = fround(z - source[s + 8]);
            const xy = fround(fround(ray.dx * ray.dx) + fround(ray.dy * ray.dy));
            ray.square = fround(xy + fround(fround(ray.dz * ray.dz) + soft));
            add(source, s, ray, sums, lane);
          }
      }
      for (let c = 0; c < size; c++) {
        const even = sums[c * LANES] + sums[c * LANES + 1];
        const odd = sums[c * LANES + 2] + sums[c * LANES + 3];
        out[c * stride + t] = out[c * stride + t] + (even + odd);
      }
    }
  },
);
