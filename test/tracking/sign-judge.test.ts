import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import type { Vec3 } from '../../src/core/types.ts';
import { SurfaceDistance } from '../../src/tracking/contouring/distance.ts';
import { SignJudge } from '../../src/tracking/contouring/sign-judge.ts';
import { buildSignGrid } from '../../src/tracking/contouring/signs.ts';
import { buildSurfaceIndex } from '../../src/tracking/contouring/surface-index.ts';
import { buildSpace, contourOf, heap, randomField, type ScalarFunction, windingNumber } from './contours.ts';

const h = 0.1;
const nodes: Vec3 = [9, 9, 9];

/**
 * A contour of f whose vertices have since been moved by less than `moved` cells, here and there through each
 * other.
 */
function crumple(f: ScalarFunction, moved: number, seed: number) {
  const frame = buildSpace([0, 0, 0], h, nodes);
  const { surface, signs } = contourOf(frame, f, () => true);
  const random = createRandom(seed);
  for (let n = 0; n < 3 * surface.vertexCount; n++)
    surface.position[n] += ((2 * random.next() - 1) * moved * h) / Math.sqrt(3);
  const scope = heap.scope('test index');
  const index = buildSurfaceIndex(surface, frame.walls, scope);
  return {
    surface,
    distance: new SurfaceDistance(index),
    judge: new SignJudge(index, buildSignGrid(signs, scope), moved),
  };
}

describe('the judge of signs', () => {
  it('is right by the winding number where the nearest triangle of a crumpled surface is not', () => {
    const random = createRandom(7);
    let [judged, misled] = [0, 0];
    for (let seed = 1; seed <= 4; seed++) {
      const { surface, distance, judge } = crumple(randomField(seed, [0, 0, 0], h, nodes, -0.5), 0.4, seed);
      for (let n = 0; n < 250; n++) {
        const [x, y, z] = [0.8 * random.next(), 0.8 * random.next(), 0.8 * random.next()];
        const isInside = judge.isInside(x, y, z);
        if (isInside === undefined) continue;
        judged++;
        const truth = windingNumber(surface, x, y, z) > 0.5;
        expect(isInside).toBe(truth);
        if (distance.signedDistance(x, y, z, 5) > 0 !== truth) misled++;
      }
    }
    expect(judged).toBeGreaterThan(700);
    // The case is the one that it is for.
    expect(misled).toBeGreaterThan(20);
  });

  it('says air beside a film that is turned inside out', () => {
    const frame = buildSpace([0, 0, 0], h, nodes);
    const film = (x: number, y: number, z: number) =>
      0.02 - Math.max(Math.abs(z - 0.401), Math.abs(x - 0.4) - 0.2, Math.abs(y - 0.4) - 0.2);
    const { surface, signs } = contourOf(frame, film, () => true);
    const scope = heap.scope('test index');
    const judgeNow = () =>
      new SignJudge(buildSurfaceIndex(surface, frame.walls, scope), buildSignGrid(signs, scope), 0.5);
    expect(judgeNow().isInside(0.41, 0.42, 0.402)).toBe(true);
    // Its two sides change places.
    for (let v = 0; v < surface.vertexCount; v++) {
      const z = 3 * v + 2;
      if (Math.abs(surface.position[z] - 0.401) > 0.015) surface.position[z] = 0.802 - surface.position[z];
    }
    const index = buildSurfaceIndex(surface, frame.walls, scope);
    expect(new SurfaceDistance(index).signedDistance(0.41, 0.42, 0.47, 5)).toBeGreaterThan(0);
    expect(judgeNow().isInside(0.41, 0.42, 0.47)).toBe(false);
  });
});
