/** Volumes of compartments wherever the films are. */
import { describe, expect, it } from 'vitest';
import { buildMultiMesh } from '../../../../src/tracking/multimaterial/build.ts';
import { computeVolumes } from '../../../../src/tracking/multimaterial/conservation/compartments.ts';
import { findShells } from '../../../../src/tracking/multimaterial/return-volume.ts';
import { buildDoubleSphere } from '../../../../src/tracking/multimaterial/shapes.ts';

describe('volumes of shells', () => {
  const radius = 0.02;
  const mesh = buildMultiMesh(
    buildDoubleSphere({ centre: [0, 0, 0], radius, distance: radius, edge: 0.25 * radius }),
  );
  const { shell, count } = findShells(mesh);
  const measure = (p: Float64Array) => computeVolumes(mesh, shell, count, p);

  it('two bubbles and, less than nothing, all that is around them', () => {
    const volume = [...measure(mesh.position)].sort((a, b) => a - b);
    expect(count).toBe(3);
    expect(Math.abs(volume[0] + volume[1] + volume[2])).toBeLessThan(1e-14 * volume[2]);
    // Two spheres less the cap of half a radius that each loses to the film between them, and the flatness of
    // faces.
    const truth = Math.PI * radius ** 3 * (4 / 3 - (0.5 ** 2 * 2.5) / 3);
    expect(volume[1] / truth).toBeCloseTo(1, 1);
    expect(volume[2] / volume[1]).toBeCloseTo(1, 9);
  });

  it.each([1, 1e3, 1e6])(
    'a double bubble of 2 cm, %d m away, loses no digits but those of its positions',
    (away) => {
      const far = mesh.position.map((x) => x + away);
      // Exact: the same rounded positions, brought back.
      const near = far.map((x) => x - away);
      const [volume, atHome, rounded] = [measure(far), measure(mesh.position), measure(near)];
      // A coordinate is off by half a unit in the last place, a volume by that times its area: 3 / radius of
      // it, a little more with the film between.
      const rounding = ((4 / radius) * away * Number.EPSILON) / 2;
      for (let s = 0; s < count; s++) {
        expect(Math.abs(volume[s] / rounded[s] - 1)).toBeLessThan(1e-14);
        expect(Math.abs(volume[s] / atHome[s] - 1)).toBeLessThan(rounding + 1e-14);
      }
    },
  );
});
