import { expect, it } from 'vitest';
import { sphere } from '../../../src/geometry/shapes.ts';
import { startScene } from './scenes.ts';

const RADIUS = 0.1;
const LONG = 60_000;

/** Angle of a spherical cap as high and as wide as a half ball became in 2 s of surface tension, degrees. */
function spread(contactAngle: number): number {
  const { state, step, measure } = startScene({
    domain: [
      [-0.2, -0.2, 0],
      [0.2, 0.2, 0.2],
    ],
    resolution: RADIUS / 4,
    viscosity: 100,
    surfaceTension: 100,
    liquids: [{ shape: sphere([0, 0, 0], RADIUS) }],
    options: { contactAngle },
  });
  const before = measure();
  for (let n = 0; n < 20; n++) step(0.1);
  const after = measure();
  expect(Math.abs(after.volume / before.volume - 1)).toBeLessThan(1e-3);
  expect(after.surfaceEnergy!).toBeLessThan(before.surfaceEnergy!);
  const { position, vertexCount } = state.surface;
  let [top, base] = [0, 0];
  for (let v = 0; v < 3 * vertexCount; v += 3) {
    top = Math.max(top, position[v + 2]);
    if (position[v + 2] < 1e-6) base = Math.max(base, Math.hypot(position[v], position[v + 1]));
  }
  return (360 / Math.PI) * Math.atan(top / base);
}

it.each([60, 120])(
  'a drop on a floor comes to rest near a contact angle of %d degrees',
  (angle) => {
    expect(Math.abs(spread(angle) - angle)).toBeLessThan(5);
  },
  LONG,
);
