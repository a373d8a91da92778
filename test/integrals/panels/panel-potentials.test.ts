/**
 * Closed forms of layer potentials against adaptive quadrature, differences and each other, at all kinds of
 * places.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import {
  computePanelGradients,
  computePanelPotentials,
  GRADIENTS,
  PANEL,
  POTENTIALS,
  setPanel,
} from '../../../src/integrals/panels/panel-potentials.ts';
import { computeTrianglePotential } from '../../../src/integrals/panels/triangle-potential.ts';
import { integrateAdaptively, type Point } from './adaptive.ts';

const corners = [0.1, -0.2, 0.3, 1.2, 0.1, 0.5, 0.4, 0.9, -0.1];
const at = (i: number): Point => [corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]];
const panel = new Float64Array(PANEL);
setPanel(corners, [0, 1, 2], 0, panel, 0);
const normal: Point = [panel[9], panel[10], panel[11]];

const place = (a: number, b: number, c: number, height = 0): Point => {
  const [p, q, r] = [at(0), at(1), at(2)];
  return [0, 1, 2].map((k) => a * p[k] + b * q[k] + c * r[k] + height * normal[k]) as unknown as Point;
};

const potentials = ([x, y, z]: Point, p = panel) => {
  const out = new Float64Array(POTENTIALS);
  computePanelPotentials(p, 0, x, y, z, out);
  return out;
};
const gradients = ([x, y, z]: Point, p = panel) => {
  const out = new Float64Array(GRADIENTS);
  computePanelGradients(p, 0, x, y, z, out);
  return out;
};

/**
 * Single and double layer of the densities 1, theta_0, theta_1, theta_2, and the gradients of the single
 * layer.
 */
function integrate(x: Point, tolerance: number): number[] {
  return integrateAdaptively(
    [at(0), at(1), at(2)],
    POTENTIALS + GRADIENTS,
    (y, hat) => {
      const d = [x[0] - y[0], x[1] - y[1], x[2] - y[2]];
      const r = Math.hypot(...d);
      const density = [1, ...hat];
      const h = d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2];
      return [
        ...density.map((s) => s / r),
        ...density.map((s) => (s * h) / r ** 3),
        ...density.flatMap((s) => d.map((c) => (-s * c) / r ** 3)),
      ];
    },
    tolerance,
  );
}

/** Single layer of the same densities alone: what has a bound in the triangle too. */
function integrateSingle(x: Point, tolerance: number): number[] {
  return integrateAdaptively(
    [at(0), at(1), at(2)],
    4,
    (y, hat) => [1, ...hat].map((s) => s / Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2])),
    tolerance,
  );
}

describe('layer potentials of a triangle', () => {
  it.each([
    ['generic', place(0.5, 0.8, -0.3, 0.7)],
    ['below', place(0.2, 0.3, 0.5, -0.4)],
    ['far', place(4, -7, 4, 3)],
    ['close above the middle', place(0.3, 0.3, 0.4, 0.01)],
    ['close above an edge', place(0.6, 0.4, 0, 0.01)],
    ['close above a corner', place(1, 0, 0, 0.01)],
    ['in the plane, outside', place(-0.4, 0.8, 0.6)],
    ["on an edge's line, outside", place(1.5, -0.5, 0)],
    ["near an edge's line, outside", place(1.5, -0.5, 0, 1e-3)],
    ["above an edge's line, outside", place(-0.7, 0, 1.7, 0.3)],
  ])('%s: equal adaptive quadrature', (_, x) => {
    const truth = integrate(x, 1e-11);
    const scale = truth.map((v) => Math.max(1, Math.abs(v)));
    potentials(x).forEach((v, n) => {
      expect(Math.abs(v - truth[n])).toBeLessThan(1e-9 * scale[n]);
    });
    gradients(x).forEach((v, n) => {
      expect(Math.abs(v - truth[POTENTIALS + n])).toBeLessThan(1e-9 * scale[POTENTIALS + n]);
    });
  });

  it.each([
    ['inside', place(0.3, 0.3, 0.4)],
    ['near the middle', place(0.34, 0.33, 0.33)],
    ['on an edge', place(0, 0.25, 0.75)],
    ['at a corner', at(1)],
  ])('%s: single layer equals adaptive quadrature, double layer is the mean of both sides', (_, x) => {
    const truth = integrateSingle(x, 1e-11);
    const found = potentials(x);
    for (let n = 0; n < 4; n++) expect(Math.abs(found[n] - truth[n])).toBeLessThan(1e-8);
    for (let n = 4; n < 8; n++) expect(Math.abs(found[n])).toBeLessThan(1e-12);
  });

  it('corners add up to the constant density', () => {
    const random = createRandom(3);
    for (let n = 0; n < 200; n++) {
      const x: Point = [3 * random.next() - 1, 3 * random.next() - 1, 3 * random.next() - 1];
      const p = potentials(x);
      const g = gradients(x);
      expect(Math.abs(p[1] + p[2] + p[3] - p[0])).toBeLessThan(1e-13);
      expect(Math.abs(p[5] + p[6] + p[7] - p[4])).toBeLessThan(1e-13);
      for (let k = 0; k < 3; k++) expect(Math.abs(g[3 + k] + g[6 + k] + g[9 + k] - g[k])).toBeLessThan(1e-13);
      expect(Math.abs(p[0] - computeTrianglePotential(panel, 0, ...x))).toBeLessThan(1e-13);
    }
  });

  it('gradients are those of the single layer', () => {
    const random = createRandom(4);
    const step = 1e-5;
    for (let n = 0; n < 50; n++) {
      const x: Point = [2 * random.next() - 1, 2 * random.next() - 1, 2 * random.next() - 2];
      const g = gradients(x);
      for (let k = 0; k < 3; k++) {
        const moved = (by: number) => potentials(x.map((v, i) => (i === k ? v + by : v)) as unknown as Point);
        const [low, high] = [moved(-step), moved(step)];
        for (let i = 0; i < 4; i++)
          expect(Math.abs((high[i] - low[i]) / (2 * step) - g[3 * i + k])).toBeLessThan(1e-7);
      }
    }
  });

  it('jumps across the panel by 4 pi theta, and by -4 pi in the slope', () => {
    const hat = [0.2, 0.5, 0.3];
    const [above, on, below] = [1e-7, 0, -1e-7].map((h) => place(0.2, 0.5, 0.3, h));
    const [p, middle, q] = [potentials(above), potentials(on), potentials(below)];
    [1, ...hat].forEach((theta, n) => {
      expect(Math.abs(p[4 + n] - q[4 + n] - 4 * Math.PI * theta)).toBeLessThan(1e-5);
      expect(Math.abs((p[4 + n] + q[4 + n]) / 2 - middle[4 + n])).toBeLessThan(1e-5);
      const [g, l] = [gradients(above), gradients(below)];
      let jump = 0;
      for (let k = 0; k < 3; k++) jump += (g[3 * n + k] - l[3 * n + k]) * normal[k];
      expect(Math.abs(jump + 4 * Math.PI * theta)).toBeLessThan(1e-5);
    });
  });

  it.each([1e-6, 1e-3, 1e6])('scale by %f', (scale) => {
    const scaled = new Float64Array(PANEL);
    setPanel(
      corners.map((c) => c * scale),
      [0, 1, 2],
      0,
      scaled,
      0,
    );
    for (const x of [place(0.5, 0.8, -0.3, 0.7), place(0.3, 0.3, 0.4), at(2), place(0.5, 0.5, 0)]) {
      const y = x.map((c) => c * scale) as unknown as Point;
      const [p, q] = [potentials(x), potentials(y, scaled)];
      for (let n = 0; n < 4; n++) {
        expect(Math.abs(q[n] / scale - p[n])).toBeLessThan(1e-12);
        expect(Math.abs(q[4 + n] - p[4 + n])).toBeLessThan(1e-12);
      }
    }
  });

  it('of a triangle without area are 0', () => {
    const flat = new Float64Array(PANEL);
    setPanel([0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2], 0, flat, 0);
    expect(Array.from(potentials([0.5, 0.1, 0], flat))).toEqual(new Array(POTENTIALS).fill(0));
    expect(Array.from(gradients([0.5, 0.1, 0], flat))).toEqual(new Array(GRADIENTS).fill(0));
  });
});
