import { describe, expect, it } from 'vitest';
import { shrinkSphere } from '../../../cases/tracking/shrinking-sphere.ts';
import {
  buildMultiMesh,
  extractTriangles,
  type LabelledTriangles,
} from '../../../src/tracking/multimaterial/build.ts';
import {
  computeStableStep,
  createCurvatureFlow,
  proposeByCurvature,
} from '../../../src/tracking/multimaterial/flows/mean-curvature.ts';
import {
  computeNormalStep,
  createCycle,
  createGrowth,
  proposeByNormals,
} from '../../../src/tracking/multimaterial/flows/normal.ts';
import {
  createCurlNoise,
  createEnrightField,
  createFieldFlow,
  createRotationField,
  proposeAlong,
} from '../../../src/tracking/multimaterial/flows/velocity-field.ts';
import { measureArea, measureRegions } from '../../../src/tracking/multimaterial/measure.ts';
import { resolveOptions, type TrackerOptions } from '../../../src/tracking/multimaterial/options.ts';
import { findIrregularVertices } from '../../../src/tracking/multimaterial/separate.ts';
import {
  buildCellBlock,
  buildQuarteredSphere,
  buildSpheres,
} from '../../../src/tracking/multimaterial/shapes.ts';
import { trackStep } from '../../../src/tracking/multimaterial/step.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { findIntersection } from './oracle.ts';

const create = (
  shape: LabelledTriangles,
  minEdge: number,
  maxEdge: number,
  more: Partial<TrackerOptions> = {},
) => new Tracker(buildMultiMesh(shape), resolveOptions({ minEdge, maxEdge, ...more }));
const euler = ({ mesh }: Tracker) => mesh.vertexCount - mesh.edgeCount + mesh.faceCount;
const volumeOf = (tracker: Tracker, label: number) =>
  measureRegions(tracker.mesh).find((region) => region.label === label)?.volume ?? 0;
const check = (tracker: Tracker) => {
  validateMesh(tracker.mesh);
  expect(findIntersection(tracker.mesh)).toBeUndefined();
};

describe('flows through the tracker', () => {
  it('mean curvature flow shrinks a sphere by R^2 = R0^2 - 4 t', () => {
    const tracker = create(buildSpheres([{ levels: 3 }]), 0.08, 0.22);
    tracker.flow = createCurvatureFlow(tracker);
    const radius = () => Math.cbrt(volumeOf(tracker, 1) / ((4 / 3) * Math.PI));
    const start = radius();
    const dt = 2e-3;
    expect(computeStableStep(tracker)).toBeGreaterThan(dt);
    for (let n = 0; n < 75; n++)
      trackStep(tracker, proposeByCurvature(tracker, dt), { strength: 'area', volume: 'none' });
    check(tracker);
    expect(Math.abs(radius() / Math.sqrt(start ** 2 - 4 * 0.15) - 1)).toBeLessThan(0.01);
  });

  it('mean curvature flow follows the formula until R = 0.3 R0 where edge lengths follow the curvature', () => {
    const coarse = shrinkSphere(1, true);
    const fine = shrinkSphere(2, true);
    expect(fine.vertexRadius).toBeLessThan(0.01);
    expect(fine.volumeRadius).toBeLessThan(coarse.volumeRadius / 2);
  });

  it('mean curvature flow resolves the quadruple edges of a block of cubes and lowers the area', () => {
    const tracker = create(buildCellBlock(2, 2), 0.06, 0.18);
    tracker.flow = createCurvatureFlow(tracker);
    expect(findIrregularVertices(tracker).length).toBeGreaterThan(10);
    let area = measureArea(tracker.mesh);
    let separations = 0;
    for (let n = 0; n < 20; n++) {
      const report = trackStep(tracker, proposeByCurvature(tracker, 5e-5), {
        strength: 'area',
        volume: 'none',
      });
      separations += report.separations;
      check(tracker);
      expect(measureArea(tracker.mesh)).toBeLessThan(area);
      area = measureArea(tracker.mesh);
    }
    expect(separations).toBeGreaterThan(10);
    expect(findIrregularVertices(tracker).length).toBeLessThan(5);
  });

  for (const label of [1, 2]) {
    it(`two spheres of ${label === 1 ? 'one material' : 'two materials'} grow together, shrink, part and vanish`, () => {
      const tracker = create(
        buildSpheres([
          { levels: 2, centre: [-1.05, 0, 0] },
          { levels: 2, centre: [1.05, 0.02, 0.01], label },
        ]),
        0.2,
        0.5,
      );
      const grow = { speed: createGrowth(1), curves: 'outer' as const };
      for (let n = 0; n < 16; n++) {
        trackStep(tracker, proposeByNormals(tracker, grow, 0.02), { strength: 'velocity', volume: 'none' });
        check(tracker);
      }
      // One ball, or two that share a disk.
      expect(euler(tracker)).toBe(label === 1 ? 2 : 3);
      expect(findIrregularVertices(tracker)).toEqual([]);
      expect(measureRegions(tracker.mesh).length).toBe(label + 1);
      // Two balls of radius 1.3 at distance 2.1 overlap in two caps of height 0.25.
      const union = 2 * (4 / 3) * Math.PI * 1.3 ** 3 - ((2 * Math.PI * 0.25 ** 2) / 3) * (3 * 1.3 - 0.25);
      expect(Math.abs(-volumeOf(tracker, 0) / union - 1)).toBeLessThan(0.04);
      const shrink = { speed: createGrowth(-1), curves: 'outer' as const };
      let parts = 0;
      for (let n = 0; n < 90 && tracker.mesh.faceCount > 0; n++) {
        trackStep(tracker, proposeByNormals(tracker, shrink, 0.02), { strength: 'area', volume: 'none' });
        check(tracker);
        if (euler(tracker) === 4) parts++;
      }
      expect(parts).toBeGreaterThan(10);
      expect(tracker.mesh.faceCount).toBe(0);
      expect(tracker.mesh.vertexCount).toBe(0);
    });
  }

  it('keeps the volume of every region through half an Enright test and back', () => {
    for (const topology of [false, true]) {
      const tracker = create(
        buildQuarteredSphere({ levels: 2, radius: 0.15, centre: [0.35, 0.35, 0.35] }),
        0.03,
        0.09,
        { topology },
      );
      const field = createEnrightField(1);
      const start = measureRegions(tracker.mesh);
      const dt = 0.02;
      let area = 0;
      for (let n = 0; n < 50; n++) {
        tracker.flow = createFieldFlow(tracker, field, n * dt);
        trackStep(tracker, proposeAlong(tracker, field, n * dt, dt), { strength: 'velocity', volume: 'all' });
        if (n === 24) area = measureArea(tracker.mesh);
      }
      check(tracker);
      const end = measureRegions(tracker.mesh);
      const { mesh } = tracker;
      const booked = (label: number) => {
        let sum = 0;
        for (let h = 0; h < 2 * mesh.faceFill; h++)
          if (mesh.isFace(h >> 1) && mesh.label[h] === label) sum += mesh.debt[h];
        return sum;
      };
      expect(area).toBeGreaterThan(1.1 * start.reduce((sum, r) => sum + r.area, 0) * 0.5);
      for (let n = 0; n < end.length; n++)
        expect(Math.abs((end[n].volume - booked(n)) / start[n].volume - 1)).toBeLessThan(1e-3);
    }
  });

  it('goes on after packing exactly as a mesh built from what was saved', () => {
    const field = createEnrightField(1);
    const dt = 0.02;
    const march = (tracker: Tracker, from: number, to: number) => {
      for (let n = from; n < to; n++) {
        tracker.flow = createFieldFlow(tracker, field, n * dt);
        trackStep(tracker, proposeAlong(tracker, field, n * dt, dt), { strength: 'velocity', volume: 'all' });
      }
      return tracker.mesh.snapshot();
    };
    const straight = create(
      buildQuarteredSphere({ levels: 2, radius: 0.15, centre: [0.35, 0.35, 0.35] }),
      0.03,
      0.09,
    );
    // Long enough for collapses to leave holes.
    march(straight, 0, 30);
    const saved = extractTriangles(straight.mesh);
    expect(straight.mesh.faceFill).toBeGreaterThan(straight.mesh.faceCount);
    straight.compact();
    const resumed = create(saved, 0.03, 0.09);
    const end = march(straight, 30, 36);
    expect(march(resumed, 30, 36)).toEqual(end);
    expect(end.floats[0]).not.toEqual(saved.position);
  });

  it('steps of normal flow are bounded by faces, and by the vertices of sharp creases', () => {
    const flow = { speed: createGrowth(2), curves: 'outer' as const };
    const sphere = create(buildSpheres([{ levels: 2 }]), 0.2, 0.5);
    expect(computeNormalStep(sphere, flow)).toBeCloseTo(0.01, 12);
    expect(computeNormalStep(sphere, { ...flow, speed: createGrowth(0) })).toBe(Infinity);
    // Two flat cones, base to base: their rim outruns the faces by radius over height.
    const position = [0, 0, 0.1, 0, 0, -0.1];
    const triangle: number[] = [];
    for (let n = 0; n < 8; n++) {
      position.push(Math.cos((Math.PI * n) / 4), Math.sin((Math.PI * n) / 4), 0);
      const [a, b] = [2 + n, 2 + ((n + 1) % 8)];
      triangle.push(0, a, b, 1, b, a);
    }
    const label = Array.from({ length: 16 }, () => [0, 1]).flat();
    const lens = create({ position, triangle, label }, 0.2, 0.5);
    expect(computeNormalStep(lens, flow)).toBeLessThan(0.01);
    const proposed = proposeByNormals(lens, flow, computeNormalStep(lens, flow));
    let longest = 0;
    for (let v = 0; v < lens.mesh.vertexFill; v++)
      longest = Math.max(
        longest,
        Math.hypot(...[0, 1, 2].map((k) => proposed[3 * v + k] - lens.mesh.position[3 * v + k])),
      );
    expect(longest).toBeCloseTo(0.1, 6);
  });

  it('a cycle of normal flows curls about a triple curve that stays', () => {
    const tracker = create(buildQuarteredSphere({ levels: 2 }), 0.12, 0.4);
    const speed = createCycle(0.5, [1, 2, 0]);
    expect(speed(2, 1)).toBe(0.5);
    expect(speed(1, 2)).toBe(-0.5);
    expect(speed(1, 0)).toBe(0.5);
    expect(speed(3, 4)).toBe(0);
    const { mesh } = tracker;
    const out = proposeByNormals(tracker, { speed, curves: 'fixed' }, 0.01);
    let moved = 0;
    for (let v = 0; v < mesh.vertexFill; v++) {
      const d = Math.hypot(...[0, 1, 2].map((k) => out[3 * v + k] - mesh.position[3 * v + k]));
      if (tracker.features.isNonManifold(v)) expect(d).toBe(0);
      else if (d > 0) moved++;
    }
    expect(moved).toBeGreaterThan(20);
  });

  it('fields are free of divergence, and a rotation is a rotation', () => {
    const noise = createCurlNoise({ seed: 4, scale: 1, speed: 2 });
    const [u, w] = [new Float64Array(3), new Float64Array(3)];
    const h = 1e-5;
    let square = 0;
    for (let n = 0; n < 200; n++) {
      const x = [0.37 * n, 0.11 * n, 0.23 * n];
      for (const field of [noise, createEnrightField()]) {
        let divergence = 0;
        for (let k = 0; k < 3; k++) {
          const [a, b] = [x.slice(), x.slice()];
          a[k] += h;
          b[k] -= h;
          field(a[0], a[1], a[2], 0.2, u);
          field(b[0], b[1], b[2], 0.2, w);
          divergence += (u[k] - w[k]) / (2 * h);
        }
        expect(Math.abs(divergence)).toBeLessThan(1e-6);
      }
      noise(x[0], x[1], x[2], 0, u);
      square += (u[0] ** 2 + u[1] ** 2 + u[2] ** 2) / 200;
    }
    expect(Math.sqrt(square)).toBeGreaterThan(1.5);
    expect(Math.sqrt(square)).toBeLessThan(2.5);
    const tracker = create(buildSpheres([{ levels: 1, centre: [2, 0, 0] }]), 0.2, 0.8);
    const field = createRotationField([0, 0], 1);
    const before = tracker.mesh.position.slice(0, 3 * tracker.mesh.vertexFill);
    for (let n = 0; n < 60; n++) tracker.mesh.position.set(proposeAlong(tracker, field, 0, 1 / 60));
    let off = 0;
    before.forEach((x, n) => {
      off = Math.max(off, Math.abs(x - tracker.mesh.position[n]));
    });
    expect(off).toBeLessThan(1e-4);
  });
});
