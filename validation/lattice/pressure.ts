/**
 * The pressure projection by itself. (1) Divergence before and after, and the residual recomputed here with a
 * product of its own, on a mesh with walls, a solid and a free surface. (2) Poisson's equation in a ball with
 * p = 0 on its curved surface: u = -2x projects to u = 0 with potential q = R^2 - r^2, second order with
 * pressures matched to the true surface.
 */
import { buildScene } from '../../cases/lattice/march.ts';
import { atLeast, atMost, computeOrder, reportRow } from '../../cases/shared/rows.ts';
import { createRandom } from '../../src/core/random.ts';
import { classifyFaces } from '../../src/flow/boundary/conditions.ts';
import type { LiquidState } from '../../src/flow/liquid/state.ts';
import { AREA } from '../../src/flow/mesh/face-geometry.ts';
import {
  assemblePressure,
  type Conditions,
  computeCellVelocity,
  measureDivergence,
  WALL,
} from '../../src/flow/pressure/pressure.ts';
import { project } from '../../src/flow/pressure/projection.ts';
import { box, sphere, union } from '../../src/geometry/shapes.ts';
import { lattice } from '../../src/methods/lattice/lattice.ts';
import type { LatticeModel } from '../../src/methods/lattice/model.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/** The acceptance table: divergence reduced to 1e-6 at a tolerance of 1e-8. */
const TOLERANCE = 1e-8;
const DIVERGENCE_BOUND = 1e-6;
const ORDER_BOUND = 1.8;
/** Lattice cells per radius. */
const BALL_CELLS = [4, 8, 16];

type VelocityField = (x: number, y: number, z: number, out: Float64Array) => void;

/**
 * Normal velocities of all faces; zero on walls, which is a condition on the field, not part of the solve.
 */
function setFaceVelocity(
  { mesh, derived }: LiquidState,
  { kind }: Conditions,
  field: VelocityField,
  out: Float64Array,
): void {
  const { topology, geometry } = derived;
  const u = new Float64Array(3);
  for (let f = 0; f < topology.faceCount; f++) {
    if (kind[f] === WALL) continue;
    let [x, y, z] = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      const v = 3 * topology.faceVertex[3 * f + i];
      x += mesh.position[v] / 3;
      y += mesh.position[v + 1] / 3;
      z += mesh.position[v + 2] / 3;
    }
    field(x, y, z, u);
    const { form, faceForm } = geometry;
    const row = faceForm[f];
    out[f] = (u[0] * form[row] + u[1] * form[row + 1] + u[2] * form[row + 2]) / form[row + AREA];
  }
}

function runProjection(
  model: LatticeModel,
  state: LiquidState,
  name: string,
  field: VelocityField,
): RefereeRow[] {
  const scope = model.heap.scope('referee');
  const { topology, geometry, surfaceIndex } = state.derived;
  const parts = { mesh: state.mesh, topology, geometry };
  const conditions = classifyFaces(model, state.derived.surroundings, parts, surfaceIndex, scope);
  const velocity = scope.f64(topology.faceCount);
  setFaceVelocity(state, conditions, field, velocity);
  const before = measureDivergence(state.mesh, topology, geometry, velocity);
  const cellVelocity = scope.f64(3 * state.mesh.tetCount);
  computeCellVelocity(state.mesh, topology, geometry, velocity, model.threads, cellVelocity);
  const system = assemblePressure(topology, geometry, conditions, cellVelocity, model.threads, scope);
  const { facePressure, report } = project(model, parts, conditions, velocity, scope, scope);
  const after = measureDivergence(state.mesh, topology, geometry, velocity);
  const residual = computeResidual(system, facePressure);
  scope.free();
  return [
    atMost(`${name}: divergence after / before`, after / before, DIVERGENCE_BOUND, '', 0),
    atMost(`${name}: residual, recomputed here`, residual, TOLERANCE, '', report.residual.toExponential(3)),
    reportRow(`${name}: iterations`, report.iterations, ''),
  ];
}

/** ||b - Aq|| / ||b||, with nothing of the solver's own arithmetic. */
function computeResidual(
  { matrix, right, unknownToFace }: ReturnType<typeof assemblePressure>,
  facePressure: Float64Array,
): number {
  let rr = 0;
  let bb = 0;
  for (let u = 0; u < matrix.rowCount; u++) {
    let r = right[u];
    for (let e = matrix.rowStart[u]; e < matrix.rowStart[u + 1]; e++)
      r -= matrix.value[e] * facePressure[unknownToFace[matrix.column[e]]];
    rr += r * r;
    bb += right[u] * right[u];
  }
  return Math.sqrt(rr / bb);
}

function runTank(resources: Resources): RefereeRow[] {
  const model = lattice.build(
    buildScene({
      domain: { min: [0, 0, 0], max: [1, 0.6, 0.8] },
      resolution: 1 / 24,
      liquid: union(box([-1, -1, -1], [0.4, 2, 0.61]), box([-1, -1, -1], [2, 2, 0.23])),
      solids: [sphere([0.6, 0.3, 0.2], 0.15)],
      options: { pressureTolerance: TOLERANCE },
    }),
    resources,
  );
  const state = lattice.start(model);
  const random = createRandom(7);
  const rows = [
    reportRow('tank: tets', state.mesh.tetCount, ''),
    ...runProjection(model, state, 'expansion u = x', (x, y, z, u) => u.set([x, y, z])),
    ...runProjection(model, state, 'gravity', (_x, _y, _z, u) => u.set([0, 0, -9.81])),
    ...runProjection(model, state, 'random velocities', (_x, _y, _z, u) =>
      u.set([random.next() - 0.5, random.next() - 0.5, random.next() - 0.5]),
    ),
  ];
  lattice.release!(state);
  return rows;
}

interface BallErrors {
  readonly size: number;
  readonly tets: number;
  /** Root mean square over the tets, of q relative to R^2, and of |u| relative to 2R */
  readonly pressure: number;
  readonly velocity: number;
}

function runBall(cellsPerRadius: number, resources: Resources): BallErrors {
  const radius = 0.4;
  const centre = [0.503, 0.497, 0.511] as const;
  const size = radius / cellsPerRadius;
  const model = lattice.build(
    buildScene({
      domain: { min: [0, 0, 0], max: [1, 1, 1] },
      resolution: size,
      liquid: sphere(centre, radius),
      // A graded interior does not get finer where it is coarsest: for an order of convergence all cells must
      // shrink.
      options: { pressureTolerance: TOLERANCE, interiorLevels: 0 },
    }),
    resources,
  );
  const state = lattice.start(model);
  const scope = model.heap.scope('referee');
  const { topology, geometry, surfaceIndex } = state.derived;
  const { mesh } = state;
  const parts = { mesh, topology, geometry };
  const conditions = classifyFaces(model, state.derived.surroundings, parts, surfaceIndex, scope);
  const velocity = scope.f64(topology.faceCount);
  setFaceVelocity(
    state,
    conditions,
    (x, y, z, u) => u.set([-2 * (x - centre[0]), -2 * (y - centre[1]), -2 * (z - centre[2])]),
    velocity,
  );
  const { facePressure } = project(model, parts, conditions, velocity, scope, scope);
  const cellVelocity = scope.f64(3 * mesh.tetCount);
  computeCellVelocity(mesh, topology, geometry, velocity, model.threads, cellVelocity);
  let [q2, u2, volume] = [0, 0, 0];
  for (let f = 0; f < topology.faceCount; f++) {
    let r2 = 0;
    for (let a = 0; a < 3; a++) {
      let x = -centre[a];
      for (let i = 0; i < 3; i++) x += mesh.position[3 * topology.faceVertex[3 * f + i] + a] / 3;
      r2 += x * x;
    }
    // Each face stands for a quarter of the tets beside it.
    const t = topology.faceToTet[2 * f + 1];
    const weight = (geometry.volume[topology.faceToTet[2 * f]] + (t < 0 ? 0 : geometry.volume[t])) / 4;
    q2 += weight * (facePressure[f] - (radius * radius - r2)) ** 2;
  }
  for (let t = 0; t < mesh.tetCount; t++) {
    volume += geometry.volume[t];
    for (let a = 0; a < 3; a++) u2 += geometry.volume[t] * cellVelocity[3 * t + a] ** 2;
  }
  const { tetCount } = mesh;
  scope.free();
  lattice.release!(state);
  return {
    size,
    tets: tetCount,
    pressure: Math.sqrt(q2 / volume) / radius ** 2,
    velocity: Math.sqrt(u2 / volume) / (2 * radius),
  };
}

async function judgePressure({ createResources, note }: RefereeContext): Promise<RefereeRow[]> {
  const resources = await createResources();
  const rows = runTank(resources);
  const levels = BALL_CELLS.map((n) => {
    note(`ball, R/h = ${n}`);
    return runBall(n, resources);
  });
  levels.forEach(({ tets, pressure, velocity }, i) => {
    rows.push(
      reportRow(`ball, R/h = ${BALL_CELLS[i]}, ${tets} tets: pressure error`, pressure, 'rms', 0),
      reportRow(`ball, R/h = ${BALL_CELLS[i]}: velocity error`, velocity, 'rms', 0),
    );
  });
  const [a, , c] = levels;
  rows.push(
    atLeast(
      'ball: order of the pressure',
      computeOrder(a.size, a.pressure, c.size, c.pressure),
      ORDER_BOUND,
      '',
      2,
    ),
    reportRow('ball: order of the velocity', computeOrder(a.size, a.velocity, c.size, c.velocity), '', 1),
  );
  return rows;
}

export const pressureCases: RefereeCase[] = [
  {
    name: 'lattice/pressure',
    title: 'divergence after the pressure solve, and its order of convergence in a ball',
    run: judgePressure,
  },
];
