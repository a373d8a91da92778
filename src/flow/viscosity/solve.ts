/**
 * One implicit step of viscous flow on a tet mesh, in one call: README.md. Coupled, it solves
 *     rho (u - u before) / dt = div(2 mu e(u)) - grad p + rho a + forces,     div u = 0
 * for velocity and pressure at once, so that a thread that is pulled thin resists with 3 mu; uncoupled, eq.
 * (8) of [batty-houston-2011] alone.
 */
import { InputError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import { createBlockOperator } from '../../linalg/block/block-csr.ts';
import { createCg } from '../../linalg/krylov/cg.ts';
import { createGmres } from '../../linalg/krylov/gmres.ts';
import { createMinres } from '../../linalg/krylov/minres.ts';
import type { SolveReport } from '../../linalg/krylov/solver.ts';
import type { LinearOperator } from '../../linalg/operator.ts';
import { closeVessels } from './closed.ts';
import { buildConstraints, type Constraints, constrainEquations } from './constraints.ts';
import { addCutTension } from './cut-tension.ts';
import { buildDomain, type ViscousDomain } from './domain.ts';
import { allocateEquations, type Equations, gatherEquations } from './equations.ts';
import { addFriction } from './friction.ts';
import { createPreconditioner } from './preconditioner.ts';
import type { Machine, ViscousFlow, ViscousOptions, ViscousProblem, ViscousRound } from './problem.ts';
import { measureScales, type Scales } from './scales.ts';
import { createStokesOperator } from './stokes-operator.ts';
import { updateViscosity } from './strain-rate.ts';
import { addTension } from './tension.ts';

const TOLERANCE = 1e-8;
const MOST_ITERATIONS = 500;
const PICARD_ROUNDS = 20;
const PICARD_TOLERANCE = 1e-3;

/** What the rounds of one call share. */
interface Work {
  readonly machine: Machine;
  readonly problem: ViscousProblem & { readonly liquid: Float64Array; readonly force: Float64Array };
  readonly options: ViscousOptions;
  readonly domain: ViscousDomain;
  readonly constraints?: Constraints;
  readonly equations: Equations;
  readonly isCoupled: boolean;
  /** (4 or 3 rows) the unknowns: velocities without what is given, pressures in the equations' units */
  readonly x: Float64Array;
  readonly scales: Scales;
}

export function solveViscousFlow(
  machine: Machine,
  scope: HeapScope,
  given: ViscousProblem,
  options: ViscousOptions = {},
): ViscousFlow {
  validateProblem(given);
  const { heap, threads } = machine;
  const scratch = heap.scope('viscous flow');
  try {
    const none = scratch.f64(0);
    const problem = { ...given, liquid: given.liquid ?? none, force: given.force ?? none };
    const { mesh } = problem;
    const domain = buildDomain(threads, scratch, mesh, problem.liquid, problem.nodes);
    const constraints = buildConstraints(scratch, domain, problem.nodes);
    const isCoupled = options.coupled ?? true;
    const equations = allocateEquations(scratch, domain, isCoupled);
    const x = scratch.f64(equations.right.length);
    const scales = measureScales(domain, problem);
    const work: Work = {
      ...{ machine, problem, options, domain, equations, isCoupled, x, scales },
      ...(constraints && { constraints }),
    };
    startFromGuess(work);
    const report = solveRounds(work);
    return { ...readSolution(work, scope), report };
  } finally {
    scratch.free();
  }
}

/** Picard rounds where viscosity depends on the flow, else one. */
function solveRounds(work: Work): ViscousFlow['report'] {
  const { options, domain } = work;
  const { rheology } = options;
  const most = rheology ? (rheology.rounds ?? PICARD_ROUNDS) : 1;
  const bound = rheology?.tolerance ?? PICARD_TOLERANCE;
  const rounds: ViscousRound[] = [];
  const rows = domain.pattern.rowCount;
  let last: SolveReport = { iterations: 0, residual: 0, converged: true };
  let change = 0;
  if (rows > 0)
    for (let round = 0; round <= most; round++) {
      if (rheology) updateViscosity(work, rheology);
      const operator = formEquations(work);
      // What the last round's solution leaves in the equations of its own viscosity.
      if (round > 0) {
        change = measureResidual(work, operator);
        rounds.push({ iterations: last.iterations, residual: last.residual, change });
        if (change <= bound || !last.converged || round === most) break;
      }
      last = solveLinear(work, operator);
      if (rheology) continue;
      rounds.push({ iterations: last.iterations, residual: last.residual, change: 0 });
      break;
    }
  return {
    converged: last.converged && change <= bound,
    iterations: rounds.reduce((sum, round) => sum + round.iterations, 0),
    residual: last.residual,
    ...(last.breakdown === undefined ? {} : { breakdown: last.breakdown }),
    rows,
    rounds,
  };
}

/** Matrix and right side with the present viscosity. */
function formEquations(work: Work): LinearOperator {
  const { machine, problem, options, domain, constraints, equations, isCoupled, scales } = work;
  const { threads } = machine;
  const kind = { pressureScale: scales.pressure, isLaplacian: options.model === 'laplacian' };
  gatherEquations(threads, domain, problem, kind, equations);
  const { tension, dt } = problem;
  if (tension && 'level' in tension) addCutTension(domain, tension, dt, equations);
  else if (tension) addTension(domain, tension, dt, equations);
  if (problem.friction) addFriction(domain, problem.friction, equations);
  if (constraints) constrainEquations(threads, domain, constraints, equations);
  if (!isCoupled) return createBlockOperator(threads, equations.velocity);
  closeVessels(domain, equations);
  return createStokesOperator(threads, equations);
}

function solveLinear(work: Work, operator: LinearOperator): SolveReport {
  const { machine, options, equations, isCoupled, x } = work;
  const { heap, threads } = machine;
  const { tolerance = TOLERANCE, maxIterations = MOST_ITERATIONS, solver: kind = 'gmres' } = options;
  const own = heap.scope('viscous solver');
  try {
    // Rough velocities before are far from an equilibrium that stiff liquids reach in one step: then rest is
    // the better start.
    if (measureResidual(work, operator) > 1) x.fill(0);
    const preconditioner = createPreconditioner(machine, own, { ...work, solver: kind });
    const solver = (!isCoupled ? createCg : kind === 'gmres' ? createGmres : createMinres)(
      threads,
      own,
      operator.size,
    );
    return solver.solve(operator, preconditioner, equations.right, x, { tolerance, maxIterations });
  } finally {
    own.free();
  }
}

/** ||b - Ax|| / ||b|| of the present x in the present equations. */
function measureResidual({ machine, equations, x }: Work, operator: LinearOperator): number {
  const scratch = machine.heap.scope('viscous residual');
  const r = scratch.f64(operator.size);
  const left = Math.sqrt(operator.applyResidual(x, equations.right, r));
  scratch.free();
  let whole = 0;
  for (const entry of equations.right) whole += entry * entry;
  return whole > 0 ? left / Math.sqrt(whole) : left;
}

/** x from velocities and pressures at vertices: the guess, or the velocities before. */
function startFromGuess({ problem, options, domain, constraints, isCoupled, x, scales }: Work): void {
  const { rowToVertex } = domain;
  const rows = rowToVertex.length;
  const velocity = options.guess?.velocity ?? problem.velocity;
  const pressure = options.guess?.pressure;
  for (let i = 0; i < rows; i++) {
    const v = rowToVertex[i];
    for (let r = 0; r < 3; r++) x[3 * i + r] = velocity[3 * v + r];
    if (constraints && constraints.constraint[i] !== 0) {
      const { free } = constraints;
      for (let r = 0; r < 3; r++) {
        let sum = 0;
        for (let s = 0; s < 3; s++) sum += free[9 * i + 3 * r + s] * velocity[3 * v + s];
        x[3 * i + r] = sum;
      }
    }
    if (isCoupled && pressure) x[3 * rows + i] = pressure[v] / scales.pressure;
  }
}

/** Velocities and pressures at vertices from x. */
function readSolution(
  { problem, domain, constraints, isCoupled, x, scales }: Work,
  scope: HeapScope,
): Omit<ViscousFlow, 'report'> {
  const { vertexCount } = problem.mesh;
  const { rowToVertex } = domain;
  const rows = rowToVertex.length;
  const velocity = scope.f64(3 * vertexCount);
  velocity.set(problem.velocity.subarray(0, 3 * vertexCount));
  const pressure = scope.f64(vertexCount);
  const isLiquid = scope.u8(vertexCount);
  const { nodes } = problem;
  if (nodes)
    for (let v = 0; v < vertexCount; v++)
      if (nodes.constraint[v] === 3)
        for (let r = 0; r < 3; r++) velocity[3 * v + r] = nodes.velocity[3 * v + r];
  for (let i = 0; i < rows; i++) {
    const v = rowToVertex[i];
    isLiquid[v] = 1;
    for (let r = 0; r < 3; r++) velocity[3 * v + r] = x[3 * i + r] + (constraints?.given[3 * i + r] ?? 0);
    if (isCoupled) pressure[v] = x[3 * rows + i] * scales.pressure;
  }
  return { velocity, pressure, isLiquid };
}

function validateProblem({ mesh, viscosity, density, velocity, dt, liquid, nodes }: ViscousProblem): void {
  const lengths: readonly [string, number, number][] = [
    ['viscosity', viscosity.length, mesh.tetCount],
    ['density', density.length, mesh.tetCount],
    ['velocity', velocity.length, 3 * mesh.vertexCount],
    ['liquid', liquid?.length ?? 4 * mesh.tetCount, 4 * mesh.tetCount],
    ['nodes', nodes?.constraint.length ?? mesh.vertexCount, mesh.vertexCount],
  ];
  for (const [name, length, least] of lengths)
    if (length < least)
      throw new InputError('viscous flow', `${length} numbers of ${name}`, `give ${least}, one row each`);
  if (!(dt > 0)) throw new InputError('viscous flow', `dt = ${dt} s`, 'give a positive step, or Infinity');
}
