/** Formulas of triangles and tetrahedra against known figures, moved and turned. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import type { Vec3 } from '../../src/core/types.ts';
import {
  CORNER,
  COT_B,
  COT_C,
  computeAngle,
  computeDoubleArea,
  computeSolidAngle,
  computeTetVolume,
  computeTriple,
  NORMAL,
  setCorner,
  setEdges,
  setNormal,
  setSeen,
  setTetGradients,
  setTriangleBox,
  setUnitNormal,
  setVolumeGradient,
  U,
  UU,
  UW,
  W,
  WW,
} from '../../src/math/triangle.ts';
import {
  add,
  computeDistance,
  cross,
  dot,
  multiply,
  normalise,
  perAxis,
  subtract,
} from '../../src/math/vectors.ts';

const random = createRandom(21);
const draw = (n: number) => Float64Array.from({ length: 3 * n }, () => 2 * random.next() - 1);
const point = (p: Float64Array, n: number): Vec3 => [p[3 * n], p[3 * n + 1], p[3 * n + 2]];

describe('triangles', () => {
  it('normal, area, corner and angle agree', () => {
    for (let n = 0; n < 50; n++) {
      const p = draw(3);
      const [u, w] = [subtract(point(p, 1), point(p, 0)), subtract(point(p, 2), point(p, 0))];
      const normal: number[] = [];
      setNormal(p, 0, 3, 6, normal);
      expect(normal).toEqual([...cross(u, w)]);
      expect(Math.abs(dot(normal as unknown as Vec3, u))).toBeLessThan(1e-14);
      const seen = new Float64Array(CORNER);
      const double = setCorner(p, 0, 3, 6, seen);
      expect(double).toBe(computeDoubleArea(p, 0, 3, 6));
      expect(Array.from(seen.subarray(U, U + 3))).toEqual([...u]);
      expect(Array.from(seen.subarray(W, W + 3))).toEqual([...w]);
      expect(Array.from(seen.subarray(NORMAL, NORMAL + 3))).toEqual(normal);
      expect([seen[UU], seen[WW], seen[UW]]).toEqual([dot(u, u), dot(w, w), dot(u, w)]);
      const [atA, atB, atC] = [computeAngle(p, 0, 3, 6), computeAngle(p, 3, 6, 0), computeAngle(p, 6, 0, 3)];
      expect(Math.abs(atA + atB + atC - Math.PI)).toBeLessThan(1e-13);
      expect(Math.abs(seen[COT_B] * Math.tan(atB) - 1)).toBeLessThan(1e-10);
      expect(Math.abs(seen[COT_C] * Math.tan(atC) - 1)).toBeLessThan(1e-10);
    }
    expect(computeDoubleArea([0, 0, 0, 3, 0, 0, 0, 4, 0], 0, 3, 6)).toBe(12);
  });

  it('edges, unit normal, box and corners seen from a point are those of the corners', () => {
    for (let n = 0; n < 20; n++) {
      const p = draw(4);
      const [a, b, c, o] = [0, 1, 2, 3].map((v) => point(p, v));
      const normal = cross(subtract(b, a), subtract(c, a));
      const edges = new Float64Array(9);
      setEdges(p, 0, 3, 6, edges);
      expect(Array.from(edges)).toEqual([...subtract(b, a), ...subtract(c, a), ...normal]);
      const unit = [7, 7, 7, 7];
      setUnitNormal(p, 0, 3, 6, unit, 1);
      expect(unit).toEqual([7, ...normalise(normal)]);
      const box = new Float64Array(6);
      setTriangleBox(p, 0, 3, 6, box);
      expect(Array.from(box)).toEqual([
        ...perAxis((k) => Math.min(a[k], b[k], c[k])),
        ...perAxis((k) => Math.max(a[k], b[k], c[k])),
      ]);
      const seen = new Float64Array(9);
      setSeen(p, 0, 3, 6, ...o, seen);
      expect(Array.from(seen)).toEqual([a, b, c].flatMap((x) => [...subtract(x, o)]));
    }
    const flat = [1, 1, 1];
    setUnitNormal([0, 0, 0, 1, 1, 1, 2, 2, 2], 0, 3, 6, flat, 0);
    expect(flat).toEqual([0, 0, 0]);
  });

  it('the gradient of a volume is its change as a corner moves', () => {
    const p = draw(4);
    const gradient = new Float64Array(3);
    setVolumeGradient(p, new Int32Array([9, 9, 9, 0, 1, 2]), 1, gradient);
    for (let k = 0; k < 3; k++) {
      const before = computeTetVolume(p, 9, 0, 3, 6);
      const moved = Float64Array.from(p);
      moved[9 + k] -= 0.5;
      expect(Math.abs(computeTetVolume(moved, 9, 0, 3, 6) - before - 0.5 * gradient[k])).toBeLessThan(1e-14);
    }
  });

  it('gradients in a tet are those of its barycentric coordinates', () => {
    const p = draw(5);
    const tet = new Int32Array([0, 0, 0, 0, 1, 4, 2, 3]);
    const out = new Float64Array(10).fill(7);
    const six = setTetGradients(p, tet, 1, out, 1);
    expect(Math.abs(six - 6 * computeTetVolume(p, 3, 12, 6, 9))).toBeLessThan(1e-13);
    expect(out[0]).toBe(7);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const edge = subtract(point(p, tet[5 + j]), point(p, 1));
        const along = dot(Array.from(out.subarray(1 + 3 * i, 4 + 3 * i)) as unknown as Vec3, edge);
        expect(Math.abs(along - (i === j ? 1 : 0))).toBeLessThan(1e-12);
      }
  });

  it('one without area leaves the cotangents alone', () => {
    const seen = new Float64Array(CORNER).fill(7);
    expect(setCorner([0, 0, 0, 1, 1, 1, 2, 2, 2], 0, 3, 6, seen)).toBe(0);
    expect([seen[COT_B], seen[COT_C], seen[UU]]).toEqual([7, 7, 3]);
  });

  it('the gradient of the area is -(cot C u + cot B w) / 2', () => {
    const p = draw(3);
    const seen = new Float64Array(CORNER);
    setCorner(p, 0, 3, 6, seen);
    for (let k = 0; k < 3; k++) {
      const moved = (by: number) =>
        computeDoubleArea(
          p.map((x, n) => (n === k ? x + by : x)),
          0,
          3,
          6,
        ) / 2;
      const slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
      expect(Math.abs(slope + 0.5 * (seen[COT_C] * seen[U + k] + seen[COT_B] * seen[W + k]))).toBeLessThan(
        1e-8,
      );
    }
  });
});

describe('tetrahedra', () => {
  it('volume of the unit corner is 1/6, and turns its sign with two corners exchanged', () => {
    const p = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    expect(computeTetVolume(p, 0, 3, 6, 9)).toBe(1 / 6);
    expect(computeTetVolume(p, 0, 6, 3, 9)).toBe(-1 / 6);
    expect(computeTriple(p, 3, 6, 9, 0, 0, 0)).toBe(1);
  });

  it('faces of a tetrahedron enclose its volume about any point, and 4 pi from inside', () => {
    const faces = [0, 6, 3, 0, 3, 9, 3, 6, 9, 0, 9, 6];
    for (let n = 0; n < 30; n++) {
      const p = draw(4);
      const volume = computeTetVolume(p, 0, 3, 6, 9);
      const [x, y, z] = draw(1);
      let sum = 0;
      let [inside, outside] = [0, 0];
      const middle = perAxis((k) => (p[k] + p[3 + k] + p[6 + k] + p[9 + k]) / 4);
      for (let f = 0; f < 12; f += 3) {
        const corners = [faces[f], faces[f + 1], faces[f + 2]] as const;
        sum += computeTriple(p, ...corners, x, y, z);
        inside += computeSolidAngle(p, ...corners, ...middle);
        outside += computeSolidAngle(p, ...corners, 5, 6, 7);
      }
      expect(Math.abs(sum / 6 - volume)).toBeLessThan(1e-14);
      expect(Math.abs(inside - Math.sign(volume) * 4 * Math.PI)).toBeLessThan(1e-12);
      expect(Math.abs(outside)).toBeLessThan(1e-13);
    }
  });
});

it('vectors', () => {
  const [a, b]: Vec3[] = [
    [1, 2, 3],
    [4, 6, 15],
  ];
  expect(add(a, b)).toEqual([5, 8, 18]);
  expect(subtract(b, a)).toEqual([3, 4, 12]);
  expect(multiply(a, 2)).toEqual([2, 4, 6]);
  expect(dot(a, b)).toBe(61);
  expect(cross([1, 0, 0], [0, 1, 0])).toEqual([0, 0, 1]);
  expect(computeDistance(a, b)).toBe(13);
  expect(normalise([3, 4, 12])).toEqual([3 / 13, 4 / 13, 12 / 13]);
  expect(normalise([0, 0, 0])).toEqual([0, 0, 0]);
});
