/**
 * Expansions of the multipole method: what kernels/expansions.ts computes, with a description of the arrays
 * there. The plain forms do the same operations lane by lane, so that the bits agree.
 */
import { defineKernel } from '../../core/kernels.ts';
import type { Values } from '../../core/records.ts';

const countOf = (order: number) => ((order + 1) * (order + 2) * (order + 3)) / 6;

/** power (n pairs): lane `lane` gets the powers of (x, y, z). */
function fillPowers(
  lane: number,
  d: readonly [number, number, number],
  n: number,
  steps: Int32Array,
  power: Float64Array,
): void {
  power[lane] = 1;
  for (let k = 1; k < n; k++) power[2 * k + lane] = power[2 * steps[2 * k] + lane] * d[steps[2 * k + 1]];
}

/** P2M: the moments of a cell from the source blocks [begin, end). */
export const gatherMoments = defineKernel(
  'gatherMoments',
  {
    cell: 'number',
    components: 'number',
    dipole: 'number',
    order: 'number',
    centre: 'f64',
    source: 'f64',
    steps: 'i32',
    recur: 'i32',
    constants: 'f64',
    moment: 'f64',
    scratch: 'f64',
  },
  (begin, end, values) => {
    const { cell, components, dipole, order, centre, source } = values;
    const { steps, recur, constants, moment, scratch } = values;
    const n = countOf(order);
    const block = 2 * (3 + components);
    const raw = scratch.subarray(2 * (n + 1), 2 * (n + 1) + 2 * n * components).fill(0);
    for (let s = begin * block; s < end * block; s += block) {
      for (let lane = 0; lane < 2; lane++) {
        const x = source[s + lane] - centre[3 * cell];
        const y = source[s + 2 + lane] - centre[3 * cell + 1];
        const z = source[s + 4 + lane] - centre[3 * cell + 2];
        fillPowers(lane, [x, y, z], n, steps, scratch);
        for (let i = 0; i < components; i++) {
          const q = source[s + 6 + 2 * i + lane];
          for (let k = 0; k < n; k++) raw[2 * (k * components + i) + lane] += q * scratch[2 * k + lane];
        }
      }
    }
    for (let j = 0; j < n * components; j++)
      raw[2 * j] = (raw[2 * j] + raw[2 * j + 1]) * constants[2 * n + Math.floor(j / components)];
    if (dipole) {
      for (let k = 0; k < n; k++) {
        let sum = 0;
        for (let i = 0; i < 3; i++) {
          const from = recur[6 * k + i] >> 1;
          if (from < n) sum -= raw[2 * (from * 3 + i)];
        }
        moment[cell * n + k] = sum;
      }
      return;
    }
    for (let k = 0; k < n; k++)
      for (let i = 0; i < components; i++)
        moment[(cell * components + i) * n + k] = raw[2 * (k * components + i)];
  },
);

const shiftColumns = {
  cell: 'number',
  components: 'number',
  order: 'number',
  centre: 'f64',
  steps: 'i32',
  sums: 'i32',
  constants: 'f64',
  expansion: 'f64',
  scratch: 'f64',
} as const;
type Shift = Values<typeof shiftColumns>;

/**
 * Leaves in scratch (n): d^k / k!, d from the cell's centre to that of its child, or back for direction -1.
 */
function fillShift(
  child: number,
  direction: number,
  { cell, order, centre, steps, constants, scratch }: Shift,
): void {
  const n = countOf(order);
  const d = [0, 1, 2].map((i) => direction * (centre[3 * child + i] - centre[3 * cell + i]));
  scratch[0] = 1;
  for (let k = 1; k < n; k++) scratch[k] = scratch[steps[2 * k]] * d[steps[2 * k + 1]];
  for (let k = 1; k < n; k++) scratch[k] = scratch[k] * constants[n + k];
}

/** M2M: the moments of a cell from those of its children [begin, end). */
export const shiftMoments = defineKernel('shiftMoments', shiftColumns, (begin, end, values) => {
  const { cell, components, order, sums, expansion, scratch } = values;
  const n = countOf(order);
  const size = n * components;
  const lanes = scratch.subarray(2 * n, 2 * n + 2 * size).fill(0);
  for (let child = begin; child < end; child++) {
    fillShift(child, -1, values);
    for (let c = 0; c < components; c++) {
      const source = (child * components + c) * n;
      const out = ((child - begin) % 2) * size + c * n;
      forEachRow(order, order, 0, (k, row, length) => {
        for (let l = 0; l < length; l++)
          lanes[out + (sums[row + l] >> 1)] += scratch[k] * expansion[source + l];
      });
    }
  }
  for (let i = 0; i < size; i++) expansion[cell * size + i] = lanes[i] + lanes[size + i];
});

/** L2L: adds the local expansion of a cell to those of its children [begin, end). */
export const shiftLocal = defineKernel('shiftLocal', shiftColumns, (begin, end, values) => {
  const { cell, components, order, sums, expansion, scratch } = values;
  const n = countOf(order);
  for (let child = begin; child < end; child++) {
    fillShift(child, 1, values);
    for (let c = 0; c < components; c++) {
      const source = (cell * components + c) * n;
      const out = (child * components + c) * n;
      forEachRow(order, order, 0, (k, row, length) => {
        let sum = 0;
        for (let l = 0; l < length; l++) sum += scratch[l] * expansion[source + (sums[row + l] >> 1)];
        expansion[out + k] = expansion[out + k] + sum;
      });
    }
  }
});

/** Which cells a translation is between, and how far it goes. */
export const pairColumns = {
  target: 'number',
  components: 'number',
  order: 'number',
  firstRow: 'number',
  softening: 'number',
  far: 'i32',
  centre: 'f64',
} as const;

/** The tables of its derivatives and sums. */
export const derivativeColumns = { sums: 'i32', recur: 'i32', constants: 'f64' } as const;

const translateColumns = {
  ...pairColumns,
  ...derivativeColumns,
  moment: 'f64',
  local: 'f64',
  scratch: 'f64',
} as const;
type Translation = Values<typeof translateColumns>;

/**
 * M2L: adds to the local expansion of a cell, `target`, what the far cells [begin, end) of the list make
 * there.
 */
export const translateMoments = defineKernel('translateMoments', translateColumns, (begin, end, values) => {
  const { target, components, order, far, local, scratch } = values;
  if (begin >= end) return;
  const n = countOf(order);
  const derivative = scratch;
  const lanes = scratch.subarray(2 * (n + 1 + n * components), 2 * (n + 1 + 2 * n * components)).fill(0);
  derivative[2 * n] = 0;
  derivative[2 * n + 1] = 0;
  for (let e = begin; e < end; e += 2) {
    const q = far[2 * e + 1];
    // An odd last entry stands alone in lane 0.
    for (let lane = 0; lane < 2 && e + lane < end; lane++) {
      const from = far[2 * (e + lane)];
      fillDerivatives(lane, from, q, values, derivative);
      contract(lane, from, q, values, derivative, lanes);
    }
  }
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < components; i++) {
      const at = (target * components + i) * n + k;
      const pair = 2 * (k * components + i);
      local[at] = local[at] + (lanes[pair] + lanes[pair + 1]);
    }
  }
});

function fillDerivatives(
  lane: number,
  from: number,
  q: number,
  { target, softening, centre, recur, constants }: Translation,
  out: Float64Array,
): void {
  const x = centre[3 * target] - centre[3 * from];
  const y = centre[3 * target + 1] - centre[3 * from + 1];
  const z = centre[3 * target + 2] - centre[3 * from + 2];
  const inverse = 1 / (x * x + y * y + (z * z + softening));
  out[lane] = Math.sqrt(inverse);
  let k = 1;
  for (let degree = 1; degree <= q; degree++) {
    const near = inverse * ((1 - 2 * degree) / degree);
    const wide = inverse * ((1 - degree) / degree);
    for (const next = countOf(degree); k < next; k++) {
      const r = 6 * k;
      const px = x * out[recur[r] + lane];
      const py = y * out[recur[r + 1] + lane];
      const pz = z * out[recur[r + 2] + lane];
      const two = out[recur[r + 3] + lane] + out[recur[r + 4] + lane] + out[recur[r + 5] + lane];
      out[2 * k + lane] = near * (px + py + pz) + wide * two;
    }
  }
  for (let i = 4; i < k; i++) out[2 * i + lane] *= constants[i];
}

/**
 * The rows k of a contraction of degree <= q, from `firstRow` on: where in `sums` each begins, how many of
 * its entries count, and its degree.
 */
export function forEachRow(
  q: number,
  order: number,
  firstRow: number,
  visit: (k: number, row: number, length: number, degree: number) => void,
): void {
  for (let degree = 0, k = 0, row = 0; degree <= q; degree++) {
    const skip = countOf(order - degree);
    for (const next = countOf(degree); k < next; k++, row += skip)
      if (k >= firstRow) visit(k, row, countOf(q - degree), degree);
  }
}

function contract(
  lane: number,
  from: number,
  q: number,
  { components, order, firstRow, sums, moment }: Translation,
  derivative: Float64Array,
  lanes: Float64Array,
): void {
  const n = countOf(order);
  forEachRow(q, order, firstRow, (k, row, length) => {
    for (let i = 0; i < components; i++) {
      const m = (from * components + i) * n;
      const at = 2 * (k * components + i) + lane;
      let sum = lanes[at];
      for (let l = 0; l < length; l++) sum += derivative[sums[row + l] + lane] * moment[m + l];
      lanes[at] = sum;
    }
  });
}

/** L2P: adds what the local expansion of a cell gives at its targets [begin, end). */
export const evaluateLocal = defineKernel(
  'evaluateLocal',
  {
    cell: 'number',
    kind: 'number',
    order: 'number',
    stride: 'number',
    centre: 'f64',
    target: 'f64',
    steps: 'i32',
    sums: 'i32',
    constants: 'f64',
    local: 'f64',
    out: 'f64',
    scratch: 'f64',
  },
  (begin, end, values) => {
    const { cell, kind, order, stride, centre, target } = values;
    const { steps, sums, constants, local, out, scratch } = values;
    const n = countOf(order);
    const used = kind === 0 || kind === 3 ? n : countOf(order - 1);
    const columns = kind === 0 ? 1 : 3;
    const coefficient = scratch.subarray(2 * n);
    fillPolynomial(kind, n, used, cell, sums, constants, local, coefficient);
    for (let t = begin; t < end; t++) {
      const x = target[t] - centre[3 * cell];
      const y = target[stride + t] - centre[3 * cell + 1];
      const z = target[2 * stride + t] - centre[3 * cell + 2];
      fillPowers(0, [x, y, z], used, steps, scratch);
      for (let i = 0; i < columns; i++) {
        let sum = 0;
        for (let k = 0; k < used; k++) sum += coefficient[k * columns + i] * scratch[2 * k];
        out[i * stride + t] += sum;
      }
    }
  },
);

function fillPolynomial(
  kind: number,
  n: number,
  used: number,
  cell: number,
  sums: Int32Array,
  constants: Float64Array,
  local: Float64Array,
  coefficient: Float64Array,
): void {
  const first = cell * n * (kind >= 2 ? 3 : 1);
  const second = first + n;
  const third = second + n;
  for (let k = 0; k < used; k++) {
    const scale = constants[n + k];
    if (kind === 0) {
      coefficient[k] = local[first + k] * scale;
      continue;
    }
    if (kind === 3) {
      coefficient[3 * k] = local[first + k] * scale;
      coefficient[3 * k + 1] = local[second + k] * scale;
      coefficient[3 * k + 2] = local[third + k] * scale;
      continue;
    }
    const x = sums[n + k] >> 1;
    const y = sums[n + used + k] >> 1;
    const z = sums[n + 2 * used + k] >> 1;
    if (kind === 1) {
      coefficient[3 * k] = local[first + x] * scale;
      coefficient[3 * k + 1] = local[first + y] * scale;
      coefficient[3 * k + 2] = local[first + z] * scale;
    } else {
      coefficient[3 * k] = (local[third + y] - local[second + z]) * scale;
      coefficient[3 * k + 1] = (local[first + z] - local[third + x]) * scale;
      coefficient[3 * k + 2] = (local[second + x] - local[first + y]) * scale;
    }
  }
}
