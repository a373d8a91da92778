/**
 * The implicit coupling of [batty-houston-2011] 5.1: viscosity acts on the face velocities themselves,
 *     M u_new = M u_old + dt H^T D H u_new,     eqs. (10), (11),
 * M the faces' lumped masses: three quarters of rho V of each tet beside a face, since over a regular tet the
 * four n n^T add up to 4/3 of the identity. Faces that a wall gives keep their value; vertices of walls move
 * as the walls do.
 *
 * Conjugate gradients. The preconditioner is Jacobi and, beside it, the vertices as an auxiliary space (Xu
 * 1996): a V-cycle with rigid modes on the vertices' own viscous system, between faces and vertices by the
 * PIC transfer and its transpose.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { multiplyBlocks } from '../../linalg/block/block-csr.ts';
import { createCg } from '../../linalg/krylov/cg.ts';
import type { SolveOptions, SolveReport } from '../../linalg/krylov/solver.ts';
import { createOperator } from '../../linalg/operator.ts';
import type { Preconditioner } from '../../linalg/preconditioners/preconditioner.ts';
import { computeDot } from '../../linalg/vector.ts';
import { buildConstraints, constrainEquations } from './constraints.ts';
import { buildDomain, type ViscousDomain } from './domain.ts';
import { allocateEquations, gatherEquations } from './equations.ts';
import { type FaceMap, toFaceForces, toNodes } from './faces.ts';
import { createPreconditioner } from './preconditioner.ts';
import type { Machine, ViscousProblem } from './problem.ts';
import { TetShape } from './tet-shape.ts';

/** As ViscousProblem, with the velocity on faces. */
export interface FaceProblem extends Omit<ViscousProblem, 'velocity' | 'tension' | 'acceleration' | 'force'> {
  readonly map: FaceMap;
  /** (faceCount) along the normals, before; m/s */
  readonly faceVelocity: Float64Array;
  /** (faceCount) 1 where a wall gives it; absent: nowhere */
  readonly isGiven?: Uint8Array;
}

export interface FaceOperator {
  /** (faceCount) M; 0 where there is no liquid */
  readonly mass: Float64Array;
  /** out = dt H^T (-D) H u, walls at rest: symmetric, not negative */
  multiply(u: Float64Array, out: Float64Array): void;
}

const GRAIN = 8192;

/** (faceCount) lumped masses */
function computeFaceMass(scope: HeapScope, { mesh, map, density, liquid }: FaceProblem): Float64Array {
  const shape = new TetShape();
  const { tetToFace, faceCount } = map.topology;
  const mass = scope.f64(faceCount);
  for (let t = 0; t < mesh.tetCount; t++) {
    shape.set(mesh.position, mesh.tet, t);
    let fraction = 1;
    if (liquid) fraction = liquid[4 * t] + liquid[4 * t + 1] + liquid[4 * t + 2] + liquid[4 * t + 3];
    for (let i = 0; i < 4; i++) mass[tetToFace[4 * t + i]] += 0.75 * density[t] * fraction * shape.volume;
  }
  for (let f = 0; f < faceCount; f++) if (map.isLiquid[f] === 0) mass[f] = 0;
  return mass;
}

/** Between vectors at rows and at vertices. */
const fromRowsTask = defineTask(
  'flow/spread-rows-to-vertices',
  { rowToVertex: 'i32', row: 'f64', vertex: 'f64' },
  (begin, end, { rowToVertex, row, vertex }) => {
    for (let i = begin; i < end; i++)
      for (let r = 0; r < 3; r++) vertex[3 * rowToVertex[i] + r] = row[3 * i + r];
  },
);
const toRowsTask = defineTask(
  'flow/gather-vertices-to-rows',
  { rowToVertex: 'i32', vertex: 'f64', row: 'f64' },
  (begin, end, { rowToVertex, vertex, row }) => {
    for (let i = begin; i < end; i++)
      for (let r = 0; r < 3; r++) row[3 * i + r] = vertex[3 * rowToVertex[i] + r];
  },
);

/** The transpose of the mean of a face's vertices along its normal. */
const gatherFacesTask = defineTask(
  'flow/gather-faces-to-rows',
  { rowToVertex: 'i32', faceStart: 'i32', face: 'i32', normal: 'f64', faceValue: 'f64', row: 'f64' },
  (begin, end, { rowToVertex, faceStart, face, normal, faceValue, row }) => {
    for (let i = begin; i < end; i++) {
      const v = rowToVertex[i];
      for (let r = 0; r < 3; r++) {
        let sum = 0;
        for (let n = faceStart[v]; n < faceStart[v + 1]; n++)
          sum += normal[3 * face[n] + r] * faceValue[face[n]];
        row[3 * i + r] = sum / 3;
      }
    }
  },
);

/** z = r / diagonal + the mean of the vertices along the normal, on free faces; returns r . z */
const combineTask = defineTask(
  'flow/combine-face-parts',
  {
    ...{ vertexToRow: 'i32', faceVertex: 'i32', normal: 'f64', row: 'f64' },
    ...{ inverse: 'f64', r: 'f64', z: 'f64' },
  },
  (begin, end, { vertexToRow, faceVertex, normal, row, inverse, r, z }) => {
    let dot = 0;
    for (let f = begin; f < end; f++) {
      let sum = inverse[f] * r[f];
      if (inverse[f] > 0)
        for (let k = 0; k < 3; k++) {
          const i = vertexToRow[faceVertex[3 * f + k]];
          if (i === NONE) continue;
          for (let s = 0; s < 3; s++) sum += (normal[3 * f + s] * row[3 * i + s]) / 3;
        }
      z[f] = sum;
      dot += sum * r[f];
    }
    return dot;
  },
);

/** What the solve and its operator share. */
function buildSystem(machine: Machine, scope: HeapScope, given: FaceProblem) {
  const { threads } = machine;
  const { mesh, map, dt } = given;
  const none = scope.f64(0);
  const problem = {
    ...given,
    liquid: given.liquid ?? none,
    force: none,
    velocity: scope.f64(3 * mesh.vertexCount),
  };
  const domain = buildDomain(threads, scope, mesh, problem.liquid, problem.nodes);
  const constraints = buildConstraints(scope, domain, problem.nodes);
  // Stress alone: at rest before, so that the right side holds what walls at their velocity do.
  const equations = allocateEquations(scope, domain, false);
  const steady = { ...problem, dt: Number.POSITIVE_INFINITY };
  gatherEquations(threads, domain, steady, { pressureScale: 1, isLaplacian: false }, equations);
  if (constraints) {
    constrainEquations(threads, domain, constraints, equations);
    releaseGiven(domain, constraints.constraint, constraints.free, equations.velocity.value);
  }
  const mass = computeFaceMass(scope, given);
  const node = scope.f64(3 * mesh.vertexCount);
  const row = scope.f64(3 * domain.pattern.rowCount);
  const force = scope.f64(3 * domain.pattern.rowCount);
  const { rowToVertex } = domain;
  const rows = domain.pattern.rowCount;
  /** out = dt H^T of forces at rows */
  function spread(forces: Float64Array, out: Float64Array): void {
    node.fill(0);
    threads.run(fromRowsTask, rows, GRAIN, { rowToVertex, row: forces, vertex: node });
    toFaceForces(threads, map, node, out);
    for (let f = 0; f < out.length; f++) out[f] *= dt;
  }
  function multiply(u: Float64Array, out: Float64Array): void {
    toNodes(threads, map, u, node);
    threads.run(toRowsTask, rows, GRAIN, { rowToVertex, vertex: node, row });
    multiplyBlocks(threads, equations.velocity, row, force);
    spread(force, out);
  }
  return { problem, domain, constraints, equations, mass, multiply, spread };
}

/** Constrained components have an equation of their own (constraints.ts); here they shall have none. */
function releaseGiven(
  { pattern }: ViscousDomain,
  constraint: Uint8Array,
  free: Float64Array,
  value: Float64Array,
): void {
  const block = new Float64Array(9);
  for (let i = 0; i < pattern.rowCount; i++) {
    if (constraint[i] === 0) continue;
    const o = 9 * pattern.diagonal[i];
    for (let n = 0; n < 9; n++) block[n] = value[o + n];
    // P B P with B's own part of I - P gone.
    for (let r = 0; r < 3; r++)
      for (let s = 0; s < 3; s++) {
        let sum = 0;
        for (let m = 0; m < 3; m++)
          for (let n = 0; n < 3; n++)
            sum += free[9 * i + 3 * r + m] * block[3 * n + m] * free[9 * i + 3 * n + s];
        value[o + 3 * s + r] = sum;
      }
  }
}

/**
 * dt H^T (-D) H and M, by themselves: for tests, and for solvers that couple viscosity to something else
 * (5.1).
 */
export function createFaceOperator(machine: Machine, scope: HeapScope, problem: FaceProblem): FaceOperator {
  const { mass, multiply } = buildSystem(machine, scope, problem);
  return { mass, multiply };
}

/** Solves eq. (11); `out` (faceCount) may be the velocity before. */
export function solveFaceViscosity(
  machine: Machine,
  given: FaceProblem,
  options: SolveOptions,
  out: Float64Array,
): SolveReport {
  const { heap, threads } = machine;
  const scope = heap.scope('face viscosity');
  try {
    const { problem, domain, constraints, equations, mass, multiply, spread } = buildSystem(
      machine,
      scope,
      given,
    );
    const { map, faceVelocity, isGiven } = given;
    const { faceCount, faceVertex } = map.topology;
    const isFree = (f: number) => mass[f] > 0 && isGiven?.[f] !== 1;
    const x = scope.f64(faceCount);
    const held = scope.f64(faceCount);
    const b = scope.f64(faceCount);
    const work = scope.f64(faceCount);
    // Faces that are given go to the right side, and so do walls at their velocity.
    for (let f = 0; f < faceCount; f++) (isFree(f) ? x : held)[f] = mass[f] > 0 ? faceVelocity[f] : 0;
    multiply(held, b);
    spread(equations.right, work);
    for (let f = 0; f < faceCount; f++) b[f] = isFree(f) ? mass[f] * faceVelocity[f] - b[f] + work[f] : 0;
    const operator = createOperator(threads, faceCount, (u, product) => {
      multiply(u, product);
      for (let f = 0; f < faceCount; f++) product[f] = isFree(f) ? product[f] + mass[f] * u[f] : u[f];
    });

    // Auxiliary space: the vertices' system with inertia.
    const nodal = allocateEquations(scope, domain, false);
    gatherEquations(threads, domain, problem, { pressureScale: 1, isLaplacian: false }, nodal);
    if (constraints) constrainEquations(threads, domain, constraints, nodal);
    for (let n = 0; n < nodal.velocity.value.length; n++) nodal.velocity.value[n] *= given.dt;
    const cycle = createPreconditioner(machine, scope, {
      ...{ problem, domain, equations: nodal, isCoupled: false, scales: { pressure: 1, reach: 1 } },
      solver: 'minres',
      ...(constraints && { constraints }),
    });
    const inverse = scope.f64(faceCount);
    computeDiagonal(given, domain, equations.velocity.value, inverse);
    for (let f = 0; f < faceCount; f++) inverse[f] = isFree(f) ? 1 / (mass[f] + inverse[f]) : 0;
    const [right, solution] = [
      scope.f64(3 * domain.pattern.rowCount),
      scope.f64(3 * domain.pattern.rowCount),
    ];
    const { rowToVertex, vertexToRow } = domain;
    const { faceStart, face, normal } = map;
    const preconditioner: Preconditioner = {
      name: 'faces and vertices',
      apply(r, z) {
        const faces = { rowToVertex, faceStart, face, normal, faceValue: r, row: right };
        threads.run(gatherFacesTask, domain.pattern.rowCount, GRAIN, faces);
        cycle.apply(right, solution);
        const parts = { vertexToRow, faceVertex, normal, row: solution, inverse, r, z };
        threads.run(combineTask, faceCount, GRAIN, parts);
        for (let f = 0; f < faceCount; f++) if (inverse[f] === 0) z[f] = r[f];
        return computeDot(threads, r, z);
      },
    };
    const report = createCg(threads, scope, faceCount).solve(operator, preconditioner, b, x, options);
    for (let f = 0; f < faceCount; f++) if (isFree(f)) out[f] = x[f];
    return report;
  } finally {
    scope.free();
  }
}

/** Diagonal of dt H^T (-D) H. */
function computeDiagonal(
  { map, dt }: FaceProblem,
  { vertexToRow, pattern }: ViscousDomain,
  value: Float64Array,
  out: Float64Array,
): void {
  const { faceCount, faceVertex } = map.topology;
  const { rowStart, column } = pattern;
  const fit = new Float64Array(9);
  for (let f = 0; f < faceCount; f++) {
    if (map.isLiquid[f] === 0) continue;
    for (let k = 0; k < 3; k++) {
      const v = faceVertex[3 * f + k];
      for (let r = 0; r < 3; r++) {
        let sum = 0;
        for (let s = 0; s < 3; s++) sum += map.inverse[9 * v + 3 * r + s] * map.normal[3 * f + s];
        fit[3 * k + r] = sum;
      }
    }
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const i = vertexToRow[faceVertex[3 * f + k]];
      if (i === NONE) continue;
      for (let l = 0; l < 3; l++) {
        const j = vertexToRow[faceVertex[3 * f + l]];
        if (j === NONE) continue;
        for (let e = rowStart[i]; e < rowStart[i + 1]; e++)
          if (column[e] === j)
            for (let r = 0; r < 3; r++)
              for (let s = 0; s < 3; s++) sum += fit[3 * k + r] * value[9 * e + 3 * s + r] * fit[3 * l + s];
      }
    }
    out[f] = dt * Math.max(0, sum);
  }
}
