import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { measureVolume } from '../../../src/mesh/trimesh-measure.ts';
import { buildRing, findPieces } from '../../../src/tracking/skinning/smooth.ts';
import { buildSkinSurface } from '../../../src/tracking/skinning/surface.ts';
import { openThreads } from '../../threads.ts';
import { countOpenSides } from './open-sides.ts';

const { heap, one, two } = await openThreads();
const machine = { heap, threads: one };

describe('the surface of frames', () => {
  it('holds what its balls stand for, body by body, and stays on a wall', () => {
    const position: number[] = [0.5, 0.5, 3];
    const radius: number[] = [0.05];
    // A film a ball thin, with more room between balls than they have width.
    for (let i = 0; i < 12; i++)
      for (let j = 0; j < 12; j++) {
        position.push(0.13 * i, 0.13 * j, 0.05);
        radius.push(0.05);
      }
    const balls = { position: Float64Array.from(position), radius: Float64Array.from(radius) };
    const velocity = new Float64Array(position.length);
    const volumeOf = (r: number) => 8 * r ** 3;
    const freedomAt = (_x: number, _y: number, z: number) => Math.min(1, Math.max(0, z / 0.02));
    const plain = buildSkinSurface({ balls, velocity }, machine).mesh;
    const { mesh } = buildSkinSurface({ balls, velocity, holding: { volumeOf, freedomAt } }, machine);
    expect(countOpenSides(mesh.triangle)).toBe(0);
    const wanted = 145 * volumeOf(0.05);
    expect(Math.abs(measureVolume(plain) / wanted - 1)).toBeGreaterThan(0.2);
    expect(Math.abs(measureVolume(mesh) / wanted - 1)).toBeLessThan(0.002);
    const lowest = (p: Float64Array) =>
      p.reduce((least, x, n) => (n % 3 === 2 ? Math.min(least, x) : least), 1);
    expect(Math.abs(lowest(mesh.position) - lowest(plain.position))).toBeLessThan(0.002);
  });

  it('has no hole where balls leave a gap at a wall', () => {
    const position: number[] = [];
    for (let i = 0; i < 12; i++)
      for (let j = 0; j < 12; j++)
        for (let k = 0; k < 6; k++) {
          // None on a square of 0.5 x 0.5 of the floor.
          if (i > 3 && i < 9 && j > 3 && j < 9 && k === 0) continue;
          position.push(0.1 * (i + 0.5), 0.1 * (j + 0.5), 0.1 * (k + 0.5));
        }
    const count = position.length / 3;
    const balls = { position: Float64Array.from(position), radius: new Float64Array(count).fill(0.05) };
    const velocity = new Float64Array(position.length);
    const roof = (clearanceAt?: (x: number, y: number, z: number) => number) => {
      const { mesh } = buildSkinSurface({ balls, velocity, ...(clearanceAt && { clearanceAt }) }, machine);
      expect(countOpenSides(mesh.triangle)).toBe(0);
      let most = 0;
      for (let n = 0; n < mesh.position.length; n += 3)
        if (
          Math.hypot(mesh.position[n] - 0.65, mesh.position[n + 1] - 0.65) < 0.1 &&
          mesh.position[n + 2] < 0.5
        )
          most = Math.max(most, mesh.position[n + 2]);
      return most;
    };
    // The gap is open to what is behind the wall; a wall closes it, and the surface lies on the wall.
    expect(roof()).toBeGreaterThan(0.08);
    expect(roof((_x, _y, z) => z)).toBeLessThan(0.02);
  });

  it('one ball is a sphere, moving with it; two far apart are two', () => {
    const position = Float64Array.of(0.1, 0.2, 0.3, 5, 5, 5);
    const radius = Float64Array.of(0.05, 0.5);
    const velocity = Float64Array.of(1, 2, 3, 0, -1, 0);
    const surface = buildSkinSurface({ balls: { position, radius }, velocity }, machine);
    expect(countOpenSides(surface.mesh.triangle)).toBe(0);
    expect(findPieces(buildRing(surface.mesh)).count).toBe(2);
    const volume = (4 / 3) * Math.PI * (0.05 ** 3 + 0.5 ** 3);
    expect(measureVolume(surface.mesh) / volume).toBeGreaterThan(0.85);
    expect(measureVolume(surface.mesh) / volume).toBeLessThan(1.001);
    for (let v = 0; v < surface.mesh.vertexCount; v++) {
      const isFirst = surface.mesh.position[3 * v] < 1;
      const expected = isFirst ? [1, 2, 3] : [0, -1, 0];
      expect(
        Array.from(surface.velocity.subarray(3 * v, 3 * v + 3), (x) => Math.round(1e9 * x) / 1e9),
      ).toEqual(expected);
    }
  });

  it('a block of particles of two sizes: one closed surface, volume, velocity as theirs, the same on two threads', () => {
    const random = createRandom(3);
    const position: number[] = [];
    const radius: number[] = [];
    for (let side = 0; side < 2; side++) {
      const r = side === 0 ? 1 / 16 : 1 / 32;
      const n = 0.5 / r / 2;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < 2 * n; j++)
          for (let k = 0; k < 2 * n; k++) {
            const shake = () => 0.3 * r * (2 * random.next() - 1);
            position.push(
              0.5 * side + r * (2 * i + 1) + shake(),
              r * (2 * j + 1) + shake(),
              r * (2 * k + 1) + shake(),
            );
            radius.push(r);
          }
    }
    const velocity = Float64Array.from(position, (x, n) => (n % 3 === 0 ? x : 0));
    const balls = { position: Float64Array.from(position), radius: Float64Array.from(radius) };
    const surface = buildSkinSurface({ balls, velocity }, machine);
    const { mesh } = surface;
    expect(countOpenSides(mesh.triangle)).toBe(0);
    expect(findPieces(buildRing(mesh)).count).toBe(1);
    expect(mesh.vertexCount - mesh.triangleCount / 2).toBe(2);
    expect(Math.abs(measureVolume(mesh) - 1)).toBeLessThan(0.05);
    let off = 0;
    for (let v = 0; v < mesh.vertexCount; v++)
      off = Math.max(off, Math.abs(surface.velocity[3 * v] - mesh.position[3 * v]));
    expect(off).toBeLessThan(0.1);
    const again = buildSkinSurface({ balls, velocity }, { heap, threads: two });
    expect(again.mesh.position).toEqual(mesh.position);
    expect(again.velocity).toEqual(surface.velocity);
  });
});
