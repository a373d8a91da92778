/**
 * What referees read off a closed surface: volume over a part of the floor, wet stretches of columns, the
 * amplitude of a wave.
 */
import type { TriMesh } from '../../src/mesh/trimesh.ts';

type Surface = Pick<TriMesh, 'position' | 'triangle' | 'triangleCount'>;

/** A vertical plane: what lies where sign (x[axis] - at) >= 0 counts. */
export interface Side {
  readonly axis: 0 | 1;
  /** m */
  readonly at: number;
  readonly sign: 1 | -1;
}

/**
 * Volume of the liquid on the given sides of vertical planes, m^3: the sum over triangles of (shadow on the
 * floor) x (height).
 */
export function measureVolumeOn(
  { position, triangle, triangleCount }: Surface,
  sides: readonly Side[],
): number {
  let sum = 0;
  for (let f = 0; f < triangleCount; f++) {
    let polygon: number[][] = [];
    for (let i = 0; i < 3; i++) {
      const v = 3 * triangle[3 * f + i];
      polygon.push([position[v], position[v + 1], position[v + 2]]);
    }
    for (const side of sides) polygon = clip(polygon, side);
    for (let i = 2; i < polygon.length; i++) {
      const [a, b, c] = [polygon[0], polygon[i - 1], polygon[i]];
      sum += (computeShadow(a, b, c) * (a[2] + b[2] + c[2])) / 3;
    }
  }
  return sum;
}

/** Signed area of a triangle's shadow on the floor, m^2; positive where it faces up. */
function computeShadow(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  return 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

function clip(polygon: number[][], { axis, at, sign }: Side): number[][] {
  const depth = polygon.map((p) => sign * (p[axis] - at));
  if (depth.every((d) => d >= 0)) return polygon;
  const kept: number[][] = [];
  for (let i = 0; i < polygon.length; i++) {
    const j = (i + 1) % polygon.length;
    if (depth[i] >= 0) kept.push(polygon[i]);
    if (depth[i] >= 0 === depth[j] >= 0) continue;
    const s = depth[i] / (depth[i] - depth[j]);
    kept.push(polygon[i].map((x, a) => x + s * (polygon[j][a] - x)));
  }
  return kept;
}

/** The volumes of the four quadrants about a vertical axis, m^3: (-x -y), (+x -y), (-x +y), (+x +y). */
export function measureQuadrants(surface: Surface, x: number, y: number): number[] {
  const signs = [-1, 1] as const;
  return signs.flatMap((sy) =>
    signs.map((sx) =>
      measureVolumeOn(surface, [
        { axis: 0, at: x, sign: sx },
        { axis: 1, at: y, sign: sy },
      ]),
    ),
  );
}

/** A stretch of a column that is inside the liquid, m. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The wet stretches of vertical lines through (x, y), lowest first. Lines should keep off the planes of the
 * grid.
 */
export function findWetStretches(
  surface: Surface,
  columns: readonly (readonly [number, number])[],
): Stretch[][] {
  const crossings = findCrossings(surface, columns);
  return crossings.map((list) => {
    list.sort((a, b) => a.z - b.z);
    const stretches: Stretch[] = [];
    let depth = 0;
    let from = 0;
    for (const { z, into } of list) {
      if (depth === 0 && into > 0) from = z;
      depth += into;
      if (depth === 0 && into < 0 && z > from) stretches.push({ from, to: z });
    }
    return stretches;
  });
}

interface Crossing {
  readonly z: number;
  /** 1 where the line enters the liquid on its way up, -1 where it leaves. */
  readonly into: 1 | -1;
}

/** Cells of the table that finds the columns under a triangle, along the longer side of all columns. */
const BUCKETS = 64;

function findCrossings(
  { position, triangle, triangleCount }: Surface,
  columns: readonly (readonly [number, number])[],
): Crossing[][] {
  const low = [0, 1].map((a) => Math.min(...columns.map((c) => c[a])));
  const high = [0, 1].map((a) => Math.max(...columns.map((c) => c[a])));
  const size = Math.max(high[0] - low[0], high[1] - low[1], 1e-9) / BUCKETS;
  const bucket = (x: number, a: number) =>
    Math.max(-1, Math.min(BUCKETS + 1, Math.floor((x - low[a]) / size)));
  const inBucket = new Map<number, number[]>();
  const key = (i: number, j: number) => i + 1000 * j;
  columns.forEach(([x, y], n) => {
    const k = key(bucket(x, 0), bucket(y, 1));
    const list = inBucket.get(k);
    if (list) list.push(n);
    else inBucket.set(k, [n]);
  });
  const crossings: Crossing[][] = columns.map(() => []);
  for (let f = 0; f < triangleCount; f++) {
    const [a, b, c] = [0, 1, 2].map((i) => {
      const v = 3 * triangle[3 * f + i];
      return [position[v], position[v + 1], position[v + 2]];
    });
    const whole = computeShadow(a, b, c);
    if (whole === 0) continue;
    for (let j = bucket(Math.min(a[1], b[1], c[1]), 1); j <= bucket(Math.max(a[1], b[1], c[1]), 1); j++)
      for (let i = bucket(Math.min(a[0], b[0], c[0]), 0); i <= bucket(Math.max(a[0], b[0], c[0]), 0); i++)
        for (const n of inBucket.get(key(i, j)) ?? []) {
          const shares = [
            computeShadow(columns[n] as readonly number[], b, c) / whole,
            computeShadow(a, columns[n] as readonly number[], c) / whole,
            computeShadow(a, b, columns[n] as readonly number[]) / whole,
          ];
          if (shares.some((s) => s < 0)) continue;
          const z = shares[0] * a[2] + shares[1] * b[2] + shares[2] * c[2];
          crossings[n].push({ z, into: whole > 0 ? -1 : 1 });
        }
  }
  return crossings;
}

/** A wave cos(kx) on a pool: k in 1/m, the level at rest in m, the floor's area in m^2. */
export interface Wave {
  readonly waveNumber: number;
  readonly level: number;
  readonly area: number;
}

/**
 * Amplitude of a wave that fits the tank, m: twice the mean of (height above the level) x cos(kx), by the
 * midpoints of the edges of what lies above half the level. Counting from the level keeps the error of the
 * midpoints to a share of the wave's height.
 */
export function measureWave(
  { position, triangle, triangleCount }: Surface,
  { waveNumber, level, area }: Wave,
): number {
  let sum = 0;
  for (let f = 0; f < triangleCount; f++) {
    const corner = [0, 1, 2].map((i) => {
      const v = 3 * triangle[3 * f + i];
      return [position[v], position[v + 1], position[v + 2]];
    });
    if (corner.some((p) => p[2] < 0.5 * level)) continue;
    let value = 0;
    for (let i = 0; i < 3; i++) {
      const [p, q] = [corner[i], corner[(i + 1) % 3]];
      value += ((0.5 * (p[2] + q[2]) - level) * Math.cos(waveNumber * 0.5 * (p[0] + q[0]))) / 3;
    }
    sum += value * computeShadow(corner[0], corner[1], corner[2]);
  }
  return (2 * sum) / area;
}
