/**
 * Seeded families of moving pairs for the collision tests: each draws twelve coordinates at time 0 and twelve
 * at time 1 for four vertices. Half of them are made to be hard: exact touches, grazing, coplanar and
 * degenerate motion, pairs an ulp from contact, all of these far from the origin and at tiny and huge scale.
 */
import type { Random } from '../../../src/core/random.ts';

export interface Pair {
  readonly x0: Float64Array;
  readonly x1: Float64Array;
}

type Family = (random: Random) => Pair;

const uniform = (random: Random, size = 1) => size * (2 * random.next() - 1);
const fill = (draw: () => number) => Float64Array.from({ length: 12 }, draw);
const map = (pair: Pair, change: (x: number, i: number) => number): Pair => ({
  x0: pair.x0.map(change),
  x1: pair.x1.map(change),
});

/** The next doubles up or down: x times 1 +- a few 2^-52. */
const nudge = (random: Random, x: number) => x * (1 + (random.nextInt(5) - 2) * 2 ** -52);

const lattice =
  (reach: number): Family =>
  (random) => {
    const draw = () => random.nextInt(2 * reach + 1) - reach;
    return { x0: fill(draw), x1: fill(draw) };
  };

/**
 * Vertex 0 ends exactly on the triangle of the others (dyadic weights on a lattice are exact), coming from
 * anywhere.
 */
const endsOnTriangle: Family = (random) => {
  const pair = lattice(8)(random);
  const weights = [
    [0.25, 0.25, 0.5],
    [0.5, 0.5, 0],
    [1, 0, 0],
    [0.125, 0.375, 0.5],
  ][random.nextInt(4)];
  for (let k = 0; k < 3; k++)
    pair.x1[k] = weights[0] * pair.x1[3 + k] + weights[1] * pair.x1[6 + k] + weights[2] * pair.x1[9 + k];
  return pair;
};

/** Edges 01 and 23 cross exactly in their middles at the end. */
const endsCrossing: Family = (random) => {
  const pair = lattice(8)(random);
  for (let k = 0; k < 3; k++) pair.x1[9 + k] = pair.x1[k] + pair.x1[3 + k] - pair.x1[6 + k];
  return pair;
};

/**
 * Exact touches whose coordinates have so many bits that every product rounds: the corners 1, 2, 3 add up to
 * three times vertex 0, or the edges 01 and 23 share their middle, at the end, at the start or throughout.
 * Signs of what is zero are then up to rounding.
 */
export function drawWideTouch(random: Random): Pair & { readonly isEdges: boolean } {
  const draw = () => Math.round(uniform(random) * 2 ** 44) / 2 ** 44;
  const isEdges = random.nextInt(2) === 0;
  const touch = () => {
    const x = fill(draw);
    for (let k = 0; k < 3; k++) {
      if (isEdges) x[9 + k] = x[k] + x[3 + k] - x[6 + k];
      else x[9 + k] = 3 * x[k] - x[3 + k] - x[6 + k];
    }
    return x;
  };
  const kind = random.nextInt(4);
  const x0 = kind === 0 ? fill(draw) : touch();
  if (kind === 3) return { x0, x1: x0.map((x, i) => x + (i % 3) * 0.25), isEdges };
  return { x0, x1: kind === 1 ? fill(draw) : touch(), isEdges };
}

/** All in one plane, which stands still or turns about the x axis. */
const planar: Family = (random) => {
  const pair = lattice(3)(random);
  const tilt = random.nextInt(3) - 1;
  for (let v = 0; v < 4; v++) {
    pair.x0[3 * v + 2] = 0;
    pair.x1[3 * v + 2] = tilt * pair.x1[3 * v + 1];
  }
  return pair;
};

/** Vertex 0 slides over the triangle at a height from 0 up; both may drift together. */
const sliding: Family = (random) => {
  const height = [0, 0, 2 ** -60, 2 ** -50, 1e-14, 1e-12, 1e-10, 1e-6][random.nextInt(8)];
  const pair = { x0: fill(() => uniform(random)), x1: fill(() => uniform(random)) };
  const drift = uniform(random);
  for (let v = 0; v < 4; v++) {
    pair.x0[3 * v + 2] = v === 0 ? height : 0;
    pair.x1[3 * v + 2] = drift + (v === 0 ? height : 0);
  }
  return pair;
};

/**
 * A rotating motion in which vertex 0 stays close above the middle of the triangle, and edge 01 close above
 * edge 23.
 */
const hovering: Family = (random) => {
  const gap = 10 ** -(1 + random.nextInt(12));
  const angle = 3 * random.next();
  const turn = (x: number, y: number, z: number) => {
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    return [x, c * y - s * z, s * y + c * z];
  };
  const start = [
    [uniform(random, 0.1), uniform(random, 0.1), gap],
    [1, uniform(random, 0.2), 0],
    [-0.5, 0.8, 0],
    [-0.5, -0.8, uniform(random, gap)],
  ];
  return {
    x0: Float64Array.from(start.flat()),
    x1: Float64Array.from(start.flatMap(([x, y, z]) => turn(x, y, z))),
  };
};

const still: Family = (random) => {
  const { x0 } = random.nextInt(2) ? lattice(1)(random) : smooth(random);
  return { x0, x1: x0.slice() };
};

/** Some vertices coincide, at one or both times. */
const degenerate: Family = (random) => {
  const pair = lattice(2)(random);
  for (let n = 1 + random.nextInt(2); n > 0; n--) {
    const from = 3 * random.nextInt(4);
    const to = 3 * random.nextInt(4);
    const ends = 1 + random.nextInt(3);
    for (let k = 0; k < 3; k++) {
      if (ends & 1) pair.x0[to + k] = pair.x0[from + k];
      if (ends & 2) pair.x1[to + k] = pair.x1[from + k];
    }
  }
  return pair;
};

/** Vertices 1, 2, 3 on one line at all times. */
const collinear: Family = (random) => {
  const pair = lattice(3)(random);
  for (const x of [pair.x0, pair.x1]) {
    const weight = [0, 0.5, 1, 2, -1][random.nextInt(5)];
    for (let k = 0; k < 3; k++) x[9 + k] = x[3 + k] + weight * (x[6 + k] - x[3 + k]);
  }
  return pair;
};

const smooth: Family = (random) => {
  const x0 = fill(() => uniform(random));
  const speed = 10 ** uniform(random, 1.5);
  return { x0, x1: x0.map((x) => x + uniform(random, speed)) };
};

const nudged =
  (family: Family): Family =>
  (random) =>
    map(family(random), (x) => nudge(random, x));

/**
 * Offsets keep lattice coordinates exact; others round, which is no harm: the oracle sees the rounded ones.
 */
const moved =
  (family: Family): Family =>
  (random) => {
    const scale = [1, 2 ** -10, 1e-9, 1e9, 2 ** 60, 1e-30][random.nextInt(6)];
    const offset = [0, 1e6, -1e6, 2 ** 20][random.nextInt(4)] * [1, scale][random.nextInt(2)];
    return map(family(random), (x, i) => x * scale + (i % 3 === 1 ? -offset : offset));
  };

const plain: Record<string, Family> = {
  smooth,
  'lattice 1': lattice(1),
  'lattice 2': lattice(2),
  'lattice 6': lattice(6),
  endsOnTriangle,
  endsCrossing,
  wideTouch: drawWideTouch,
  planar,
  sliding,
  hovering,
  still,
  degenerate,
  collinear,
};

export const families: Record<string, Family> = Object.fromEntries(
  Object.entries(plain).flatMap(([name, family]) => [
    [name, family],
    [`${name}, nudged`, nudged(family)],
    [`${name}, moved`, moved(family)],
    [`${name}, nudged and moved`, moved(nudged(family))],
  ]),
);
