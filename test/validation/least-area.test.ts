import { describe, expect, it } from 'vitest';
import { buildDoubleSphere, buildSpheres } from '../../src/tracking/multimaterial/shapes.ts';
import {
  findLeastArea,
  type LabelledMesh,
  listFilmAreas,
  quarterFaces,
} from '../../validation/least-area.ts';

type Triangles = { position: ArrayLike<number>; triangle: ArrayLike<number>; label: ArrayLike<number> };

/** A mesh drawn out along x, its volumes kept. */
const stretch = ({ position, triangle, label }: Triangles, factor: number): LabelledMesh => ({
  position: Float64Array.from(position, (x, i) => x * (i % 3 === 0 ? factor : factor ** -0.5)),
  triangle: Int32Array.from(triangle),
  label: Int32Array.from(label),
});

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

function measureVolume({ position: p, triangle, label }: LabelledMesh, region: number): number {
  let volume = 0;
  for (let f = 0; 3 * f < triangle.length; f++) {
    const sign = label[2 * f + 1] === region ? 1 : label[2 * f] === region ? -1 : 0;
    const [a, b, c] = [0, 1, 2].map((i) => 3 * triangle[3 * f + i]);
    const cross = (i: number, j: number) => p[b + i] * p[c + j] - p[b + j] * p[c + i];
    volume += (sign * (p[a] * cross(1, 2) + p[a + 1] * cross(2, 0) + p[a + 2] * cross(0, 1))) / 6;
  }
  return volume;
}

describe('least area', () => {
  it('makes a drawn out bubble a sphere', () => {
    const mesh = stretch(buildSpheres([{ levels: 3 }]), 1.4);
    const volume = measureVolume(mesh, 1);
    const truth = Math.cbrt(36 * Math.PI * volume ** 2);
    expect(sum(listFilmAreas(mesh)) / truth).toBeGreaterThan(1.02);
    const { area, lastFall } = findLeastArea(mesh, 400);
    expect(lastFall).toBeLessThan(1e-6);
    expect(Math.abs(area / truth - 1)).toBeLessThan(0.004);
    expect(Math.abs(measureVolume(mesh, 1) / volume - 1)).toBeLessThan(1e-8);
  });

  it('finds the area of the double bubble, closer on a finer mesh', () => {
    const start = stretch(buildDoubleSphere({ centre: [0, 0, 0], radius: 1, distance: 1, edge: 0.35 }), 1.2);
    const errors = [start, quarterFaces(start)].map((mesh) => {
      const volumes = [measureVolume(mesh, 1), measureVolume(mesh, 2)];
      expect(Math.abs(volumes[0] / volumes[1] - 1)).toBeLessThan(1e-6);
      const radius = Math.cbrt(volumes[0] / ((9 / 8) * Math.PI));
      const truth = (27 / 4) * Math.PI * radius ** 2;
      expect(sum(listFilmAreas(mesh)) / truth).toBeGreaterThan(1.015);
      const { area, lastFall } = findLeastArea(mesh, 400);
      expect(lastFall).toBeLessThan(1e-6);
      expect(listFilmAreas(mesh).length).toBe(3);
      return Math.abs(area / truth - 1);
    });
    expect(errors[0]).toBeLessThan(0.01);
    expect(errors[1]).toBeLessThan(0.4 * errors[0]);
  });
});
