/** Seeded random numbers and smooth random regions for the mesher's tests. */
import type { StuffingField } from '../../src/mesh/lattice/lattice.ts';

export type Random = () => number;

/** mulberry32: small, seeded, good enough to draw shapes. */
export function createRandom(seed: number): Random {
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export type Field = (x: number, y: number, z: number) => number;

export const between = (random: Random, low: number, high: number) => low + (high - low) * random();

/** A random rotation as three rows, from a random quaternion. */
export function drawRotation(random: Random): number[] {
  let q = [0, 0, 0, 0].map(() => between(random, -1, 1));
  const n = Math.hypot(...q);
  q = q.map((c) => c / n);
  const [w, x, y, z] = q;
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ]; // biome-ignore format: rows of a matrix
}

export function rotated(field: Field, m: number[], c: number[]): Field {
  return (x, y, z) => {
    const u = x - c[0];
    const v = y - c[1];
    const w = z - c[2];
    return field(
      m[0] * u + m[1] * v + m[2] * w,
      m[3] * u + m[4] * v + m[5] * w,
      m[6] * u + m[7] * v + m[8] * w,
    );
  };
}

export function ball(radius: number): Field {
  return (x, y, z) => radius - Math.sqrt(x * x + y * y + z * z);
}

export function torus(major: number, minor: number): Field {
  return (x, y, z) => minor - Math.hypot(Math.hypot(x, y) - major, z);
}

export function box(a: number, b: number, c: number): Field {
  return (x, y, z) => {
    const dx = Math.abs(x) - a;
    const dy = Math.abs(y) - b;
    const dz = Math.abs(z) - c;
    const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0));
    return -(outside + Math.min(Math.max(dx, dy, dz), 0));
  };
}

/**
 * A random smooth region inside the ball of radius `reach` about the origin: metaballs, sums of Gaussians,
 * ellipsoids, tori, or a piece of a gyroid, rotated.
 */
export function drawRegion(random: Random, reach: number): Field {
  const kind = Math.floor(5 * random());
  const rotation = drawRotation(random);
  const clip = ball(0.98 * reach);
  let field: Field;
  if (kind === 0) field = drawMetaballs(random, reach);
  else if (kind === 1) field = drawGaussians(random, reach);
  else if (kind === 2) {
    const axes = [0, 1, 2].map(() => between(random, 0.08, 0.95) * reach);
    field = (x, y, z) => Math.min(...axes) * (1 - Math.hypot(x / axes[0], y / axes[1], z / axes[2]));
  } else if (kind === 3) {
    const major = between(random, 0.25, 0.65) * reach;
    field = torus(major, between(random, 0.1, 0.95) * Math.min(major, 0.97 * reach - major));
  } else {
    const k = between(random, 3, 9) / reach;
    const level = between(random, -0.9, 0.9);
    field = (x, y, z) =>
      (Math.sin(k * x) * Math.cos(k * y) +
        Math.sin(k * y) * Math.cos(k * z) +
        Math.sin(k * z) * Math.cos(k * x) -
        level) /
      (2 * k);
  }
  const offset = [0, 1, 2].map(() => between(random, -0.02, 0.02) * reach);
  const turned = rotated(field, rotation, offset);
  return (x, y, z) => Math.min(turned(x, y, z), clip(x, y, z));
}

function drawMetaballs(random: Random, reach: number): Field {
  const n = 1 + Math.floor(6 * random());
  const centre = Array.from({ length: 3 * n }, () => between(random, -0.5, 0.5) * reach);
  const radius = Array.from({ length: n }, () => between(random, 0.1, 0.5) * reach);
  return (x, y, z) => {
    let sum = 0;
    for (let b = 0; b < n; b++) {
      const d2 = (x - centre[3 * b]) ** 2 + (y - centre[3 * b + 1]) ** 2 + (z - centre[3 * b + 2]) ** 2;
      sum += (radius[b] * radius[b]) / (d2 + 1e-6 * reach * reach);
    }
    return 0.25 * reach * (1 - 1 / Math.sqrt(sum));
  };
}

function drawGaussians(random: Random, reach: number): Field {
  const n = 2 + Math.floor(8 * random());
  const centre = Array.from({ length: 3 * n }, () => between(random, -0.7, 0.7) * reach);
  const width = Array.from({ length: n }, () => between(random, 0.15, 0.5) * reach);
  const weight = Array.from({ length: n }, () => between(random, -1, 1));
  const level = between(random, -0.1, 0.3);
  return (x, y, z) => {
    let sum = -level;
    for (let g = 0; g < n; g++) {
      const d2 = (x - centre[3 * g]) ** 2 + (y - centre[3 * g + 1]) ** 2 + (z - centre[3 * g + 2]) ** 2;
      sum += weight[g] * Math.exp(-d2 / (width[g] * width[g]));
    }
    return 0.2 * reach * sum;
  };
}

export const asField = (value: Field): StuffingField => ({ value });

/** Every cell of a lattice: candidates for fields that are no distance bound. */
export function allCells(cells: readonly [number, number, number]): Int32Array {
  return Int32Array.from({ length: cells[0] * cells[1] * cells[2] }, (_, c) => c);
}
