import { describe, expect, test } from 'vitest';
import type { Box } from '../../src/core/types.ts';
import {
  box,
  cylinder,
  difference,
  halfSpace,
  measureShadow,
  measureThickness,
  rotate,
  sphere,
} from '../../src/geometry/shapes.ts';

const room: Box = { min: [-5, -5, -5], max: [5, 5, 5] };

describe('thickness: the largest ball that fits', () => {
  test.each([
    ['sphere', sphere([1, 0, 0], 0.7), 1.4],
    ['plate', box([0, 0, 0], [3, 2, 0.25]), 0.25],
    ['turned plate', rotate(box([0, 0, 0], [3, 2, 0.25]), [1, 2, 3], 1), 0.25],
    ['tube wall', difference(cylinder([0, 0, -2], [0, 0, 2], 1), cylinder([0, 0, -3], [0, 0, 3], 0.6)), 0.4],
    ['half-space, as far as the room reaches', halfSpace([0, 0, -1], [0, 0, 1]), 4],
    ['outside the room', sphere([9, 0, 0], 1), 0],
  ])('%s', (_, shape, thickness) => {
    const found = measureThickness(shape, room, 0.04);
    expect(found).toBeLessThanOrEqual(thickness + 1e-12);
    expect(found).toBeGreaterThanOrEqual(thickness - 0.04);
  });
});

describe('shadow: the cross-section of a jet', () => {
  test.each([
    ['sphere', sphere([1, 0, 0], 0.7), [1, 1, 1], Math.PI * 0.49],
    ['cylinder along its axis', cylinder([0, 0, 0], [1, 2, 3], 0.5), [2, 4, 6], Math.PI * 0.25],
    ['cylinder across', cylinder([0, 0, 0], [0, 0, 3], 0.5), [0, 1, 0], 3],
    ['box along x', box([0, 0, 0], [1, 2, 3]), [-1, 0, 0], 6],
    ['box past the wall', box([0, 0, 0], [1, 20, 3]), [-1, 0, 0], 15],
    // Along a diagonal of the cube: a hexagon.
    ['cube along its diagonal', box([0, 0, 0], [1, 1, 1]), [1, 1, 1], Math.sqrt(3)],
  ] as const)('%s', (_, shape, direction, area) => {
    expect(measureShadow(shape, direction, room) / area).toBeCloseTo(1, 2);
  });
});
