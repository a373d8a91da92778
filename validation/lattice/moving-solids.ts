/**
 * Solids that move, turn, enter and leave, and a plate half a cell thick: no liquid in them, no leak past
 * them, volume kept. The liquid is what the tracked surface encloses; what of the coarser tets is inside is
 * reported too (flat facets cut into a ball). A ball that swings deep in a tank has a truth as well: the
 * liquid's kinetic energy is that of the added mass, half the displaced one in an unbounded liquid (Lamb
 * 1932, art. 92); the tank's walls and surface change it by a few percent.
 */
import { type March, marchTo, startMarch } from '../../cases/lattice/march.ts';
import { judgeEach } from '../../cases/shared/judge-each.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { buildBvh } from '../../src/geometry/bvh.ts';
import { BvhQuery } from '../../src/geometry/bvh-query.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import { isInside } from '../../src/geometry/inside.ts';
import { buildOscillation, buildRotation } from '../../src/geometry/motions.ts';
import { movePoint, type RigidMotion } from '../../src/geometry/rigid-motion.ts';
import { box, sphere } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

/** Of the liquid's volume, as the project asks. */
const INSIDE_BOUND = 1e-3;
const VOLUME_BOUND = 1e-2;
const DURATION = 1;
const LONGEST_STEP = 1 / 60;
const CELL = 1 / 20;

interface Obstacle {
  readonly name: string;
  readonly liquid: Implicit;
  readonly shape: Implicit;
  readonly motion?: RigidMotion;
  /** Distance to where no liquid may get, negative within; if there is such a place. */
  readonly dry?: (x: number, y: number, z: number) => number;
}

const POOL = box([-1, -1, -1], [2, 2, 0.51]);
const OBSTACLES: Obstacle[] = [
  {
    name: 'ball swinging under water',
    liquid: POOL,
    shape: sphere([0.5, 0.5, 0.25], 0.13),
    motion: buildOscillation([1, 0, 0], 0.15, 0.7),
  },
  {
    name: 'ball dipping in and out',
    liquid: POOL,
    shape: sphere([0.5, 0.5, 0.6], 0.15),
    motion: buildOscillation([0, 0, 1], 0.25, 1),
  },
  {
    name: 'paddle turning through the surface',
    liquid: POOL,
    shape: box([0.2, 0.5 - CELL, 0.15], [0.8, 0.5 + CELL, 0.75]),
    motion: buildRotation([0, 0, 1], [0.5, 0.5, 0], 0.45),
  },
  {
    name: 'thin plate turning under water',
    liquid: POOL,
    shape: box([0.2, 0.5 - CELL / 4, 0.1], [0.8, 0.5 + CELL / 4, 0.35]),
    motion: buildRotation([0, 0, 1], [0.5, 0.5, 0], 0.45),
  },
  {
    name: 'thin plate turning through the surface',
    liquid: POOL,
    shape: box([0.2, 0.5 - CELL / 4, 0.15], [0.8, 0.5 + CELL / 4, 0.75]),
    motion: buildRotation([0, 0, 1], [0.5, 0.5, 0], 0.45),
  },
  {
    name: 'thin plate holding back a pool',
    liquid: box([-1, -1, -1], [0.503, 2, 0.51]),
    shape: box([0.503, -1, -1], [0.503 + CELL / 2, 2, 2]),
    dry: (x) => 0.503 + CELL / 2 - x,
  },
];

function runObstacle(obstacle: Obstacle, resources: Resources): RefereeRow[] {
  const { name, liquid, shape, motion, dry } = obstacle;
  const march = startMarch(
    {
      domain: { min: [0, 0, 0], max: [1, 1, 1] },
      resolution: CELL,
      liquid,
      solids: [motion ? { shape, motion } : shape],
    },
    resources,
  );
  const start = march.measure();
  const rows: RefereeRow[] = [];
  if (name.includes('swinging')) {
    const speed = 2 * Math.PI * 0.7 * 0.15;
    const displaced = (4 / 3) * Math.PI * 0.13 ** 3;
    rows.push(
      atMost(
        `${name}: added mass off half the displaced`,
        Math.abs(start.kineticEnergy! / (0.25 * 1000 * displaced * speed * speed) - 1),
        0.15,
        '',
        0,
      ),
    );
  }
  let drift = 0;
  let inside = 0;
  let tets = 0;
  let leaked = 0;
  marchTo(march, DURATION, LONGEST_STEP, () => {
    const { volume } = march.measure();
    drift = Math.max(drift, Math.abs(volume! / start.volume! - 1));
    inside = Math.max(inside, measureWithin(march, obstacle) / volume!);
    tets = Math.max(tets, measureWhere(march, march.state.derived.surroundings.clearanceAt) / volume!);
    if (dry) leaked = Math.max(leaked, measureWhere(march, dry) / volume!);
  });
  rows.push(
    atMost(`${name}: liquid inside the solid`, inside, INSIDE_BOUND, 'of volume', 0),
    reportRow(`${name}: tets inside the solid`, tets, 'of volume', 0),
    atMost(`${name}: volume off, at most`, drift, VOLUME_BOUND, 'of volume', 0),
  );
  if (dry) rows.push(atMost(`${name}: leaked`, leaked, INSIDE_BOUND, 'of volume', 0));
  rows.push(reportRow(`${name}: steps`, march.steps, ''));
  march.free();
  return rows;
}

/** m, between the places of a solid where liquid is looked for */
const PROBE = CELL / 8;

/** Volume of a solid that the tracked surface encloses, m^3: the solid is probed where it is now. */
function measureWithin({ state, time }: March, { shape, motion }: Obstacle): number {
  const bvh = buildBvh(state.surface);
  const query = new BvhQuery();
  const pose = motion?.poseAt(time);
  const low = shape.bounds.min.map((x) => Math.max(x, motion ? x : 0));
  const high = shape.bounds.max.map((x) => Math.min(x, motion ? x : 1));
  let found = 0;
  for (let x = low[0] + PROBE / 2; x < high[0]; x += PROBE)
    for (let y = low[1] + PROBE / 2; y < high[1]; y += PROBE)
      for (let z = low[2] + PROBE / 2; z < high[2]; z += PROBE) {
        if (shape.value(x, y, z) <= 0) continue;
        const at = pose ? movePoint(pose, [x, y, z]) : [x, y, z];
        if (isInside(bvh, query, at[0], at[1], at[2])) found++;
      }
  return found * PROBE ** 3;
}

/** Of a tet, per edge: its volume is sampled at the centres of like parts. */
const SAMPLES = 6;
const WEIGHTS = listWeights();

/** Barycentric weights of evenly spread points within a tet. */
function listWeights(): number[][] {
  const weights: number[][] = [];
  for (let i = 0; i < SAMPLES; i++)
    for (let j = 0; i + j < SAMPLES; j++)
      for (let k = 0; i + j + k < SAMPLES; k++)
        weights.push([i, j, k, SAMPLES - 1 - i - j - k].map((n) => (n + 0.25) / SAMPLES));
  return weights;
}

/**
 * Volume of the mesh where a clearance is negative, m^3. The clearance changes by no more than the distance
 * walked.
 */
function measureWhere({ state }: March, clearance: (x: number, y: number, z: number) => number): number {
  const { mesh, derived } = state;
  const corner = new Float64Array(12);
  let sum = 0;
  for (let t = 0; t < mesh.tetCount; t++) {
    for (let n = 0; n < 12; n++) corner[n] = mesh.position[3 * mesh.tet[4 * t + Math.floor(n / 3)] + (n % 3)];
    sum += measureShare(corner, clearance) * derived.geometry.volume[t];
  }
  return sum;
}

function measureShare(corner: Float64Array, clearance: (x: number, y: number, z: number) => number): number {
  const at = (weight: readonly number[], axis: number) =>
    weight[0] * corner[axis] +
    weight[1] * corner[3 + axis] +
    weight[2] * corner[6 + axis] +
    weight[3] * corner[9 + axis];
  const centre = [0.25, 0.25, 0.25, 0.25];
  const reach = Math.max(
    ...[0, 3, 6, 9].map((n) =>
      Math.hypot(corner[n] - at(centre, 0), corner[n + 1] - at(centre, 1), corner[n + 2] - at(centre, 2)),
    ),
  );
  const middle = clearance(at(centre, 0), at(centre, 1), at(centre, 2));
  if (Math.abs(middle) > reach) return middle < 0 ? 1 : 0;
  const within = WEIGHTS.filter((w) => clearance(at(w, 0), at(w, 1), at(w, 2)) < 0);
  return within.length / WEIGHTS.length;
}

export const movingSolidCases: RefereeCase[] = [
  {
    name: 'lattice/moving-solids',
    title: 'solids that move, turn, dip in and out, and thin ones: no leak, volume kept',
    run: judgeEach(OBSTACLES, ({ name }) => name, runObstacle),
  },
];
