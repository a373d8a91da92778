/**
 * Inside and outside beyond the rim of a free surface: a thin lens of air on a ball. The planes of its outermost triangles leave
 * the ball, which is bent, and what lies between plane and ball is liquid all the same.
 */
import { expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { buildSignGrid } from '../../src/tracking/contouring/signs.ts';
import { buildSurfaceIndex } from '../../src/tracking/contouring/surface-index.ts';
import { SurfaceLevel } from '../../src/tracking/contouring/surface-level.ts';
import { buildSpace, contourOf, heap } from './contours.ts';

const NODES = 25;
const RADIUS = 5;
const CENTRE = [12.03, 11.96, 12.02];
/** The lens lies between the ball and a sphere that meets it at 4 degrees. */
const LENS = { radius: 4.8, above: 0.4 };

const fromBall = (x: number, y: number, z: number, above = 0) =>
  Math.hypot(x - CENTRE[0], y - CENTRE[1], z - CENTRE[2] - above);
const clearance = (x: number, y: number, z: number) => fromBall(x, y, z) - RADIUS;
const liquid = (x: number, y: number, z: number) => fromBall(x, y, z, LENS.above) - LENS.radius;

it('a lens of air on a ball does not make air of the liquid around its rim', () => {
  const space = buildSpace([0, 0, 0], 1, [NODES, NODES, NODES], clearance);
  const { surface, signs } = contourOf(space, liquid);
  const free = surface.triangleCount - surface.wall.reduce((sum, w) => sum + w, 0);
  expect(free).toBeGreaterThan(50);
  const scope = heap.scope('test level');
  const index = buildSurfaceIndex(surface, space.walls, scope);
  const level = new SurfaceLevel({
    surface: index,
    signs: buildSignGrid(signs, scope),
    spacing: 1,
    rings: 4,
    moved: 0.2,
  });
  const random = createRandom(5);
  let beyond = 0;
  let wrong = 0;
  for (let n = 0; n < 100_000; n++) {
    const [x, y, z] = [0, 1, 2].map(
      (a) => CENTRE[a] + (a === 2 ? 7 * random.next() : 14 * random.next() - 7),
    );
    if (clearance(x, y, z) < 0 || clearance(x, y, z) > 1 || liquid(x, y, z) < 0) continue;
    // Only cells that the lens stays out of.
    let air = 0;
    for (let c = 0; c < 8; c++) {
      const [i, j, k] = [x, y, z].map((p, a) => Math.floor(p) + ((c >> a) & 1));
      if (clearance(i, j, k) > 0 && liquid(i, j, k) <= 0) air++;
    }
    if (air > 0) continue;
    const value = level.value(x, y, z);
    if (!level.isNear || !level.surface.isBeyondRim || level.surface.distance < 0.5) continue;
    beyond++;
    if (value <= 0) wrong++;
  }
  expect(beyond).toBeGreaterThan(500);
  expect(wrong).toBe(0);
});
