import { describe, expect, test } from 'vitest';
import type { Box } from '../../src/core/types.ts';
import {
  box,
  cylinder,
  difference,
  halfSpace,
  measureRegion,
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

  test('ends where a field far from the origin has lost its digits', () => {
    let asked = 0;
    const endless = cylinder([1e15, 0, 0], [0, 0, 0.1], 0.07);
    const counted = {
      bounds: endless.bounds,
      value: (x: number, y: number, z: number) => {
        asked++;
        return endless.value(x, y, z);
      },
    };
    measureShadow(counted, [0, 0, 1], room);
    expect(asked).toBeLessThan(100 * 256 ** 2);
  });
});

describe('region: volume and boundary inside a box', () => {
  test.each([
    ['sphere', sphere([1, 0, 0], 0.7), (4 / 3) * Math.PI * 0.343, 4 * Math.PI * 0.49, 1.5],
    ['thin plate', box([0, 0, 0], [3, 2, 0.01]), 0.06, 12.1, 1],
    ['box past the wall', box([-9, -9, -9], [9, 9, -4]), 100, 240, 1],
    // Half of all directions' shadows, for a plane along the diagonal: sqrt(3) times its area.
    [
      'turned cube',
      rotate(box([-1, -1, -1], [1, 1, 1]), [1, 0, 0], Math.PI / 4),
      8,
      24,
      (2 + 4 * Math.SQRT2) / 6,
    ],
    ['outside', sphere([9, 0, 0], 1), 0, 0, 1],
  ] as const)('%s', (_, shape, volume, area, askew) => {
    const size = measureRegion(shape, room, 32);
    const close = (found: number, wanted: number, share: number) =>
      expect(Math.abs(found - wanted)).toBeLessThanOrEqual(share * wanted);
    close(size.volume, volume, 0.05);
    close(size.area, area, 0.1);
    close(size.steps, askew * area, 0.1);
  });

  test('without what other fields leave out', () => {
    const size = measureRegion(box([-1, -1, -1], [1, 1, 1]), room, 32, [halfSpace([0, 0, 0], [0, 0, 1])]);
    expect(size.volume).toBeCloseTo(4, 6);
    expect(size.centroid[2]).toBeCloseTo(-0.5, 6);
    expect(size.bounds!.max[2]).toBeCloseTo(0, 6);
  });
});

test('the shadow of a crowd asks no more of it than that of one takes a few times', () => {
  const countFor = (crowd: number) => {
    let asked = 0;
    const one = sphere([0, 0, 0], 1);
    const value = (x: number, y: number, z: number) => {
      asked += crowd;
      return one.value(x, y, z);
    };
    const area = measureShadow({ ...one, value, cost: crowd }, [0, 0, 1], room);
    expect(Math.abs(area / Math.PI - 1)).toBeLessThan(0.03);
    return asked;
  };
  const once = countFor(1);
  expect(once).toBeGreaterThan(2 ** 16);
  expect(countFor(900)).toBeLessThan(60 * once);
});
