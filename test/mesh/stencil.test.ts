/**
 * The angle bound of the stencils, searched for counterexamples: one BCC tet, every combination of signs,
 * every direction in which a point may have been warped, and cuts over the whole range that warping leaves.
 */
import { describe, expect, it } from 'vitest';
import { MeshBuilder } from '../../src/mesh/lattice/builder.ts';
import { ALPHA_LONG, ALPHA_SHORT, SHORT_EDGE } from '../../src/mesh/lattice/crossings.ts';
import { type CutTet, emitCutTet, setLatticeOrder } from '../../src/mesh/lattice/stencil.ts';
import { TiedCuts } from '../../src/mesh/lattice/tied-cut.ts';
import { computeDihedrals, computeTetVolume } from '../../src/mesh/quality.ts';
import { MAX_DIHEDRAL, MIN_DIHEDRAL } from './stuffing-checks.ts';

const CORNER = [
  [0, 0, 0],
  [1, 0, 0],
  [0.5, -0.5, -0.5],
  [0.5, 0.5, -0.5],
];
const EDGE = [
  [0, 1],
  [2, 3],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
];
const CUT_STEPS = 6;

/** The 14 displacements of a point warped as far as allowed, and none. */
const WARP: number[][] = [[0, 0, 0]];
for (let c = 0; c < 8; c++)
  WARP.push([c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1].map((s) => 0.5 * ALPHA_SHORT * s));
for (let a = 0; a < 3; a++)
  for (const s of [-1, 1]) WARP.push([0, 1, 2].map((b) => (a === b ? s * ALPHA_LONG : 0)));

function searchPattern(state: number[]): { min: number; max: number; volume: number } {
  const zero = [0, 1, 2, 3].filter((v) => state[v] === 0);
  const cuts = EDGE.map((_, e) => e).filter((e) => state[EDGE[e][0]] * state[EDGE[e][1]] < 0);
  const warps = WARP.length ** zero.length;
  const combinations = warps * (CUT_STEPS + 1) ** cuts.length * 2;
  const tet: CutTet = {
    state: Int8Array.from(state),
    vertex: Int32Array.of(0, 1, 2, 3),
    cut: Int32Array.of(4, 5, 6, 7, 8, 9),
    kept: new Float64Array(6),
    order: new Uint8Array(6),
    rank: new Float64Array(4),
    tolerance: 0,
  };
  const result = { min: 180, max: 0, volume: Number.POSITIVE_INFINITY };
  const position = new Float64Array(30);
  const angle = new Float64Array(6);
  for (let n = 0; n < combinations; n++) {
    setLatticeOrder(n & 1, tet.order);
    let rest = n >> 1;
    for (let v = 0; v < 4; v++) position.set(CORNER[v], 3 * v);
    for (const v of zero) {
      const warp = WARP[rest % WARP.length];
      rest = Math.floor(rest / WARP.length);
      for (let a = 0; a < 3; a++) position[3 * v + a] += warp[a];
    }
    for (const e of cuts) {
      const alpha = e < 2 ? ALPHA_LONG : ALPHA_SHORT;
      const t = alpha + ((1 - 2 * alpha) * (rest % (CUT_STEPS + 1))) / CUT_STEPS;
      rest = Math.floor(rest / (CUT_STEPS + 1));
      const [p, q] = state[EDGE[e][0]] > 0 ? EDGE[e] : [EDGE[e][1], EDGE[e][0]];
      for (let a = 0; a < 3; a++)
        position[3 * (4 + e) + a] = CORNER[p][a] + t * (CORNER[q][a] - CORNER[p][a]);
      tet.kept[e] = t * (e < 2 ? 1 : SHORT_EDGE);
    }
    const builder = new MeshBuilder(4);
    if (cuts.length > 0) emitCutTet(builder, tet);
    else builder.addTet(0, 1, 2, 3, 0, 0);
    const mesh = { ...builder.finish(), vertexCount: 10, position };
    for (let t = 0; t < mesh.tetCount; t++) {
      computeDihedrals(mesh, t, angle);
      result.min = Math.min(result.min, ...angle);
      result.max = Math.max(result.max, ...angle);
      result.volume = Math.min(result.volume, computeTetVolume(mesh, t));
    }
  }
  return result;
}

describe('stencils', () => {
  it('keep every dihedral angle within the bounds for all signs, warps and cuts', () => {
    let min = 180;
    let max = 0;
    for (let code = 0; code < 81; code++) {
      const state = [1, 3, 9, 27].map((power) => (Math.floor(code / power) % 3) - 1);
      if (!state.includes(1)) continue;
      const found = searchPattern(state);
      expect(found.volume, `${state}`).toBeGreaterThan(0);
      expect(found.min, `${state}`).toBeGreaterThan(MIN_DIHEDRAL);
      expect(found.max, `${state}`).toBeLessThan(MAX_DIHEDRAL);
      min = Math.min(min, found.min);
      max = Math.max(max, found.max);
    }
    // What the header of stencil.ts claims, and proof that the search gets to the hard cases.
    expect(min).toBeGreaterThan(11.5);
    expect(min).toBeLessThan(12);
    expect(max).toBeLessThan(163.3);
    expect(max).toBeGreaterThan(155);
  });

  it('fill a prism whose diagonals turn in a circle, because lengths are equal within a tolerance only', () => {
    const tet: CutTet = {
      state: Int8Array.of(1, 1, 1, -1),
      vertex: Int32Array.of(0, 1, 2, 3),
      cut: Int32Array.of(4, 5, 6, 7, 8, 9),
      kept: new Float64Array(6),
      order: new Uint8Array(6).fill(3),
      // 0 before 2 by length; 2 before 1 and 1 before 0 by rank, their lengths being equal.
      rank: Float64Array.of(0, 1, 2, 3),
      tolerance: 1e-5,
    };
    const builder = new MeshBuilder(4);
    for (const corner of CORNER) builder.addVertex(corner[0], corner[1], corner[2], 0);
    // Edges 03, 13 and 23 are cut halfway, at the vertices that come next.
    let volume = 0;
    for (const [n, e] of [3, 5, 1].entries()) {
      tet.kept[e] = 0.5 - 0.6e-5 * [0, 1, 2][n];
      const [p, q] = [CORNER[n], CORNER[3]];
      tet.cut[e] = builder.addVertex(
        ...([0, 1, 2].map((a) => 0.5 * (p[a] + q[a])) as [number, number, number]),
        0,
      );
    }
    emitCutTet(builder, tet, new TiedCuts(builder));
    const mesh = builder.finish();
    for (let t = 0; t < mesh.tetCount; t++) {
      expect(computeTetVolume(mesh, t)).toBeGreaterThan(0);
      volume += computeTetVolume(mesh, t);
    }
    expect(mesh.tetCount).toBe(8);
    const whole = computeTetVolume({ ...mesh, tet: Int32Array.of(0, 1, 2, 3) }, 0);
    expect(volume).toBeCloseTo((7 / 8) * whole, 12);
  });
});
