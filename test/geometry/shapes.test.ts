import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import type { Vec3 } from '../../src/core/types.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import {
  box,
  capsule,
  complement,
  cylinder,
  difference,
  ellipsoid,
  halfSpace,
  intersection,
  isEmptyBox,
  offset,
  rotate,
  rotateByMatrix,
  sampleImplicit,
  scale,
  sphere,
  torus,
  translate,
  union,
} from '../../src/geometry/shapes.ts';
import { createRandom } from './meshes.ts';

const PRIMITIVES: Record<string, Implicit> = {
  sphere: sphere([0.1, 0.2, 0.3], 0.8),
  box: box([-0.5, -0.25, -1], [0.75, 0.5, 0.2]),
  cylinder: cylinder([0, -0.5, 0.1], [0.3, 0.6, -0.2], 0.4),
  capsule: capsule([0, -0.5, 0.1], [0.3, 0.6, -0.2], 0.3),
  torus: torus([0.1, 0, 0], [1, 2, 3], 0.7, 0.2),
  ellipsoid: ellipsoid([0, 0.1, 0], [1, 0.5, 0.25]),
  flatEllipsoid: ellipsoid([0, 0, 0], [1, 1, 0.05]),
  needle: ellipsoid([0, 0, 0], [1, 0.03, 0.03]),
  halfSpace: halfSpace([0, 0.2, 0], [1, 1, 0]),
};

/** Points of the zero set, by bisection between a point of the bounds and one anywhere near. */
function surfacePoints(shape: Implicit, count: number, seed: number): Vec3[] {
  const random = createRandom(seed);
  const found: Vec3[] = [];
  while (found.length < count) {
    const a = [0, 1, 2].map((k) => {
      const low = Math.max(shape.bounds.min[k], -2);
      return low + random() * (Math.min(shape.bounds.max[k], 2) - low);
    });
    const b = [0, 1, 2].map(() => 4 * random() - 2);
    let fa = shape.value(a[0], a[1], a[2]);
    if (fa > 0 === shape.value(b[0], b[1], b[2]) > 0) continue;
    for (let i = 0; i < 60; i++) {
      const m = [0, 1, 2].map((k) => (a[k] + b[k]) / 2);
      const fm = shape.value(m[0], m[1], m[2]);
      const target = fm > 0 === fa > 0 ? a : b;
      for (let k = 0; k < 3; k++) target[k] = m[k];
      if (target === a) fa = fm;
    }
    found.push([a[0], a[1], a[2]]);
  }
  return found;
}

describe.each(Object.entries(PRIMITIVES))('%s', (_name, shape) => {
  const point = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -2, max: 2, noNaN: true })));

  it('is 1-Lipschitz', () => {
    fc.assert(
      fc.property(point, point, (p, q) => {
        const change = Math.abs(shape.value(p[0], p[1], p[2]) - shape.value(q[0], q[1], q[2]));
        const apart = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
        expect(change).toBeLessThanOrEqual(apart * (1 + 1e-12) + 1e-12);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('is the exact distance: a step of that length along the gradient lands on the surface', () => {
    const random = createRandom(7);
    let checked = 0;
    for (let i = 0; i < 400; i++) {
      const p = [0, 1, 2].map(() => 3 * random() - 1.5);
      const d = shape.value(p[0], p[1], p[2]);
      const e = 1e-6;
      const g = [0, 1, 2].map((k) => {
        const a = p.slice();
        const b = p.slice();
        a[k] += e;
        b[k] -= e;
        return (shape.value(a[0], a[1], a[2]) - shape.value(b[0], b[1], b[2])) / (2 * e);
      });
      const length = Math.hypot(g[0], g[1], g[2]);
      // On the medial axis the gradient jumps; everywhere else |grad| = 1.
      if (Math.abs(length - 1) > 1e-4) continue;
      checked++;
      const q = p.map((x, k) => x - (d * g[k]) / length);
      expect(Math.abs(shape.value(q[0], q[1], q[2]))).toBeLessThan(1e-6);
    }
    expect(checked).toBeGreaterThan(380);
  });

  it('bounds hold the region, and its surface reaches them', () => {
    const { min, max } = shape.bounds;
    const reach = [0, 0, 0];
    for (const p of surfacePoints(shape, 300, 3)) {
      for (let k = 0; k < 3; k++) {
        expect(p[k]).toBeGreaterThanOrEqual(min[k] - 1e-9);
        expect(p[k]).toBeLessThanOrEqual(max[k] + 1e-9);
        if (Number.isFinite(max[k])) reach[k] = Math.max(reach[k], (p[k] - min[k]) / (max[k] - min[k]));
      }
    }
    for (let k = 0; k < 3; k++) if (Number.isFinite(max[k])) expect(reach[k]).toBeGreaterThan(0.7);
  });
});

describe('distances by formula', () => {
  it('sphere, box, cylinder, capsule, torus, half-space', () => {
    expect(sphere([1, 0, 0], 2).value(1, 0, 0)).toBe(2);
    expect(box([0, 0, 0], [2, 4, 6]).value(1, 1, 1)).toBe(1);
    expect(box([0, 0, 0], [2, 4, 6]).value(5, 8, 3)).toBe(-5);
    expect(cylinder([0, 0, 0], [0, 2, 0], 1).value(4, 6, 0)).toBeCloseTo(-5, 14);
    expect(cylinder([0, 0, 0], [0, 2, 0], 1).value(0, 0.5, 0)).toBeCloseTo(0.5, 14);
    expect(capsule([0, 0, 0], [0, 2, 0], 1).value(3, 6, 0)).toBeCloseTo(-4, 14);
    expect(torus([0, 0, 0], [0, 0, 1], 2, 0.5).value(2, 0, 0.1)).toBeCloseTo(0.4, 14);
    expect(halfSpace([0, 1, 0], [0, 2, 0]).value(5, 0, 5)).toBe(1);
    expect(halfSpace([0, 1, 0], [0, 2, 0]).bounds.max[1]).toBe(1);
  });

  it('ellipsoid: centre, axes, medial disc, equal axes', () => {
    const e = ellipsoid([0, 0, 0], [3, 2, 1]);
    expect(e.value(0, 0, 0)).toBeCloseTo(1, 14);
    expect(e.value(5, 0, 0)).toBeCloseTo(-2, 14);
    expect(e.value(0, 4, 0)).toBeCloseTo(-2, 14);
    expect(e.value(3, 0, 0)).toBeCloseTo(0, 14);
    // On the long axis within the focal part the closest points leave the axis: brute force over the ellipse
    // z = 0 and y = 0.
    let best = Infinity;
    for (let i = 0; i <= 200000; i++) {
      const a = (Math.PI * i) / 200000;
      best = Math.min(best, Math.hypot(3 * Math.cos(a) - 1, Math.sin(a)));
    }
    expect(e.value(1, 0, 0)).toBeCloseTo(best, 9);
    expect(e.value(1, 0, 1e-200)).toBeCloseTo(best, 9);
    expect(e.value(1, 1e-17, 1e-17)).toBeCloseTo(best, 9);
    const ball = ellipsoid([0, 0, 0], [2, 2, 2]);
    expect(ball.value(0, 0, 0)).toBe(2);
    expect(ball.value(1, 2, 2)).toBeCloseTo(-1, 14);
    for (const s of [1e-6, 1e6]) {
      const scaled = ellipsoid([0, 0, 0], [3 * s, 2 * s, s]);
      expect(scaled.value(s, 0.3 * s, 0.2 * s) / s).toBeCloseTo(e.value(1, 0.3, 0.2), 12);
    }
  });
});

describe('combinations and motions', () => {
  const a = sphere([0, 0, 0], 1);
  const b = sphere([1, 0, 0], 1);

  it('have the sign of the set operation', () => {
    const random = createRandom(5);
    for (let i = 0; i < 500; i++) {
      const p: Vec3 = [4 * random() - 1.5, 3 * random() - 1.5, 3 * random() - 1.5];
      const inA = a.value(...p) > 0;
      const inB = b.value(...p) > 0;
      expect(union(a, b).value(...p) > 0).toBe(inA || inB);
      expect(intersection(a, b).value(...p) > 0).toBe(inA && inB);
      expect(difference(a, b).value(...p) > 0).toBe(inA && !inB);
      expect(complement(a).value(...p)).toBe(-a.value(...p));
      expect(offset(a, 0.5).value(...p)).toBeCloseTo(sphere([0, 0, 0], 1.5).value(...p), 14);
    }
  });

  it('have the right bounds', () => {
    expect(union(a, b).bounds).toEqual({ min: [-1, -1, -1], max: [2, 1, 1] });
    expect(intersection(a, b).bounds).toEqual({ min: [0, -1, -1], max: [1, 1, 1] });
    expect(difference(a, b).bounds).toEqual(a.bounds);
    expect(offset(a, 0.5).bounds.max).toEqual([1.5, 1.5, 1.5]);
    expect(isEmptyBox(intersection(a, sphere([5, 0, 0], 1)).bounds)).toBe(true);
    expect(intersection(box([0, 0, 0], [1, 1, 1]), halfSpace([0, 0.3, 0], [0, 1, 0])).bounds.max[1]).toBe(
      0.3,
    );
  });

  it('move and scale values exactly', () => {
    const brick = box([0, 0, 0], [1, 2, 3]);
    expect(translate(brick, [10, 0, 0]).value(10.5, 1, 1)).toBe(0.5);
    expect(scale(brick, 2, [1, 2, 3]).bounds).toEqual({ min: [-1, -2, -3], max: [1, 2, 3] });
    expect(scale(brick, 2).value(1, 2, 3)).toBe(1);
    const turned = rotate(brick, [0, 0, 1], Math.PI / 2);
    expect(turned.value(-1, 0.5, 1)).toBeCloseTo(0.5, 14);
    expect(turned.bounds.min[0]).toBeCloseTo(-2, 14);
    expect(turned.bounds.max[1]).toBeCloseTo(1, 14);
    const floor = rotateByMatrix(halfSpace([0, 0, 0], [0, 1, 0]), [1, 0, 0, 0, 0, 1, 0, -1, 0]);
    expect(floor.bounds.min[2]).toBe(0);
    expect(floor.value(0, 0, 2)).toBe(2);
  });

  it('pass many points through', () => {
    const counted: Implicit = {
      ...a,
      sample(point, count, out) {
        for (let i = 0; i < count; i++) out[i] = a.value(point[3 * i], point[3 * i + 1], point[3 * i + 2]);
      },
    };
    const shape = translate(
      difference(offset(scale(counted, 2), 0.1), rotate(counted, [1, 2, 3], 0.3)),
      [1, 0, 0],
    );
    const point = Float64Array.from({ length: 30 }, (_, i) => Math.sin(i * 7) * 2);
    const out = new Float64Array(10);
    sampleImplicit(shape, point, 10, out);
    for (let i = 0; i < 10; i++) {
      expect(out[i]).toBe(shape.value(point[3 * i], point[3 * i + 1], point[3 * i + 2]));
    }
  });
});

it('refuses bad parameters by name', () => {
  const bad: [() => Implicit, RegExp][] = [
    [() => sphere([0, 0, 0], -1), /sphere: radius is -1/],
    [() => sphere([0, NaN, 0], 1), /sphere: centre is \[0, NaN, 0\]/],
    [() => box([0, 0, 0], [1, 0, 1]), /box: it is empty along y/],
    [() => cylinder([1, 1, 1], [1, 1, 1], 1), /axis from base to top has length 0/],
    [() => capsule([0, 0, 0], [1, 0, 0], 0), /capsule: radius is 0/],
    [() => torus([0, 0, 0], [0, 0, 1], 1, 2), /minor radius 2 exceeds major radius 1/],
    [() => ellipsoid([0, 0, 0], [1, -1, 1]), /semi-axis along y is -1/],
    [() => halfSpace([0, 0, 0], [0, 0, 0]), /normal has length 0/],
    [() => scale(sphere([0, 0, 0], 1), 0), /scale: factor is 0/],
    [() => rotate(sphere([0, 0, 0], 1), [0, 0, 0], 1), /axis has length 0/],
    [() => rotateByMatrix(sphere([0, 0, 0], 1), [2, 0, 0, 0, 1, 0, 0, 0, 1]), /differs from a rotation by 3/],
    [() => union(), /union: it has 0 shapes/],
    [() => offset(sphere([0, 0, 0], 1), Infinity), /distance is Infinity/],
  ];
  for (const [make, message] of bad) {
    expect(make).toThrow(InputError);
    expect(make).toThrow(message);
  }
});
