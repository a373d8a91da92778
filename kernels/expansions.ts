/**
 * Cartesian expansions of the regularised Laplace kernel Phi = (|r|^2 + delta^2)^(-1/2) for the multipole
 * method (src/integrals/multipole/multi-index.ts: the graded order of coefficients). Those of degree <= q are
 * the first (q+1)(q+2)(q+3)/6. A cell has its coefficients one component after the other.
 *
 * steps (n x 2) Int32: multi-index k = steps[k][0] + unit vector of axis steps[k][1]; entry 0 is not read.
 * sums Int32: row by row the index of k + l, times 2, for all l with |k| + |l| <= order.
 * recur (n x 6) Int32: indices of k - e_x, k - e_y, k - e_z, k - 2 e_x, ..., times 2; n where there is none.
 * constants (3 n): k!, 1 / k!, (-1)^|k| / k!.
 * Factors 2 make an index a place in an array of pairs of lanes. Lanes are two sources, two targets or two
 * source cells; their order in sums is part of the definition.
 */

/** Number of multi-indices of degree <= order. */
function countOf(order: i32): usize {
  return <usize>(((order + 1) * (order + 2) * (order + 3)) / 6);
}

/** power (n lanes): x^k for all k of degree <= order. */
function fillPowers(x: v128, y: v128, z: v128, n: usize, steps: usize, power: usize): void {
  v128.store(power, f64x2.splat(1));
  for (let k: usize = 1; k < n; k++) {
    const step = steps + (k << 3);
    const axis = load<i32>(step, 4);
    const d = axis === 0 ? x : axis === 1 ? y : z;
    v128.store(power + (k << 4), f64x2.mul(v128.load(power + ((<usize>load<i32>(step)) << 4)), d));
  }
}

/**
 * P2M: moments M_k = sum s (-d)^k / k! of the source blocks [begin, end), d = y - the cell's centre. Vortices
 * have components 3, dipole 0; charges 1, 0; dipoles 3, 1: M_k = -sum_i m_i (-d)^(k-e_i) / (k-e_i)!, of one
 * component. scratch: (n + 1 + 3 n) pairs.
 */
export function gatherMoments(
  begin: i32,
  end: i32,
  cell: i32,
  components: i32,
  dipole: i32,
  order: i32,
  centre: usize,
  source: usize,
  steps: usize,
  recur: usize,
  constants: usize,
  moment: usize,
  scratch: usize,
): void {
  const n = countOf(order);
  const c = <usize>components;
  const block = (3 + c) << 4;
  const at = centre + <usize>cell * 24;
  const cx = v128.load64_splat(at);
  const cy = v128.load64_splat(at, 8);
  const cz = v128.load64_splat(at, 16);
  const raw = scratch + ((n + 1) << 4);
  for (let k: usize = 0; k < n * c; k++) v128.store(raw + (k << 4), f64x2.splat(0));
  let s = source + <usize>begin * block;
  const last = source + <usize>end * block;
  for (; s < last; s += block) {
    const x = f64x2.sub(v128.load(s), cx);
    const y = f64x2.sub(v128.load(s, 16), cy);
    const z = f64x2.sub(v128.load(s, 32), cz);
    fillPowers(x, y, z, n, steps, scratch);
    if (c === 1) addCharge(n, v128.load(s, 48), scratch, raw);
    else addVector(n, v128.load(s, 48), v128.load(s, 64), v128.load(s, 80), scratch, raw);
  }
  const factor = constants + n * 16;
  if (dipole) {
    const out = moment + <usize>cell * n * 8;
    for (let k: usize = 0; k < n * 3; k++) scaleLanes(raw + (k << 4), factor + ((k / 3) << 3));
    for (let k: usize = 0; k < n; k++) {
      let sum: f64 = 0;
      for (let i: usize = 0; i < 3; i++) {
        const from = <usize>load<i32>(recur + k * 24 + (i << 2)) >> 1;
        if (from < n) sum -= load<f64>(raw + ((from * 3 + i) << 4));
      }
      store<f64>(out + (k << 3), sum);
    }
  } else {
    const out = moment + <usize>cell * n * c * 8;
    for (let k: usize = 0; k < n; k++) {
      for (let i: usize = 0; i < c; i++) {
        const from = raw + ((k * c + i) << 4);
        scaleLanes(from, factor + (k << 3));
        store<f64>(out + ((i * n + k) << 3), load<f64>(from));
      }
    }
  }
}

/** The first entry of a pair becomes the sum of both times the factor. */
function scaleLanes(pair: usize, factor: usize): void {
  store<f64>(pair, (load<f64>(pair) + load<f64>(pair, 8)) * load<f64>(factor));
}

function addCharge(n: usize, q: v128, power: usize, raw: usize): void {
  const last = power + (n << 4);
  for (; power < last; power += 16) {
    v128.store(raw, f64x2.add(v128.load(raw), f64x2.mul(q, v128.load(power))));
    raw += 16;
  }
}

function addVector(n: usize, qx: v128, qy: v128, qz: v128, power: usize, raw: usize): void {
  const last = power + (n << 4);
  for (; power < last; power += 16) {
    const t = v128.load(power);
    v128.store(raw, f64x2.add(v128.load(raw), f64x2.mul(qx, t)));
    v128.store(raw, f64x2.add(v128.load(raw, 16), f64x2.mul(qy, t)), 16);
    v128.store(raw, f64x2.add(v128.load(raw, 32), f64x2.mul(qz, t)), 32);
    raw += 48;
  }
}

/** shift (n pairs): d^k / k!, d from the first cell's centre to the others' two, or back for direction -1. */
function fillShifts(
  from: usize,
  a: usize,
  b: usize,
  direction: f64,
  n: usize,
  steps: usize,
  constants: usize,
  shift: usize,
): void {
  const sign = f64x2.splat(direction);
  const x = f64x2.sub(v128.load64_lane(b, v128.load64_zero(a), 1), v128.load64_splat(from));
  const y = f64x2.sub(v128.load64_lane(b + 8, v128.load64_zero(a, 8), 1), v128.load64_splat(from, 8));
  const z = f64x2.sub(v128.load64_lane(b + 16, v128.load64_zero(a, 16), 1), v128.load64_splat(from, 16));
  fillPowers(f64x2.mul(sign, x), f64x2.mul(sign, y), f64x2.mul(sign, z), n, steps, shift);
  const inverse = constants + n * 8;
  for (let k: usize = 1; k < n; k++) {
    const at = shift + (k << 4);
    v128.store(at, f64x2.mul(v128.load(at), v128.load64_splat(inverse + (k << 3))));
  }
}

/**
 * M2M: the moments of a cell from those of its children [begin, end), two at a time: with s = cell - child
 * M'_(k+l) = sum M_l s^k / k!, since cell - y = (child - y) + s. scratch: (n + 2 components n) pairs.
 */
export function shiftMoments(
  begin: i32,
  end: i32,
  cell: i32,
  components: i32,
  order: i32,
  centre: usize,
  steps: usize,
  sums: usize,
  constants: usize,
  expansion: usize,
  scratch: usize,
): void {
  const n = countOf(order);
  const c = <usize>components;
  const pairs = scratch + (n << 4);
  const lanes = pairs + ((n * c) << 4);
  for (let k: usize = 0; k < n * c; k++) v128.store(lanes + (k << 4), f64x2.splat(0));
  const at = centre + <usize>cell * 24;
  for (let child = begin; child < end; child += 2) {
    const isPair = child + 1 < end;
    const a = centre + <usize>child * 24;
    fillShifts(at, a, isPair ? a + 24 : a, -1, n, steps, constants, scratch);
    const m = expansion + <usize>child * n * c * 8;
    pairMoments(m, m + n * c * 8, n, n, c, isPair, pairs);
    let row = sums;
    let k: usize = 0;
    for (let degree = 0; degree <= order; degree++) {
      const length = countOf(order - degree) << 2;
      for (const next = countOf(degree); k < next; k++) {
        const factor = v128.load(scratch + (k << 4));
        if (c === 1) spreadScalar(row, row + length, factor, pairs, lanes);
        else spreadVector(row, row + length, factor, pairs, lanes);
        row += length;
      }
    }
  }
  const out = expansion + <usize>cell * n * c * 8;
  for (let k: usize = 0; k < n; k++) {
    for (let i: usize = 0; i < c; i++) {
      const from = lanes + ((k * c + i) << 4);
      store<f64>(out + ((i * n + k) << 3), load<f64>(from) + load<f64>(from, 8));
    }
  }
}

/** Coefficients of two cells side by side, component by component; lane 1 is 0 without a second cell. */
function pairMoments(a: usize, b: usize, n: usize, used: usize, c: usize, isPair: bool, pairs: usize): void {
  for (let i: usize = 0; i < c; i++) {
    let out = pairs + (i << 4);
    for (let k: usize = 0; k < used; k++) {
      const place = (i * n + k) << 3;
      const one = v128.load64_zero(a + place);
      v128.store(out, isPair ? v128.load64_lane(b + place, one, 1) : one);
      out += c << 4;
    }
  }
}

function spreadScalar(row: usize, last: usize, factor: v128, m: usize, lanes: usize): void {
  for (; row < last; row += 4) {
    const out = lanes + ((<usize>load<u32>(row)) << 3);
    v128.store(out, f64x2.add(v128.load(out), f64x2.mul(factor, v128.load(m))));
    m += 16;
  }
}

function spreadVector(row: usize, last: usize, factor: v128, m: usize, lanes: usize): void {
  for (; row < last; row += 4) {
    const out = lanes + <usize>load<u32>(row) * 24;
    v128.store(out, f64x2.add(v128.load(out), f64x2.mul(factor, v128.load(m))));
    v128.store(out, f64x2.add(v128.load(out, 16), f64x2.mul(factor, v128.load(m, 16))), 16);
    v128.store(out, f64x2.add(v128.load(out, 32), f64x2.mul(factor, v128.load(m, 32))), 32);
    m += 48;
  }
}

/**
 * L2L: adds the local expansion of a cell to those of its children [begin, end), two at a time:
 * L'_k = sum L_(k+l) s^l / l!, s from the cell's centre to the child's. scratch: n pairs.
 */
export function shiftLocal(
  begin: i32,
  end: i32,
  cell: i32,
  components: i32,
  order: i32,
  centre: usize,
  steps: usize,
  sums: usize,
  constants: usize,
  expansion: usize,
  scratch: usize,
): void {
  const n = countOf(order);
  const c = <usize>components;
  const source = expansion + <usize>cell * n * c * 8;
  for (let child = begin; child < end; child += 2) {
    const isPair = child + 1 < end;
    const a = centre + <usize>child * 24;
    fillShifts(centre + <usize>cell * 24, a, isPair ? a + 24 : a, 1, n, steps, constants, scratch);
    const one = expansion + <usize>child * n * c * 8;
    const two = isPair ? one + n * c * 8 : 0;
    let row = sums;
    let k: usize = 0;
    for (let degree = 0; degree <= order; degree++) {
      const length = countOf(order - degree) << 2;
      for (const next = countOf(degree); k < next; k++) {
        if (c === 1) addRow(row, row + length, source, scratch, one + (k << 3), two + (k << 3), isPair);
        else addRows(row, row + length, n << 3, source, scratch, one + (k << 3), two + (k << 3), isPair);
        row += length;
      }
    }
  }
}

/** Lane 0 to a, lane 1 to b. */
function addApart(v: v128, a: usize, b: usize, isPair: bool): void {
  store<f64>(a, load<f64>(a) + f64x2.extract_lane(v, 0));
  if (isPair) store<f64>(b, load<f64>(b) + f64x2.extract_lane(v, 1));
}

function addRow(
  row: usize,
  last: usize,
  source: usize,
  shift: usize,
  a: usize,
  b: usize,
  isPair: bool,
): void {
  let sum = f64x2.splat(0);
  for (; row < last; row += 4) {
    const l = v128.load64_splat(source + ((<usize>load<u32>(row)) << 2));
    sum = f64x2.add(sum, f64x2.mul(v128.load(shift), l));
    shift += 16;
  }
  addApart(sum, a, b, isPair);
}

function addRows(
  row: usize,
  last: usize,
  column: usize,
  source: usize,
  shift: usize,
  a: usize,
  b: usize,
  isPair: bool,
): void {
  let x = f64x2.splat(0);
  let y = x;
  let z = x;
  for (; row < last; row += 4) {
    const l = source + ((<usize>load<u32>(row)) << 2);
    const s = v128.load(shift);
    x = f64x2.add(x, f64x2.mul(s, v128.load64_splat(l)));
    y = f64x2.add(y, f64x2.mul(s, v128.load64_splat(l + column)));
    z = f64x2.add(z, f64x2.mul(s, v128.load64_splat(l + 2 * column)));
    shift += 16;
  }
  addApart(x, a, b, isPair);
  addApart(y, a + column, b + column, isPair);
  addApart(z, a + 2 * column, b + 2 * column, isPair);
}

/**
 * M2L: adds to the local expansion of cell `target` the far fields of the entries [begin, end) of far (pairs
 * of source cell and order of that interaction, orders falling), L_k = sum_l D_(k+l) M_l with |k| + |l| <=
 * order of the entry. Two entries at a time, in two lanes, at the order of the first. Row k = 0 is left out
 * when firstRow is 1: gradients do not need it. scratch: (n + 1 + 2 components n) pairs.
 */
export function translateMoments(
  begin: i32,
  end: i32,
  target: i32,
  components: i32,
  order: i32,
  firstRow: i32,
  softening: f64,
  far: usize,
  centre: usize,
  sums: usize,
  recur: usize,
  constants: usize,
  moment: usize,
  local: usize,
  scratch: usize,
): void {
  if (begin >= end) return;
  const n = countOf(order);
  const c = <usize>components;
  const derivative = scratch;
  const pairs = scratch + ((n + 1) << 4);
  const lanes = pairs + ((n * c) << 4);
  for (let k: usize = 0; k < n * c; k++) v128.store(lanes + (k << 4), f64x2.splat(0));
  v128.store(derivative + (n << 4), f64x2.splat(0));
  const at = centre + <usize>target * 24;
  for (let e = begin; e < end; e += 2) {
    const entry = far + ((<usize>e) << 3);
    const q = load<i32>(entry, 4);
    const first = <usize>load<i32>(entry);
    const isPair = e + 1 < end;
    const second = isPair ? <usize>load<i32>(entry, 8) : first;
    fillDerivatives(
      at,
      centre + first * 24,
      centre + second * 24,
      softening,
      q,
      recur,
      constants,
      derivative,
    );
    const used = countOf(q);
    const a = moment + first * n * c * 8;
    const b = moment + second * n * c * 8;
    pairMoments(a, b, n, used, c, isPair, pairs);
    if (c === 1) contractScalar(q, order, firstRow, sums, derivative, pairs, lanes);
    else contractVector(q, order, firstRow, sums, derivative, pairs, lanes);
  }
  const out = local + <usize>target * n * c * 8;
  for (let k: usize = 0; k < n; k++) {
    for (let i: usize = 0; i < c; i++) {
      const from = lanes + ((k * c + i) << 4);
      const to = out + ((i * n + k) << 3);
      store<f64>(to, load<f64>(to) + (load<f64>(from) + load<f64>(from, 8)));
    }
  }
}

/**
 * Derivatives of Phi of degree <= q at t - a (lane 0) and t - b (lane 1), by the recurrence of its Taylor
 * coefficients: with m = |k|, m rho^2 a_k = -(2m - 1) sum_i x_i a_(k-e_i) - (m - 1) sum_i a_(k-2e_i).
 */
function fillDerivatives(
  t: usize,
  a: usize,
  b: usize,
  softening: f64,
  q: i32,
  recur: usize,
  constants: usize,
  derivative: usize,
): void {
  const x = f64x2.sub(v128.load64_splat(t), v128.load64_lane(b, v128.load64_zero(a), 1));
  const y = f64x2.sub(v128.load64_splat(t, 8), v128.load64_lane(b + 8, v128.load64_zero(a, 8), 1));
  const z = f64x2.sub(v128.load64_splat(t, 16), v128.load64_lane(b + 16, v128.load64_zero(a, 16), 1));
  const xy = f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y));
  const square = f64x2.add(xy, f64x2.add(f64x2.mul(z, z), f64x2.splat(softening)));
  const inverse = f64x2.div(f64x2.splat(1), square);
  v128.store(derivative, f64x2.sqrt(inverse));
  let k: usize = 1;
  let r = recur + 24;
  for (let degree = 1; degree <= q; degree++) {
    const m = <f64>degree;
    const near = f64x2.mul(inverse, f64x2.splat((1 - 2 * m) / m));
    const wide = f64x2.mul(inverse, f64x2.splat((1 - m) / m));
    for (const next = countOf(degree); k < next; k++) {
      const px = f64x2.mul(x, v128.load(derivative + ((<usize>load<i32>(r)) << 3)));
      const py = f64x2.mul(y, v128.load(derivative + ((<usize>load<i32>(r, 4)) << 3)));
      const pz = f64x2.mul(z, v128.load(derivative + ((<usize>load<i32>(r, 8)) << 3)));
      const qx = v128.load(derivative + ((<usize>load<i32>(r, 12)) << 3));
      const qy = v128.load(derivative + ((<usize>load<i32>(r, 16)) << 3));
      const qz = v128.load(derivative + ((<usize>load<i32>(r, 20)) << 3));
      const one = f64x2.mul(near, f64x2.add(f64x2.add(px, py), pz));
      const two = f64x2.mul(wide, f64x2.add(f64x2.add(qx, qy), qz));
      v128.store(derivative + (k << 4), f64x2.add(one, two));
      r += 24;
    }
  }
  for (let i: usize = 4; i < k; i++) {
    const at = derivative + (i << 4);
    v128.store(at, f64x2.mul(v128.load(at), v128.load64_splat(constants + (i << 3))));
  }
}

function contractVector(
  q: i32,
  order: i32,
  firstRow: i32,
  sums: usize,
  derivative: usize,
  pairs: usize,
  lanes: usize,
): void {
  let row = sums;
  let k: usize = 0;
  for (let degree = 0; degree <= q; degree++) {
    const length = countOf(q - degree) << 2;
    const skip = countOf(order - degree) << 2;
    for (const next = countOf(degree); k < next; k++) {
      if (<i32>k >= firstRow) {
        const out = lanes + k * 48;
        let m = pairs;
        let sx = v128.load(out);
        let sy = v128.load(out, 16);
        let sz = v128.load(out, 32);
        const last = row + length;
        for (let at = row; at < last; at += 4) {
          const d = v128.load(derivative + ((<usize>load<u32>(at)) << 3));
          sx = f64x2.add(sx, f64x2.mul(d, v128.load(m)));
          sy = f64x2.add(sy, f64x2.mul(d, v128.load(m, 16)));
          sz = f64x2.add(sz, f64x2.mul(d, v128.load(m, 32)));
          m += 48;
        }
        v128.store(out, sx);
        v128.store(out, sy, 16);
        v128.store(out, sz, 32);
      }
      row += skip;
    }
  }
}

function contractScalar(
  q: i32,
  order: i32,
  firstRow: i32,
  sums: usize,
  derivative: usize,
  pairs: usize,
  lanes: usize,
): void {
  let row = sums;
  let k: usize = 0;
  for (let degree = 0; degree <= q; degree++) {
    const length = countOf(q - degree) << 2;
    const skip = countOf(order - degree) << 2;
    for (const next = countOf(degree); k < next; k++) {
      if (<i32>k >= firstRow) {
        const out = lanes + (k << 4);
        let m = pairs;
        let sum = v128.load(out);
        const last = row + length;
        for (let at = row; at < last; at += 4) {
          const d = v128.load(derivative + ((<usize>load<u32>(at)) << 3));
          sum = f64x2.add(sum, f64x2.mul(d, v128.load(m)));
          m += 16;
        }
        v128.store(out, sum);
      }
      row += skip;
    }
  }
}

/**
 * L2P: adds to the columns of out the local expansion of a cell at its targets [begin, end), an even number.
 * Kind: 0 value, 1 gradient (of one component), 2 curl, 3 values (of three). scratch: n + 3 n pairs.
 */
export function evaluateLocal(
  begin: i32,
  end: i32,
  cell: i32,
  kind: i32,
  order: i32,
  stride: i32,
  centre: usize,
  target: usize,
  steps: usize,
  sums: usize,
  constants: usize,
  local: usize,
  out: usize,
  scratch: usize,
): void {
  const n = countOf(order);
  const at = centre + <usize>cell * 24;
  const cx = v128.load64_splat(at);
  const cy = v128.load64_splat(at, 8);
  const cz = v128.load64_splat(at, 16);
  const used = kind === 0 || kind === 3 ? n : countOf(order - 1);
  const coefficient = scratch + (n << 4);
  const from = local + <usize>cell * n * (kind >= 2 ? 24 : 8);
  fillPolynomial(kind, n, used, from, sums, constants, coefficient);
  const column = (<usize>stride) << 3;
  for (let t = begin; t < end; t += 2) {
    const place = target + ((<usize>t) << 3);
    const x = f64x2.sub(v128.load(place), cx);
    const y = f64x2.sub(v128.load(place + column), cy);
    const z = f64x2.sub(v128.load(place + 2 * column), cz);
    fillPowers(x, y, z, used, steps, scratch);
    const o = out + ((<usize>t) << 3);
    if (kind === 0) addValue(used, scratch, coefficient, o);
    else addVectorValue(used, scratch, coefficient, column, o);
  }
}

function addValue(n: usize, power: usize, coefficient: usize, out: usize): void {
  let sum = f64x2.splat(0);
  for (let k: usize = 0; k < n; k++) {
    const c = v128.load64_splat(coefficient + (k << 3));
    sum = f64x2.add(sum, f64x2.mul(c, v128.load(power + (k << 4))));
  }
  v128.store(out, f64x2.add(v128.load(out), sum));
}

function addVectorValue(n: usize, power: usize, coefficient: usize, column: usize, out: usize): void {
  let x = f64x2.splat(0);
  let y = x;
  let z = x;
  for (const last = power + (n << 4); power < last; power += 16) {
    const t = v128.load(power);
    x = f64x2.add(x, f64x2.mul(v128.load64_splat(coefficient), t));
    y = f64x2.add(y, f64x2.mul(v128.load64_splat(coefficient, 8), t));
    z = f64x2.add(z, f64x2.mul(v128.load64_splat(coefficient, 16), t));
    coefficient += 24;
  }
  v128.store(out, f64x2.add(v128.load(out), x));
  v128.store(out + column, f64x2.add(v128.load(out + column), y));
  v128.store(out + 2 * column, f64x2.add(v128.load(out + 2 * column), z));
}

/** Coefficients of the powers of (x - centre): the expansion's, or those of its gradient or curl, over k!. */
function fillPolynomial(
  kind: i32,
  n: usize,
  used: usize,
  from: usize,
  sums: usize,
  constants: usize,
  coefficient: usize,
): void {
  const inverse = constants + n * 8;
  const rowX = sums + (n << 2);
  const rowY = rowX + (used << 2);
  const rowZ = rowY + (used << 2);
  const second = from + n * 8;
  const third = second + n * 8;
  for (let k: usize = 0; k < used; k++) {
    const scale = load<f64>(inverse + (k << 3));
    if (kind === 0) {
      store<f64>(coefficient + (k << 3), load<f64>(from + (k << 3)) * scale);
      continue;
    }
    const to = coefficient + k * 24;
    if (kind === 3) {
      store<f64>(to, load<f64>(from + (k << 3)) * scale);
      store<f64>(to, load<f64>(second + (k << 3)) * scale, 8);
      store<f64>(to, load<f64>(third + (k << 3)) * scale, 16);
      continue;
    }
    const x = (<usize>load<i32>(rowX + (k << 2))) << 2;
    const y = (<usize>load<i32>(rowY + (k << 2))) << 2;
    const z = (<usize>load<i32>(rowZ + (k << 2))) << 2;
    if (kind === 1) {
      store<f64>(to, load<f64>(from + x) * scale);
      store<f64>(to, load<f64>(from + y) * scale, 8);
      store<f64>(to, load<f64>(from + z) * scale, 16);
    } else {
      store<f64>(to, (load<f64>(third + y) - load<f64>(second + z)) * scale);
      store<f64>(to, (load<f64>(from + z) - load<f64>(third + x)) * scale, 8);
      store<f64>(to, (load<f64>(second + x) - load<f64>(from + y)) * scale, 16);
    }
  }
}
