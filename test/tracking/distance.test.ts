import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import type { Vec3 } from '../../src/core/types.ts';
import { measureSurface } from '../../src/tracking/contouring/surface.ts';
import {
  boxWalls,
  bruteDistance,
  buildSpace,
  contourOf,
  countUnmatchedEdges,
  distanceTo,
  randomField,
  type ScalarFunction,
  windingNumber,
} from './contours.ts';

const RINGS = 5;

/** A cube of half-width w turned about the space diagonal. */
function turnedCube(w: number): ScalarFunction {
  const axes = [
    [2 / 3, -1 / 3, 2 / 3],
    [2 / 3, 2 / 3, -1 / 3],
    [-1 / 3, 2 / 3, 2 / 3],
  ];
  return (x, y, z) => {
    const d = axes.map(([a, b, c]) => Math.abs(a * x + b * y + c * z) - w);
    const outside = Math.hypot(...d.map((e) => Math.max(e, 0)));
    return outside > 0 ? -outside : -Math.max(...d);
  };
}

describe('signed distance', () => {
  it('equals the brute-force one up to the sagitta on rough random surfaces', () => {
    const nodes: Vec3 = [9, 9, 9];
    const h = 0.1;
    const random = createRandom(9);
    let wrong = 0;
    let count = 0;
    for (let seed = 1; seed <= 3; seed++) {
      const frame = buildSpace([0, 0, 0], h, nodes);
      const { surface } = contourOf(frame, randomField(seed, [0, 0, 0], h, nodes, -0.5), () => true);
      const distance = distanceTo(surface, frame);
      for (let n = 0; n < 150; n++) {
        const [x, y, z] = [0.8 * random.next(), 0.8 * random.next(), 0.8 * random.next()];
        const value = distance.signedDistance(x, y, z, RINGS);
        expect(distance.found).toBe(true);
        const brute = bruteDistance(surface, x, y, z);
        // Such a surface is all creases: next to no curvature is seen.
        expect(Math.abs(Math.abs(value) - brute)).toBeLessThan(0.1 * h);
        count++;
        if (brute > 0.1 * h && value > 0 !== windingNumber(surface, x, y, z) > 0.5) wrong++;
      }
    }
    // Fans over bent loops of one cell may pass through each other, and then "inside" has two answers.
    // Rarely.
    expect(wrong).toBeLessThanOrEqual(0.01 * count);
  });

  it('finds the nearest triangle of a shifted contour too, whose triangles reach out of their cells', () => {
    const nodes: Vec3 = [9, 9, 9];
    const h = 0.1;
    const random = createRandom(5);
    const frame = buildSpace([0, 0, 0], h, nodes);
    for (const shift of [0.1, 0.3]) {
      const { surface } = contourOf(frame, randomField(2, [0, 0, 0], h, nodes, -0.5), () => true);
      const { position } = surface;
      for (let n = 0; n < position.length; n++) position[n] += shift * h * (2 * random.next() - 1);
      const distance = distanceTo(surface, frame);
      for (let n = 0; n < 300; n++) {
        // Near the surface a wrong answer is wrong by much.
        const v = 3 * random.nextInt(surface.vertexCount);
        const [x, y, z] = [0, 1, 2].map((a) => position[v + a] + 0.05 * h * (2 * random.next() - 1));
        distance.signedDistance(x, y, z, RINGS);
        expect(Math.abs(distance.distance - bruteDistance(surface, x, y, z))).toBeLessThan(1e-12);
      }
    }
  });

  it('has the right sign next to sharp edges and corners', () => {
    const h = 0.1;
    const frame = buildSpace([-1.2, -1.2, -1.2], h, [25, 25, 25]);
    const { surface } = contourOf(frame, turnedCube(0.6));
    expect(measureSurface(surface).volume).toBeCloseTo(1.728, 1);
    const distance = distanceTo(surface, frame);
    const random = createRandom(4);
    let checked = 0;
    for (let n = 0; n < 400; n++) {
      const v = 3 * random.nextInt(surface.vertexCount);
      const [x, y, z] = [0, 1, 2].map((a) => surface.position[v + a] + (random.next() - 0.5) * h);
      const brute = bruteDistance(surface, x, y, z);
      const value = distance.signedDistance(x, y, z, RINGS);
      expect(Math.abs(Math.abs(value) - brute)).toBeLessThan(0.06 * h);
      if (brute < 0.06 * h) continue;
      checked++;
      expect(value > 0).toBe(windingNumber(surface, x, y, z) > 0.5);
    }
    expect(checked).toBeGreaterThan(200);
  });

  it('is linear for planes, also beyond the walls they meet', () => {
    const h = 0.1;
    const frame = buildSpace([-0.3, -0.3, -0.3], h, [27, 27, 27], boxWalls([0, 0, 0], [2, 2, 2]));
    const random = createRandom(3);
    for (let n = 0; n < 6; n++) {
      const a = [2 * random.next() - 1, 2 * random.next() - 1, 2 * random.next() - 1];
      const length = Math.hypot(...a);
      const plane: ScalarFunction = (x, y, z) =>
        ((x - 1) * a[0] + (y - 1) * a[1] + (z - 1) * a[2]) / length + 0.0137;
      const { surface } = contourOf(frame, plane);
      expect(countUnmatchedEdges(surface)).toBe(0);
      const distance = distanceTo(surface, frame);
      let beyond = 0;
      for (let m = 0; m < 3000; m++) {
        const [x, y, z] = [2.4 * random.next() - 0.2, 2.4 * random.next() - 0.2, 2.4 * random.next() - 0.2];
        if (Math.abs(plane(x, y, z)) > 2.5 * h) continue;
        const clearance = frame.clearanceAt(x, y, z);
        expect(Math.abs(distance.signedDistance(x, y, z, RINGS) - plane(x, y, z))).toBeLessThan(1e-8 * h);
        // The end of the sheet speaks for a cell and a half around it, no farther.
        if (Math.abs(plane(x, y, z)) < 0.8 * h && clearance > 0) expect(distance.found).toBe(true);
        if (clearance < 0 && distance.found) beyond++;
      }
      expect(beyond).toBeGreaterThan(25);
    }
  });

  it('converges to that of a sphere faster than second order', () => {
    const centre = [0.011, -0.017, 0.023];
    const ball: ScalarFunction = (x, y, z) => 1 - Math.hypot(x - centre[0], y - centre[1], z - centre[2]);
    const errors = [0.2, 0.1, 0.05].map((h) => {
      const n = Math.round(3 / h) + 1;
      const frame = buildSpace([-1.5, -1.5, -1.5], h, [n, n, n]);
      const distance = distanceTo(contourOf(frame, ball).surface, frame);
      const random = createRandom(5);
      let worst = 0;
      for (let m = 0; m < 4000; m++) {
        const u = [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5];
        const r = (1 + (2 * random.next() - 1) * 1.5 * h) / Math.hypot(...u);
        const [x, y, z] = u.map((c, a) => centre[a] + r * c);
        worst = Math.max(worst, Math.abs(distance.signedDistance(x, y, z, RINGS) - ball(x, y, z)));
      }
      return worst;
    });
    // The bare polyhedron is h^2 / 4 off: 2.5e-3 at h = 0.1.
    expect(errors[1]).toBeLessThan(1.5e-3);
    expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(2);
    expect(Math.log2(errors[1] / errors[2])).toBeGreaterThan(2.3);
  });

  it('does not depend on the queries before', () => {
    const h = 0.1;
    const nodes: Vec3 = [9, 9, 9];
    const frame = buildSpace([0, 0, 0], h, nodes);
    const { surface } = contourOf(frame, randomField(4, [0, 0, 0], h, nodes, -0.5), () => true);
    const seasoned = distanceTo(surface, frame);
    const random = createRandom(5);
    for (let n = 0; n < 120; n++) {
      // Mostly near the last place, as along a path, and with reaches of all sizes.
      const [x, y, z] = [0.8 * random.next(), 0.8 * random.next(), 0.8 * random.next()];
      for (let m = 0; m < 3; m++) {
        const at: Vec3 = [x + 0.03 * m * random.next(), y - 0.02 * m, z + 0.1 * m];
        const rings = 1 + Math.floor(5 * random.next());
        const fresh = distanceTo(surface, frame);
        expect(seasoned.signedDistance(...at, rings)).toBe(fresh.signedDistance(...at, rings));
        expect(seasoned.found).toBe(fresh.found);
        if (fresh.found) expect(seasoned.nearestVertex()).toBe(fresh.nearestVertex());
      }
    }
  });

  it('finds nothing beyond its reach and the far side of its reach', () => {
    const h = 0.1;
    const frame = buildSpace([-1.5, -1.5, -1.5], h, [31, 31, 31]);
    const distance = distanceTo(contourOf(frame, (x, y, z) => 0.5 - Math.hypot(x, y, z)).surface, frame);
    distance.signedDistance(0.02, 0.01, 0.03, 1);
    expect(distance.found).toBe(false);
    expect(distance.signedDistance(0.02, 0.01, 0.03, 6)).toBeCloseTo(0.46, 2);
    expect(distance.found).toBe(true);
    distance.signedDistance(1.4, 1.4, 1.4, RINGS);
    expect(distance.found).toBe(false);
    // Outside the grid altogether.
    distance.signedDistance(50, -60, 70, RINGS);
    expect(distance.found).toBe(false);
  });
});
