/**
 * Pressure correction: solves for the pressure and makes the velocity divergence-free ([chentanez-2007] 3.1,
 * 3.5).
 */
import type { Heap, HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import { createCsrOperator } from '../../linalg/csr.ts';
import { createCg } from '../../linalg/krylov/cg.ts';
import type { EarlyLook, SolveReport } from '../../linalg/krylov/solver.ts';
import {
  type AuxiliaryPreconditioner,
  createAuxiliaryPreconditioner,
} from '../../linalg/multigrid/auxiliary-space.ts';
import { createMultigrid } from '../../linalg/multigrid/multigrid.ts';
import { createIncompleteCholesky } from '../../linalg/preconditioners/incomplete-cholesky.ts';
import { createJacobi } from '../../linalg/preconditioners/jacobi.ts';
import type { Preconditioner } from '../../linalg/preconditioners/preconditioner.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { LiquidOptions } from '../liquid/options.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import {
  assemblePressure,
  type Conditions,
  computeCellVelocity,
  followConditions,
  type PressureSystem,
  subtractPressureGradient,
} from './pressure.ts';
import { buildVertexSpace } from './pressure-space.ts';

export interface Projection {
  /** (faceCount) pressure potential p dt / rho, m^2/s */
  readonly facePressure: Float64Array;
  readonly report: SolveReport;
}

/** What the preconditioner needs to know of the mesh. */
type MeshGeometry = { readonly mesh: TetMesh } & Pick<MeshParts, 'topology' | 'geometry'>;

/** Projects faceVelocity in place, eqs. (5) and (6). `guess`: face pressures to start the search from. */
export function project(
  model: LiquidModel,
  parts: MeshParts,
  conditions: Conditions,
  faceVelocity: Float64Array,
  scope: HeapScope,
  guess?: Float64Array,
): Projection {
  const projector = new Projector(model, parts, conditions, faceVelocity, scope);
  if (guess) projector.facePressure.set(guess);
  try {
    return { facePressure: projector.facePressure, report: projector.solve() };
  } finally {
    projector.free();
  }
}

/** A system with the means to solve it, and their memory. */
interface Posed {
  readonly scope: HeapScope;
  readonly system: PressureSystem;
  readonly solution: Float64Array;
  readonly solver: PressureSolver;
}

/**
 * The projection of one velocity under conditions that may change from solve to solve. Where a few faces
 * change, as in the rounds of contact, system and preconditioner are kept: only rows of theirs are made anew.
 */
export class Projector {
  /** (faceCount) of the last solve; the next one starts from it */
  readonly facePressure: Float64Array;
  private readonly memory: HeapScope;
  /** Cell vectors of the velocity that was given, and of the projected one. */
  private readonly given: Float64Array;
  private readonly corrected: Float64Array;
  private posed: Posed | undefined;

  /** `faceVelocity`: what is projected; each solve writes what it has become. */
  constructor(
    private readonly model: LiquidModel,
    private readonly parts: MeshParts,
    private readonly conditions: Conditions,
    private readonly faceVelocity: Float64Array,
    scope: HeapScope,
  ) {
    const { mesh, topology, geometry } = parts;
    this.facePressure = scope.f64(topology.faceCount);
    this.memory = model.heap.scope('projection');
    this.given = this.memory.f64(3 * mesh.tetCount);
    this.corrected = this.memory.f64(3 * mesh.tetCount);
    computeCellVelocity(mesh, topology, geometry, faceVelocity, model.threads, this.given);
  }

  /** `look`: sees pressures and velocity as they are then. */
  solve(look?: EarlyLook): SolveReport {
    const { facePressure } = this;
    if (this.parts.mesh.tetCount === 0) return { iterations: 0, residual: 0, converged: true };
    this.posed ??= this.pose();
    const { posed } = this;
    const { unknownToFace } = posed.system;
    const { solution } = posed;
    for (let u = 0; u < solution.length; u++) solution[u] = facePressure[unknownToFace[u]];
    const isEnough = () => {
      this.correct(posed);
      return look!.isEnough();
    };
    const report = posed.solver.solve(solution, look && { ...look, isEnough });
    this.correct(posed);
    return report;
  }

  /** Pressures and velocity by the present solution. */
  private correct({ system: { unknownToFace, source }, solution }: Posed): void {
    const { facePressure, given, corrected, faceVelocity, conditions } = this;
    const { topology, geometry } = this.parts;
    facePressure.fill(0);
    for (let u = 0; u < solution.length; u++) facePressure[unknownToFace[u]] = solution[u];
    corrected.set(given);
    const { threads } = this.model;
    const values = [source, facePressure, threads, corrected, faceVelocity] as const;
    subtractPressureGradient(topology, geometry, conditions, ...values);
  }

  /** To be told of all faces whose kind has changed since the last solve. */
  follow(faces: readonly number[]): void {
    const { posed, conditions, given } = this;
    if (!posed) return;
    const { topology, geometry } = this.parts;
    const { system, solver, scope } = posed;
    const list = scope.i32(faces.length);
    list.set(faces);
    const { threads } = this.model;
    if (
      solver.followDiagonal &&
      followConditions(topology, geometry, conditions, given, system, list, threads)
    ) {
      solver.followDiagonal(list.map((f) => system.faceToUnknown[f]));
      return;
    }
    scope.free();
    this.posed = undefined;
  }

  free(): void {
    this.posed?.scope.free();
    this.memory.free();
  }

  private pose(): Posed {
    const { model, parts, conditions } = this;
    const { heap, threads, options } = model;
    const scope = heap.scope('pressure system');
    try {
      const { topology, geometry } = parts;
      const system = assemblePressure(topology, geometry, conditions, this.given, threads, scope);
      const solution = scope.f64(system.matrix.rowCount);
      const { fixed } = conditions;
      const solver = createPressureSolver(options, parts, system, fixed, threads, heap, scope);
      return { scope, system, solution, solver };
    } catch (error) {
      scope.free();
      throw error;
    }
  }
}

/** Solves one system, as often as its right-hand side and diagonal change. */
export interface PressureSolver {
  /** `look`: conjugate gradients alone take it. */
  solve(outSolution: Float64Array, look?: EarlyLook): SolveReport;
  /** Takes the diagonals of some rows anew; absent where the solver must be made anew. */
  followDiagonal?(rows: Int32Array): void;
}

/** Solves the system by the means that the options name. */
export function createPressureSolver(
  options: LiquidOptions,
  parts: MeshGeometry,
  system: PressureSystem,
  fixed: Uint8Array,
  threads: Threads,
  heap: Heap,
  scope: HeapScope,
): PressureSolver {
  const { matrix, right } = system;
  const limits = { tolerance: options.pressureTolerance, maxIterations: options.pressureIterations };
  const setUp = heap.scope('pressure set-up');
  try {
    if (options.pressureSolver !== 'conjugate-gradients') {
      const cycle = options.pressureSolver === 'multigrid-v' ? 'v' : 'full';
      const multigrid = createMultigrid(threads, scope, matrix, {}, setUp);
      return { solve: (solution) => multigrid.solve(right, solution, limits, cycle) };
    }
    const preconditioner = createPreconditioner(options, parts, system, fixed, threads, scope, setUp);
    setUp.free();
    const cg = createCg(threads, scope, matrix.rowCount);
    const operator = createCsrOperator(threads, matrix);
    return {
      solve: (solution, look) =>
        cg.solve(operator, preconditioner, right, solution, { ...limits, ...(look && { look }) }),
      ...('followDiagonal' in preconditioner && { followDiagonal: preconditioner.followDiagonal }),
    };
  } finally {
    setUp.free();
  }
}

function createPreconditioner(
  { preconditioner }: LiquidOptions,
  { mesh, topology, geometry }: MeshGeometry,
  system: PressureSystem,
  fixed: Uint8Array,
  threads: Threads,
  scratch: HeapScope,
  setUp: HeapScope,
): Preconditioner | AuxiliaryPreconditioner {
  const { matrix } = system;
  switch (preconditioner) {
    case 'vertex-multigrid': {
      const space = buildVertexSpace(mesh, topology, geometry, system, fixed, threads, scratch, setUp);
      return createAuxiliaryPreconditioner(threads, scratch, matrix, space, setUp);
    }
    case 'multigrid':
      return createMultigrid(threads, scratch, matrix, {}, setUp);
    case 'aggregation-multigrid':
      return createMultigrid(threads, scratch, matrix, { coarsening: 'aggregation', sweeps: 1 }, setUp);
    case 'incomplete-cholesky':
      return createIncompleteCholesky(threads, scratch, matrix);
    case 'jacobi':
      return createJacobi(threads, scratch, matrix);
  }
}
