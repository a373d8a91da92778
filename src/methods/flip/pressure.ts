/**
 * The pressure of a step ([ando-2013] 3, eqs. (1) to (13), line 11), and with its matrix the correction of
 * the density.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import {
  buildNodalSystem,
  computeWeakDivergence,
  createNodalSolver,
  type NodalSystem,
  subtractNodalGradient,
} from '../../flow/nodal/pressure.ts';
import type { SolverReport } from '../method.ts';
import { correctDensity } from './density.ts';
import type { FlipMesh } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { Obstacles } from './obstacles.ts';
import type { TetSources } from './sources.ts';
import { straightenPaths } from './straight-paths.ts';

export interface Projection {
  readonly system: NodalSystem;
  /** (tetCount) 1 where the pressure acts */
  readonly wet: Uint8Array;
  /** (tetCount x 3) -grad q, m/s */
  readonly change: Float64Array;
  /** (tetCount x 3) displacement that evens out the density, m; empty without correction */
  readonly shift: Float64Array;
  /** (vertexCount) potential q of the nodes, m^2/s */
  readonly potential: Float64Array;
  readonly report: SolverReport;
  /** J, work of moving solids and nozzles on the liquid */
  readonly work: { readonly walls: number; readonly sources: number };
}

export interface Tasks {
  /** (tetCount x 3) velocity of the liquid before, gravity not yet in it */
  readonly velocity: Float64Array;
  readonly level: Float64Array;
  readonly sources: TetSources;
  /** s that gravity acts, and the pressure */
  readonly kick: Seconds;
  /** s that particles then move */
  readonly dt: Seconds;
  readonly position: Float64Array;
  readonly volume: Float64Array;
  /** Which particles are in the liquid */
  readonly kind: Uint8Array;
  /** Potential of the last step over its time, m^2/s^2, at the nodes: the solve starts there. */
  readonly former: Float64Array;
}

/** The equations of a step: one matrix for all that is solved in it. */
export interface PressureProblem {
  readonly system: NodalSystem;
  readonly solve: ReturnType<typeof createNodalSolver>;
  /** (tetCount x 3) velocities of what is not open; empty where nothing moves */
  readonly solid: Float64Array;
}

export function buildPressure(
  model: FlipModel,
  mesh: FlipMesh,
  obstacles: Obstacles,
  { level, sources }: Pick<Tasks, 'level' | 'sources'>,
  scratch: HeapScope,
): PressureProblem {
  const { threads } = model;
  const system = buildNodalSystem(threads, scratch, { mesh: mesh.background, level, open: sources.open });
  const solid = findSolidVelocity(model, mesh, obstacles, sources, system.wetTet, scratch);
  return { system, solve: createNodalSolver(threads, scratch, system), solid };
}

/** The potential that keeps velocity and gravity free of divergence, and what it changes, (tetCount x 3) m/s. */
export function solvePressure(
  { threads, gravity, options }: FlipModel,
  { background: { tetCount, vertexCount } }: FlipMesh,
  { system, solve, solid }: PressureProblem,
  { velocity, sources, kick, former }: Pick<Tasks, 'velocity' | 'sources' | 'kick' | 'former'>,
  scope: HeapScope,
  scratch: HeapScope,
) {
  const { nodeToRow, matrix } = system;
  const forced = scratch.f64(3 * tetCount);
  for (let n = 0; n < 3 * tetCount; n++) forced[n] = velocity[n] + kick * gravity[n % 3];
  const b = scratch.f64(matrix.rowCount);
  computeWeakDivergence(threads, scratch, system, forced, solid, b);
  for (let v = 0; v < vertexCount; v++) if (nodeToRow[v] !== NONE) b[nodeToRow[v]] += sources.divergence[v];
  const q = scratch.f64(matrix.rowCount);
  for (let v = 0; v < vertexCount; v++) if (nodeToRow[v] !== NONE) q[nodeToRow[v]] = kick * former[v];
  const report = solve(b, q, {
    tolerance: options.pressureTolerance,
    maxIterations: options.pressureIterations,
  });
  const change = scope.f64(3 * tetCount);
  subtractNodalGradient(threads, system, q, change);
  const potential = scope.f64(vertexCount);
  for (let v = 0; v < vertexCount; v++) potential[v] = nodeToRow[v] === NONE ? 0 : q[nodeToRow[v]];
  return { change, potential, report };
}

export function project(
  model: FlipModel,
  mesh: FlipMesh,
  problem: PressureProblem,
  tasks: Tasks,
  scope: HeapScope,
  scratch: HeapScope,
): Projection {
  const { system, solve, solid } = problem;
  const wet = scope.u8(mesh.background.tetCount);
  for (const t of system.wetTet) wet[t] = 1;
  const { change, potential, report } = solvePressure(model, mesh, problem, tasks, scope, scratch);
  straightenPaths(model, mesh, tasks, system, solve, change, scratch);
  const work = measureWork(model, mesh, tasks.sources, solid, change, system.wetTet);
  const shift = correctDensity(model, mesh, tasks, system, solve, scope, scratch);
  return { system, wet, change, shift, potential, report, work };
}

/** Velocities of what is not open in each wet tet; empty where nothing moves. */
function findSolidVelocity(
  model: FlipModel,
  mesh: FlipMesh,
  obstacles: Obstacles,
  { nozzle, open, speed }: TetSources,
  wetTet: Int32Array,
  scratch: HeapScope,
): Float64Array {
  if (!model.moves && model.emitters.length === 0) return scratch.f64(0);
  const { tet, position, tetCount } = mesh.background;
  const out = scratch.f64(3 * tetCount);
  const u = new Float64Array(3);
  for (const t of wetTet) {
    if (open[t] === 1) continue;
    if (nozzle[t] !== NONE) {
      const { direction } = model.emitters[nozzle[t]];
      for (let a = 0; a < 3; a++) out[3 * t + a] = speed[nozzle[t]] * direction[a];
      continue;
    }
    const c = [0, 0, 0];
    for (let i = 0; i < 4; i++) for (let a = 0; a < 3; a++) c[a] += 0.25 * position[3 * tet[4 * t + i] + a];
    obstacles.velocityAt(obstacles.findSolid(c[0], c[1], c[2]), c[0], c[1], c[2], u);
    out.set(u, 3 * t);
  }
  return out;
}

/** What pushes the liquid: the sum over tets of rho V_solid grad q . u_solid. */
function measureWork(
  { density }: FlipModel,
  { background, values }: FlipMesh,
  { open, nozzle }: TetSources,
  solid: Float64Array,
  change: Float64Array,
  wetTet: Int32Array,
): { walls: number; sources: number } {
  const work = { walls: 0, sources: 0 };
  if (solid.length === 0) return work;
  const element = new PressureElement();
  for (const t of wetTet) {
    if (open[t] === 1) continue;
    element.setGradients(values.node, background.tet, t);
    let sum = 0;
    for (let a = 0; a < 3; a++) sum -= change[3 * t + a] * solid[3 * t + a];
    const part = density * (1 - open[t]) * element.volume * sum;
    if (nozzle[t] === NONE) work.walls += part;
    else work.sources += part;
  }
  return work;
}
