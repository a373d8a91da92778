/**
 * Balls of mixed radii that touch the plane z = 0 from below, as in figure 4 of [ando-2013], and two older
 * surfaces of particles to set beside the skin: Zhu and Bridson 2005 (distance to averaged centre and radius)
 * and Adams et al. 2007 (the same by each ball's own kernel, with its distance to the surface as radius).
 */
import { createRandom } from '../../src/core/random.ts';

export interface Balls {
  readonly position: Float64Array;
  readonly radius: Float64Array;
}

/**
 * Squares of edge 1 / 8, each with 1, 4 or 16 balls in its top layer, shaken sideways, and layers below down
 * to the depth of the largest.
 */
export function layFlatBalls(seed: number): Balls {
  const random = createRandom(seed);
  const position: number[] = [];
  const radius: number[] = [];
  const square = 1 / 8;
  for (let i = 0; i < 8; i++)
    for (let j = 0; j < 8; j++) {
      const across = 2 ** random.nextInt(3);
      const r = square / (2 * across);
      for (let a = 0; a < across; a++)
        for (let b = 0; b < across; b++)
          for (let layer = 0; layer < across; layer++) {
            const shake = () => 0.6 * r * (random.next() - 0.5);
            position.push(square * i + r * (2 * a + 1) + shake(), square * j + r * (2 * b + 1) + shake());
            position.push(-r * (2 * layer + 1));
            radius.push(r);
          }
    }
  return { position: Float64Array.from(position), radius: Float64Array.from(radius) };
}

/** Points of the plane, away from the rim of the patch. */
export function layPoints(count: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const point = new Float64Array(3 * count);
  for (let n = 0; n < count; n++) {
    point[3 * n] = 0.2 + 0.6 * random.next();
    point[3 * n + 1] = 0.2 + 0.6 * random.next();
  }
  return point;
}

const kernel = (square: number) => Math.max(0, 1 - square) ** 3;

/** r - |x - c| with centre and radius averaged by a kernel of four largest radii. */
export function zhuBridson({ position, radius }: Balls, x: number, y: number, z: number): number {
  const reach = 4 * radius.reduce((most, r) => Math.max(most, r), 0);
  return average(position, radius, () => reach, x, y, z);
}

/**
 * The same with a kernel of four radii of each ball, and for the radius the ball's distance to the surface,
 * which here is known exactly: its depth.
 */
export function adams({ position, radius }: Balls, x: number, y: number, z: number): number {
  const depth = radius.map((_, p) => -position[3 * p + 2]);
  return average(position, depth, (p) => 4 * radius[p], x, y, z);
}

function average(
  position: Float64Array,
  distance: Float64Array,
  reach: (p: number) => number,
  x: number,
  y: number,
  z: number,
): number {
  let [sum, cx, cy, cz, d] = [0, 0, 0, 0, 0];
  for (let p = 0; p < distance.length; p++) {
    const square =
      (position[3 * p] - x) ** 2 + (position[3 * p + 1] - y) ** 2 + (position[3 * p + 2] - z) ** 2;
    const weight = kernel(square / reach(p) ** 2);
    sum += weight;
    cx += weight * position[3 * p];
    cy += weight * position[3 * p + 1];
    cz += weight * position[3 * p + 2];
    d += weight * distance[p];
  }
  if (sum === 0) return Number.NEGATIVE_INFINITY;
  return d / sum - Math.hypot(x - cx / sum, y - cy / sum, z - cz / sum);
}

/** Where a field's zero lies above or below a point of the plane, m; searched within `within`. */
export function findHeight(field: (z: number) => number, within: number): number {
  let low = -within;
  let high = within;
  for (let n = 0; n < 60; n++) {
    const middle = 0.5 * (low + high);
    if (field(middle) > 0) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
