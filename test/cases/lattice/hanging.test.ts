/**
 * The measures of the referees of everyday scenes, on boxes: what hangs is told from what falls and from a
 * pool.
 */
import { describe, expect, it } from 'vitest';
import { HangWatch, LONGEST_HANG } from '../../../cases/lattice/hanging.ts';
import { buildScene } from '../../../cases/lattice/march.ts';
import {
  findWetStretches,
  measureQuadrants,
  measureVolumeOn,
  measureWave,
} from '../../../cases/lattice/surface-measures.ts';
import { tessellateBox } from '../../../src/mesh/tessellate.ts';
import type { TriMesh } from '../../../src/mesh/trimesh.ts';

const scene = buildScene({ domain: { min: [0, 0, 0], max: [1, 1, 1] }, resolution: 0.05 });

function watch(mesh: (time: number) => TriMesh, until = 0.6): number {
  const hanging = new HangWatch(scene);
  for (let time = 0; time <= until; time += 1 / 30) hanging.look(time, mesh(time));
  return hanging.longest;
}

describe('hanging', () => {
  it('is found where a blob sticks to a wall, or creeps down it', () => {
    expect(watch(() => tessellateBox([0.9, 0.3, 0.4], [1, 0.6, 0.6]))).toBeGreaterThan(LONGEST_HANG);
    expect(watch((t) => tessellateBox([0.3, 0, 0.5 - 0.1 * t], [0.6, 0.05, 0.7 - 0.1 * t]))).toBeGreaterThan(
      LONGEST_HANG,
    );
  });

  it('is found under the ceiling', () => {
    expect(watch(() => tessellateBox([0.3, 0.3, 0.9], [0.6, 0.6, 1]))).toBeGreaterThan(LONGEST_HANG);
  });

  it('is not found where liquid slides down a wall as it must, or up and down', () => {
    const fall = (t: number) => 0.5 * 9.81 * t * t;
    expect(
      watch((t) =>
        tessellateBox([0.9, 0.3, Math.max(0, 0.7 - fall(t))], [1, 0.6, Math.max(0.1, 0.9 - fall(t))]),
      ),
    ).toBeLessThan(LONGEST_HANG);
    const toss = (t: number) => 2.5 * t - fall(t);
    expect(watch((t) => tessellateBox([0.9, 0.3, 0], [1, 0.6, 0.4 + toss(t)]), 0.5)).toBeLessThan(
      LONGEST_HANG,
    );
  });

  it('is not found in a pool', () => {
    expect(watch(() => tessellateBox([0, 0, 0], [1, 1, 0.4]))).toBe(0);
  });
});

describe('measures', () => {
  const mesh = tessellateBox([0.2, 0.3, 0.1], [0.6, 0.8, 0.4]);

  it('cut volumes at vertical planes', () => {
    expect(measureVolumeOn(mesh, [])).toBeCloseTo(0.4 * 0.5 * 0.3, 12);
    expect(measureQuadrants(mesh, 0.5, 0.5)).toEqual([
      expect.closeTo(0.3 * 0.2 * 0.3, 12),
      expect.closeTo(0.1 * 0.2 * 0.3, 12),
      expect.closeTo(0.3 * 0.3 * 0.3, 12),
      expect.closeTo(0.1 * 0.3 * 0.3, 12),
    ]);
  });

  it('find wet stretches', () => {
    const [inside, outside] = findWetStretches(mesh, [
      [0.41, 0.52],
      [0.71, 0.52],
    ]);
    expect(inside).toEqual([{ from: expect.closeTo(0.1, 12), to: expect.closeTo(0.4, 12) }]);
    expect(outside).toEqual([]);
  });

  it('see no wave on a level pool', () => {
    const wave = { waveNumber: 2 * Math.PI, level: 0.4, area: 1 };
    expect(measureWave(tessellateBox([0, 0, 0], [1, 1, 0.4]), wave)).toBeCloseTo(0, 12);
  });
});
