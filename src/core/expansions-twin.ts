/** Twin of kernels/expansions.ts: the same operations lane by lane, so that the bits agree. Arrays are described there. */

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

export function gatherMomentsTwin(
  cell: number,
  first: number,
  end: number,
  components: number,
  dipole: number,
  order: number,
  centre: Float64Array,
  source: Float64Array,
  steps: Int32Array,
  recur: Int32Array,
  constants: Float64Array,
  moment: Float64Array,
  scratch: Float64Array,
): void {
  const n = countOf(order);
  const block = 2 * (3 + components);
  const raw = scratch.subarray(2 * (n + 1), 2 * (n + 1) + 2 * n * components).fill(0);
  for (let s = first * block; s < end * block; s += block) {
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
}

/** shift (n): d^k / k!, d from the centre of cell a to that of cell b, or back for direction -1. */
function fillShift(
  a: number,
  b: number,
  direction: number,
  n: number,
  centre: Float64Array,
  steps: Int32Array,
  constants: Float64Array,
  shift: Float64Array,
): void {
  const d = [0, 1, 2].map((i) => direction * (centre[3 * b + i] - centre[3 * a + i]));
  shift[0] = 1;
  for (let k = 1; k < n; k++) shift[k] = shift[steps[2 * k]] * d[steps[2 * k + 1]];
  for (let k = 1; k < n; k++) shift[k] = shift[k] * constants[n + k];
}

export function shiftMomentsTwin(
  to: number,
  first: number,
  count: number,
  components: number,
  order: number,
  centre: Float64Array,
  steps: Int32Array,
  sums: Int32Array,
  constants: Float64Array,
  moment: Float64Array,
  scratch: Float64Array,
): void {
  const n = countOf(order);
  const size = n * components;
  const lanes = scratch.subarray(2 * n, 2 * n + 2 * size).fill(0);
  for (let child = 0; child < count; child++) {
    fillShift(to, first + child, -1, n, centre, steps, constants, scratch);
    for (let c = 0; c < components; c++) {
      const source = ((first + child) * components + c) * n;
      const out = (child % 2) * size + c * n;
      for (let degree = 0, k = 0, row = 0; degree <= order; degree++) {
        const length = countOf(order - degree);
        for (const next = countOf(degree); k < next; k++, row += length)
          for (let l = 0; l < length; l++)
            lanes[out + (sums[row + l] >> 1)] += scratch[k] * moment[source + l];
      }
    }
  }
  for (let i = 0; i < size; i++) moment[to * size + i] = lanes[i] + lanes[size + i];
}

export function shiftLocalTwin(
  from: number,
  first: number,
  count: number,
  components: number,
  order: number,
  centre: Float64Array,
  steps: Int32Array,
  sums: Int32Array,
  constants: Float64Array,
  local: Float64Array,
  scratch: Float64Array,
): void {
  const n = countOf(order);
  for (let child = first; child < first + count; child++) {
    fillShift(from, child, 1, n, centre, steps, constants, scratch);
    for (let c = 0; c < components; c++) {
      const source = (from * components + c) * n;
      const out = (child * components + c) * n;
      for (let degree = 0, k = 0, row = 0; degree <= order; degree++) {
        const length = countOf(order - degree);
        for (const next = countOf(degree); k < next; k++, row += length) {
          let sum = 0;
          for (let l = 0; l < length; l++) sum += scratch[l] * local[source + (sums[row + l] >> 1)];
          local[out + k] = local[out + k] + sum;
        }
      }
    }
  }
}

export function translateMomentsTwin(
  target: number,
  begin: number,
  end: number,
  components: number,
  order: number,
  firstRow: number,
  softening: number,
  far: Int32Array,
  centre: Float64Array,
  sums: Int32Array,
  recur: Int32Array,
  constants: Float64Array,
  moment: Float64Array,
  local: Float64Array,
  scratch: Float64Array,
): void {
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
      fillDerivatives(lane, target, from, softening, q, centre, recur, constants, derivative);
      contract(lane, q, order, firstRow, components, n, sums, derivative, moment, from, lanes);
    }
  }
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < components; i++) {
      const at = (target * components + i) * n + k;
      const pair = 2 * (k * components + i);
      local[at] = local[at] + (lanes[pair] + lanes[pair + 1]);
    }
  }
}

function fillDerivatives(
  lane: number,
  target: number,
  from: number,
  softening: number,
  q: number,
  centre: Float64Array,
  recur: Int32Array,
  constants: Float64Array,
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

function contract(
  lane: number,
  q: number,
  order: number,
  firstRow: number,
  components: number,
  n: number,
  sums: Int32Array,
  derivative: Float64Array,
  moment: Float64Array,
  from: number,
  lanes: Float64Array,
): void {
  for (let degree = 0, k = 0, row = 0; degree <= q; degree++) {
    const length = countOf(q - degree);
    const skip = countOf(order - degree);
    for (const next = countOf(degree); k < next; k++, row += skip) {
      if (k < firstRow) continue;
      for (let i = 0; i < components; i++) {
        const m = (from * components + i) * n;
        const at = 2 * (k * components + i) + lane;
        let sum = lanes[at];
        for (let l = 0; l < length; l++) sum += derivative[sums[row + l] + lane] * moment[m + l];
        lanes[at] = sum;
      }
    }
  }
}

export function evaluateLocalTwin(
  cell: number,
  begin: number,
  end: number,
  kind: number,
  order: number,
  stride: number,
  centre: Float64Array,
  target: Float64Array,
  steps: Int32Array,
  sums: Int32Array,
  constants: Float64Array,
  local: Float64Array,
  out: Float64Array,
  scratch: Float64Array,
): void {
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
}

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
