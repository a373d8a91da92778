/**
 * What begins symmetric stays so: surface, mesh and velocities of a falling ball are their own mirror images,
 * until it lands and while it does.
 */
import { expect, it } from 'vitest';
import { sphere } from '../../../src/geometry/shapes.ts';
import { startScene } from './scenes.ts';

const STEP = 1 / 60;

/** The vertex that mirrors each in the plane x = 0.5 or y = 0.5; throws where one has none. */
function mirrorVertices(position: Float64Array, count: number, axis: number): Int32Array {
  const key = (v: number, mirror: boolean) =>
    [0, 1, 2]
      .map((a) => (mirror && a === axis ? 1 - position[3 * v + a] : position[3 * v + a]))
      .map((x) => Math.round(1e6 * x))
      .join();
  const at = new Map<string, number>();
  for (let v = 0; v < count; v++) at.set(key(v, false), v);
  return Int32Array.from({ length: count }, (_, v) => {
    const image = at.get(key(v, true));
    if (image === undefined) throw new Error(`vertex ${v} has no image in axis ${axis}`);
    return image;
  });
}

function countUnmirrored(element: Int32Array, corners: number, count: number, image: Int32Array): number {
  const nameOf = (n: number, map: (v: number) => number) =>
    [...element.subarray(corners * n, corners * (n + 1))]
      .map(map)
      .sort((a, b) => a - b)
      .join();
  const names = new Set(Array.from({ length: count }, (_, n) => nameOf(n, (v) => v)));
  let missing = 0;
  for (let n = 0; n < count; n++) if (!names.has(nameOf(n, (v) => image[v]))) missing++;
  return missing;
}

it('a ball in flight and at its landing is its own mirror image', () => {
  const gravity = [0, 0, -9.81] as const;
  const { state, step } = startScene({
    domain: [
      [0, 0, 0],
      [1, 1, 1],
    ],
    resolution: 0.1,
    gravity,
    liquids: [{ shape: sphere([0.5, 0.5, 0.35], 0.23), velocity: [0, 0, -1] }],
  });
  let landed = 0;
  for (let n = 0; n < 7; n++) {
    const { surface, mesh, derived } = state;
    for (const axis of [0, 1]) {
      const onSurface = mirrorVertices(surface.position, surface.vertexCount, axis);
      expect(countUnmirrored(surface.triangle, 3, surface.triangleCount, onSurface)).toBe(0);
      const inMesh = mirrorVertices(mesh.position, mesh.vertexCount, axis);
      expect(countUnmirrored(mesh.tet, 4, mesh.tetCount, inMesh)).toBe(0);
      const { velocity } = derived.rates;
      for (let v = 0; v < mesh.vertexCount; v++)
        for (let a = 0; a < 3; a++) {
          const mirrored = (a === axis ? -1 : 1) * velocity[3 * inMesh[v] + a];
          expect(Math.abs(velocity[3 * v + a] - mirrored)).toBeLessThan(1e-5);
        }
    }
    const report = step(STEP);
    if (report.events['contactRounds'] > 1) landed++;
    if (landed > 0) break;
  }
  expect(landed).toBe(1);
});
