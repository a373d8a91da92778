/** Twin of kernels/expansions-single.ts: the same operations lane by lane, so that the bits agree. */
import type { SumKernels } from './sum-kernel-types.ts';

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

export function translateMomentsSingleTwin(
  target: number,
  begin: number,
  end: number,
  components: number,
  order: number,
  firstRow: number,
  softening: number,
  far: Int32Array,
  centre: Float64Array,
  unit: Float64Array,
  sums: Int32Array,
  recur: Int32Array,
  constants: Float64Array,
  moment: Float32Array,
  local: Float64Array,
  _scratch: Float32Array,
): void {
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
    contract(lane.leastRatio, q, order, firstRow, components, n, sums, derivative, scaled, own);
  }
  addLocal(order, components, n, least, lanes, local.subarray(target * n * components));
}

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
  order: number,
  firstRow: number,
  components: number,
  n: number,
  sums: Int32Array,
  derivative: Float32Array,
  scaled: Float32Array,
  lane: Float32Array,
): void {
  let factor = ratio;
  for (let degree = 0, k = 0, row = 0; degree <= q; degree++) {
    const length = countOf(q - degree);
    const skip = countOf(order - degree);
    for (const next = countOf(degree); k < next; k++, row += skip) {
      if (k < firstRow) continue;
      for (let i = 0; i < components; i++) {
        let sum = 0;
        for (let l = 0; l < length; l++)
          sum = fround(sum + fround(derivative[sums[row + l] >> 1] * scaled[i * n + l]));
        const at = k * components + i;
        lane[at] = fround(lane[at] + fround(sum * factor));
      }
    }
    factor = fround(factor * ratio);
  }
}

const BLOCK = 24;

type AddSource = (
  source: Float32Array,
  s: number,
  x: number,
  y: number,
  z: number,
  soft: number,
  sums: Float32Array,
  lane: number,
) => void;

export const sumVorticesSingleTwin: SumKernels['sumVorticesSingle'] = (...views) =>
  sumSingle(addVortex, ...views);

export const sumVectorChargesSingleTwin: SumKernels['sumVectorChargesSingle'] = (...views) =>
  sumSingle(addVectorCharge, ...views);

function sumSingle(
  add: AddSource,
  begin: number,
  end: number,
  rangeBegin: number,
  rangeEnd: number,
  range: Int32Array,
  source: Float32Array,
  stride: number,
  target: Float64Array,
  centre: Float64Array,
  softening: number,
  out: Float64Array,
): void {
  const soft = fround(softening);
  const sums = new Float32Array(3 * LANES);
  for (let t = begin; t < end; t++) {
    sums.fill(0);
    for (let r = rangeBegin; r < rangeEnd; r++) {
      const leaf = 3 * range[3 * r + 2];
      const x = fround(target[t] - centre[leaf]);
      const y = fround(target[stride + t] - centre[leaf + 1]);
      const z = fround(target[2 * stride + t] - centre[leaf + 2]);
      for (let block = range[3 * r]; block < range[3 * r + 1]; block++)
        for (let lane = 0; lane < LANES; lane++) add(source, block * BLOCK + lane, x, y, z, soft, sums, lane);
    }
    for (let c = 0; c < 3; c++) {
      const even = sums[c * LANES] + sums[c * LANES + 1];
      const odd = sums[c * LANES + 2] + sums[c * LANES + 3];
      out[c * stride + t] = out[c * stride + t] + (even + odd);
    }
  }
}

function addVortex(
  source: Float32Array,
  s: number,
  x: number,
  y: number,
  z: number,
  soft: number,
  sums: Float32Array,
  lane: number,
): void {
  const dx = fround(x - source[s]);
  const dy = fround(y - source[s + 4]);
  const dz = fround(z - source[s + 8]);
  const xy = fround(fround(dx * dx) + fround(dy * dy));
  const square = fround(xy + fround(fround(dz * dz) + soft));
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
}

function addVectorCharge(
  source: Float32Array,
  s: number,
  x: number,
  y: number,
  z: number,
  soft: number,
  sums: Float32Array,
  lane: number,
): void {
  const dx = fround(x - source[s]);
  const dy = fround(y - source[s + 4]);
  const dz = fround(z - source[s + 8]);
  const xy = fround(fround(dx * dx) + fround(dy * dy));
  const square = fround(xy + fround(fround(dz * dz) + soft));
  const w = square > 0 ? fround(1 / fround(Math.sqrt(square))) : 0;
  for (let c = 0; c < 3; c++)
    sums[c * LANES + lane] = fround(sums[c * LANES + lane] + fround(w * source[s + 12 + 4 * c]));
}
