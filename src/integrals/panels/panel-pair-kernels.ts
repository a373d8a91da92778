/**
 * Layer potentials of triangles at the points of rules on others, summed: what kernels/panel-pairs.ts computes, in the same order, one lane
 * after the other.
 */
import { defineKernel } from '../../core/kernels.ts';
import type { Values } from '../../core/records.ts';
import { computeAngle, computeLog } from './near-face-kernels.ts';
import { DOUBLE, LENGTH, NORMAL, PANEL } from './panel-potentials.ts';

const { fround } = Math;
const ACROSS = 12;
const ALONG = 21;
/** Of the square of an edge's length, and of the longest edge (panel-potentials.ts). */
const ON_EDGE = 1e-26;
const IN_PLANE = 1e-10;
/** Numbers of two points of a table: two weights for each corner, two shares. */
const TWO_POINTS = 8;

const dot = (ax: number, ay: number, az: number, bx: number, by: number, bz: number) =>
  ax * bx + ay * by + az * bz;

/** Logarithm of an edge at p[e], seen from a point: its begin lies at (x, y, z). */
function computeEdgeLog(
  p: Float64Array,
  e: number,
  length: number,
  [x, y, z]: Float64Array,
  begin: number,
  end: number,
): number {
  const [sx, sy, sz] = [p[e + ALONG], p[e + ALONG + 1], p[e + ALONG + 2]];
  const from = dot(x, y, z, sx, sy, sz);
  const to = from + length;
  const [cx, cy, cz] = [y * sz - z * sy, z * sx - x * sz, x * sy - y * sx];
  const square = dot(cx, cy, cz, cx, cy, cz);
  const up = end + to;
  const down = begin - from;
  if (from > 0) return computeLog(up / (begin + from));
  if (to < 0) return computeLog(down / (end - to));
  if (square > ON_EDGE * length * length) return computeLog((up * down) / square);
  return computeLog(1);
}

/** out (4 per pair): single layer, double layer of the three corners of the inner triangle, means over the outer one. Pairs of code -1 have 0. */
export const sumPanelPairs = defineKernel(
  'sumPanelPairs',
  { near: 'i32', code: 'i32', panel: 'f64', tableStart: 'i32', table: 'f64', out: 'f64' },
  (begin, end, { near, code, panel, tableStart, table, out }) => {
    const a = new Float64Array(3);
    const b = new Float64Array(3);
    const c = new Float64Array(3);
    const sums = new Float64Array(8);
    for (let f = begin; f < end; f++)
      for (let n = near[f]; n < near[f + 1]; n++) {
        const entry = n - near[0];
        const t = PANEL * near[n];
        const which = code[entry];
        const twice = panel[t + DOUBLE];
        sums.fill(0);
        if (which < 0 || twice === 0) {
          out.fill(0, 4 * entry, 4 * entry + 4);
          continue;
        }
        const [n0, n1, n2] = [panel[t + LENGTH], panel[t + LENGTH + 1], panel[t + LENGTH + 2]];
        const flat = IN_PLANE * Math.max(n0, Math.max(n1, n2));
        const normals = (i: number, j: number) => {
          const [u, w] = [t + ACROSS + 3 * i, t + ACROSS + 3 * j];
          return dot(panel[u], panel[u + 1], panel[u + 2], panel[w], panel[w + 1], panel[w + 2]);
        };
        const [c01, c12, c20] = [normals(0, 1), normals(1, 2), normals(2, 0)];
        const [s0, s1, s2] = [-n1 / twice, -n2 / twice, -n0 / twice];
        for (let q = TWO_POINTS * tableStart[which]; q < TWO_POINTS * tableStart[which + 1]; q += TWO_POINTS)
          for (let lane = 0; lane < 2; lane++) {
            const [wa, wb, wc] = [table[q + lane], table[q + 2 + lane], table[q + 4 + lane]];
            const share = table[q + 6 + lane];
            const o = PANEL * f;
            for (let k = 0; k < 3; k++) {
              const x = wa * panel[o + k] + wb * panel[o + 3 + k] + wc * panel[o + 6 + k];
              a[k] = panel[t + k] - x;
              b[k] = panel[t + 3 + k] - x;
              c[k] = panel[t + 6 + k] - x;
            }
            const ra = Math.sqrt(dot(a[0], a[1], a[2], a[0], a[1], a[2]));
            const rb = Math.sqrt(dot(b[0], b[1], b[2], b[0], b[1], b[2]));
            const rc = Math.sqrt(dot(c[0], c[1], c[2], c[0], c[1], c[2]));
            const across = (e: number, [x, y, z]: Float64Array) =>
              dot(x, y, z, panel[t + ACROSS + e], panel[t + ACROSS + e + 1], panel[t + ACROSS + e + 2]);
            const [t0, t1, t2] = [across(0, a), across(3, b), across(6, c)];
            const l0 = computeEdgeLog(panel, t, n0, a, ra, rb);
            const l1 = computeEdgeLog(panel, t + 3, n1, b, rb, rc);
            const l2 = computeEdgeLog(panel, t + 6, n2, c, rc, ra);
            const m = t + NORMAL;
            const height = -dot(a[0], a[1], a[2], panel[m], panel[m + 1], panel[m + 2]);
            const ab = dot(a[0], a[1], a[2], b[0], b[1], b[2]);
            const bc = dot(b[0], b[1], b[2], c[0], c[1], c[2]);
            const ca = dot(c[0], c[1], c[2], a[0], a[1], a[2]);
            let angle = 0;
            if (Math.abs(height) > flat) {
              const half = computeAngle(twice * height, ra * rb * rc + ab * rc + (bc * ra + ca * rb));
              angle = half + half;
            }
            const single = t0 * l0 + t1 * l1 + t2 * l2 - height * angle;
            const along0 = c01 * l0 + 1 * l1 + c12 * l2;
            const along1 = c20 * l0 + c12 * l1 + 1 * l2;
            const along2 = 1 * l0 + c01 * l1 + c20 * l2;
            sums[lane] += share * single;
            sums[2 + lane] += share * -(s0 * (t1 * angle + height * along0));
            sums[4 + lane] += share * -(s1 * (t2 * angle + height * along1));
            sums[6 + lane] += share * -(s2 * (t0 * angle + height * along2));
          }
        for (let i = 0; i < 4; i++) out[4 * entry + i] = sums[2 * i] + sums[2 * i + 1];
      }
  },
);

/**
 * Rows of both matrices by the far rule of three points: position (3 points x 3 coordinates x stride), normal (3 x stride), weight and
 * triangle (stride; x 3) of all faces, the last ones padded with weight 0; single (faces x stride); double (faces x vertexCount), 0 before.
 * main, side: weights of a point's own corner and the others.
 */
export const fillPanelRows = defineKernel(
  'fillPanelRows',
  {
    stride: 'number',
    vertexCount: 'number',
    softening: 'number',
    main: 'number',
    side: 'number',
    position: 'f32',
    normal: 'f32',
    weight: 'f32',
    triangle: 'i32',
    single: 'f32',
    double: 'f32',
  },
  (begin, end, values) => {
    const { stride, vertexCount, triangle, single, double } = values;
    const rule = new Float32Array(4);
    for (let f = begin; f < end; f++)
      for (let g = 0; g < stride; g++) {
        setPanelRule(values, f, g, rule);
        single[stride * f + g] = rule[0];
        for (let i = 0; i < 3; i++) double[vertexCount * f + triangle[3 * g + i]] += rule[1 + i];
      }
  },
);

/** What fillPanelRows takes for a pair of faces, bit by bit: single, double of the three corners. */
export function setPanelRule(values: PanelRule, f: number, g: number, out: Float32Array): void {
  const { stride, position, normal, weight } = values;
  const soft = fround(values.softening);
  const main = fround(values.main);
  const side = fround(values.side);
  let sum = 0;
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  for (let q = 0; q < 3; q++) {
    const y = 3 * q * stride + g;
    let toSingle = 0;
    let toDouble = 0;
    for (let p = 0; p < 3; p++) {
      const x = 3 * p * stride + f;
      const dx = fround(position[x] - position[y]);
      const dy = fround(position[x + stride] - position[y + stride]);
      const dz = fround(position[x + 2 * stride] - position[y + 2 * stride]);
      const xy = fround(fround(dx * dx) + fround(dy * dy));
      const square = fround(xy + fround(fround(dz * dz) + soft));
      const inverse = fround(1 / fround(Math.sqrt(square)));
      const nxy = fround(fround(dx * normal[g]) + fround(dy * normal[stride + g]));
      const along = fround(nxy + fround(dz * normal[2 * stride + g]));
      toSingle = fround(toSingle + inverse);
      toDouble = fround(toDouble + fround(fround(inverse * fround(inverse * inverse)) * along));
    }
    sum = fround(sum + toSingle);
    const toMain = fround(main * toDouble);
    const toSide = fround(side * toDouble);
    sum0 = fround(sum0 + (q === 0 ? toMain : toSide));
    sum1 = fround(sum1 + (q === 1 ? toMain : toSide));
    sum2 = fround(sum2 + (q === 2 ? toMain : toSide));
  }
  const factor = fround(weight[f] * weight[g]);
  out[0] = fround(factor * sum);
  out[1] = fround(factor * sum0);
  out[2] = fround(factor * sum1);
  out[3] = fround(factor * sum2);
}

type PanelRule = Pick<
  Values<(typeof fillPanelRows)['columns']>,
  'stride' | 'softening' | 'main' | 'side' | 'position' | 'normal' | 'weight'
>;
