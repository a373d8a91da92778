/**
 * Pairs of triangles near each other: which they are, the mean of 1/r over both, and sums of those means.
 * What kernels/near-faces.ts and kernels/lane-functions.ts compute, in the same order, one lane after the
 * other.
 */
import { defineKernel } from '../../core/kernels.ts';

const { fround } = Math;
const RECORD = 16;
const TRIANGLE = 9;
const STRENGTH = 4;

const gap = (x: number, i: number, size: number) => Math.max(0, Math.max(i * size - x, x - (i + 1) * size));

/**
 * Rows of near faces for the places [begin, end), from list[first] up to `limit`; needed[0] is how many
 * entries there are.
 */
export const findNearFaces = defineKernel(
  'findNearFaces',
  {
    first: 'number',
    limit: 'number',
    stride: 'number',
    layout: 'f64',
    cellStart: 'i32',
    ball: 'f32',
    corner: 'i32',
    start: 'i32',
    touch: 'i32',
    stop: 'i32',
    list: 'i32',
    needed: 'i32',
  },
  (begin, end, values) => {
    const { first, limit, stride, layout, cellStart, ball } = values;
    const { corner, start, touch, stop, list, needed } = values;
    const [size, nx, ny, nz, widest] = layout;
    let next = first;
    let total = 0;
    for (let m = begin; m < end; m++) {
      const x = ball[m];
      const y = ball[stride + m];
      const z = ball[2 * stride + m];
      const radius = ball[3 * stride + m];
      const reach = radius + widest;
      const lastI = Math.min(nx - 1, Math.floor((x + reach) / size));
      const firstJ = Math.max(0, Math.floor((y - reach) / size));
      const lastJ = Math.min(ny - 1, Math.floor((y + reach) / size));
      const firstK = Math.max(0, Math.floor((z - reach) / size));
      const lastK = Math.min(nz - 1, Math.floor((z + reach) / size));
      let back = limit;
      start[m] = next;
      for (let i = Math.max(0, Math.floor((x - reach) / size)); i <= lastI; i++) {
        const gapX = gap(x, i, size);
        for (let j = firstJ; j <= lastJ; j++) {
          const gapY = gap(y, j, size);
          if (gapX * gapX + gapY * gapY > reach * reach) continue;
          const row = (i * ny + j) * nz;
          const last = cellStart[row + lastK + 1];
          for (let n = cellStart[row + firstK]; n < last; n++) {
            const dx = fround(x - ball[n]);
            const dy = fround(y - ball[stride + n]);
            const dz = fround(z - ball[2 * stride + n]);
            const most = fround(radius + ball[3 * stride + n]);
            const xy = fround(fround(dx * dx) + fround(dy * dy));
            const square = fround(most * most);
            const apart = fround(xy + fround(dz * dz));
            if (n === m || apart >= square) continue;
            total++;
            if (next >= back) continue;
            const isTouching = apart < fround(0.5 * square) && areTouching(corner, 4 * m, 4 * n);
            list[isTouching ? --back : next++] = n;
          }
        }
      }
      touch[m] = next;
      list.subarray(back, limit).reverse();
      for (let e = back; e < limit; e++) list[next++] = list[e];
      stop[m] = next;
    }
    needed[0] = total;
  },
);

function areTouching(corner: Int32Array, a: number, b: number): boolean {
  for (let i = a; i < a + 3; i++) for (let j = b; j < b + 4; j++) if (corner[i] === corner[j]) return true;
  return false;
}

function distance(x: number, y: number, z: number, soft: number): number {
  const [a, b, c] = [fround(x), fround(y), fround(z)];
  const square = fround(fround(fround(a * a) + fround(b * b)) + fround(c * c));
  return fround(Math.sqrt(fround(square + soft)));
}

const NINTH = fround(1 / 9);

/** Values of the pairs that do not touch. */
export const computeNearValues = defineKernel(
  'computeNearValues',
  {
    start: 'i32',
    touch: 'i32',
    list: 'i32',
    record: 'f32',
    value: 'f32',
    softening: 'number',
  },
  (begin, end, { start, touch, list, record, value, softening }) => {
    const g = new Float32Array(9);
    const soft = fround(softening);
    for (let m = begin; m < end; m++) {
      const own = RECORD * m;
      for (let e = start[m]; e < touch[m]; e++) {
        const other = RECORD * list[e];
        const part = (k: number) => fround(record[other + k] - record[own + k]);
        const d = [0, 1, 2].map((k) => fround(part(9 + k) + part(12 + k)));
        const middles = fround(1 / distance(d[0], d[1], d[2], soft));
        for (let k = 0; k < 9; k++) g[k] = d[k % 3] + record[other + k];
        let sum = 0;
        for (let i = own; i < own + 9; i += 3) {
          const [x, y, z] = [record[i], record[i + 1], record[i + 2]];
          const p = distance(g[0] - x, g[1] - y, g[2] - z, soft);
          const q = distance(g[3] - x, g[4] - y, g[5] - z, soft);
          const r = distance(g[6] - x, g[7] - y, g[8] - z, soft);
          const qr = fround(q * r);
          const above = fround(qr + fround(p * fround(q + r)));
          sum = fround(sum + fround(above / fround(p * qr)));
        }
        value[e] = fround(sum * NINTH) - middles;
      }
    }
  },
);

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
/** Place of the upper half of a double. */
const UPPER = new Uint8Array(Int32Array.of(1).buffer)[0] === 1 ? 1 : 0;

export function computeLog(x: number): number {
  double[0] = x;
  const k = (words[UPPER] - 0x3fe6a09e) >> 20;
  words[UPPER] -= k << 20;
  const m = double[0];
  const z = (m - 1) / (m + 1);
  const w = z * z;
  let sum = 1 / 15;
  for (let n = 13; n >= 1; n -= 2) sum = sum * w + 1 / n;
  return k * Math.LN2 + (z + z) * sum;
}

export function computeAngle(y: number, x: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  const isThird = low > 0.6681786379192989 * high;
  const isSecond = low > 0.198912367379658 * high;
  const c = isThird ? 1 : isSecond ? 0.41421356237309503 : 0;
  const base = isThird ? Math.PI / 4 : isSecond ? Math.PI / 8 : 0;
  const t = (low - c * high) / (high + c * low);
  const w = t * t;
  let sum = 1 / 17;
  for (let n = 15; n >= 1; n -= 2) sum = 1 / n - sum * w;
  let angle = base + t * sum;
  if (b > a) angle = Math.PI / 2 - angle;
  if (x < 0) angle = Math.PI - angle;
  return y < 0 ? -angle : angle;
}

function dot(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

function prepare(t: Float64Array, at: number, out: Float64Array): void {
  const [ux, uy, uz] = [t[at + 3] - t[at], t[at + 4] - t[at + 1], t[at + 5] - t[at + 2]];
  const [wx, wy, wz] = [t[at + 6] - t[at], t[at + 7] - t[at + 1], t[at + 8] - t[at + 2]];
  const [x, y, z] = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
  const twice = Math.sqrt(x * x + y * y + z * z);
  const [nx, ny, nz] = [x / twice, y / twice, z / twice];
  out.set([nx, ny, nz]);
  for (let i = 0; i < 3; i++) {
    const a = at + 3 * i;
    const b = i === 2 ? at : a + 3;
    const [ex, ey, ez] = [t[b] - t[a], t[b + 1] - t[a + 1], t[b + 2] - t[a + 2]];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    const across = [(ey * nz - ez * ny) / length, (ez * nx - ex * nz) / length, (ex * ny - ey * nx) / length];
    out.set(across, 3 + 3 * i);
    out[12 + i] = length;
  }
  out[15] = twice;
}

const ON_LINE = 1e-12;

function edgePart(p: number, from: number, to: number, length: number): number {
  const sum = from + to;
  return Math.abs(p) > ON_LINE * length ? p * computeLog((sum + length) / (sum - length)) : 0;
}

const seen = new Float64Array(9);

function potential(t: Float64Array, at: number, ready: Float64Array, point: Float64Array, p: number): number {
  for (let k = 0; k < 9; k++) seen[k] = t[at + k] - point[p + (k % 3)];
  const [ra, rb, rc] = [0, 3, 6].map((i) => Math.sqrt(dot(seen, i, seen, i)));
  const edges =
    edgePart(dot(seen, 0, ready, 3), ra, rb, ready[12]) +
    edgePart(dot(seen, 3, ready, 6), rb, rc, ready[13]) +
    edgePart(dot(seen, 6, ready, 9), rc, ra, ready[14]);
  const height = dot(seen, 0, ready, 0);
  const [ab, bc, ca] = [dot(seen, 0, seen, 3) * rc, dot(seen, 3, seen, 6) * ra, dot(seen, 6, seen, 0) * rb];
  return edges - (height + height) * computeAngle(ready[15] * height, ra * rb * rc + ab + (bc + ca));
}

const THIRD = 1 / 3;

/** Values of the pairs that touch, in the rows of their lower places. */
export const computeTouchingValues = defineKernel(
  'computeTouchingValues',
  {
    touch: 'i32',
    stop: 'i32',
    list: 'i32',
    triangle: 'f64',
    point: 'f64',
    value: 'f32',
    scratch: 'f64',
    softening: 'number',
  },
  (begin, end, { touch, stop, list, triangle, point, value, scratch, softening }) => {
    for (let m = begin; m < end; m++) {
      const own = TRIANGLE * m;
      prepare(triangle, own, scratch);
      for (let e = touch[m]; e < stop[m]; e++) {
        if (list[e] < m) continue;
        const g = TRIANGLE * list[e];
        let sum = 0;
        for (let i = g; i < g + 9; i += 3) sum += potential(triangle, own, scratch, point, i);
        const total = (at: number) => point[at] + point[at + 3] + point[at + 6];
        const d = [0, 1, 2].map((k) => THIRD * (total(g + k) - total(own + k)));
        value[e] = sum / (1.5 * scratch[15]) - 1 / Math.sqrt(dot(d, 0, d, 0) + softening);
      }
    }
  },
);

/** Values of the pairs that touch, in the rows of their higher places. */
export const mirrorTouchingValues = defineKernel(
  'mirrorTouchingValues',
  {
    touch: 'i32',
    stop: 'i32',
    list: 'i32',
    value: 'f32',
  },
  (begin, end, { touch, stop, list, value }) => {
    for (let m = begin; m < end; m++)
      for (let e = touch[m]; e < stop[m]; e++)
        if (list[e] < m) value[e] = value[list.indexOf(m, touch[list[e]])];
  },
);

/** Adds factor times the product of the rows [begin, end) with the strengths. */
export const addNearSums = defineKernel(
  'addNearSums',
  {
    factor: 'number',
    start: 'i32',
    stop: 'i32',
    list: 'i32',
    value: 'f32',
    self: 'f64',
    strength: 'f64',
    sorted: 'i32',
    out: 'f64',
  },
  (begin, end, values) => {
    const { factor, start, stop, list } = values;
    const { value, self, strength, sorted, out } = values;
    for (let m = begin; m < end; m++) {
      for (let k = 0; k < 3; k++) {
        let sum = self[m] * strength[STRENGTH * m + k];
        for (let e = start[m]; e < stop[m]; e++) sum += value[e] * strength[STRENGTH * list[e] + k];
        out[3 * sorted[m] + k] += factor * sum;
      }
    }
  },
);
