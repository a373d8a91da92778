/**
 * What part of each tet is liquid, where the mesh does not follow the surface ([batty-houston-2011] 4): of each corner the integral of
 * its hat over the part where a linear level set is positive, over the tet's volume. The four add up to the fraction of marching
 * tetrahedra. With them a level set that is linear has exact mass, weight and pressure forces, so that a still pool is still.
 */
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import { computeTetFraction } from '../nodal/fractions.ts';

const GRAIN = 4096;

/** One corner a is positive: the small tet at it. Corners b, c, d are negative. */
function addCorner(
  [a, b, c, d]: readonly number[],
  value: Float64Array,
  sign: number,
  at: number,
  out: Float64Array,
): void {
  const p = value[a] / (value[a] - value[b]);
  const q = value[a] / (value[a] - value[c]);
  const r = value[a] / (value[a] - value[d]);
  const quarter = (sign * p * q * r) / 4;
  out[at + a] += quarter * (4 - p - q - r);
  out[at + b] += quarter * p;
  out[at + c] += quarter * q;
  out[at + d] += quarter * r;
}

/** Corners p and q are positive, r and s not: the wedge, as three tets. */
function addWedge([p, q, r, s]: readonly number[], value: Float64Array, at: number, out: Float64Array): void {
  const pr = value[p] / (value[p] - value[r]);
  const ps = value[p] / (value[p] - value[s]);
  const qr = value[q] / (value[q] - value[r]);
  const qs = value[q] / (value[q] - value[s]);
  // Tets (p, pr, ps, q), (q, pr, ps, qr), (q, ps, qr, qs): volume over four times the sum of their corners' coordinates.
  const first = (pr * ps) / 4;
  const second = ((1 - pr) * ps * qr) / 4;
  const third = (qr * qs * (1 - ps)) / 4;
  out[at + p] += first * (3 - pr - ps) + second * (2 - pr - ps) + third * (1 - ps);
  out[at + q] += first + second * (2 - qr) + third * (3 - qr - qs);
  out[at + r] += first * pr + second * (pr + qr) + third * qr;
  out[at + s] += first * ps + second * ps + third * (ps + qs);
}

const CORNERS = [
  [0, 1, 2, 3],
  [1, 0, 2, 3],
  [2, 0, 1, 3],
  [3, 0, 1, 2],
] as const;

/** The shares of one tet; value: (4) level set at the corners, positive in the liquid. */
export function addTetShares(value: Float64Array, at: number, out: Float64Array): void {
  const inside: number[] = [];
  const outside: number[] = [];
  for (let i = 0; i < 4; i++) (value[i] > 0 ? inside : outside).push(i);
  if (inside.length === 1) addCorner(CORNERS[inside[0]], value, 1, at, out);
  else if (inside.length === 2) addWedge([...inside, ...outside], value, at, out);
  else if (inside.length >= 3) {
    for (let i = 0; i < 4; i++) out[at + i] += 0.25;
    if (inside.length === 3) addCorner(CORNERS[outside[0]], value, -1, at, out);
  }
}

const shareTask = defineTask(
  'flow/compute-liquid-shares',
  { tet: 'i32', level: 'f64', even: 'number', out: 'f64' },
  (begin, end, { tet, level, even, out }) => {
    const value = new Float64Array(4);
    out.fill(0, 4 * begin, 4 * end);
    for (let t = begin; t < end; t++) {
      let inside = 0;
      for (let i = 0; i < 4; i++) {
        value[i] = level[tet[4 * t + i]];
        if (value[i] > 0) inside++;
      }
      if (inside === 0) continue;
      if (inside === 4 || even === 1) {
        const quarter = 0.25 * computeTetFraction(value[0], value[1], value[2], value[3]);
        for (let i = 0; i < 4; i++) out[4 * t + i] = quarter;
      } else addTetShares(value, 4 * t, out);
    }
  },
);

/**
 * (tetCount x 4) shares of all tets from a level set at the vertices, positive in the liquid. 'even': the fraction divided evenly
 * among the corners, as in the paper.
 */
export function computeLiquidShares(
  threads: Threads,
  mesh: TetMesh,
  level: Float64Array,
  kind: 'exact' | 'even',
  out: Float64Array,
): void {
  const even = kind === 'even' ? 1 : 0;
  threads.run(shareTask, mesh.tetCount, GRAIN, { tet: mesh.tet, level, even, out });
}
