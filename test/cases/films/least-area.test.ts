import { describe, expect, it } from 'vitest';
import {
  findLeastArea,
  type LabelledMesh,
  listFilmAreas,
  quarterFaces,
} from '../../../cases/films/least-area.ts';
import { measureAngleMiss, measureCurveAngles, measureFilmAngles } from '../../../cases/films/march.ts';
import { measureVolumes, relaxFilms, shakeFilms } from '../../../cases/films/relax-films.ts';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import {
  buildCellBlock,
  buildDoubleSphere,
  buildSpheres,
} from '../../../src/tracking/multimaterial/shapes.ts';

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
    const { area, residual } = findLeastArea(mesh, 400);
    expect(residual).toBeLessThan(0.005);
    expect(Math.abs(area / truth - 1)).toBeLessThan(0.004);
    const radii = Array.from({ length: mesh.position.length / 3 }, (_, v) =>
      Math.hypot(...mesh.position.subarray(3 * v, 3 * v + 3)),
    );
    expect(Math.max(...radii) / Math.min(...radii)).toBeLessThan(1.01);
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
      const { area, residual } = findLeastArea(mesh, 400);
      expect(residual).toBeLessThan(0.01);
      expect(listFilmAreas(mesh).length).toBe(3);
      return Math.abs(area / truth - 1);
    });
    expect(errors[0]).toBeLessThan(0.01);
    expect(errors[1]).toBeLessThan(0.4 * errors[0]);
  });

  it('refuses faces turned inside out', () => {
    const { position, triangle, label } = stretch(buildSpheres([{ levels: 1 }]), 1);
    const turned = label.map((_, i) => label[i ^ 1]);
    expect(() => findLeastArea({ position, triangle, label: turned }, 1)).toThrow('inside out');
  });
});

describe('relaxed films', () => {
  it('eight cubes around a corner part by T1s into films and curves that meet as Plateau found', () => {
    const resolution = 0.125;
    const { position, triangle, label } = buildCellBlock(2, 2);
    const block = {
      position: Float64Array.from(position),
      triangle: Int32Array.from(triangle),
      label: Int32Array.from(label),
    };
    const { mesh, area, residual, t1 } = relaxFilms(
      shakeFilms(block, 0.1 * resolution),
      resolution,
      60,
      undefined,
      measureVolumes(block),
    );
    expect(t1).toBeGreaterThan(0);
    expect(residual).toBeLessThan(0.02);
    expect(area / sum(listFilmAreas(block))).toBeLessThan(0.9);
    const found = buildMultiMesh(mesh);
    for (const [region, volume] of measureVolumes(block))
      expect(Math.abs(measureVolumes(mesh).get(region)! / volume - 1)).toBeLessThan(1e-2);
    const films = measureAngleMiss(measureFilmAngles(found), 120);
    expect(films.curves).toBeLessThan(8);
    const misses = measureCurveAngles(found, () => false).map((angle) => angle - 109.47);
    expect(misses.length).toBeGreaterThanOrEqual(36);
    expect(Math.sqrt(sum(misses.map((miss) => miss * miss)) / misses.length)).toBeLessThan(4);
  });
});
